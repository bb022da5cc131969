"""Breakpoints: pause when something happens."""
