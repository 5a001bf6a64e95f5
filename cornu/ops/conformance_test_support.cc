#include "cornu/ops/conformance_test_support.h"

#include <algorithm>
#include <cmath>

#include "cornu/base/check.h"

namespace cornu::inline v0::ops {
namespace {

/// SplitMix64: small, and the same everywhere.
class Random {
 public:
  explicit Random(std::string_view seed) {
    for (char c : seed) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  }
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ull;
};

double draw(const ConformanceInput& input, Random& random) {
  if (input.type.dtype == ir::DType::kI1) return static_cast<double>(random.bits() & 1);
  if (!ir::is_float(input.type.dtype))
    return std::floor(input.low + random.uniform() * (input.high - input.low + 1));
  double value = input.low + random.uniform() * (input.high - input.low);
  if (input.away_from_whole > 0) {
    const double fraction = value - std::floor(value);
    value = std::floor(value) + input.away_from_whole + fraction * (1 - 2 * input.away_from_whole);
  }
  return value;
}

}  // namespace

std::string case_name(std::string_view what, ir::DType dtype) {
  return fmt::format("{}/{}", what, ir::stablehlo_name(dtype));
}

std::vector<ir::DType> case_dtypes(DTypeSet set) {
  using ir::DType;
  std::vector<DType> dtypes;
  for (DType dtype : {DType::kF32, DType::kF64, DType::kF16, DType::kBF16, DType::kI32, DType::kI64,
                      DType::kI8, DType::kI16, DType::kU32, DType::kU64, DType::kU8, DType::kU16, DType::kI1})
    if (contains(set, dtype)) dtypes.push_back(dtype);
  return dtypes;
}

std::unique_ptr<ir::Function> make_function(const ConformanceCase& row) {
  auto function = std::make_unique<ir::Function>();
  function->name = "main";
  for (const ConformanceInput& input : row.inputs) function->body.add_argument(input.type);
  ir::Builder builder(function->body);
  function->body.set_results(row.build(builder, function->body.arguments()));
  return function;
}

std::vector<ir::Literal> make_inputs(const ConformanceCase& row) {
  std::vector<ir::Literal> literals;
  Random random(row.name);
  for (const ConformanceInput& input : row.inputs) {
    ir::Literal literal(input.type);
    const std::size_t size = ir::size_bytes(input.type.dtype);
    for (std::size_t i = 0; i < static_cast<std::size_t>(input.type.num_elements()); ++i) {
      const double value = input.values.empty() ? draw(input, random) : input.values[i % input.values.size()];
      const ir::Literal element = ir::Literal::scalar(input.type.dtype, value);
      std::copy(element.bytes().begin(), element.bytes().end(),
                literal.mutable_bytes().begin() + static_cast<std::ptrdiff_t>(i * size));
    }
    literals.push_back(literal);
  }
  return literals;
}

double conformance_tolerance(ir::DType dtype) {
  switch (dtype) {
    case ir::DType::kF64: return 1e-10;
    case ir::DType::kF32: return 1e-5;
    case ir::DType::kF16: return 1e-2;
    case ir::DType::kBF16: return 4e-2;
    default: return 0;
  }
}

std::string compare_literals(const ir::Literal& actual, const ir::Literal& expected,
                             double tolerance_factor) {
  if (actual.type() != expected.type())
    return fmt::format("type {}, expected {}", actual.type().str(), expected.type().str());
  const ir::DType dtype = expected.type().dtype;
  const std::int64_t count = expected.type().num_elements();
  if (!ir::is_float(dtype)) {
    const std::size_t size = ir::size_bytes(dtype);
    for (std::int64_t i = 0; i < count; ++i) {
      if (!std::equal(actual.bytes().begin() + i * static_cast<std::ptrdiff_t>(size),
                      actual.bytes().begin() + (i + 1) * static_cast<std::ptrdiff_t>(size),
                      expected.bytes().begin() + i * static_cast<std::ptrdiff_t>(size)))
        return fmt::format("element {} is {}, expected {}", i, actual.at(i), expected.at(i));
    }
    return "";
  }
  double error = 0, norm = 0, worst = -1;
  std::int64_t worst_at = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double a = actual.at(i), e = expected.at(i);
    if (!std::isfinite(a) || !std::isfinite(e)) {
      if (a == e || (std::isnan(a) && std::isnan(e))) continue;
      return fmt::format("element {} is {}, expected {}", i, a, e);
    }
    error += (a - e) * (a - e);
    norm += e * e;
    if (std::fabs(a - e) > worst) worst = std::fabs(a - e), worst_at = i;
  }
  const double allowed = conformance_tolerance(dtype) * tolerance_factor;
  if (std::sqrt(error) <= allowed * std::max(std::sqrt(norm), 1e-6 * std::sqrt(static_cast<double>(count))))
    return "";
  return fmt::format(
      "norm of the difference {:.3g} of {:.3g}, allowed {:.3g} of it; worst element {} is {}, expected {}",
      std::sqrt(error), std::sqrt(norm), allowed, worst_at, actual.at(worst_at), expected.at(worst_at));
}

}  // namespace cornu::inline v0::ops
