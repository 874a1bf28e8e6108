// See kernel_generator.h.
#include "tests/random_kernels/kernel_generator.h"

#include "fmt/format.h"

namespace assay::testing {
namespace {

using fmt::format;

constexpr uint32_t kConstantsPerKernel = 2;
constexpr uint32_t kInitialVariables = 2;
constexpr uint32_t kHelperBudget = 3;
constexpr uint32_t kKernelBudget = 6;
constexpr uint32_t kTailBudget = 3;

constexpr kernel::Size3 kGroups[] = {{32, 1, 1}, {64, 1, 1}, {33, 1, 1}, {1, 1, 1},   {7, 1, 1},
                                     {31, 1, 1}, {45, 1, 1}, {97, 1, 1}, {128, 1, 1}, {5, 7, 1},
                                     {8, 8, 1},  {16, 3, 1}, {32, 2, 1}, {33, 2, 1},  {3, 5, 2},
                                     {4, 4, 4},  {32, 1, 2}, {2, 1, 17}, {64, 2, 1},  {1, 40, 1}};

kernel::LaunchSize random_launch(Choices& choices) {
  const kernel::Size3 group = choices.pick(kGroups);
  // Up to three groups along x, two along the others; the last ones are cut off somewhere.
  auto extent = [&](uint32_t size, uint32_t groups) {
    return size * groups - choices.below(choices.chance(60) ? size : 1);
  };
  const uint32_t z = group.z == 1 && choices.chance(80) ? 1 : extent(group.z, 2);
  const uint32_t y = group.y == 1 && choices.chance(80) ? 1 : extent(group.y, 1 + choices.below(2));
  const kernel::Size3 grid{extent(group.x, 1 + choices.below(3)), y, z};
  return kernel::LaunchSize::threads(grid, group);
}

HelperFunction write_helper(Choices& choices, Scope scope, uint32_t index, std::string& source) {
  HelperFunction helper{format("helper_{}_{}", scope.kernel, index), random_type(choices)};
  for (uint32_t i = 0; i < 2; ++i) {
    helper.parameters[i] = random_type(choices);
    scope.variables.push_back({format("x{}", i), helper.parameters[i], false, i == 0});
  }
  OutputRegions nothing;
  Statements body(choices, scope, nothing, kHelperBudget);
  body.set_result(helper.result);
  body.line("const uint lane = t.lane;");
  body.line("const uint3 group = t.group;");
  body.declare_variables(1);
  body.block({.may_return = true}, 1 + choices.below(kHelperBudget));
  body.return_value();
  source += format("static {} {}(THREAD_PARAMETERS, {} x0, {} x1) {{\n{}}}\n",
                   info(helper.result).name, helper.name, info(helper.parameters[0]).name,
                   info(helper.parameters[1]).name, body.text());
  return helper;
}

std::string kernel_head(uint32_t number) {
  return format(R"(kernel void k{}(
    device uint* out32 [[buffer(0)]], device uchar* out8 [[buffer(1)]],
    device ushort* out16 [[buffer(2)]], device ulong* out64 [[buffer(3)]],
    device float* out_float [[buffer(4)]], device atomic_uint* counters [[buffer(5)]],
    device const uint* in32 [[buffer(6)]], device const uchar* in8 [[buffer(7)]],
    device const short* in16 [[buffer(8)]], device const ulong* in64 [[buffer(9)]],
    device const float* in_float [[buffer(10)]], device const half* in_half [[buffer(11)]],
    constant uint* c32 [[buffer(12)]], constant Params& p [[buffer(13)]],
    uint3 position [[thread_position_in_grid]], uint3 group [[threadgroup_position_in_grid]],
    uint3 grid [[threads_per_grid]], uint3 size [[threads_per_threadgroup]],
    uint index [[thread_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]]) {{
  threadgroup uint shared32[{}];
  threadgroup ushort shared16[{}];
  const Thread t = {{position, group, (position.z * grid.y + position.y) * grid.x + position.x,
                    index, lane, size.x * size.y * size.z, in32, in8, in16, in64, in_float,
                    in_half, c32}};
)",
                number, kMaxGroupThreads, kMaxGroupThreads);
}

}  // namespace

std::string kernel_prelude() {
  return R"(#include <metal_stdlib>
using namespace metal;

struct Params {
  uint n;       // threads of the grid
  uint stride;  // elements of one output region
  uint a, b, c;
  float f;
  ulong d;
};

struct Thread {
  uint3 position;
  uint3 group;
  uint gid;
  uint index;
  uint lane;
  uint size;
  device const uint* in32;
  device const uchar* in8;
  device const short* in16;
  device const ulong* in64;
  device const float* in_float;
  device const half* in_half;
  constant uint* c32;
};
#define THREAD_PARAMETERS thread const Thread& t, constant Params& p
#define THREAD t, p

struct Record {
  uint number;
  short small;
  float real;
  long large;
  uchar bytes[4];
};
static Record make_record(uint seed) {
  Record r;
  r.number = seed;
  r.small = short(seed * 3u);
  r.real = float(seed & 255u) * 0.25f;
  r.large = long(seed) * 5l;
  for (uint i = 0u; i < 4u; ++i) r.bytes[i] = uchar(seed >> i);
  return r;
}

// All NaNs are one, and all zeros: which of them an operation returns is not defined.
static float plain(float x) { return isnan(x) ? as_type<float>(0x7fc00000u) : x + 0.0f; }
static ushort plain(half x) {
  return isnan(x) ? ushort(0x7e00u) : as_type<ushort>(half(x + 0.0h));
}
static ushort plain(bfloat x) {
  float wide = float(x);
  return isnan(wide) ? ushort(0x7fc0u) : as_type<ushort>(bfloat(wide + 0.0f));
}
static uint fold_record(Record r) {
  uint sum = r.number ^ uint(ushort(r.small)) ^ as_type<uint>(plain(r.real)) ^
             uint(ulong(r.large) >> 7u);
  for (uint i = 0u; i < 4u; ++i) sum = sum * 31u + uint(r.bytes[i]);
  return sum;
}

static int to_int(float x) { return isnan(x) ? 0 : int(clamp(x, -1e6f, 1e6f)); }

// Division without the cases that have no result.
template <typename T>
static T divide(T a, T b) {
  return b == T(0) || b == T(-1) ? T(a ^ T(5)) : T(a / b);
}
template <typename T>
static T remainder(T a, T b) {
  return b == T(0) || b == T(-1) ? T(a ^ T(9)) : T(a % b);
}

)";
}

