"""The package `kinetoscope`: the name under which scripts import what pip installs."""
