// See operation_log.h.
#include "array/operation_log.h"

#include "array/node.h"
#include "array/primitive.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace assay {
namespace {

std::string describe_type(Dtype dtype, std::span<const int32_t> shape) {
  return fmt::format("{}({}{})", dtype_name(dtype), fmt::join(shape, ","),
                     shape.size() == 1 ? "," : "");
}

std::string describe_call(const Primitive& primitive, const std::vector<std::string>& inputs,
                          CallSitePtr site) {
  std::string text = fmt::format("{}({})", primitive.name(), fmt::join(inputs, ", "));
  if (site) text += fmt::format("\n  created at {}", assay::describe(site));
  return text;
}

}  // namespace

std::string describe_operation(const Operation& operation) {
  std::vector<std::string> inputs;
  for (const array& input : operation.inputs) {
    inputs.push_back(describe_type(input.dtype(), input.shape()));
  }
  return describe_call(*operation.primitive, inputs, operation.site);
}

void OperationLog::reserve(size_t operations) {
  constexpr size_t kInputs = 2, kFactsPerInput = 4;
  entries_.reserve(operations);
  inputs_.reserve(kInputs * operations);
  outputs_.reserve(operations);
  facts_.reserve(kInputs * kFactsPerInput * operations);
}

void OperationLog::add(const Operation& operation, const std::vector<array>& outputs,
                       uint32_t dispatch_end) {
  for (const array& input : operation.inputs) {
    const Node& node = input.node();
    inputs_.push_back(node.storage.get());
    facts_.push_back(static_cast<int32_t>(node.dtype.val()));
    facts_.push_back(static_cast<int32_t>(node.shape.size()));
    facts_.insert(facts_.end(), node.shape.begin(), node.shape.end());
  }
  for (const array& output : outputs) outputs_.push_back(output.node().storage.get());
  entries_.push_back({operation.primitive, operation.site, dispatch_end,
                      static_cast<uint32_t>(inputs_.size()), static_cast<uint32_t>(outputs_.size()),
                      static_cast<uint32_t>(facts_.size())});
}

void OperationLog::clear() { *this = {}; }

std::string OperationLog::describe(size_t number) const {
  const Entry& entry = entries_[number];
  std::span<const int32_t> facts(facts_);
  facts = facts.first(entry.facts_end).subspan(number == 0 ? 0 : entries_[number - 1].facts_end);
  std::vector<std::string> inputs;
  while (!facts.empty()) {
    const auto rank = static_cast<size_t>(facts[1]);
    const Dtype named(static_cast<Dtype::Val>(facts[0]), 0);
    inputs.push_back(describe_type(named, facts.subspan(2, rank)));
    facts = facts.subspan(2 + rank);
  }
  return describe_call(*entry.primitive, inputs, entry.site);
}

Failures OperationLog::find_failures(const std::vector<FailedDispatch>& failed,
                                     const Failures& known) const {
  Failures failures = known;
  auto next = failed.begin();
  Entry begin{};
  for (size_t number = 0; number < entries_.size(); ++number) {
    const Entry& entry = entries_[number];
    std::string reason;
    for (; next != failed.end() && next->index < entry.dispatch_end; ++next) {
      if (reason.empty()) reason = fmt::format("{}\n  in {}", next->message, describe(number));
    }
    for (uint32_t i = begin.inputs_end; i < entry.inputs_end && reason.empty(); ++i) {
      if (const auto found = failures.find(inputs_[i]); found != failures.end()) {
        reason = found->second;
      }
    }
    for (uint32_t i = begin.outputs_end; i < entry.outputs_end; ++i) {
      if (reason.empty()) {
        failures.erase(outputs_[i]);  // memory that was given to somebody else since
      } else {
        failures.try_emplace(outputs_[i], reason);
      }
    }
    begin = entry;
  }
  return failures;
}

Failures OperationLog::fail_all(const std::string& message) const {
  Failures failures;
  for (const Storage* output : outputs_) failures.try_emplace(output, message);
  return failures;
}

}  // namespace assay
