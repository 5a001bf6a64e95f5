#include "cornu/tensor/ops/random_bits.h"

#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/replica_part.h"
#include "cornu/tensor/ops/support.h"

namespace cornu::inline v0::ops {
using namespace internal;

namespace {

using RandomFn = detail::FunctionRef<ir::Value(ir::Builder&, ir::Value key0, ir::Value key1,
                                               ir::Value counter, const Dims& shape)>;

Tensor random_of_all(const char* name, const Dims& shape, DType dtype, std::uint32_t key0, std::uint32_t key1,
                     const Tensor& counter, RandomFn build) {
  const Tensor step = cast(counter, DType::kU32);
  return run_op(OpKey(name, shape, dtype, key0, key1), {&step, 1}, [&](ir::Builder& b, Values v) {
    const ir::Value low = constant(b, ir::Literal::of<std::uint32_t>({}, {key0}));
    const ir::Value high = constant(b, ir::Literal::of<std::uint32_t>({}, {key1}));
    return build(b, low, high, v[0], shape);
  });
}

Tensor random(const char* name, const Dims& shape, DType dtype, std::uint32_t key0, std::uint32_t key1,
              const Tensor& counter, RandomFn build) {
  return internal::part_of_replica(
      shape, [&](const Dims& all) { return random_of_all(name, all, dtype, key0, key1, counter, build); });
}

}  // namespace

Tensor random_bits(std::uint32_t key0, std::uint32_t key1, const Tensor& counter, const Dims& shape) {
  return random("random_bits", shape, DType::kU32, key0, key1, counter,
                [&](ir::Builder& b, ir::Value low, ir::Value high, ir::Value step, const Dims& all) {
                  return random_bits(b, low, high, step, all);
                });
}

Tensor random_uniform(std::uint32_t key0, std::uint32_t key1, const Tensor& counter, const Dims& shape,
                      DType dtype) {
  return random("random_uniform", shape, dtype, key0, key1, counter,
                [&](ir::Builder& b, ir::Value low, ir::Value high, ir::Value step, const Dims& all) {
                  return random_uniform(b, low, high, step, TensorType{dtype, all});
                });
}

}  // namespace cornu::inline v0::ops
