// os_log and assert: accepted everywhere, without effect. Messages never influence a kernel's
// results, so a kernel that logs runs the same without them.
#pragma once

#include "metal_type_traits.h"

// As in Metal's release builds: the condition is not evaluated.
#define assert(condition) ((void)0)

namespace metal {

enum os_log_type {
  log_type_default = 0,
  log_type_info = 1,
  log_type_debug = 2,
  log_type_error = 16,
  log_type_fault = 17
};

struct os_log {
  constexpr os_log() {}
  constexpr os_log() constant {}
  constexpr os_log(const constant char*, const constant char*) {}
  constexpr os_log(const constant char*, const constant char*) constant {}

#define ASSAY_LOG(name, space) \
  template <typename... Args>  \
  METAL_FUNC void name(const constant char*, Args...) const space {}
#define ASSAY_LOGS(space)                                                               \
  ASSAY_LOG(log, space) ASSAY_LOG(log_debug, space) ASSAY_LOG(log_info, space)          \
  ASSAY_LOG(log_default, space) ASSAY_LOG(log_error, space) ASSAY_LOG(log_fault, space) \
  template <typename... Args>                                                           \
  METAL_FUNC void log_with_type(os_log_type, const constant char*, Args...) const space {}
  ASSAY_LOGS(ASSAY_ANY)
  ASSAY_LOGS(constant)
#undef ASSAY_LOGS
#undef ASSAY_LOG
};

constexpr constant os_log os_log_default = {};

}  // namespace metal
