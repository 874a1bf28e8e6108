// The clang target that MSL is compiled for: 64-bit little-endian, half and bfloat as real types,
// and a call convention without vector registers so that the IR stays scalar.
#pragma once

#include <clang/Basic/TargetInfo.h>

#include <memory>

namespace clang {
class TargetOptions;
}

namespace assay::msl {

// Data layout of the IR: x86-64 Linux. Devices with another layout agree on every type MSL has.
inline constexpr char kDataLayout[] =
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

llvm::IntrusiveRefCntPtr<clang::TargetInfo> create_metal_target(
    std::shared_ptr<clang::TargetOptions> options);

}  // namespace assay::msl
