// What the compiler tells about a kernel: its name, arguments, memory and limits. Plain data shared
// by compiler, devices and tools; no behaviour.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::kernel {

enum class AddressSpace : uint8_t { kDevice, kConstant, kThreadgroup, kThread };

// How the kernel's own code uses the memory behind an argument.
enum class Access : uint8_t { kNone, kRead, kWrite, kReadWrite };

// The thread-position attributes of a compute kernel, in MSL's words (see attribute_name()).
enum class ThreadAttribute : uint8_t {
  kThreadPositionInGrid,
  kThreadPositionInThreadgroup,
  kThreadIndexInThreadgroup,
  kThreadgroupPositionInGrid,
  kThreadsPerGrid,
  kThreadsPerThreadgroup,
  kThreadgroupsPerGrid,
  kDispatchThreadsPerThreadgroup,
  kGridOrigin,
  kGridSize,
  kThreadIndexInSimdgroup,
  kSimdgroupIndexInThreadgroup,
  kSimdgroupsPerThreadgroup,
  kDispatchSimdgroupsPerThreadgroup,
  kThreadsPerSimdgroup,
  kThreadExecutionWidth,
  kThreadIndexInQuadgroup,
  kQuadgroupIndexInThreadgroup,
  kQuadgroupsPerThreadgroup,
  kDispatchQuadgroupsPerThreadgroup,
};

enum class ArgumentKind : uint8_t { kBuffer, kThreadgroupMemory, kThreadAttribute };

struct Argument {
  std::string name;
  ArgumentKind kind = ArgumentKind::kBuffer;
  // [[buffer(n)]] or [[threadgroup(n)]]; unused for thread attributes.
  uint32_t slot = 0;
  // The parameter's type as the user would write it, for example "const device float*".
  std::string type;
  AddressSpace address_space = AddressSpace::kDevice;
  Access access = Access::kNone;
  // True for `T&`: the host binds one value.
  bool is_reference = false;
  // Size and alignment of the pointee in bytes; 0 when it is incomplete (void).
  uint64_t element_bytes = 0;
  uint64_t element_alignment = 0;
  // Name of the bool function constant that decides whether the argument exists.
  std::optional<std::string> present_if;

  // For thread attributes: which one, how many components the parameter has (1 for a scalar) and
  // how many bytes each component has (2 for ushort, 4 for uint).
  ThreadAttribute attribute = ThreadAttribute::kThreadPositionInGrid;
  uint32_t components = 1;
  uint32_t component_bytes = 4;
};

// A `constant T name [[function_constant(n)]]` of the library, given a value when a kernel is
// built.
struct FunctionConstant {
  std::string name;    // as written in the source
  uint32_t index = 0;  // n
  std::string type;    // "bool", "int", "ushort2", …
  std::string symbol;  // external global in the IR that holds the value
  std::string
      defined_symbol;  // external i8 global: 1 when the host gave a value; empty if never asked
  uint64_t bytes = 0;  // size of the value
};

struct KernelInfo {
  std::string name;    // host name: what the user asks for
  std::string symbol;  // function in the IR
  std::string file;    // where the kernel is defined
  uint32_t line = 0;
  std::vector<Argument> arguments;  // in the order of the function's parameters
  // 0 when the source does not say.
  uint32_t max_total_threads_per_threadgroup = 0;
  // Bytes of `threadgroup` variables declared by the kernel and the functions it reaches.
  uint64_t static_threadgroup_bytes = 0;
  // Names of the function constants the kernel depends on.
  std::vector<std::string> function_constants;

  // Of a buffer or threadgroup memory; null where the slot has none.
  const Argument* find_argument(ArgumentKind kind, uint32_t slot) const {
    for (const Argument& argument : arguments) {
      if (argument.kind == kind && argument.slot == slot) return &argument;
    }
    return nullptr;
  }
};

}  // namespace assay::kernel
