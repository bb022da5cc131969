"""The Timeline panel: transport, the strip with its marks, lanes of branches."""
