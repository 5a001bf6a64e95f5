#pragma once

#include "cornu/base/check.h"
#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

/// Ops for the tests of ir, which has no access to real ones.
namespace cornu::inline v0::ir::test_ops {

inline std::vector<TensorType> infer_same(const InferContext& context) {
  for (const Value& operand : context.operands)
    if (operand.type() != context.type(0)) invalid_argument("(C1) operands must have one type");
  return {context.type(0)};
}

inline const OpDef kAdd = {.name = "add", .infer = &infer_same, .elementwise = true};

/// Two results and an attribute of each kind.
inline const OpDef kSplit = {.name = "split", .infer = [](const InferContext& context) {
                               return std::vector<TensorType>{context.type(0), context.type(0)};
                             }};

/// Returns the results of its region.
inline const OpDef kRegion = {.name = "region",
                              .infer =
                                  [](const InferContext& context) {
                                    std::vector<TensorType> types;
                                    for (const Value& result : context.regions[0]->results())
                                      types.push_back(result.type());
                                    return types;
                                  },
                              .has_regions = true};

inline const OpDef kTwice = {.name = "cornu.twice",
                             .infer = &infer_same,
                             .decompose = [](Builder& b, std::span<const Value> x, const Attributes&) {
                               return std::vector<Value>{b.create(kAdd, {x[0], x[0]}).result()};
                             }};

/// A composite made of a composite.
inline const OpDef kFourTimes = {
    .name = "cornu.four_times",
    .infer = &infer_same,
    .decompose = [](Builder& b, std::span<const Value> x, const Attributes&) {
      return std::vector<Value>{b.create(kTwice, {b.create(kTwice, {x[0]}).result()}).result()};
    }};

}  // namespace cornu::inline v0::ir::test_ops
