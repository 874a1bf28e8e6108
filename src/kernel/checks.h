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
  kBlockLoad,      // a struct or array as a whole; its padding need not have values
  kBlockStore,     // the same
  kEarlyLoad,      // a load whose value nobody looks at here; those who do load it again
  kThreadArray,    // an index into an array in thread memory
  kArrayRead,      // an index into an array that is part of another, or of a struct
  kArrayWrite,     // the same
  kUnsetVariable,  // a read of a thread's variable
  kThreadgroupBarrier,
  kSimdgroupBarrier,
  kFence,
  kDivision,
  kShift,
  kIndexWrap,
  kNotFinite,          // an operation on floats
  kNotFiniteExchange,  // one that takes numbers of other lanes, too
  kNotFiniteStore,     // a float on its way to device memory, or used up in another way
  kNotFiniteCast,      // the same, made an integer; insert-checks makes it the one before
  kNotFiniteShared,    // the same to threadgroup memory
  kNotFiniteReceived,  // a float that comes from other lanes of the simdgroup
  kMissingLane,        // a value of a lane that takes no part in a shuffle
  kMissingLaneUse,     // where it matters what that value is
  kUnsetStore,         // behind a store: lanes whose value is not 0 stored what has no value
  kUnsetLoad,          // in front of a load: lanes go on if it reads anything else
};

// The second word of kNotFiniteShared is the number's bits, and this one if it is NaN.
inline constexpr unsigned kSharedNanBit = 63;

// The first word of kNotFinite and kNotFiniteExchange has these bits for the result, lowest, and
// for each operand. kNotFiniteExchange has one more operand, which stands for those of other lanes
// and is NaN or infinity if one of theirs is.
inline constexpr unsigned kFloatClassBits = 3;
inline constexpr uint32_t kFloatNotFinite = 1;
inline constexpr uint32_t kFloatNan = 2;
inline constexpr uint32_t kFloatNegative = 4;

// What a kNotFiniteStore knows about its number, as its second word.
enum class UsedFloat : uint8_t { kInfinity, kNan, kEither };

// What an operation on floats means for an infinity.
enum class FloatRole : uint8_t {
  kOther,
  kHalfProduct,
  kRunningSum,  // of the rounds of a loop, or of lanes
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

// The sites whose results or loads a number may be, as they are or as parts of a choice.
struct FloatSource {
  std::vector<uint32_t> sites;
  bool keeps_sign = false;
};

struct CheckSite {
  SiteKind kind = SiteKind::kLoad;
  SitePlace place = {};                 // the innermost one in the user's code
  std::vector<SitePlace> callers = {};  // where that function is called from, innermost first
  SiteMemory memory = SiteMemory::kNone;
  uint32_t slot = 0;
  std::string object = {};    // name of the argument or variable; empty where it is not known
  SitePlace declared = {};    // of a threadgroup variable: its name in the source
  std::string type = {};      // "float", or the operation: "/", "%", "<<"; "+" of an atomic sum
  uint64_t object_bytes = 0;  // of a variable
  uint64_t bytes = 0;         // of the access
  uint64_t alignment = 1;     // that the code relies on
  // Of barriers and fences: what memory is ordered.
  bool orders_device = false;
  bool orders_threadgroup = false;
  // Of the same: whether what was done before is published, and what others published is seen
  // behind it; by other threadgroups, too.
  bool releases = false;
  bool acquires = false;
  bool reaches_device = false;
  // A load, or the store of what is computed from it to the same place.
  bool is_update = false;
  // Of accesses to a buffer: in a grid of one dimension, thread i accesses only bytes i * own_bytes
  // to (i + 1) * own_bytes of the argument, as long as those lie below 2^31. 0: not known.
  uint64_t own_bytes = 0;
  // Of operations on floats and uses of their results: what each operand may be
  // (kNotFiniteExchange: but the last).
  std::vector<FloatSource> sources = {};
  FloatRole role = FloatRole::kOther;
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

  uint64_t first_of(uint32_t lane) const { return first[lane]; }
  uint64_t rounds_of(uint32_t lane) const { return rounds[lane]; }
};

// The same where lanes have as many rounds each, and one stride in all of them.
struct LineSweep : LaneEvent {
  uint64_t first = 0;  // of lane 0, as in LaneSweep
  uint64_t second = 0;
  uint64_t last = 0;
  uint64_t rounds = 0;
  int64_t stride = 0;  // bytes from lane to lane
  uint64_t object = 0;

  uint64_t first_of(uint32_t lane) const { return first + static_cast<uint64_t>(stride) * lane; }
  uint64_t rounds_of(uint32_t /*lane*/) const { return rounds; }
};

// What the code of a checked kernel may find out about a site by itself; where anything is not
// plainly fine, it asks the checker. Addresses count in 64 bits and wrap around.
struct QuickCheck {
  static constexpr uint64_t kMayDecide = 1;      // fine if it is inside; without this always ask
  static constexpr uint64_t kLooksAtValues = 2;  // and what is read has values; writes are noted
  static constexpr uint64_t kTells = 4;          // the checker still wants to hear of what is fine
  static constexpr uint64_t kMaxBytes = 16;      // larger accesses are always asked about

  uint64_t duties = 0;
  uint64_t begin = 0;  // the object's first byte; code knows it of threadgroup variables
  uint64_t last = 0;   // from there, the last place that has room for the access; the same
  uint64_t flags = 0;  // `flags` + address is where the byte at that address has its flag: 1 if it
                       // has a value
};

// Watches the threadgroups of one launch, one after the other on one host thread. Called from
// kernel code: no function may allocate, lock or rely on a destructor (device/cpu/kernel_guard.h).
class GroupChecker {
 public:
  virtual ~GroupChecker() = default;
  virtual void begin_group(const GroupContext& context) = 0;
  virtual void end_group() = 0;
  // One per site, for the threadgroup that runs.
  virtual const QuickCheck* quick_checks() const = 0;
  // Returns the lanes that may go on with the access; others skip it and load 0.
  virtual uint32_t on_access(const LaneAccess& access) = 0;
  // An access whose lanes code has found fine (see QuickCheck::kTells), but for its order.
  virtual void on_fine_access(const LaneAccess& access) = 0;
  // Whether all these loads are fine: then none of them is told by on_access any more. If not, each
  // is.
  virtual bool on_sweep(const LaneSweep& sweep) = 0;
  virtual bool on_sweep(const LineSweep& sweep) = 0;
  // Something undefined happened in these lanes. `values`: two per lane.
  virtual void on_condition(const LaneEvent& event, const uint64_t* values) = 0;
  // Lanes are about to wait at a barrier, or pass a fence.
  virtual void on_barrier(const LaneEvent& event) = 0;
};

}  // namespace assay::kernel
