"""What the Lens instrument asks: costs and residuals of islands, energies and countdowns of trees."""
