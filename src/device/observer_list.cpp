// Copy on write, so that delivery needs no lock.
#include "device/observer_list.h"

#include <algorithm>
#include <utility>

namespace assay::device {

void ObserverList::add(std::shared_ptr<Observer> observer) {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Observer>> observers;
  if (observers_ != nullptr) observers = *observers_;
  observers.push_back(std::move(observer));
  replace(std::move(observers));
}

void ObserverList::remove(const Observer* observer) {
  Snapshot kept_alive;  // an observer's destructor must not run under the lock
  const std::lock_guard lock(mutex_);
  if (observers_ == nullptr) return;
  kept_alive = observers_;
  std::vector<std::shared_ptr<Observer>> observers = *observers_;
  std::erase_if(observers, [observer](const auto& each) { return each.get() == observer; });
  replace(std::move(observers));
}

void ObserverList::replace(std::vector<std::shared_ptr<Observer>> observers) {
  Interest interest = Interest::kTimes;
  for (const auto& each : observers) interest = std::max(interest, each->interest());
  interest_.store(interest, std::memory_order_relaxed);
  any_.store(!observers.empty(), std::memory_order_relaxed);
  observers_ = std::make_shared<const std::vector<std::shared_ptr<Observer>>>(std::move(observers));
  version_.fetch_add(1, std::memory_order_release);
}

void ObserverList::View::refresh() {
  Snapshot kept_alive = std::move(observers_);  // as in remove()
  const std::lock_guard lock(list_.mutex_);
  observers_ = list_.observers_;
  version_ = list_.version_.load(std::memory_order_relaxed);
}

}  // namespace assay::device
