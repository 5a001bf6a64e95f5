#include "cornu/tensor/ops/replica_part.h"

#include <vector>

#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/index.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/trace/replicas.h"

namespace cornu::inline v0::ops {

Tensor internal::part_of_replica(const Dims& shape, detail::FunctionRef<Tensor(const Dims& shape)> draw) {
  const detail::ReplicaTrace* const replica = detail::current_replica_trace();
  const bool knows_rows = replica != nullptr && replica->num_rows > 0;
  if (replica == nullptr || (knows_rows && (shape.empty() || shape[0] % replica->num_rows != 0)))
    return draw(shape);
  Dims all = shape.empty() ? Dims{1} : shape;
  const Dims part = all;
  all[0] *= replica->num_replicas;
  const Tensor numbers = draw(all);
  std::vector<Tensor> start(all.size(), Tensor(std::int64_t{0}).strong_scalar(DType::kI32));
  start[0] = cast(detail::replica_id(), DType::kI32) * part[0];
  const Tensor own = slice(numbers, stack(start), part);
  return shape.empty() ? reshape(own, {}) : own;
}

}  // namespace cornu::inline v0::ops
