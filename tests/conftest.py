"""Settings that every test shares.

Property tests are repeatable (the same examples each run) and have no time limit: machines differ.
"""

from hypothesis import settings

settings.register_profile("kinetoscope", deadline=None, derandomize=True)
settings.load_profile("kinetoscope")
