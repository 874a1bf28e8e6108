// See metal_target.h. The triple names no real machine: clang then falls back to its default call
// convention, which passes every aggregate by pointer; after inlining nothing of it is left.
#include "msl/metal_target.h"

#include <clang/Basic/Builtins.h>
#include <clang/Basic/MacroBuilder.h>
#include <clang/Basic/TargetOptions.h>

namespace assay::msl {
namespace {

// clang keeps TargetInfo::TargetOpts private and only sets it for its own targets. Explicit
// instantiation may name private members, which gives an outside target the same standing.
template <auto Member>
struct TargetOptionsAccess {
  friend std::shared_ptr<clang::TargetOptions>& target_options(clang::TargetInfo& target) {
    return target.*Member;
  }
};
std::shared_ptr<clang::TargetOptions>& target_options(clang::TargetInfo& target);
template struct TargetOptionsAccess<&clang::TargetInfo::TargetOpts>;

// All MSL address spaces share one flat memory on the CPU; the AST keeps them apart.
constexpr clang::LangASMap kFlatAddressSpaces = {};

class MetalTarget final : public clang::TargetInfo {
 public:
  explicit MetalTarget(std::shared_ptr<clang::TargetOptions> options)
      : clang::TargetInfo(llvm::Triple("unknown-unknown-unknown")) {
    target_options(*this) = std::move(options);
    AddrSpaceMap = &kFlatAddressSpaces;
    PointerWidth = PointerAlign = 64;
    LongWidth = LongAlign = LongLongWidth = LongLongAlign = 64;
    Int64Type = SignedLong;
    IntMaxType = SignedLong;
    SizeType = UnsignedLong;
    PtrDiffType = SignedLong;
    IntPtrType = SignedLong;
    HasLegalHalfType = true;
    HasFloat16 = true;
    HasBFloat16 = true;
    HasFullBFloat16 = true;
    BFloat16Width = BFloat16Align = 16;
    BFloat16Format = &llvm::APFloat::BFloat();
    SuitableAlign = 128;
    MaxAtomicPromoteWidth = MaxAtomicInlineWidth = 64;
    TLSSupported = false;
    BigEndian = false;
    HasStrictFP = true;
    resetDataLayout(kDataLayout);
    support_opencl_features();
  }

  // For OpenCL, `long long` would become a type of 128 bits.
  void adjust(clang::DiagnosticsEngine& diagnostics, clang::LangOptions& options) override {
    clang::TargetInfo::adjust(diagnostics, options);
    LongLongWidth = LongLongAlign = 64;
  }

  void getTargetDefines(const clang::LangOptions&, clang::MacroBuilder&) const override {}
  llvm::ArrayRef<clang::Builtin::Info> getTargetBuiltins() const override { return {}; }
  BuiltinVaListKind getBuiltinVaListKind() const override { return VoidPtrBuiltinVaList; }
  bool validateAsmConstraint(const char*&, ConstraintInfo&) const override { return false; }
  bool hasInt128Type() const override { return false; }
  std::string_view getClobbers() const override { return {}; }
  llvm::ArrayRef<const char*> getGCCRegNames() const override { return {}; }
  llvm::ArrayRef<GCCRegAlias> getGCCRegAliases() const override { return {}; }

 private:
  // What of OpenCL's optional parts MSL has under its own names.
  void support_opencl_features() {
    for (const char* feature :
         {"cl_khr_fp16", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics",
          "__cl_clang_function_pointers", "__cl_clang_variadic_functions", "__cl_clang_bitfields",
          "__cl_clang_non_portable_kernel_param_types", "__opencl_c_generic_address_space",
          "__opencl_c_program_scope_global_variables", "__opencl_c_int64",
          "__opencl_c_atomic_order_acq_rel", "__opencl_c_atomic_order_seq_cst"}) {
      getSupportedOpenCLOpts()[feature] = true;
    }
  }
};

}  // namespace

llvm::IntrusiveRefCntPtr<clang::TargetInfo> create_metal_target(
    std::shared_ptr<clang::TargetOptions> options) {
  return new MetalTarget(std::move(options));
}

}  // namespace assay::msl
