#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/data/dataset.h"
#include "cornu/distribute/cluster_resolver/tpu_cluster_resolver.h"
#include "cornu/distribute/strategy/input_context.h"
#include "cornu/distribute/strategy/per_replica.h"
#include "cornu/distribute/strategy/replica_context.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/trace/replicas.h"

/// Distribution of programs over several devices, with the names of tf.distribute.
namespace cornu::inline v0::distribute {

class DistributedDataset;

/// Argument of a value function of experimental_distribute_values_from_function.
struct ValueContext {
  std::int64_t replica_id_in_sync_group = 0;
  std::int64_t num_replicas_in_sync = 1;
};

namespace detail {

/// Runs traced code on all replicas; `inputs`: those of each replica. Only inside a trace.
std::vector<std::vector<Tensor>> run_traced(
    const std::shared_ptr<const ReplicaSet>& replicas, std::span<const std::vector<Tensor>> inputs,
    cornu::detail::FunctionRef<std::vector<Tensor>(std::span<const Tensor>)> trace);
/// Errors: InvalidArgument if the number of values differs from the number of replicas.
void check_count(const ReplicaSet* replicas, const char* caller, std::size_t num_values);
Tensor reduce_values(const ReplicaSet* replicas, ReduceOp op, std::span<const Tensor> values,
                     std::optional<std::int64_t> axis);

}  // namespace detail

/// Trains models and runs functions on several replicas.
///
///     distribute::MirroredStrategy strategy;
///     {
///       const auto scope = strategy.scope();
///       model = make_model();
///       model.compile({.optimizer = "adam", .loss = "mse"});
///     }
///     model.fit(x, y, {.batch_size = 64});  // 64 / strategy.num_replicas_in_sync() rows each
///
/// The replicas of one process are one program: each computes its part of the batch, sums are added in the
/// order of the replicas, results that are the same for all are computed once, and each variable has one
/// value. A batch is split into equal parts in the order of its rows; the last part may be shorter, or empty.
/// A value type; copies are the same strategy.
class Strategy {
 public:
  /// The default strategy: one replica on the default device.
  Strategy() = default;

  /// "MirroredStrategy" or "DefaultStrategy", for example.
  std::string name() const;
  std::int64_t num_replicas_in_sync() const { return replicas_ == nullptr ? 1 : replicas_->num_replicas; }
  /// The device of each replica, by full name; empty for the default strategy.
  std::vector<std::string> devices() const;

  /// Makes the variables and models that this thread creates belong to this strategy while it lives.
  class [[nodiscard]] Scope {
   public:
    /// Errors: FailedPrecondition inside another strategy's scope.
    explicit Scope(const Strategy& strategy);
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    cornu::detail::ReplicaSetScope replicas_;
    DeviceScope device_;
  };
  Scope scope() const { return Scope(*this); }

  /// Calls f on each replica: a PerReplica argument is split, all others are the same for all replicas.
  /// Arguments may be any structure that `function` accepts. The result is a PerReplica of f's results, or
  /// void.
  ///
  /// Inside `function` the call becomes part of that program, also in loops. Outside, an f made by `function`
  /// is compiled once for each signature; any other f is traced and compiled in each call, because it may
  /// have changed. Without a strategy f is called directly. f is traced once for all replicas.
  /// Errors: InvalidArgument if a PerReplica has another number of values, or values of several types; if
  ///         replicas assign different values to a variable without aggregation; FailedPrecondition for a
  ///         variable made outside the scope, with its name.
  template <typename F, typename... Arguments>
  auto run(F&& f, const Arguments&... arguments) const {
    using Result = std::remove_cvref_t<
        std::invoke_result_t<F&, const typename LocalOf<std::decay_t<Arguments>>::type&...>>;
    const auto once = [&](const std::decay_t<Arguments>&... all) { return run_in_trace<Result>(f, all...); };
    if (cornu::detail::is_tracing() || replicas_ == nullptr) return once(arguments...);
    const cornu::FunctionOptions options{.name = name() + ".run"};
    if constexpr (requires { typename std::remove_cvref_t<F>::Callable; }) {
      return f.variant(replicas_, [&](const auto& callable) {
        return function(
            [strategy = *this, callable](const std::decay_t<Arguments>&... all) {
              return strategy.run_in_trace<Result>(*callable, all...);
            },
            options);
      })(arguments...);
    } else {
      return function(once, options)(arguments...);
    }
  }

