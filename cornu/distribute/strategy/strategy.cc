#include "cornu/distribute/strategy/strategy.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/distribute/connect.h"
#include "cornu/distribute/strategy/distributed_dataset.h"
#include "cornu/distribute/strategy/process_values.h"
#include "cornu/distribute/strategy/replica_sets_support.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"
#include "cornu/tensor/trace/trace.h"
#include "cornu/tensor/trace/variable_state.h"
#include "cornu/tensor/value/device_discovery.h"

namespace cornu::inline v0::distribute {
namespace {

using cornu::detail::ReplicaReduction;

std::vector<std::string> mirrored_devices(const std::vector<std::string>& devices) {
  if (!devices.empty()) return devices;
  std::vector<std::string> gpus = devices_of_type("GPU");
  return gpus.empty() ? devices_of_type("CPU") : gpus;
}

std::shared_ptr<const ReplicaSet> make_mirrored(const MirroredStrategyOptions& options) {
  const std::shared_ptr<ReplicaSet> replicas =
      make_replicas("MirroredStrategy", mirrored_devices(options.devices));
  set_shards(*replicas, options.shards);
  return replicas;
}

std::vector<std::string> names_of_tpus(const std::vector<LogicalDevice>& devices) {
  std::vector<std::string> names;
  names.reserve(devices.size());
  for (const LogicalDevice& device : devices) names.push_back(device.name);
  if (names.empty())
    fail(ErrorCode::kFailedPrecondition, {.argument = "resolver"},
         "[TPUStrategy] no TPU is connected: call initialize_tpu_system(resolver) first");
  return names;
}

/// Throws unless this thread is in the strategy's scope, or in none.
const std::shared_ptr<const ReplicaSet>& enterable(const std::shared_ptr<const ReplicaSet>& replicas) {
  const auto& current = cornu::detail::current_replica_set();
  if (current != nullptr && current != replicas)
    fail(ErrorCode::kFailedPrecondition, {.argument = "scope"},
         "[{}] the scope of another strategy ({}) is open here: strategies cannot be nested",
         replicas == nullptr ? "DefaultStrategy" : replicas->strategy, current->strategy);
  return replicas;
}

void check_variables(const ReplicaSet& replicas, std::span<const Variable> variables) {
  for (const Variable& variable : variables) {
    const ReplicaSet* const made_in = variable.state().replicas.get();
    // The generator of calls without a seed belongs to no strategy.
    if (made_in == &replicas || variable == default_seed_generator()->counter()) continue;
    fail(ErrorCode::kFailedPrecondition, {.argument = "scope"},
         "[{}.run] variable \"{}\" was made {}: make it inside `const auto scope = strategy.scope();`",
         replicas.strategy, variable.path(),
         made_in == nullptr ? std::string("outside the strategy's scope")
                            : fmt::format("in the scope of another {}", made_in->strategy));
  }
}

/// The types of replica 0's inputs, which must be those of all replicas.
std::vector<TensorType> common_types(const ReplicaSet& replicas,
                                     std::span<const std::vector<Tensor>> inputs) {
  std::vector<TensorType> types;
  for (const Tensor& tensor : inputs[0]) types.push_back(tensor.type());
  for (std::size_t r = 1; r < inputs.size(); ++r) {
    if (inputs[r].size() != types.size())
      invalid_argument({.argument = "args"}, "[{}.run] replica 0 gets {} tensors, replica {} gets {}",
                       replicas.strategy, types.size(), r, inputs[r].size());
    for (std::size_t i = 0; i < types.size(); ++i)
      if (inputs[r][i].type() != types[i])
        invalid_argument(
            {.argument = "args"},
            "[{}.run] all replicas run one program, so their tensors must have one type; replica 0 gets {}, "
            "replica {} gets {}. Batch with .drop_remainder = true, or use fit, which masks short batches",
            replicas.strategy, type_str(types[i]), r, type_str(inputs[r][i].type()));
  }
  return types;
}

/// For a group of devices: selects replica i's inputs in program i. The program is the same for all replicas,
/// and gets the inputs of all replicas of its process.
std::vector<Tensor> own_inputs(std::span<const std::vector<Tensor>> inputs) {
  if (inputs.size() == 1) return inputs[0];
  std::vector<Tensor> own;
  const auto number = [](std::int64_t value) { return Tensor(value).strong_scalar(DType::kI32); };
  for (std::size_t i = 0; i < inputs[0].size(); ++i) {
    std::vector<Tensor> of_all;
    for (const std::vector<Tensor>& of_replica : inputs) of_all.push_back(of_replica[i]);
    Dims one = inputs[0][i].shape();
    one.insert(one.begin(), 1);
    std::vector<Tensor> starts(one.size(), number(0));
    starts[0] = ops::mod(cornu::detail::process_id(), number(static_cast<std::int64_t>(inputs.size())));
    own.push_back(
        ops::reshape(ops::slice(ops::stack(of_all), ops::stack(starts), one), inputs[0][i].shape()));
  }
  return own;
}

/// Gathers the results of all programs of this process.
std::vector<std::vector<Tensor>> results_of_all(std::span<const Tensor> own, const ReplicaSet& replicas) {
  const std::int64_t num_here = replicas.num_replicas_here();
  if (num_here == 1) return {{own.begin(), own.end()}};
  std::vector<std::vector<Tensor>> results(static_cast<std::size_t>(num_here));
  for (const Tensor& result : own) {
    const Tensor all = cornu::detail::gather_from_this_process(
        ops::expand_dims(result, 0), {.num_here = num_here, .num_processes = replicas.num_processes});
    for (std::int64_t replica = 0; replica < num_here; ++replica)
      results[static_cast<std::size_t>(replica)].push_back(all[replica]);
  }
  return results;
}

}  // namespace

namespace detail {

std::vector<std::vector<Tensor>> run_traced(
    const std::shared_ptr<const ReplicaSet>& replicas, std::span<const std::vector<Tensor>> inputs,
    cornu::detail::FunctionRef<std::vector<Tensor>(std::span<const Tensor>)> trace_one) {
  if (replicas == nullptr) return {trace_one(inputs[0])};
  if (cornu::detail::current_replica_trace() != nullptr)
    fail(ErrorCode::kFailedPrecondition, {.op = "run"},
         "[{}.run] a replica cannot run replicas: call it outside of the function that run() runs",
         replicas->strategy);
  const cornu::detail::ReplicaSetScope set(enterable(replicas));
  const std::vector<TensorType> types = common_types(*replicas, inputs);
  Trace& trace = *Trace::current();
  trace.set_device(replicas->device);
  Trace::Region region(trace, replicas->strategy + ".run");
  {
    const cornu::detail::ReplicaTrace replica{.num_replicas = replicas->num_replicas};
    const cornu::detail::ReplicaTraceScope scope(&replica);
    std::vector<Tensor> own;
    own.reserve(types.size());
    for (const TensorType& type : types) own.push_back(region.add_argument(type));
    region.close(trace_one(own));
  }
  check_variables(*replicas, trace.variables_of(region));
  if (!replicas->has_device_group) return trace.replicate_op(region, inputs);
  const std::vector<Tensor> own = own_inputs(inputs);
  return results_of_all(trace.replicate_op(region, {&own, 1})[0], *replicas);
}

void check_count(const ReplicaSet* replicas, const char* caller, std::size_t num_values) {
  const std::int64_t wanted = replicas == nullptr ? 1 : replicas->num_replicas_here();
  if (std::cmp_not_equal(num_values, wanted))
    invalid_argument(
        {.argument = "value"}, "[{}.{}] a PerReplica must have a value for each of {} replicas{}; it has {}",
        replicas == nullptr ? "DefaultStrategy" : replicas->strategy, caller, wanted,
        replicas != nullptr && replicas->num_processes > 1 ? " of this process" : "", num_values);
}

Tensor reduce_values(const ReplicaSet* replicas, ReduceOp op, std::span<const Tensor> own,
                     std::optional<std::int64_t> axis) {
  const bool is_mean = op == ReduceOp::kMean;
  if (is_mean && !ir::is_float(own[0].dtype()))
    invalid_argument({.argument = "reduce_op"}, "[reduce] integers have no mean; got {}",
                     type_str(own[0].type()));
  double count = 0;
  std::vector<Tensor> values;
  for (const Tensor& value : own) {
    if (axis.has_value() && (*axis < -value.rank() || *axis >= value.rank()))
      invalid_argument({.argument = "axis"}, "[reduce] axis must be in [{}, {}); got axis = {}",
                       -value.rank(), value.rank(), *axis);
    values.push_back(axis.has_value() ? ops::sum(value, {.axis = *axis}) : value);
    count += axis.has_value()
                 ? static_cast<double>(
                       value.shape()[static_cast<std::size_t>(*axis < 0 ? *axis + value.rank() : *axis)])
                 : 1;
  }
  if (replicas != nullptr && replicas->num_processes > 1) {
    values = of_all_processes(*replicas, "reduce", values);
    count = sum_over_processes(*replicas, count);
  }
  Tensor total;
  for (const Tensor& value : values) total = total.defined() ? total + value : value;
  return is_mean ? total / count : total;
}

}  // namespace detail

std::string Strategy::name() const { return replicas_ == nullptr ? "DefaultStrategy" : replicas_->strategy; }
std::vector<std::string> Strategy::devices() const {
  return replicas_ == nullptr ? std::vector<std::string>() : replicas_->devices;
}

Strategy::Scope::Scope(const Strategy& strategy)
    : replicas_(enterable(strategy.replicas_)),
      device_(strategy.replicas_ == nullptr ? std::string() : strategy.replicas_->devices[0]) {}

Tensor Strategy::reduce(ReduceOp op, const Tensor& value, std::optional<std::int64_t> axis) const {
  if (num_replicas_in_sync() > 1 && op == ReduceOp::kSum)
    invalid_argument({.argument = "value"},
                     "[{}.reduce] a tensor that is the same on all {} replicas has no sum over them: reduce "
                     "the result of run(), or take the mean",
                     name(), num_replicas_in_sync());
  return axis.has_value() ? detail::reduce_values(nullptr, op, {&value, 1}, axis) : value;
}

Tensor Strategy::gather(const PerReplica<Tensor>& value, std::int64_t axis) const {
  detail::check_count(replicas_.get(), "gather", value.values.size());
  if (value.values[0].rank() == 0)
    invalid_argument({.argument = "value"}, "[{}.gather] scalars have no axis to gather along", name());
  if (replicas_ == nullptr || replicas_->num_processes == 1)
    return ops::concatenate(value.values, {.axis = axis});
  return ops::concatenate(of_all_processes(*replicas_, "gather", value.values), {.axis = axis});
}

DistributedDataset Strategy::experimental_distribute_dataset(const data::Dataset& dataset) const {
  if (replicas_ == nullptr) return DistributedDataset(dataset);
  return DistributedDataset(dataset, {.num_replicas = replicas_->num_replicas,
                                      .num_processes = replicas_->num_processes,
                                      .process = replicas_->process});
}

DistributedDataset Strategy::distribute_datasets_from_function(
    const std::function<data::Dataset(const InputContext&)>& dataset_fn) const {
  if (!dataset_fn)
    invalid_argument({.argument = "dataset_fn"}, "[distribute_datasets_from_function] the function is empty");
  if (replicas_ == nullptr) return DistributedDataset(dataset_fn({}), {.is_cut = true});
  return DistributedDataset(dataset_fn({.num_input_pipelines = replicas_->num_processes,
                                        .input_pipeline_id = replicas_->process,
                                        .num_replicas_in_sync = replicas_->num_replicas}),
                            {.num_replicas = replicas_->num_replicas,
                             .is_cut = true,
                             .num_processes = replicas_->num_processes,
                             .process = replicas_->process});
}

OneDeviceStrategy::OneDeviceStrategy(StringViewArgument device)
    : Strategy(make_replicas("OneDeviceStrategy", {std::string(device)})) {}

MirroredStrategy::MirroredStrategy(const MirroredStrategyOptions& options)
    : Strategy(make_mirrored(options)) {}

TPUStrategy::TPUStrategy(const TPUClusterResolver& resolver)
    : Strategy(make_replicas("TPUStrategy", names_of_tpus(tpu_devices(resolver)))) {}
TPUStrategy::TPUStrategy()
    : Strategy(make_replicas("TPUStrategy", names_of_tpus(cornu::detail::connected_devices("TPU")))) {}

Strategy get_strategy() { return Strategy(cornu::detail::current_replica_set()); }
bool has_strategy() { return cornu::detail::current_replica_set() != nullptr; }

}  // namespace cornu::inline v0::distribute
