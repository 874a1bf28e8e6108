// float3 makes the struct 32 bytes; the host has packed 16 bytes per particle.
#include <metal_stdlib>
using namespace metal;

struct Particle {
  float3 position;
  float mass;
};

kernel void total_momentum(device const Particle* particles [[buffer(0)]],
                           device float* energy [[buffer(1)]],
                           uint id [[thread_position_in_grid]]) {
  Particle p = particles[id];  // BUG: bounds-read
  energy[id] = 0.5f * p.mass * dot(p.position, p.position);
}
