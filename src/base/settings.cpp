// Reading of environment variables; an empty variable counts as not set.
#include "base/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <thread>

namespace assay::base {

namespace {

constexpr unsigned kMaxThreads = 1024;
constexpr double kMaxTimeoutSeconds = 1'000'000;

constexpr SettingDescription kDescriptions[] = {
    {"ASSAY_THREADS", "threads that run kernels on the CPU (default: all cores)"},
    {"ASSAY_EXECUTOR", "vector or reference: how kernels run on the CPU (default: vector)"},
    {"ASSAY_CPU", "processor to compile for, such as x86-64-v3 (default: this machine)"},
    {"ASSAY_CACHE", "off: keep no compiled kernels on disk"},
    {"ASSAY_CACHE_DIR", "folder of compiled kernels (default: ~/.cache/assay)"},
    {"ASSAY_CACHE_SIZE", "their most bytes, such as 200M or 2G (default: 512M)"},
    {"ASSAY_KERNEL_TIMEOUT", "seconds after which a kernel is stopped (default: 60; 0: never)"},
    {"MTL_CAPTURE_ENABLED", "1: captures are permitted (METAL_CAPTURE_ENABLED does the same)"},
    {"MLX_METAL_CAPTURE", "file: capture the first evaluation into it"},
    {"GGML_METAL_CAPTURE_COMPUTE", "number: capture that evaluation instead of the first"},
    {"ASSAY_CAPTURE", "what to capture: detail=skeleton,count=3,stream=0,name=sum"},
    {"ASSAY_VIEW_FOLDER", "folder of captures without a path; assay view --launch sets it"},
    {"ASSAY_RECORD", "set by assay record in the programs that it starts"},
    {"ASSAY_ATTACH", "0: assay record --attach cannot record this process"},
    {"ASSAY_DEBUG",
     "1: debuggers stop in kernels; tools know labels and call sites of every command"},
    {"ASSAY_CHECK", "1, or names of checks: kernels run checked (see assay check --list)"},
    {"ASSAY_CHECK_REPORT", "file that findings go to instead of standard error"},
    {"ASSAY_CHECK_SUPPRESSIONS", "file of findings that are not told"},
    {"ASSAY_CHECK_SEED", "number: another order of threadgroups in checked kernels"},
    {"PYTHON", "interpreter of assay run (default: /usr/bin/python3)"},
    {"NO_COLOR", "any text: no colours in terminal output"},
};

std::optional<std::string> look_up_environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  return std::string(text);
}

std::optional<std::string> find_text(const VariableLookup& lookup, const char* name) {
  std::optional<std::string> text = lookup(name);
  if (text && text->empty()) text.reset();
  return text;
}

Result<unsigned> read_threads(const VariableLookup& lookup) {
  const std::optional<std::string> text = find_text(lookup, "ASSAY_THREADS");
  if (!text) return std::max(1u, std::thread::hardware_concurrency());
  unsigned threads = 0;
  const char* end = text->data() + text->size();
  const auto [stop, status] = std::from_chars(text->data(), end, threads);
  if (status != std::errc() || stop != end || threads < 1 || threads > kMaxThreads) {
    return Error{fmt::format("ASSAY_THREADS is \"{}\"; set it to a number from 1 to {} or unset it",
                             *text, kMaxThreads)};
  }
  return threads;
}

Result<bool> read_executor(const VariableLookup& lookup) {
  const std::optional<std::string> text = find_text(lookup, "ASSAY_EXECUTOR");
  if (!text || *text == "vector") return true;
  if (*text == "reference") return false;
  return Error{
      fmt::format("ASSAY_EXECUTOR is \"{}\"; set it to vector or reference, or unset it", *text)};
}

Result<bool> read_cache_switch(const VariableLookup& lookup) {
  const std::optional<std::string> text = find_text(lookup, "ASSAY_CACHE");
  if (!text || *text == "on" || *text == "1") return true;
  if (*text == "off" || *text == "0") return false;
  return Error{fmt::format("ASSAY_CACHE is \"{}\"; set it to on or off, or unset it", *text)};
}

std::string read_cache_folder(const VariableLookup& lookup) {
  if (const auto folder = find_text(lookup, "ASSAY_CACHE_DIR")) return *folder;
  // The rules for XDG_CACHE_HOME say that a relative path counts as not set.
  const auto caches = find_text(lookup, "XDG_CACHE_HOME");
  if (caches && caches->starts_with('/')) return *caches + "/assay";
  if (const auto home = find_text(lookup, "HOME")) return *home + "/.cache/assay";
  return {};
}

std::string read_python(const VariableLookup& lookup) {
  if (const auto program = find_text(lookup, "PYTHON")) return *program;
  if (const auto folder = find_text(lookup, "VIRTUAL_ENV")) return *folder + "/bin/python3";
  return Settings().python;
}

// "200M" → 209715200.
std::optional<uint64_t> parse_size(std::string_view text) {
  unsigned shift = 0;
  switch (text.empty() ? '\0' : text.back()) {
    case 'K': shift = 10; break;
    case 'M': shift = 20; break;
    case 'G': shift = 30; break;
    default: break;
  }
  if (shift != 0) text.remove_suffix(1);
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, number);
  if (status != std::errc() || stop != end || number > UINT64_MAX >> shift) return std::nullopt;
  return number << shift;
}

