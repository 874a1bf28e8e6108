// See page_file.h. Blocks of data are scripts of a kind that browsers do not run: gzip in base64.
#include "cli/view/page_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <vector>

#include "analysis/page/page_sections.h"
#include "base/ensure.h"
#include "cli/view/page_template.h"

namespace assay::cli {
namespace {

constexpr std::string_view kSections[] = {"core", "traffic", "bindings", "dependencies", "report"};

std::string compress(std::string_view bytes) {
  constexpr int kGzip = 15 + 16;  // window bits, and gzip's frame around them
  z_stream stream = {};
  ASSAY_ENSURE(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8,
                            Z_DEFAULT_STRATEGY) == Z_OK,
               "zlib has no memory");
  std::string packed;
  std::vector<char> piece(1 << 18);
  // zlib counts input in 32 bits.
  constexpr size_t kMostInput = size_t{1} << 30;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0) {
      const std::string_view input = bytes.substr(0, kMostInput);
      bytes.remove_prefix(input.size());
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
      stream.avail_in = static_cast<uInt>(input.size());
    }
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    status = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    ASSAY_ENSURE(status != Z_STREAM_ERROR, "zlib lost its state");
    packed.append(piece.data(), piece.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return packed;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) {
      group = group << 8 | (k < count ? static_cast<uint8_t>(bytes[i + k]) : 0u);
    }
    for (size_t k = 0; k < 4; ++k) {
      text += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

// Names are our own words and numbers: nothing in them needs escaping.
Result<void> write_block(const std::string& name, std::string_view bytes, const WritePiece& write) {
  const Result<void> begun =
      write(fmt::format("<script type=\"application/x-assay\" data-name=\"{}\">", name));
  if (!begun) return begun;
  if (Result<void> written = write(base64(compress(bytes))); !written) return written;
  return write("</script>\n");
}

Result<void> write_trace(const TraceShelf& shelf, size_t trace, const WritePiece& write) {
  for (const std::string_view name : kSections) {
    const Result<std::string> section = shelf.load_section(trace, name);
    if (!section) return section.error();
    const Result<void> written = write_block(fmt::format("{}/{}", trace, name), *section, write);
    if (!written) return written;
  }
  const Result<std::vector<std::string>> small = shelf.small_sections(trace);
  if (!small) return small.error();
  for (const std::string& name : *small) {
    const Result<std::string> section = shelf.load_section(trace, name);
    // One that is damaged is missing from the page, which says so where it would be shown.
    if (!section) continue;
    const Result<void> written = write_block(fmt::format("{}/{}", trace, name), *section, write);
    if (!written) return written;
  }
  return {};
}

}  // namespace

Result<void> write_page(const TraceShelf& shelf, const WritePiece& write) {
  const PageParts parts = page_parts(PageOrigin::kFile);
  Result<void> written = write(parts.head);
  if (written) written = write_block("traces", shelf.list(), write);
  for (size_t trace = 0; written && trace < shelf.count(); ++trace) {
    written = write_trace(shelf, trace, write);
  }
  if (written && shelf.count() == 2) {
    const Result<std::string> comparison = shelf.load_section(0, "compare/1");
    if (!comparison) return comparison.error();
    written = write_block("0/compare/1", *comparison, write);
  }
  if (written) written = write(parts.tail);
  return written;
}

}  // namespace assay::cli
