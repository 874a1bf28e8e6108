// See simple_executor.h. Apart from it because LLVM's JIT takes seconds to include.
#include "codegen/testing/simple_executor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>

#include "kernel/cpu_abi.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"

namespace assay::codegen::testing {
namespace {

using kernel::Combine;
using kernel::Element;
using kernel::SuspendKind;
using kernel::ThreadState;

float as_float(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
uint64_t as_bits(float value) { return std::bit_cast<uint32_t>(value); }

// One step of a reduction on bit patterns; `low` comes from the lower lane.
uint64_t combine(Combine operation, Element element, uint64_t low, uint64_t high) {
  auto pick = [&](auto a, auto b) -> decltype(a) {
    switch (operation) {
      case Combine::kAdd: return a + b;
      case Combine::kMultiply: return a * b;
      case Combine::kMin: return std::min(a, b);
      default: return std::max(a, b);
    }
  };
  if (operation == Combine::kAnd) return low & high;
  if (operation == Combine::kOr) return low | high;
  if (operation == Combine::kXor) return low ^ high;
  switch (element) {
    case Element::kInt32:
      if (operation == Combine::kMin || operation == Combine::kMax) {
        return static_cast<uint32_t>(pick(static_cast<int32_t>(low), static_cast<int32_t>(high)));
      }
      return pick(static_cast<uint32_t>(low), static_cast<uint32_t>(high));
    case Element::kUint32: return pick(static_cast<uint32_t>(low), static_cast<uint32_t>(high));
    case Element::kInt64:
      if (operation == Combine::kMin || operation == Combine::kMax) {
        return static_cast<uint64_t>(pick(static_cast<int64_t>(low), static_cast<int64_t>(high)));
      }
      return pick(low, high);
    case Element::kUint64: return pick(low, high);
    case Element::kFloat32:
      if (operation == Combine::kMin) return as_bits(std::fmin(as_float(low), as_float(high)));
      if (operation == Combine::kMax) return as_bits(std::fmax(as_float(low), as_float(high)));
      return as_bits(pick(as_float(low), as_float(high)));
  }
  return 0;
}

uint64_t identity(Combine operation, Element element, bool is_scan) {
  bool is_float = element == Element::kFloat32;
  bool is_wide = element == Element::kInt64 || element == Element::kUint64;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  switch (operation) {
    case Combine::kAdd: return is_float ? as_bits(is_scan ? 0.0f : -0.0f) : 0;
    case Combine::kMultiply: return is_float ? as_bits(1.0f) : 1;
    case Combine::kMin:
      if (is_float) return as_bits(kInfinity);
      if (element == Element::kInt32) return INT32_MAX;
      return element == Element::kInt64 ? INT64_MAX : (is_wide ? UINT64_MAX : UINT32_MAX);
    case Combine::kMax:
      if (is_float) return as_bits(-kInfinity);
      if (element == Element::kInt32) return static_cast<uint32_t>(INT32_MIN);
      return element == Element::kInt64 ? static_cast<uint64_t>(INT64_MIN) : 0;
    case Combine::kAnd: return is_wide ? UINT64_MAX : UINT32_MAX;
    case Combine::kOr:
    case Combine::kXor: return 0;
  }
  return 0;
}

// The lanes of one simdgroup that execute an operation together; null where a lane is not active.
using Lanes = std::array<ThreadState*, kernel::kSimdgroupWidth>;

void execute_reduce(const Lanes& lanes, const ThreadState& first) {
  std::array<uint64_t, kernel::kSimdgroupWidth> values;
  for (size_t i = 0; i < lanes.size(); ++i) {
    values[i] = lanes[i] ? lanes[i]->operands[0] : identity(first.combine, first.element, false);
  }
  for (size_t offset = first.cluster / 2; offset > 0; offset /= 2) {
    auto previous = values;
    for (size_t i = 0; i < values.size(); ++i) {
      size_t low = std::min(i, i ^ offset), high = std::max(i, i ^ offset);
      values[i] = combine(first.combine, first.element, previous[low], previous[high]);
    }
  }
  for (size_t i = 0; i < lanes.size(); ++i) {
    if (lanes[i]) lanes[i]->results[0] = values[i];
  }
}

void execute_scan(const Lanes& lanes, const ThreadState& first, bool inclusive) {
  uint64_t sum = 0;
  for (size_t i = 0; i < lanes.size(); ++i) {
    if (i % first.cluster == 0) sum = identity(first.combine, first.element, true);
    if (!lanes[i]) continue;
    uint64_t next = combine(first.combine, first.element, sum, lanes[i]->operands[0]);
    lanes[i]->results[0] = inclusive ? next : sum;
    sum = next;
  }
}

void execute_matmul(const Lanes& lanes) {
  float a[8][8] = {}, b[8][8] = {}, c[8][8] = {};
  auto place = [](size_t lane) {
    size_t quad = lane / 4;
    return std::pair((quad & 4) + (lane / 2) % 4, (quad & 2) * 2 + (lane % 2) * 2);
  };
  for (size_t lane = 0; lane < lanes.size(); ++lane) {
    if (!lanes[lane]) continue;
    auto [row, column] = place(lane);
    const uint64_t* operands = lanes[lane]->operands;
    for (size_t i = 0; i < 2; ++i) {
      a[row][column + i] = as_float(operands[i]);
      b[row][column + i] = as_float(operands[2 + i]);
      c[row][column + i] = as_float(operands[4 + i]);
    }
  }
  for (size_t lane = 0; lane < lanes.size(); ++lane) {
    if (!lanes[lane]) continue;
    auto [row, column] = place(lane);
    for (size_t i = 0; i < 2; ++i) {
      float sum = c[row][column + i];
      for (size_t k = 0; k < 8; ++k) sum = std::fma(a[row][k], b[k][column + i], sum);
      lanes[lane]->results[i] = as_bits(sum);
    }
  }
}

void execute_cross_lane(const Lanes& lanes) {
  const ThreadState* first = nullptr;
  for (const ThreadState* lane : lanes) first = first ? first : lane;
  if (first == nullptr) throw std::runtime_error("an operation of no lane");
  switch (first->suspended_at) {
    case SuspendKind::kShuffle:
      for (ThreadState* lane : lanes) {
        if (!lane) continue;
        const ThreadState* source = lanes[lane->operands[1] % kernel::kSimdgroupWidth];
        lane->results[0] = (source ? source : lane)->operands[0];
      }
      return;
    case SuspendKind::kBallot: {
      uint64_t mask = 0;
      for (size_t i = 0; i < lanes.size(); ++i) {
        if (lanes[i]) mask |= lanes[i]->operands[0] << i;
      }
      for (ThreadState* lane : lanes) {
        if (lane) lane->results[0] = mask;
      }
      return;
    }
    case SuspendKind::kReduce: return execute_reduce(lanes, *first);
    case SuspendKind::kScanInclusive: return execute_scan(lanes, *first, true);
    case SuspendKind::kScanExclusive: return execute_scan(lanes, *first, false);
    case SuspendKind::kMatrixMultiplyAccumulate: return execute_matmul(lanes);
    default: return;
  }
}

// An image in memory, ready to run. Lives as long as the code is used.
class LoadedImage {
 public:
  explicit LoadedImage(const kernel::KernelImage& image) : form_(image.form) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    jit_ = check(llvm::orc::LLJITBuilder().create());
    auto generator = check(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
        jit_->getDataLayout().getGlobalPrefix()));
    jit_->getMainJITDylib().addGenerator(std::move(generator));
    llvm::StringRef bytes(reinterpret_cast<const char*>(image.object.data()), image.object.size());
    check(jit_->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(bytes, "kernel")));
    entry_ = check(jit_->lookup(image.entry_symbol)).toPtr<void*>();
  }

