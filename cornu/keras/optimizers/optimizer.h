#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/base/handle.h"
#include "cornu/keras/config/configurable.h"
#include "cornu/keras/optimizers/schedules/learning_rate_schedule.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

namespace cornu::inline v0::keras {

class NamePatterns;

/// Options of every optimizer.
struct OptimizerBaseOptions {  // options/optimizers.toml
  /// Step size: a number, finite and not negative, a schedule, or a function.
  LearningRate learning_rate = 0.001;
  /// Share, times the learning rate, that each step subtracts from the variables; unset: none.
  std::optional<double> weight_decay = {};
  /// Largest norm of each gradient; unset: no limit. One of the three clip options at most.
  std::optional<double> clipnorm = {};
  /// Largest absolute value of an element of a gradient; unset: no limit.
  std::optional<double> clipvalue = {};
  /// Largest norm of all gradients together; unset: no limit.
  std::optional<double> global_clipnorm = {};
  /// True: keeps an exponential moving average of each variable.
  bool use_ema = false;
  /// Share of the moving average that a step keeps, in [0, 1].
  double ema_momentum = 0.99;
  /// Number of steps after which the variables take the values of their averages; unset: never while
  /// training.
  std::optional<std::int64_t> ema_overwrite_frequency = {};
  /// Factor of the loss, positive, by which gradients are divided again; unset: 1.
  std::optional<double> loss_scale_factor = {};
  /// Number of steps whose gradients are averaged for one update, at least 2; unset: each step updates.
  std::optional<std::int64_t> gradient_accumulation_steps = {};
  /// True: rows of embedding tables that have no gradient in a step keep their values and slots, as with
  /// LazyAdam and SparseAdam; false: each step updates whole tables, as in Keras.
  bool lazy_rows = false;
  /// Name in messages and files; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Set by the optimizers of Cornu: the options that get_config() writes.
  std::shared_ptr<const saving::DescribedOptions> described = {};
};

/// Updates variables from gradients, by Keras's formulas in Keras's order of operations; inside a trace, or
/// at once outside.
///
/// The learning rate (unless it is a schedule) and the iteration count are variables, so that changing them
/// does not recompile. For custom optimizers derive a class and implement slot_groups and update_step.
class Optimizer : public Configurable {
 public:
  static constexpr const char* kHandleKind = "optimizer";  // see Handle

  /// Errors: InvalidArgument for values out of range and for more than one of the clip options.
  Optimizer(StringArgument class_name, OptimizerBaseOptions options);
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  const std::string& name() const { return name_; }
  const std::string& class_name() const { return class_name_; }
  /// The options with the present learning rate and loss_scale_factor. Errors: Unimplemented as for
  /// Configurable, also for a learning rate that is a function.
  Config get_config() const override;

  /// Makes the slots, once. Errors: InvalidArgument if called again with other variables.
  virtual void build(std::span<const Variable> variables);
  bool built() const { return built_; }
  /// Removes the slots: the next build() may be for other variables.
  virtual void forget_variables();
  /// The optimizer that receives this one's gradients; null if there is none.
  virtual Optimizer* inner_optimizer() const { return nullptr; }
  /// The optimizers that each update some of the variables; empty if one updates all.
  virtual std::vector<std::shared_ptr<Optimizer>> optimizers() const { return {}; }

  /// Updates the variables (those of build() or some of them), their slots and the iteration count, and
  /// applies the variables' constraints. A variable whose gradient is undefined stays unchanged. Builds if
  /// needed.
  /// Errors: InvalidArgument if the lists differ in length, a variable is unknown or no gradient is defined.
  virtual void apply(std::span<const Tensor> gradients, std::span<const Variable> variables);
  /// Updates the variables of build(). Errors: FailedPrecondition before build(); those of apply().
  void apply(std::span<const Tensor> gradients);
  void apply_gradients(std::span<const std::pair<Tensor, Variable>> gradients_and_variables);

