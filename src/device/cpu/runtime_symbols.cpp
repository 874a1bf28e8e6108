// What LLVM's x86-64 back end may call on its own: block moves, and exact operations for which a
// baseline CPU has no instruction. Nothing here rounds differently from machine to machine.
#include "device/cpu/runtime_symbols.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

// Half-precision conversions of the compiler's runtime. Their real types (half in a vector
// register) cannot be written here; only the addresses matter.
extern "C" {
void half_to_float() asm("__extendhfsf2");
void float_to_half() asm("__truncsfhf2");
void double_to_half() asm("__truncdfhf2");
}

namespace assay::device::cpu {
namespace {

using Symbol = std::pair<std::string_view, const void*>;

template <typename Function>
const void* address_of(Function* function) {
  return reinterpret_cast<const void*>(function);
}

using FloatFunction = float(float);
using FloatFunction2 = float(float, float);
using FloatFunction3 = float(float, float, float);
using DoubleFunction3 = double(double, double, double);

// Sorted by name.
const std::array kSymbols = {
    Symbol{"__extendhfsf2", address_of(&half_to_float)},
    Symbol{"__truncdfhf2", address_of(&double_to_half)},
    Symbol{"__truncsfhf2", address_of(&float_to_half)},
    Symbol{"ceilf", address_of<FloatFunction>(&::ceilf)},
    Symbol{"floorf", address_of<FloatFunction>(&::floorf)},
    Symbol{"fma", address_of<DoubleFunction3>(&::fma)},
    Symbol{"fmaf", address_of<FloatFunction3>(&::fmaf)},
    Symbol{"fmodf", address_of<FloatFunction2>(&::fmodf)},
    Symbol{"ldexpf", address_of<float(float, int)>(&::ldexpf)},
    Symbol{"memcpy", address_of(&std::memcpy)},
    Symbol{"memmove", address_of(&std::memmove)},
    Symbol{"memset", address_of(&std::memset)},
    Symbol{"nearbyintf", address_of<FloatFunction>(&::nearbyintf)},
    Symbol{"rintf", address_of<FloatFunction>(&::rintf)},
    Symbol{"roundf", address_of<FloatFunction>(&::roundf)},
    Symbol{"truncf", address_of<FloatFunction>(&::truncf)},
};

}  // namespace

const void* find_runtime_symbol(std::string_view name) {
  const auto found = std::lower_bound(
      kSymbols.begin(), kSymbols.end(), name,
      [](const Symbol& symbol, std::string_view wanted) { return symbol.first < wanted; });
  if (found == kSymbols.end() || found->first != name) return nullptr;
  return found->second;
}

}  // namespace assay::device::cpu
