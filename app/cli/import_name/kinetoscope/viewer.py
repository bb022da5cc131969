"""`import kinetoscope.viewer`: the module `app.viewer`."""

import sys

from app import viewer

sys.modules[__name__] = viewer
