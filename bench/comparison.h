// Times of assay beside a peer's, what is aimed at, and how that is shown.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace assay::bench {

enum class AimKind {
  kTimesFaster,  // than the peer, at least
  kTimesPeer,    // of the peer's time, at most
  kNanoseconds,  // at most
};

struct Aim {
  AimKind kind = AimKind::kTimesFaster;
  double limit = 1;
};

struct Comparison {
  std::string work;
  std::string peer;
  std::vector<Aim> aims;  // all of them have to be reached
  std::vector<double> ours_ns = {};
  std::vector<double> peer_ns = {};
  std::string failure = {};  // why there are no times
};

double best(const std::vector<double>& times);
double median(std::vector<double> times);

// Of the best times: how much longer the peer takes. Nothing where a time is missing.
std::optional<double> times_faster(const Comparison& comparison);
// Nothing where there is no aim or a time is missing.
std::optional<bool> is_reached(const Comparison& comparison);

// Measures into the last of `comparisons`, or notes there why that did not work. Progress goes to
// standard error, beside the results: a whole run takes minutes.
void add_comparison(std::vector<Comparison>& comparisons, Comparison comparison,
                    const std::function<Result<void>(Comparison&)>& measure);

std::string to_table(const std::vector<Comparison>& comparisons);
std::string to_json(const std::vector<Comparison>& comparisons, unsigned threads);

}  // namespace assay::bench
