// Waiting for streams, and the memory of arrays.
#include <stdexcept>

#include "array/call_site.h"
#include "assay/memory.h"
#include "assay/metal.h"
#include "device/host_span.h"
#include "eval/engine.h"
#include "eval/evaluation_listener.h"

namespace assay {

void synchronize(Stream stream) {
  Engine& engine = Engine::get();
  std::shared_ptr<device::Submission> last;
  {
    const std::lock_guard lock(engine.mutex());
    StreamQueue& queue = engine.stream(stream);
    engine.submit(queue);
    last = queue.last_submission;
  }
  if (!last) return;
  const device::HostSpan waiting(kernel::HostActivity::kWait, "synchronize",
                                 [] { return describe(find_call_site(std::source_location())); });
  if (const Result<void> done = last->wait(); !done) throw std::runtime_error(done.error().message);
}

void synchronize_all() {
  Engine& engine = Engine::get();
  std::vector<std::shared_ptr<device::Submission>> last;
  {
    const std::lock_guard lock(engine.mutex());
    last = engine.submit_all();
  }
  // Failures belong to whoever waits for the arrays.
  for (const std::shared_ptr<device::Submission>& each : last) (void)each->wait();
}

void synchronize() { synchronize(default_stream(default_device())); }

void clear_streams() {
  for (const Stream& stream : get_streams()) synchronize(stream);
}

}  // namespace assay
