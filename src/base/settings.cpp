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

constexpr SettingDescription kDescriptions[] = {
    {"ASSAY_THREADS", "threads that run kernels on the CPU (default: all cores)"},
    {"ASSAY_EXECUTOR", "vector or reference: how kernels run on the CPU (default: vector)"},
    {"ASSAY_CPU", "processor to compile for, such as x86-64-v3 (default: this machine)"},
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

}  // namespace

std::span<const SettingDescription> setting_descriptions() { return kDescriptions; }

Result<Settings> load_settings() { return load_settings(look_up_environment); }

Result<Settings> load_settings(const VariableLookup& lookup) {
  Result<unsigned> threads = read_threads(lookup);
  if (!threads) return threads.error();
  Result<bool> is_vector = read_executor(lookup);
  if (!is_vector) return is_vector.error();
  return Settings{.threads = *threads,
                  .is_vector_executor = *is_vector,
                  .cpu = find_text(lookup, "ASSAY_CPU").value_or(""),
                  .is_colour_allowed = !find_text(lookup, "NO_COLOR")};
}

}  // namespace assay::base
