#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/custom_gradient/custom_gradient.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"

namespace cornu::inline v0::ops::custom_gradient_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : std::vector<ir::DType>{ir::DType::kF32, ir::DType::kF64}) {
    // x * x with the gradient x * dy + x * dy, which is that of the product.
    cases.push_back({.name = case_name("custom_gradient", dtype),
                     .inputs = {{.type = {dtype, {3, 4}}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       auto region = std::make_unique<ir::Block>();
                       const ir::Value captured = region->add_argument(x[0].type()),
                                       dy = region->add_argument(x[0].type());
                       ir::Builder inner(*region);
                       const ir::Value product = multiply(inner, captured, dy);
                       region->set_results({add(inner, product, product)});
                       const ir::Value square = multiply(b, x[0], x[0]);
                       return {
                           custom_gradient(b, {&square, 1}, {&x[0], 1}, {&x[0], 1}, std::move(region))[0]};
                     },
                     .differentiable = true});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::custom_gradient_folder
