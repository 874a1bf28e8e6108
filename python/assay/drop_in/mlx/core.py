"""assay.core under the name that programs written for MLX import."""

import sys

import assay.core

for _name, _module in list(sys.modules.items()):
    if _name == "assay.core" or _name.startswith("assay.core."):
        sys.modules["mlx" + _name.removeprefix("assay")] = _module
