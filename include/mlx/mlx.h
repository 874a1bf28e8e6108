// For programs written for MLX: its includes and its namespace name assay's.
#pragma once

#include "assay/assay.h"

namespace mlx {
namespace core = assay;
}
