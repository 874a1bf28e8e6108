// Evaluation of arrays, and compile, which fuses what a function does.
#pragma once

#include <functional>
#include <vector>

#include "assay/array.h"

namespace assay {

// Computes the arrays and waits for them.
ASSAY_API void eval(std::vector<array> outputs,
                    std::source_location site = std::source_location::current());
// The first of several arguments, which brings the line of the call along.
struct ArrayAtSite {
  template <typename Array>
    requires is_array_v<Array>
  ArrayAtSite(Array&& given, std::source_location called = std::source_location::current())
      : value(std::forward<Array>(given)), site(called) {}

  array value;
  std::source_location site;
};
template <typename... Arrays>
  requires(is_array_v<Arrays> && ...)
void eval(ArrayAtSite first, Arrays&&... others) {
  eval(std::vector<array>{std::move(first.value), std::forward<Arrays>(others)...}, first.site);
}
// Starts computing and returns.
ASSAY_API void async_eval(std::vector<array> outputs,
                          std::source_location site = std::source_location::current());
template <typename... Arrays>
  requires(is_array_v<Arrays> && ...)
void async_eval(ArrayAtSite first, Arrays&&... others) {
  async_eval(std::vector<array>{std::move(first.value), std::forward<Arrays>(others)...},
             first.site);
}

using ArrayFunction = std::function<std::vector<array>(const std::vector<array>&)>;

// A function that traces `function` once for each combination of input shapes and dtypes (of dtypes
// only, if shapeless), merges its element-wise ops into single kernels and replays the result. The
// function must be free of side effects; values it captures are constants.
ASSAY_API ArrayFunction compile(ArrayFunction function, bool shapeless = false);
// For bindings: functions with the same number share their traces; compile_erase forgets them.
ASSAY_API ArrayFunction compile(ArrayFunction function, std::uintptr_t function_id, bool shapeless,
                                std::vector<uint64_t> constants);
ASSAY_API void compile_erase(std::uintptr_t function_id);
ASSAY_API void compile_clear_cache();

enum class CompileMode : uint8_t { disabled, no_simplify, no_fuse, enabled };
// Compiled functions run as they are written until enable_compile().
ASSAY_API void disable_compile();
ASSAY_API void enable_compile();
ASSAY_API void set_compile_mode(CompileMode mode);

}  // namespace assay
