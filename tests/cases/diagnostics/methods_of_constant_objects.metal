#include <metal_stdlib>
using namespace metal;
struct Counter {
  int value;
  void add(int n) { value += n; }
  template <typename T> int plus(T n) { return value + n; }
};
kernel void k(constant Counter& c, device int* out) {
  c.add(1);
  out[0] = c.plus(2);
  thread Counter& r = c;
}
