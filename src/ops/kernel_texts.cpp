// See kernel_texts.h.
#include "ops/kernel_texts.h"

#include <algorithm>

#include "base/ensure.h"

namespace assay::ops {

std::string_view kernel_text(std::string_view name) {
  for (const base::EmbeddedFile& file : kernel_files()) {
    if (file.path.size() == name.size() + 6 && file.path.starts_with(name)) return file.text;
  }
  ASSAY_ENSURE(false, "no embedded kernel of that name");
  return {};
}

std::string write_prelude(std::initializer_list<Dtype> types) {
  std::string text = "#include <metal_stdlib>\n";
  if (std::ranges::find(types, complex64) != types.end()) text += kernel_text("complex");
  if (std::ranges::find(types, float64) != types.end()) {
    // Some functions of double start from those of float.
    text += kernel_text("elementwise");
    text += kernel_text("double");
  }
  return text;
}

}  // namespace assay::ops
