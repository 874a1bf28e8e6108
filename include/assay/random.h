// Random numbers from a counter-based generator (Threefry 2x32): the same key gives the same
// values, on every machine.
#pragma once

#include <optional>

#include "assay/array.h"
#include "assay/ops.h"

namespace assay::random {

// Two uint32 words.
ASSAY_API array key(uint64_t seed);
// Sets the key that calls without one use, on this thread and all others.
ASSAY_API void seed(uint64_t seed);
ASSAY_API std::pair<array, array> split(const array& key, StreamOrDevice s = {});
ASSAY_API array split(const array& key, int num, StreamOrDevice s = {});

// Random bits in elements of `width` bytes (1, 2 or 4).
ASSAY_API array bits(const Shape& shape, int width, const std::optional<array>& key = std::nullopt,
                     StreamOrDevice s = {});
inline array bits(const Shape& shape, const std::optional<array>& key = std::nullopt,
                  StreamOrDevice s = {}) {
  return bits(shape, 4, key, s);
}
ASSAY_API array uniform(const array& low, const array& high, const Shape& shape,
                        Dtype dtype = float32, const std::optional<array>& key = std::nullopt,
                        StreamOrDevice s = {});
// One end may be an array.
template <typename T, typename U>
  requires((ArrayScalar<T> || std::is_same_v<T, array>) &&
           (ArrayScalar<U> || std::is_same_v<U, array>))
array uniform(T low, U high, const Shape& shape, Dtype dtype = float32,
              const std::optional<array>& key = std::nullopt, StreamOrDevice s = {}) {
  return uniform(array(low), array(high), shape, dtype, key, s);
}
ASSAY_API array uniform(const Shape& shape, Dtype dtype,
                        const std::optional<array>& key = std::nullopt, StreamOrDevice s = {});
ASSAY_API array uniform(const Shape& shape, const std::optional<array>& key = std::nullopt,
                        StreamOrDevice s = {});
ASSAY_API array normal(const Shape& shape, Dtype dtype, const std::optional<array>& loc,
                       const std::optional<array>& scale, const std::optional<array>& key,
                       StreamOrDevice s = {});
ASSAY_API array normal(const Shape& shape, Dtype dtype, float loc, float scale,
                       const std::optional<array>& key = std::nullopt, StreamOrDevice s = {});
ASSAY_API array normal(const Shape& shape, float loc, float scale,
                       const std::optional<array>& key = std::nullopt, StreamOrDevice s = {});
ASSAY_API array normal(const Shape& shape, Dtype dtype,
                       const std::optional<array>& key = std::nullopt, StreamOrDevice s = {});
ASSAY_API array normal(const Shape& shape, const std::optional<array>& key = std::nullopt,
                       StreamOrDevice s = {});
ASSAY_API array randint(const array& low, const array& high, const Shape& shape,
                        Dtype dtype = int32, const std::optional<array>& key = std::nullopt,
                        StreamOrDevice s = {});
template <ArrayScalar T, ArrayScalar U>
array randint(T low, U high, const Shape& shape, Dtype dtype = int32,
              const std::optional<array>& key = std::nullopt, StreamOrDevice s = {}) {
  return randint(array(low), array(high), shape, dtype, key, s);
}
ASSAY_API array bernoulli(const array& p, const Shape& shape,
                          const std::optional<array>& key = std::nullopt, StreamOrDevice s = {});
ASSAY_API array bernoulli(const array& p, const std::optional<array>& key = std::nullopt,
                          StreamOrDevice s = {});
template <ArrayScalar T>
array bernoulli(T p, const std::optional<array>& key = std::nullopt, StreamOrDevice s = {}) {
  return bernoulli(array(p), key, s);
}
template <ArrayScalar T>
array bernoulli(T p, const Shape& shape, const std::optional<array>& key = std::nullopt,
                StreamOrDevice s = {}) {
  return bernoulli(array(p), shape, key, s);
}
ASSAY_API array bernoulli(const std::optional<array>& key = std::nullopt, StreamOrDevice s = {});
ASSAY_API array truncated_normal(const array& lower, const array& upper, const Shape& shape,
                                 Dtype dtype = float32,
                                 const std::optional<array>& key = std::nullopt,
                                 StreamOrDevice s = {});
ASSAY_API array truncated_normal(const array& lower, const array& upper, Dtype dtype = float32,
                                 const std::optional<array>& key = std::nullopt,
                                 StreamOrDevice s = {});
ASSAY_API array gumbel(const Shape& shape, Dtype dtype = float32,
                       const std::optional<array>& key = std::nullopt, StreamOrDevice s = {});
ASSAY_API array categorical(const array& logits, int axis, const Shape& shape,
                            const std::optional<array>& key = std::nullopt, StreamOrDevice s = {});
ASSAY_API array categorical(const array& logits, int axis, int num_samples,
                            const std::optional<array>& key = std::nullopt, StreamOrDevice s = {});
ASSAY_API array categorical(const array& logits, int axis = -1,
                            const std::optional<array>& key = std::nullopt, StreamOrDevice s = {});
ASSAY_API array laplace(const Shape& shape, Dtype dtype, float loc, float scale,
                        const std::optional<array>& key = std::nullopt, StreamOrDevice s = {});
inline array laplace(const Shape& shape, float loc, float scale,
                     const std::optional<array>& key = std::nullopt, StreamOrDevice s = {}) {
  return laplace(shape, float32, loc, scale, key, s);
}
inline array laplace(const Shape& shape, Dtype dtype,
                     const std::optional<array>& key = std::nullopt, StreamOrDevice s = {}) {
  return laplace(shape, dtype, 0.0f, 1.0f, key, s);
}
inline array laplace(const Shape& shape, const std::optional<array>& key = std::nullopt,
                     StreamOrDevice s = {}) {
  return laplace(shape, float32, 0.0f, 1.0f, key, s);
}
ASSAY_API array permutation(const array& x, int axis = 0,
                            const std::optional<array>& key = std::nullopt, StreamOrDevice s = {});
ASSAY_API array permutation(int x, const std::optional<array>& key = std::nullopt,
                            StreamOrDevice s = {});

}  // namespace assay::random
