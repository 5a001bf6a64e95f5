#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cornu/runtime/client.h"
#include "cornu/tensor/run/run_op.h"

/// Immediate execution of single operations: prepared once for a key and input types, then looked up without
/// an allocation.
namespace cornu::inline v0::detail {

struct EagerOperation {
  const char* name;
  std::shared_ptr<runtime::Client> client;  // outlives the program
  std::unique_ptr<runtime::EagerProgram> program;
  std::vector<TensorType> results;
};

/// The prepared operation for these inputs: this thread's, else another thread's, else a new one. Their
/// number and memory are bounded: rarely used ones are evicted and prepared again.
/// Lifetime: until this thread's next call. Errors: FailedPrecondition for a symbolic input; those of
///           `build`.
const EagerOperation& find_eager_operation(const OpKey& key, std::span<const Tensor> inputs,
                                           BuildManyFn build);

/// The cache key with the inputs' types as numbers: equal keys mean equal operations.
std::vector<std::int64_t> operation_cache_key(const OpKey& key, std::span<const Tensor> inputs);

/// Runs the operation on the current device.
void run_eager_operation(const EagerOperation& operation, std::span<const Tensor> inputs,
                         std::span<Tensor> results);

}  // namespace cornu::inline v0::detail
