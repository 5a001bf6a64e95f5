#pragma once

#include "cornu/keras/optimizers/optimizer.h"

namespace cornu::keras::optimizers {

struct SGDOptions {
  double learning_rate = 0.01;
  double momentum = 0.0;
  bool nesterov = false;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  std::string name = {};
};
/// Gradient descent, with (Nesterov) momentum if asked. Errors: InvalidArgument unless 0 <= momentum <= 1.
class SGD : public OptimizerHandle {
 public:
  explicit SGD(SGDOptions options = {});
};

struct AdamOptions {
  double learning_rate = 0.001;
  double beta_1 = 0.9;
  double beta_2 = 0.999;
  double epsilon = 1e-7;
  bool amsgrad = false;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  std::string name = {};
};
/// Errors: InvalidArgument unless 0 <= beta_1, beta_2 < 1 and epsilon >= 0.
class Adam : public OptimizerHandle {
 public:
  explicit Adam(AdamOptions options = {});
};

struct RMSpropOptions {
  double learning_rate = 0.001;
  double rho = 0.9;
  double momentum = 0.0;
  double epsilon = 1e-7;
  bool centered = false;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  std::string name = {};
};
/// Errors: InvalidArgument unless 0 <= rho < 1 and epsilon >= 0.
class RMSprop : public OptimizerHandle {
 public:
  explicit RMSprop(RMSpropOptions options = {});
};

}  // namespace cornu::keras::optimizers
