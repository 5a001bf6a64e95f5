#pragma once

#include <cstdint>

#include "cornu/data/dataset.h"

namespace cornu::inline v0::distribute {

/// The part of the input that a function of distribute_datasets_from_function makes a dataset for.
struct InputContext {
  std::int64_t num_input_pipelines = 1;
  std::int64_t input_pipeline_id = 0;
  std::int64_t num_replicas_in_sync = 1;

  /// This pipeline's part of a data set: every nth element for n pipelines. Use it before shuffle, so that
  /// each process shuffles its own part.
  data::Dataset shard(const data::Dataset& dataset) const {
    return dataset.shard(num_input_pipelines, input_pipeline_id);
  }
  /// Errors: InvalidArgument if the global batch is not divisible by the number of replicas.
  std::int64_t get_per_replica_batch_size(std::int64_t global_batch_size) const;
};

}  // namespace cornu::inline v0::distribute
