// The version comes from the build, so that it stands in one place.
#include "assay/version.h"

namespace assay {

std::string_view version() { return ASSAY_VERSION; }

}  // namespace assay
