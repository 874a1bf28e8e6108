// See host_contestants.h.
#include "bench/host_contestants.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/thread_pool.h"

namespace assay::bench {
namespace {

class HostContestant : public Contestant {
 public:
  explicit HostContestant(const Workload& workload) : workload_(workload) {
    for (uint64_t bytes : workload.buffer_bytes) storage_.emplace_back(bytes);
    contents_.assign(storage_.begin(), storage_.end());
  }

  Result<void> fill() override {
    for (Bytes bytes : contents_) std::ranges::fill(bytes, std::byte{0});
    workload_.fill(contents_);
    return {};
  }

  Result<std::string> check() override {
    return workload_.check(std::vector<ConstBytes>(contents_.begin(), contents_.end()));
  }

 protected:
  Bytes contents(size_t index) const { return contents_[index]; }

 private:
  const Workload& workload_;
  std::vector<std::vector<std::byte>> storage_;
  std::vector<Bytes> contents_;
};

class CopyContestant : public HostContestant {
 public:
  CopyContestant(const Workload& workload, unsigned threads)
      : HostContestant(workload), threads_(threads), pool_(threads - 1) {}

  Result<void> launch() override {
    // Some pieces per thread, so that a thread that loses its core does not hold up the copy.
    const uint64_t pieces = threads_ * 16;
    const uint64_t bytes = contents(0).size() / pieces;
    pool_.parallel_for(pieces, [this, bytes](uint64_t piece) {
      std::memcpy(contents(1).data() + piece * bytes, contents(0).data() + piece * bytes, bytes);
    });
    return {};
  }

  Result<std::string> check() override {
    return std::string(std::ranges::equal(contents(0), contents(1)) ? "" : "not a copy");
  }

 private:
  const unsigned threads_;
  base::ThreadPool pool_;
};

class OpenblasContestant : public HostContestant {
 public:
  OpenblasContestant(const Workload& workload, unsigned threads) : HostContestant(workload) {
    openblas_set_num_threads(static_cast<int>(threads));
  }

  Result<void> launch() override {
    std::span<float> result = as<float>(contents(2));
    const int size = static_cast<int>(std::lround(std::sqrt(static_cast<double>(result.size()))));
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1.0f,
                as<float>(contents(0)).data(), size, as<float>(contents(1)).data(), size, 0.0f,
                result.data(), size);
    return {};
  }
};

}  // namespace

Result<std::unique_ptr<Contestant>> make_copy(const Workload& workload, unsigned threads) {
  if (workload.buffer_bytes.size() < 2) return Error{"a copy needs two buffers"};
  return std::unique_ptr<Contestant>(std::make_unique<CopyContestant>(workload, threads));
}

Result<std::unique_ptr<Contestant>> make_openblas(const Workload& workload, unsigned threads) {
  if (workload.buffer_bytes.size() != 3) return Error{"a product needs three matrices"};
  return std::unique_ptr<Contestant>(std::make_unique<OpenblasContestant>(workload, threads));
}

}  // namespace assay::bench
