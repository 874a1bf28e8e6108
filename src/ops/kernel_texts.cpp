// See kernel_texts.h.
#include "ops/kernel_texts.h"

#include "base/ensure.h"

namespace assay::ops {

std::string_view kernel_text(std::string_view name) {
  for (const base::EmbeddedFile& file : kernel_files()) {
    if (file.path.size() == name.size() + 6 && file.path.starts_with(name)) return file.text;
  }
  ASSAY_ENSURE(false, "no embedded kernel of that name");
  return {};
}

}  // namespace assay::ops
