// Object and assembly emission with LLVM's code generator, and the check of undefined symbols.
#include "codegen/cpu/emit_object.h"

#include "codegen/cpu/runtime_symbols.h"
#include "fmt/format.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace assay::codegen::cpu {
namespace {

// What does not fit into registers is spilled to the stack, which is aligned to 16 bytes. The code
// generator may align it to whole vectors only if it has a frame pointer, and decides about that
// before it knows of any spill. A vector across two cache lines costs several times as much.
void keep_frame_pointers(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) function.addFnAttr("frame-pointer", "all");
  }
}

Result<llvm::SmallVector<char, 0>> emit(KernelBuild& build, llvm::Module& module,
                                        llvm::CodeGenFileType kind) {
  if (build.options.executor == kernel::Executor::kVector) keep_frame_pointers(module);
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (build.target.addPassesToEmitFile(passes, stream, nullptr, kind,
                                       /*DisableVerify=*/!build.options.verify)) {
    return build.internal_error("LLVM cannot emit this kind of file");
  }
  passes.run(module);
  return bytes;
}

Result<void> check_symbols(KernelBuild& build, llvm::StringRef bytes) {
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> object =
      llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(bytes, "kernel"));
  if (!object) return build.internal_error(toString(object.takeError()));
  for (const llvm::object::SymbolRef& symbol : (*object)->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!flags) return build.internal_error(toString(flags.takeError()));
    if (!(*flags & llvm::object::SymbolRef::SF_Undefined)) continue;
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!name) return build.internal_error(toString(name.takeError()));
    // ELF's symbol 0 has no name.
    if (name->empty() || is_runtime_symbol(*name)) continue;
    if (const llvm::Function* missing = build.module.getFunction(*name)) {
      return build.error(
          fmt::format("it calls '{}', which is declared but has no body; include the "
                      "file that defines it",
                      readable_name(*missing)));
    }
    return build.internal_error(
        fmt::format("the code calls '{}', which no device provides", std::string_view(*name)));
  }
  return {};
}

}  // namespace

Result<std::vector<uint8_t>> emit_object(KernelBuild& build) {
  Result<llvm::SmallVector<char, 0>> bytes =
      emit(build, build.module, llvm::CodeGenFileType::ObjectFile);
  if (!bytes) return bytes.error();
  Result<void> checked = check_symbols(build, llvm::StringRef(bytes->data(), bytes->size()));
  if (!checked) return checked.error();
  return std::vector<uint8_t>(bytes->begin(), bytes->end());
}

Result<std::string> emit_assembly(KernelBuild& build) {
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(build.module);
  Result<llvm::SmallVector<char, 0>> bytes =
      emit(build, *copy, llvm::CodeGenFileType::AssemblyFile);
  if (!bytes) return bytes.error();
  return std::string(bytes->begin(), bytes->end());
}

}  // namespace assay::codegen::cpu