  /// The sum or mean over the replicas, of each tensor of a structure. With `axis` it is also reduced over
  /// that axis; the mean then counts elements, even if the replicas have different numbers. If there are
  /// several processes all must call it, and all get the same result.
  template <typename T>
  T reduce(ReduceOp op, const PerReplica<T>& value, std::optional<std::int64_t> axis = {}) const {
    detail::check_count(replicas_.get(), "reduce", value.values.size());
    std::vector<std::vector<Tensor>> tensors;
    tensors.reserve(value.values.size());
    for (const T& of_replica : value.values) tensors.push_back(cornu::detail::tensors_of(of_replica));
    std::vector<Tensor> reduced;
    reduced.reserve(tensors[0].size());
    for (std::size_t i = 0; i < tensors[0].size(); ++i) {
      std::vector<Tensor> values;
      values.reserve(tensors.size());
      for (const std::vector<Tensor>& of_replica : tensors) values.push_back(of_replica[i]);
      reduced.push_back(detail::reduce_values(replicas_.get(), op, values, axis));
    }
    return cornu::detail::with_tensors(value.values[0], reduced);
  }
  /// Reduces a value that is the same on all replicas: the mean is the value itself. With `axis` that axis is
  /// reduced.
  /// Errors: InvalidArgument for the sum over several replicas, which is certainly a mistake.
  Tensor reduce(ReduceOp op, const Tensor& value, std::optional<std::int64_t> axis = {}) const;
  /// Concatenates the tensors of all replicas along `axis`, also those of other processes.
  /// Errors: InvalidArgument for scalars, and if tensors of several processes differ in more than the extent
  ///         of the axis.
  Tensor gather(const PerReplica<Tensor>& value, std::int64_t axis) const;

  /// The values of the replicas of this process.
  template <typename T>
  std::vector<T> experimental_local_results(const PerReplica<T>& value) const {
    return value.values;
  }
  template <typename T>
  std::vector<T> experimental_local_results(const T& value) const {
    return {value};
  }

  /// Makes a value for each replica by value_fn(ValueContext).
  template <typename F>
  auto experimental_distribute_values_from_function(F&& value_fn) const {
    PerReplica<std::remove_cvref_t<std::invoke_result_t<F&, const ValueContext&>>> result;
    const std::int64_t here = replicas_ == nullptr ? 1 : replicas_->num_replicas_here();
    const std::int64_t first = replicas_ == nullptr ? 0 : replicas_->process * here;
    for (std::int64_t i = first; i < first + here; ++i)
      result.values.push_back(value_fn(
          ValueContext{.replica_id_in_sync_group = i, .num_replicas_in_sync = num_replicas_in_sync()}));
    return result;
  }
  /// The older name of experimental_distribute_values_from_function.
  template <typename F>
  auto make_per_replica_values(F&& value_fn) const {
    return experimental_distribute_values_from_function(std::forward<F>(value_fn));
  }

  /// Splits the batches of a dataset into a part for each replica. See DistributedDataset.
  DistributedDataset experimental_distribute_dataset(const data::Dataset& dataset) const;
  /// Distributes a dataset of batches for single replicas, made by dataset_fn(InputContext).
  DistributedDataset distribute_datasets_from_function(
      const std::function<data::Dataset(const InputContext&)>& dataset_fn) const;

  bool operator==(const Strategy&) const = default;

 protected:
  explicit Strategy(std::shared_ptr<const ReplicaSet> replicas) : replicas_(std::move(replicas)) {}

 private:
  friend Strategy get_strategy();

  template <typename Result, typename F, typename... Arguments>
  auto run_in_trace(F& f, const Arguments&... arguments) const {
    // A PerReplica argument is passed as the tensors of each replica; f gets them in the structure of the
    // first replica's value.
    std::vector<std::vector<Tensor>> inputs(
        static_cast<std::size_t>(replicas_ == nullptr ? 1 : replicas_->num_replicas_here()));
    (add_inputs(arguments, inputs), ...);
    std::any structure;
    const auto call = [&](std::span<const Tensor> tensors) {
      [[maybe_unused]] const Tensor* next = tensors.data();
      const std::tuple<typename LocalOf<Arguments>::type...> local{local_argument(arguments, next)...};
      if constexpr (std::is_void_v<Result>) {
        std::apply(f, local);
        return std::vector<Tensor>();
      } else {
        Result result = std::apply(f, local);
        std::vector<Tensor> results = cornu::detail::tensors_of(result);
        structure = std::move(result);
        return results;
      }
    };
    const std::vector<std::vector<Tensor>> results = detail::run_traced(replicas_, inputs, call);
    if constexpr (!std::is_void_v<Result>) {
      PerReplica<Result> all;
      for (const std::vector<Tensor>& of_replica : results)
        all.values.push_back(cornu::detail::with_tensors(*std::any_cast<Result>(&structure), of_replica));
      return all;
    }
  }
  template <typename T>
  void add_inputs(const T& argument, std::vector<std::vector<Tensor>>& inputs) const {
    if constexpr (is_per_replica<T>) {
      detail::check_count(replicas_.get(), "run", argument.values.size());
      for (std::size_t i = 0; i < inputs.size(); ++i)
        for (const Tensor& tensor : cornu::detail::tensors_of(argument.values[i]))
          inputs[i].push_back(tensor);
    }
  }
  template <typename T>
  static typename LocalOf<T>::type local_argument(const T& argument, const Tensor*& next) {
    if constexpr (is_per_replica<T>) {
      const std::size_t count = cornu::detail::tensors_of(argument.values[0]).size();
      return cornu::detail::with_tensors(argument.values[0],
                                         std::span(std::exchange(next, next + count), count));
    } else {
      return argument;
    }
  }

