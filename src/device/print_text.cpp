// See print_text.h.
#include "device/print_text.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdio>

namespace assay::device {
namespace {

using kernel::PrintRecord;
using kernel::PrintType;

constexpr int kMaxWidth = 200;

// "%-08.3v4lld": everything between % and the letter that says how.
struct Conversion {
  std::string flags;  // with width and precision
  int components = 1;
  char letter = 0;  // 0: not a conversion
};

int read_number(std::string_view& text) {
  int number = 0;
  while (!text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0) {
    number = std::min(number * 10 + (text.front() - '0'), kMaxWidth);
    text.remove_prefix(1);
  }
  return number;
}

// `text` begins behind the %; what belongs to the conversion is taken from it.
Conversion read_conversion(std::string_view& text) {
  Conversion conversion;
  auto take_while = [&](std::string_view letters) {
    while (!text.empty() && letters.find(text.front()) != std::string_view::npos) {
      conversion.flags += text.front();
      text.remove_prefix(1);
    }
  };
  take_while("-+ #0");
  if (const int width = read_number(text); width != 0) conversion.flags += std::to_string(width);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    conversion.flags += "." + std::to_string(read_number(text));
  }
  if (text.starts_with('v')) {
    text.remove_prefix(1);
    conversion.components = std::clamp(read_number(text), 1, 4);
  }
  while (!text.empty() && std::string_view("hlzjtL").find(text.front()) != std::string_view::npos) {
    text.remove_prefix(1);
  }
  if (!text.empty()) {
    conversion.letter = text.front();
    text.remove_prefix(1);
  }
  return conversion;
}

template <typename Value>
std::string print_one(const std::string& format, Value value) {
  char buffer[512];
  const int length = std::snprintf(buffer, sizeof(buffer), format.c_str(), value);
  return {buffer, static_cast<size_t>(std::clamp<int>(length, 0, sizeof(buffer) - 1))};
}

std::string print_word(const Conversion& conversion, PrintType type, uint64_t word) {
  const bool wants_float =
      std::string_view("eEfFgGaA").find(conversion.letter) != std::string_view::npos;
  const bool wants_unsigned =
      std::string_view("uxXo").find(conversion.letter) != std::string_view::npos;
  const std::string start = "%" + conversion.flags;
  switch (type) {
    case PrintType::kFloat: {
      const double value = std::bit_cast<float>(static_cast<uint32_t>(word));
      return print_one(start + (wants_float ? conversion.letter : 'g'), value);
    }
    case PrintType::kText: return print_one(start + "s", reinterpret_cast<const char*>(word));
    case PrintType::kSigned:
    case PrintType::kUnsigned: break;
  }
  if (conversion.letter == 'c') return std::string(1, static_cast<char>(word));
  if (conversion.letter == 'p') {
    return print_one(std::string("%p"), reinterpret_cast<const void*>(word));
  }
  if (wants_float) {
    return type == PrintType::kSigned
               ? print_one(start + conversion.letter,
                           static_cast<double>(static_cast<int64_t>(word)))
               : print_one(start + conversion.letter, static_cast<double>(word));
  }
  if (wants_unsigned) {
    // Negative numbers of 32 bits were widened.
    const bool is_narrow = type == PrintType::kSigned && static_cast<int64_t>(word) >= INT32_MIN &&
                           static_cast<int64_t>(word) < 0;
    return print_one(start + "ll" + conversion.letter,
                     static_cast<unsigned long long>(is_narrow ? word & UINT32_MAX : word));
  }
  if (type == PrintType::kSigned) {
    return print_one(start + "lld", static_cast<long long>(word));
  }
  return print_one(start + "llu", static_cast<unsigned long long>(word));
}

}  // namespace

std::string format_message(const PrintRecord& record) {
  std::string text;
  std::string_view rest = record.format == nullptr ? "" : record.format;
  uint32_t next = 0;
  while (!rest.empty()) {
    const size_t percent = std::min(rest.find('%'), rest.size());
    text += rest.substr(0, percent);
    rest.remove_prefix(percent);
    if (rest.empty()) break;
    if (rest.starts_with("%%")) {
      text += '%';
      rest.remove_prefix(2);
      continue;
    }
    const std::string_view written = rest;
    rest.remove_prefix(1);
    const Conversion conversion = read_conversion(rest);
    const auto count = static_cast<uint32_t>(conversion.components);
    if (conversion.letter == 0 || next + count > record.count) {
      text += written.substr(0, written.size() - rest.size());
      continue;
    }
    for (uint32_t i = 0; i < count; ++i, ++next) {
      const auto type = static_cast<PrintType>(record.types >> (4 * next) & 0xF);
      if (i != 0) text += ", ";
      text += print_word(conversion, type, record.words[next]);
    }
  }
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  return text;
}

std::vector<kernel::PrintedLine> make_lines(std::span<const PrintRecord> records,
                                            const kernel::LaunchSize& size) {
  std::vector<const PrintRecord*> order;
  for (const PrintRecord& record : records) order.push_back(&record);
  std::ranges::stable_sort(order, [](const PrintRecord* a, const PrintRecord* b) {
    return std::pair(a->group, a->thread) < std::pair(b->group, b->thread);
  });
  std::vector<kernel::PrintedLine> lines;
  for (const PrintRecord* record : order) {
    kernel::PrintedLine line{.text = format_message(*record)};
    std::ranges::copy(size.position_in_grid(record->group, record->thread),
                      line.thread_position_in_grid);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace assay::device
