"""Softness: how stiff a contact is, in newtons per metre."""
