// What the compiler writes for a `threadgroup` variable: storage that the device provides per group.
#pragma once

#include "assay_conversion.h"

namespace metal {
namespace __assay {

template <typename T>
struct as_threadgroup {
  typedef threadgroup declared<T>* pointer;
};

threadgroup void* threadgroup_memory(unsigned int id, unsigned long bytes, unsigned long alignment)
    __asm__("assay.threadgroup.memory");

}  // namespace __assay
}  // namespace metal