Result<uint64_t> read_cache_limit(const VariableLookup& lookup) {
  constexpr uint64_t kLeastBytes = 1ULL << 20;
  const std::optional<std::string> text = find_text(lookup, "ASSAY_CACHE_SIZE");
  if (!text) return Settings().cache_limit_bytes;
  const std::optional<uint64_t> bytes = parse_size(*text);
  if (bytes && *bytes >= kLeastBytes) return *bytes;
  return Error{fmt::format(
      "ASSAY_CACHE_SIZE is \"{}\"; set it to a size of at least 1M such as 200M or 2G, or "
      "switch the cache off with ASSAY_CACHE=off",
      *text)};
}

Result<std::optional<double>> read_kernel_timeout(const VariableLookup& lookup) {
  const std::optional<std::string> text = find_text(lookup, "ASSAY_KERNEL_TIMEOUT");
  if (!text) return std::optional<double>();
  double seconds = 0;
  const char* end = text->data() + text->size();
  const auto [stop, status] = std::from_chars(text->data(), end, seconds);
  if (status != std::errc() || stop != end || !(seconds >= 0 && seconds <= kMaxTimeoutSeconds)) {
    return Error{fmt::format(
        "ASSAY_KERNEL_TIMEOUT is \"{}\"; set it to a number of seconds from 0 (no limit) to {} or "
        "unset it",
        *text, kMaxTimeoutSeconds)};
  }
  return std::optional(seconds);
}

bool is_switched_on(const VariableLookup& lookup, const char* name) {
  const std::optional<std::string> text = find_text(lookup, name);
  return text && *text != "0";
}

// 0 when it is not set.
Result<uint64_t> read_number(const VariableLookup& lookup, const char* variable,
                             std::string_view meaning) {
  const std::optional<std::string> text = find_text(lookup, variable);
  if (!text) return uint64_t{0};
  uint64_t number = 0;
  const char* end = text->data() + text->size();
  const auto [stop, status] = std::from_chars(text->data(), end, number);
  if (status == std::errc() && stop == end) return number;
  return Error{fmt::format("{} is \"{}\"; set it to {}, or unset it", variable, *text, meaning)};
}

std::string read_checks(const VariableLookup& lookup) {
  std::string text = find_text(lookup, "ASSAY_CHECK").value_or("");
  return text == "0" ? std::string() : text;
}

}  // namespace

std::span<const SettingDescription> setting_descriptions() { return kDescriptions; }

Result<Settings> load_settings() { return load_settings(look_up_environment); }

Result<Settings> load_settings(const VariableLookup& lookup) {
  Result<unsigned> threads = read_threads(lookup);
  if (!threads) return threads.error();
  Result<bool> is_vector = read_executor(lookup);
  if (!is_vector) return is_vector.error();
  Result<bool> is_cache_on = read_cache_switch(lookup);
  if (!is_cache_on) return is_cache_on.error();
  Result<uint64_t> cache_limit = read_cache_limit(lookup);
  if (!cache_limit) return cache_limit.error();
  Result<std::optional<double>> timeout = read_kernel_timeout(lookup);
  if (!timeout) return timeout.error();
  const bool is_debug = is_switched_on(lookup, "ASSAY_DEBUG");
  Result<uint64_t> check_seed = read_number(lookup, "ASSAY_CHECK_SEED", "a number");
  if (!check_seed) return check_seed.error();
  Result<uint64_t> captured_evaluation = read_number(
      lookup, "GGML_METAL_CAPTURE_COMPUTE", "the number of the evaluation to capture, from 1");
  if (!captured_evaluation) return captured_evaluation.error();
  return Settings{.threads = *threads,
                  .is_vector_executor = *is_vector,
                  .cpu = find_text(lookup, "ASSAY_CPU").value_or(""),
                  .kernel_timeout_s = timeout->has_value() || !is_debug ? *timeout : 0,
                  .is_colour_allowed = !find_text(lookup, "NO_COLOR"),
                  .is_cache_on = *is_cache_on,
                  .cache_folder = read_cache_folder(lookup),
                  .cache_limit_bytes = *cache_limit,
                  .python = read_python(lookup),
                  .python_path = find_text(lookup, "PYTHONPATH").value_or(""),
                  .is_capture_permitted = is_switched_on(lookup, "MTL_CAPTURE_ENABLED") ||
                                          is_switched_on(lookup, "METAL_CAPTURE_ENABLED"),
                  .capture_path = find_text(lookup, "MLX_METAL_CAPTURE").value_or(""),
                  .captured_evaluation = *captured_evaluation,
                  .capture_options = find_text(lookup, "ASSAY_CAPTURE").value_or(""),
                  .view_folder = find_text(lookup, "ASSAY_VIEW_FOLDER").value_or(""),
                  .recording = find_text(lookup, "ASSAY_RECORD").value_or(""),
                  .is_attach_allowed = find_text(lookup, "ASSAY_ATTACH") != "0",
                  .is_debug = is_debug,
                  .checks = read_checks(lookup),
                  .check_report = find_text(lookup, "ASSAY_CHECK_REPORT").value_or(""),
                  .check_suppressions = find_text(lookup, "ASSAY_CHECK_SUPPRESSIONS").value_or(""),
                  .check_seed = *check_seed};
}

}  // namespace assay::base
