#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "cornu/keras/keras.h"

namespace cornu::inline v0::cli {

/// A model with data to train it on, the same that the peers' benchmarks use (batch and data size, optimizer, loss).
struct Workload {
  std::string name;
  std::string summary;  // one line for help
  /// Of a row.
  Dims input_shape;
  /// Rows are ids below this; 0: they are floating-point numbers.
  std::int64_t num_ids = 0;
  /// 1: the labels are 0 or 1, as floating-point numbers.
  std::int64_t num_classes = 0;
  std::int64_t batch_size = 0;
  std::int64_t num_rows = 0;
  /// Labels are class ids; as a float column where the loss compares them with the output by broadcasting.
  bool labels_as_column = false;
  /// What the peers' models have.
  std::int64_t num_parameters = 0;
  std::function<keras::Sequential()> make_model;
  std::function<keras::CompileOptions()> compile_options;
};

std::span<const Workload> workloads();

/// Errors: InvalidArgument that lists the names, the nearest one first.
const Workload& find_workload(const std::string& name);

/// Features uniform in [0, 1) or ids uniform below num_ids, and labels uniform over the classes, from a fixed seed: the time of a step does
/// not depend on them.
struct WorkloadData {
  Tensor x;
  Tensor y;
};
WorkloadData make_data(const Workload& workload);

}  // namespace cornu::inline v0::cli
