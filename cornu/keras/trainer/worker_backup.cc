#include "cornu/keras/trainer/worker_backup.h"

#include <fmt/format.h>

#include "cornu/base/check.h"
#include "cornu/base/printable.h"
#include "cornu/base/random_token.h"
#include "cornu/keras/base/variable_state.h"
#include "cornu/runtime/distant_client.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/trace/variable_state.h"
#include "cornu/tensor/value/device_value.h"

namespace cornu::inline v0::keras {

WorkerBackup::WorkerBackup(std::string path, Placement placement)
    : path_(std::move(path)), placement_(std::move(placement)), mark_(random_token()) {
  if (placement_.num_replicas() > 1)
    invalid_argument({.op = "fit", .argument = "backup"},
                     "backup.worker_file is for models on one device; this one has {} replicas",
                     placement_.num_replicas());
  if (const std::string shown = printable(path_); shown != path_)
    invalid_argument({.op = "fit", .argument = "backup"},
                     "backup.worker_file is a file's name without control characters; got \"{}\"", shown);
}

// The file's mark contains the number: it distinguishes the wanted file from one that a later take() wrote
// and whose answer was lost.
std::string WorkerBackup::path_of(std::uint64_t number) const {
  return fmt::format("{}.{}", path_, number % 2);
}

StateValues WorkerBackup::take(const StateList& list, const std::vector<Variable>& others) {
  StateValues values;
  std::vector<std::pair<std::string, Variable>> saved;
  for (const StateEntry& entry : list) {
    if (const Variable* const variable = variable_of(entry)) {
      saved.emplace_back(entry.path, *variable);
    } else if (Tensor value = entry.save(); value.defined()) {
      values.emplace(entry.path, std::move(value));
    }
  }
  for (std::size_t i = 0; i < others.size(); ++i) saved.emplace_back(fmt::format("read/{}", i), others[i]);
  std::vector<Variable> variables;
  variables.reserve(saved.size());
  for (const auto& [name, variable] : saved) variables.push_back(variable);
  std::vector<runtime::Buffer*> buffers(variables.size());
  detail::find_buffers(variables, placement_, detail::Access::kRead, buffers.data());
  std::vector<runtime::NamedBuffer> named;
  named.reserve(saved.size());
  for (std::size_t i = 0; i < saved.size(); ++i) named.push_back({saved[i].first, buffers[i]});
  const std::uint64_t number = num_taken_ + 1;
  placement_.client()->distant()->save(path_of(number), mark_ + number, named);
  saved_ = std::move(saved);
  num_taken_ = number;
  return values;
}

void WorkerBackup::load() const {
  runtime::Client& client = *placement_.client();
  std::vector<std::unique_ptr<runtime::Buffer>> made;
  std::vector<runtime::NamedBuffer> named;
  named.reserve(saved_.size());
  for (const auto& [name, variable] : saved_)
    named.push_back({name, made.emplace_back(client.allocate(variable.type(), placement_.device())).get()});
  client.distant()->load(path_of(num_taken_), mark_ + num_taken_, named);
  const int device = detail::index_of_device(&client, placement_.device());
  for (std::size_t i = 0; i < made.size(); ++i)
    saved_[i].second.assign(Tensor::on_buffer(
        std::make_shared<const detail::DeviceValue>(placement_.client(), std::move(made[i])), device));
}

}  // namespace cornu::inline v0::keras
