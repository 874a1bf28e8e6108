// Blocks that are too small for pages of their own, cut from guarded pages that hold nothing else:
// what a kernel writes behind its buffer changes other buffers at most, never the heap of the
// process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace assay::device {

// Thread-safe. Blocks still out when it ends are lost with it.
class SlabMemory {
 public:
  SlabMemory() = default;
  ~SlabMemory();
  SlabMemory(const SlabMemory&) = delete;
  SlabMemory& operator=(const SlabMemory&) = delete;

  // `bytes` is a multiple of 64 and below kMaxBytes. Null when there is no memory; aligned to a
  // page from one page up, to 64 bytes below.
  std::byte* allocate(uint64_t bytes);
  void release(std::byte* data, uint64_t bytes);

  static constexpr uint64_t kMaxBytes = uint64_t{1} << 20;

 private:
  // Pages cut into slots of one size. Which are free is known here, out of reach of kernels.
  struct Slab {
    std::byte* data = nullptr;
    uint32_t slots = 0;
    uint32_t used = 0;  // slots that were given out at least once: those in front
    uint32_t live = 0;
    std::vector<uint16_t> free = {};
    bool is_open() const { return live < slots; }
  };
  // Those with free slots.
  using OpenSlabs = std::vector<Slab*>;

  Slab* add_slab(uint64_t slot_bytes);
  void remove_slab(Slab& slab, uint64_t slot_bytes);
  void note_empty(Slab& slab, uint64_t slot_bytes);

  std::mutex mutex_;
  std::unordered_map<std::byte*, Slab> slabs_;  // by their first byte
  std::map<uint64_t, OpenSlabs> open_;          // by the size of their slots
  // One without live slots is kept, so that a block that comes and goes does not map pages each
  // time.
  Slab* empty_ = nullptr;
  uint64_t empty_slot_bytes_ = 0;
};

}  // namespace assay::device
