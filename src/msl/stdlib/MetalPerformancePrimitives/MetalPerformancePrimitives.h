// Metal Performance Primitives: products of matrices in tensors.
#pragma once

#include "MPPTensorOpsConvolution2d.h"
#include "MPPTensorOpsMatMul2d.h"