  std::shared_ptr<const ReplicaSet> replicas_;  // null: the default strategy
};

/// One replica on a given device.
class OneDeviceStrategy : public Strategy {
 public:
  /// Errors: those of canonical_device_name.
  explicit OneDeviceStrategy(StringViewArgument device);
};

struct MirroredStrategyOptions {  // options/distribute.toml
  /// Names of the devices, one for each replica; empty: all GPUs, or without any all CPUs (see
  /// set_logical_devices).
  std::vector<std::string> devices = {};
  /// Number of parts into which fit splits a batch; 0: as many as replicas. With a number that all of 1, 2,
  /// 4, ... replicas divide, each number of replicas trains to the same bits, because sums are computed over
  /// the parts in their order. Has no effect on run().
  std::int64_t shards = 0;
};
/// A replica on each of several devices of one kind: the CPU's logical devices, cores of a simulated device,
/// devices of one plug-in, of this process or of one worker; or the CPU engines of several workers.
class MirroredStrategy : public Strategy {
 public:
  /// Errors: InvalidArgument if a device is listed twice, devices are of several kinds, belong to several
  ///         clients that are not workers' CPU engines, or shards is not a multiple of their number; NotFound
  ///         for a device that does not exist; Unimplemented for shards on several devices of a plug-in.
  explicit MirroredStrategy(const MirroredStrategyOptions& options = {});
};

/// A replica on each TPU core that initialize_tpu_system connected.
class TPUStrategy : public Strategy {
 public:
  /// Errors: FailedPrecondition if initialize_tpu_system was not called; those of MirroredStrategy.
  explicit TPUStrategy(const TPUClusterResolver& resolver);
  /// Uses all connected TPUs.
  TPUStrategy();
};

struct MultiWorkerMirroredStrategyOptions {  // options/distribute.toml
  /// Names of this process's devices, one for each replica, equally many in all processes; empty: all its
  /// CPUs (see set_logical_devices). "GPU:0" is a different GPU for each process of a machine. A client with
  /// settings, such as "pjrt:cuda,precision=default", stands for its devices, of which each process takes one
  /// unless the settings state others; programs on such devices use the plug-in's collectives (NCCL). Make
  /// the strategy before anything else uses the devices.
  std::vector<std::string> devices = {};
  /// Number of parts into which fit splits a batch; 0: as many as replicas of all processes. Runs whose
  /// number of replicas divides it train to the same bits.
  std::int64_t shards = 0;
  /// "bf16": rounds gradients before they are summed, which halves the bytes that processes exchange; empty:
  /// exact gradients.
  std::string gradient_compression = {};
  /// Time in seconds that a process waits for another one at a common operation before it fails; 0: no limit.
  /// Unset: CORNU_PROCESSES_TIMEOUT, else 600. It must be longer than any work that process 0 does alone,
  /// such as saving and your callbacks.
  std::optional<double> timeout_seconds = {};
};
/// The replicas of several processes, on one machine or on many, started by `mpirun` or Slurm's srun.
///
///     mpirun -n 4 program
///
/// Each process runs the same program over the same data, and computes its part of them: `fit` splits batches
/// like a MirroredStrategy with the replicas of all processes, in the order of their ranks. Sums are computed
/// in a fixed order, so that all processes have the same bits. Only process 0 prints and saves. If no seed
/// was set before the strategy is made, all processes use one of process 0. Without mpirun it is a strategy
/// of one process. TF_CONFIG, from which TensorFlow reads the cluster, is not needed; if it is set, it must
/// agree.
class MultiWorkerMirroredStrategy : public Strategy {
 public:
  /// Errors: kUnavailable if Cornu was built without MPI; FailedPrecondition if TF_CONFIG has another number
  ///         of workers, ranks have different seeds, devices or versions of Cornu, or a plug-in cannot give
  ///         each process its devices; InvalidArgument as in MirroredStrategy; Unimplemented for a plug-in
  ///         that cannot connect processes. If one rank fails, the others throw FailedPrecondition with its
  ///         number.
  explicit MultiWorkerMirroredStrategy(const MultiWorkerMirroredStrategyOptions& options = {});

  int num_workers() const;
  /// The number of this process.
  int rank() const;
  /// True for the first process, which prints and saves.
  bool is_chief() const { return rank() == 0; }
};

/// The strategy of this thread's scope, or of the running replica; else the default one.
Strategy get_strategy();
bool has_strategy();

template <typename F, typename... Arguments>
auto ReplicaContext::merge_call(F&& f, Arguments&&... arguments) const {
  return f(strategy(), std::forward<Arguments>(arguments)...);
}

}  // namespace cornu::inline v0::distribute