std::string write_kernel(uint32_t number, const std::string& body) {
  return kernel_head(number) + body + "}\n\n";
}

GeneratedKernel generate_kernel(Choices& choices, uint32_t number) {
  GeneratedKernel kernel;
  kernel.name = format("k{}", number);
  Scope scope;
  scope.kernel = number;
  scope.is_alone = choices.chance(30);
  scope.has_constants = choices.chance(30);
  if (scope.has_constants) {
    kernel.source += format(
        "constant uint kNumber_{0} [[function_constant({1})]];\n"
        "constant bool kFlag_{0} [[function_constant({2})]];\n",
        number, kConstantsPerKernel * number, kConstantsPerKernel * number + 1);
    kernel.constants = {format("{}", choices.below(40)), choices.chance(50) ? "true" : "false"};
  }
  std::vector<HelperFunction> helpers;
  for (uint32_t count = choices.below(3); count > 0; --count) {
    Scope helper_scope = scope;
    helper_scope.helpers = &helpers;
    HelperFunction helper = write_helper(choices, helper_scope, count, kernel.source);
    helpers.push_back(std::move(helper));
  }
  scope.helpers = &helpers;

  Statements body(choices, scope, kernel.regions, kKernelBudget);
  if (scope.is_alone && choices.chance(60)) body.guard();
  body.declare_variables(kInitialVariables);
  if (scope.is_alone && choices.chance(60)) body.long_computation();
  const bool has_barriers = !scope.is_alone && choices.chance(50);
  const bool has_shared_counters = has_barriers && choices.chance(40);
  if (has_shared_counters) body.open_shared_counters();
  body.block({.is_uniform = has_barriers, .may_return = !has_barriers}, kKernelBudget);
  if (has_shared_counters) body.close_shared_counters();
  if (scope.is_alone && choices.chance(40)) body.long_computation();
  // No barrier follows any more: threads may end.
  body.set_budget(kTailBudget);
  if (has_barriers) body.block({.may_return = true}, choices.below(kTailBudget));
  body.store_variables();
  kernel.source += write_kernel(number, body.text());

  for (uint32_t count = 1 + choices.below(2); count > 0; --count) {
    kernel.launches.push_back(random_launch(choices));
  }
  kernel.data_seed = choices.below(~0U);
  return kernel;
}

}  // namespace assay::testing
