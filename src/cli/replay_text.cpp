// See replay_text.h.
#include "cli/replay_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/format.h"

namespace assay::cli {
namespace {

using base::Colour;
using replay::Difference;
using replay::Outcome;
using replay::Report;

std::string counted(uint64_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

// "1 command differs, 3 commands that read its results differ too"
std::string summary(const Report& report, double tolerance, const Console& console) {
  const uint64_t tolerated = report.count(Outcome::kWithinTolerance);
  std::string text =
      fmt::format("verified {} of {}", report.verified(), counted(report.commands, "command"));
  text += tolerated == 0 ? std::string(" bit for bit\n")
                         : fmt::format(": {} bit for bit, {} within {}\n",
                                       report.count(Outcome::kVerified), tolerated, tolerance);
  text = console.paint(text.substr(0, text.size() - 1),
                       report.has_differences() ? Colour::kRed : Colour::kGreen) +
         "\n";
  text += fmt::format("  {}, {}, {} of memory\n", counted(report.kernels, "kernel"),
                      counted(report.buffers, "buffer"), base::format_bytes(report.peak_bytes));
  for (const replay::ToleratedKernel& kernel : report.tolerated) {
    text += fmt::format("  within {}: {} ({}, {}, up to {})\n", tolerance, kernel.name,
                        counted(kernel.commands, "command"), kernel.reason,
                        counted(kernel.max_ulps, "ulp"));
  }
  if (const uint64_t count = report.count(Outcome::kDiffers)) {
    text += fmt::format("  {} differ{}\n", counted(count, "command"), count == 1 ? "s" : "");
  }
  if (const uint64_t count = report.count(Outcome::kFailed)) {
    text += fmt::format("  {} failed\n", counted(count, "command"));
  }
  if (const uint64_t count = report.count(Outcome::kFollows)) {
    text += fmt::format("  {} behind {} because of what {} read\n", counted(count, "command"),
                        count == 1 ? "differs" : "differ", count == 1 ? "it" : "they");
  }
  if (const uint64_t count = report.count(Outcome::kNotComparable)) {
    text += fmt::format("  {} could not be compared: not deterministic, or failed in the capture\n",
                        counted(count, "command"));
  }
  return text;
}

std::string command_text(const replay::CommandName& command) {
  const bool is_dispatch = command.kind == trace::CommandKind::kDispatch;
  std::string text = fmt::format("{}{}", is_dispatch ? "kernel " : "", command.name);
  if (!command.label.empty() && command.label != command.name) {
    text += fmt::format(" ({})", command.label);
  }
  if (!command.site.empty()) text += fmt::format(", {}", command.site);
  return text;
}

// "float32[7,11]", or what is known of it.
std::string type_text(const Difference& difference) {
  if (difference.array) {
    return fmt::format("{}[{}]", difference.array->dtype, fmt::join(difference.array->shape, ","));
  }
  return fmt::format("bytes {} to {} as {}", difference.range_begin, difference.range_end,
                     difference.dtype);
}

std::string buffer_text(const Difference& difference) {
  std::string text = fmt::format("slot {}", difference.slot);
  if (!difference.argument.empty()) text += fmt::format(" '{}'", difference.argument);
  text += fmt::format(": buffer {}", difference.buffer);
  if (!difference.buffer_label.empty()) text += fmt::format(" '{}'", difference.buffer_label);
  if (difference.array && !difference.array->name.empty()) {
    text += fmt::format(", array '{}'", difference.array->name);
  }
  return text + ", " + type_text(difference);
}

std::string place_text(const replay::Place& place) {
  const replay::Comparison& comparison = place.comparison;
  std::string text = fmt::format("  first at index {}", place.index);
  if (place.coordinates && place.coordinates->size() > 1) {
    text += fmt::format(" [{}]", fmt::join(*place.coordinates, ","));
  }
  text += fmt::format(": captured {}, replayed {}\n", comparison.captured, comparison.replayed);
  text += fmt::format("  {} of {} differ", comparison.differing,
                      counted(comparison.elements, "element"));
  if (comparison.max_ulps)
    text += fmt::format(", by up to {}", counted(*comparison.max_ulps, "ulp"));
  if (comparison.has_new_nan) text += ", NaN among them";
  return text + "\n";
}

std::string difference_text(const Difference& difference, const Console& console) {
  const bool is_failure = difference.outcome == Outcome::kFailed;
  std::string text = fmt::format("\n{}: {}\n",
                                 console.paint(fmt::format("command {} {}", difference.command.id,
                                                           is_failure ? "failed" : "differs"),
                                               Colour::kBold),
                                 command_text(difference.command));
  if (is_failure) return text + fmt::format("  {}\n", difference.error);
  text += fmt::format("  {}\n", buffer_text(difference));
  text += difference.place
              ? place_text(*difference.place)
              : "  where is not known: the contents between two commands are not stored, only "
                "their hash\n";
  if (!difference.repeats) text += "  run again it gives something else: it is not deterministic\n";
  return text;
}

std::string time_table(const Report& report) {
  using base::Align;
  base::Table table({{"kernel"},
                     {"commands", Align::kRight},
                     {"captured", Align::kRight},
                     {"replayed", Align::kRight},
                     {"ratio", Align::kRight},
                     {"rate", Align::kRight}});
  for (const replay::KernelTime& time : report.times) {
    const double ratio = time.captured_ns > 0 ? time.replayed_ns / time.captured_ns : 0;
    table.add_row({time.name, fmt::format("{}", time.commands),
                   base::format_duration(time.captured_ns), base::format_duration(time.replayed_ns),
                   time.captured_ns > 0 ? fmt::format("{:.2f}", ratio) : "-",
                   base::format_rate(static_cast<double>(time.bytes), time.total_ns)});
  }
  return "\n" + table.text();
}

Json place_json(const replay::Place& place) {
  const replay::Comparison& comparison = place.comparison;
  Json json = {{"index", place.index},
               {"captured", comparison.captured},
               {"replayed", comparison.replayed},
               {"elements", comparison.elements},
               {"differing", comparison.differing},
               {"beyond_tolerance", comparison.beyond_tolerance}};
  if (place.coordinates) json["coordinates"] = *place.coordinates;
  if (comparison.max_ulps) json["max_ulps"] = *comparison.max_ulps;
  return json;
}

Json difference_json(const Difference& difference) {
  Json json = {
      {"command", difference.command.id},  {"name", difference.command.name},
      {"label", difference.command.label}, {"site", difference.command.site},
      {"queue", difference.command.queue}, {"failed", difference.outcome == Outcome::kFailed}};
  if (difference.outcome == Outcome::kFailed) {
    json["error"] = difference.error;
    return json;
  }
  json["slot"] = difference.slot;
  json["argument"] = difference.argument;
  json["buffer"] = difference.buffer;
  json["buffer_label"] = difference.buffer_label;
  json["range"] = {difference.range_begin, difference.range_end};
  json["dtype"] = difference.dtype;
  json["repeats"] = difference.repeats;
  if (difference.array) {
    json["array"] = {{"name", difference.array->name}, {"shape", difference.array->shape}};
  }
  if (difference.place) json["first"] = place_json(*difference.place);
  return json;
}

Json times_json(const Report& report) {
  Json rows = Json::array();
  for (const replay::KernelTime& time : report.times) {
    rows.push_back({{"kernel", time.name},
                    {"commands", time.commands},
                    {"captured_milliseconds", time.captured_ns / 1e6},
                    {"replayed_milliseconds", time.replayed_ns / 1e6},
                    {"bytes", time.bytes},
                    {"gigabytes_per_second",
                     time.total_ns > 0 ? static_cast<double>(time.bytes) / time.total_ns : 0}});
  }
  return rows;
}

}  // namespace

std::string replay_text(const Report& report, double tolerance, const Console& console) {
  std::string text = summary(report, tolerance, console);
  constexpr size_t kShown = 5;
  for (size_t i = 0; i < report.differences.size() && i < kShown; ++i) {
    text += difference_text(report.differences[i], console);
  }
  if (report.differences.size() > kShown) {
    text += fmt::format("\n{} more; --json has them\n", report.differences.size() - kShown);
  }
  return report.times.empty() ? text : text + time_table(report);
}

Json replay_json(const Report& report, double tolerance) {
  Json tolerated = Json::array();
  for (const replay::ToleratedKernel& kernel : report.tolerated) {
    tolerated.push_back({{"name", kernel.name},
                         {"reason", kernel.reason},
                         {"commands", kernel.commands},
                         {"max_ulps", kernel.max_ulps}});
  }
  Json differences = Json::array();
  for (const Difference& each : report.differences) differences.push_back(difference_json(each));
  return {{"commands", report.commands},
          {"verified", report.verified()},
          {"bit_for_bit", report.count(Outcome::kVerified)},
          {"within_tolerance", report.count(Outcome::kWithinTolerance)},
          {"not_comparable", report.count(Outcome::kNotComparable)},
          {"differing", report.count(Outcome::kDiffers)},
          {"following", report.count(Outcome::kFollows)},
          {"failed", report.count(Outcome::kFailed)},
          {"tolerance", tolerance},
          {"kernels", report.kernels},
          {"buffers", report.buffers},
          {"peak_bytes", report.peak_bytes},
          {"earlier_commands", report.earlier},
          {"device", report.device},
          {"captured_device", report.captured_device},
          {"differences", std::move(differences)},
          {"tolerated", std::move(tolerated)},
          {"times", times_json(report)},
          {"notes", report.notes}};
}

}  // namespace assay::cli
