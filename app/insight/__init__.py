"""What explains a run, in numbers and words: contacts, divergence, sleep."""
