// Arrays on memory of somebody else.
#include <assay/assay.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <numeric>

#include "tests/arrays/reference.h"

namespace mx = assay;
using reference::values_of;

namespace {

// Memory that ends where no memory is: whoever reads or writes one byte too many crashes.
class GuardedMemory {
 public:
  explicit GuardedMemory(size_t bytes)
      : page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))),
        mapped_((bytes + page_ - 1) / page_ * page_ + 2 * page_),
        start_(mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    std::byte* first = static_cast<std::byte*>(start_) + page_;
    EXPECT_EQ(mprotect(first, mapped_ - 2 * page_, PROT_READ | PROT_WRITE), 0);
    data_ = first + (mapped_ - 2 * page_) - bytes;
  }
  ~GuardedMemory() { munmap(start_, mapped_); }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  // From now on nobody may write to it.
  void protect() const {
    EXPECT_EQ(mprotect(static_cast<std::byte*>(start_) + page_, mapped_ - 2 * page_, PROT_READ), 0);
  }
  template <typename T>
  T* data() const {
    return reinterpret_cast<T*>(data_);
  }

 private:
  const size_t page_, mapped_;
  void* const start_;
  std::byte* data_ = nullptr;
};

template <typename T>
std::shared_ptr<GuardedMemory> make_numbers(size_t count) {
  auto memory = std::make_shared<GuardedMemory>(count * sizeof(T));
  for (size_t i = 0; i < count; ++i) memory->data<T>()[i] = static_cast<T>(i % 97);
  memory->protect();
  return memory;
}

template <typename T>
mx::array adopt(const std::shared_ptr<GuardedMemory>& memory, mx::Shape shape, mx::Dtype dtype) {
  return mx::array(memory->data<T>(), std::move(shape), dtype, [memory](void*) {});
}

// Ops of every kind, on both sides of whole vectors; each result beside that of a copy.
void compare_with_copy(const mx::array& a) {
  const mx::array copy(const_cast<std::byte*>(a.data<std::byte>()), a.shape(), a.dtype(), nullptr);
  const std::pair<const char*, std::function<mx::array(const mx::array&)>> ops[] = {
      {"add", [](const mx::array& x) { return mx::add(x, x); }},
      {"flip",
       [](const mx::array& x) { return mx::slice(x, {x.shape(0) - 1}, {-x.shape(0) - 1}, {-1}); }},
      {"every second",
       [](const mx::array& x) {
         return mx::add(mx::slice(x, {0}, {x.shape(0)}, {2}), mx::array(1));
       }},
      {"every third, from the second",
       [](const mx::array& x) { return mx::abs(mx::slice(x, {1}, {x.shape(0)}, {3})); }},
      {"shifted", [](const mx::array& x) { return mx::abs(mx::slice(x, {1}, {x.shape(0)})); }},
      {"sum", [](const mx::array& x) { return mx::sum(x); }},
      {"scan", [](const mx::array& x) { return mx::cumsum(x, 0); }},
      {"sort", [](const mx::array& x) { return mx::sort(x); }},
      {"largest", [](const mx::array& x) { return mx::argmax(x); }},
      {"softmax", [](const mx::array& x) { return mx::softmax(mx::astype(x, mx::float32), 0); }},
      {"take", [](const mx::array& x) { return mx::take(x, mx::array({0, -1, 1}), 0); }},
      {"convert", [](const mx::array& x) { return mx::astype(x, mx::float32); }},
      {"equal", [](const mx::array& x) { return mx::equal(x, mx::array(3)); }},
      {"product",
       [](const mx::array& x) {
         const mx::array f = mx::astype(x, mx::float32);
         return mx::matmul(mx::reshape(f, {1, -1}), mx::reshape(f, {-1, 1}));
       }},
  };
  for (const auto& [name, op] : ops) {
    EXPECT_EQ(values_of(op(a)), values_of(op(copy))) << name << ", " << a.size() << " elements";
  }
}

TEST(AdoptedMemory, is_read_to_its_last_byte_and_never_beyond) {
  for (const size_t count : {3u, 31u, 32u, 33u, 255u, 1027u, 4096u}) {
    const mx::Shape shape{static_cast<mx::ShapeElem>(count)};
    compare_with_copy(adopt<float>(make_numbers<float>(count), shape, mx::float32));
    compare_with_copy(adopt<int8_t>(make_numbers<int8_t>(count), shape, mx::int8));
    compare_with_copy(adopt<uint16_t>(make_numbers<uint16_t>(count), shape, mx::uint16));
    compare_with_copy(adopt<int64_t>(make_numbers<int64_t>(count), shape, mx::int64));
  }
}

TEST(AdoptedMemory, is_read_by_matrix_products_and_rows) {
  for (const int side : {1, 7, 32, 33, 100}) {
    const auto memory = make_numbers<float>(static_cast<size_t>(side) * static_cast<size_t>(side));
    const mx::array a = adopt<float>(memory, {side, side}, mx::float32);
    const mx::array copy(memory->data<float>(), {side, side});
    EXPECT_EQ(values_of(mx::matmul(a, a)), values_of(mx::matmul(copy, copy))) << side;
    EXPECT_EQ(values_of(mx::matmul(mx::transpose(a), a)),
              values_of(mx::matmul(mx::transpose(copy), copy)));
    EXPECT_EQ(values_of(mx::sum(a, 0)), values_of(mx::sum(copy, 0)));
    EXPECT_EQ(values_of(mx::sum(a, 1)), values_of(mx::sum(copy, 1)));
    EXPECT_EQ(values_of(mx::softmax(a, -1)), values_of(mx::softmax(copy, -1)));
    EXPECT_EQ(values_of(mx::fast::rms_norm(a, std::nullopt, 1e-5f)),
              values_of(mx::fast::rms_norm(copy, std::nullopt, 1e-5f)));
    EXPECT_EQ(values_of(mx::contiguous(mx::transpose(a))), values_of(mx::transpose(copy)));
  }
}

TEST(AdoptedMemory, is_shared_and_let_go_once) {
  std::vector<float> values(100);
  std::iota(values.begin(), values.end(), 0.0f);
  std::atomic<int> releases = 0;
  {
    mx::array a(values.data(), {100}, mx::float32, [&](void* data) {
      EXPECT_EQ(data, values.data());
      ++releases;
    });
    EXPECT_EQ(a.data<float>(), values.data());
    mx::array doubled = mx::multiply(a, mx::array(2.0f));
    a = mx::array(0.0f);
    EXPECT_EQ(releases, 0) << "the graph still needs it";
    EXPECT_EQ(values_of(doubled)[99], 198.0);
    EXPECT_EQ(values[99], 99.0f) << "no result is written over it";
  }
  mx::synchronize();
  EXPECT_EQ(releases, 1);
}

TEST(AdoptedMemory, that_is_not_aligned_is_copied) {
  std::vector<std::byte> bytes(41);
  const float value = 2.5f;
  for (size_t i = 0; i < 10; ++i) std::memcpy(&bytes[1 + 4 * i], &value, sizeof value);
  int releases = 0;
  const mx::array a(&bytes[1], {10}, mx::float32, [&](void*) { ++releases; });
  EXPECT_EQ(releases, 1);
  EXPECT_NE(static_cast<const void*>(a.data<float>()), &bytes[1]);
  EXPECT_EQ(values_of(mx::sum(a)), std::vector<double>{25.0});
}

}  // namespace
