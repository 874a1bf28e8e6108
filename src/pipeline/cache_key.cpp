// See cache_key.h. The options are taken apart field by field: a new field stops compiling here
// until somebody says whether it changes the result.
#include "pipeline/cache_key.h"

#include <algorithm>
#include <string>
#include <vector>

#include "pipeline/cache_records.h"
#include "pipeline/compiler_id.h"

namespace assay::pipeline {
namespace {

base::Hasher start_key(std::string_view what) {
  base::Hasher hasher;
  hasher.add(what).add(compiler_id());
  return hasher;
}

}  // namespace

base::Hash128 source_key(const msl::Source& source, const msl::CompileOptions& options) {
  // The limits decide whether there is a result, not which.
  const auto& [include_folders, defines, math_mode, analyse_access, allow_double, debug_info,
               limits] = options;
  base::Hasher key = start_key("source");
  key.add(source.name).add(source.text);
  key.add(include_folders.size());
  for (const std::string& folder : include_folders) key.add(folder);
  key.add(defines.size());
  for (const auto& [name, value] : defines) key.add(name).add(value);
  key.add(static_cast<uint64_t>(math_mode)).add(uint64_t{analyse_access});
  key.add(uint64_t{allow_double}).add(static_cast<uint64_t>(debug_info));
  return key.finish();
}

base::Hash128 content_key(const msl::Reflection& reflection, std::string_view bitcode) {
  return start_key("content").add(encode(reflection)).add(bitcode).finish();
}

base::Hash128 target_key(const codegen::BuildOptions& options) {
  // The texts are beside the image; checks and limits decide whether there is one, and for whom.
  [[maybe_unused]] const auto& [executor, optimisation, cpu, features, checked, debug, keep_ir,
                                emit_assembly, verify, time_limit_s, instruction_limit,
                                vector_instruction_limit] = options;
  return start_key("target")
      .add(static_cast<uint64_t>(executor))
      .add(optimisation)
      .add(uint64_t{checked})
      .add(uint64_t{debug})
      .add(codegen::describe_target(options))
      .finish();
}

base::Hash128 kernel_key(const KernelRequest& request) {
  std::vector<base::Hash128> constants;
  for (const codegen::ConstantValue& value : request.constants) {
    const auto& [index, name, bytes] = value;
    constants.push_back(base::Hasher()
                            .add(name.empty() ? index : 0)
                            .add(name)
                            .add(std::as_bytes(std::span(bytes)))
                            .finish());
  }
  std::ranges::sort(constants);
  base::Hasher key = start_key("kernel");
  key.add(request.library).add(request.target).add(request.kernel);
  for (const base::Hash128& constant : constants) key.add(constant);
  return key.finish();
}

}  // namespace assay::pipeline
