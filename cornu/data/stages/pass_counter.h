#pragma once

#include <atomic>
#include <cstdint>

#include "cornu/data/stage.h"

namespace cornu::inline v0::data {

/// The number of the next pass over a stage with random choices: each pass has its own choices.
class PassCounter {
 public:
  PassCounter(std::uint64_t seed, bool changes) : seed_(seed), changes_(changes) {}
  std::uint64_t seed() const { return seed_; }
  std::uint64_t begin_pass(const Iteration& iteration) {
    if (!changes_) return 0;
    return iteration.is_probe ? next_.load() : next_.fetch_add(1);
  }
  /// Continues the count after a restored pass.
  void restore(std::uint64_t pass) {
    if (changes_) next_.store(pass + 1);
  }

 private:
  std::uint64_t seed_;
  bool changes_;
  std::atomic<std::uint64_t> next_ = 0;
};

}  // namespace cornu::inline v0::data
