#include <cmath>

#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/reduce/reduce.h"

namespace cornu::inline v0::ops::reduce_folder {
namespace {

/// The maximum of the last row and the minimum of the second are the init value, which no element has.
void add_cases_of_extreme_init(std::vector<ConformanceCase>& cases) {
  for (ir::DType dtype : case_dtypes(kNumber))
    cases.push_back({.name = case_name("reduce_extreme_init", dtype),
                     .inputs = {{.type = {dtype, {3, 4}}, .values = {1, 5, 2, 7, 8, 6, 9, 5, 1, 2, 3, 2}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       const ir::Value four = scalar(b, x[0].dtype(), 4);
                       const auto reduced = [&](auto combine) {
                         return reduce(b, {x[0]}, {four}, {1},
                                       [combine](ir::Builder& c, std::span<const ir::Value> v) {
                                         return std::vector<ir::Value>{combine(c, v[0], v[1])};
                                       })[0];
                       };
                       return {reduced(maximum), reduced(minimum)};
                     },
                     .differentiable = ir::is_float(dtype)});
}

}  // namespace

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kNumber)) {
    const bool is_float = ir::is_float(dtype);
    cases.push_back({.name = case_name("reduce_sum", dtype),
                     .inputs = {{.type = {dtype, {3, 4}}, .low = 0, .high = 4}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {reduce_sum(b, x[0], {1})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("reduce_sum_all", dtype),
                     .inputs = {{.type = {dtype, {3, 4, 2}}, .low = 0, .high = 4}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {reduce_sum(b, x[0], {0, 1, 2})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("reduce_sum_outer", dtype),
                     .inputs = {{.type = {dtype, {3, 4, 2}}, .low = 0, .high = 4}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {reduce_sum(b, x[0], {2, 0})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("reduce_max", dtype),
                     .inputs = {{.type = {dtype, {3, 4}}, .low = 0, .high = 4}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {reduce_max(b, x[0], {1})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("reduce_max_outer", dtype),
                     .inputs = {{.type = {dtype, {3, 4}}, .low = 0, .high = 4}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {reduce_max(b, x[0], {0})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("reduce_min", dtype),
                     .inputs = {{.type = {dtype, {3, 4, 2}}, .low = 0, .high = 4}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {reduce_min(b, x[0], {0, 2})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("reduce_product", dtype),
                     .inputs = {{.type = {dtype, {3, 4}}, .low = 0, .high = 4}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {reduce_product(b, x[0], {1})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("reduce_product_two", dtype),
                     .inputs = {{.type = {dtype, {3, 4, 2}}, .low = 0, .high = 4}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {reduce_product(b, x[0], {0, 2})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("reduce_init", dtype),
                     .inputs = {{.type = {dtype, {3, 4}}, .low = 0, .high = 4},
                                {.type = {dtype, {}}, .low = 0, .high = 4}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return reduce(b, {x[0]}, {x[1]}, {0},
                                     [](ir::Builder& c, std::span<const ir::Value> v) {
                                       return std::vector<ir::Value>{add(c, v[0], v[1])};
                                     });
                     },
                     .differentiable = is_float});
  }

  for (ir::DType dtype : case_dtypes(kNumber))
    cases.push_back({.name = case_name("reduce_argmax", dtype),
                     .inputs = {{.type = {dtype, {4, 7}}, .low = 0, .high = 5}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {argmax(b, x[0], 1), argmax(b, x[0], 0)};
                     }});
  cases.push_back({.name = case_name("reduce_argmax_special", ir::DType::kF32),
                   .inputs = {{.type = {ir::DType::kF32, {3, 4}},
                               .values = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL, 1, std::nan(""), 3,
                                          std::nan(""), 0, 2, 2, -0.0}}},
                   .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                     return {argmax(b, x[0], 1)};
                   }});
  for (ir::DType dtype : case_dtypes(kBits))
    cases.push_back({.name = case_name("reduce_and_or", dtype),
                     .inputs = {{.type = {dtype, {3, 4}}, .low = 0, .high = 15}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {reduce_and(b, x[0], {1}), reduce_or(b, x[0], {0})};
                     }});
  add_cases_of_extreme_init(cases);
  return cases;
}

}  // namespace cornu::inline v0::ops::reduce_folder
