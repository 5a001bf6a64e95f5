#include <limits>

#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/simple_rnn/simple_rnn.h"

namespace cornu::inline v0::ops::simple_rnn_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat)) {
    cases.push_back({.name = case_name("simple_rnn", dtype),
                     .inputs = {{.type = {dtype, {2, 4, 3}}},
                                {.type = {dtype, {3, 3}}, .low = -1, .high = 1},
                                {.type = {dtype, {2, 3}}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       const SimpleRnnResult y = simple_rnn(b, x[0], x[1], x[2]);
                       return {y.states, y.state};
                     },
                     .differentiable = true});
    cases.push_back(
        {.name = case_name("simple_rnn_masked_backwards", dtype),
         .inputs = {{.type = {dtype, {3, 4, 2}}},
                    {.type = {dtype, {2, 2}}, .low = -1, .high = 1},
                    {.type = {dtype, {3, 2}}},
                    {.type = {ir::DType::kI1, {3, 4}}, .values = {1, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0}}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
           const SimpleRnnResult y =
               simple_rnn(b, x[0], x[1], x[2], x[3], {.activation = "sigmoid", .go_backwards = true});
           return {y.states, y.state};
         },
         .differentiable = true});
    // Padding may hold anything: masked steps reach neither a state nor a gradient.
    const double nan = std::numeric_limits<double>::quiet_NaN();
    cases.push_back({.name = case_name("simple_rnn_masked_nan", dtype),
                     .inputs = {{.type = {dtype, {2, 3, 1}}, .values = {0.5, nan, 0.25, -0.75, 1, nan}},
                                {.type = {dtype, {1, 1}}, .low = -1, .high = 1},
                                {.type = {dtype, {2, 1}}},
                                {.type = {ir::DType::kI1, {2, 3}}, .values = {1, 0, 1, 1, 1, 0}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       const SimpleRnnResult y = simple_rnn(b, x[0], x[1], x[2], x[3]);
                       return {y.states, y.state};
                     },
                     .differentiable = true});
    cases.push_back(
        {.name = case_name("simple_rnn_gradient", dtype),  // its own gradient: second derivatives
         .inputs = {{.type = {dtype, {2, 2}}, .low = -1, .high = 1},
                    {.type = {dtype, {3, 4, 2}}, .low = -1, .high = 1},
                    {.type = {dtype, {3, 2}}},
                    {.type = {dtype, {3, 4, 2}}},
                    {.type = {ir::DType::kI1, {3, 4}}, .values = {1, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0}}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
           const SimpleRnnGradientResult y = simple_rnn_gradient(b, {x[0], x[1], x[2], x[3], x[4]});
           return {y.d_projected, y.d_initial};
         },
         .differentiable = true});
  }
  for (const char* activation : {"linear", "relu", "hard_sigmoid"}) {
    cases.push_back({.name = case_name(std::string("simple_rnn_") + activation, ir::DType::kF64),
                     .inputs = {{.type = {ir::DType::kF64, {2, 3, 3}}},
                                {.type = {ir::DType::kF64, {3, 3}}, .low = -1, .high = 1},
                                {.type = {ir::DType::kF64, {2, 3}}}},
                     .build = [activation](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {simple_rnn(b, x[0], x[1], x[2], {}, {.activation = activation}).state};
                     },
                     .differentiable = true});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::simple_rnn_folder
