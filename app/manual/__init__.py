"""The manual: its pages in Markdown, and how they are found, parsed and searched."""
