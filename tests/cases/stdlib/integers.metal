// Integer and bit functions against values worked out by hand. Checked by the compiler itself.
#include <metal_stdlib>
using namespace metal;

static_assert(abs(-5) == 5 && abs(short(-7)) == 7 && abs(7u) == 7u, "");
static_assert(all(abs(int2(-1, 2)) == int2(1, 2)), "");
static_assert(absdiff(-100, 100) == 200u && absdiff(char(-128), char(127)) == 255, "");
static_assert(max(3, -4) == 3 && min(3u, 4u) == 3u && max(2l, 3) == 3l, "");
static_assert(is_same_v<decltype(max(short(1), short(2))), short>, "");
static_assert(is_same_v<decltype(max(1.0h, 2.0f)), float>, "");
static_assert(is_same_v<decltype(min(uchar(1), 2)), int>, "");
static_assert(all(max(int3(1, 5, 3), 4) == int3(4, 5, 4)), "");
static_assert(clamp(7, 1, 5) == 5 && clamp(-1.0f, 0.0f, 1.0f) == 0.0f && clamp(0.5f, 0, 1) == 0.5f, "");
static_assert(min3(3, 1, 2) == 1 && max3(3, 1, 2) == 3 && median3(3, 1, 2) == 2, "");
static_assert(median3(1.0f, 5.0f, 2.0f) == 2.0f, "");
static_assert(hadd(7, 8) == 7 && rhadd(7, 8) == 8 && hadd(-1, -2) == -2, "");
static_assert(hadd(0xffffffffu, 0xfffffffdu) == 0xfffffffeu, "");
static_assert(mulhi(0x80000000u, 4u) == 2u && mulhi(-1, 1) == -1, "");
static_assert(mulhi(uchar(200), uchar(200)) == 156 && mulhi(short(-32768), short(2)) == -1, "");
static_assert(mulhi(0xffffffffffffffffull, 0xffffffffffffffffull) == 0xfffffffffffffffeull, "");
static_assert(mulhi(-1l, 5l) == -1l && mulhi(1l << 62, 8l) == 2l, "");
static_assert(madhi(0x40000000, 8, 5) == 7, "");
static_assert(madsat(100000, 100000, 0) == 2147483647 && madsat(-100000, 100000, 5) == -2147483647 - 1, "");
static_assert(madsat(3, 4, 5) == 17 && madsat(65536u, 65536u, 0u) == 0xffffffffu, "");
static_assert(madsat(2147483647, 1, 5) == 2147483647 && madsat(2147483647, 2, -2147483647) == 2147483647, "");
static_assert(mul24(3, -4) == -12 && mad24(3u, 4u, 5u) == 17u, "");
static_assert(clz(1) == 31 && clz(0) == 32 && clz(uchar(1)) == 7 && clz(0ul) == 64, "");
static_assert(ctz(8) == 3 && ctz(0) == 32 && ctz(ushort(0)) == 16, "");
static_assert(popcount(0xf0f0u) == 8 && popcount(char(-1)) == 8 && popcount(-1l) == 64, "");
static_assert(reverse_bits(1u) == 0x80000000u && reverse_bits(uchar(3)) == 0xc0, "");
static_assert(rotate(0x80000001u, 1u) == 3u && rotate(uchar(0x81), uchar(4)) == 0x18, "");
static_assert(rotate(1, 32) == 1 && rotate(5, 0) == 5, "");
static_assert(all(rotate(uint2(1, 2), uint2(31, 31)) == uint2(0x80000000u, 1u)), "");
static_assert(extract_bits(0xabcdu, 4, 8) == 0xbcu && extract_bits(0xabcd, 8, 8) == -85, "");
static_assert(extract_bits(5, 0, 32) == 5 && extract_bits(5u, 3, 0) == 0u, "");
static_assert(all(extract_bits(uint2(0xf0, 0x0f), 4, 4) == uint2(15, 0)), "");
static_assert(insert_bits(0u, 0xffu, 4, 4) == 0xf0u && insert_bits(0xffffffffu, 0u, 0, 32) == 0u, "");
static_assert(all(insert_bits(uint3(0), uint3(1, 2, 3), 8, 8) == uint3(256, 512, 768)), "");
static_assert(select(1, 2, true) == 2 && select(1.0f, 2.0f, false) == 1.0f, "");
static_assert(all(select(int2(1, 2), int2(3, 4), bool2(true, false)) == int2(3, 2)), "");

kernel void integers(device int4* out [[buffer(0)]], device const char4* in [[buffer(1)]],
                     uint i [[thread_position_in_grid]]) {
  char4 v = in[i];
  out[i] = int4(addsat(v, char4(100))) + int4(subsat(v, char4(100)));
  out[i].x = addsat(out[i].x, out[i].y);
  out[i] += int4(popcount(v)) - int4(absdiff(v, char4(3)));
}
