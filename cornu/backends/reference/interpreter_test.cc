#include "cornu/backends/reference/interpreter.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/ops/all.h"

namespace cornu::inline v0::backends::reference {
namespace {

using ir::DType;
using ir::Literal;

TEST(InterpreterTest, RunsOpsInOrder) {
  ir::Function f;
  f.name = "main";
  const ir::Value x = f.body.add_argument({DType::kF32, {2}});
  ir::Builder b(f.body);
  f.body.set_results({ops::multiply(b, ops::add(b, x, x), x), x});
  const Literal arguments[] = {Literal::of<float>({2}, {2, 3})};
  const std::vector<Literal> results = evaluate(f, arguments);
  EXPECT_EQ(results[0], Literal::of<float>({2}, {8, 18}));
  EXPECT_EQ(results[1], arguments[0]);
}

TEST(InterpreterTest, RegionsSeeTheValuesAroundThem) {
  ir::Function f;
  f.name = "main";
  const ir::Value step = f.body.add_argument({DType::kI32, {}});
  ir::Builder b(f.body);
  const ir::Value zero = ops::scalar(b, DType::kI32, 0);
  const std::vector<ir::Value> final_values = ops::while_(
      b, {zero},
      [&](ir::Builder& inner, std::span<const ir::Value> v) {
        return ops::compare(inner, v[0], ops::scalar(inner, DType::kI32, 10), ops::ComparisonDirection::kLt);
      },
      [&](ir::Builder& inner, std::span<const ir::Value> v) {
        return std::vector<ir::Value>{ops::add(inner, v[0], step)};
      });
  f.body.set_results(final_values);
  const Literal arguments[] = {Literal::scalar(DType::kI32, 4)};
  EXPECT_EQ(evaluate(f, arguments)[0].at(0), 12);
}

TEST(InterpreterTest, CompositesRunByTheirDecomposition) {
  ir::Function f;
  f.name = "main";
  const ir::Value x = f.body.add_argument({DType::kF32, {3}});
  ir::Builder b(f.body);
  f.body.set_results({ops::relu(b, ops::relu(b, x))});
  ASSERT_TRUE(f.body.ops()[0]->def().is_composite());
  const Literal arguments[] = {Literal::of<float>({3}, {-1, 0, 2})};
  EXPECT_EQ(evaluate(f, arguments)[0], Literal::of<float>({3}, {0, 0, 2}));
}

TEST(InterpreterTest, RejectsArgumentsThatDoNotFitTheSignature) {
  ir::Function f;
  f.name = "main";
  f.body.set_results({f.body.add_argument({DType::kF32, {3}})});
  EXPECT_THROW(evaluate(f, {}), Error);
  const Literal wrong[] = {Literal::of<float>({2}, {1, 2})};
  EXPECT_THROW(evaluate(f, wrong), Error);
}

}  // namespace
}  // namespace cornu::inline v0::backends::reference