  /// The loss whose gradients `apply` takes: multiplied by loss_scale_factor, if it is set.
  virtual Tensor scale_loss(const Tensor& loss) const;
  /// Removes loss_scale_factor, also from get_config(): another optimizer scales the loss.
  void drop_loss_scale_factor() { options_.loss_scale_factor.reset(); }
  /// True if steps whose gradients are not finite change nothing, so that they are not faults.
  virtual bool skips_non_finite() const { return false; }

  struct WeightDecayExclusion {
    std::vector<Variable> var_list = {};
    // Regular expressions, as parts of names are: variables in whose name one has a match.
    std::vector<std::string> var_names = {};
  };
  /// Errors: FailedPrecondition if the optimizer is built, InvalidArgument for what is no regular expression.
  void exclude_from_weight_decay(WeightDecayExclusion exclusion);

  /// Assigns the moving averages to the variables, with use_ema and after the first update; otherwise does
  /// nothing.
  /// Errors: InvalidArgument for a variable that the optimizer was not built for.
  virtual void finalize_variable_values(std::span<const Variable> variables) const;
  /// True if it keeps moving averages of variables (use_ema).
  virtual bool keeps_averages() const { return options_.use_ema; }
  /// Swaps variables and moving averages, with use_ema and once built.
  /// Errors: FailedPrecondition without use_ema.
  virtual void swap_averages() const;
  /// Assigns the variables to their moving averages, with use_ema and once built. Errors: those of
  /// swap_averages.
  virtual void load_averages() const;

  /// The iteration count and the learning rate (unless it is a schedule), then averages, accumulators and
  /// slots, in Keras's order.
  virtual std::vector<Variable> variables() const;
  /// The number of updates so far; with gradient_accumulation_steps the number of calls of apply divided by
  /// it, rounded down.
  virtual Tensor iterations() const;
  /// The number of calls of apply.
  virtual const Variable& iteration_variable() const { return iteration_; }
  /// The learning rate of the next step, an f32 scalar.
  virtual Tensor learning_rate() const;
  /// Undefined for a schedule.
  virtual const Variable& learning_rate_variable() const { return learning_rate_; }
  /// Takes effect at the next step. Errors: InvalidArgument unless finite and not negative,
  /// FailedPrecondition for a schedule.
  virtual void set_learning_rate(double value) const;

  /// Accepts "adam", "Adam", "sgd", "rmsprop", ... Errors: InvalidArgument, suggesting the nearest name.
  static std::shared_ptr<Optimizer> from_name(const StringArgument& name,
                                              const ArgumentName& argument = {"optimizers.get", "name"});

 protected:
  /// The slots of each variable, such as {"momentum", "velocity"}, interleaved by variable; groups follow
  /// each other.
  struct SlotGroup {
    std::vector<std::string> names;
    std::vector<double> initial_values = {};  // of the first names; the others start at 0
  };
  virtual std::vector<SlotGroup> slot_groups() const = 0;
  /// The form of slot `name` of a variable: by default it exists, has the variable's shape and begins as its
  /// group specifies.
  struct SlotForm {
    Dims shape;
    bool exists = true;
    bool copies_variable = false;    // begins as the variable's value
    bool has_variable_name = false;  // its path is the variable's name, without that of the slot
  };
  virtual SlotForm slot_form(const Variable& variable, const StringArgument& name) const {
    (void)name;
    return {.shape = variable.shape()};
  }
  /// The share, times the learning rate, that a step subtracts from the variable; unset: none.
  virtual std::optional<double> decay_of(const Variable& variable) const {
    (void)variable;
    return options_.weight_decay;
  }
  /// False if update_step computes an element from other elements of the variable, as by a norm: sharded
  /// variables (layers::TableConfig) are then refused, since a replica has a part only.
  virtual bool updates_each_element_alone() const { return true; }
  /// Makes further state with add_variable; called by build after the slots.
  virtual void build_extra(std::span<const Variable> variables) { (void)variables; }
  Variable add_variable(const StringArgument& name, const ir::Literal& value);
  /// Errors: FailedPrecondition unless keeps_averages().
  void require_averages() const;
  /// Computes scalars that all variables of a step share (bias corrections); called once in each step, before
  /// update_step.
  virtual void begin_step(const Tensor& learning_rate) { (void)learning_rate; }
  virtual void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                           const Tensor& learning_rate) = 0;
  /// The slot `name` of the variable at `index`.
  const Variable& slot(const StringArgument& name, std::size_t index) const;
  /// Returns `x`, of the variable's shape, with zeros in the rows that this step leaves as they are (lazy_rows):
  /// for norms of a variable or of its update.
  Tensor touched_part(const Tensor& x, std::size_t index) const;

