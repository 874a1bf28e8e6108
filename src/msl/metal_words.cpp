// See metal_words.h. Two tables: wording, and fixes by what the message quotes.
#include "msl/metal_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <regex>
#include <string_view>
#include <utility>
#include <vector>

#include "msl/body_fixes.h"
#include "msl/internal_names.h"
#include "msl/python_braces.h"
#include "msl/thread_attributes.h"
#include "msl/undeclared_names.h"

namespace assay::msl {
namespace {

using Replacement = std::pair<std::string_view, std::string_view>;

// Longer texts first: they contain the shorter ones.
constexpr Replacement kWording[] = {
    {"use of type 'double' requires cl_khr_fp64 and __opencl_c_fp64 support",
     "'double' is not supported in Metal"},
    {"use of type 'double' requires cl_khr_fp64 support", "'double' is not supported in Metal"},
    {" requires cl_khr_fp64 and __opencl_c_fp64 support", " is not supported in Metal"},
    {" requires cl_khr_fp64 support", " is not supported in Metal"},
    {"__int128 is not supported on this target", "Metal has no __int128"},
    {"GNU-style inline assembly is disabled", "Metal has no inline assembly"},
    {"program scope variable must reside in global or constant address space",
     "program scope variable must reside in constant address space"},
    {"program scope variable must reside in constant address space",
     "program scope variable must reside in constant address space"},
    {"C++ for OpenCL version 2021", "Metal"},
    {"C++ for OpenCL", "Metal"},
    {"OpenCL C++", "Metal"},
    {"OpenCL C", "Metal"},
    {"OpenCL", "Metal"},
    {"'__private' address space", "'thread' address space"},
    {"const __constant ", "constant "},
    {"__global_device", "device"},
    {"__global_host", "device"},
    {"__global", "device"},
    {"__local", "threadgroup"},
    {"__constant", "constant"},
    {"*__private", "*"},
    {"__private ", ""},
    {"__private", "thread"},
    {"'__generic'", "'thread', 'device' or 'threadgroup'"},
    {"in default address space", "in address space 'thread'"},
    {" __generic", ""},
    {"__generic ", ""},
    {"__generic", ""},
    {"'annotate' attribute cannot be applied to types",
     "an attribute such as [[buffer(0)]] stands behind the parameter's name"},
};

// Vector types print as templates; people write float4.
std::string with_short_vector_names(std::string text) {
  static const std::regex kVector(
      R"((?:metal::)?(?:__vectors::)?vec<(?:metal::)?(?:unsigned )?)"
      R"((bool|char|short|int|long|half|float|bfloat), (?:(?:metal::)?__components ?\[)?([234])\]?>)");
  std::string out;
  auto begin = std::sregex_iterator(text.begin(), text.end(), kVector);
  size_t last = 0;
  for (auto it = begin; it != std::sregex_iterator(); ++it) {
    std::string whole = it->str();
    out += text.substr(last, static_cast<size_t>(it->position()) - last);
    out += (whole.find("unsigned ") != std::string::npos ? "u" : "") + it->str(1) + it->str(2);
    last = static_cast<size_t>(it->position()) + whole.size();
  }
  return out + text.substr(last);
}

// clang takes any word for what an unknown name may have meant, also one that cannot stand there.
std::string without_statement_words(const std::string& text) {
  static const std::regex kSuggestion(
      "; did you mean '(using|union|class|struct|while|for|do|case|else|if|switch|return|break|"
      "continue|goto|default|static|const|extern|typedef|template|typename|namespace|friend|"
      "private|public|protected|inline|register|volatile|enum|operator|new|delete|throw|try|"
      "catch|void|auto)'\\?");
  return std::regex_replace(text, kSuggestion, "");
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

struct Advice {
  std::string_view name;
  std::string_view fix;
};

// Names of other languages' kernels and what Metal has for them.
constexpr Advice kForeignNames[] = {
    {"__syncthreads", "CUDA: use threadgroup_barrier(mem_flags::mem_threadgroup)"},
    {"__syncwarp", "CUDA: use simdgroup_barrier(mem_flags::mem_none)"},
    {"threadIdx", "CUDA: use thread_position_in_threadgroup"},
    {"blockIdx", "CUDA: use threadgroup_position_in_grid"},
    {"blockDim", "CUDA: use threads_per_threadgroup"},
    {"gridDim", "CUDA: use threadgroups_per_grid"},
    {"warpSize", "CUDA: use threads_per_simdgroup (32)"},
    {"atomicAdd",
     "CUDA: use atomic_fetch_add_explicit(&x, v, memory_order_relaxed) on a device atomic<T>"},
    {"atomicSub",
     "CUDA: use atomic_fetch_sub_explicit(&x, v, memory_order_relaxed) on a device atomic<T>"},
    {"atomicMax",
     "CUDA: use atomic_fetch_max_explicit(&x, v, memory_order_relaxed) on a device atomic<T>"},
    {"atomicMin",
     "CUDA: use atomic_fetch_min_explicit(&x, v, memory_order_relaxed) on a device atomic<T>"},
    {"atomicCAS", "CUDA: use atomic_compare_exchange_weak_explicit on a device atomic<T>"},
    {"atomicExch", "CUDA: use atomic_exchange_explicit on a device atomic<T>"},
    {"__shfl_sync", "CUDA: use simd_shuffle(value, lane)"},
    {"__shfl_down_sync", "CUDA: use simd_shuffle_down(value, delta)"},
    {"__shfl_up_sync", "CUDA: use simd_shuffle_up(value, delta)"},
    {"__shfl_xor_sync", "CUDA: use simd_shuffle_xor(value, mask)"},
    {"__ballot_sync", "CUDA: use simd_ballot(predicate)"},
    {"__any_sync", "CUDA: use simd_any(predicate)"},
    {"__all_sync", "CUDA: use simd_all(predicate)"},
    {"__ldg", "CUDA: read the pointer directly; const device memory is cached"},
    {"__global__", "CUDA: write [[kernel]] before the function"},
    {"__device__", "CUDA: plain functions need no qualifier in Metal"},
    {"__shared__", "CUDA: use threadgroup"},
    {"__expf", "CUDA: use fast::exp"},
    {"__logf", "CUDA: use fast::log"},
    {"__sinf", "CUDA: use fast::sin"},
    {"__cosf", "CUDA: use fast::cos"},
    {"expf", "use exp: Metal's functions are overloaded by type"},
    {"logf", "use log: Metal's functions are overloaded by type"},
    {"sinf", "use sin: Metal's functions are overloaded by type"},
    {"cosf", "use cos: Metal's functions are overloaded by type"},
    {"tanhf", "use tanh: Metal's functions are overloaded by type"},
    {"sqrtf", "use sqrt: Metal's functions are overloaded by type"},
    {"rsqrtf", "use rsqrt: Metal's functions are overloaded by type"},
    {"powf", "use pow: Metal's functions are overloaded by type"},
    {"fabsf", "use fabs: Metal's functions are overloaded by type"},
    {"fmaxf", "use fmax: Metal's functions are overloaded by type"},
    {"fminf", "use fmin: Metal's functions are overloaded by type"},
    {"get_global_id", "OpenCL: use a parameter with [[thread_position_in_grid]]"},
    {"get_local_id", "OpenCL: use a parameter with [[thread_position_in_threadgroup]]"},
    {"get_group_id", "OpenCL: use a parameter with [[threadgroup_position_in_grid]]"},
    {"barrier", "OpenCL: use threadgroup_barrier(mem_flags::mem_threadgroup)"},
    {"std", "Metal has no std namespace: use metal::"},
};

std::optional<std::string_view> foreign_name_fix(std::string_view name) {
  for (const Advice& advice : kForeignNames) {
    if (advice.name == name) return advice.fix;
  }
  return std::nullopt;
}

bool starts_with(const std::string& text, std::string_view prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Letters to insert, remove or replace to make one word of the other.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

// The attribute that a name is, or was probably meant to be.
std::optional<std::string_view> find_similar_attribute(std::string_view name) {
  constexpr size_t kMaxMistakes = 3;
  std::optional<std::string_view> nearest;
  size_t distance = std::min(kMaxMistakes, name.size() / 4) + 1;
  for (const NamedThreadAttribute& attribute : kThreadAttributeNames) {
    const size_t mistakes = edit_distance(name, attribute.name);
    if (mistakes >= distance) continue;
    distance = mistakes;
    nearest = attribute.name;
  }
  return nearest;
}

// Positions and sizes have three numbers, all else counts along one axis.
std::string_view attribute_type(std::string_view attribute) {
  const bool is_count = attribute.find("_index_") != std::string_view::npos ||
                        attribute.find("simdgroup") != std::string_view::npos ||
                        attribute.find("quadgroup") != std::string_view::npos ||
                        attribute == "thread_execution_width";
  return is_count ? "uint" : "uint3";
}

std::string undeclared_fix(const Diagnostic& diagnostic) {
  const std::string name = quoted(diagnostic.message);
  if (auto fix = foreign_name_fix(name)) return std::string(*fix);
  if (const auto attribute = find_similar_attribute(name)) {
    return fmt::format("add a parameter: {1} {0} [[{0}]]", *attribute, attribute_type(*attribute));
  }
  if (contains(diagnostic.message, "did you mean")) return {};
  return suggest_declaration(diagnostic, name);
}

// "no matching constructor for initialization of 'float4'" → float4
std::string vector_without_constructor(const std::string& message) {
  static const std::regex kMessage(
      "^no matching constructor for initialization of '(?:[a-z]+ )*(u?(?:bool|char|short|int|long|"
      "half|float|bfloat)[234])'");
  std::smatch match;
  return std::regex_search(message, match, kMessage) ? match.str(1) : std::string();
}

bool mixes_half_and_bfloat(const std::string& message) {
  static const std::regex kHalf(R"('(?:[a-z]+ )*half[234]?')");
  static const std::regex kBfloat(R"('(?:[a-z]+ )*bfloat[234]?')");
  return std::regex_search(message, kHalf) && std::regex_search(message, kBfloat);
}

bool mentions_address_space(const Diagnostic& diagnostic) {
  return contains(diagnostic.message, "address space") ||
         std::ranges::any_of(diagnostic.notes, mentions_address_space);
}

}  // namespace

std::string quoted(const std::string& message) {
  size_t open = message.find('\'');
  size_t close = message.find('\'', open + 1);
  if (open == std::string::npos || close == std::string::npos) return {};
  return message.substr(open + 1, close - open - 1);
}

void correct_suggestion(Diagnostic& diagnostic) {
  if (!starts_with(diagnostic.message, "use of undeclared identifier")) return;
  const std::string name = quoted(diagnostic.message);
  const auto attribute = find_similar_attribute(name);
  if (!attribute || *attribute == name) return;
  diagnostic.message =
      fmt::format("use of undeclared identifier '{}'; did you mean '{}'?", name, *attribute);
  diagnostic.notes.clear();
}

std::string display_path(const std::string& path) {
  std::string_view folder = kStandardLibraryFolder;
  if (path.compare(0, folder.size(), folder) == 0 && path.size() > folder.size()) {
    return "<" + path.substr(folder.size() + 1) + ">";
  }
  return path;
}

std::string in_metal_words(std::string message) {
  // Vectors first: their own name is one of the internal ones.
  replace_all(message, "__bf16", "bfloat");
  message = without_internal_names(with_short_vector_names(std::move(message)));
  for (const Replacement& word : kWording) replace_all(message, word.first, word.second);
  message = without_statement_words(message);
  // Two of clang's names for one of Metal's types.
  static const std::regex kSameTwice(R"('([^']*)' \(aka '\1'\))");
  return std::regex_replace(message, kSameTwice, "'$1'");
}

std::string suggest_fix(const Diagnostic& diagnostic) {
  const std::string& message = diagnostic.message;
  if (diagnostic.severity != Severity::kError) return {};
  if (is_about_python_braces(diagnostic)) {
    return "braces of a Python format: write { and } once in a plain string, or format the string "
           "first";
  }
  if (is_in_body(diagnostic) && !foreign_name_fix(quoted(message))) {
    if (std::string fix = suggest_body_fix(diagnostic); !fix.empty()) return fix;
  }
  if (starts_with(message, "expected ';'")) return "add the missing ';'";
  if (contains(message, "undeclared identifier") || starts_with(message, "unknown type name") ||
      starts_with(message, "no member named")) {
    if (auto fix = foreign_name_fix(quoted(message))) return std::string(*fix);
    if (!starts_with(message, "no member") && !is_in_body(diagnostic)) {
      return undeclared_fix(diagnostic);
    }
    if (contains(message, "in namespace 'std'")) return std::string(*foreign_name_fix("std"));
    return {};
  }
  if (starts_with(message, "member reference base type") &&
      contains(message, "is not a structure")) {
    return "the value is a scalar: drop the .x, or declare the parameter as uint2/uint3";
  }
  if (starts_with(message, "cannot initialize object parameter")) {
    return "a method without an address space is for thread objects: write the object's behind the "
           "parameters (void f() device), or copy the object first";
  }
  if (starts_with(message, "program scope variable")) {
    return "declare it constant and give it its value, or pass the kernel a buffer";
  }
  if (contains(message, "'double' is not supported")) return "use float; Metal has no double";
  if (contains(message, "Metal has no __int128")) {
    return "ulong is the widest integer; mulhi(a, b) gives the upper half of a product";
  }
  if (mixes_half_and_bfloat(message)) {
    return "half and bfloat do not turn into each other by themselves: write half(x), bfloat(x) or "
           "float(x)";
  }
  if (const std::string vector = vector_without_constructor(message); !vector.empty()) {
    return fmt::format(
        "a {} is made of one value for all components, or of values and vectors that "
        "have {} together",
        vector, vector.back());
  }
  if (contains(message, "read-only variable is not assignable")) {
    return "constant and const memory is read-only: write to a device or threadgroup pointer";
  }
  if (mentions_address_space(diagnostic)) {
    return "pointers keep their address space: use the same of device, constant, threadgroup, "
           "thread on both sides";
  }
  if (contains(message, "no matching function for call to '") &&
      foreign_name_fix(quoted(message))) {
    return std::string(*foreign_name_fix(quoted(message)));
  }
  if (contains(message, "file not found")) return "give the folder with -I";
  return {};
}

}  // namespace assay::msl
