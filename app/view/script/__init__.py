"""What a script adds to the viewer: geoms, texts, plots, panels, images, figures; and what it shares with the user."""