 private:
  /// The defined gradients, and the indices of their variables in build()'s list.
  struct Step {
    std::vector<Tensor> gradients;
    std::vector<std::size_t> indices;
  };
  void check_options() const;
  void check_learning_rate(double value) const;
  std::size_t index_of(const Variable& variable) const;
  bool decays(const Variable& variable) const;
  Variable make_slot(const Variable& variable, const std::string& slot_name, double initial) const;
  std::vector<Variable> make_slots(const std::string& slot_name);
  /// The variables of a step's gradients.
  std::vector<Variable> variables_of(const Step& step) const;
  /// A variable's value before the step, and the rows that the step changes.
  struct RowsBefore {
    Variable variable;
    Tensor value, touched;
  };
  std::vector<RowsBefore> find_touched_rows(const Step& step);
  void update(const Step& step);
  void accumulate(const Step& step);
  void accumulate_traced(const Step& step, const std::vector<Tensor>& sums);
  void update_averages();

  std::string class_name_;
  std::string name_;
  OptimizerBaseOptions options_;
  std::vector<Variable> not_decayed_;
  std::shared_ptr<const NamePatterns> names_not_decayed_;  // null: none
  Variable iteration_;
  Variable learning_rate_;
  bool built_ = false;
  std::vector<Variable> model_variables_;
  /// [rows, 1, ...]: true for rows with a gradient in the step being built; undefined: the whole variable is
  /// updated. Empty without lazy_rows.
  std::vector<Tensor> touched_rows_;
  std::vector<Variable> averages_;
  std::vector<Variable> accumulators_;
  std::vector<Variable> slots_;  // in Keras's order
  std::vector<std::pair<std::string, std::vector<Variable>>> slots_by_name_;
};
using OptimizerSpec = Spec<Optimizer>;

/// A shared handle to an optimizer, for users.
class OptimizerHandle : public Handle<Optimizer> {
 public:
  using Handle<Optimizer>::Handle;
  void apply(std::span<const Tensor> gradients, std::span<const Variable> variables) const {
    (*this)->apply(gradients, variables);
  }
  void apply(std::span<const Tensor> gradients) const { (*this)->apply(gradients); }
  void apply(std::initializer_list<Tensor> gradients, std::initializer_list<Variable> variables) const {
    apply(std::span(gradients.begin(), gradients.size()), std::span(variables.begin(), variables.size()));
  }
  void apply_gradients(std::span<const std::pair<Tensor, Variable>> gradients_and_variables) const {
    (*this)->apply_gradients(gradients_and_variables);
  }
  /// `optimizer.apply_gradients({{gradient, variable}})`.
  void apply_gradients(std::initializer_list<std::pair<Tensor, Variable>> gradients_and_variables) const {
    apply_gradients(std::span(gradients_and_variables.begin(), gradients_and_variables.size()));
  }
  /// Python's apply_gradients(zip(gradients, variables)).
  void apply_gradients(std::span<const Tensor> gradients, std::span<const Variable> variables) const {
    apply(gradients, variables);
  }
  const std::string& name() const { return (*this)->name(); }
  Config get_config() const;
  std::vector<Variable> variables() const { return (*this)->variables(); }
  Tensor iterations() const { return (*this)->iterations(); }
  Tensor learning_rate() const { return (*this)->learning_rate(); }
  void set_learning_rate(double value) const { (*this)->set_learning_rate(value); }
};

}  // namespace cornu::inline v0::keras
