#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "cornu/ir/op_def.h"

/// Properties of a loop that its gradient uses.
namespace cornu::inline v0::ops {

/// Numbers of carried values.
using CarriedSet = std::set<std::size_t>;

/// A carried integer that counts: `condition` is `counter < bound` (or <=, >, >=) and the body adds a
/// constant.
struct LoopCounter {
  std::size_t index = 0;
  ir::Value init, bound;  // values from outside the loop
  std::int64_t step = 1;
  /// The bound itself is counted too: <= or >=.
  bool inclusive = false;
};

/// An integer that is `first` in the first iteration and grows by `step`.
struct Progression {
  std::int64_t first = 0, step = 0;
  bool operator==(const Progression&) const = default;
};

class LoopAnalysis {
 public:
  explicit LoopAnalysis(const ir::Op& loop);

  std::size_t num_carried() const { return loop_.operands().size(); }
  const ir::Block& condition() const { return loop_.region(0); }
  const ir::Block& body() const { return loop_.region(1); }
  const std::optional<LoopCounter>& counter() const { return counter_; }
  /// The body returns it as it is.
  bool is_invariant(std::size_t carried) const {
    return body().results()[carried] == body().arguments()[carried];
  }

  /// The carried values that the next value of `carried` depends on, and whether it depends on one of
  /// `values` from outside.
  const CarriedSet& sources(std::size_t carried) const { return sources_[carried]; }
  bool depends_on(std::size_t carried, std::span<const ir::Value> values) const;

  /// `some` and all that their next values depend on, one iteration after the other.
  CarriedSet closure(CarriedSet some) const;
  /// The carried values that the condition looks at.
  CarriedSet condition_sources() const;

  /// The number of iterations, when it is known now.
  std::optional<std::int64_t> static_trip_count() const { return trip_count_; }

  /// A scalar of the body, if the number of iterations is known and it is a constant, or a sum of counters and constants
  /// that does not wrap.
  std::optional<Progression> progression_of(ir::Value value) const;

  /// True if the number of iterations is known and the loop, without reading the carried tensor, writes slice after slice
  /// of its first dimension, all of them: its initial value does not matter.
  bool is_overwritten(std::size_t carried) const;

 private:
  void find_progressions();

  const ir::Op& loop_;
  std::optional<LoopCounter> counter_;
  std::optional<std::int64_t> trip_count_;
  std::unordered_map<ir::Value, Progression, ir::ValueHash> progressions_;  // without constants
  std::vector<CarriedSet> sources_;
  std::vector<std::vector<ir::Value>> outside_;
};

/// The carried values among what `wanted`, values of the block, are computed from; the other values from
/// outside go to `outside`.
CarriedSet argument_sources(const ir::Block& block, std::span<const ir::Value> wanted,
                            std::vector<ir::Value>* outside = nullptr);

}  // namespace cornu::inline v0::ops
