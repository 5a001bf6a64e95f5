#pragma once

#include <unordered_map>

#include "cornu/ir/graph.h"
#include "cornu/transform/sharding.h"

namespace cornu::inline v0::transform {

/// Shardings of results that declare none, from those of the tensors that they follow from: through
/// elementwise ops, loops, transposes and products of matrices. It only chooses where the parts of a result
/// are.
class ShardingFlow {
 public:
  ShardingFlow(const ShardingReader& reader, std::int64_t num_devices)
      : reader_(reader), num_devices_(num_devices) {}

  void set(ir::Value value, TensorSharding sharding);
  /// Notes the results of an op. Ops come in the order of the program.
  void add(const ir::Op& op);
  /// A sharding of a program's result; each of its parts has the same size.
  TensorSharding of_result(ir::Value value) const;

 private:
  /// Null if it is replicated.
  const TensorSharding* find(ir::Value value) const;
  void add_product(const ir::Op& op);

  const ShardingReader& reader_;
  std::int64_t num_devices_;
  std::unordered_map<ir::Value, TensorSharding, ir::ValueHash> shardings_;
};

}  // namespace cornu::inline v0::transform
