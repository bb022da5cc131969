"""The stages of a step: kernels that read the state and what earlier stages wrote, and write fields of Data."""
