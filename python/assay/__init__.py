"""Lazy arrays, kernel fusion and custom Metal kernels on Linux, with the names of MLX.

import assay.core as mx
"""

import reprlib as _reprlib


def _keep_arrays_whole():
    """reprlib takes every class named array for array.array, whose elements it wants to show."""
    show_array = _reprlib.Repr.repr_array

    def repr_array(self, value, level):
        if type(value).__module__ == "array":
            return show_array(self, value, level)
        return self.repr_instance(value, level)

    _reprlib.Repr.repr_array = repr_array


_keep_arrays_whole()
