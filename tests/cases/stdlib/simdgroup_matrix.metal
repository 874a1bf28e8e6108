// simdgroup_matrix in all element types: load, store, products, access to a lane's two elements.
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

template <typename T, typename U>
struct Tile {
  simdgroup_matrix<T, 8, 8> values[2];
  typedef vec<T, 2> frag;

  Tile() thread {}
  void clear() {
    for (int i = 0; i < 2; i++) values[i] = make_filled_simdgroup_matrix<T, 8, 8>(0);
  }
  void multiply(const threadgroup U* a, const device U* b, uint row_stride) {
    simdgroup_matrix<U, 8, 8> left, right;
    simdgroup_load(left, a);
    simdgroup_load(right, b, row_stride, ulong2(8, 0), true);
    for (int i = 0; i < 2; i++) simdgroup_multiply_accumulate(values[i], left, right, values[i]);
  }
  thread frag& at(int i) { return reinterpret_cast<thread frag&>(values[i].thread_elements()); }
  void store(device T* out, uint row_stride) const {
    simdgroup_store(values[0], out, row_stride);
    simdgroup_store(values[1], out, row_stride, 0, false);
    thread const auto& elements = values[1].thread_elements();
    out[0] = elements[0];
  }
};

template <typename T, typename U>
kernel void tiles(device T* out [[buffer(0)]], const device U* in [[buffer(1)]],
                  threadgroup U* shared [[threadgroup(0)]], constant uint& stride [[buffer(2)]],
                  ushort lane [[thread_index_in_simdgroup]]) {
  shared[lane] = in[lane];
  simdgroup_barrier(mem_flags::mem_threadgroup);
  Tile<T, U> tile;
  tile.clear();
  tile.multiply(shared, in, stride);
  tile.at(0) += vec<T, 2>(T(1), T(2));
  tile.values[1].thread_elements()[0] = T(3);
  thread auto& both = tile.values[1].thread_elements();
  both[1] *= T(2);
  tile.store(out, stride);
  simdgroup_matrix<T, 8, 8> diagonal(T(1)), sum;
  simdgroup_multiply(sum, tile.values[0], diagonal);
  sum = sum * diagonal + sum;
  simdgroup_store(sum, out + 64, 8, ulong2(0, 1), true);
}

template [[host_name("tiles_float")]] kernel void tiles<float, float>(
    device float*, const device float*, threadgroup float*, constant uint&, ushort);
template [[host_name("tiles_mixed")]] [[kernel]] decltype(tiles<float, half>) tiles<float, half>;
template [[host_name("tiles_half")]] [[kernel]] decltype(tiles<half, half>) tiles<half, half>;
template [[host_name("tiles_bfloat")]] [[kernel]] decltype(tiles<float, bfloat>) tiles<float, bfloat>;

kernel void named(device float* out [[buffer(0)]], const device half* in [[buffer(1)]]) {
  simdgroup_half8x8 a[2];
  simdgroup_float8x8 c = make_filled_simdgroup_matrix<float, 8>(0.h);
  simdgroup_bfloat8x8 b;
  simdgroup_load(a[0], in, 8, 0, true);
  simdgroup_load(a[1], in + 64);
  simdgroup_multiply_accumulate(c, a[0], a[1], c);
  b.thread_elements()[0] = bfloat(c.thread_elements()[0]);
  simdgroup_store(c, out, 8, ulong2(0), false);
}
