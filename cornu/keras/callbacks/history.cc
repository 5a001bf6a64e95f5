#include "cornu/keras/callbacks/history.h"

#include "cornu/base/check.h"

namespace cornu::inline v0::keras::callbacks {

const std::vector<double>& History::operator[](std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& [log, values] : history) {
    if (log == name) return values;
    names.push_back(log);
  }
  invalid_argument("[history] there is no \"{}\" in this history; there are: {}", name, comma_separated(names));
}

bool History::contains(std::string_view name) const {
  for (const auto& [log, values] : history) {
    if (log == name) return true;
  }
  return false;
}

void History::on_train_begin() {
  // As Keras: a History that is used twice holds the last run.
  epoch.clear();
  history.clear();
  compile_seconds = train_seconds = 0;
  num_compiles = 0;
  num_steps = 0;
  steps_per_execution = 1;
}

void History::on_epoch_end(std::int64_t epoch_index, Logs& logs) {
  epoch.push_back(epoch_index);
  for (const auto& [name, value] : logs) {
    std::vector<double>* values = nullptr;
    for (auto& [log, log_values] : history) {
      if (log == name) values = &log_values;
    }
    if (values == nullptr) values = &history.emplace_back(name, std::vector<double>()).second;
    values->push_back(value);
  }
}

}  // namespace cornu::inline v0::keras::callbacks
