// See mlx.h.
#pragma once

#include "mlx/mlx.h"
