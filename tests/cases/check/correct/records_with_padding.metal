// Whole structs are exchanged and moved; the bytes between their members have no value.
#include <metal_stdlib>
using namespace metal;

struct Record {
  uchar tag;
  uint value;
};

kernel void sort_pairs(device const uint* x [[buffer(0)]],
                       device Record* out [[buffer(1)]],
                       device uint* values [[buffer(2)]],
                       uint lid [[thread_position_in_threadgroup]],
                       uint size [[threads_per_threadgroup]]) {
  threadgroup Record records[32];
  records[lid].tag = uchar(lid);
  records[lid].value = x[lid];
  for (uint step = 0; step < size; ++step) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint a = lid * 2 + (step & 1);
    if (a + 1 < size && records[a].value > records[a + 1].value) {
      Record held = records[a];
      records[a] = records[a + 1];
      records[a + 1] = held;
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[lid] = records[lid];
  values[lid] = out[lid].value + records[lid].tag;
}
