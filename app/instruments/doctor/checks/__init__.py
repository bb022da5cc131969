"""The checks of the doctor, one topic each: a function from a subject to findings."""
