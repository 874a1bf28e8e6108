// As sort_keys.metal, for double.
inline ulong key_of_double(double x, bool signed_zeros) {
  if (metal::isnan(x)) return 0xfffffffffffffffful;
  if (!signed_zeros && x == 0.0f) x = 0.0f;
  ulong bits = __builtin_bit_cast(ulong, x);
  return (bits & 0x8000000000000000ul) != 0 ? ~bits : bits | 0x8000000000000000ul;
}
inline double double_of_key(ulong key) {
  return __builtin_bit_cast(double,
                            (key & 0x8000000000000000ul) != 0 ? key ^ 0x8000000000000000ul : ~key);
}
