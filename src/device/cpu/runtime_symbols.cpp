// What LLVM's x86-64 back end may call on its own: block moves, exact operations for which a
// baseline CPU has no instruction, and the C library's functions of double, which Metal does not
// have and arrays of float64 need. Only those may round differently from machine to machine.
#include "device/cpu/runtime_symbols.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "device/cpu/check_calls.h"
#include "device/cpu/print_calls.h"

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
using DoubleFunction = double(double);
using DoubleFunction2 = double(double, double);
using DoubleFunction3 = double(double, double, double);

// Sorted by name.
const std::array kSymbols = {
    Symbol{"__extendhfsf2", address_of(&half_to_float)},
    Symbol{"__truncdfhf2", address_of(&double_to_half)},
    Symbol{"__truncsfhf2", address_of(&float_to_half)},
    Symbol{"acos", address_of<DoubleFunction>(&::acos)},
    Symbol{"asin", address_of<DoubleFunction>(&::asin)},
    Symbol{"assay_check_access", address_of(&check_access)},
    Symbol{"assay_check_barrier", address_of(&check_barrier)},
    Symbol{"assay_check_condition", address_of(&check_condition)},
    Symbol{"assay_check_fine_access", address_of(&check_fine_access)},
    Symbol{"assay_check_line_sweep", address_of(&check_line_sweep)},
    Symbol{"assay_check_sweep", address_of(&check_sweep)},
    Symbol{"assay_print", address_of(&print)},
    Symbol{"atan", address_of<DoubleFunction>(&::atan)},
    Symbol{"ceil", address_of<DoubleFunction>(&::ceil)},
    Symbol{"ceilf", address_of<FloatFunction>(&::ceilf)},
    Symbol{"cos", address_of<DoubleFunction>(&::cos)},
    Symbol{"cosh", address_of<DoubleFunction>(&::cosh)},
    Symbol{"exp", address_of<DoubleFunction>(&::exp)},
    Symbol{"exp2", address_of<DoubleFunction>(&::exp2)},
    Symbol{"floor", address_of<DoubleFunction>(&::floor)},
    Symbol{"floorf", address_of<FloatFunction>(&::floorf)},
    Symbol{"fma", address_of<DoubleFunction3>(&::fma)},
    Symbol{"fmaf", address_of<FloatFunction3>(&::fmaf)},
    Symbol{"fmod", address_of<DoubleFunction2>(&::fmod)},
    Symbol{"fmodf", address_of<FloatFunction2>(&::fmodf)},
    Symbol{"ldexp", address_of<double(double, int)>(&::ldexp)},
    Symbol{"ldexpf", address_of<float(float, int)>(&::ldexpf)},
    Symbol{"log", address_of<DoubleFunction>(&::log)},
    Symbol{"log10", address_of<DoubleFunction>(&::log10)},
    Symbol{"log2", address_of<DoubleFunction>(&::log2)},
    Symbol{"memcpy", address_of(&std::memcpy)},
    Symbol{"memmove", address_of(&std::memmove)},
    Symbol{"memset", address_of(&std::memset)},
    Symbol{"nearbyint", address_of<DoubleFunction>(&::nearbyint)},
    Symbol{"nearbyintf", address_of<FloatFunction>(&::nearbyintf)},
    Symbol{"pow", address_of<DoubleFunction2>(&::pow)},
    Symbol{"rint", address_of<DoubleFunction>(&::rint)},
    Symbol{"rintf", address_of<FloatFunction>(&::rintf)},
    Symbol{"round", address_of<DoubleFunction>(&::round)},
    Symbol{"roundf", address_of<FloatFunction>(&::roundf)},
    Symbol{"sin", address_of<DoubleFunction>(&::sin)},
    Symbol{"sincos", address_of<void(double, double*, double*)>(&::sincos)},
    Symbol{"sinh", address_of<DoubleFunction>(&::sinh)},
    Symbol{"tan", address_of<DoubleFunction>(&::tan)},
    Symbol{"tanh", address_of<DoubleFunction>(&::tanh)},
    Symbol{"trunc", address_of<DoubleFunction>(&::trunc)},
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
