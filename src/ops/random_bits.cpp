// Keys and random bits: everything else in assay::random is made of them.
#include <atomic>
#include <bit>
#include <chrono>
#include <stdexcept>

#include "array/primitive.h"
#include "assay/random.h"
#include "fmt/format.h"
#include "ops/elementwise.h"
#include "ops/kernel_texts.h"
#include "ops/random.h"

namespace assay::random {
namespace {

class RandomBits final : public Primitive {
 public:
  std::string_view name() const override { return "random_bits"; }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override;
};

void RandomBits::encode(std::span<const array> inputs, std::span<array> outputs,
                        Encoder& encoder) const {
  encoder.allocate(outputs[0]);
  const uint64_t size = outputs[0].nbytes();
  if (size == 0) return;
  const array key = encoder.make_row_contiguous(inputs[0]);
  const auto words = static_cast<uint32_t>((size + 3) / 4);
  const uint32_t threads = (words + 1) / 2;
  Arguments arguments;
  arguments.input(key).output(outputs[0]).value(size).value(words);
  encoder.dispatch({.key = "random_bits",
                    .source = [] { return std::string(ops::kernel_text("random")); },
                    .name = "random_bits"},
                   arguments,
                   kernel::LaunchSize::threads({threads, 1, 1}, {std::min(threads, 1024u), 1, 1}));
}

Dtype bits_type(int width) {
  switch (width) {
    case 1: return uint8;
    case 2: return uint16;
    case 4: return uint32;
    default:
      throw std::invalid_argument(
          fmt::format("[bits] Bit width must be in {{1, 2, 4}} but got {}.", width));
  }
}

// The generator of kernels/random.metal, for the two words of a key.
struct Words {
  uint32_t x, y;
};

Words threefry(const Words& key, const Words& counter) {
  constexpr int kDistances[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const uint32_t schedule[3] = {key.x, key.y, key.x ^ key.y ^ 0x1bd11bdau};
  Words value{counter.x + key.x, counter.y + key.y};
  for (uint32_t round = 0; round < 5; ++round) {
    for (const int distance : kDistances[round % 2]) {
      value.x += value.y;
      value.y = std::rotl(value.y, distance) ^ value.x;
    }
    value.x += schedule[(round + 1) % 3];
    value.y += schedule[(round + 2) % 3] + round + 1;
  }
  return value;
}

// The key of calls without one, of one thread. Split on the host: a graph of keys would grow for as
// long as nobody evaluates.
class KeySequence {
 public:
  KeySequence() {
    // Threads that start together must not have the same numbers.
    static std::atomic<uint64_t> started = 0;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
    seed(static_cast<uint64_t>(time) + (started.fetch_add(1) << 48));
  }

  void seed(uint64_t seed) {
    key_ = {static_cast<uint32_t>(seed >> 32), static_cast<uint32_t>(seed)};
  }

  Words next() {
    const Words first = threefry(key_, {0, 2}), second = threefry(key_, {1, 3});
    key_ = {first.x, second.x};
    return {first.y, second.y};
  }

 private:
  Words key_{};
};

KeySequence& default_keys() {
  thread_local KeySequence keys;
  return keys;
}

}  // namespace

array next_key() {
  const Words words = default_keys().next();
  return array({words.x, words.y});
}

array key(uint64_t seed) {
  return array({static_cast<uint32_t>(seed >> 32), static_cast<uint32_t>(seed)});
}

void seed(uint64_t seed) { default_keys().seed(seed); }

array bits(const Shape& shape, int width, const std::optional<array>& key, StreamOrDevice s) {
  for (const ShapeElem length : shape) {
    if (length < 0) throw std::invalid_argument("[bits] Negative dimensions not allowed.");
  }
  const array used = key ? *key : next_key();
  if (used.dtype() != uint32) {
    throw std::invalid_argument(
        fmt::format("[bits] Expected key type uint32 but received {}.", dtype_name(used.dtype())));
  }
  if (used.shape() != Shape{2}) {
    throw std::invalid_argument(fmt::format("[bits] Expected key shape (2) but received {}.",
                                            describe_shape(used.shape())));
  }
  return make_array(shape, bits_type(width), std::make_shared<RandomBits>(), {used}, s);
}

array split(const array& key, int num, StreamOrDevice s) { return bits({num, 2}, 4, key, s); }

std::pair<array, array> split(const array& key, StreamOrDevice s) {
  const array keys = random::split(key, 2, s);
  return {reshape(slice(keys, {0, 0}, {1, 2}, s), {2}, s),
          reshape(slice(keys, {1, 0}, {2, 2}, s), {2}, s)};
}

}  // namespace assay::random
