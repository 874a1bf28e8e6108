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

// While callers run their own work, the queue's thread only looks now and then whether something
// was left lying. This bounds the delay of work that nobody waits for, once: then it is woken
// again.
constexpr std::chrono::microseconds kNapTime{100};
// After so many naps without a submission the thread sleeps until it is woken.
constexpr int kQuietNaps = 20;
// Work up to this size (CommandBuffer::work_size) may lie for a nap.
constexpr uint64_t kSmallWork = 16384;

}  // namespace

class SerialQueue::Core : public SubmissionWaiter, public std::enable_shared_from_this<Core> {
 public:
  Core(std::shared_ptr<DeviceState> device, std::shared_ptr<DispatchRunner> runner)
      : device_(std::move(device)), runner_(std::move(runner)) {}

  enum class Wake : uint8_t { kNow, kNever };
  // kNever: the caller waits at once.
  std::shared_ptr<Submission> submit(std::unique_ptr<CommandBuffer> commands, Wake wake);
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
  void wait_for_work(Lock& lock);
  void nap(Lock& lock);
  bool leave_to_caller(Lock& lock);

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
  bool callers_run_ = false;  // the last item was run by the thread that waited for it
  bool napping_ = false;      // the queue's thread will look again by itself
  int quiet_naps_ = 0;
  uint64_t submit_count_ = 0;

  // Copies of the state above for spinning without the lock.
  std::atomic<bool> work_hint_ = false;  // something is pending
  std::atomic<uint64_t> finished_count_ = 0;
};

std::shared_ptr<Submission> SerialQueue::Core::submit(std::unique_ptr<CommandBuffer> commands,
                                                      Wake wake) {
  auto submission =
      std::make_shared<Submission>(commands->id(), commands->label(), shared_from_this());
  const uint64_t time_ns = now_ns();
  SubmissionRecorder(*submission).submitted(time_ns, commands->dispatch_count());
  if (!device_->observers.empty()) {
    const auto description = describe(*commands, time_ns);
    device_->observers.notify([&](Observer& observer) { observer.on_submit(description); });
  }
  const bool is_small = commands->work_size() <= kSmallWork;
  bool notify = false;
  {
    const Lock lock(mutex_);
    pending_.push_back({std::move(commands), submission});
    last_ = submission;
    ++submit_count_;
    work_hint_.store(true, std::memory_order_relaxed);
    notify = wake == Wake::kNow && !busy_ && !(napping_ && is_small);
  }
  if (notify) work_.notify_one();
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
      callers_run_ = true;
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
    if (!can_run()) {
      wait_for_work(lock);
    } else if (!leave_to_caller(lock)) {
      callers_run_ = false;
      run_front(lock);
    }
  }
}

void SerialQueue::Core::wait_for_work(Lock& lock) {
  if (callers_run_ && !stopping_) {
    nap(lock);
    return;
  }
  lock.unlock();
  const bool work =
      spin_until([&] { return work_hint_.load(std::memory_order_relaxed); }, kSpinTime);
  lock.lock();
  if (work) return;
  work_.wait(lock, [&] { return can_run() || is_drained() || callers_run_; });
}

void SerialQueue::Core::nap(Lock& lock) {
  const uint64_t submitted = submit_count_;
  napping_ = true;
  work_.wait_for(lock, kNapTime);
  napping_ = false;
  quiet_naps_ = submit_count_ == submitted ? quiet_naps_ + 1 : 0;
  if (quiet_naps_ < kQuietNaps) return;
  quiet_naps_ = 0;
  callers_run_ = false;
}

// Work that was submitted just now is probably about to be run by its submitter. True when it is
// gone.
bool SerialQueue::Core::leave_to_caller(Lock& lock) {
  if (!callers_run_ || stopping_) return false;
  const uint64_t age_ns = now_ns() - pending_.front().submission->submitted_ns();
  const auto grace = std::chrono::nanoseconds(kSpinTime) - std::chrono::nanoseconds(age_ns);
  if (grace.count() <= 0) return false;
  lock.unlock();
  spin_until([&] { return !work_hint_.load(std::memory_order_relaxed); }, grace);
  lock.lock();
  return !can_run();
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

std::shared_ptr<Submission> SerialQueue::reject_foreign(const CommandBuffer* commands) {
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
  return nullptr;
}

std::shared_ptr<Submission> SerialQueue::submit(std::unique_ptr<CommandBuffer> commands) {
  if (auto rejected = reject_foreign(commands.get())) return rejected;
  return core_->submit(std::move(commands), Core::Wake::kNow);
}

std::shared_ptr<Submission> SerialQueue::run(std::unique_ptr<CommandBuffer> commands) {
  if (auto rejected = reject_foreign(commands.get())) return rejected;
  auto submission = core_->submit(std::move(commands), Core::Wake::kNever);
  // The outcome is in the submission. Inside a callback of this queue waiting is refused; then the
  // thread that runs the callback goes on with what is pending.
  static_cast<void>(submission->wait());
  return submission;
}

Result<void> SerialQueue::wait() { return core_->wait_for_all(); }

}  // namespace assay::device
