#pragma once

#include <string_view>
#include <vector>

#include "cornu/ir/op_def.h"
#include "cornu/ops/reduce/reduce.h"

/// Functions that reduce and scatter share: bodies that combine scalars.
namespace cornu::inline v0::ops {

/// Throws InvalidArgument, beginning with `what`, unless the body maps (scalars, scalars) to scalars.
void check_scalar_body(const ir::Block& body, const std::vector<ir::TensorType>& scalars,
                       std::string_view what);

/// results[..][results_at] = body(results[..][results_at], elements[..][elements_at])
void combine_elements(const ir::ReferenceContext& context, const ir::Block& body,
                      std::vector<ir::Literal>& results, std::int64_t results_at,
                      std::span<const ir::Literal> elements, std::int64_t elements_at);

/// A region of 2N scalar arguments of the inputs' dtypes, filled by `body`.
std::unique_ptr<ir::Block> make_scalar_body(const ir::Builder& builder, std::span<const ir::Value> inputs,
                                            const ReduceBody& body);

/// The name of the body's only op when it combines the two arguments; else empty.
std::string_view simple_body_kind(const ir::Block& body);

/// The neutral element of maximum (-inf, the lowest integer) and of minimum.
ir::Literal least_value(ir::DType dtype);
ir::Literal greatest_value(ir::DType dtype);

}  // namespace cornu::inline v0::ops
