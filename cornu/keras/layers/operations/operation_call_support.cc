#include "cornu/keras/layers/operations/operation_call_support.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/config/arrays_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// A parameter's name without the marks of the table.
std::string_view plain(std::string_view parameter) {
  if (parameter.starts_with('[') || parameter.starts_with('*')) parameter.remove_prefix(1);
  if (parameter.ends_with(']') || parameter.ends_with('?')) parameter.remove_suffix(1);
  return parameter;
}

/// The parameter with this index; empty after the last.
std::string_view parameter_at(std::string_view parameters, std::size_t number) {
  for (; number > 0; --number) {
    const std::size_t space = parameters.find(' ');
    if (space == std::string_view::npos) return {};
    parameters.remove_prefix(space + 1);
  }
  return plain(parameters.substr(0, parameters.find(' ')));
}

/// True if all numbers of nested lists are Python integers.
bool has_integers(const Config& value) {
  if (!value.is_list()) return value.is_integer();
  return std::all_of(value.as_list().begin(), value.as_list().end(), has_integers);
}

}  // namespace

const Config* OperationCall::find(std::string_view name) const {
  const std::size_t num_args = arguments_.args.size();
  for (std::size_t i = 0; i < num_args; ++i)
    if (parameter_at(row_.parameters, i) == name) return &arguments_.args.at(i);
  if (const Config* const value = arguments_.kwargs.find(name)) return value;
  return options_.find(name);
}

bool OperationCall::is_null(std::string_view name) const {
  const Config* const value = find(name);
  return value != nullptr && value->is_null();
}

const Config& OperationCall::needed(const char* name) const {
  const Config* const value = find(name);
  if (value == nullptr || value->is_null())
    invalid_argument({.op = row_.class_name, .argument = name}, "[operation] {} needs its argument {}{}",
                     row_.class_name, name, value == nullptr ? "" : "; got null");
  return *value;
}

Tensor OperationCall::operator[](std::size_t parameter) const {
  const std::string name(parameter_at(row_.parameters, parameter));
  return tensor_of(needed(name.c_str()), name);
}

Tensor OperationCall::tensor(std::string_view name) const {
  const Config* const value = find(name);
  return value == nullptr ? Tensor() : tensor_of(*value, name);
}

std::vector<Tensor> OperationCall::tensors(std::string_view name) const {
  const Config& all = *row_.parameters == '*' ? arguments_.args : needed(std::string(name).c_str());
  if (!all.is_list()) saving::wrong_type({row_.class_name, name}, "a list of tensors", all);
  std::vector<Tensor> result;
  result.reserve(all.size());
  for (const Config& each : all.as_list()) result.push_back(tensor_of(each, name));
  return result;
}

Tensor OperationCall::tensor_of(const Config& value, std::string_view name) const {
  if (const Config* const number = value.find(OperationArguments::kTensor)) {
    // Numbers in the options come from the file and are not argument references.
    if (!number->is_integer() || number->as_integer() < 0 ||
        static_cast<std::size_t>(number->as_integer()) >= tensors_.size())
      saving::wrong_type({row_.class_name, name}, "a tensor, a number or an array", value);
    return tensors_[static_cast<std::size_t>(number->as_integer())];
  }
  const saving::Place place{row_.class_name, name};
  if (value.is_bool()) return Tensor(value.as_bool());
  if (value.is_list())
    return saving::read_array(value, place, has_integers(value) ? DType::kI32 : DType::kF32);
  Tensor constant;
  saving::read_value(value, place, constant);
  return constant;
}

void OperationCall::read(const Config& value, const char* name, bool& result) const {
  if (value.is_null()) {
    result = false;
  } else {
    saving::read_value(value, {row_.class_name, name}, result);
  }
}

void OperationCall::read(const Config& value, const char* name, std::string_view& result) const {
  if (!value.is_string()) saving::wrong_type({row_.class_name, name}, "a string", value);
  result = value.as_string();
}

void OperationCall::read(const Config& value, const char* name,
                         std::pair<std::int64_t, std::int64_t>& result) const {
  Dims both;
  saving::read_value(value, {row_.class_name, name}, both);
  if (both.size() != 2) saving::wrong_type({row_.class_name, name}, "two integers", value);
  result = {both[0], both[1]};
}

}  // namespace cornu::inline v0::keras::layers
