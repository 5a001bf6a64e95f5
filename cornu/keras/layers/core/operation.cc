#include "cornu/keras/layers/core/operation.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/layers/core/operation_table_support.h"

namespace cornu::inline v0::keras::layers {

std::vector<std::string> Operation::class_names() {
  std::vector<std::string> names;
  for (const OperationRow& row : operation_rows())
    if (std::string_view(row.class_name) != kWithMask) names.emplace_back(row.class_name);
  return names;
}

Operation::Operation(const std::string& class_name, std::string name, std::vector<Tensor> arguments,
                     Config options)
    : Layer(class_name, std::move(name)), arguments_(std::move(arguments)), options_(std::move(options)) {
  set_autocast(false);
  set_supports_masking(is_with_mask());
  const std::span<const OperationRow> rows = operation_rows();
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const OperationRow& each) { return each.class_name == class_name; });
  if (row == rows.end()) unknown_name({"operation", "class_name"}, class_name, class_names());
  if (arguments_.size() < row->least_arguments || arguments_.size() > row->most_arguments)
    invalid_argument("[operation] {} takes {} arguments; got {}", class_name, row->least_arguments,
                     arguments_.size());
  row_ = &*row;
}

const char* Operation::module() const { return row_->module; }
bool Operation::takes_list() const { return row_->most_arguments == kAnyNumber; }

Config Operation::get_config() const {
  Config config = Config::dict({{"name", name()}});
  for (const auto& [key, value] : options_.as_dict()) config.set(key, value);
  return config;
}

std::vector<Tensor> Operation::compute_mask(std::span<const Tensor> inputs, std::span<const Tensor>) const {
  return {inputs[1]};  // asked of kWithMask only
}

std::vector<Tensor> Operation::call_for(std::span<const Tensor> inputs, const CallContext&) {
  std::vector<Tensor> arguments = arguments_;
  std::size_t next = 0;
  for (Tensor& argument : arguments) {
    if (argument.defined()) continue;
    if (next == inputs.size())
      invalid_argument("[operation] {} is called with too few inputs: {}", class_name(), inputs.size());
    argument = inputs[next++];
  }
  return {row_->function(arguments, options_)};
}

}  // namespace cornu::inline v0::keras::layers
