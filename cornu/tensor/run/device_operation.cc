#include "cornu/tensor/run/device_operation.h"

#include <map>
#include <mutex>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/runtime/default_precision.h"
#include "cornu/tensor/run/eager.h"
#include "cornu/tensor/run/operation_function.h"
#include "cornu/tensor/run/program_call.h"
#include "cornu/tensor/value/concrete.h"
#include "cornu/tensor/value/device.h"

namespace cornu::inline v0::detail {
namespace {

/// An eager operation prepared for a client.
struct DeviceOperation {
  Placement placement;                              // declared first: outlives the members below
  std::unique_ptr<runtime::EagerProgram> prepared;  // null: the executable is used
  std::shared_ptr<runtime::Executable> executable;
  std::vector<TensorType> results;
};

/// The operations of all threads. When there are too many the table is cleared; operations in use stay alive.
class DeviceOperations {
 public:
  using Key = std::pair<std::pair<const runtime::Client*, int>, std::vector<std::int64_t>>;

  std::shared_ptr<DeviceOperation> find(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto found = operations_.find(key);
    return found == operations_.end() ? nullptr : found->second;
  }
  void add(const Key& key, const std::shared_ptr<DeviceOperation>& operation) {
    std::map<Key, std::shared_ptr<DeviceOperation>> dropped;  // destroyed outside the lock
    const std::lock_guard lock(mutex_);
    if (operations_.size() >= kMostOperations) dropped.swap(operations_);
    // Operations of a removed client would keep it alive.
    for (auto it = operations_.begin(); it != operations_.end();) {
      const auto next = std::next(it);
      if (index_of_device(it->first.first.first, it->first.first.second) < 0)
        dropped.insert(operations_.extract(it));
      it = next;
    }
    operations_.insert_or_assign(key, operation);
  }

 private:
  static constexpr std::size_t kMostOperations = 1024;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<DeviceOperation>> operations_;
};
DeviceOperations& operations() {
  static DeviceOperations& all = *new DeviceOperations;
  return all;
}

std::shared_ptr<DeviceOperation> make_device_operation(const char* name, const Placement& placement,
                                                       std::span<const Tensor> inputs, BuildManyFn build) {
  OperationFunction made = make_operation_function(name, inputs, build);
  auto operation = std::make_shared<DeviceOperation>();
  operation->placement = placement;
  operation->results = std::move(made.results);
  operation->prepared = placement.client()->prepare(*made.function);
  if (operation->prepared == nullptr)
    operation->executable =
        placement.client()->compile({.step = made.function.get(),
                                     .arguments = std::vector(inputs.size(), runtime::ArgumentKind::kFixed),
                                     .name = name,
                                     .precision = runtime::default_precision(),
                                     .devices = placement.devices()});
  return operation;
}

std::vector<Tensor> run_prepared(const DeviceOperation& operation, std::span<const Tensor> inputs) {
  std::vector<const std::byte*> sources;
  for (const Tensor& input : inputs) sources.push_back(input.bytes());
  std::vector<Tensor> results(operation.results.size());
  std::vector<std::byte*> targets(results.size());
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = Tensor::uninitialized(operation.results[i], current_device_index(), &targets[i]);
  operation.prepared->run(sources, targets);
  return results;
}

}  // namespace

std::vector<Tensor> run_device_operation(const OpKey& key, std::span<const Tensor> inputs,
                                         BuildManyFn build) {
  const Placement placement = current_placement();
  for (const Tensor& input : inputs) check_concrete(input);
  const DeviceOperations::Key words{{placement.client().get(), placement.device()},
                                    operation_cache_key(key, inputs)};
  std::shared_ptr<DeviceOperation> operation = operations().find(words);
  if (operation == nullptr) {
    operation = make_device_operation(key.name(), placement, inputs, build);
    operations().add(words, operation);
  }
  try {
    if (operation->prepared != nullptr) return run_prepared(*operation, inputs);
    std::vector<const Tensor*> tensors;
    for (const Tensor& input : inputs) tensors.push_back(&input);
    return call_program(operation->executable, placement, tensors, operation->results);
  } catch (const Error& error) {
    throw error.said_by(key.name());
  }
}

}  // namespace cornu::inline v0::detail
