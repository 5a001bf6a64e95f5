#include "cornu/keras/layers/operations/operation.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/layer/node.h"
#include "cornu/keras/layers/operations/operation_call_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

const std::vector<OperationRow>& rows() {
  static const std::vector<OperationRow>* const kRows = new std::vector<OperationRow>(operation_rows());
  return *kRows;
}

const OperationRow* find_row(std::string_view class_name) {
  const auto row = std::find_if(rows().begin(), rows().end(),
                                [&](const OperationRow& each) { return each.class_name == class_name; });
  return row == rows().end() ? nullptr : &*row;
}

/// The names of the parameters in a row such as "[xs]", "x" or "x weights?".
std::vector<std::string> parameter_names(std::string_view parameters) {
  std::vector<std::string> names(1);
  for (const char each : parameters) {
    if (each == ' ') {
      names.emplace_back();
    } else if (each == '_' || std::isalnum(static_cast<unsigned char>(each)) != 0) {
      names.back() += each;
    }
  }
  return names;
}

/// Throws if the operation cannot be called with these arguments.
void check_arguments(const OperationRow& row, const OperationArguments& arguments) {
  if (std::string_view(row.parameters).ends_with("**")) return;
  const std::vector<std::string> names = parameter_names(row.parameters);
  for (const std::string& key : arguments.kwargs.keys())
    if (std::find(names.begin(), names.end(), key) == names.end())
      unknown_name({row.class_name, "kwargs"}, key, names);
  const std::string_view parameters = row.parameters;
  if (parameters.starts_with('*')) return;
  const std::size_t given = arguments.args.size() + arguments.kwargs.size(), most = names.size();
  const std::size_t least =
      most - static_cast<std::size_t>(std::count(parameters.begin(), parameters.end(), '?'));
  if (given < least || given > most)
    invalid_argument("[operation] {} takes {} arguments{}; got {}", row.class_name, least,
                     most > least ? fmt::format(" to {}", most) : "", given);
}

}  // namespace

OperationArguments OperationArguments::of(std::vector<Tensor> tensors) {
  OperationArguments arguments;
  for (std::size_t i = 0; i < tensors.size(); ++i) arguments.args.append(place_of(i));
  arguments.tensors = std::move(tensors);
  return arguments;
}

std::vector<std::string> Operation::class_names() {
  std::vector<std::string> names;
  for (const OperationRow& row : rows())
    if (std::string_view(row.class_name) != kWithMask) names.emplace_back(row.class_name);
  return names;
}

bool Operation::takes_list(const std::string& class_name) {
  const OperationRow* const row = find_row(class_name);
  return row != nullptr && *row->parameters == '[' && std::string_view(row->parameters).ends_with(']');
}

Operation::Operation(const std::string& class_name, std::string name, OperationArguments arguments,
                     Config options)
    : Layer(class_name, std::move(name)),
      row_(find_row(class_name)),
      arguments_(std::move(arguments)),
      options_(std::move(options)) {
  set_autocast(false);
  set_supports_masking(is_with_mask());
  if (row_ == nullptr) unknown_name({"operation", "class_name"}, class_name, class_names());
  check_arguments(*row_, arguments_);
}

const char* Operation::module() const { return row_->module; }

Config Operation::get_config() const {
  Config config = Config::dict({});
  if (row_->has_name) config.set("name", name());
  for (const auto& [key, value] : options_.as_dict()) config.set(key, value);
  return config;
}

std::vector<Tensor> Operation::compute_mask(std::span<const Tensor> inputs, std::span<const Tensor>) const {
  return {inputs[1]};  // used for kWithMask only
}

std::vector<Tensor> Operation::call_for(std::span<const Tensor> inputs, const CallContext&) {
  std::vector<Tensor> tensors = arguments_.tensors;
  std::size_t next = 0;
  for (Tensor& tensor : tensors) {
    if (tensor.defined()) continue;
    if (next == inputs.size())
      invalid_argument("[operation] {} is called with too few inputs: {}", class_name(), inputs.size());
    tensor = inputs[next++];
  }
  return row_->function(OperationCall(*row_, arguments_, options_, tensors));
}

bool is_mask_given(const Node& node) {
  if (node.inputs.empty()) return false;
  const auto* const source = dynamic_cast<const Operation*>(node.inputs[0].node().layer.get());
  return source != nullptr && source->is_with_mask();
}

}  // namespace cornu::inline v0::keras::layers
