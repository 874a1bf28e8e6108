// See kept_memory.h.
#include "base/kept_memory.h"

#include <algorithm>
#include <mutex>
#include <new>

#include "base/recycled.h"

namespace assay::base {
namespace {

constexpr size_t kMaxBytes = kRecycles ? 16 << 20 : 0;
constexpr size_t kMaxBlocks = 512;  // all are looked at for a size that is not there

// Newest last: what was just given is still in the caches.
class KeptBlocks {
 public:
  void* take(size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(blocks_.rbegin(), blocks_.rend(),
                                    [&](const Block& block) { return block.bytes == bytes; });
    if (found == blocks_.rend()) return nullptr;
    void* memory = found->memory;
    bytes_ -= bytes;
    blocks_.erase(std::next(found).base());
    return memory;
  }

  // False when there is no room for it.
  bool give(void* memory, size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes > kMaxBytes / 4) return false;
    while (bytes_ + bytes > kMaxBytes ||
           blocks_.size() == kMaxBlocks) {  // sizes that nobody asks for any more go first
      ::operator delete(blocks_.front().memory);
      bytes_ -= blocks_.front().bytes;
      blocks_.erase(blocks_.begin());
    }
    blocks_.push_back({memory, bytes});
    bytes_ += bytes;
    return true;
  }

 private:
  struct Block {
    void* memory;
    size_t bytes;
  };
  std::mutex mutex_;
  std::vector<Block> blocks_;
  size_t bytes_ = 0;
};

// Never destroyed: lists may go after everything else.
KeptBlocks& kept() {
  static auto* const blocks = new KeptBlocks;
  return *blocks;
}

}  // namespace

void* take_memory(size_t bytes) {
  void* memory = kept().take(bytes);
  return memory != nullptr ? memory : ::operator new(bytes);
}

void give_memory(void* memory, size_t bytes) {
  if (!kept().give(memory, bytes)) ::operator delete(memory);
}

}  // namespace assay::base
