// See language.h. The base is "C++ for OpenCL 2021".
#include "msl/language.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/LangOptions.h>
#include <clang/Basic/LangStandard.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Scope.h>
#include <clang/Sema/Sema.h>
#include <llvm/TargetParser/Triple.h>

namespace assay::msl {

void set_metal_language(clang::LangOptions& options, MathMode math_mode) {
  std::vector<std::string> no_includes;
  clang::LangOptions::setLangDefaults(options, clang::Language::OpenCLCXX, llvm::Triple(),
                                      no_includes, clang::LangStandard::lang_openclcpp2021);
  options.OpenCLGenericAddressSpace = true;
  options.OpenCLPipes = false;
  options.DeclareOpenCLBuiltins = false;
  options.IncludeDefaultHeader = false;
  options.CXXOperatorNames = true;
  options.DeclSpecKeyword = true;           // swizzles are properties
  options.SinglePrecisionConstants = true;  // `1.0` is a float: Metal has no double
  options.NativeHalfType = true;
  options.NativeHalfArgsAndReturns = true;
  options.MathErrno = false;
  options.Blocks = false;
  options.GNUAsm = false;
  options.InstantiationDepth = 1024;
  options.ConstexprCallDepth = 512;
  options.ConstexprStepLimit = 1 << 22;
  options.BracketDepth = 256;
  options.PCHInstantiateTemplates = true;
  options.SpellChecking = true;
  // Bits must not depend on which operations a device happens to fuse.
  options.setDefaultFPContractMode(clang::LangOptions::FPM_Off);
  if (math_mode == MathMode::kFast) {
    options.FastMath = true;
    options.UnsafeFPMath = true;
    options.AllowFPReassoc = true;
    options.NoSignedZero = true;
    options.AllowRecip = true;
    options.ApproxFunc = true;
  }
}

void set_metal_keywords(clang::Preprocessor& preprocessor) {
  clang::IdentifierTable& table = preprocessor.getIdentifierTable();
  // Words that are reserved in OpenCL and plain names in Metal.
  for (const char* word :
       {"local", "global", "generic", "pipe", "read_only", "write_only", "read_write", "kernel",
        "vec_step", "image1d_t", "image2d_t", "image3d_t", "image1d_array_t", "image2d_array_t",
        "image1d_buffer_t", "image2d_depth_t", "image2d_array_depth_t", "addrspace_cast"}) {
    clang::IdentifierInfo& name = table.get(word);
    if (name.getTokenID() != clang::tok::identifier) name.revertTokenIDToIdentifier();
  }
}

void forget_opencl_names(clang::Sema& sema) {
  // to_local, work_group_reserve_read_pipe, printf, …
  for (auto& entry : sema.PP.getIdentifierTable()) {
    clang::IdentifierInfo& name = *entry.second;
    if (name.getBuiltinID() != 0 && !name.getName().starts_with("__")) name.clearBuiltinID();
  }
  // event_t, sampler_t, queue_t, …
  std::vector<clang::TypedefDecl*> types;
  for (clang::Decl* declaration : sema.TUScope->decls()) {
    auto* type = llvm::dyn_cast<clang::TypedefDecl>(declaration);
    if (type && type->isImplicit() && !type->getName().starts_with("__")) types.push_back(type);
  }
  for (clang::TypedefDecl* type : types) {
    sema.TUScope->RemoveDecl(type);
    sema.IdResolver.RemoveDecl(type);
    type->getDeclContext()->removeDecl(type);
  }
}

std::string predefined_macros() {
  return R"(#define __METAL__ 1
#define __METAL_VERSION__ 320
#define __METAL_MACOS__ 1
#define __HAVE_BFLOAT__ 1
#define __HAVE_SIMDGROUP_MATRIX__ 1
#define __HAVE_SIMDGROUP_REDUCTION__ 1
#define __HAVE_QUADGROUP_REDUCTION__ 1
#define __HAVE_ATOMIC_ULONG__ 1
#define __HAVE_INT64__ 1
#define __ASSAY__ 1
#undef __OPENCL_CPP_VERSION__
#undef __OPENCL_C_VERSION__
#undef __OPENCL_VERSION__
#undef __CL_CPP_VERSION_1_0__
#undef __CL_CPP_VERSION_2021__
#undef CL_VERSION_1_0
#undef CL_VERSION_1_1
#undef CL_VERSION_1_2
#undef CL_VERSION_2_0
#undef CL_VERSION_3_0
#undef __IMAGE_SUPPORT__
#undef cl_khr_fp16
)";
}

}  // namespace assay::msl
