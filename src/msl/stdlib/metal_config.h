// Words and macros that every other header of the Metal standard library leans on.
#pragma once

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable

#define METAL_FUNC inline __attribute__((always_inline))
#define METAL_INTERNAL inline __attribute__((always_inline))
#define METAL_CONST constant
#define METAL_ALIGN(n) __attribute__((aligned(n)))
#define METAL_ASM_LABEL(name) __asm__(name)

// Qualifier of methods that serve objects in thread, device and threadgroup memory alike, and
// results of calls, which are in none of them. A method without qualifier is for thread memory.
#define ASSAY_ANY __generic

// Memory that other devices may see: all memory is, here.
#define coherent(scope)

// Address space of results by reference in metal_math_scalar.h.
#define ASSAY_THREAD thread

// Flags that private math functions take as their last argument.
#define __METAL_PRECISE_MATH__ 0
#define __METAL_FAST_MATH__ 1
#ifdef __FAST_MATH__
#define __METAL_MAYBE_FAST_MATH__ __METAL_FAST_MATH__
#define ASSAY_DEFAULT_MATH fast
#else
#define __METAL_MAYBE_FAST_MATH__ __METAL_PRECISE_MATH__
#define ASSAY_DEFAULT_MATH precise
#endif

#define __METAL_MEMORY_ORDER_RELAXED__ 0
#define __METAL_MEMORY_ORDER_SEQ_CST__ 5
#define __METAL_MEMORY_SCOPE_THREAD__ 0
#define __METAL_MEMORY_SCOPE_SIMDGROUP__ 1
#define __METAL_MEMORY_SCOPE_THREADGROUP__ 2
#define __METAL_MEMORY_SCOPE_DEVICE__ 3
#define __METAL_MEMORY_SCOPE_SYSTEM__ 4
