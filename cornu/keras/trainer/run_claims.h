#pragma once

#include <mutex>
#include <thread>
#include <vector>

#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras {

/// Which threads work with a model now. A model is one thread's at a time, but for predictions: what would
/// come in between is refused before it changes anything. So training beside predictions is refused; where
/// two models share layers, or weights are given other values by set_weights, load_weights or assign, the
/// variables' own claims do the same (detail::VariableClaim): training refuses, and predictions, evaluations
/// and functions keep the version of the weights that they began with.
class RunClaims {
 public:
  /// What a call stands beside: nothing (fit, compile); the runs around it, whose callbacks make it
  /// (evaluate); those and the predictions of other threads (predict).
  enum class Beside { kNothing, kRunsAround, kPredictions };

  /// The claim of one call, while it lives.
  class Claim {
   public:
    /// Errors: FailedPrecondition, naming `caller` and `model`, when another call stands in its way.
    Claim(RunClaims& claims, Beside beside, const char* caller, const Layer& model);
    ~Claim();
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

   private:
    RunClaims& claims_;
    bool is_prediction_;
  };

 private:
  struct Entry {
    std::thread::id thread;
    bool is_prediction;
    bool operator==(const Entry&) const = default;
  };

  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace cornu::inline v0::keras
