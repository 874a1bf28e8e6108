// Work that several threads ask for at the same time is done by one of them, for all.
#pragma once

#include <future>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "base/result.h"

namespace assay::pipeline {

enum class Keep { kSuccess, kNothing };

// Thread-safe. `Value` should be cheap to copy.
template <typename Value>
class SingleFlight {
 public:
  explicit SingleFlight(Keep keep) : keep_(keep) {}

  // The result of `work` for `key`: another thread's if one is at it or, with kSuccess, has done
  // it. A failure is never kept: the next call may come with more time or memory. `work` must not
  // ask for the same key.
  template <typename Work>
  Result<Value> get(const base::Hash128& key, const Work& work) {
    std::promise<Result<Value>> promise;
    std::shared_future<Result<Value>> result;
    bool is_worker = false;
    {
      const std::lock_guard lock(mutex_);
      auto [entry, is_new] = results_.try_emplace(key);
      if (is_new) entry->second = promise.get_future().share();
      result = entry->second;
      is_worker = is_new;
    }
    if (!is_worker) return result.get();
    Result<Value> value = work();
    if (!value || keep_ == Keep::kNothing) {
      const std::lock_guard lock(mutex_);
      results_.erase(key);
    }
    promise.set_value(value);
    return value;
  }

 private:
  const Keep keep_;
  std::mutex mutex_;
  std::unordered_map<base::Hash128, std::shared_future<Result<Value>>> results_;
};

}  // namespace assay::pipeline
