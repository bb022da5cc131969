"""The viewer in a browser: the server, its doors and what it sends."""
