#include "cornu/ops/compare/compare.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/while/while.h"

namespace cornu::inline v0::ops::while_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kNumber))
    cases.push_back(
        {.name = case_name("while", dtype),
         .inputs = {{.type = {dtype, {3}}, .low = 0}, {.type = {ir::DType::kI32, {}}, .values = {5}}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
           // i counts to a bound from outside; the second value is doubled and gets x added.
           return while_(
               b, {scalar(b, ir::DType::kI32, 0), x[0]},
               [&](ir::Builder& c, std::span<const ir::Value> v) {
                 return compare(c, v[0], x[1], ComparisonDirection::kLt);
               },
               [&](ir::Builder& c, std::span<const ir::Value> v) {
                 return std::vector<ir::Value>{add(c, v[0], scalar(c, ir::DType::kI32, 1)),
                                               add(c, add(c, v[1], v[1]), x[0])};
               });
         },
         .differentiable = ir::is_float(dtype)});
  return cases;
}

}  // namespace cornu::inline v0::ops::while_folder
