// Loading reads the kernel and what it reaches, whatever else the library holds.
#include "codegen/load_module.h"

#include <gtest/gtest.h>

#include "codegen/testing/build_text.h"

namespace assay::codegen {
namespace {

const char* const kLibrary = R"(
@table = internal constant [2 x ptr] [ptr @from_table, ptr null]
@unused_table = internal constant [1 x ptr] [ptr @other]
@llvm.used = appending global [1 x ptr] [ptr @other], section "llvm.metadata"
define spir_func void @from_table() { ret void }
define linkonce_odr spir_func i32 @helper(i32 %x) "target-cpu"="x86-64" {
  %y = add i32 %x, 1
  ret i32 %y
}
define void @other(ptr %p) { store i32 1, ptr %p ret void }
define spir_func void @k(ptr %p) uwtable {
  %f = load ptr, ptr @table
  call spir_func void %f()
  %v = call spir_func i32 @helper(i32 1)
  store i32 %v, ptr %p
  ret void
})";

Result<LoadedModule> load(const std::string& bitcode, const std::string& symbol,
                          llvm::LLVMContext& context) {
  kernel::KernelInfo info;
  info.name = "name";
  info.symbol = symbol;
  return load_module(bitcode, info, {}, context);
}

TEST(LoadModule, keeps_only_what_the_kernel_reaches) {
  std::string bitcode = testing::to_bitcode(kLibrary);
  llvm::LLVMContext context;
  Result<LoadedModule> loaded = load(bitcode, "k", context);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_NE(loaded->module->getFunction("helper"), nullptr);
  EXPECT_NE(loaded->module->getFunction("from_table"), nullptr);
  EXPECT_EQ(loaded->module->getFunction("other"), nullptr);
  EXPECT_EQ(loaded->module->getNamedGlobal("unused_table"), nullptr);
  EXPECT_EQ(loaded->module->getNamedGlobal("llvm.used"), nullptr);
}

TEST(LoadModule, makes_everything_internal_and_free_of_the_front_ends_target) {
  std::string bitcode = testing::to_bitcode(kLibrary);
  llvm::LLVMContext context;
  Result<LoadedModule> loaded = load(bitcode, "k", context);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  llvm::Function* helper = loaded->module->getFunction("helper");
  EXPECT_TRUE(helper->hasInternalLinkage());
  EXPECT_FALSE(helper->hasFnAttribute("target-cpu"));
  EXPECT_EQ(helper->getCallingConv(), llvm::CallingConv::C);
  EXPECT_FALSE(loaded->kernel->hasFnAttribute(llvm::Attribute::UWTable));
  EXPECT_TRUE(loaded->kernel->doesNotThrow());
}

TEST(LoadModule, reports_a_missing_kernel) {
  std::string bitcode = testing::to_bitcode(kLibrary);
  llvm::LLVMContext context;
  Result<LoadedModule> loaded = load(bitcode, "nobody", context);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().message,
            "[compile] kernel 'name': the library has no function 'nobody'; it was compiled from "
            "other source");
}

TEST(LoadModule, reports_bytes_that_are_no_library) {
  llvm::LLVMContext context;
  for (const std::string& bytes : {std::string(), std::string("not bitcode at all…"),
                                   testing::to_bitcode(kLibrary).substr(0, 400)}) {
    Result<LoadedModule> loaded = load(bytes, "k", context);
    ASSERT_FALSE(loaded.ok());
    EXPECT_NE(loaded.error().message.find("the library cannot be read"), std::string::npos)
        << loaded.error().message;
  }
}

}  // namespace
}  // namespace assay::codegen
