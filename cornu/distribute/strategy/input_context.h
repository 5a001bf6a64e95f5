#pragma once

#include <cstdint>

#include "cornu/data/dataset.h"

namespace cornu::inline v0::distribute {

/// What distribute_datasets_from_function tells its function: which part of the input the dataset is for.
struct InputContext {
  std::int64_t num_input_pipelines = 1;
  std::int64_t input_pipeline_id = 0;
  std::int64_t num_replicas_in_sync = 1;

  /// The part of a data set that is this pipeline's: of n pipelines every nth element. Before shuffle, so
  /// that each process shuffles its own.
  data::Dataset shard(const data::Dataset& dataset) const {
    return dataset.shard(num_input_pipelines, input_pipeline_id);
  }
  /// Errors: InvalidArgument when the global batch cannot be divided among the replicas.
  std::int64_t get_per_replica_batch_size(std::int64_t global_batch_size) const;
};

}  // namespace cornu::inline v0::distribute
