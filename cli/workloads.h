#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cornu/keras/keras.h"

namespace cornu::inline v0::cli {

struct WorkloadInput {
  /// Shape of a row.
  Dims shape = {};
  /// Rows are ids below this; 0: they are floating-point numbers.
  std::int64_t num_ids = 0;
  /// Number of ids of each column, if the columns differ; num_ids is the largest then, and ids follow Zipf's
  /// law: id i occurs about 1 / (i + 1) times as often as id 0.
  std::vector<std::int64_t> column_ids = {};

  /// Number of ids of the column of element `i` of some rows.
  std::int64_t num_ids_at(std::size_t i) const {
    return column_ids.empty() ? num_ids : column_ids[i % column_ids.size()];
  }
};

/// A model with data to train it on, the same that the peers' benchmarks use (batch and data size, optimizer,
/// loss).
struct Workload {
  std::string name;
  std::string summary;  // one line for help
  std::vector<WorkloadInput> inputs;
  /// 1: the labels are 0 or 1, as floating-point numbers; 0: the input itself is to be reconstructed.
  std::int64_t num_classes = 0;
  /// Shape of a row's labels; {}: one label.
  Dims label_shape = {};
  std::int64_t batch_size = 0;
  std::int64_t num_rows = 0;
  /// Labels are class ids; as a float column where the loss compares them with the output by broadcasting.
  bool labels_as_column = false;
  /// Number of parameters of the peers' models.
  std::int64_t num_parameters = 0;
  std::function<keras::Model()> make_model;
  std::function<keras::CompileOptions()> compile_options;
  /// Used in place of compile_options: compiles the model with the given steps per execution.
  std::function<void(keras::Model&, const keras::StepsPerExecution&)> compile = {};
};

/// The twelve that the engine was made for, then the family.
std::span<const Workload> workloads();
/// Networks that the engine was not tuned for; see benchmarks/family/family.h.
std::vector<Workload> family_workloads();
/// Networks that take much memory or time: only measured, and not run by the tests.
std::span<const Workload> large_workloads();

/// Errors: InvalidArgument for an unknown name, with the nearest one, and for a workload of `cornu bench`
///         that is no training step.
const Workload& find_workload(const std::string& name);

/// Features uniform in [0, 1), ids as WorkloadInput describes them, and labels uniform over the classes, from
/// a fixed seed.
struct WorkloadData {
  keras::Tensors x;
  Tensor y;
};
WorkloadData make_data(const Workload& workload);

}  // namespace cornu::inline v0::cli
