#include "cornu/ops/batch_norm/batch_norm.h"
#include "cornu/ops/conformance_test_support.h"

namespace cornu::inline v0::ops::batch_norm_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (const ir::DType dtype : case_dtypes(kFloat)) {
    const ConformanceInput x{.type = {dtype, {3, 4, 2}}}, vector{.type = {dtype, {4}}},
        variance{.type = {dtype, {4}}, .low = 0.5, .high = 2};
    cases.push_back({.name = case_name("stablehlo_batch_norm_inference", dtype),
                     .inputs = {x, vector, vector, vector, variance},
                     .build = [](ir::Builder& b, ConformanceValues v) -> ConformanceResults {
                       return {batch_norm_inference(b, v[0], v[1], v[2], v[3], v[4], 1e-3, 1)};
                     },
                     .differentiable = true});
    cases.push_back({.name = case_name("stablehlo_batch_norm_training", dtype),
                     .inputs = {x, vector, vector},
                     .build = [](ir::Builder& b, ConformanceValues v) -> ConformanceResults {
                       return batch_norm_training_along(b, v[0], v[1], v[2], 1e-2, 1);
                     },
                     .differentiable = true});
    cases.push_back({.name = case_name("stablehlo_batch_norm_grad", dtype),
                     .inputs = {x, vector, vector, variance, x},
                     .build = [](ir::Builder& b, ConformanceValues v) -> ConformanceResults {
                       return batch_norm_grad(b, v[0], v[1], v[2], v[3], v[4], 1e-3, 1);
                     },
                     .differentiable = true});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::batch_norm_folder
