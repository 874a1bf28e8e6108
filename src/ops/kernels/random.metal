// Random bits: the counter-based generator Threefry 2x32 with 20 rounds (Salmon et al., "Parallel
// random numbers: as easy as 1, 2, 3", 2011).
#include <metal_stdlib>
using namespace metal;

template <uint distance>
inline void mix(thread uint2& value) {
  value.x += value.y;
  value.y = ((value.y << distance) | (value.y >> (32 - distance))) ^ value.x;
}

inline uint2 threefry(uint2 key, uint2 counter) {
  const uint third = key.x ^ key.y ^ 0x1bd11bdau;
  uint2 value = counter + key;
  mix<13>(value), mix<15>(value), mix<26>(value), mix<6>(value);
  value += uint2(key.y, third + 1);
  mix<17>(value), mix<29>(value), mix<16>(value), mix<24>(value);
  value += uint2(third, key.x + 2);
  mix<13>(value), mix<15>(value), mix<26>(value), mix<6>(value);
  value += uint2(key.x, key.y + 3);
  mix<17>(value), mix<29>(value), mix<16>(value), mix<24>(value);
  value += uint2(key.y, third + 4);
  mix<13>(value), mix<15>(value), mix<26>(value), mix<6>(value);
  value += uint2(third, key.x + 5);
  return value;
}

// The last word may have room for less than four bytes.
inline void write_word(device uchar* bytes, ulong size, uint index, uint word) {
  ulong begin = ulong(index) * 4;
  if (begin + 4 <= size) {
    ((device uint*)bytes)[index] = word;
    return;
  }
  for (uint i = 0; begin + i < size; ++i) bytes[begin + i] = uchar(word >> (8 * i));
}

// Thread i of n makes words i and i + n from the counters (i, i + n). With an odd number of words
// the last thread makes one, and its second counter is 0.
kernel void random_bits(device const uint* key [[buffer(0)]],
                        device uchar* bytes [[buffer(1)]],
                        constant ulong& size [[buffer(2)]],
                        constant uint& words [[buffer(3)]],
                        uint index [[thread_position_in_grid]],
                        uint threads [[threads_per_grid]]) {
  uint second = index + threads;
  bool is_single = second >= words;
  uint2 value = threefry(uint2(key[0], key[1]), uint2(index, is_single ? 0 : second));
  write_word(bytes, size, index, value.x);
  if (!is_single) write_word(bytes, size, second, value.y);
}
