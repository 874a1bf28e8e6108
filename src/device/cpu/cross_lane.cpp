// Shuffle, ballot, reductions, scans and the 8x8 matrix product over the lanes of a simdgroup.
#include "device/cpu/cross_lane.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "kernel/simdgroup_matrix.h"

namespace assay::device::cpu {
namespace {

using kernel::Combine;
using kernel::Element;
using kernel::kMatrixSize;
using kernel::kSimdgroupWidth;
using kernel::matrix_column;
using kernel::matrix_row;
using kernel::SuspendKind;
using kernel::ThreadState;

template <typename T>
using Lanes = std::array<T, kSimdgroupWidth>;

bool is_active(const LaneGroup& lanes, uint32_t lane) { return (lanes.active >> lane & 1) != 0; }

const ThreadState& first_active(const LaneGroup& lanes) {
  return lanes.states[std::countr_zero(lanes.active)];
}

template <typename Function>
void for_each_active(const LaneGroup& lanes, const Function& function) {
  for (uint32_t rest = lanes.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    function(lane, lanes.states[lane]);
  }
}

// Values travel as zero-extended bit patterns.
template <typename T>
T from_bits(uint64_t bits) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  } else {
    return static_cast<T>(bits);
  }
}

template <typename T>
uint64_t to_bits(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<uint32_t>(value);
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

// Signed arithmetic wraps in MSL; unsigned arithmetic gives the same bits without overflow.
template <typename T, typename Operation>
T wrapping(T a, T b, const Operation& operation) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(operation(static_cast<Unsigned>(a), static_cast<Unsigned>(b)));
  } else {
    return operation(a, b);
  }
}

template <typename T>
T smaller(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a)) return b;
  }
  return b < a ? b : a;
}

template <typename T>
T larger(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a)) return b;
  }
  return a < b ? b : a;
}

// `a` comes from the lower lane.
template <typename T>
T combine(Combine how, T a, T b) {
  switch (how) {
    case Combine::kAdd: return wrapping(a, b, [](auto x, auto y) { return x + y; });
    case Combine::kMultiply: return wrapping(a, b, [](auto x, auto y) { return x * y; });
    case Combine::kMin: return smaller(a, b);
    case Combine::kMax: return larger(a, b);
    default: break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (how == Combine::kAnd) return a & b;
    if (how == Combine::kOr) return a | b;
    return a ^ b;
  }
  return a;
}

// What an inactive lane holds in a reduction. For sums -0.0: unlike +0.0 it changes no value.
template <typename T>
T identity(Combine how) {
  using Limits = std::numeric_limits<T>;
  constexpr bool kIsFloat = std::is_floating_point_v<T>;
  switch (how) {
    case Combine::kAdd: return kIsFloat ? static_cast<T>(-0.0) : T{0};
    case Combine::kMultiply: return T{1};
    case Combine::kMin: return kIsFloat ? Limits::infinity() : Limits::max();
    case Combine::kMax: return kIsFloat ? -Limits::infinity() : Limits::lowest();
    case Combine::kAnd: return kIsFloat ? T{0} : static_cast<T>(~uint64_t{0});
    default: return T{0};
  }
}

template <typename T>
void reduce(const LaneGroup& lanes, Combine how, uint32_t cluster) {
  Lanes<T> values;
  values.fill(identity<T>(how));
  for_each_active(lanes, [&](uint32_t lane, const ThreadState& state) {
    values[lane] = from_bits<T>(state.operands[0]);
  });
  for (uint32_t offset = cluster / 2; offset > 0; offset /= 2) {
    const Lanes<T> old = values;
    for (uint32_t lane = 0; lane < kSimdgroupWidth; ++lane) {
      values[lane] = combine(how, old[lane & ~offset], old[lane | offset]);
    }
  }
  for_each_active(
      lanes, [&](uint32_t lane, ThreadState& state) { state.results[0] = to_bits(values[lane]); });
}

