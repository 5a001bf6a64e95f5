#include "cornu/keras/trainer/options.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0::keras {

StepsPerExecution::StepsPerExecution(std::int64_t steps) : steps_(steps) {
  if (steps < 1)
    invalid_argument(
        {.argument = "steps_per_execution"},
        "[compile] steps_per_execution must be at least 1 or \"auto\"; got steps_per_execution = {}", steps);
}

StepsPerExecution::StepsPerExecution(const char* word) : steps_(0) {
  if (or_empty(word) != "auto")
    invalid_argument(
        {.argument = "steps_per_execution"},
        "[compile] steps_per_execution must be a number or \"auto\"; got steps_per_execution = \"{}\"",
        or_empty(word));
}

Verbose::Verbose(int level) : level_(level) {
  if (level < 0 || level > 2)
    invalid_argument({.argument = "verbose"}, "verbose must be 0, 1, 2 or \"auto\"; got verbose = {}", level);
}

Verbose::Verbose(const char* word) : level_(1) {
  if (or_empty(word) != "auto")
    invalid_argument({.argument = "verbose"}, "verbose must be 0, 1, 2 or \"auto\"; got verbose = \"{}\"",
                     or_empty(word));
}

JitCompile::JitCompile(const char* word) {
  if (or_empty(word) != "auto")
    invalid_argument({.argument = "jit_compile"},
                     "[compile] jit_compile must be true, false or \"auto\"; got jit_compile = \"{}\"",
                     or_empty(word));
}

ValidationFreq::ValidationFreq(std::int64_t every) : every_(every) {
  if (every < 1)
    invalid_argument({.argument = "validation_freq"},
                     "[fit] validation_freq must be at least 1; got validation_freq = {}", every);
}

ValidationFreq::ValidationFreq(std::vector<std::int64_t> epochs) : epochs_(std::move(epochs)) {
  for (const std::int64_t epoch : epochs_)
    if (epoch < 1)
      invalid_argument({.argument = "validation_freq"},
                       "[fit] validation_freq counts epochs from 1; got validation_freq = {{{}}}", epoch);
}

bool ValidationFreq::is_due(std::int64_t epoch) const {
  if (every_ > 0) return (epoch + 1) % every_ == 0;
  return std::find(epochs_.begin(), epochs_.end(), epoch + 1) != epochs_.end();
}

void throw_not_a_number(std::string_view option, const std::string& text) {
  invalid_argument("[compile] {} takes numbers; got \"{}\"", option, text);
}

void throw_wrong_count(std::string_view option, std::size_t got, std::size_t wanted,
                       std::span<const std::string> output_names) {
  invalid_argument(
      "[compile] {} has {} entries; the model has {} outputs{}", option, got, wanted,
      output_names.empty() ? std::string() : fmt::format(" ({})", fmt::join(output_names, ", ")));
}

void throw_unknown_output(std::string_view option, const std::string& name,
                          std::span<const std::string> output_names) {
  if (output_names.empty())
    invalid_argument("[compile] {} names output \"{}\", but the model's outputs have no names", option, name);
  invalid_argument("[compile] {} names output \"{}\"; the model's outputs are {}", option, name,
                   fmt::join(output_names, ", "));
}

void throw_output_twice(std::string_view option, const std::string& name) {
  invalid_argument("[compile] {} names output \"{}\" twice", option, name);
}

void throw_shared_output_name(std::string_view option, const std::string& name) {
  invalid_argument(
      "[compile] {} names output \"{}\", but several outputs of the model come from that layer: give a list, "
      "by position",
      option, name);
}

}  // namespace cornu::inline v0::keras
