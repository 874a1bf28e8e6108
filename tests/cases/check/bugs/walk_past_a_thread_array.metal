// Looks for the end mark, which is not there when the word has eight letters.
#include <metal_stdlib>
using namespace metal;

kernel void word_lengths(device const uchar* words [[buffer(0)]],
                         device uint* lengths [[buffer(1)]],
                         uint i [[thread_position_in_grid]]) {
  uchar word[8];
  for (uint k = 0; k < 8; ++k) word[k] = words[i * 8 + k];
  thread const uchar* end = word;
  uint length = 0;
  while (*end != 0) {  // BUG: bounds-read
    ++end;
    ++length;
  }
  lengths[i] = length;
}
