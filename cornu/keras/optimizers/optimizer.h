#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cornu/keras/handle.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

namespace cornu::keras {

/// What every optimizer takes besides its own options.
struct OptimizerBaseOptions {
  double learning_rate = 0.001;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};         // each gradient's norm
  std::optional<double> clipvalue = {};        // each element
  std::optional<double> global_clipnorm = {};  // the norm of all gradients together
  std::string name = {};
};

/// Updates variables from gradients, by Keras's formulas in Keras's order of operations.
///
/// The learning rate and the iteration count are variables: changing them recompiles nothing.
class Optimizer {
 public:
  Optimizer(std::string class_name, OptimizerBaseOptions options);
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  const std::string& name() const { return name_; }
  const std::string& class_name() const { return class_name_; }

  /// Makes the slots, once. Errors: InvalidArgument when called again with other variables.
  void build(std::span<const Variable> variables);
  bool built() const { return built_; }
  /// Gives the slots up: the next build() may be for other variables.
  void forget_variables();

  /// Inside a trace: updates the variables, their slots and the iteration count. An undefined gradient leaves its variable alone.
  /// Errors: InvalidArgument when the lists differ in length or no gradient is defined.
  void apply(std::span<const Tensor> gradients, std::span<const Variable> variables);

  /// Iteration count and learning rate, then the slots in Keras's order.
  std::vector<Variable> variables() const;
  const Variable& iterations() const { return iterations_; }
  const Variable& learning_rate() const { return learning_rate_; }
  /// Takes effect with the next step. Errors: InvalidArgument unless finite and not negative.
  void set_learning_rate(double value) const;

  /// "adam", "Adam", "sgd", "rmsprop". Errors: InvalidArgument with the nearest known name.
  static std::shared_ptr<Optimizer> from_name(const std::string& name);

 protected:
  /// The names of the slots of each variable, e.g. {"momentum", "velocity"}. Called by build.
  struct SlotGroup {
    std::vector<std::string> names;  // interleaved per variable; groups follow each other
  };
  virtual std::vector<SlotGroup> slot_groups() const = 0;
  /// Scalars that all variables of one step share (bias corrections); called once a step, before update_step.
  virtual void begin_step(const Tensor& learning_rate) { (void)learning_rate; }
  virtual void update_step(const Tensor& gradient, const Variable& variable, std::size_t index, const Tensor& learning_rate) = 0;
  /// The slot `name` of the variable at `index`.
  const Variable& slot(const std::string& name, std::size_t index) const;

 private:
  void check_learning_rate(double value) const;

  std::string class_name_;
  std::string name_;
  OptimizerBaseOptions options_;
  Variable iterations_;
  Variable learning_rate_;
  bool built_ = false;
  std::vector<Variable> model_variables_;
  std::vector<Variable> slots_;  // Keras's order
  std::vector<std::pair<std::string, std::vector<Variable>>> slots_by_name_;
};
using OptimizerSpec = Spec<Optimizer>;
using OptimizerHandle = Handle<Optimizer>;

}  // namespace cornu::keras
