// Argument buffers: structs in memory whose pointers lead to other buffers.
#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

const char* const kArguments = R"(
  struct Table {
    const device int* values [[id(4)]];
  };
  struct Arguments {
    device float* out [[id(0)]];
    const device float* in [[id(1)]];
    constant int& factor [[id(2)]];
    uint count [[id(3)]];
    Table table;
    array<const device float*, 2> more [[id(5)]];
  };
  float combine(constant Arguments& a, uint i) {
    return a.in[i] * a.factor + a.more[0][i] - a.more[1][i] + a.table.values[i];
  }
  kernel void by_constant(constant Arguments& arguments [[buffer(0)]],
                          uint i [[thread_position_in_grid]]) {
    if (i < arguments.count) arguments.out[i] = combine(arguments, i);
  }
  kernel void by_device(device Arguments* all [[buffer(0)]],
                        uint i [[thread_position_in_grid]]) {
    Arguments mine = all[0];
    if (i >= mine.count) return;
    device const Arguments& same = all[0];
    mine.out[i] = same.in[i] * mine.factor + mine.more[0][i] - same.more[1][i] +
                  mine.table.values[i];
  }
)";

// As the host lays it out: every pointer is an address of 8 bytes.
struct Arguments {
  uint64_t out = 0;
  uint64_t in = 0;
  uint64_t factor = 0;
  uint32_t count = 0;
  uint64_t table = 0;
  uint64_t more[2] = {};
};

TEST(ArgumentBuffer, pointers_in_structs_lead_to_buffers) {
  for (const char* kernel : {"by_constant", "by_device"}) {
    for (uint32_t n : {1U, 33U, 257U}) {
      std::vector<float> out(n), in(n), first(n), second(n), expected(n);
      std::vector<int32_t> factor = {-3}, table(n);
      for (uint32_t i = 0; i < n; ++i) {
        in[i] = static_cast<float>(i) * 0.5F;
        first[i] = static_cast<float>(i * i);
        second[i] = 7.0F;
        table[i] = 100 - static_cast<int32_t>(i);
        expected[i] = in[i] * -3.0F + first[i] - second[i] + static_cast<float>(table[i]);
      }
      std::vector<Arguments> arguments(1);
      arguments[0].count = n;
      KernelArgument root = buffer(arguments);
      root.addresses = {{offsetof(Arguments, out), 1},    {offsetof(Arguments, in), 2},
                        {offsetof(Arguments, factor), 3}, {offsetof(Arguments, table), 4},
                        {offsetof(Arguments, more), 5},   {offsetof(Arguments, more) + 8, 6}};
      run_kernel({.source = kArguments,
                  .kernel = kernel,
                  .grid = {n + 5, 1, 1},
                  .threadgroup = {40, 1, 1}},
                 {root, detached(buffer(out)), detached(buffer(in)), detached(buffer(factor)),
                  detached(buffer(table)), detached(buffer(first)), detached(buffer(second))});
      EXPECT_EQ(out, expected) << kernel << " at " << n;
    }
  }
}

}  // namespace
}  // namespace assay::testing
