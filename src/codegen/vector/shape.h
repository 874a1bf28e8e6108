// How a value of a kernel differs between the lanes of one simdgroup.
#pragma once

#include <cstdint>

namespace assay::codegen {

struct Shape {
  enum class Kind : uint8_t {
    kUnknown,  // nothing looked at it yet; below everything else
    kUniform,  // the same in all active lanes
    kStrided,  // that of lane 0, plus the lane's number times `stride`
    kVarying,
  };
  Kind kind = Kind::kUnknown;
  int64_t stride = 0;           // of integers in units, of pointers in bytes; never 0 if strided
  bool starts_aligned = false;  // strided by 1, lane 0 at a multiple of the simdgroup's width

  static Shape unknown() { return {}; }
  static Shape uniform() { return {Kind::kUniform}; }
  static Shape varying() { return {Kind::kVarying}; }
  static Shape strided(int64_t stride) {
    return stride == 0 ? uniform() : Shape{Kind::kStrided, stride};
  }

  // Counts lanes from a multiple of the simdgroup's width.
  static Shape counting() { return {Kind::kStrided, 1, true}; }

  bool is_unknown() const { return kind == Kind::kUnknown; }
  bool is_uniform() const { return kind == Kind::kUniform; }
  bool is_strided() const { return kind == Kind::kStrided; }
  bool is_varying() const { return kind == Kind::kVarying; }
  bool operator==(const Shape&) const = default;
};

// The shape of a value that is one or the other for all lanes at once.
inline Shape meet(Shape a, Shape b) {
  if (a.is_unknown() || a == b) return b;
  if (b.is_unknown()) return a;
  if (a.is_strided() && b.is_strided() && a.stride == b.stride) return Shape::strided(a.stride);
  return Shape::varying();
}

}  // namespace assay::codegen
