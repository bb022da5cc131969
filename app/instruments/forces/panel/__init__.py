"""The panel of Forces."""
