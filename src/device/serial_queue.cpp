// The thread, the list of pending command buffers and the hand-over between threads.
#include "device/serial_queue.h"

#include <fmt/format.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <system_error>
#include <utility>

#include "device/clock.h"
#include "device/describe.h"
#include "device/spin.h"

namespace assay::device {
namespace {

// How long a thread stays awake for work or an end that comes soon. Longer than the gap between
// two small submissions, short against a time slice.
constexpr std::chrono::microseconds kSpinTime{20};

}  // namespace

class SerialQueue::Core : public SubmissionWaiter, public std::enable_shared_from_this<Core> {
 public:
  Core(std::shared_ptr<DeviceState> device, std::shared_ptr<DispatchRunner> runner)
      : device_(std::move(device)), runner_(std::move(runner)) {}

  std::shared_ptr<Submission> submit(std::unique_ptr<CommandBuffer> commands);
  std::shared_ptr<Submission> reject(Error error);
  Result<void> wait_until_done(const Submission& submission) override;
  Result<void> wait_for_all();

  void run_until_stopped();
  void stop();
  // True when this thread is inside a command or handler of this queue.
  bool runs_on_this_thread();

 private:
  struct Item {
    std::unique_ptr<CommandBuffer> commands;
    std::shared_ptr<Submission> submission;
  };
  using Lock = std::unique_lock<std::mutex>;

  bool can_run() const { return !busy_ && !pending_.empty(); }
  bool is_drained() const { return stopping_ && !busy_ && pending_.empty(); }
  void run_front(Lock& lock);

  const std::shared_ptr<DeviceState> device_;
  const std::shared_ptr<DispatchRunner> runner_;
  std::stop_source stop_;

  std::mutex mutex_;                  // guards what follows
  std::condition_variable work_;      // the queue's thread sleeps here
  std::condition_variable finished_;  // waiting threads sleep here
  std::deque<Item> pending_;
  std::shared_ptr<Submission> last_;
  std::optional<Error> first_error_;  // since the last wait_for_all()
  std::thread::id runner_thread_;     // meaningful while busy_
  bool busy_ = false;                 // some thread runs the item that was in front
  bool stopping_ = false;

