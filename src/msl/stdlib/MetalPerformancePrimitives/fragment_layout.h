// How matrices lie in the registers of simdgroups: as fragments of 16x16 elements. In each a lane
// keeps four neighbours of one row and the four that are eight rows below. That is the layout of
// the hardware with matrix units, which kernels are known to rely on; to the tensor operations it
// is free.
#pragma once

#include <metal_cooperative_tensor>

namespace mpp {
namespace tensor_ops {
namespace __assay {

constexpr constant int kFragmentSize = 16;
constexpr constant int kSlotsPerFragment = 8;
// A thread with more fragments keeps them in memory and goes through them in loops: code without
// loops takes longer to make than it saves.
constexpr constant int kMaxUnrolledFragments = 4;

// The caller's row among the first eight of a fragment, and which quarter of it it has.
METAL_FUNC uint lane_row() { return metal::__assay::fragment_row(); }
METAL_FUNC uint lane_quarter() { return metal::__assay::fragment_column() / 2; }
// The lane with this row and quarter.
METAL_FUNC uint lane_at(uint row, uint quarter) {
  return (row & 4) * 4 + (row & 3) * 2 + (quarter & 2) * 4 + (quarter & 1);
}

METAL_FUNC constexpr int divide_up(int value, int by) { return (value + by - 1) / by; }

// Simdgroups side by side over the columns of fragments: as few fragments for the busiest one as
// possible, then as square as possible.
METAL_FUNC constexpr int simdgroup_columns(int rows, int columns, int simdgroups) {
  int best = 1;
  int best_load = -1;
  for (int across = 1; across <= simdgroups; ++across) {
    if (simdgroups % across != 0) continue;
    const int load = divide_up(rows, simdgroups / across) * divide_up(columns, across);
    const bool is_squarer = across <= simdgroups / across || best * best < simdgroups;
    if (best_load < 0 || load < best_load || (load == best_load && is_squarer)) {
      best = across;
      best_load = load;
    }
  }
  return best;
}

// A matrix of Rows x Columns over `Simdgroups` simdgroups, each with every so many fragments.
template <int Rows, int Columns, int Simdgroups>
struct fragment_layout {
  static constexpr constant int rows = Rows;
  static constexpr constant int columns = Columns;
  static constexpr constant int simdgroups = Simdgroups;
  static constexpr constant int across = simdgroup_columns(
      divide_up(Rows, kFragmentSize), divide_up(Columns, kFragmentSize), Simdgroups);
  static constexpr constant int down = Simdgroups / across;
  static constexpr constant int own_rows = divide_up(divide_up(Rows, kFragmentSize), down);
  static constexpr constant int own_columns = divide_up(divide_up(Columns, kFragmentSize), across);
  static constexpr constant int capacity = own_rows * own_columns * kSlotsPerFragment;
  static constexpr constant bool is_unrolled = own_rows * own_columns <= kMaxUnrolledFragments;

  // First row and column of the caller's fragments.
  METAL_FUNC static int fragment_row(int own_row) {
    return (own_row * down + simdgroup() / across) * kFragmentSize;
  }
  METAL_FUNC static int fragment_column(int own_column) {
    return (own_column * across + simdgroup() % across) * kFragmentSize;
  }

  METAL_FUNC static int row(int i) {
    return fragment_row(i / kSlotsPerFragment / own_columns) + int(lane_row()) + (i & 4) * 2;
  }
  METAL_FUNC static int column(int i) {
    return fragment_column(i / kSlotsPerFragment % own_columns) + int(lane_quarter()) * 4 + (i & 3);
  }
  template <typename Index>
  METAL_FUNC static metal::array<Index, 2> coordinates(int i) {
    return {Index(column(i)), Index(row(i))};
  }
  // Known to the compiler where the fragments fill the matrix.
  METAL_FUNC static bool has_row(int row) {
    return own_rows * down * kFragmentSize == Rows || row < Rows;
  }
  METAL_FUNC static bool has_column(int column) {
    return own_columns * across * kFragmentSize == Columns || column < Columns;
  }
  METAL_FUNC static bool is_valid(int i) { return has_row(row(i)) && has_column(column(i)); }
  METAL_FUNC static bool is_owner(int i) { return is_valid(i); }
  template <typename From>
  METAL_FUNC static ushort map_index(ushort i) {
    static_assert(From::rows == Rows && From::columns == Columns && From::simdgroups == Simdgroups,
                  "these cooperative tensors do not have the same layout");
    return i;
  }

 private:
  METAL_FUNC static int simdgroup() {
    return Simdgroups == 1 ? 0 : int(metal::__assay::simdgroup());
  }
};

// A matrix of one thread, row by row.
template <int Rows, int Columns>
struct thread_layout {
  static constexpr constant int rows = Rows;
  static constexpr constant int columns = Columns;
  static constexpr constant int simdgroups = 0;
  static constexpr constant int capacity = Rows * Columns;

  template <typename Index>
  METAL_FUNC static metal::array<Index, 2> coordinates(int i) {
    return {Index(i % Columns), Index(i / Columns)};
  }
  METAL_FUNC static constexpr bool is_valid(int) { return true; }
  METAL_FUNC static constexpr bool is_owner(int) { return true; }
  template <typename From>
  METAL_FUNC static ushort map_index(ushort i) {
    static_assert(From::rows == Rows && From::columns == Columns && From::simdgroups == 0,
                  "these cooperative tensors do not have the same layout");
    return i;
  }
};

// One element for each row (IsRow) or column of the fragments of one simdgroup. All lanes with
// elements of a row have its element.
template <typename Matrix, bool IsRow>
struct line_layout {
  static constexpr constant int per_fragment = IsRow ? 2 : 4;
  static constexpr constant int capacity =
      per_fragment * (IsRow ? Matrix::own_rows : Matrix::own_columns);

  // The element of the matrix that is in the first column (row) of fragments and in this line.
  METAL_FUNC static int slot(int i) {
    const int fragment = i / per_fragment;
    if constexpr (IsRow) return fragment * Matrix::own_columns * kSlotsPerFragment + i % 2 * 4;
    return fragment * kSlotsPerFragment + i % 4;
  }
  METAL_FUNC static int line(int i) {
    return IsRow ? Matrix::row(slot(i)) : Matrix::column(slot(i));
  }
  template <typename Index>
  METAL_FUNC static metal::array<Index, 1> coordinates(int i) {
    return {Index(line(i))};
  }
  METAL_FUNC static bool is_valid(int i) {
    return line(i) < (IsRow ? Matrix::rows : Matrix::columns);
  }
  METAL_FUNC static bool is_owner(int i) {
    return is_valid(i) && (IsRow ? lane_quarter() : lane_row()) == 0;
  }
  template <typename From>
  METAL_FUNC static ushort map_index(ushort i) {
    static_assert(metal::is_same_v<From, Matrix>,
                  "this cooperative tensor is of the lines of another one");
    const int fragment = i / kSlotsPerFragment;
    if constexpr (IsRow) return ushort(fragment / Matrix::own_columns * 2 + (i & 4) / 4);
    return ushort(fragment % Matrix::own_columns * 4 + (i & 3));
  }
};

}  // namespace __assay
}  // namespace tensor_ops
}  // namespace mpp
