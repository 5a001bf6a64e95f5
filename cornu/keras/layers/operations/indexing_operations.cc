#include "cornu/base/check.h"
#include "cornu/keras/layers/operations/index_key_support.h"
#include "cornu/keras/layers/operations/operation_adapters_support.h"
#include "cornu/tensor/function_calls_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

using Tensors = std::vector<Tensor>;
using Call = OperationCall;

/// Start positions of a slice: numbers, or a tensor.
ops::StartIndices starts(const Call& c) {
  const Config* const given = c.find("start_indices");
  if (given != nullptr && given->is_list()) return c.get<Dims>("start_indices");
  return c[1];
}

void check_not_sparse(const Call& c) {
  if (c.get("sparse", false))
    fail(ErrorCode::kUnimplemented, {.argument = "sparse"}, "[operation] there are no sparse tensors here");
}

}  // namespace

Tensors call_get_item(const Call& c) {
  const Config* const key = c.find("key");
  return {ops::get_item(c[0], index_key(key == nullptr ? Config() : *key))};
}

Tensors call_slice(const Call& c) { return {ops::slice(c[0], starts(c), c.get<Dims>("shape"))}; }
Tensors call_slice_update(const Call& c) { return {ops::slice_update(c[0], starts(c), c[2])}; }

Tensors call_one_hot(const Call& c) {
  check_not_sparse(c);
  return ops::calls::one_hot(c);
}
Tensors call_multi_hot(const Call& c) {
  check_not_sparse(c);
  return ops::calls::multi_hot(c);
}

// Integers stay integers if the bins are integers too.
Tensors call_digitize(const Call& c) {
  const Tensor bins = ir::is_float(c[0].dtype()) ? ops::cast(c[1], c[0].dtype()) : c[1];
  return {ops::searchsorted(bins, c[0], std::string_view("right"))};
}

Tensors call_top_k(const Call& c) {
  const ops::TopK top = ops::top_k(c[0], c.get<std::int64_t>("k"));
  return {top.values, top.indices};
}

}  // namespace cornu::inline v0::keras::layers
