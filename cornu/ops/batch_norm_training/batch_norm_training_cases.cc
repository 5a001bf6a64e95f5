#include "cornu/ops/batch_norm_training/batch_norm_training.h"
#include "cornu/ops/conformance_test_support.h"

namespace cornu::inline v0::ops::batch_norm_training_folder {
namespace {

using Options = BatchNormTrainingOptions;

/// All three results; `has_mask`: the last input is the mask.
auto training(const Options& options, bool has_mask) {
  return [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
    const BatchNormTraining r =
        batch_norm_training(b, x[0], x[1], x[2], has_mask ? x[3] : ir::Value(), options);
    return {r.y, r.mean, r.variance};
  };
}

std::vector<ConformanceInput> training_inputs(ir::DType dtype, const ir::Dims& dims, std::int64_t channels) {
  return {{.type = {dtype, dims}}, {.type = {dtype, {channels}}, .low = 0.5}, {.type = {dtype, {channels}}}};
}

}  // namespace

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat)) {
    const auto add = [&](const char* what, const ir::Dims& dims, std::int64_t channels,
                         const Options& options, std::vector<ConformanceInput> mask = {}) {
      std::vector<ConformanceInput> inputs = training_inputs(dtype, dims, channels);
      inputs.insert(inputs.end(), mask.begin(), mask.end());
      cases.push_back({.name = case_name(what, dtype),
                       .inputs = inputs,
                       .build = training(options, !mask.empty()),
                       .differentiable = true});
    };
    add("batch_norm_training", {7, 3}, 3, {});
    add("batch_norm_training_images", {2, 3, 3, 5}, 5, {.axis = -1, .epsilon = 1e-2});
    add("batch_norm_training_channels_first", {3, 4, 2, 2}, 4, {.axis = 1});
    add("batch_norm_training_axis_0", {4, 5}, 4, {.axis = 0});
    const ir::DType i1 = ir::DType::kI1;
    add("batch_norm_training_rows", {5, 2, 3}, 3, {}, {{.type = {i1, {5, 1, 1}}, .values = {1, 1, 1, 0, 0}}});
    add("batch_norm_training_steps", {3, 4, 2}, 2, {}, {{.type = {i1, {3, 4, 1}}}});
    add("batch_norm_training_mask_along_channels", {3, 4, 2}, 4, {.axis = 1},
        {{.type = {i1, {3, 4, 1}}, .values = {1, 0, 1, 0, 1, 0}}});
    add("batch_norm_training_nothing_counts", {3, 2}, 2, {}, {{.type = {i1, {3, 1}}, .values = {0}}});

    const ir::DType statistics = ir::bit_width(dtype) < 32 ? ir::DType::kF32 : dtype;
    cases.push_back({.name = case_name("batch_norm_gradient", dtype),
                     .inputs = {{.type = {dtype, {6, 3}}},
                                {.type = {dtype, {3}}, .low = 0.5},
                                {.type = {statistics, {3}}},
                                {.type = {statistics, {3}}, .low = 0.5},
                                {.type = {dtype, {6, 3}}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       const BatchNormGradient r =
                           batch_norm_gradient(b, x[0], x[1], x[2], x[3], x[4], {}, {});
                       return {r.x, r.gamma, r.beta};
                     },
                     .differentiable = true});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::batch_norm_training_folder
