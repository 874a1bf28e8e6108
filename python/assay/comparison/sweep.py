"""What is run: cases of a size, a dtype, a layout and a threadgroup, and the default choice of them."""

from __future__ import annotations

import itertools
import math
import typing
from dataclasses import dataclass, replace

Size = typing.Union[int, "tuple[int, ...]"]
Threadgroup = typing.Union[None, int, "tuple[int, ...]"]

LAYOUTS = ("contiguous", "transposed", "sliced", "reversed", "broadcast", "mixed")
DTYPES = ("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64",
          "float16", "bfloat16", "float32", "float64", "complex64")
DEFAULT_DTYPES = ("float32", "float16")
DEFAULT_THREADGROUPS = (32, 256, 1024)
# Nothing, one, primes, simdgroups and powers of two with their neighbours, more than 16 bits count.
_DEFAULT_SIZES = (0, 1, 2, 3, 7, 31, 32, 33, 127, 255, 256, 257, 1009, 1023, 1024, 1025, 4099, 65537)


@dataclass(frozen=True)
class Case:
    """One run of the kernel beside one of the reference."""

    size: Size
    dtype: str
    layout: str
    threadgroup: Threadgroup = None

    @property
    def shape(self) -> tuple[int, ...]:
        return shape_of(self.size)

    def with_size(self, size: Size) -> Case:
        return replace(self, size=size)

    def __str__(self) -> str:
        text = f"size {size_text(self.size)}, {self.dtype}, {self.layout}"
        if self.threadgroup is None:
            return text
        return f"{text}, threadgroup {size_text(self.threadgroup)}"


def size_text(size: Size | Threadgroup) -> str:
    if size is None:
        return "-"
    return str(size) if isinstance(size, int) else "x".join(map(str, size))


def shape_of(size: Size) -> tuple[int, ...]:
    return (size,) if isinstance(size, int) else size


def elements(size: Size) -> int:
    return size if isinstance(size, int) else math.prod(size)


def threads_of(threadgroup: Threadgroup) -> int:
    return 0 if threadgroup is None else elements(threadgroup)


def default_sizes(threadgroups: typing.Sequence[Threadgroup]) -> list[Size]:
    """Also sizes around each threadgroup and over several of them."""
    sizes = set(_DEFAULT_SIZES)
    for threads in map(threads_of, threadgroups):
        if threads:
            sizes |= {threads - 1, threads, threads + 1, 3 * threads + 5}
    return sorted(sizes)


@dataclass(frozen=True)
class Sweep:
    """All combinations, smallest first; within a size in the order the user gave."""

    sizes: tuple[Size, ...]
    dtypes: tuple[str, ...]
    layouts: tuple[str, ...]
    threadgroups: tuple[Threadgroup, ...]

    def cases(self) -> list[Case]:
        sizes = sorted(dict.fromkeys(self.sizes), key=elements)
        return [Case(*each) for each in
                itertools.product(sizes, self.dtypes, self.layouts, self.threadgroups)]

    def simpler(self, case: Case) -> list[Case]:
        """Cases of the same size that come before it."""
        each = [Case(case.size, *rest) for rest in
                itertools.product(self.dtypes, self.layouts, self.threadgroups)]
        return each[:each.index(case)]


def make_sweep(sizes, dtypes, layouts, threadgroups) -> Sweep:
    """Checks what the user gave and brings it into one form."""
    sizes = tuple(_checked_size(size) for size in _listed(sizes))
    dtypes = tuple(dtype_name(dtype) for dtype in _listed(dtypes))
    layouts = tuple(_listed(layouts))
    for layout in layouts:
        if layout not in LAYOUTS:
            raise ValueError(f"[compare] '{layout}' is not a layout; the layouts are: "
                             f"{', '.join(LAYOUTS)}")
    groups = make_threadgroups(threadgroups)
    for name, values in (("sizes", sizes), ("dtypes", dtypes), ("layouts", layouts),
                         ("threadgroups", groups)):
        if not values:
            raise ValueError(f"[compare] `{name}` is empty: there is nothing to compare")
    return Sweep(*(tuple(dict.fromkeys(each)) for each in (sizes, dtypes, layouts, groups)))


def make_threadgroups(threadgroups: typing.Any) -> tuple[Threadgroup, ...]:
    return tuple(_checked_threadgroup(group) for group in _listed(threadgroups))


def _listed(values: typing.Any) -> typing.Iterable[typing.Any]:
    """One value stands for a list of it."""
    return values if hasattr(values, "__iter__") and not isinstance(values, str) else [values]


def dtype_name(dtype: object) -> str:
    """Of a Dtype, a NumPy dtype or a name."""
    name = getattr(dtype, "__name__", None) or str(dtype)
    name = name.rsplit(".", 1)[-1].rstrip("_")
    if name not in DTYPES:
        raise ValueError(f"[compare] '{dtype}' is not a dtype; the dtypes are: {', '.join(DTYPES)}")
    return name


def _checked_size(size: typing.Any) -> Size:
    numbers = tuple(size) if isinstance(size, (tuple, list)) else (size,)
    for number in numbers:
        if isinstance(number, bool) or not hasattr(number, "__index__") or int(number) < 0:
            raise ValueError(f"[compare] {size!r} is not a size: give a number of elements or a "
                             "shape")
    numbers = tuple(int(number) for number in numbers)
    return numbers if isinstance(size, (tuple, list)) else numbers[0]


def _checked_threadgroup(group: typing.Any) -> Threadgroup:
    if group is None:
        return None
    group = _checked_size(group)
    if elements(group) == 0 or (isinstance(group, tuple) and len(group) > 3):
        raise ValueError(f"[compare] {group!r} is not a threadgroup: give a number of threads or up "
                         "to three")
    return group
