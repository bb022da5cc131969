"""Instruments: panels that answer a question about the moment that is shown, closed until they are asked for."""
