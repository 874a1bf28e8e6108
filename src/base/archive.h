// Plain structs as bytes and back, for files that only the program that wrote them reads: no names,
// no versions, the machine's own byte order. A struct takes part by listing all its fields once,
// for both directions:
//
//   template <>
//   struct base::Fields<Point> {
//     static void visit(auto& archive, auto& point) {
//       auto& [x, y] = point;  // a new field does not compile until it is listed
//       archive(x, y);
//     }
//   };
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay::base {

template <typename Struct>
struct Fields;

template <typename Value>
concept Scalar = std::is_arithmetic_v<Value> || std::is_enum_v<Value>;

class ArchiveWriter {
 public:
  template <typename... Fields>
  void operator()(const Fields&... fields) {
    (put(fields), ...);
  }

  std::string take() { return std::move(bytes_); }

 private:
  void put_raw(const void* data, size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
  }
  void put_count(size_t count) { put(static_cast<uint64_t>(count)); }

  template <Scalar Value>
  void put(const Value& value) {
    put_raw(&value, sizeof value);
  }
  void put(const std::string& text) {
    put_count(text.size());
    bytes_ += text;
  }
  template <typename First, typename Second>
  void put(const std::pair<First, Second>& pair) {
    put(pair.first);
    put(pair.second);
  }
  template <typename Value>
  void put(const std::optional<Value>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <typename Value>
  void put(const std::vector<Value>& values) {
    put_count(values.size());
    if constexpr (Scalar<Value>) {
      put_raw(values.data(), values.size() * sizeof(Value));
    } else {
      for (const Value& value : values) put(value);
    }
  }
  template <typename Struct>
    requires(!Scalar<Struct>)
  void put(const Struct& value) {
    Fields<Struct>::visit(*this, value);
  }

  std::string bytes_;
};

// Takes any bytes: what does not fit leaves the rest of the fields as they were and is_good()
// false.
class ArchiveReader {
 public:
  // `bytes` must outlive the reader.
  explicit ArchiveReader(std::string_view bytes) : rest_(bytes) {}

  template <typename... Fields>
  void operator()(Fields&... fields) {
    (get(fields), ...);
  }

  bool is_good() const { return is_good_; }
  // Everything was read and nothing is left over.
  bool is_finished() const { return is_good_ && rest_.empty(); }

 private:
  // Structs may hold structs of their own kind; damaged bytes must not exhaust the stack.
  static constexpr int kMaxDepth = 64;

  std::string_view take(uint64_t size) {
    if (!is_good_ || size > rest_.size()) {
      is_good_ = false;
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  uint64_t get_count() {
    uint64_t count = 0;
    get(count);
    return count;
  }

  template <Scalar Value>
  void get(Value& value) {
    const std::string_view bytes = take(sizeof value);
    if constexpr (std::same_as<Value, bool>) {
      if (!bytes.empty()) value = bytes[0] != 0;
    } else {
      if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
    }
  }
  void get(std::string& text) { text = take(get_count()); }
  template <typename First, typename Second>
  void get(std::pair<First, Second>& pair) {
    get(pair.first);
    get(pair.second);
  }
  template <typename Value>
  void get(std::optional<Value>& value) {
    bool has_value = false;
    get(has_value);
    value.reset();
    if (has_value) get(value.emplace());
  }
  template <typename Value>
  void get(std::vector<Value>& values) {
    const uint64_t count = get_count();
    values.clear();
    if constexpr (Scalar<Value>) {
      if (count > rest_.size() / sizeof(Value)) is_good_ = false;
      const std::string_view bytes = take(is_good_ ? count * sizeof(Value) : 0);
      if (bytes.empty()) return;
      values.resize(count);
      std::memcpy(values.data(), bytes.data(), bytes.size());
    } else {
      // A damaged count must not ask for more memory than there are bytes.
      values.reserve(std::min(count, rest_.size() / sizeof(Value)));
      for (uint64_t i = 0; i < count && is_good_; ++i) get(values.emplace_back());
    }
  }
  template <typename Struct>
    requires(!Scalar<Struct>)
  void get(Struct& value) {
    if (depth_ == kMaxDepth) is_good_ = false;
    if (!is_good_) return;
    ++depth_;
    Fields<Struct>::visit(*this, value);
    --depth_;
  }

  std::string_view rest_;
  bool is_good_ = true;
  int depth_ = 0;
};

}  // namespace assay::base
