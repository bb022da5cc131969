"""The Contacts panel: the table of contacts, flat or by pairs of bodies."""
