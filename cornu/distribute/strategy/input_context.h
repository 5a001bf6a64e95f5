#pragma once

#include <cstdint>

namespace cornu::inline v0::distribute {

/// What distribute_datasets_from_function tells its function: which part of the input the dataset is for.
struct InputContext {
  std::int64_t num_input_pipelines = 1;
  std::int64_t input_pipeline_id = 0;
  std::int64_t num_replicas_in_sync = 1;

  /// Errors: InvalidArgument when the global batch cannot be divided among the replicas.
  std::int64_t get_per_replica_batch_size(std::int64_t global_batch_size) const;
};

}  // namespace cornu::inline v0::distribute
