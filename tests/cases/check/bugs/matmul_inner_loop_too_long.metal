// k <= K.
#include <metal_stdlib>
using namespace metal;

kernel void matmul_naive(device const float* A [[buffer(0)]],
                         device const float* B [[buffer(1)]],
                         device float* C [[buffer(2)]],
                         constant int& M [[buffer(3)]],
                         constant int& N [[buffer(4)]],
                         constant int& K [[buffer(5)]],
                         uint2 tid [[thread_position_in_grid]]) {
  const int row = tid.y;
  const int col = tid.x;
  if (row >= M || col >= N) return;
  float acc = 0;
  for (int k = 0; k <= K; k++) {
    float b = B[k * N + col];  // BUG: bounds-read
    acc += A[row * K + k] * b;  // BUG: bounds-read
  }
  C[row * N + col] = acc;
}
