// Deterministic sample sets.
#include "msl/math_ulp/samples.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace assay::msl::math_ulp {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

constexpr std::array kSpecialMagnitudes = {0.0f,
                                           0x1p-149f,
                                           0x1.8p-148f,
                                           0x1.fffffcp-127f,
                                           0x1p-126f,
                                           0x1p-60f,
                                           0x1p-25f,
                                           0x1p-24f,
                                           0x1p-12f,
                                           0.25f,
                                           0.4f,
                                           0.47f,
                                           0.5f,
                                           0.55f,
                                           0.6f,
                                           0.62f,
                                           0.75f,
                                           0x1.fffffep-2f,
                                           1.0f,
                                           1.25f,
                                           1.32f,
                                           1.5f,
                                           2.0f,
                                           2.5f,
                                           3.0f,
                                           3.5f,
                                           4.0f,
                                           5.0f,
                                           10.0f,
                                           20.0f,
                                           35.0f,
                                           35.04f,
                                           42.5f,
                                           88.72284f,
                                           103.9721f,
                                           127.5f,
                                           149.0f,
                                           1024.5f,
                                           0x1.fffffep+16f,
                                           0x1p17f,
                                           0x1p22f,
                                           0x1.fffffep+22f,
                                           0x1p23f,
                                           0x1p24f,
                                           0x1p30f,
                                           0x1p31f,
                                           0x1p60f,
                                           0x1p64f,
                                           0x1.921fb6p+0f,
                                           0x1.5cp100f,
                                           0x1.fffffep+127f,
                                           0x1.fffffep-1f,
                                           0x1.000002p+0f,
                                           kInfinity};

std::vector<float> special_values() {
  std::vector<float> values = {kNan};
  for (float magnitude : kSpecialMagnitudes) {
    values.push_back(magnitude);
    values.push_back(-magnitude);
  }
  return values;
}

class Generator {
 public:
  float any_scale() { return std::bit_cast<float>(static_cast<std::uint32_t>(engine_())); }
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }
  std::uint64_t choose(std::uint64_t count) { return engine_() % count; }
  // Within eight binades of x, either sign.
  float near_scale(float x) {
    float factor = static_cast<float>(std::exp2(uniform(-8, 8)));
    return choose(2) == 0 ? x * factor : -x * factor;
  }

 private:
  std::mt19937_64 engine_{20240229};
};

bool in_range(float x, float low, float high) {
  bool whole_line = std::isinf(low) && std::isinf(high);
  return (x >= low && x <= high) || (whole_line && std::isnan(x));
}

// Half over all scales, half evenly over the middle of the range.
float next_argument(Generator& generator, float low, float high) {
  double middle_low = std::fmax(low, -100.0);
  double middle_high = std::fmin(high, 100.0);
  for (;;) {
    float x = generator.choose(2) == 0
                  ? generator.any_scale()
                  : static_cast<float>(generator.uniform(middle_low, middle_high));
    if (in_range(x, low, high)) {
      return x;
    }
  }
}

float next_partner(Generator& generator, Pairing pairing, float a) {
  switch (pairing) {
    case Pairing::kOneArgument: return 0.0f;
    case Pairing::kExponent: return static_cast<float>(generator.choose(801)) - 400.0f;
    case Pairing::kPower: {
      double scale = std::log2(std::fabs(static_cast<double>(a)));
      if (generator.choose(4) != 0 && std::isfinite(scale) && scale != 0) {
        double b = generator.uniform(-151, 129) / scale;
        return static_cast<float>(a < 0 ? std::rint(b) : b);
      }
      return generator.any_scale();
    }
    case Pairing::kIndependent:
      return generator.choose(2) == 0 ? generator.any_scale() : generator.near_scale(a);
  }
  return 0.0f;
}

}  // namespace

Samples make_samples(Pairing pairing, std::size_t count, float low, float high) {
  Samples samples;
  const std::vector<float> specials = special_values();
  bool pairs = pairing == Pairing::kIndependent || pairing == Pairing::kPower;
  Generator generator;
  for (float a : specials) {
    if (!in_range(a, low, high)) {
      continue;
    }
    for (float b : pairs ? specials : std::vector<float>{next_partner(generator, pairing, a)}) {
      samples.a.push_back(a);
      samples.b.push_back(b);
    }
  }
  // A quarter evenly over all bit patterns, so that no binade is missed. The odd step varies the
  // low bits of the significand.
  std::uint64_t step = (std::uint64_t{1} << 32) / (count / 4 + 1) | 1;
  for (std::uint64_t bits = 1; bits < std::uint64_t{1} << 32; bits += step) {
    float a = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (in_range(a, low, high)) {
      samples.a.push_back(a);
      samples.b.push_back(next_partner(generator, pairing, a));
    }
  }
  while (samples.a.size() < count) {
    float a = next_argument(generator, low, high);
    samples.a.push_back(a);
    samples.b.push_back(next_partner(generator, pairing, a));
  }
  return samples;
}

}  // namespace assay::msl::math_ulp
