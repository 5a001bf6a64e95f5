#include <cmath>
#include <string>
#include <utility>

#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/reduce_window/reduce_window.h"

namespace cornu::inline v0::ops::reduce_window_folder {
namespace {

/// From an init value that is neutral to nothing: padding and gaps hold it, and it may be the extremum.
void add_cases_of_init(std::vector<ConformanceCase>& cases) {
  const std::pair<const char*, WindowOptions> windows[] = {
      {"plain", {.dimensions = {2}}},
      {"padded", {.dimensions = {2}, .padding_low = {1}, .padding_high = {1}}},
      {"dilated", {.dimensions = {3}, .base_dilations = {2}, .padding_high = {1}}}};
  for (ir::DType dtype : case_dtypes(kNumber))
    for (const auto& [name, options] : windows)
      cases.push_back({.name = case_name(std::string("reduce_window_init_") + name, dtype),
                       .inputs = {{.type = {dtype, {6}}, .values = {1, 5, 2, 7, 6, 1}}},
                       .build =
                           [window = options](ir::Builder& b, ConformanceValues x) {
                             using Combine = ir::Value (*)(ir::Builder&, ir::Value, ir::Value);
                             const Combine all[] = {add, multiply, maximum, minimum};
                             ConformanceResults results;
                             for (const Combine combine : all)
                               results.push_back(
                                   reduce_window(b, {x[0]}, {scalar(b, x[0].dtype(), 3)}, window,
                                                 [combine](ir::Builder& c, std::span<const ir::Value> v) {
                                                   return std::vector<ir::Value>{combine(c, v[0], v[1])};
                                                 })[0]);
                             return results;
                           },
                       .differentiable = ir::is_float(dtype)});
}

/// Windows that grow by one element, of a function that no kernel has: maps x -> a x + b, one after the other.
void add_cases_of_growing_windows(std::vector<ConformanceCase>& cases) {
  struct Row {
    const char* name;
    ir::Dims dims;
    WindowOptions options;
  };
  const Row rows[] = {{"prefixes", {41}, {.dimensions = {41}, .padding_low = {40}}},
                      {"suffixes", {3, 18, 5}, {.dimensions = {1, 18, 1}, .padding_high = {0, 17, 0}}}};
  for (ir::DType dtype : case_dtypes(kNumber))
    for (const Row& row : rows)
      cases.push_back(
          {.name = case_name(std::string("reduce_window_") + row.name, dtype),
           .inputs = {{.type = {dtype, row.dims}, .low = 0.5, .high = 1},
                      {.type = {dtype, row.dims}, .low = 0, .high = 3}},
           .build = [window = row.options](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
             const ir::Value one = scalar(b, x[0].dtype(), 1), zero = scalar(b, x[0].dtype(), 0);
             return reduce_window(b, {x[0], x[1]}, {one, zero}, window,
                                  [](ir::Builder& c, std::span<const ir::Value> v) {
                                    return std::vector<ir::Value>{multiply(c, v[0], v[2]),
                                                                  add(c, multiply(c, v[1], v[2]), v[3])};
                                  });
           }});
}

}  // namespace

std::vector<ConformanceCase> conformance_cases() {
  struct Window {
    const char* name;
    ir::Dims operand;
    WindowOptions options;
  };
  const std::vector<Window> windows = {
      {"plain", {4, 6}, {.dimensions = {2, 3}}},
      {"strided", {1, 6, 5, 2}, {.dimensions = {1, 2, 3, 1}, .strides = {1, 2, 2, 1}}},
      {"padded",
       {5, 4},
       {.dimensions = {3, 2}, .strides = {2, 1}, .padding_low = {1, 0}, .padding_high = {2, 1}}},
      {"dilated",
       {4, 5},
       {.dimensions = {2, 2},
        .strides = {1, 2},
        .base_dilations = {2, 1},
        .window_dilations = {3, 2},
        .padding_low = {1, 0},
        .padding_high = {0, 2}}},
      {"cut", {6, 5}, {.dimensions = {2, 2}, .padding_low = {-1, 0}, .padding_high = {0, -2}}},
  };
  struct Reduction {
    const char* name;
    ir::Value (*function)(ir::Builder&, ir::Value, const WindowOptions&);
  };
  const Reduction reductions[] = {{"sum", reduce_window_sum},
                                  {"max", reduce_window_max},
                                  {"min", reduce_window_min},
                                  {"product", reduce_window_product}};
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kNumber))
    for (const Reduction& reduction : reductions)
      for (const Window& window : windows)
        cases.push_back(
            {.name = case_name(std::string("reduce_window_") + reduction.name + "_" + window.name, dtype),
             .inputs = {{.type = {dtype, window.operand}, .low = 0.5, .high = 3}},
             .build = [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
               return {reduction.function(b, x[0], window.options)};
             },
             .differentiable = ir::is_float(dtype)});
  for (ir::DType dtype : case_dtypes(kNumber)) {
    cases.push_back({.name = case_name("reduce_window_cumulative_sum", dtype),
                     .inputs = {{.type = {dtype, {3, 5}}, .low = 0, .high = 3}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {cumulative_sum(b, x[0], 1), cumulative_sum(b, x[0], 0, true)};
                     },
                     .differentiable = ir::is_float(dtype)});
    cases.push_back(
        {.name = case_name("reduce_window_two_inputs", dtype),
         .inputs = {{.type = {dtype, {5}}, .low = 0, .high = 3}, {.type = {dtype, {5}}, .low = 0, .high = 3}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
           const ir::Value zero = scalar(b, x[0].dtype(), 0), one = scalar(b, x[0].dtype(), 1);
           return reduce_window(b, {x[0], x[1]}, {zero, one},
                                {.dimensions = {2}, .padding_low = {1}, .padding_high = {1}},
                                [](ir::Builder& c, std::span<const ir::Value> v) {
                                  return std::vector<ir::Value>{add(c, v[0], v[2]), multiply(c, v[1], v[3])};
                                });
         }});
  }
  cases.push_back({.name = case_name("reduce_window_ties", ir::DType::kF32),
                   .inputs = {{.type = {ir::DType::kF32, {6}}, .values = {1, 3, 3, -HUGE_VAL, 3, 0}}},
                   .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                     return {reduce_window_max(b, x[0], {.dimensions = {3}}),
                             reduce_window_min(b, x[0], {.dimensions = {2}})};
                   }});
  add_cases_of_init(cases);
  add_cases_of_growing_windows(cases);
  return cases;
}

}  // namespace cornu::inline v0::ops::reduce_window_folder
