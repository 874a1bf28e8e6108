// See kernel_hints.h.
#include "custom/kernel_hints.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <mutex>

#include "base/hash.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace assay {
namespace {

constexpr uint32_t kSimdgroup = 32;
constexpr int64_t kSmallGrid = 1000;  // threads that cost less than their launch
constexpr uint32_t kManyLaunches = 1000;
constexpr int64_t kLargeGrid = 4096;
constexpr uint32_t kManyObjects = 8;

using Words = std::vector<std::string_view>;

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

size_t skip_comment(std::string_view text, size_t at) {
  if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
  const size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

// Names, numbers and single marks, without comments.
Words split_words(std::string_view text) {
  Words words;
  for (size_t at = 0; at < text.size();) {
    const std::string_view two = text.substr(at, 2);
    if (two == "//" || two == "/*") {
      at = skip_comment(text, at);
    } else if (is_letter(text[at])) {
      size_t end = at;
      while (end < text.size() && (is_letter(text[end]) || text[end] == '.')) {
        // A point belongs to a number, not to a name.
        if (text[end] == '.' && !std::isdigit(static_cast<unsigned char>(text[at]))) break;
        ++end;
      }
      words.push_back(text.substr(at, end - at));
      at = end;
    } else {
      if (!std::isspace(static_cast<unsigned char>(text[at]))) words.push_back(text.substr(at, 1));
      ++at;
    }
  }
  return words;
}

template <size_t count>
bool has_any(const Words& words, const std::array<std::string_view, count>& wanted) {
  return std::ranges::any_of(words, [&](std::string_view word) {
    return std::ranges::find(wanted, word) != wanted.end();
  });
}

std::string_view word_at(const Words& words, size_t index) {
  return index < words.size() ? words[index] : std::string_view();
}

bool is_name(std::string_view word) {
  return !word.empty() && is_letter(word[0]) && !std::isdigit(static_cast<unsigned char>(word[0]));
}

// `half sum = …; … sum += …`
std::string find_half_sum(const Words& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] != "half" || !is_name(word_at(words, i + 1)) || word_at(words, i + 2) != "=") {
      continue;
    }
    const std::string_view name = words[i + 1];
    for (size_t j = i + 3; j + 2 < words.size(); ++j) {
      if (words[j] == name && words[j + 1] == "+" && words[j + 2] == "=") return std::string(name);
    }
  }
  return {};
}

bool is_used_as_index(const Words& words, std::string_view name) {
  int depth = 0;
  for (const std::string_view word : words) {
    if (word == "[") ++depth;
    if (word == "]") --depth;
    if (depth > 0 && word == name) return true;
  }
  return false;
}

// `uint i = … - 1;` where i is an index.
std::string find_underflow(const Words& words) {
  constexpr std::array<std::string_view, 6> kUnsigned = {"uint",   "ulong",    "ushort",
                                                         "size_t", "uint32_t", "uint64_t"};
  for (size_t i = 0; i + 2 < words.size(); ++i) {
    if (std::ranges::find(kUnsigned, words[i]) == kUnsigned.end()) continue;
    if (!is_name(words[i + 1]) || words[i + 2] != "=") continue;
    for (size_t j = i + 3; j + 1 < words.size() && words[j] != ";"; ++j) {
      const std::string_view before = words[j - 1];
      const bool is_difference = before == ")" || before == "]" || is_letter(before[0]);
      const bool is_number = std::isdigit(static_cast<unsigned char>(words[j + 1][0])) != 0;
      if (words[j] == "-" && is_difference && is_number && is_used_as_index(words, words[i + 1])) {
        return std::string(words[i + 1]);
      }
    }
  }
  return {};
}

// Operators that make an index smaller, and indices that are read from memory: `out[i % 5]`,
// `out[i / 4]`, `out[map[i]]`.
bool has_narrowed_index(const Words& words) {
  if (has_any(words, std::array<std::string_view, 3>{"%", "/", "&"})) return true;
  int depth = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "[" && ++depth > 1) return true;
    if (words[i] == "]") --depth;
    if (words[i] == ">" && word_at(words, i + 1) == ">") return true;
  }
  return false;
}

std::string describe_extent(const std::tuple<int, int, int>& size) {
  const auto [x, y, z] = size;
  return fmt::format("({}, {}, {})", x, y, z);
}

int64_t product(const std::tuple<int, int, int>& size) {
  const auto [x, y, z] = size;
  return int64_t{x} * y * z;
}

int64_t count_groups(const KernelLaunch& launch) {
  const auto [gx, gy, gz] = launch.grid;
  const auto [tx, ty, tz] = launch.threadgroup;
  auto divide_up = [](int64_t a, int64_t b) { return (a + b - 1) / b; };
  return divide_up(gx, tx) * divide_up(gy, ty) * divide_up(gz, tz);
}

int64_t count_elements_of(const Shape& shape) {
  int64_t count = 1;
  for (const ShapeElem length : shape) count *= length;
  return count;
}

}  // namespace

KernelHints::KernelHints(const CustomKernelText& text) : name_(text.name) {
  const Words words = split_words(text.source);
  auto has = [&](std::string_view word) { return std::ranges::find(words, word) != words.end(); };
  auto starts = [&](std::string_view prefix) {
    return std::ranges::any_of(words,
                               [&](std::string_view word) { return word.starts_with(prefix); });
  };
  has_loop_ = has_any(words, std::array<std::string_view, 3>{"for", "while", "do"});
  has_check_ = has_loop_ || has_narrowed_index(words) ||
               has_any(words, std::array<std::string_view, 6>{"if", "?", "min", "clamp", "return",
                                                              "select"});
  has_atomics_ = text.atomic_outputs || starts("atomic");
  uses_thread_ = has("thread_position_in_grid");
  uses_group_ = has("threadgroup_position_in_grid");
  uses_group_count_ = has("threadgroups_per_grid");
  has_cooperation_ =
      uses_group_ || starts("simd") || starts("threadgroup") || starts("thread_index");
  if (has_loop_) half_sum_ = find_half_sum(words);
  underflow_ = find_underflow(words);
  for (const std::string& name : text.output_names) {
    Output output{name};
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i] != name) continue;
      if (word_at(words, i + 1) == "[") {
        ++output.indexed;
      } else {
        output.is_passed = true;
      }
    }
    outputs_.push_back(std::move(output));
  }
}