  bool is_resumable() const { return form_ == kernel::ExecutionForm::kResumable; }
  void* entry() const { return entry_; }

 private:
  static void check(llvm::Error error) {
    if (error) throw std::runtime_error(toString(std::move(error)));
  }
  template <typename T>
  static T check(llvm::Expected<T> value) {
    if (!value) throw std::runtime_error(toString(value.takeError()));
    return std::move(*value);
  }

  kernel::ExecutionForm form_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  void* entry_ = nullptr;
};

// Runs all threads of one group of a resumable kernel.
class GroupRun {
 public:
  GroupRun(kernel::ResumableEntry entry, const kernel::GroupContext& context)
      : entry_(entry), context_(context) {
    const uint32_t* size = context.threads_per_threadgroup;
    threads_.resize(size_t{size[0]} * size[1] * size[2]);
    size_t bytes = (entry(&context, nullptr, nullptr) + 63) / 64 * 64;
    for (uint32_t i = 0; i < threads_.size(); ++i) {
      threads_[i].state = {};
      threads_[i].state.index_in_threadgroup = i;
      threads_[i].state.position_in_threadgroup[0] = i % size[0];
      threads_[i].state.position_in_threadgroup[1] = i / size[0] % size[1];
      threads_[i].state.position_in_threadgroup[2] = i / size[0] / size[1];
      threads_[i].frame.reset(std::aligned_alloc(64, std::max<size_t>(bytes, 64)));
      std::memset(threads_[i].frame.get(), 0xcd, bytes);
    }
  }

