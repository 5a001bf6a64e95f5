#include "cornu/keras/layers/core/operation.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/config.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {

struct Operation::Row {
  const char* class_name;
  std::size_t num_arguments;
  Function function;
};

std::span<const Operation::Row> Operation::rows() {
  static constexpr Row kRows[] = {
      {"Add", 2, [](std::span<const Tensor> x) { return ops::add(x[0], x[1]); }},
      {"Subtract", 2, [](std::span<const Tensor> x) { return ops::subtract(x[0], x[1]); }},
      {"Multiply", 2, [](std::span<const Tensor> x) { return ops::multiply(x[0], x[1]); }},
      {"TrueDivide", 2, [](std::span<const Tensor> x) { return ops::divide(x[0], x[1]); }},
      {"Negative", 1, [](std::span<const Tensor> x) { return ops::negative(x[0]); }},
  };
  return kRows;
}

std::vector<std::string> Operation::class_names() {
  std::vector<std::string> names;
  for (const Row& row : rows()) names.emplace_back(row.class_name);
  return names;
}

Operation::Operation(const std::string& class_name, std::string name, std::vector<Tensor> arguments)
    : Layer(class_name, std::move(name)), function_(nullptr), arguments_(std::move(arguments)) {
  set_autocast(false);
  for (const Row& row : rows()) {
    if (row.class_name != class_name) continue;
    if (row.num_arguments != arguments_.size())
      invalid_argument("[operation] {} takes {} arguments; got {}", class_name, row.num_arguments,
                       arguments_.size());
    function_ = row.function;
  }
  if (function_ == nullptr) unknown_name({"operation", "class_name"}, class_name, class_names());
}

Config Operation::get_config() const { return Config::dict({{"name", name()}}); }

std::vector<Tensor> Operation::call_for(std::span<const Tensor> inputs, const CallContext&) {
  std::vector<Tensor> arguments = arguments_;
  std::size_t next = 0;
  for (Tensor& argument : arguments) {
    if (argument.defined()) continue;
    if (next == inputs.size())
      invalid_argument("[operation] {} is called with too few inputs: {}", class_name(), inputs.size());
    argument = inputs[next++];
  }
  return {function_(arguments)};
}

}  // namespace cornu::inline v0::keras::layers
