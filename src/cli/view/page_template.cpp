// See page_template.h.
#include "cli/view/page_template.h"

#include <fmt/format.h>

#include "base/ensure.h"

namespace assay::cli {
namespace {

std::string_view viewer_file(std::string_view name) {
  for (const base::EmbeddedFile& file : viewer_files()) {
    if (file.path == name) return file.text;
  }
  ASSAY_ENSURE(false, "the viewer was not built in");
}

// In front of the page's first script; see viewer/build/build.mjs.
constexpr std::string_view kPolicyMark = "<!--assay:policy-->";
constexpr std::string_view kDataMark = "<!--assay:data-->";

}  // namespace

std::string page_policy(PageOrigin origin) {
  std::string_view allowed = viewer_file("policy.txt");
  while (!allowed.empty() && allowed.back() == '\n') allowed.remove_suffix(1);
  return fmt::format(
      "default-src 'none'; {}; img-src blob: data:; connect-src {}; base-uri 'none'; "
      "form-action 'none'",
      allowed, origin == PageOrigin::kServer ? "'self'" : "'none'");
}

PageParts page_parts(PageOrigin origin) {
  const std::string_view page = viewer_file("page.html");
  const size_t policy = page.find(kPolicyMark);
  const size_t data = page.find(kDataMark);
  ASSAY_ENSURE(policy != std::string_view::npos && data != std::string_view::npos && policy < data,
               "the viewer's page has no place for its policy and data");
  PageParts parts;
  parts.head =
      fmt::format("{}<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">{}",
                  page.substr(0, policy), page_policy(origin),
                  page.substr(policy + kPolicyMark.size(), data - policy - kPolicyMark.size()));
  parts.tail = page.substr(data + kDataMark.size());
  return parts;
}

}  // namespace assay::cli
