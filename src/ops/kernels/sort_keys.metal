// Elements as unsigned numbers in the same order, so that sorting knows one type only. NaN comes last.
// `signed_zeros` tells -0 from +0, which a sorted copy keeps and positions of equal elements ignore.
inline uint key_of_float(float x, bool signed_zeros) {
  if (metal::isnan(x)) return 0xffffffffu;
  if (!signed_zeros && x == 0.0f) x = 0.0f;
  uint bits = as_type<uint>(x);
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}
inline float float_of_key(uint key) {
  return as_type<float>((key & 0x80000000u) != 0 ? key ^ 0x80000000u : ~key);
}
inline uint key_of_int(int x) { return uint(x) ^ 0x80000000u; }
inline int int_of_key(uint key) { return int(key ^ 0x80000000u); }
inline ulong key_of_long(long x) { return ulong(x) ^ 0x8000000000000000ul; }
inline long long_of_key(ulong key) { return long(key ^ 0x8000000000000000ul); }
