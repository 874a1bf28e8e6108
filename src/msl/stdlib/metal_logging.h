// printf, os_log and assert. Messages never influence a kernel's results.
#pragma once

#include "metal_type_traits.h"

// As in Metal's release builds: the condition is not evaluated.
#define assert(condition) ((void)0)

namespace metal {
namespace __assay {

// kernel/print.h has the meaning of the words.
void print(const constant char* format, unsigned int count, unsigned long types, unsigned long w0,
           unsigned long w1, unsigned long w2, unsigned long w3, unsigned long w4,
           unsigned long w5, unsigned long w6, unsigned long w7, unsigned long w8,
           unsigned long w9, unsigned long w10, unsigned long w11) __asm__("assay.print");

struct print_words {
  unsigned int count = 0;
  unsigned long types = 0;
  unsigned long word[12] = {};

  METAL_FUNC void add_word(unsigned long type, unsigned long value) {
    if (count >= 12) return;
    types |= type << (4 * count);
    word[count++] = value;
  }
  template <typename T>
  METAL_FUNC void add(T value) {
    if constexpr (is_floating_point<T>::value) {
      add_word(3, as_type<unsigned int>(float(value)));
    } else if constexpr (is_pointer<T>::value) {
      add_word(2, (unsigned long)value);
    } else if constexpr (is_enum<T>::value) {
      add_word(1, (unsigned long)(long)value);
    } else {
      add_word(is_signed<T>::value ? 1 : 2,
               is_signed<T>::value ? (unsigned long)(long)value : (unsigned long)value);
    }
  }
  METAL_FUNC void add(const constant char* text) { add_word(4, (unsigned long)text); }
  template <typename T, int N>
  METAL_FUNC void add(vec<T, N> value) {
    for (int i = 0; i < N; ++i) add(value[i]);
  }
};

template <typename... Args>
METAL_FUNC void print_all(const constant char* format, Args... args) {
  print_words words;
  (words.add(args), ...);
  print(format, words.count, words.types, words.word[0], words.word[1], words.word[2],
        words.word[3], words.word[4], words.word[5], words.word[6], words.word[7], words.word[8],
        words.word[9], words.word[10], words.word[11]);
}

}  // namespace __assay

// Shown by the host with the thread's position, up to twelve numbers; vectors count by component and
// print as %v4f.
template <typename... Args>
METAL_FUNC void printf(const constant char* format, Args... args) {
  __assay::print_all(format, args...);
}

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
  METAL_FUNC void name(const constant char* format, Args... args) const space { \
    __assay::print_all(format, args...);                                         \
  }
#define ASSAY_LOGS(space)                                                               \
  ASSAY_LOG(log, space) ASSAY_LOG(log_debug, space) ASSAY_LOG(log_info, space)          \
  ASSAY_LOG(log_default, space) ASSAY_LOG(log_error, space) ASSAY_LOG(log_fault, space) \
  template <typename... Args>                                                           \
  METAL_FUNC void log_with_type(os_log_type, const constant char* format, Args... args)   \
      const space {                                                                       \
    __assay::print_all(format, args...);                                                  \
  }
  ASSAY_LOGS(ASSAY_ANY)
  ASSAY_LOGS(constant)
#undef ASSAY_LOGS
#undef ASSAY_LOG
};

constexpr constant os_log os_log_default = {};

}  // namespace metal
