"""Forces: where an acceleration comes from."""
