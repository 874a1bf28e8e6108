// A chain of element-wise ops, op by op and fused by compile; the twin of profile_fusion.py.
#include <assay/assay.h>

#include <chrono>
#include <cstdio>

namespace mx = assay;

namespace {

constexpr int kSize = 1 << 24;
constexpr int kRounds = 10;

std::vector<mx::array> chain(const std::vector<mx::array>& x) {
  return {mx::log(mx::exp(mx::cos(mx::sin(x[0]))))};
}

double seconds(const mx::ArrayFunction& function, const mx::array& x) {
  mx::synchronize();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kRounds; ++i) mx::eval(function({x}));
  mx::synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main() {
  mx::array x = mx::random::uniform({kSize});
  const mx::ArrayFunction compiled = mx::compile(chain);
  std::puts("Warming up...");
  mx::eval(x, chain({x})[0], compiled({x})[0]);

  std::puts("Running Eager Mode (Capture this!)...");
  const double eager_time = seconds(chain, x);
  std::printf("Eager Time: %.4fs\n", eager_time);

  std::puts("Running Compiled Mode (Capture this!)...");
  const double compiled_time = seconds(compiled, x);
  std::printf("Compiled Time: %.4fs\n", compiled_time);
  std::printf("Speedup: %.2fx\n", eager_time / compiled_time);
}