  // Copies of the state above for spinning without the lock.
  std::atomic<bool> work_hint_ = false;
  std::atomic<uint64_t> finished_count_ = 0;
};

std::shared_ptr<Submission> SerialQueue::Core::submit(std::unique_ptr<CommandBuffer> commands) {
  auto submission =
      std::make_shared<Submission>(commands->id(), commands->label(), shared_from_this());
  const uint64_t time_ns = now_ns();
  SubmissionRecorder(*submission).submitted(time_ns, commands->dispatch_count());
  if (!device_->observers.empty()) {
    const auto description = describe(*commands, time_ns);
    device_->observers.notify([&](Observer& observer) { observer.on_submit(description); });
  }
  bool wake = false;
  {
    const Lock lock(mutex_);
    pending_.push_back({std::move(commands), submission});
    last_ = submission;
    work_hint_.store(true, std::memory_order_relaxed);
    wake = !busy_;
  }
  if (wake) work_.notify_one();
  return submission;
}

std::shared_ptr<Submission> SerialQueue::Core::reject(Error error) {
  auto submission = std::make_shared<Submission>(0, std::string(), shared_from_this());
  SubmissionRecorder recorder(*submission);
  recorder.submitted(now_ns(), 0);
  recorder.failed(error);
  recorder.done();
  const Lock lock(mutex_);
  if (!first_error_.has_value()) first_error_ = std::move(error);
  return submission;
}

// Takes the front item and runs it without the lock.
void SerialQueue::Core::run_front(Lock& lock) {
  Item item = std::move(pending_.front());
  pending_.pop_front();
  busy_ = true;
  work_hint_.store(false, std::memory_order_relaxed);
  runner_thread_ = std::this_thread::get_id();
  lock.unlock();

  run_commands(*item.commands, *runner_, *device_, *item.submission, stop_.get_token());
  // Buffers go back to the pool before anyone sees the submission as done.
  item.commands.reset();

  lock.lock();
  busy_ = false;
  if (item.submission->error().has_value() && !first_error_.has_value()) {
    first_error_ = item.submission->error();
  }
  SubmissionRecorder(*item.submission).done();
  finished_count_.fetch_add(1, std::memory_order_release);
  if (last_ == item.submission) last_.reset();
  finished_.notify_all();
  if (!pending_.empty()) work_hint_.store(true, std::memory_order_relaxed);
  if (!pending_.empty() || stopping_) work_.notify_one();
}

Result<void> SerialQueue::Core::wait_until_done(const Submission& submission) {
  Lock lock(mutex_);
  while (!submission.done()) {
    if (busy_ && runner_thread_ == std::this_thread::get_id()) {
      return Error{
          fmt::format("[wait] command buffer {} '{}' is waited for inside a callback of its "
                      "own queue, which would never end; wait after the callback",
                      submission.id(), submission.label())};
    }
    if (can_run()) {
      run_front(lock);
      continue;
    }
    const uint64_t finished = finished_count_.load(std::memory_order_relaxed);
    lock.unlock();
    const bool progress = spin_until(
        [&] { return finished_count_.load(std::memory_order_acquire) != finished; }, kSpinTime);
    lock.lock();
    if (progress) continue;
    finished_.wait(lock, [&] { return submission.done() || can_run(); });
  }
  return {};
}

Result<void> SerialQueue::Core::wait_for_all() {
  std::shared_ptr<Submission> last;
  {
    const Lock lock(mutex_);
    last = last_;
  }
  if (last != nullptr) {
    if (Result<void> waited = wait_until_done(*last); !waited) return waited;
  }
  const Lock lock(mutex_);
  if (!first_error_.has_value()) return {};
  return *std::exchange(first_error_, std::nullopt);
}

void SerialQueue::Core::run_until_stopped() {
  Lock lock(mutex_);
  while (!is_drained()) {
    if (can_run()) {
      run_front(lock);
      continue;
    }
    lock.unlock();
    const bool work =
        spin_until([&] { return work_hint_.load(std::memory_order_relaxed); }, kSpinTime);
    lock.lock();
    if (!work) work_.wait(lock, [&] { return can_run() || is_drained(); });
  }
}

void SerialQueue::Core::stop() {
  {
    const Lock lock(mutex_);
    stopping_ = true;
  }
  stop_.request_stop();
  work_.notify_all();
}

bool SerialQueue::Core::runs_on_this_thread() {
  const Lock lock(mutex_);
  return busy_ && runner_thread_ == std::this_thread::get_id();
}

SerialQueue::SerialQueue(std::shared_ptr<DeviceState> device,
                         std::shared_ptr<DispatchRunner> runner, std::string label)
    : Queue(device, std::move(label)),
      core_(std::make_shared<Core>(std::move(device), std::move(runner))) {}

Result<std::unique_ptr<Queue>> SerialQueue::create(std::shared_ptr<DeviceState> device,
                                                   std::shared_ptr<DispatchRunner> runner,
                                                   std::string label) {
  std::unique_ptr<SerialQueue> queue(
      new SerialQueue(std::move(device), std::move(runner), std::move(label)));
  try {
    queue->thread_ = std::thread([core = queue->core_] { core->run_until_stopped(); });
  } catch (const std::system_error& error) {
    return Error{fmt::format("[queue] the system gives no thread for queue '{}': {}",
                             queue->label(), error.what())};
  }
  return std::unique_ptr<Queue>(std::move(queue));
}

SerialQueue::~SerialQueue() {
  core_->stop();
  if (!thread_.joinable()) return;
  // Destroyed inside one of its own callbacks: that callback must return before the thread can end.
  if (core_->runs_on_this_thread()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

std::shared_ptr<Submission> SerialQueue::submit(std::unique_ptr<CommandBuffer> commands) {
  if (commands == nullptr) {
    return core_->reject(
        Error{"[submit] the command buffer is null; it can be submitted only once"});
  }
  if (commands->queue_id() != id() || commands->device() != device().get()) {
    return core_->reject(
        Error{fmt::format("[submit] command buffer {} '{}' was made by another queue; "
                          "submit it there",
                          commands->id(), commands->label())});
  }
  return core_->submit(std::move(commands));
}

Result<void> SerialQueue::wait() { return core_->wait_for_all(); }

}  // namespace assay::device
