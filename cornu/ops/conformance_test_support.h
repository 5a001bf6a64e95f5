#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/ir/literal.h"
#include "cornu/ops/dtype_set.h"

/// The table that every op and every backend is tested by, a row a case: build, infer, verify, print, run on
/// the reference backend, compare other backends with it, check the gradient. tests/conformance runs it; the
/// test of the interpreter prints it for StableHLO's interpreter.
///
/// A folder defines its rows in cornu/ops/<folder>/<folder>_cases.cc:
///
///     namespace cornu::inline v0::ops::clamp_folder {
///     std::vector<ConformanceCase> conformance_cases() {
///       std::vector<ConformanceCase> cases;
///       for (ir::DType dtype : case_dtypes(kNumber))
///         cases.push_back({.name = case_name("clamp", dtype),
///                          .inputs = {{.type = {dtype, {}}, .low = -1, .high = -0.5},
///                                     {.type = {dtype, {2, 3}}}, ...},
///                          .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
///                            return {clamp(b, x[0], x[1], x[2])};
///                          },
///                          .differentiable = true});
///       return cases;
///     }
///     }
///
/// CMake (tests/conformance) collects the files. Neither they nor what is declared here is in an installed
/// library.
namespace cornu::inline v0::ops {

/// The elements of one input; each run has the same ones.
struct ConformanceInput {
  ir::TensorType type;
  /// Floats are uniform in [low, high), integers uniform in [low, high], both ends included; i1 is a fair
  /// coin.
  double low = -2;
  double high = 2;
  /// Floats stay this far from every whole number (kinks and jumps of abs, sign, floor, max(x, 0), ...).
  double away_from_whole = 0;
  /// When not empty: the elements, repeated until the tensor is full, instead of random ones.
  std::vector<double> values = {};
};

using ConformanceValues = std::span<const ir::Value>;
using ConformanceResults = std::vector<ir::Value>;
/// Numbers of a case's inputs, in ascending order.
using ConformancePositions = std::vector<std::size_t>;

struct ConformanceCase {
  /// Unique; "<op>/<dtype>" or "<op>_<what>/<dtype>", see case_name.
  std::string name;
  std::vector<ConformanceInput> inputs;
  std::function<ConformanceResults(ir::Builder&, ConformanceValues)> build;
  /// The gradient of the float results for the float inputs is checked by central differences (cases in f64
  /// only), and other backends run the gradient's graph (all dtypes).
  bool differentiable = false;
  /// A differentiable case's float inputs to which no gradient flows: the results do not depend on their
  /// values, or in jumps only. Every other float input must get a gradient.
  ConformancePositions without_gradient = {};
  /// Multiplies the tolerance of the table; give the reason beside it.
  double tolerance_factor = 1;
};

/// "add/f32"
std::string case_name(std::string_view what, ir::DType dtype);

/// The dtypes of a set; all that there are of its kinds.
std::vector<ir::DType> case_dtypes(DTypeSet set = kAny);

/// All folders' rows; defined by the file that tests/conformance generates.
std::vector<ConformanceCase> conformance_cases();

/// The case as a function "main" of its inputs.
std::unique_ptr<ir::Function> make_function(const ConformanceCase& row);

/// The case's inputs; they follow from the case's name alone.
std::vector<ir::Literal> make_inputs(const ConformanceCase& row);

/// The table of tolerances: f64 1e-10, f32 1e-5, f16 1e-2, bf16 4e-2, relative to the norm; 0 for integers
/// and i1.
double conformance_tolerance(ir::DType dtype);

/// Empty when `actual` agrees with `expected`, else what differs. Floats: non-finite elements must match
/// exactly (NaN with NaN); over the rest ||actual - expected|| <= tolerance * factor * ||expected||, with
/// norms of at least 1e-6 a element. Integers are exact.
std::string compare_literals(const ir::Literal& actual, const ir::Literal& expected,
                             double tolerance_factor = 1);

}  // namespace cornu::inline v0::ops