// In rounds that reach 1, 2, 4, … lanes back. An empty sum is +0.0.
template <typename T>
void scan(const LaneGroup& lanes, Combine how, uint32_t cluster) {
  Lanes<T> values;
  values.fill(identity<T>(how));
  for_each_active(lanes, [&](uint32_t lane, const ThreadState& state) {
    values[lane] = from_bits<T>(state.operands[0]);
  });
  const auto moved = [&](uint32_t offset) {
    Lanes<T> result;
    for (uint32_t lane = 0; lane < kSimdgroupWidth; ++lane) {
      result[lane] = lane % cluster < offset ? identity<T>(how) : values[lane - offset];
    }
    return result;
  };
  for (uint32_t offset = 1; offset < cluster; offset *= 2) {
    const Lanes<T> before = moved(offset);
    for (uint32_t lane = 0; lane < kSimdgroupWidth; ++lane) {
      values[lane] = combine(how, before[lane], values[lane]);
    }
  }
  if (first_active(lanes).suspended_at == SuspendKind::kScanExclusive) values = moved(1);
  for_each_active(lanes, [&](uint32_t lane, ThreadState& state) {
    T value = values[lane];
    if constexpr (std::is_floating_point_v<T>) {
      if (how == Combine::kAdd) value += T{0};
    }
    state.results[0] = to_bits(value);
  });
}

template <typename T>
void reduce_or_scan(const LaneGroup& lanes) {
  const ThreadState& first = first_active(lanes);
  if (first.suspended_at == SuspendKind::kReduce) {
    reduce<T>(lanes, first.combine, first.cluster);
  } else {
    scan<T>(lanes, first.combine, first.cluster);
  }
}

void reduce_or_scan(const LaneGroup& lanes) {
  switch (first_active(lanes).element) {
    case Element::kInt32: return reduce_or_scan<int32_t>(lanes);
    case Element::kUint32: return reduce_or_scan<uint32_t>(lanes);
    case Element::kInt64: return reduce_or_scan<int64_t>(lanes);
    case Element::kUint64: return reduce_or_scan<uint64_t>(lanes);
    case Element::kFloat32: return reduce_or_scan<float>(lanes);
  }
}

void shuffle(const LaneGroup& lanes) {
  for_each_active(lanes, [&](uint32_t lane, ThreadState& state) {
    const uint64_t wanted = state.operands[1];
    const bool exists = wanted < kSimdgroupWidth && is_active(lanes, static_cast<uint32_t>(wanted));
    state.results[0] = lanes.states[exists ? wanted : lane].operands[0];
  });
}

void ballot(const LaneGroup& lanes) {
  uint32_t mask = 0;
  for_each_active(lanes, [&](uint32_t lane, const ThreadState& state) {
    if (state.operands[0] != 0) mask |= uint32_t{1} << lane;
  });
  for_each_active(lanes, [&](uint32_t, ThreadState& state) { state.results[0] = mask; });
}

using Matrix = std::array<std::array<float, kMatrixSize>, kMatrixSize>;

// Elements of inactive lanes are 0; MSL leaves them undefined.
Matrix gather_matrix(const LaneGroup& lanes, uint32_t first_operand) {
  Matrix matrix = {};
  for_each_active(lanes, [&](uint32_t lane, const ThreadState& state) {
    auto& row = matrix[matrix_row(lane)];
    row[matrix_column(lane)] = from_bits<float>(state.operands[first_operand]);
    row[matrix_column(lane) + 1] = from_bits<float>(state.operands[first_operand + 1]);
  });
  return matrix;
}

void multiply_accumulate(const LaneGroup& lanes) {
  const Matrix a = gather_matrix(lanes, 0);
  const Matrix b = gather_matrix(lanes, 2);
  Matrix d = gather_matrix(lanes, 4);
  for (uint32_t row = 0; row < kMatrixSize; ++row) {
    for (uint32_t column = 0; column < kMatrixSize; ++column) {
      for (uint32_t k = 0; k < kMatrixSize; ++k) {
        d[row][column] = std::fma(a[row][k], b[k][column], d[row][column]);
      }
    }
  }
  for_each_active(lanes, [&](uint32_t lane, ThreadState& state) {
    const auto& row = d[matrix_row(lane)];
    state.results[0] = to_bits(row[matrix_column(lane)]);
    state.results[1] = to_bits(row[matrix_column(lane) + 1]);
  });
}

}  // namespace

void execute_cross_lane(const LaneGroup& lanes) {
  if (lanes.active == 0) return;
  switch (first_active(lanes).suspended_at) {
    case SuspendKind::kShuffle: return shuffle(lanes);
    case SuspendKind::kBallot: return ballot(lanes);
    case SuspendKind::kReduce:
    case SuspendKind::kScanInclusive:
    case SuspendKind::kScanExclusive: return reduce_or_scan(lanes);
    case SuspendKind::kMatrixMultiplyAccumulate: return multiply_accumulate(lanes);
    case SuspendKind::kFinished:
    case SuspendKind::kThreadgroupBarrier:
    case SuspendKind::kYield:
    case SuspendKind::kReconverge: return;
  }
}

}  // namespace assay::device::cpu
