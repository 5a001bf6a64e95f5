#include <limits>

#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/lstm/lstm.h"

namespace cornu::inline v0::ops::lstm_folder {
namespace {

std::vector<ConformanceInput> inputs_of(ir::DType dtype, std::int64_t batch, std::int64_t time,
                                        std::int64_t units) {
  return {{.type = {dtype, {batch, time, 4 * units}}},
          {.type = {dtype, {units, 4 * units}}, .low = -1, .high = 1},
          {.type = {dtype, {batch, units}}},
          {.type = {dtype, {batch, units}}}};
}

}  // namespace

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat)) {
    cases.push_back({.name = case_name("lstm", dtype),
                     .inputs = inputs_of(dtype, 2, 4, 3),
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       const LstmResult y = lstm(b, {x[0], x[1], x[2], x[3]});
                       return {y.states, y.hidden, y.carry};
                     },
                     .differentiable = true});
    cases.push_back({.name = case_name("lstm_last", dtype),
                     .inputs = inputs_of(dtype, 2, 3, 2),
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {lstm(b, {x[0], x[1], x[2], x[3]}).hidden};
                     },
                     .differentiable = true});
    std::vector<ConformanceInput> masked = inputs_of(dtype, 3, 4, 2);
    masked.push_back({.type = {ir::DType::kI1, {3, 4}}, .values = {1, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0}});
    cases.push_back({.name = case_name("lstm_masked_backwards", dtype),
                     .inputs = masked,
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       const LstmResult y = lstm(b, {x[0], x[1], x[2], x[3], x[4]}, {.go_backwards = true});
                       return {y.states, y.hidden, y.carry};
                     },
                     .differentiable = true});
    // Padding may hold anything: masked steps reach neither a state nor a gradient.
    std::vector<ConformanceInput> padded = inputs_of(dtype, 2, 3, 1);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    padded[0].values = {0.5,  -0.25, 1,    0.125, nan,   nan,   nan, nan, 0.75, 0.5, -1,  -0.5,
                        0.25, 1,     -0.5, 0.5,   -0.75, 0.125, 0.5, -1,  nan,  nan, nan, nan};
    padded.push_back({.type = {ir::DType::kI1, {2, 3}}, .values = {1, 0, 1, 1, 1, 0}});
    cases.push_back({.name = case_name("lstm_masked_nan", dtype),
                     .inputs = padded,
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       const LstmResult y = lstm(b, {x[0], x[1], x[2], x[3], x[4]});
                       return {y.states, y.hidden, y.carry};
                     },
                     .differentiable = true});
    cases.push_back(
        {.name = case_name("lstm_gradient", dtype),  // its own gradient: second derivatives
         .inputs = {{.type = {dtype, {2, 8}}, .low = -1, .high = 1},
                    {.type = {dtype, {3, 2}}},
                    {.type = {dtype, {3, 4, 2}}, .low = -1, .high = 1},
                    {.type = {dtype, {3, 4, 8}}, .low = 0.1, .high = 0.9},
                    {.type = {dtype, {3, 2}}},
                    {.type = {dtype, {3, 2}}},
                    {.type = {dtype, {3, 4, 2}}},
                    {.type = {ir::DType::kI1, {3, 4}}, .values = {1, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0}}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
           const LstmGradientResult y = lstm_gradient(b, {x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]});
           return {y.d_projected, y.d_hidden, y.d_carry};
         },
         .differentiable = true});
  }
  cases.push_back({.name = case_name("lstm_one_step", ir::DType::kF64),
                   .inputs = inputs_of(ir::DType::kF64, 1, 1, 1),
                   .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                     return {lstm(b, {x[0], x[1], x[2], x[3]}).states};
                   },
                   .differentiable = true});
  cases.push_back({.name = case_name("lstm_other_activations", ir::DType::kF64),
                   .inputs = inputs_of(ir::DType::kF64, 2, 3, 2),
                   .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                     const LstmOptions options{.activation = "relu", .recurrent_activation = "hard_sigmoid"};
                     return {lstm(b, {x[0], x[1], x[2], x[3]}, options).states};
                   },
                   .differentiable = true});
  cases.push_back({.name = case_name("lstm_saved_values",
                                     ir::DType::kF64),  // their gradients go through the decomposition
                   .inputs = inputs_of(ir::DType::kF64, 2, 3, 2),
                   .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                     const LstmResult y = lstm(b, {x[0], x[1], x[2], x[3]});
                     return {y.gates, y.carries, y.states};
                   },
                   .differentiable = true});
  return cases;
}

}  // namespace cornu::inline v0::ops::lstm_folder
