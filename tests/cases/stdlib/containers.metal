// Matrices, arrays, uniform values, logging.
#include <metal_stdlib>
#include <metal_logging>
using namespace metal;

constant float3x3 rotation = {float3(0, 1, 0), float3(-1, 0, 0), float3(0, 0, 1)};
constant os_log logger("assay", "containers");
constexpr constant metal::array<int, 4> steps = {1, 2, 4, 8};

constexpr float2x2 square = float2x2(float2(1, 2), float2(3, 4));
static_assert(determinant(square) == -2, "");
static_assert(all(square * float2(1, 1) == float2(4, 6)), "");
static_assert(all(float2(1, 1) * square == float2(3, 7)), "");
static_assert((square * square)[1][0] == 15 && transpose(square)[0].y == 3, "");
static_assert(all(float2x2(2.0f)[1] == float2(0, 2)), "");
static_assert(determinant(float3x3(2.0f)) == 8 && determinant(float4x4(2.0f)) == 16, "");
static_assert(float2x3(1, 2, 3, 4, 5, 6)[1].z == 6, "");
static_assert(make_uniform(3) * make_uniform(4) == 12, "");

template <typename M>
void fill(thread M& m, half scale) {
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) m[i][j] = scale * half(i * 4 + j);
  }
}

struct Arguments {
  metal::array<device float*, 2> outputs;
};

kernel void containers(device float4x4* out [[buffer(0)]], constant Arguments& arguments [[buffer(1)]],
                       const device half4x4* in [[buffer(2)]], constant uint& size [[buffer(3)]],
                       uint i [[thread_position_in_grid]]) {
  const uniform<uint> count = make_uniform(size);
  half4x4 m = in[i];
  float4x4 wide = float4x4(m) * 2.0f;
  fill(wide, 0.5h);
  thread float4& column = wide[1];
  column += float4(m[2]);
  out[i] = wide * wide + transpose(wide) - float4x4(1.0f);
  out[i][0][1] = (wide * float4(1, 2, 3, 4)).y + (rotation * float3(1, 2, 3)).x;
  out[i][3] *= 2;
  metal::array<float, 3> values = {1.0f, 2.0f, 3.0f};
  values[i % 3] += steps[i % 4] + values.size();
  for (uint k = 0; k < count / 2u; k++) arguments.outputs[k % 2][i] += values[k % 3];
  uint rest = size - count * 2;
  if (rest > count) logger.log_debug("rest %u of %u", rest, size);
  os_log_default.log_error("done");
}
