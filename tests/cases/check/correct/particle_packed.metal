// packed_float3 makes the struct the 16 bytes that the host has.
#include <metal_stdlib>
using namespace metal;

struct Particle {
  packed_float3 position;
  float mass;
};

kernel void energies(device const Particle* particles [[buffer(0)]],
                     device float* energy [[buffer(1)]],
                     uint id [[thread_position_in_grid]]) {
  Particle p = particles[id];
  float3 at = float3(p.position);
  energy[id] = 0.5f * p.mass * dot(at, at);
}
