"""The panel of the doctor, and the card of a run that diverged."""
