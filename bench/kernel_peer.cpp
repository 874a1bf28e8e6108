// The peers of kernel_bench and check_bench, in a process of their own: PoCL's LLVM must not share
// one with ours, and Oclgrind takes the place of PoCL in programs that it starts.
//   kernel_peer THREADS [small]
// Obeys lines on standard input and answers each with one line:
//   prepare PEER WORKLOAD  "ok" when the result is right
//   time LAUNCHES CLOCK    nanoseconds per launch of what is prepared
//   compile NUMBER CLOCK   nanoseconds in which PoCL makes a small kernel, new for each number
// CLOCK is "wall" or "processor". The answer can always be "no" and the reason.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <span>
#include <sstream>

#include "bench/host_contestants.h"
#include "bench/opencl_contestant.h"

namespace {

using assay::Error;
using assay::Result;
using assay::bench::Clock;
using assay::bench::Contestant;

struct Options {
  unsigned threads = 1;
  assay::bench::Scale scale = assay::bench::Scale::kFull;
};

Result<std::unique_ptr<Contestant>> make_peer(const std::string& peer, const std::string& name,
                                              const Options& options) {
  const assay::bench::Workload* workload = assay::bench::find_workload(name, options.scale);
  if (workload == nullptr) return Error{"unknown workload " + name};
  if (peer == "PoCL" || peer == "Oclgrind") return assay::bench::make_opencl(*workload);
  if (peer == "copy") return assay::bench::make_copy(*workload, options.threads);
  if (peer == "OpenBLAS") return assay::bench::make_openblas(*workload, options.threads);
  return Error{"unknown peer " + peer};
}

// One line, whatever the message holds.
void answer_error(const Error& error) {
  std::string line = error.message;
  for (char& character : line)
    if (character == '\n') character = ' ';
  std::cout << "no " << line << std::endl;
}

void answer_time(const Result<double>& time) {
  if (!time) return answer_error(time.error());
  std::cout << std::fixed << *time << std::endl;
}

class Peers {
 public:
  explicit Peers(const Options& options) : options_(options) {}

  void obey(const std::string& line) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    if (command == "prepare") return prepare(words);
    unsigned number = 0;
    std::string name;
    words >> number >> name;
    const Clock clock = name == "processor" ? Clock::kProcessor : Clock::kWall;
    if (command == "compile") return answer_time(assay::bench::compile_with_pocl(number, clock));
    if (command == "time" && contestant_ != nullptr)
      return answer_time(assay::bench::time_launches(*contestant_, number, clock));
    answer_error(Error{"cannot obey: " + line});
  }

 private:
  void prepare(std::istringstream& words) {
    std::string peer;
    std::string workload;
    words >> peer >> workload;
    contestant_.reset();
    auto made = make_peer(peer, workload, options_);
    Result<void> verified = made ? assay::bench::verify(**made) : made.error();
    if (!verified) return answer_error(verified.error());
    contestant_ = std::move(*made);
    std::cout << "ok" << std::endl;
  }

  const Options options_;
  std::unique_ptr<Contestant> contestant_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::span words(argv, static_cast<size_t>(argc));
  Options options;
  if (words.size() > 1) options.threads = static_cast<unsigned>(std::atoi(words[1]));
  if (words.size() > 2 && std::string_view(words[2]) == "small")
    options.scale = assay::bench::Scale::kSmall;
  Peers peers(options);
  for (std::string line; std::getline(std::cin, line);) peers.obey(line);
  return 0;
}
