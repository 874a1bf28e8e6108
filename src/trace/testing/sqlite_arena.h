// SQLite's memory in fuzz targets, which open thousands of databases per second: an arena that is
// empty again behind each input. AddressSanitizer's allocator would take most of the time and find
// leaks only at the end; here the number of live blocks shows one at once.
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "base/ensure.h"

namespace assay::trace::testing {

// One for each process, made before the first use of SQLite, which it makes single-threaded.
class SqliteArena {
 public:
  static SqliteArena& instance() {
    static SqliteArena arena;
    return arena;
  }

  // In front of an input and behind it, with no database open.
  void begin() {
    live_before_ = live_;
    used_before_ = used_;
  }
  void end() {
    ASSAY_ENSURE(live_ == live_before_, "memory of SQLite was not given back");
    used_ = used_before_;
  }

 private:
  // Enough for the largest inputs; beyond it SQLite reports that there is no memory.
  static constexpr size_t kBytes = size_t{64} << 20;
  static constexpr size_t kHeader = 16;  // holds the size, keeps blocks aligned

  SqliteArena() : memory_(kBytes) {
    sqlite3_mem_methods methods = {};
    methods.xMalloc = [](int size) { return instance().allocate(static_cast<size_t>(size)); };
    methods.xFree = [](void* /*block*/) { --instance().live_; };
    methods.xRealloc = [](void* block, int size) {
      return instance().resize(block, static_cast<size_t>(size));
    };
    methods.xSize = [](void* block) { return static_cast<int>(size_of(block)); };
    methods.xRoundup = [](int size) { return (size + 15) & ~15; };
    methods.xInit = [](void* /*unused*/) { return SQLITE_OK; };
    methods.xShutdown = [](void* /*unused*/) {};
    const bool is_set = sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK &&
                        sqlite3_config(SQLITE_CONFIG_SINGLETHREAD) == SQLITE_OK &&
                        sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK;
    ASSAY_ENSURE(is_set, "SQLite was in use already");
  }

  static size_t size_of(void* block) {
    size_t size = 0;
    std::memcpy(&size, static_cast<std::byte*>(block) - kHeader, sizeof(size));
    return size;
  }

  void* allocate(size_t size) {
    size = (size + 15) & ~size_t{15};
    if (size + kHeader > kBytes - used_) return nullptr;
    std::byte* header = memory_.data() + used_;
    std::memcpy(header, &size, sizeof(size));
    used_ += size + kHeader;
    ++live_;
    return header + kHeader;
  }

  void* resize(void* block, size_t size) {
    const size_t old_size = size_of(block);
    if (size <= old_size) return block;
    void* larger = allocate(size);
    if (larger == nullptr) return nullptr;
    std::memcpy(larger, block, old_size);
    --live_;
    return larger;
  }

  std::vector<std::byte> memory_;
  size_t used_ = 0, used_before_ = 0;
  long live_ = 0, live_before_ = 0;
};

// One input of a fuzz target: `read` takes its bytes, and whatever SQLite holds afterwards is a
// leak.
template <typename Read>
int run_fuzz_input(const uint8_t* data, size_t size, const Read& read) {
  static SqliteArena& arena = SqliteArena::instance();
  arena.begin();
  read(std::as_bytes(std::span(data, size)));
  arena.end();
  return 0;
}

}  // namespace assay::trace::testing
