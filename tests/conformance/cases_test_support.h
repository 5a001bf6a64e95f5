#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <vector>

#include "cornu/ops/conformance_test_support.h"

/// The rows of the conformance table as parameters of suites: a test takes the position of its row.
namespace cornu::inline v0::ops {

inline const std::vector<ConformanceCase>& all_cases() {
  static const std::vector<ConformanceCase> cases = conformance_cases();
  return cases;
}

/// The positions of the rows that are marked differentiable. Suites about gradients are made for these alone,
/// so that no row counts as passed that has none.
inline std::vector<std::size_t> differentiable_cases() {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < all_cases().size(); ++i)
    if (all_cases()[i].differentiable) positions.push_back(i);
  return positions;
}

/// True if the floating-point inputs are all in f64, which has the digits to compare.
inline bool is_all_f64(const ConformanceCase& row) {
  for (const ConformanceInput& input : row.inputs)
    if (ir::is_float(input.type.dtype) && input.type.dtype != ir::DType::kF64) return false;
  return true;
}

/// The positions of the differentiable rows in f64, or of those in other types.
inline std::vector<std::size_t> differentiable_cases_by_type(bool in_f64) {
  std::vector<std::size_t> positions = differentiable_cases();
  std::erase_if(positions, [&](std::size_t i) { return is_all_f64(all_cases()[i]) != in_f64; });
  return positions;
}

/// A suite of one test, or several, for each row that it is made for.
class CaseTest : public testing::TestWithParam<std::size_t> {
 protected:
  const ConformanceCase& row() const { return all_cases()[GetParam()]; }
};

/// The row's name in the characters that GoogleTest allows.
inline std::string case_test_name(const testing::TestParamInfo<std::size_t>& info) {
  std::string name = all_cases()[info.param].name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

}  // namespace cornu::inline v0::ops
