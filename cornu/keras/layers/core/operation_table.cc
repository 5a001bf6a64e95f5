#include <array>
#include <optional>

#include "cornu/keras/config/values_support.h"
#include "cornu/keras/layers/core/operation_table_support.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

using Arguments = std::span<const Tensor>;

/// The option of that name; `missing` where the file leaves it out.
template <typename T>
T option(const Config& options, const char* key, T missing) {
  const Config* const value = options.find(key);
  if (value == nullptr || value->is_null()) return missing;
  T result{};
  saving::read_value(*value, {"operation", key}, result);
  return result;
}

ops::Axes axis_of(const Config& options) { return option(options, "axis", ops::Axes()); }
std::int64_t one_axis(const Config& options, std::int64_t missing) {
  return option(options, "axis", missing);
}
ops::ReduceOptions reduction(const Config& options) {
  return {.axis = axis_of(options), .keepdims = option(options, "keepdims", false)};
}
ops::ExtremumOptions extremum(const Config& options) {
  return {.axis = axis_of(options), .keepdims = option(options, "keepdims", false)};
}

constexpr const char* kNumpy = "numpy";
constexpr const char* kNn = "nn";
constexpr const char* kCore = "core";
constexpr const char* kMath = "math";

#define CORNU_UNARY(name, function, module)                                            \
  OperationRow {                                                                       \
    name, module, 1, 1, [](Arguments x, const Config&) { return ops::function(x[0]); } \
  }
#define CORNU_BINARY(name, function)                                                         \
  OperationRow {                                                                             \
    name, kNumpy, 2, 2, [](Arguments x, const Config&) { return ops::function(x[0], x[1]); } \
  }
#define CORNU_REDUCTION(name, function)                                                            \
  OperationRow {                                                                                   \
    name, kNumpy, 1, 1,                                                                            \
        [](Arguments x, const Config& options) { return ops::function(x[0], reduction(options)); } \
  }

