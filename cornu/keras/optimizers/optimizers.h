#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/optimizers/optimizer.h"
#include "cornu/keras/optimizers/schedules/schedules.h"

/// Keras's optimizers, with its arguments and defaults. OptimizerBaseOptions documents the arguments common
/// to all.
namespace cornu::inline v0::keras::optimizers {

struct SGDOptions {  // options/optimizers.toml
  /// Step size: a number, finite and not negative, a schedule, or a function.
  LearningRate learning_rate = 0.01;
  /// Share of the last update that is added to the next, in [0, 1]; 0: none.
  double momentum = 0.0;
  /// True: Nesterov momentum.
  bool nesterov = false;
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
};
CORNU_FIELDS(SGDOptions, learning_rate, momentum, nesterov, weight_decay, clipnorm, clipvalue,
             global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor,
             gradient_accumulation_steps, lazy_rows, name)
/// Gradient descent, optionally with (Nesterov) momentum. Errors: InvalidArgument unless 0 <= momentum <= 1.
class SGD : public OptimizerHandle {
 public:
  explicit SGD(SGDOptions options = {});
  explicit SGD(NoOptions) : SGD() {}
};

struct AdamOptions {  // options/optimizers.toml
  /// Step size: a number, finite and not negative, a schedule, or a function.
  LearningRate learning_rate = 0.001;
  /// Decay of the moving average of the gradients, in [0, 1).
  double beta_1 = 0.9;
  /// Decay of the moving average of the squared gradients, in [0, 1).
  double beta_2 = 0.999;
  /// Number added to the denominator; must not be negative.
  double epsilon = 1e-7;
  /// True: divides by the largest second moment so far.
  bool amsgrad = false;
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
};
CORNU_FIELDS(AdamOptions, learning_rate, beta_1, beta_2, epsilon, amsgrad, weight_decay, clipnorm, clipvalue,
             global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor,
             gradient_accumulation_steps, lazy_rows, name)
/// Steps by a moving average of the gradients divided by the root of a moving average of their squares.
/// Errors: InvalidArgument unless 0 <= beta_1, beta_2 < 1 and epsilon >= 0, as for all optimizers that take
///         them.
class Adam : public OptimizerHandle {
 public:
  explicit Adam(AdamOptions options = {});
  explicit Adam(NoOptions) : Adam() {}
};

struct AdamWOptions {  // options/optimizers.toml
  /// Step size: a number, finite and not negative, a schedule, or a function.
  LearningRate learning_rate = 0.001;
  /// Share, times the learning rate, that each step subtracts from the variables.
  double weight_decay = 0.004;
  /// Decay of the moving average of the gradients, in [0, 1).
  double beta_1 = 0.9;
  /// Decay of the moving average of the squared gradients, in [0, 1).
  double beta_2 = 0.999;
  /// Number added to the denominator; must not be negative.
  double epsilon = 1e-7;
  /// True: divides by the largest second moment so far.
  bool amsgrad = false;
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
};
CORNU_FIELDS(AdamWOptions, learning_rate, weight_decay, beta_1, beta_2, epsilon, amsgrad, clipnorm, clipvalue,
             global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor,
             gradient_accumulation_steps, lazy_rows, name)
/// Adam with decoupled weight decay.
class AdamW : public OptimizerHandle {
 public:
  explicit AdamW(AdamWOptions options = {});
  explicit AdamW(NoOptions) : AdamW() {}
};

struct RMSpropOptions {  // options/optimizers.toml
  /// Step size: a number, finite and not negative, a schedule, or a function.
  LearningRate learning_rate = 0.001;
  /// Decay of the moving average of the squared gradients, in [0, 1).
  double rho = 0.9;
  /// Share of the last update that is added to the next; 0: none.
  double momentum = 0.0;
  /// Number added to the denominator; must not be negative.
  double epsilon = 1e-7;
  /// True: divides by the standard deviation of the gradients instead of their root mean square.
  bool centered = false;
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
};
CORNU_FIELDS(RMSpropOptions, learning_rate, rho, momentum, epsilon, centered, weight_decay, clipnorm,
             clipvalue, global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor,
             gradient_accumulation_steps, lazy_rows, name)
/// Steps by the gradient divided by the root of a moving average of its squares.
/// Errors: InvalidArgument unless 0 <= rho < 1 and epsilon >= 0.
class RMSprop : public OptimizerHandle {
 public:
  explicit RMSprop(RMSpropOptions options = {});
  explicit RMSprop(NoOptions) : RMSprop() {}
};

struct AdagradOptions {  // options/optimizers.toml
  /// Step size: a number, finite and not negative, a schedule, or a function.
  LearningRate learning_rate = 0.001;
  /// First value of the accumulator of squared gradients; must not be negative.
  double initial_accumulator_value = 0.1;
  /// Number added to the denominator; must not be negative.
  double epsilon = 1e-7;
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
};
CORNU_FIELDS(AdagradOptions, learning_rate, initial_accumulator_value, epsilon, weight_decay, clipnorm,
             clipvalue, global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor,
             gradient_accumulation_steps, lazy_rows, name)
/// Steps by the gradient divided by the root of the sum of its squares so far.
/// Errors: InvalidArgument unless initial_accumulator_value >= 0.
class Adagrad : public OptimizerHandle {
 public:
  explicit Adagrad(AdagradOptions options = {});
  explicit Adagrad(NoOptions) : Adagrad() {}
};

struct AdadeltaOptions {  // options/optimizers.toml
  /// Step size: a number, finite and not negative, a schedule, or a function.
  LearningRate learning_rate = 0.001;
  /// Decay of the moving averages of squared gradients and squared updates, in [0, 1).
  double rho = 0.95;
  /// Number added to the denominator; must not be negative.
  double epsilon = 1e-7;
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
};
CORNU_FIELDS(AdadeltaOptions, learning_rate, rho, epsilon, weight_decay, clipnorm, clipvalue, global_clipnorm,
             use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor, gradient_accumulation_steps,
             lazy_rows, name)
/// Steps sized by moving averages of squared gradients and of squared earlier steps.
/// Errors: InvalidArgument unless 0 <= rho < 1 and epsilon >= 0.
class Adadelta : public OptimizerHandle {
 public:
  explicit Adadelta(AdadeltaOptions options = {});
  explicit Adadelta(NoOptions) : Adadelta() {}
};

struct AdamaxOptions {  // options/optimizers.toml
  /// Step size: a number, finite and not negative, a schedule, or a function.
  LearningRate learning_rate = 0.001;
  /// Decay of the moving average of the gradients, in [0, 1).
  double beta_1 = 0.9;
  /// Decay of the largest gradient, in [0, 1).
  double beta_2 = 0.999;
  /// Number added to the denominator; must not be negative.
  double epsilon = 1e-7;
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
};
CORNU_FIELDS(AdamaxOptions, learning_rate, beta_1, beta_2, epsilon, weight_decay, clipnorm, clipvalue,
             global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor,
             gradient_accumulation_steps, lazy_rows, name)
/// Adam with the largest gradient in place of the second moment.
class Adamax : public OptimizerHandle {
 public:
  explicit Adamax(AdamaxOptions options = {});
  explicit Adamax(NoOptions) : Adamax() {}
};

struct NadamOptions {  // options/optimizers.toml
  /// Step size: a number, finite and not negative, a schedule, or a function.
  LearningRate learning_rate = 0.001;
  /// Decay of the moving average of the gradients, in [0, 1).
  double beta_1 = 0.9;
  /// Decay of the moving average of the squared gradients, in [0, 1).
  double beta_2 = 0.999;
  /// Number added to the denominator; must not be negative.
  double epsilon = 1e-7;
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
};
CORNU_FIELDS(NadamOptions, learning_rate, beta_1, beta_2, epsilon, weight_decay, clipnorm, clipvalue,
             global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor,
             gradient_accumulation_steps, lazy_rows, name)
/// Adam with Nesterov momentum.
class Nadam : public OptimizerHandle {
 public:
  explicit Nadam(NadamOptions options = {});
  explicit Nadam(NoOptions) : Nadam() {}
};

struct LionOptions {  // options/optimizers.toml
  /// Step size: a number, finite and not negative, a schedule, or a function.
  LearningRate learning_rate = 0.001;
  /// Share of the momentum in the update whose sign is taken, in (0, 1].
  double beta_1 = 0.9;
  /// Decay of the momentum.
  double beta_2 = 0.99;
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
};
CORNU_FIELDS(LionOptions, learning_rate, beta_1, beta_2, weight_decay, clipnorm, clipvalue, global_clipnorm,
             use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor, gradient_accumulation_steps,
             lazy_rows, name)
/// Steps by the sign of a momentum. Errors: InvalidArgument unless 0 < beta_1 <= 1.
class Lion : public OptimizerHandle {
 public:
  explicit Lion(LionOptions options = {});
  explicit Lion(NoOptions) : Lion() {}
};

struct LambOptions {  // options/optimizers.toml
  /// Step size: a number, finite and not negative, a schedule, or a function.
  LearningRate learning_rate = 0.001;
  /// Decay of the moving average of the gradients, in [0, 1).
  double beta_1 = 0.9;
  /// Decay of the moving average of the squared gradients, in [0, 1).
  double beta_2 = 0.999;
  /// Number added to the denominator; must not be negative.
  double epsilon = 1e-7;
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
};
CORNU_FIELDS(LambOptions, learning_rate, beta_1, beta_2, epsilon, weight_decay, clipnorm, clipvalue,
             global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor,
             gradient_accumulation_steps, lazy_rows, name)
/// Adam with steps in proportion to the norm of each variable.
class Lamb : public OptimizerHandle {
 public:
  explicit Lamb(LambOptions options = {});
  explicit Lamb(NoOptions) : Lamb() {}
};

struct FtrlOptions {  // options/optimizers.toml
  /// Step size: a number, finite and not negative, a schedule, or a function.
  LearningRate learning_rate = 0.001;
  /// Power of the accumulator by which the step size falls; must not be positive. 0: constant.
  double learning_rate_power = -0.5;
  /// First value of the accumulator of squared gradients; must not be negative.
  double initial_accumulator_value = 0.1;
  /// Factor of the penalty on absolute values; must not be negative.
  double l1_regularization_strength = 0.0;
  /// Factor of the penalty on squares; must not be negative.
  double l2_regularization_strength = 0.0;
  /// Factor of the penalty on squares that is added to the gradient only; must not be negative.
  double l2_shrinkage_regularization_strength = 0.0;
  /// Offset of the root of the accumulator; must not be negative.
  double beta = 0.0;
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
};
CORNU_FIELDS(FtrlOptions, learning_rate, learning_rate_power, initial_accumulator_value,
             l1_regularization_strength, l2_regularization_strength, l2_shrinkage_regularization_strength,
             beta, weight_decay, clipnorm, clipvalue, global_clipnorm, use_ema, ema_momentum,
             ema_overwrite_frequency, loss_scale_factor, gradient_accumulation_steps, lazy_rows, name)
/// Follow the regularized leader. Errors: InvalidArgument unless learning_rate_power <= 0 and the other
/// options are >= 0.
class Ftrl : public OptimizerHandle {
 public:
  explicit Ftrl(FtrlOptions options = {});
  explicit Ftrl(NoOptions) : Ftrl() {}
};

struct AdafactorOptions {  // options/optimizers.toml
  /// Step size: a number, finite and not negative, a schedule, or a function.
  LearningRate learning_rate = 0.001;
  /// Exponent of the step number t in the decay 1 - t^beta_2_decay of the squared gradients' averages;
  /// negative.
  double beta_2_decay = -0.8;
  /// Number added to the squared gradients; must not be negative.
  double epsilon_1 = 1e-30;
  /// Smallest root mean square of a variable by which its step is scaled; must not be negative.
  double epsilon_2 = 1e-3;
  /// Root mean square of an update above which it is scaled down; positive.
  double clip_threshold = 1.0;
  /// Accepted for Keras's programs, without effect: the learning rate is limited to 1 / sqrt(t) at step t in
  /// any case, as in Keras.
  bool relative_step = true;
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
  /// Name in messages and files; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
};
CORNU_FIELDS(AdafactorOptions, learning_rate, beta_2_decay, epsilon_1, epsilon_2, clip_threshold,
             relative_step, weight_decay, clipnorm, clipvalue, global_clipnorm, use_ema, ema_momentum,
             ema_overwrite_frequency, loss_scale_factor, gradient_accumulation_steps, name)
/// Adagrad's successor with little memory: of a matrix it keeps the mean squares of rows and columns instead of
/// those of all elements, and limits the size of updates.
///
/// The learning rate is at most 1 / sqrt(t) at step t, times the root mean square of the variable.
/// Errors: InvalidArgument for options out of range; Unimplemented for sharded variables.
class Adafactor : public OptimizerHandle {
 public:
  explicit Adafactor(AdafactorOptions options = {});
  explicit Adafactor(NoOptions) : Adafactor() {}
};

struct MuonOptions {  // options/optimizers.toml
  /// Step size: a number, finite and not negative, a schedule, or a function.
  LearningRate learning_rate = 0.001;
  /// Decay of the moving average of the gradients for variables that Adam updates, in [0, 1).
  double adam_beta_1 = 0.9;
  /// Decay of the moving average of the squared gradients for variables that Adam updates, in [0, 1).
  double adam_beta_2 = 0.999;
  /// weight_decay of variables that Adam updates; unset: none.
  std::optional<double> adam_weight_decay = 0.004;
  /// Number added to the denominator; must not be negative.
  double epsilon = 1e-7;
  /// Share, times the learning rate, that each step subtracts from the variables; unset: none.
  std::optional<double> weight_decay = 0.004;
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
  /// Name in messages and files; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Regular expressions: variables in whose path one is found are updated by Adam.
  std::vector<std::string> exclude_layers = {};
  /// True: variables whose path contains "embedding" are updated by Adam.
  bool exclude_embeddings = true;
  /// Factor of x in a Newton-Schulz step.
  double muon_a = 3.4445;
  /// Factor of x x^T x in a Newton-Schulz step.
  double muon_b = -4.7750;
  /// Factor of (x x^T)^2 x in a Newton-Schulz step.
  double muon_c = 2.0315;
  /// Learning rate of variables that Adam updates as a share of learning_rate.
  double adam_lr_ratio = 1;
  /// Share of the last momentum that a step keeps, in [0, 1).
  double momentum = 0.95;
  /// Number of Newton-Schulz steps; must not be negative.
  std::int64_t ns_steps = 5;
  /// True: Nesterov momentum.
  bool nesterov = true;
  /// Root mean square of an update in units of the learning rate; unset: that of an orthogonal matrix.
  std::optional<double> rms_rate = 0.2;
};
CORNU_FIELDS(MuonOptions, learning_rate, adam_beta_1, adam_beta_2, adam_weight_decay, epsilon, weight_decay,
             clipnorm, clipvalue, global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency,
             loss_scale_factor, gradient_accumulation_steps, name, exclude_layers, exclude_embeddings, muon_a,
             muon_b, muon_c, adam_lr_ratio, momentum, ns_steps, nesterov, rms_rate)
/// Momentum whose updates are made nearly orthogonal, for weights that are matrices; AdamW for all other
/// variables, embeddings, and those of exclude_layers.
///
/// Errors: InvalidArgument for options out of range; Unimplemented for sharded variables.
class Muon : public OptimizerHandle {
 public:
  explicit Muon(MuonOptions options = {});
  explicit Muon(NoOptions) : Muon() {}
};

struct ScheduleFreeAdamWOptions {  // options/optimizers.toml
  /// Step size: a number, finite and not negative, a schedule, or a function.
  LearningRate learning_rate = 0.0025;
  /// Share of the average in the point at which gradients are computed, in (0, 1).
  double beta_1 = 0.9;
  /// Decay of the moving average of the squared gradients, in [0, 1).
  double beta_2 = 0.999;
  /// Number added to the denominator; must not be negative.
  double epsilon = 1e-8;
  /// Number of steps over which the learning rate rises from 0; 0: none.
  std::int64_t warmup_steps = 0;
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
  /// Name in messages and files; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
};
CORNU_FIELDS(ScheduleFreeAdamWOptions, learning_rate, beta_1, beta_2, epsilon, warmup_steps, weight_decay,
             clipnorm, clipvalue, global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency,
             loss_scale_factor, gradient_accumulation_steps, name)
/// AdamW that averages its points in place of a schedule of the learning rate.
///
/// The variables are the points at which gradients are computed, between the average and the last point.
class ScheduleFreeAdamW : public OptimizerHandle {
 public:
  explicit ScheduleFreeAdamW(ScheduleFreeAdamWOptions options = {});
  explicit ScheduleFreeAdamW(NoOptions) : ScheduleFreeAdamW() {}
};

}  // namespace cornu::inline v0::keras::optimizers
