// See evaluation_lock.h.
#include "array/evaluation_lock.h"

namespace assay {

// Never destroyed: arrays may be static objects.
std::mutex& evaluation_mutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}

}  // namespace assay
