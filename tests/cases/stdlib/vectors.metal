// Vector types: constructors, conversions, swizzles, operators. Checked by the compiler itself.
#include <metal_stdlib>
using namespace metal;

static_assert(sizeof(float2) == 8 && alignof(float2) == 8, "");
static_assert(sizeof(float3) == 16 && alignof(float3) == 16, "");
static_assert(sizeof(half3) == 8 && alignof(half3) == 8, "");
static_assert(sizeof(bool3) == 4 && sizeof(uchar3) == 4 && sizeof(ulong3) == 32, "");
static_assert(sizeof(packed_float3) == 12 && alignof(packed_float3) == 4, "");
static_assert(sizeof(packed_half3) == 6 && sizeof(packed_uchar3) == 3, "");

constant float4 table[] = {float4(1, 2, 3, 4), {5, 6, 7, 8}, float4(9)};
constexpr constant int2 pair = int2(-1, 2);

constexpr bool same(float4 a, float4 b) { return all(a == b); }
static_assert(same(float4(1, 2, 3, 4), {1, 2, 3, 4}), "");
static_assert(same(float4(float2(1, 2), 3, 4), float4(1, 2, 3, 4)), "");
static_assert(same(float4(1, float2(2, 3), 4), float4(1, 2, 3, 4)), "");
static_assert(same(float4(1, 2, float2(3, 4)), float4(1, 2, 3, 4)), "");
static_assert(same(float4(float2(1, 2), float2(3, 4)), float4(1, 2, 3, 4)), "");
static_assert(same(float4(float3(1, 2, 3), 4), float4(1, 2, 3, 4)), "");
static_assert(same(float4(1, float3(2, 3, 4)), float4(1, 2, 3, 4)), "");
static_assert(same(float4(int4(1, -2, 3, 4)), float4(1, -2, 3, 4)), "");
static_assert(all(int3(float3(1.9f, -1.9f, 3.0f)) == int3(1, -1, 3)), "");
static_assert(all(uchar2(ushort2(257, 2)) == uchar2(1, 2)), "");
static_assert(same(float4(7), float4(7, 7, 7, 7)), "");

static_assert(same(float4(1, 2, 3, 4).wzyx, float4(4, 3, 2, 1)), "");
static_assert(same(float4(1, 2, 3, 4).rgba, float4(1, 2, 3, 4)), "");
static_assert(same(float4(1, 2, 3, 4).xxyy, float4(1, 1, 2, 2)), "");
static_assert(same(float2(1, 2).yxyx, float4(2, 1, 2, 1)), "");
static_assert(all(float3(1, 2, 3).bg == float2(3, 2)), "");
static_assert((float4(1, 2, 3, 4) + 1).zw.y == 5, "");
static_assert(float4(1, 2, 3, 4)[2] == 3 && float4(1, 2, 3, 4).a == 4, "");
static_assert(pair[0] == -1 && pair.yx.x == 2, "");

constexpr float4 write_swizzles() {
  float4 v(1, 2, 3, 4);
  v.xz = v.zx;
  v.wy += float2(10, 20);
  v.r = v.x * 2;
  v.gba = v.abg;
  v[0] += 1;
  return v;
}
static_assert(same(write_swizzles(), float4(7, 14, 1, 22)), "");

constexpr int4 integer_operators() {
  int4 v(10, 20, 30, 40);
  v %= 7;
  v <<= 2;
  v |= int4(1);
  ++v;
  v--;
  v ^= 3;
  return ~v & 0xff;
}
static_assert(all(integer_operators() == int4(0xf1, 0xe5, 0xf5, 0xe9)), "");
static_assert(all(uint2(7, 9) / 2u == uint2(3, 4)), "");
static_assert(all(2 * short2(3, 4) == short2(6, 8)), "");
static_assert(all((int2(1, 2) < int2(2, 2)) == bool2(true, false)), "");
static_assert(all((!bool2(true, false) || bool2(true, false)) == bool2(true, true)), "");
static_assert(any(bool3(false, false, true)) && !any(bool2(false)) && !all(bool3(1, 1, 0)), "");
static_assert(all(-float2(1, -2) == float2(-1, 2)), "");
static_assert(all(as_type<ushort2>(0x00020001u) == ushort2(1, 2)), "");
static_assert(as_type<uint>(half2(1.0h, -2.0h)) == 0xc0003c00u, "");

struct Block {
  packed_float3 position;
  half scale;
  float4 color;
};

template <typename T>
T twice(T v) {
  v.yx = v.xy;
  return v + v;
}

kernel void vectors(device float4* out [[buffer(0)]], const device Block* in [[buffer(1)]],
                    constant float4& offset [[buffer(2)]], device packed_uint3* packed [[buffer(3)]],
                    device atomic_uint* unused [[buffer(4)]], threadgroup float4* tile [[threadgroup(0)]],
                    uint3 position [[thread_position_in_grid]],
                    ushort2 local_position [[thread_position_in_threadgroup]]) {
  uint i = position.x;
  float3 p = in[i].position;
  p += in[i].position * 2 + float3(in[i].scale);
  tile[local_position.x].xyz = p.zyx;
  tile[local_position.x].w = offset.w;
  tile[local_position.x] *= offset.xxyy;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float4 v = tile[local_position.x] + table[i % 3];
  v.xy = twice(v.xy);
  out[i] = v;
  out[i].zw -= in[i].color.xy;
  out[i][1] = half4(in[i].color).y;
  out[i] = any(v > offset) ? out[i] : out[i + 1];
  packed[i] = uint3(position.xy, uint(local_position.y));
  packed[i].y += packed[i][0];
  packed[i] *= 2;
}
