"""What lies over the picture: cards, labels, help, palette, gallery, dialogs."""