std::string KernelHints::describe_grid(const KernelLaunch& launch) const {
  if (!uses_thread_ || has_loop_ || has_atomics_ || launch.has_init_value) return {};
  const int64_t threads = product(launch.grid);
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const int64_t size = count_elements_of(launch.output_shapes[i]);
    const Output& output = outputs_[i];
    if (output.indexed == 0 || output.is_passed || threads * output.indexed >= size) continue;
    return fmt::format(
        "grid={} starts {} threads, but output '{}' has {} elements: those that no thread writes "
        "hold anything.\n  fix: the grid counts threads; use grid=({}, 1, 1), or give init_value",
        describe_extent(launch.grid), threads, output.name, size, size);
  }
  return {};
}

std::string KernelHints::describe_reduction(const KernelLaunch& launch) const {
  if (!uses_group_ || uses_thread_ || uses_group_count_ || has_atomics_) return {};
  const int64_t groups = count_groups(launch);
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const Shape& shape = launch.output_shapes[i];
    if (shape.empty() || outputs_[i].indexed == 0 || groups >= shape[0]) continue;
    const auto [x, y, z] = launch.threadgroup;
    return fmt::format(
        "threadgroup_position_in_grid counts only {} threadgroup{} (grid={}, threadgroup={}), but "
        "output '{}' has {} rows.\n  fix: the grid counts threads, not threadgroups; for a "
        "threadgroup per row use grid=({} * {}, {}, {})",
        groups, groups == 1 ? "" : "s", describe_extent(launch.grid),
        describe_extent(launch.threadgroup), outputs_[i].name, shape[0], shape[0], x, y, z);
  }
  return {};
}

std::string KernelHints::describe_bounds(const KernelLaunch& launch) const {
  if (!uses_thread_ || has_check_ || outputs_.size() != 1 || outputs_[0].indexed == 0) return {};
  const int64_t threads = product(launch.grid);
  const int64_t size = count_elements_of(launch.output_shapes[0]);
  if (threads <= size) return {};
  return fmt::format(
      "grid={} starts {} threads for the {} elements of output '{}', and the source checks no "
      "bounds: "
      "threads beyond the end write outside of it.\n  fix: if (thread_position_in_grid.x < "
      "{}_shape[0]) {{ … }}",
      describe_extent(launch.grid), threads, size, outputs_[0].name, outputs_[0].name);
}

std::string KernelHints::describe_group(const KernelLaunch& launch) const {
  if (has_cooperation_ || product(launch.threadgroup) > kSimdgroup) return {};
  if (product(launch.grid) < kLargeGrid) return {};
  return fmt::format(
      "threadgroup={} is not more than one simdgroup; {} threads run faster in larger "
      "threadgroups.\n  fix: threadgroup=(256, 1, 1)",
      describe_extent(launch.threadgroup), product(launch.grid));
}

std::string KernelHints::describe_size(const KernelLaunch& launch) {
  if (product(launch.grid) >= kSmallGrid || ++small_launches_ != kManyLaunches) return {};
  return fmt::format(
      "it was launched {} times with less than {} threads, where a launch costs more than the "
      "work.\n"
      "  fix: use array ops for small inputs, or do more in one launch",
      kManyLaunches, kSmallGrid);
}

std::vector<std::string> KernelHints::check_launch(const KernelLaunch& launch) {
  std::vector<std::string> hints;
  auto tell = [&](Kind kind, const std::string& text) {
    if (text.empty() || (told_.fetch_or(kind) & kind) != 0) return;
    hints.push_back(fmt::format("[metal_kernel] hint for '{}': {}", name_, text));
  };
  tell(kGrid, describe_grid(launch));
  tell(kReduction, describe_reduction(launch));
  tell(kBounds, describe_bounds(launch));
  tell(kOneSimdgroup, describe_group(launch));
  tell(kSmall, describe_size(launch));
  if (!half_sum_.empty()) {
    tell(kHalf,
         fmt::format("'{0}' adds up in half, which has 11 bits: later terms get lost.\n  fix: "
                     "float {0} = 0.0f, and convert the result once",
                     half_sum_));
  }
  if (!underflow_.empty()) {
    tell(kUnderflow,
         fmt::format(
             "'{0}' is unsigned and comes from a subtraction: below zero it is a huge index.\n"
             "  fix: int {0} = …, with (int) in front of unsigned operands",
             underflow_));
  }
  return hints;
}

std::string check_rebuilds(const CustomKernelText& text) {
  static std::mutex mutex;
  static std::map<std::string, uint32_t> counts;  // by hash
  const std::string whole = fmt::format("{}\n{}\n{}", text.name, text.header, text.source);
  const std::string hash = base::hash_content(std::as_bytes(std::span(whole))).hex();
  const std::lock_guard lock(mutex);
  if (++counts[hash] != kManyObjects) return {};
  return fmt::format(
      "[metal_kernel] hint for '{}': its kernel object was made {} times from the same text.\n  "
      "fix: "
      "call metal_kernel() once and keep the object",
      text.name, kManyObjects);
}

}  // namespace assay
