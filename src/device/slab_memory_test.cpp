// Blocks of slabs: alignment, reuse, what lies around them, and what goes back to the system.
#include "device/slab_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace assay::device {
namespace {

struct Block {
  std::byte* data;
  uint64_t bytes;
};

// Protection of the page that `address` lies in, as "rw-p"; empty where nothing is mapped.
std::string protection_of(const std::byte* address) {
  std::ifstream maps("/proc/self/maps");
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  uintptr_t begin = 0, end = 0;
  char dash = 0;
  std::string protection, rest;
  while (maps >> std::hex >> begin >> dash >> end >> protection && std::getline(maps, rest)) {
    if (begin <= wanted && wanted < end) return protection;
  }
  return "";
}

TEST(SlabMemory, gives_blocks_that_do_not_overlap) {
  SlabMemory memory;
  std::vector<Block> blocks;
  uint32_t state = 1;
  for (int i = 0; i < 3000; ++i) {
    state = state * 1664525u + 1013904223u;
    const uint64_t bytes = uint64_t{64} << (state >> 16) % 14;
    std::byte* data = memory.allocate(bytes);
    ASSERT_NE(data, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % (bytes < 4096 ? 64 : 4096), 0U);
    std::memset(data, i % 251, bytes);
    blocks.push_back({data, bytes});
    if (i % 3 != 0) continue;
    std::swap(blocks[(state >> 8) % blocks.size()], blocks.back());
    memory.release(blocks.back().data, blocks.back().bytes);
    blocks.pop_back();
  }
  std::ranges::sort(blocks, {}, &Block::data);
  for (size_t i = 1; i < blocks.size(); ++i) {
    EXPECT_GE(blocks[i].data, blocks[i - 1].data + blocks[i - 1].bytes);
  }
  for (const Block& block : blocks) {
    EXPECT_EQ(block.data[0], block.data[block.bytes - 1]);
    memory.release(block.data, block.bytes);
  }
}

TEST(SlabMemory, reuses_what_came_back) {
  SlabMemory memory;
  std::byte* kept = memory.allocate(256);
  std::byte* first = memory.allocate(256);
  memory.release(first, 256);
  EXPECT_EQ(memory.allocate(256), first);
  EXPECT_NE(memory.allocate(320), first);
  memory.release(kept, 256);
}

TEST(SlabMemory, lies_between_pages_that_nobody_may_touch) {
  SlabMemory memory;
  std::byte* block = memory.allocate(640);
  const std::byte* begin = block - reinterpret_cast<uintptr_t>(block) % (2u << 20);
  EXPECT_EQ(protection_of(begin), "rw-p");
  EXPECT_EQ(protection_of(begin + (2u << 20) - 1), "rw-p");
  EXPECT_EQ(protection_of(begin - 1), "---p");
  EXPECT_EQ(protection_of(begin + (2u << 20)), "---p");
}

TEST(SlabMemory, gives_empty_slabs_back) {
  SlabMemory memory;
  std::vector<std::byte*> blocks(9000);
  for (std::byte*& block : blocks) block = memory.allocate(512);
  std::byte* other = memory.allocate(1024);
  for (std::byte* block : blocks) memory.release(block, 512);
  size_t mapped = 0;
  for (std::byte* block : blocks) mapped += protection_of(block) == "rw-p" ? 1 : 0;
  EXPECT_LE(mapped, 4096U) << "more than the slab that is kept";
  memory.release(other, 1024);
  EXPECT_EQ(protection_of(blocks.front()), "");
}

}  // namespace
}  // namespace assay::device
