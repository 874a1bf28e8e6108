// What observers see: commands with their memory, labels and times, and the objects around them.
// Texts and pointers are valid while the callback that hands them over runs. Origins and arrays
// come from above unread, so that tools can show call sites and arrays that no device knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/dispatch.h"
#include "kernel/kernel_image.h"
#include "kernel/matrix_product.h"

namespace assay::kernel {

// Nanoseconds of the steady clock; 0 where the moment never came.
struct DispatchTimes {
  uint64_t submitted_ns = 0;
  uint64_t started_ns = 0;
  uint64_t ended_ns = 0;
};

enum class BindingKind : uint8_t { kBuffer, kBytes, kThreadgroupMemory };

struct BindingDescription {
  BindingKind kind = BindingKind::kBuffer;
  uint32_t slot = 0;
  Access access = Access::kNone;  // by the code of the command; kNone where it is not used at all
  uint64_t buffer_id = 0;         // 0 unless a buffer
  uint64_t offset = 0;            // bytes into the buffer
  uint64_t bytes = 0;             // from `offset` to the end of the range, or the size given
  // What the command sees at this slot; null for threadgroup memory. On an asynchronous device only
  // the callbacks before and after the run may look at it.
  const std::byte* data = nullptr;
  // The whole buffer behind the range.
  std::span<const std::byte> buffer = {};
  std::string_view buffer_label = {};
};

// The array that a slot holds, in the words of the layer above.
struct ArrayDescription {
  uint32_t slot = 0;
  std::string name;   // as the user calls it; may be empty
  std::string dtype;  // "float32"
  std::vector<int64_t> shape = {};
  std::vector<int64_t> strides = {};  // in elements
  // Bytes from the bound place to the lowest element, and to behind the highest.
  int64_t low = 0;
  int64_t high = 0;
  // The command is there to give every element a value.
  bool is_result = false;
  // Nothing has written its memory yet.
  bool is_new = false;
};

// What a command is for, as far as the layer above told.
enum class CommandRole : uint8_t {
  kUnknown,
  kElementwise,  // could be one kernel with others of its kind
  kOperation,    // any other op of arrays
  kCustom,       // a kernel of the user
  kForcedCopy,   // of an input that had to be row-contiguous
};

enum class CommandKind : uint8_t { kDispatch, kFill, kCopy, kMatrixProduct, kWait, kSignal };

struct CommandPlace {
  uint64_t command_buffer_id = 0;
  uint32_t index = 0;  // in it
};

struct CommandDescription {
  CommandKind kind = CommandKind::kDispatch;
  uint64_t queue_id = 0;
  uint64_t command_buffer_id = 0;
  uint32_t index = 0;  // of the command in its command buffer
  std::string_view label = {};
  std::string_view origin = {};
  std::span<const ArrayDescription> arrays = {};
  CommandRole role = CommandRole::kUnknown;
  uint64_t bytes_read = 0, bytes_written = 0;  // of its arrays; both 0 where nobody told
  // Earlier commands of the same evaluation that wrote what this one reads.
  std::span<const CommandPlace> reads_from = {};
  // Everything the command uses. Slots of a kernel; 0 and 1 for the source and target of a copy, 1
  // for the target of a fill; 0, 1 and 2 for A, B and C of a matrix product.
  std::vector<BindingDescription> bindings = {};

  // Dispatch.
  uint64_t kernel_id = 0;
  const KernelInfo* kernel = nullptr;
  const KernelOrigin* kernel_origin = nullptr;  // null where nobody told
  LaunchSize size = {};
  // Fill.
  uint8_t fill_value = 0;
  // Matrix product.
  const MatrixProduct* product = nullptr;
  // Wait, signal.
  uint64_t event_id = 0;
  uint64_t event_value = 0;
};

struct BufferDescription {
  uint64_t id = 0;
  uint64_t bytes = 0;
  std::string_view label = {};
  bool reused = false;  // memory came from the pool: it holds what an earlier buffer left
  std::span<const std::byte> contents = {};
};

struct QueueDescription {
  uint64_t id = 0;
  std::string_view label = {};
};

struct SubmitDescription {
  uint64_t queue_id = 0;
  std::string_view queue_label = {};
  uint64_t command_buffer_id = 0;
  std::string_view label = {};
  uint64_t command_count = 0;
  uint64_t submitted_ns = 0;
};

// What a thread of the program does for its arrays; see `spans` in trace/schema/schema.sql.
enum class HostActivity : uint8_t { kBuild, kEncode, kCompile, kWait, kRead, kStart, kMakeKernel };

// Told at its end, by the thread itself.
struct HostSpanDescription {
  HostActivity activity = HostActivity::kBuild;
  uint64_t started_ns = 0;
  uint64_t ended_ns = 0;
  std::string_view label = {};
  std::string_view origin = {};
};

// `image` is null for a kernel that was not loaded from an image.
struct LoadDescription {
  uint64_t kernel_id = 0;
  std::string_view kernel = {};
  const KernelImage* image = nullptr;
};

}  // namespace assay::kernel
