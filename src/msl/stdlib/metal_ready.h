// Uses the common vector types once, so that the precompiled library holds what every kernel would
// otherwise pay for: complete classes, their copies, the most frequent operators. Nothing of it is
// ever called or emitted.
#pragma once

#include "metal_matrix.h"

namespace metal {
namespace __assay {

template <typename V>
inline void use_vector(device V* p, threadgroup V* q, constant V& c) {
  typedef element_t<V> T;
  V a = p[0];
  V b = q[0];
  V d = c;
  p[1] = d;
  q[1] = a + b;
  a = V(T(1)) * b - d;
  d = p[1];
  d += b;
  d *= V(p[2]);
  a.xy = d.yx;
  d[1] = a[0];
  p[0][1] = c[1];
  a = any(a == b) ? d : b;
  p[3] = max(a, b) + min(a, d);
}

template <typename... V>
inline void use_vectors(device char* p, threadgroup char* q, constant char* c) {
  (use_vector<V>((device V*)p, (threadgroup V*)q, *(constant V*)c), ...);
}

inline void use_common_vectors(device char* p, threadgroup char* q, constant char* c) {
  use_vectors<float2, float3, float4, half2, half3, half4, bfloat2, bfloat4>(p, q, c);
  use_vectors<int2, int3, int4, uint2, uint3, uint4>(p, q, c);
  use_vectors<short2, ushort2, char4, uchar4>(p, q, c);
}

}  // namespace __assay
}  // namespace metal
