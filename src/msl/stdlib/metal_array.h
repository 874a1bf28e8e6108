// metal::array<T, N>, array_ref<T> and span<T>.
#pragma once

#include "metal_types.h"

namespace metal {

// An aggregate, as in Metal: initialised with braces.
template <typename T, size_t N>
struct array {
  T __elements[N];

  METAL_FUNC constexpr size_t size() const ASSAY_ANY { return N; }
  METAL_FUNC constexpr size_t size() const constant { return N; }
  METAL_FUNC constexpr bool empty() const ASSAY_ANY { return N == 0; }
  METAL_FUNC constexpr bool empty() const constant { return N == 0; }

#define ASSAY_ARRAY_ACCESS(space)                                                     \
  METAL_FUNC constexpr space T& operator[](size_t i) space& { return __elements[i]; } \
  METAL_FUNC constexpr const space T& operator[](size_t i) const space& {             \
    return __elements[i];                                                             \
  }                                                                                   \
  METAL_FUNC constexpr space T* data() space { return __elements; }                   \
  METAL_FUNC constexpr const space T* data() const space { return __elements; }       \
  METAL_FUNC constexpr space T* begin() space { return __elements; }                  \
  METAL_FUNC constexpr const space T* begin() const space { return __elements; }      \
  METAL_FUNC constexpr space T* end() space { return __elements + N; }                \
  METAL_FUNC constexpr const space T* end() const space { return __elements + N; }
  ASSAY_ARRAY_ACCESS(thread)
  ASSAY_ARRAY_ACCESS(device)
  ASSAY_ARRAY_ACCESS(threadgroup)
#undef ASSAY_ARRAY_ACCESS
  METAL_FUNC constexpr const constant T& operator[](size_t i) const constant& {
    return __elements[i];
  }
  // Of results of calls, which every address space would fit alike.
  METAL_FUNC constexpr T operator[](size_t i) ASSAY_ANY&& { return __elements[i]; }
  METAL_FUNC constexpr const constant T* data() const constant { return __elements; }
  METAL_FUNC constexpr const constant T* begin() const constant { return __elements; }
  METAL_FUNC constexpr const constant T* end() const constant { return __elements + N; }
};

// A view of elements in device memory.
template <typename T>
struct array_ref {
  device T* elements_;
  size_t size_;

  METAL_FUNC constexpr size_t size() const ASSAY_ANY { return size_; }
  METAL_FUNC device T& operator[](size_t i) const ASSAY_ANY { return elements_[i]; }
  METAL_FUNC device T* data() const ASSAY_ANY { return elements_; }
};

}  // namespace metal
