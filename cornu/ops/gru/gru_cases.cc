#include <limits>

#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/gru/gru.h"

namespace cornu::inline v0::ops::gru_folder {
namespace {

std::vector<ConformanceInput> inputs_of(ir::DType dtype, std::int64_t batch, std::int64_t time,
                                        std::int64_t units) {
  return {{.type = {dtype, {batch, time, 3 * units}}},
          {.type = {dtype, {units, 3 * units}}, .low = -1, .high = 1},
          {.type = {dtype, {batch, units}}},
          {.type = {dtype, {3 * units}}}};
}

}  // namespace

std::vector<ConformanceCase> conformance_cases() {
  // The position of the recurrent bias, which some cases leave out.
  const std::vector<std::size_t> bias = {3};
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat)) {
    cases.push_back(
        {.name = case_name("gru", dtype),
         .inputs = inputs_of(dtype, 2, 4, 3),
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
           const GruResult y =
               gru(b, {.projected = x[0], .recurrent_kernel = x[1], .initial = x[2], .recurrent_bias = x[3]});
           return {y.states, y.state};
         },
         .differentiable = true});
    std::vector<ConformanceInput> masked = inputs_of(dtype, 3, 4, 2);
    masked.push_back({.type = {ir::DType::kI1, {3, 4}}, .values = {1, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0}});
    cases.push_back({.name = case_name("gru_masked_backwards", dtype),
                     .inputs = masked,
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       const GruResult y = gru(b, {x[0], x[1], x[2], x[3], x[4]}, {.go_backwards = true});
                       return {y.states, y.state};
                     },
                     .differentiable = true});
    // Padding may hold anything: masked steps reach neither a state nor a gradient.
    std::vector<ConformanceInput> padded = inputs_of(dtype, 2, 3, 1);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    padded[0].values = {0.5,  -0.25, 1,    nan,   nan,   nan, 0.75, 0.5, -1,
                        0.25, 1,     -0.5, -0.75, 0.125, 0.5, nan,  nan, nan};
    padded.push_back({.type = {ir::DType::kI1, {2, 3}}, .values = {1, 0, 1, 1, 1, 0}});
    for (const bool reset_after : {true, false})
      cases.push_back(
          {.name = case_name(reset_after ? "gru_masked_nan" : "gru_reset_before_masked_nan", dtype),
           .inputs = padded,
           .build = [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
             const GruResult y = gru(b, {x[0], x[1], x[2], reset_after ? x[3] : ir::Value(), x[4]},
                                     {.reset_after = reset_after});
             return {y.states, y.state};
           },
           .differentiable = true,
           .without_gradient = reset_after ? std::vector<std::size_t>{} : bias});
    cases.push_back({.name = case_name("gru_reset_before", dtype),
                     .inputs = inputs_of(dtype, 2, 3, 2),
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {gru(b, {.projected = x[0], .recurrent_kernel = x[1], .initial = x[2]},
                                   {.reset_after = false})
                                   .states};
                     },
                     .differentiable = true,
                     .without_gradient = bias});
    cases.push_back({.name = case_name("gru_reset_before_masked", dtype),
                     .inputs = masked,
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       const GruOperands operands{
                           .projected = x[0], .recurrent_kernel = x[1], .initial = x[2], .mask = x[4]};
                       return {gru(b, operands, {.reset_after = false, .go_backwards = true}).state};
                     },
                     .differentiable = true,
                     .without_gradient = bias});
    cases.push_back(
        {.name = case_name("gru_gradient", dtype),  // its own gradient: second derivatives
         .inputs = {{.type = {dtype, {2, 6}}, .low = -1, .high = 1},
                    {.type = {dtype, {3, 4, 2}}, .low = -1, .high = 1},
                    {.type = {dtype, {3, 4, 8}}, .low = 0.1, .high = 0.9},
                    {.type = {dtype, {3, 2}}},
                    {.type = {dtype, {3, 4, 2}}},
                    {.type = {ir::DType::kI1, {3, 4}}, .values = {1, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0}}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
           const GruGradientResult y = gru_gradient(b, {x[0], x[1], x[2], x[3], x[4], x[5]});
           return {y.d_projected, y.d_initial};
         },
         .differentiable = true});
  }
  cases.push_back(
      {.name = case_name("gru_other_activations", ir::DType::kF64),
       .inputs = inputs_of(ir::DType::kF64, 2, 3, 2),
       .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
         const GruOptions options{.activation = "relu", .recurrent_activation = "hard_sigmoid"};
         return {gru(b, {.projected = x[0], .recurrent_kernel = x[1], .initial = x[2]}, options).states};
       },
       .differentiable = true,
       .without_gradient = bias});
  cases.push_back(
      {.name = case_name("gru_gates", ir::DType::kF64),  // their gradient goes through the decomposition
       .inputs = inputs_of(ir::DType::kF64, 2, 3, 2),
       .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
         const GruResult y = gru(b, {x[0], x[1], x[2], x[3]});
         return {y.gates, y.states};
       },
       .differentiable = true});
  return cases;
}

}  // namespace cornu::inline v0::ops::gru_folder
