#pragma once

#include <mutex>
#include <thread>
#include <vector>

#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras {

/// The calls that use a model now. Only one thread may use a model at a time, except for concurrent
/// predictions; any other overlapping call is refused before it changes anything. So training beside
/// predictions is refused. For models that share layers, and for weights set by set_weights, load_weights or
/// assign, the claims of variables do the same (detail::VariableClaim): training refuses, and predictions,
/// evaluations and functions keep the version of the weights that they began with.
class ReentrancyGuard {
 public:
  /// The calls that may be active at the same time: none (fit, compile); the runs around it, whose callbacks
  /// make it (evaluate); those and predictions of other threads (predict).
  enum class Beside { kNothing, kRunsAround, kPredictions };

  /// The claim of one call, held for its lifetime.
  class Claim {
   public:
    /// Errors: FailedPrecondition, naming `caller` and `model`, if another call conflicts.
    Claim(ReentrancyGuard& claims, Beside beside, const char* caller, const Layer& model);
    ~Claim();
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

   private:
    ReentrancyGuard& claims_;
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
