"""Lazy arrays, kernel fusion and custom Metal kernels on Linux, with the names of MLX.

import assay.core as mx

assay.compare() checks a custom kernel against a reference.
"""

import reprlib as _reprlib
import typing as _typing

if _typing.TYPE_CHECKING:
    from .comparison import Comparison as Comparison
    from .comparison import compare as compare


def __getattr__(name: str) -> _typing.Any:
    """What needs NumPy is loaded when it is used."""
    if name in ("compare", "Comparison"):
        from . import comparison

        return getattr(comparison, name)
    raise AttributeError(f"module 'assay' has no attribute '{name}'")


def _keep_arrays_whole():
    """reprlib takes every class named array for array.array, whose elements it wants to show."""
    show_array = _reprlib.Repr.repr_array

    def repr_array(self, value, level):
        if type(value).__module__ == "array":
            return show_array(self, value, level)
        return self.repr_instance(value, level)

    _reprlib.Repr.repr_array = repr_array


_keep_arrays_whole()