  // Throws when threads wait for something that cannot come.
  void run() {
    for (Thread& thread : threads_) entry_(&context_, &thread.state, thread.frame.get());
    while (true) {
      while (run_simdgroups()) {
      }
      bool any = false;
      for (Thread& thread : threads_) {
        SuspendKind kind = thread.state.suspended_at;
        if (kind == SuspendKind::kFinished) continue;
        if (kind != SuspendKind::kThreadgroupBarrier) throw std::runtime_error("threads are stuck");
        any = true;
      }
      if (!any) return;
      for (Thread& thread : threads_) {
        if (thread.state.suspended_at != SuspendKind::kFinished) {
          kernel::resume_thread(thread.frame.get());
        }
      }
    }
  }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  struct Thread {
    ThreadState state;
    std::unique_ptr<void, Free> frame;
  };

  // Executes one operation per simdgroup, the one with the lowest site.
  bool run_simdgroups() {
    bool progress = false;
    for (size_t start = 0; start < threads_.size(); start += kernel::kSimdgroupWidth) {
      size_t end = std::min<size_t>(start + kernel::kSimdgroupWidth, threads_.size());
      uint32_t lowest = UINT32_MAX;
      for (size_t i = start; i < end; ++i) {
        if (waits_for_lanes(threads_[i])) lowest = std::min(lowest, threads_[i].state.site);
      }
      if (lowest == UINT32_MAX) continue;
      Lanes lanes = {};
      for (size_t i = start; i < end; ++i) {
        bool is_active = waits_for_lanes(threads_[i]) && threads_[i].state.site == lowest;
        lanes[i - start] = is_active ? &threads_[i].state : nullptr;
      }
      execute_cross_lane(lanes);
      for (size_t i = start; i < end; ++i) {
        if (lanes[i - start]) kernel::resume_thread(threads_[i].frame.get());
      }
      progress = true;
    }
    return progress;
  }

  static bool waits_for_lanes(const Thread& thread) {
    return thread.state.suspended_at != SuspendKind::kFinished &&
           thread.state.suspended_at != SuspendKind::kThreadgroupBarrier;
  }

  kernel::ResumableEntry entry_;
  const kernel::GroupContext& context_;
  std::vector<Thread> threads_;
};

}  // namespace

void run(const kernel::KernelImage& image, const Launch& launch) {
  LoadedImage loaded(image);
  std::vector<void*> buffers = launch.buffers;
  buffers.resize(kernel::kMaxBufferSlots);
  std::vector<uint64_t> offsets(kernel::kMaxThreadgroupSlots);
  uint64_t arena_bytes = image.info.static_threadgroup_bytes;
  for (size_t i = 0; i < launch.threadgroup_bytes.size(); ++i) {
    offsets[i] = arena_bytes;
    arena_bytes += (launch.threadgroup_bytes[i] + 15) / 16 * 16;
  }
  std::vector<uint8_t> arena(arena_bytes + 64, 0xa5);
  auto arena_address = (reinterpret_cast<uintptr_t>(arena.data()) + 63) / 64 * 64;

  kernel::GroupContext context;
  context.buffers = buffers.data();
  context.threadgroup_memory = reinterpret_cast<uint8_t*>(arena_address);
  context.threadgroup_offsets = offsets.data();
  Size groups;
  for (int i = 0; i < 3; ++i) {
    groups[i] = (launch.grid[i] + launch.threadgroup[i] - 1) / launch.threadgroup[i];
    context.dispatch_threads_per_threadgroup[i] = launch.threadgroup[i];
    context.threads_per_grid[i] = launch.grid[i];
    context.threadgroups_per_grid[i] = groups[i];
  }
  for (uint32_t group = 0; group < groups[0] * groups[1] * groups[2]; ++group) {
    Size position = {group % groups[0], group / groups[0] % groups[1],
                     group / groups[0] / groups[1]};
    for (int i = 0; i < 3; ++i) {
      context.threadgroup_position_in_grid[i] = position[i];
      context.threads_per_threadgroup[i] =
          std::min(launch.threadgroup[i], launch.grid[i] - position[i] * launch.threadgroup[i]);
    }
    if (loaded.is_resumable()) {
      GroupRun(reinterpret_cast<kernel::ResumableEntry>(loaded.entry()), context).run();
    } else {
      reinterpret_cast<kernel::PlainEntry>(loaded.entry())(&context);
    }
  }
}

}  // namespace assay::codegen::testing
