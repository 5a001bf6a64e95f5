#include "cornu/keras/base/state.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/keras/base/variable_state.h"
#include "cornu/tensor/trace/variable_watcher.h"

namespace cornu::inline v0::keras {
namespace {

std::string expected_str(const TensorType& type) {
  if (std::find(type.dims.begin(), type.dims.end(), -1) == type.dims.end()) return type_str(type);
  return fmt::format("any number of {}", ir::numpy_name(type.dtype));
}

bool fits(const TensorType& expected, const TensorType& found) {
  if (expected.dtype != found.dtype || expected.dims.size() != found.dims.size()) return false;
  for (std::size_t i = 0; i < found.dims.size(); ++i)
    if (expected.dims[i] != -1 && expected.dims[i] != found.dims[i]) return false;
  return true;
}

}  // namespace

Tensor state_words(std::span<const std::int64_t> words) {
  return Tensor::from({static_cast<std::int64_t>(words.size())}, words);
}
Tensor state_words(std::span<const std::uint64_t> words) {
  return Tensor::from({static_cast<std::int64_t>(words.size())}, words);
}
Tensor state_words(std::span<const double> words) {
  return Tensor::from({static_cast<std::int64_t>(words.size())}, words);
}

StateEntry state_of(StringArgument path, const Variable& variable) {
  return {.path = std::move(path),
          .type = variable.type(),
          .save = SaveVariable{variable},
          .load = [variable](const Tensor& value) {
            if (value.defined()) variable.load(value.literal());  // undefined: the value is kept elsewhere
          }};
}

StateEntry state_of(StringArgument path, std::vector<std::int64_t>& values) {
  return {.path = std::move(path),
          .type = {DType::kI64, {-1}},
          .save =
              [&values] {
                return values.empty() ? Tensor() : state_words(std::span<const std::int64_t>(values));
              },
          .load =
              [&values](const Tensor& saved) {
                values = saved.defined() ? saved.to_vector<std::int64_t>() : std::vector<std::int64_t>();
              },
          .is_optional = true};
}

StateEntry fixed_state(StringArgument path, std::int64_t value, StringArgument what) {
  return {.path = std::move(path),
          .type = {DType::kI64, {1}},
          .save = [value] { return state_words(std::span<const std::int64_t>(&value, 1)); },
          .load = [](const Tensor&) {},
          .check = [value, what = std::move(what)](const Tensor& saved) -> std::string {
            const std::int64_t found = saved.data<std::int64_t>()[0];
            return found == value ? std::string()
                                  : fmt::format("{} must be {}; the state was of {}", what, value, found);
          }};
}

void append_state(StateList& list, StringViewArgument prefix, StateList more) {
  for (StateEntry& entry : more) {
    entry.path = std::string(prefix) + entry.path;
    list.push_back(std::move(entry));
  }
}

StateValues save_state(const StateList& list) {
  std::vector<Variable> variables;
  for (const StateEntry& entry : list)
    if (const Variable* const variable = variable_of(entry)) variables.push_back(*variable);
  const cornu::detail::VariableValues known(variables, {.hides_other_threads = true});
  const cornu::detail::ValuesScope scope(known);
  StateValues values;
  for (const StateEntry& entry : list)
    if (Tensor value = entry.save(); value.defined()) values.emplace(entry.path, std::move(value));
  return values;
}

void check_state(const StateList& list, const StateValues& values, const char* caller) {
  std::vector<std::string_view> known;
  for (const StateEntry& entry : list) {
    known.push_back(entry.path);
    const auto found = values.find(entry.path);
    if (found == values.end()) {
      if (entry.is_optional) continue;
      invalid_argument(
          "[{}] the state to resume from has no \"{}\", which should be {}: it is of another model or "
          "another call",
          caller, entry.path, expected_str(entry.type));
    }
    const Tensor& value = found->second;
    if (!value.defined() || value.is_symbolic() || !fits(entry.type, value.type()))
      invalid_argument("[{}] \"{}\" of the state to resume from should be {}; found {}", caller, entry.path,
                       expected_str(entry.type), value.defined() ? type_str(value.type()) : "nothing");
    if (!entry.check) continue;
    if (const std::string wrong = entry.check(value); !wrong.empty())
      invalid_argument("[{}] \"{}\" of the state to resume from: {}", caller, entry.path, wrong);
  }
  std::sort(known.begin(), known.end());
  for (const auto& [path, value] : values)
    if (!std::binary_search(known.begin(), known.end(), std::string_view(path)))
      invalid_argument(
          "[{}] the state to resume from has \"{}\" ({}), which nothing here takes: it is of another model "
          "or another call",
          caller, path, value.defined() ? type_str(value.type()) : "nothing");
}

void load_state(const StateList& list, const StateValues& values) {
  for (const StateEntry& entry : list) {
    const auto found = values.find(entry.path);
    entry.load(found == values.end() ? Tensor() : found->second);
  }
}

}  // namespace cornu::inline v0::keras
