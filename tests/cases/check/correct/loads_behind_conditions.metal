// What is loaded only where it may be: in arms of ?:, behind && and ||, in cases, in functions.
#include <metal_stdlib>
using namespace metal;

struct Pair {
  int low;
  int high;
};

int spread(Pair pair, bool is_used) { return is_used ? pair.high - pair.low : 0; }

kernel void gather(device const int* x [[buffer(0)]],
                   device const Pair* pairs [[buffer(1)]],
                   device int* y [[buffer(2)]],
                   constant uint& count [[buffer(3)]],
                   uint i [[thread_position_in_grid]]) {
  int value = i < count ? x[i] : -1;
  const bool is_rising = i + 1 < count && x[i + 1] > value;
  const bool is_first = i >= count || i == 0 || x[i - 1] != value;
  Pair pair = i < count ? pairs[i] : Pair{0, 0};
  switch (i < count ? value & 3 : 4) {
    case 0: value += x[i]; break;
    case 1: value -= x[count - 1]; break;
    case 4: break;
    default: value += spread(pairs[i], is_rising); break;
  }
  if (i >= count) return;
  y[i] = select(value, -value, is_rising) + spread(pair, is_first);
}
