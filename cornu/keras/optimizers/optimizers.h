#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/optimizers/optimizer.h"
#include "cornu/keras/optimizers/schedules/schedules.h"

/// Keras's optimizers, its arguments and defaults. What the arguments that all share mean:
/// OptimizerBaseOptions.
namespace cornu::inline v0::keras::optimizers {

struct SGDOptions {
  LearningRate learning_rate = 0.01;
  double momentum = 0.0;
  bool nesterov = false;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  bool use_ema = false;
  double ema_momentum = 0.99;
  std::optional<std::int64_t> ema_overwrite_frequency = {};
  std::optional<double> loss_scale_factor = {};
  std::optional<std::int64_t> gradient_accumulation_steps = {};
  std::string name = {};
};
CORNU_FIELDS(SGDOptions, learning_rate, momentum, nesterov, weight_decay, clipnorm, clipvalue,
             global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor,
             gradient_accumulation_steps, name)
/// Gradient descent, with (Nesterov) momentum if asked. Errors: InvalidArgument unless 0 <= momentum <= 1.
class SGD : public OptimizerHandle {
 public:
  explicit SGD(SGDOptions options = {});
  explicit SGD(NoOptions) : SGD() {}
};

struct AdamOptions {
  LearningRate learning_rate = 0.001;
  double beta_1 = 0.9;
  double beta_2 = 0.999;
  double epsilon = 1e-7;
  bool amsgrad = false;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  bool use_ema = false;
  double ema_momentum = 0.99;
  std::optional<std::int64_t> ema_overwrite_frequency = {};
  std::optional<double> loss_scale_factor = {};
  std::optional<std::int64_t> gradient_accumulation_steps = {};
  std::string name = {};
};
CORNU_FIELDS(AdamOptions, learning_rate, beta_1, beta_2, epsilon, amsgrad, weight_decay, clipnorm, clipvalue,
             global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor,
             gradient_accumulation_steps, name)
/// Steps by a moving average of the gradients over the root of one of their squares.
/// Errors: InvalidArgument unless 0 <= beta_1, beta_2 < 1 and epsilon >= 0; so for all that take them.
class Adam : public OptimizerHandle {
 public:
  explicit Adam(AdamOptions options = {});
  explicit Adam(NoOptions) : Adam() {}
};

struct AdamWOptions {
  LearningRate learning_rate = 0.001;
  double weight_decay = 0.004;
  double beta_1 = 0.9;
  double beta_2 = 0.999;
  double epsilon = 1e-7;
  bool amsgrad = false;
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  bool use_ema = false;
  double ema_momentum = 0.99;
  std::optional<std::int64_t> ema_overwrite_frequency = {};
  std::optional<double> loss_scale_factor = {};
  std::optional<std::int64_t> gradient_accumulation_steps = {};
  std::string name = {};
};
CORNU_FIELDS(AdamWOptions, learning_rate, weight_decay, beta_1, beta_2, epsilon, amsgrad, clipnorm, clipvalue,
             global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor,
             gradient_accumulation_steps, name)
/// Adam with decoupled weight decay.
class AdamW : public OptimizerHandle {
 public:
  explicit AdamW(AdamWOptions options = {});
  explicit AdamW(NoOptions) : AdamW() {}
};

struct RMSpropOptions {
  LearningRate learning_rate = 0.001;
  double rho = 0.9;
  double momentum = 0.0;
  double epsilon = 1e-7;
  bool centered = false;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  bool use_ema = false;
  double ema_momentum = 0.99;
  std::optional<std::int64_t> ema_overwrite_frequency = {};
  std::optional<double> loss_scale_factor = {};
  std::optional<std::int64_t> gradient_accumulation_steps = {};
  std::string name = {};
};
CORNU_FIELDS(RMSpropOptions, learning_rate, rho, momentum, epsilon, centered, weight_decay, clipnorm,
             clipvalue, global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor,
             gradient_accumulation_steps, name)
/// Steps by the gradient over the root of a moving average of its squares.
/// Errors: InvalidArgument unless 0 <= rho < 1 and epsilon >= 0.
class RMSprop : public OptimizerHandle {
 public:
  explicit RMSprop(RMSpropOptions options = {});
  explicit RMSprop(NoOptions) : RMSprop() {}
};

struct AdagradOptions {
  LearningRate learning_rate = 0.001;
  double initial_accumulator_value = 0.1;
  double epsilon = 1e-7;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  bool use_ema = false;
  double ema_momentum = 0.99;
  std::optional<std::int64_t> ema_overwrite_frequency = {};
  std::optional<double> loss_scale_factor = {};
  std::optional<std::int64_t> gradient_accumulation_steps = {};
  std::string name = {};
};
CORNU_FIELDS(AdagradOptions, learning_rate, initial_accumulator_value, epsilon, weight_decay, clipnorm,
             clipvalue, global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor,
             gradient_accumulation_steps, name)
/// Steps by the gradient over the root of the sum of its squares so far.
/// Errors: InvalidArgument unless initial_accumulator_value >= 0.
class Adagrad : public OptimizerHandle {
 public:
  explicit Adagrad(AdagradOptions options = {});
  explicit Adagrad(NoOptions) : Adagrad() {}
};

struct AdadeltaOptions {
  LearningRate learning_rate = 0.001;
  double rho = 0.95;
  double epsilon = 1e-7;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  bool use_ema = false;
  double ema_momentum = 0.99;
  std::optional<std::int64_t> ema_overwrite_frequency = {};
  std::optional<double> loss_scale_factor = {};
  std::optional<std::int64_t> gradient_accumulation_steps = {};
  std::string name = {};
};
CORNU_FIELDS(AdadeltaOptions, learning_rate, rho, epsilon, weight_decay, clipnorm, clipvalue, global_clipnorm,
             use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor, gradient_accumulation_steps,
             name)
/// Steps whose sizes follow from moving averages of squared gradients and of squared steps before.
/// Errors: InvalidArgument unless 0 <= rho < 1 and epsilon >= 0.
class Adadelta : public OptimizerHandle {
 public:
  explicit Adadelta(AdadeltaOptions options = {});
  explicit Adadelta(NoOptions) : Adadelta() {}
};

struct AdamaxOptions {
  LearningRate learning_rate = 0.001;
  double beta_1 = 0.9;
  double beta_2 = 0.999;
  double epsilon = 1e-7;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  bool use_ema = false;
  double ema_momentum = 0.99;
  std::optional<std::int64_t> ema_overwrite_frequency = {};
  std::optional<double> loss_scale_factor = {};
  std::optional<std::int64_t> gradient_accumulation_steps = {};
  std::string name = {};
};
CORNU_FIELDS(AdamaxOptions, learning_rate, beta_1, beta_2, epsilon, weight_decay, clipnorm, clipvalue,
             global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor,
             gradient_accumulation_steps, name)
/// Adam with the largest gradient in place of the second moment.
class Adamax : public OptimizerHandle {
 public:
  explicit Adamax(AdamaxOptions options = {});
  explicit Adamax(NoOptions) : Adamax() {}
};

struct NadamOptions {
  LearningRate learning_rate = 0.001;
  double beta_1 = 0.9;
  double beta_2 = 0.999;
  double epsilon = 1e-7;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  bool use_ema = false;
  double ema_momentum = 0.99;
  std::optional<std::int64_t> ema_overwrite_frequency = {};
  std::optional<double> loss_scale_factor = {};
  std::optional<std::int64_t> gradient_accumulation_steps = {};
  std::string name = {};
};
CORNU_FIELDS(NadamOptions, learning_rate, beta_1, beta_2, epsilon, weight_decay, clipnorm, clipvalue,
             global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor,
             gradient_accumulation_steps, name)
/// Adam with Nesterov momentum.
class Nadam : public OptimizerHandle {
 public:
  explicit Nadam(NadamOptions options = {});
  explicit Nadam(NoOptions) : Nadam() {}
};

struct LionOptions {
  LearningRate learning_rate = 0.001;
  double beta_1 = 0.9;
  double beta_2 = 0.99;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  bool use_ema = false;
  double ema_momentum = 0.99;
  std::optional<std::int64_t> ema_overwrite_frequency = {};
  std::optional<double> loss_scale_factor = {};
  std::optional<std::int64_t> gradient_accumulation_steps = {};
  std::string name = {};
};
CORNU_FIELDS(LionOptions, learning_rate, beta_1, beta_2, weight_decay, clipnorm, clipvalue, global_clipnorm,
             use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor, gradient_accumulation_steps,
             name)
/// Steps by the sign of a momentum. Errors: InvalidArgument unless 0 < beta_1 <= 1.
class Lion : public OptimizerHandle {
 public:
  explicit Lion(LionOptions options = {});
  explicit Lion(NoOptions) : Lion() {}
};

struct LambOptions {
  LearningRate learning_rate = 0.001;
  double beta_1 = 0.9;
  double beta_2 = 0.999;
  double epsilon = 1e-7;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  bool use_ema = false;
  double ema_momentum = 0.99;
  std::optional<std::int64_t> ema_overwrite_frequency = {};
  std::optional<double> loss_scale_factor = {};
  std::optional<std::int64_t> gradient_accumulation_steps = {};
  std::string name = {};
};
CORNU_FIELDS(LambOptions, learning_rate, beta_1, beta_2, epsilon, weight_decay, clipnorm, clipvalue,
             global_clipnorm, use_ema, ema_momentum, ema_overwrite_frequency, loss_scale_factor,
             gradient_accumulation_steps, name)
/// Adam with steps in proportion to the norm of each variable.
class Lamb : public OptimizerHandle {
 public:
  explicit Lamb(LambOptions options = {});
  explicit Lamb(NoOptions) : Lamb() {}
};

struct FtrlOptions {
  LearningRate learning_rate = 0.001;
  double learning_rate_power = -0.5;
  double initial_accumulator_value = 0.1;
  double l1_regularization_strength = 0.0;
  double l2_regularization_strength = 0.0;
  double l2_shrinkage_regularization_strength = 0.0;
  double beta = 0.0;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  bool use_ema = false;
  double ema_momentum = 0.99;
  std::optional<std::int64_t> ema_overwrite_frequency = {};
  std::optional<double> loss_scale_factor = {};
  std::optional<std::int64_t> gradient_accumulation_steps = {};
  std::string name = {};
};
CORNU_FIELDS(FtrlOptions, learning_rate, learning_rate_power, initial_accumulator_value,
             l1_regularization_strength, l2_regularization_strength, l2_shrinkage_regularization_strength,
             beta, weight_decay, clipnorm, clipvalue, global_clipnorm, use_ema, ema_momentum,
             ema_overwrite_frequency, loss_scale_factor, gradient_accumulation_steps, name)
/// Follow the regularized leader. Errors: InvalidArgument unless learning_rate_power <= 0 and the others are
/// >= 0.
class Ftrl : public OptimizerHandle {
 public:
  explicit Ftrl(FtrlOptions options = {});
  explicit Ftrl(NoOptions) : Ftrl() {}
};

}  // namespace cornu::inline v0::keras::optimizers