constexpr OperationRow kRows[] = {
    CORNU_BINARY("Add", add),
    CORNU_BINARY("Subtract", subtract),
    CORNU_BINARY("Multiply", multiply),
    CORNU_BINARY("Divide", divide),
    CORNU_BINARY("TrueDivide", divide),
    CORNU_BINARY("DivideNoNan", divide_no_nan),
    CORNU_BINARY("FloorDivide", floor_divide),
    CORNU_BINARY("Mod", mod),
    CORNU_BINARY("Power", power),
    CORNU_BINARY("Maximum", maximum),
    CORNU_BINARY("Minimum", minimum),
    CORNU_BINARY("Arctan2", arctan2),
    CORNU_BINARY("Equal", equal),
    CORNU_BINARY("NotEqual", not_equal),
    CORNU_BINARY("Less", less),
    CORNU_BINARY("LessEqual", less_equal),
    CORNU_BINARY("Greater", greater),
    CORNU_BINARY("GreaterEqual", greater_equal),
    CORNU_BINARY("LogicalAnd", logical_and),
    CORNU_BINARY("LogicalOr", logical_or),
    CORNU_BINARY("LogicalXor", logical_xor),
    CORNU_BINARY("Matmul", matmul),
    CORNU_UNARY("LogicalNot", logical_not, kNumpy),
    CORNU_UNARY("Negative", negative, kNumpy),
    CORNU_UNARY("Absolute", absolute, kNumpy),
    CORNU_UNARY("Sign", sign, kNumpy),
    CORNU_UNARY("Square", square, kNumpy),
    CORNU_UNARY("Sqrt", sqrt, kNumpy),
    CORNU_UNARY("Reciprocal", reciprocal, kNumpy),
    CORNU_UNARY("Exp", exp, kNumpy),
    CORNU_UNARY("Expm1", expm1, kNumpy),
    CORNU_UNARY("Log", log, kNumpy),
    CORNU_UNARY("Log1p", log1p, kNumpy),
    CORNU_UNARY("Log2", log2, kNumpy),
    CORNU_UNARY("Log10", log10, kNumpy),
    CORNU_UNARY("Sin", sin, kNumpy),
    CORNU_UNARY("Cos", cos, kNumpy),
    CORNU_UNARY("Tan", tan, kNumpy),
    CORNU_UNARY("Arcsin", arcsin, kNumpy),
    CORNU_UNARY("Arccos", arccos, kNumpy),
    CORNU_UNARY("Arctan", arctan, kNumpy),
    CORNU_UNARY("Sinh", sinh, kNumpy),
    CORNU_UNARY("Cosh", cosh, kNumpy),
    CORNU_UNARY("Tanh", tanh, kNumpy),
    CORNU_UNARY("Floor", floor, kNumpy),
    CORNU_UNARY("Ceil", ceil, kNumpy),
    CORNU_UNARY("Trunc", trunc, kNumpy),
    CORNU_UNARY("Isnan", isnan, kNumpy),
    CORNU_UNARY("Isfinite", isfinite, kNumpy),
    CORNU_UNARY("Ravel", ravel, kNumpy),
    CORNU_UNARY("Rsqrt", rsqrt, kMath),
    CORNU_UNARY("Erf", erf, kMath),
    CORNU_UNARY("Relu", relu, kNn),
    CORNU_UNARY("Relu6", relu6, kNn),
    CORNU_UNARY("Sigmoid", sigmoid, kNn),
    CORNU_UNARY("Softplus", softplus, kNn),
    CORNU_UNARY("Softsign", softsign, kNn),
    CORNU_UNARY("Silu", silu, kNn),
    CORNU_UNARY("LogSigmoid", log_sigmoid, kNn),
    CORNU_UNARY("HardSigmoid", hard_sigmoid, kNn),
    CORNU_UNARY("HardSilu", hard_silu, kNn),
    CORNU_UNARY("Selu", selu, kNn),
    CORNU_UNARY("StopGradient", stop_gradient, kCore),
    CORNU_REDUCTION("Sum", sum),
    CORNU_REDUCTION("Mean", mean),
    CORNU_REDUCTION("Var", var),
    CORNU_REDUCTION("Std", std),
    CORNU_REDUCTION("All", all),
    CORNU_REDUCTION("Any", any),
    {"Max", kNumpy, 1, 1,
     [](Arguments x, const Config& options) { return ops::max(x[0], extremum(options)); }},
    {"Min", kNumpy, 1, 1,
     [](Arguments x, const Config& options) { return ops::min(x[0], extremum(options)); }},
    {"Argmax", kNumpy, 1, 1,
     [](Arguments x, const Config& options) {
       return ops::argmax(x[0], {.axis = option(options, "axis", std::optional<std::int64_t>()),
                                 .keepdims = option(options, "keepdims", false)});
     }},
    {"Argmin", kNumpy, 1, 1,
     [](Arguments x, const Config& options) {
       return ops::argmin(x[0], {.axis = option(options, "axis", std::optional<std::int64_t>()),
                                 .keepdims = option(options, "keepdims", false)});
     }},
    {"Reshape", kNumpy, 1, 1,
     [](Arguments x, const Config& options) {
       return ops::reshape(x[0], option(options, "newshape", Dims{-1}));
     }},
    {"Transpose", kNumpy, 1, 1,
     [](Arguments x, const Config& options) {
       return ops::transpose(x[0], {.axes = option(options, "axes", Dims())});
     }},
    {"ExpandDims", kNumpy, 1, 1,
     [](Arguments x, const Config& options) { return ops::expand_dims(x[0], axis_of(options)); }},
    {"Squeeze", kNumpy, 1, 1,
     [](Arguments x, const Config& options) { return ops::squeeze(x[0], {.axis = axis_of(options)}); }},
    {"Concatenate", kNumpy, 1, kAnyNumber,
     [](Arguments x, const Config& options) { return ops::concatenate(x, one_axis(options, 0)); }},
    {"Stack", kNumpy, 1, kAnyNumber,
     [](Arguments x, const Config& options) { return ops::stack(x, one_axis(options, 0)); }},
    {"Where", kNumpy, 3, 3, [](Arguments x, const Config&) { return ops::where(x[0], x[1], x[2]); }},
    {"Clip", kNumpy, 1, 1,
     [](Arguments x, const Config& options) {
       return ops::clip(x[0], option(options, "x_min", 0.0), option(options, "x_max", 1.0));
     }},
    {"Cast", kCore, 1, 1,
     [](Arguments x, const Config& options) {
       return ops::cast(x[0], option(options, "dtype", DType::kF32));
     }},
    {"Softmax", kNn, 1, 1,
     [](Arguments x, const Config& options) {
       return ops::softmax(x[0], {.axis = option(options, "axis", ops::Axes(-1))});
     }},
    {"WithMask", kCore, 2, 2, [](Arguments x, const Config&) { return x[0].with_mask(x[1]); }},
};

#undef CORNU_UNARY
#undef CORNU_BINARY
#undef CORNU_REDUCTION

}  // namespace

std::span<const OperationRow> operation_rows() { return kRows; }

}  // namespace cornu::inline v0::keras::layers
