#include "cornu/keras/trainer/options.h"

#include "cornu/base/check.h"

namespace cornu::keras {

StepsPerExecution::StepsPerExecution(std::int64_t steps) : steps_(steps) {
  if (steps < 1) invalid_argument("[compile] steps_per_execution must be at least 1 or \"auto\"; got {}", steps);
}

StepsPerExecution::StepsPerExecution(const char* word) : steps_(0) {
  if (std::string_view(word) != "auto") invalid_argument("[compile] steps_per_execution must be a number or \"auto\"; got \"{}\"", word);
}

Verbose::Verbose(int level) : level_(level) {
  if (level < 0 || level > 2) invalid_argument("verbose must be 0, 1, 2 or \"auto\"; got {}", level);
}

Verbose::Verbose(const char* word) : level_(1) {
  if (std::string_view(word) != "auto") invalid_argument("verbose must be 0, 1, 2 or \"auto\"; got \"{}\"", word);
}

}  // namespace cornu::keras
