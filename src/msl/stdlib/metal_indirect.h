// What the host reads from buffers as sizes of dispatches and draws; kernels write it. In no
// namespace, as in Metal.
#pragma once

#include "metal_types.h"

struct MTLDispatchThreadgroupsIndirectArguments {
  uint threadgroupsPerGrid[3];
};
struct MTLDrawPrimitivesIndirectArguments {
  uint vertexCount;
  uint instanceCount;
  uint vertexStart;
  uint baseInstance;
};
struct MTLDrawIndexedPrimitivesIndirectArguments {
  uint indexCount;
  uint instanceCount;
  uint indexStart;
  int baseVertex;
  uint baseInstance;
};
struct MTLDrawPatchIndirectArguments {
  uint patchCount;
  uint instanceCount;
  uint patchStart;
  uint baseInstance;
};
struct MTLQuadTessellationFactorsHalf {
  half edgeTessellationFactor[4];
  half insideTessellationFactor[2];
};
struct MTLTriangleTessellationFactorsHalf {
  half edgeTessellationFactor[3];
  half insideTessellationFactor;
};
