#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/config/fields.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/optimizers/optimizer.h"

namespace cornu::inline v0::keras::optimizers {

/// Optimizers by the paths of variables: the one whose key is the path; else the one whose key, a regular
/// expression, matches the whole path; else the default one.
///
///     optimizers::OptimizerMap map(optimizers::SGD(), {{"encoder/.*", optimizers::Adam()}});
class OptimizerMap {
 public:
  using Entry = std::pair<std::string, OptimizerSpec>;

  /// A map without a default optimizer, which MultiOptimizer refuses.
  OptimizerMap() = default;
  /// Errors: those of set().
  explicit OptimizerMap(OptimizerSpec default_optimizer, const std::vector<Entry>& optimizer_map = {});

  /// Adds an optimizer.
  /// Errors: InvalidArgument for a key that exists, an unset optimizer, a LossScaleOptimizer and a
  ///         MultiOptimizer.
  void set(const StringArgument& key, OptimizerSpec optimizer);
  /// The optimizer of a variable of this path; null without a default one.
  /// Errors: InvalidArgument for a key that is no regular expression, and if several keys match.
  std::shared_ptr<Optimizer> at(const StringArgument& path) const;
  /// Null if there is none.
  const std::shared_ptr<Optimizer>& default_optimizer() const { return default_optimizer_; }
  const std::vector<std::pair<std::string, std::shared_ptr<Optimizer>>>& entries() const { return entries_; }

 private:
  std::shared_ptr<Optimizer> default_optimizer_;
  std::vector<std::pair<std::string, std::shared_ptr<Optimizer>>> entries_;
};

/// Conversion to and from a configuration, Keras's object of the class OptimizerMap. See
/// config/values_support.h.
Config write_value(const OptimizerMap& value, const saving::Place& place);
void read_value(const Config& config, const saving::Place& place, OptimizerMap& value);

struct MultiOptimizerOptions {  // options/optimizers.toml
  /// Optimizers by the paths of variables; required, unless a function is given.
  OptimizerMap optimizer_map = {};
  /// Factor of the loss, positive, by which gradients are divided again; unset: 1.
  std::optional<double> loss_scale_factor = {};
  /// Name in messages and files; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
};
CORNU_FIELDS(MultiOptimizerOptions, optimizer_map, loss_scale_factor, name)

/// Updates each variable by one of several optimizers.
///
///     model.compile({.optimizer = optimizers::MultiOptimizer(
///                        optimizers::OptimizerMap(optimizers::SGD(), {{"encoder/.*", optimizers::Adam()}})),
///                    .loss = "mse"});
///
/// Each optimizer clips and decays as if it had only its own variables. There is no learning rate of all:
/// learning_rate() and set_learning_rate() throw FailedPrecondition, as in Keras; use optimizers(). The
/// factor loss_scale_factor replaces those of the optimizers.
/// Errors: InvalidArgument if the function or the map returns an undefined optimizer, a LossScaleOptimizer or
///         a MultiOptimizer for a variable. get_config() throws Unimplemented with a function.
class MultiOptimizer : public OptimizerHandle {
 public:
  explicit MultiOptimizer(MultiOptimizerOptions options);
  explicit MultiOptimizer(NoOptions) : MultiOptimizer(MultiOptimizerOptions{}) {}
  explicit MultiOptimizer(OptimizerMap optimizer_map)
      : MultiOptimizer(MultiOptimizerOptions{.optimizer_map = std::move(optimizer_map)}) {}
  /// A function that returns the optimizer of a variable.
  explicit MultiOptimizer(std::function<OptimizerHandle(const Variable&)> optimizer_of,
                          MultiOptimizerOptions options = {});
  /// The optimizers in the order of the map, the default one last; with a function those that variables have
  /// used.
  std::vector<OptimizerHandle> optimizers() const;
};

}  // namespace cornu::inline v0::keras::optimizers
