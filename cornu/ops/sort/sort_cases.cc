#include <cmath>

#include "cornu/ops/compare/compare.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/sort/sort.h"

namespace cornu::inline v0::ops::sort_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes()) {
    const bool is_float = ir::is_float(dtype);
    const ConformanceInput input{
        .type = {dtype, {4, 5}}, .low = ir::is_unsigned_integer(dtype) ? 0.0 : -9.0, .high = 9};
    if (dtype != ir::DType::kI1) {  // StableHLO's interpreter has no order of booleans
      cases.push_back({.name = case_name("sort", dtype),
                       .inputs = {input},
                       .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                         return {sort_ascending(b, x[0], 1)};
                       },
                       .differentiable = is_float});
      cases.push_back({.name = case_name("sort_descending", dtype),
                       .inputs = {input},
                       .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                         return {sort_descending(b, x[0], 0)};
                       },
                       .differentiable = is_float});
    }
    // Equal keys, a payload: the order among equals is kept.
    cases.push_back({.name = case_name("sort_by_keys", dtype),
                     .inputs = {{.type = {ir::DType::kI32, {3, 4}}, .low = 0, .high = 2},
                                {.type = {dtype, {3, 4}}, .low = 0, .high = 9}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return sort(b, {x[0], x[1]},
                                   [](ir::Builder& c, std::span<const ir::Value> v) {
                                     return compare(c, v[0], v[1], ComparisonDirection::kLt);
                                   },
                                   {.dimension = 1});
                     },
                     .differentiable = is_float});
  }
  for (ir::DType dtype : case_dtypes(kFloat)) {
    ConformanceInput special{.type = {dtype, {13}}};
    special.values = {1,   std::nan(""), -0.0, 0.0, -HUGE_VAL, -std::nan(""), HUGE_VAL, -2,
                      0.0, -0.0,         1e-3, 3,   -2};
    const ConformanceInput payload{.type = {ir::DType::kI32, {13}}, .low = 0, .high = 99};
    cases.push_back({.name = case_name("sort_total_order", dtype),
                     .inputs = {special, payload},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return sort(b, {x[0], x[1]}, [](ir::Builder& c, std::span<const ir::Value> v) {
                         return compare_total_order(c, v[1], v[0], ComparisonDirection::kGt);
                       });
                     }});
    // The order of JAX's sorts: one zero and one NaN, which comes last.
    cases.push_back({.name = case_name("sort_as_jax", dtype),
                     .inputs = {special, payload},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       const std::vector<ir::Value> sorted =
                           sort(b, {x[0], x[1]}, [](ir::Builder& c, std::span<const ir::Value> v) {
                             const auto key = [&](ir::Value of) {
                               const ir::Value zero = full(c, of.type(), 0),
                                               nan = full(c, of.type(), std::nan(""));
                               const ir::Value is_zero = compare(c, of, zero, ComparisonDirection::kEq),
                                               is_nan = compare(c, of, of, ComparisonDirection::kNe);
                               return select(c, is_nan, nan, select(c, is_zero, zero, of));
                             };
                             return compare_total_order(c, key(v[0]), key(v[1]), ComparisonDirection::kLt);
                           });
                       return sorted;
                     }});
  }
  for (ir::DType dtype : case_dtypes(kFloat))
    cases.push_back({.name = case_name("sort_by_magnitude", dtype),
                     .inputs = {{.type = {dtype, {7}}, .low = -9, .high = 9},
                                {.type = {dtype, {7}}, .low = -9, .high = 9}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return sort(b, {x[0], x[1]}, [](ir::Builder& c, std::span<const ir::Value> v) {
                         return compare(c, abs(c, v[2]), abs(c, v[3]), ComparisonDirection::kGt);
                       });
                     },
                     .differentiable = true});
  // NaN last: what argsort and top_k use; lines of many elements.
  for (ir::DType dtype : case_dtypes(kFloat))
    for (const bool descending : {false, true})
      cases.push_back(
          {.name = case_name(descending ? "sort_nan_first" : "sort_nan_last", dtype),
           .inputs = {{.type = {dtype, {3, 37}},
                       .values = {3, -1, std::nan(""), 0, -0.0, 7, 2, 2, std::nan(""), -5, INFINITY}},
                      {.type = {ir::DType::kI32, {3, 37}}, .low = 0, .high = 99}},
           .build = [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
             return sort(b, {x[0], x[1]},
                         [=](ir::Builder& c, std::span<const ir::Value> v) {
                           const ir::Value left = compare(c, v[0], v[0], ComparisonDirection::kNe),
                                           right = compare(c, v[1], v[1], ComparisonDirection::kNe);
                           const ir::Value by_value =
                               compare(c, v[0], v[1],
                                       descending ? ComparisonDirection::kGt : ComparisonDirection::kLt);
                           const ir::Value by_nan =
                               descending ? and_(c, left, not_(c, right)) : and_(c, not_(c, left), right);
                           return or_(c, by_value, by_nan);
                         },
                         {.dimension = 1});
           }});
  return cases;
}

}  // namespace cornu::inline v0::ops::sort_folder
