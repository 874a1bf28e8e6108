// Captures two streams and the place where they join; the twin of metal_capture.py.
//
//   MTL_CAPTURE_ENABLED=1 build/release/bin/metal_capture [FILE]
#include <assay/assay.h>

#include <cstdio>
#include <exception>

namespace mx = assay;

namespace {

void run(const char* path) {
  mx::random::seed(7);
  const mx::array a = mx::random::uniform({512, 512});
  const mx::array b = mx::random::uniform({512, 512});
  mx::eval(a, b);  // before the capture, so that it holds nothing but what follows

  const mx::Stream first = mx::new_stream(mx::Device::gpu);
  const mx::Stream second = mx::new_stream(mx::Device::gpu);
  mx::array joined(0.0F);
  {
    const mx::metal::CaptureScope capture(path);
    const mx::array left = mx::softmax(mx::matmul(a, b, first), -1, false, first);
    const mx::array right = mx::add(mx::sin(a, second), mx::cos(b, second), second);
    joined = mx::sum(mx::multiply(left, right));  // needs both streams
    mx::eval(joined);
  }
  std::printf("sum: %.3f\n", joined.item<float>());
  std::printf("captured to %s\n", path);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    run(count > 1 ? arguments[1] : "metal_capture.gputrace");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
