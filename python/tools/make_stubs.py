#!/usr/bin/python3
"""Writes the type stubs of assay.core from the signatures that the module itself tells.

make_stubs.py FOLDER: writes core/__init__.pyi and one file for each submodule below FOLDER.
"""

import pathlib
import re
import sys
import types

import assay.core

HEADER = '''"""{doc}"""

from typing import Any, Callable, Iterable, Iterator, Sequence, Union

{imports}
'''
# The first line of a docstring is "name(argument: type = default, …) -> type"; overloads are
# numbered below it.
SIGNATURE = re.compile(r"^(?:\d+\. )?(\w+)\((.*)\) -> (.*)$")
MODULE_NAME = re.compile(r"\bassay\.core\.(?=\w)")
OBJECT = re.compile(r"<[^>]*>")
TYPES = {
    "scalar | array": "ScalarOrArray",
    "Sequence[int] | int": "ShapeLike",
    "object": "Any",
    "handle": "Any",
    "function": "Callable[..., Any]",
    "buffer": "Any",
    "capsule": "Any",
}


def plain(signature):
    """A signature in the words of a stub."""
    text = MODULE_NAME.sub("", OBJECT.sub("...", signature))
    for name, replacement in TYPES.items():
        text = re.sub(rf"(?<![\w.]){re.escape(name)}(?!\w)", replacement, text)
    text = re.sub(r"= (assay\.core|mlx\.core)\.\w+", "= ...", text)
    text = re.sub(r"= float32|= int32", "= ...", text)
    # Tuples and lists as pybind11 writes them.
    text = re.sub(r"\bTuple\[", "tuple[", re.sub(r"\bList\[", "list[", text))
    text = re.sub(r"\bDict\[", "dict[", text)
    text = re.sub(r"\bOptional\[", "Union[None, ", text)
    return text


def signatures(function):
    found = []
    for line in (function.__doc__ or "").splitlines():
        if match := SIGNATURE.match(line.strip()):
            found.append((match[2], match[3]))
    return [found[0]] if found and "*args, **kwargs" not in found[0][0] else found[1:] or found


def doc_text(function):
    lines = (function.__doc__ or "").splitlines()
    lines = [line for line in lines if not SIGNATURE.match(line.strip())]
    return "\n".join(lines).replace("Overloaded function.", "").strip()


def function_stub(name, function, indent=""):
    """One function, or its overloads as one that takes anything."""
    found = signatures(function)
    arguments, result = found[0] if len(found) == 1 else ("*args: Any, **kwargs: Any", "Any")
    text = doc_text(function).replace("\n", "\n    " + indent)
    body = f'\n{indent}    """{text}"""\n{indent}    ...' if text else " ..."
    return f"{indent}def {name}({plain(arguments)}) -> {plain(result)}:{body}\n"


def class_stub(name, cls):
    lines = [f"class {name}:"]
    if cls.__doc__:
        lines.append(f'    """{cls.__doc__.splitlines()[0]}"""')
    for member, value in sorted(vars(cls).items()):
        if member.startswith("_pybind11") or member in ("__module__", "__doc__", "__entries"):
            continue
        if isinstance(value, property):
            match = re.search(r"-> (.*)", value.fget.__doc__ or "")
            result = plain(match[1]) if match else "Any"
            lines += ["    @property", f"    def {member}(self) -> {result}:",
                      f'        """{(value.__doc__ or "").strip()}"""', "        ..."]
        elif callable(value) and signatures(value):
            lines.append(function_stub(member, value, "    ").rstrip())
        elif isinstance(value, cls):
            lines.append(f"    {member}: {name}")
    if len(lines) <= 2:
        lines.append("    ...")
    return "\n".join(lines) + "\n"


def module_stub(module, is_main):
    submodules = [name for name, value in vars(module).items()
                  if isinstance(value, types.ModuleType)]
    imports = ("\n".join(f"from . import {name} as {name}" for name in sorted(submodules))
               if is_main else "from . import *")
    parts = [HEADER.format(doc=module.__doc__, imports=imports)]
    if is_main:
        parts.append("ScalarOrArray = Union[bool, int, float, complex, array, Any]\n"
                     "ShapeLike = Union[int, Sequence[int]]\n"
                     "StreamOrDevice = Union[None, Stream, Device, DeviceType]\n")
    for name, value in sorted(vars(module).items()):
        if name.startswith("__") or isinstance(value, types.ModuleType):
            continue
        if isinstance(value, type):
            parts.append(class_stub(name, value))
        elif callable(value) and getattr(value, "__name__", name) != name:
            parts.append(f"{name} = {value.__name__}\n")
        elif callable(value):
            parts.append(function_stub(name, value))
        else:
            parts.append(f"{name}: {type(value).__name__}\n")
    return "\n".join(parts)


def main():
    folder = pathlib.Path(sys.argv[1]) / "core"
    folder.mkdir(exist_ok=True)
    (folder / "__init__.pyi").write_text(module_stub(assay.core, True))
    for name, value in vars(assay.core).items():
        if isinstance(value, types.ModuleType):
            (folder / f"{name}.pyi").write_text(module_stub(value, False))


if __name__ == "__main__":
    main()
