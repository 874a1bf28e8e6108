// Checked kernels: what the compiler notes about the places it watches, and the calls their code
// makes while it runs. codegen writes the table and the calls, device/cpu passes them on, whoever
// checks implements the interfaces.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernel/cpu_abi.h"

namespace assay::kernel {

enum class SiteKind : uint8_t {
  kLoad,
  kStore,
  kAtomicLoad,
  kAtomicStore,
  kAtomicUpdate,
  kBlockLoad,    // a struct or array as a whole; its padding need not have values
  kBlockStore,   // the same
  kThreadArray,  // an index into an array in thread memory
  kThreadgroupBarrier,
  kSimdgroupBarrier,
  kFence,
  kDivision,
  kShift,
  kIndexWrap,
  kNotFinite,       // an operation on floats
  kNotFiniteStore,  // a float on its way to device memory
};

enum class SiteMemory : uint8_t {
  kNone,
  kBuffer,               // the argument `slot`
  kThreadgroupArgument,  // the argument `slot`
  kThreadgroupVariable,
  kThread,
  kSeveral,  // one of several arguments and threadgroup variables
  kUnknown,  // whatever the address belongs to; may be memory that nobody told us of
};

// A place in the source; lines and columns count from 1, 0 where unknown.
struct SitePlace {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
};

struct CheckSite {
  SiteKind kind = SiteKind::kLoad;
  SitePlace place = {};                 // the innermost one in the user's code
  std::vector<SitePlace> callers = {};  // where that function is called from, innermost first
  SiteMemory memory = SiteMemory::kNone;
  uint32_t slot = 0;
  std::string object = {};    // name of the argument or variable; empty where it is not known
  SitePlace declared = {};    // of a threadgroup variable: its name in the source
  std::string type = {};      // "float", or the operation: "/", "%", "<<"
  uint64_t object_bytes = 0;  // of a variable
  uint64_t bytes = 0;         // of the access
  uint64_t alignment = 1;     // that the code relies on
  // Of barriers: what memory is ordered.
  bool orders_device = false;
  bool orders_threadgroup = false;
  // A load, or the store of what is computed from it to the same place.
  bool is_update = false;
};

// Of one checked kernel. Site numbers are indices.
struct CheckTable {
  std::vector<CheckSite> sites;
};

// Up to 32 threads at one site at once. Lane i is the thread `first_thread` + i of the threadgroup;
// only lanes in `mask` count.
struct LaneEvent {
  uint32_t site = 0;
  uint32_t mask = 0;
  uint32_t first_thread = 0;
};

struct LaneAccess : LaneEvent {
  uint64_t address = 0;                 // of lane 0 where `addresses` is null
  int64_t stride = 0;                   // bytes from lane to lane
  const uint64_t* addresses = nullptr;  // one per lane
  const uint64_t* values = nullptr;     // what is stored, one per lane; null: 0
  uint64_t object = 0;                  // address of the variable's start; 0 where unknown

  uint64_t lane_address(uint32_t lane) const {
    return addresses != nullptr ? addresses[lane] : address + static_cast<uint64_t>(stride) * lane;
  }
};

// Loads that lanes will make at a site in the rounds of a loop, without waiting for other threads
// in between. All arrays have one element per lane.
struct LaneSweep : LaneEvent {
  const uint64_t* first = nullptr;   // address in the first round
  const uint64_t* second = nullptr;  // in the second, also if there is none
  const uint64_t* last = nullptr;    // in the last
  const uint64_t* rounds = nullptr;  // may be 0, then the addresses mean nothing
  uint64_t object = 0;               // as in LaneAccess
};

// Watches the threadgroups of one launch, one after the other on one host thread. Called from
// kernel code: no function may allocate, lock or rely on a destructor (device/cpu/kernel_guard.h).
class GroupChecker {
 public:
  virtual ~GroupChecker() = default;
  virtual void begin_group(const GroupContext& context) = 0;
  virtual void end_group() = 0;
  // Returns the lanes that may go on with the access; others skip it and load 0.
  virtual uint32_t on_access(const LaneAccess& access) = 0;
  // Whether all these loads are fine: then none of them is told by on_access any more. If not, each
  // is.
  virtual bool on_sweep(const LaneSweep& sweep) = 0;
  // Something undefined happened in these lanes. `values`: two per lane.
  virtual void on_condition(const LaneEvent& event, const uint64_t* values) = 0;
  // Lanes are about to wait at a barrier, or pass a fence.
  virtual void on_barrier(const LaneEvent& event) = 0;
};

}  // namespace assay::kernel
