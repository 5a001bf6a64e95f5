// What a program gets that includes all of Cornu by one header: the version that the package names, the log,
// and a model that learns.
#include "cornu/cornu.h"

#include <cstdio>
#include <string>

static_assert(CORNU_VERSION == CORNU_VERSION_MAJOR * 10000 + CORNU_VERSION_MINOR * 100 + CORNU_VERSION_PATCH);

int main() {
  namespace keras = cornu::keras;
  std::string said;
  cornu::set_log_sink([&](const cornu::LogMessage& message) { said = message.str(); });

  keras::Sequential model({keras::layers::Input({.shape = {1}}), keras::layers::Dense({.units = 1})});
  model.compile({.optimizer = keras::optimizers::SGD({.learning_rate = 0.1}), .loss = "mse"});
  const cornu::Tensor x = cornu::ops::ones({8, 1}), y = cornu::ops::zeros({8, 1});
  const double before = model.evaluate(x, y, {.verbose = 0})["loss"];
  model.fit(x, y, {.batch_size = 8, .verbose = 0, .steps_per_epoch = 2});
  const double after = model.evaluate(x, y, {.verbose = 0})["loss"];

  const bool learns = after < before;
  const bool warns = said.starts_with("warning: [fit] the data ran out after 1 of 2 steps");
  const bool is_version =
      cornu::version() == CORNU_VERSION && std::string(PACKAGE_VERSION) == cornu::version_string();
  std::printf("loss %g to %g; %s; version %s\n", before, after, said.c_str(), cornu::version_string());
  return learns && warns && is_version ? 0 : 1;
}
