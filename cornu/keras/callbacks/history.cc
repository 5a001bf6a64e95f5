#include "cornu/keras/callbacks/history.h"

#include "cornu/base/check.h"

namespace cornu::inline v0::keras::callbacks {

const std::vector<double>& History::operator[](StringViewArgument name) const {
  if (arrays.contains(name)) invalid_argument("[history] \"{}\" holds arrays: use array(\"{}\")", name, name);
  return history.at(name);
}

const std::vector<Tensor>& History::array(StringViewArgument name) const {
  if (history.contains(name)) invalid_argument("[history] \"{}\" holds numbers: use operator[]", name);
  return arrays.at(name);
}

namespace {

template <typename T>
void append(ByName<std::vector<T>>& lists, const std::string& name, const T& value) {
  if (!lists.contains(name)) lists.set(name, {});
  lists.find(name)->push_back(value);
}

}  // namespace

void History::on_train_begin() {
  epoch.clear();  // the logs stay, as in Keras
  compile_seconds = train_seconds = 0;
  num_compiles = num_from_cache = 0;
  num_steps = 0;
  steps_per_execution = 1;
}

void History::on_epoch_end(std::int64_t epoch_index, Logs& logs) {
  epoch.push_back(epoch_index);
  for (const auto& [name, value] : logs) {
    if (value.is_array()) {
      append(arrays, name, value.tensor());
    } else {
      append<double>(history, name, value);
    }
  }
}

}  // namespace cornu::inline v0::keras::callbacks
