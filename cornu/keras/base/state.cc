#include "cornu/keras/base/state.h"

#include <algorithm>
#include <charconv>

#include "cornu/base/check.h"
#include "cornu/keras/base/variable_state.h"
#include "cornu/tensor/trace/variable_fill.h"
#include "cornu/tensor/trace/variable_parts.h"
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

std::int64_t StatePart::count() const {
  if (modulo <= 0) return end - begin;
  return extent / modulo * (end - begin) + std::clamp<std::int64_t>(extent % modulo - begin, 0, end - begin);
}

std::string StatePart::suffix() const {
  if (modulo <= 0) return fmt::format("[{}:{} of {}, axis {}]", begin, end, extent, axis);
  return fmt::format("[{}:{} modulo {} of {}, axis {}]", begin, end, modulo, extent, axis);
}

std::pair<std::string, std::optional<StatePart>> split_state_path(StringViewArgument path) {
  const std::string_view text = path;
  const std::size_t open = text.rfind('[');
  if (open == std::string_view::npos) return {std::string(text), std::nullopt};
  StatePart part;
  std::string_view rest = text.substr(open);
  const auto take = [&](std::string_view before, std::int64_t& number) {
    if (!rest.starts_with(before)) return false;
    rest.remove_prefix(before.size());
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    return error == std::errc();
  };
  const bool has_modulo = rest.find(" modulo ") != std::string_view::npos;
  const bool is_part = take("[", part.begin) && take(":", part.end) &&
                       (!has_modulo || (take(" modulo ", part.modulo) && part.modulo > 0)) &&
                       take(" of ", part.extent) && take(", axis ", part.axis) && rest == "]";
  if (!is_part) return {std::string(text), std::nullopt};
  return {std::string(text.substr(0, open)), part};
}

StateEntry state_of(StringArgument path, const Variable& variable) {
  StateEntry entry{.path = std::move(path),
                   .type = variable.type(),
                   .save = SaveVariable{variable},
                   .load = [variable](const Tensor& value) {
                     if (!value.defined()) return;  // the value is kept elsewhere
                     if (value.type() == variable.type())
                       cornu::detail::load_value(variable, value);
                     else
                       cornu::detail::load_own_value(variable, value);
                   }};
  if (!cornu::detail::spans_processes(variable)) return entry;
  const cornu::detail::OwnRange own = cornu::detail::own_range(variable);
  const std::int64_t axis = cornu::detail::parts_of(variable)->axis;
  entry.part = {.axis = axis,
                .begin = own.begin,
                .end = own.end,
                .extent = variable.shape()[static_cast<std::size_t>(axis)],
                .modulo = own.modulo};
  return entry;
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

StateValues save_state(const StateList& list, StateForm form) {
  std::vector<Variable> variables;
  for (const StateEntry& entry : list)
    if (const Variable* const variable = variable_of(entry)) variables.push_back(*variable);
  if (form == StateForm::kOwnParts) variables = cornu::detail::stored_here(variables);
  const cornu::detail::VariableValues known(variables,
                                            {.hides_other_threads = true, .joins_at_first_process = true});
  const cornu::detail::ValuesScope scope(known);
  StateValues values;
  for (const StateEntry& entry : list) {
    const bool is_whole = form == StateForm::kWholeAtFirst || !entry.part.has_value();
    Tensor value = is_whole && entry.part.has_value() ? known.find(*variable_of(entry)) : entry.save();
    if (value.defined()) values.emplace(is_whole ? entry.path : entry.saved_path(), std::move(value));
  }
  return values;
}

namespace {

/// The entry's value, whole or the process's part, and the type that it must have.
std::pair<StateValues::const_iterator, TensorType> find_value(const StateEntry& entry,
                                                              const StateValues& values) {
  const auto whole = values.find(entry.path);
  if (whole != values.end() || !entry.part.has_value()) return {whole, entry.type};
  TensorType type = entry.type;
  type.dims[static_cast<std::size_t>(entry.part->axis)] = entry.part->count();
  return {values.find(entry.saved_path()), type};
}

}  // namespace

void check_state(const StateList& list, const StateValues& values, const char* caller) {
  std::vector<std::string> known;
  for (const StateEntry& entry : list) {
    known.push_back(entry.path);
    if (entry.part.has_value()) known.push_back(entry.saved_path());
    const auto& [found, type] = find_value(entry, values);
    if (found == values.end()) {
      if (entry.is_optional) continue;
      invalid_argument(
          "[{}] the state to resume from has no \"{}\", which should be {}: it is of another model or "
          "another call",
          caller, entry.path, expected_str(entry.type));
    }
    const Tensor& value = found->second;
    if (!value.defined() || value.is_symbolic() || !fits(type, value.type()))
      invalid_argument("[{}] \"{}\" of the state to resume from should be {}; found {}", caller, entry.path,
                       expected_str(type), value.defined() ? type_str(value.type()) : "nothing");
    if (!entry.check) continue;
    if (const std::string wrong = entry.check(value); !wrong.empty())
      invalid_argument("[{}] \"{}\" of the state to resume from: {}", caller, entry.path, wrong);
  }
  std::sort(known.begin(), known.end());
  for (const auto& [path, value] : values)
    if (!std::binary_search(known.begin(), known.end(), path))
      invalid_argument(
          "[{}] the state to resume from has \"{}\" ({}), which nothing here takes: it is of another model "
          "or another call",
          caller, path, value.defined() ? type_str(value.type()) : "nothing");
}

void load_state(const StateList& list, const StateValues& values) {
  for (const StateEntry& entry : list) {
    const auto found = find_value(entry, values).first;
    entry.load(found == values.end() ? Tensor() : found->second);
  }
}

}  // namespace cornu::inline v0::keras
