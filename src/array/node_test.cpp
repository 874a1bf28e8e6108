#include "array/node.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "array/primitive.h"

namespace assay {
namespace {

class Named final : public Primitive {
 public:
  explicit Named(std::string name) : name_(std::move(name)) {}
  std::string_view name() const override { return name_; }
  void encode(std::span<const array>, std::span<array>, Encoder&) const override {}

 private:
  const std::string name_;
};

// An array with memory, written by an operation on `inputs` in the commands of `completion`.
array write_array(Completion& completion, const std::string& name, std::vector<array> inputs) {
  auto node = std::make_shared<Node>(Shape{3}, float32);
  node->storage = std::make_shared<Storage>();
  array output(node);
  const Operation operation{.primitive = std::make_shared<Named>(name),
                            .inputs = std::move(inputs),
                            .stream = Stream(0, Device::gpu),
                            .output = node};
  completion.log.add(operation, {output}, 1);
  return output;
}

// One dispatch, over already.
std::shared_ptr<device::Submission> submission(const char* error = nullptr) {
  auto made = std::make_shared<device::Submission>(1, "", nullptr);
  device::SubmissionRecorder recorder(*made);
  recorder.submitted(0, 1);
  recorder.dispatch(0).status = error ? device::Status::kFailed : device::Status::kCompleted;
  if (error) recorder.dispatch(0).error = error;
  if (error) recorder.failed(Error{error});
  recorder.done();
  return made;
}

TEST(Completion, knows_failures_of_what_it_depends_on) {
  const auto first = std::make_shared<Completion>(), second = std::make_shared<Completion>();
  const array a = write_array(*first, "a", {}), b = write_array(*second, "b", {a}),
              c = write_array(*second, "c", {});
  second->depends_on(first);
  first->submitted(submission("out of bounds"));
  second->submitted(submission());
  EXPECT_EQ(second->find_failure(*b.node().storage), "out of bounds\n  in a()");
  EXPECT_FALSE(second->find_failure(*c.node().storage));
}

// A thread may begin to wait while another one still adds to the commands.
TEST(Completion, knows_failures_of_what_was_added_while_somebody_waited) {
  const auto first = std::make_shared<Completion>(), second = std::make_shared<Completion>();
  const array a = write_array(*first, "a", {}), b = write_array(*second, "b", {a});
  std::optional<std::string> failure;
  std::thread waiting([&] { failure = second->find_failure(*b.node().storage); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  first->submitted(submission("out of bounds"));
  second->depends_on(first);
  second->submitted(submission());
  waiting.join();
  EXPECT_EQ(failure, "out of bounds\n  in a()");
}

}  // namespace
}  // namespace assay
