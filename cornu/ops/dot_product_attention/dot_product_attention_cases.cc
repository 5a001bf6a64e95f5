#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/dot_product_attention/dot_product_attention.h"

namespace cornu::inline v0::ops::dot_product_attention_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat)) {
    const std::vector<ConformanceInput> inputs = {
        {.type = {dtype, {2, 3, 2, 4}}}, {.type = {dtype, {2, 5, 2, 4}}}, {.type = {dtype, {2, 5, 2, 3}}}};
    cases.push_back({.name = case_name("dot_product_attention", dtype),
                     .inputs = inputs,
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {dot_product_attention(b, x[0], x[1], x[2], {}, {.scale = 0.5}).output};
                     },
                     .differentiable = true});
    cases.push_back({.name = case_name("dot_product_attention_causal", dtype),
                     .inputs = inputs,
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {dot_product_attention(b, x[0], x[1], x[2], {}, {.is_causal = true}).output};
                     },
                     .differentiable = true});
    // The second query of the first row may see nothing.
    std::vector<ConformanceInput> masked = inputs;
    masked.push_back(
        {.type = {ir::DType::kI1, {2, 1, 3, 5}}, .values = {1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1,
                                                            0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0}});
    cases.push_back({.name = case_name("dot_product_attention_masked", dtype),
                     .inputs = masked,
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {dot_product_attention(b, x[0], x[1], x[2], x[3], {.is_causal = true}).output};
                     },
                     .differentiable = true});
    cases.push_back({.name = case_name("dot_product_attention_of_many_keys", dtype),
                     .inputs = {{.type = {dtype, {1, 17, 1, 2}}},
                                {.type = {dtype, {1, 66, 1, 2}}},
                                {.type = {dtype, {1, 66, 1, 2}}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       const DotProductAttentionOptions options{.is_causal = true, .masked_score = -3};
                       return {dot_product_attention(b, x[0], x[1], x[2], {}, options).output};
                     },
                     .differentiable = true});
  }
  cases.push_back(
      {.name = case_name("dot_product_attention_gradient", ir::DType::kF64),  // second derivatives
       .inputs = {{.type = {ir::DType::kF64, {1, 3, 2, 2}}},
                  {.type = {ir::DType::kF64, {1, 4, 2, 2}}},
                  {.type = {ir::DType::kF64, {1, 4, 2, 3}}},
                  {.type = {ir::DType::kF64, {1, 3, 2, 3}}}},
       .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
         const DotProductAttentionResult y = dot_product_attention(b, x[0], x[1], x[2]);
         const auto d = dot_product_attention_gradient(
             b, {.query = x[0], .key = x[1], .value = x[2], .result = y, .d_output = x[3]});
         return {d.d_query, d.d_key, d.d_value};
       },
       .differentiable = true});
  return cases;
}

}  // namespace cornu::inline v0::ops::dot_product_attention_folder
