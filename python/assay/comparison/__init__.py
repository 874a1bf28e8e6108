"""A kernel against a reference over many cases. `assay.compare` is the way in."""

try:
    import numpy as _numpy  # noqa: F401
except ImportError as _error:
    raise ImportError("assay.compare needs NumPy (Debian: python3-numpy)") from _error

from .compare import compare as compare
from .failure import Failure as Failure
from .report import Comparison as Comparison
from .runner import Outcome as Outcome
from .sweep import Case as Case
from .ulps import ulp_distance as ulp_distance
