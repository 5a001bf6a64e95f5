#include "cornu/keras/callbacks/history.h"

#include <algorithm>

#include "cornu/base/check.h"

namespace cornu::inline v0::keras::callbacks {

namespace {

/// The values of `name` in one of the two lists. `other`: the rest of the names, for the error.
template <typename Lists, typename Others>
const auto& values_of(const Lists& lists, const Others& others, std::string_view name, const char* hint) {
  std::vector<std::string> names;
  for (const auto& [log, values] : lists) {
    if (log == name) return values;
    names.push_back(log);
  }
  for (const auto& [log, values] : others) {
    if (log == name) invalid_argument("[history] \"{}\" {}", name, hint);
    names.push_back(log);
  }
  invalid_argument("[history] there is no \"{}\" in this history; there are: {}", name, comma_separated(names));
}

/// The list of `name`, made where it is new.
template <typename T>
std::vector<T>& list_of(std::vector<std::pair<std::string, std::vector<T>>>& lists, const std::string& name) {
  for (auto& [log, values] : lists)
    if (log == name) return values;
  return lists.emplace_back(name, std::vector<T>()).second;
}

}  // namespace

const std::vector<double>& History::operator[](std::string_view name) const {
  return values_of(history, arrays, name, "holds arrays: use array(name)");
}

const std::vector<Tensor>& History::array(std::string_view name) const {
  return values_of(arrays, history, name, "holds numbers: use operator[]");
}

bool History::contains(std::string_view name) const {
  const auto is_it = [&](const auto& entry) { return entry.first == name; };
  return std::any_of(history.begin(), history.end(), is_it) || std::any_of(arrays.begin(), arrays.end(), is_it);
}

void History::on_train_begin() {
  // As Keras: a History that is used twice holds the last run.
  epoch.clear();
  history.clear();
  arrays.clear();
  compile_seconds = train_seconds = 0;
  num_compiles = 0;
  num_steps = 0;
  steps_per_execution = 1;
}

void History::on_epoch_end(std::int64_t epoch_index, Logs& logs) {
  epoch.push_back(epoch_index);
  for (const auto& [name, value] : logs) {
    if (value.is_array()) {
      list_of(arrays, name).push_back(value.tensor());
    } else {
      list_of(history, name).push_back(value);
    }
  }
}

}  // namespace cornu::inline v0::keras::callbacks
