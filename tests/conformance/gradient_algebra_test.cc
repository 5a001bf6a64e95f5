#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <initializer_list>
#include <string_view>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/check.h"
#include "cornu/ir/verify.h"
#include "cornu/ops/all.h"
#include "cornu/transform/gradient.h"
#include "tests/conformance/cases_test_support.h"
#include "tests/conformance/run_test_support.h"

// Identities that every gradient rule keeps, at any point and without a step size: a vector-Jacobian product
// (vjp) is linear in its cotangent, it is the transpose of the Jacobian-vector product (jvp), and second
// derivatives are symmetric. Each row in f64 runs on the reference backend and compiled by the CPU engine;
// there are no exceptions, so each gradient's graph is differentiable too.
//
// The jvp is the transpose of the vjp, which is linear in the cotangent v: jvp(u) = d <vjp(v), u> / dv.
namespace cornu::inline v0::ops {
namespace {

using Values = std::vector<ir::Value>;
using Literals = std::vector<ir::Literal>;

/// The function of a row with further arguments, and products that are made of it.
class Products {
 public:
  explicit Products(const ConformanceCase& row) : function(make_function(row)), b_(function->body) {
    for (const ir::Value& argument : function->body.arguments())
      if (ir::is_float(argument.dtype())) inputs.push_back(argument);
    for (const ir::Value& result : function->body.results())
      if (ir::is_float(result.dtype())) outputs.push_back(result);
  }

  /// Arguments of the types of `values`.
  Values add_arguments(const Values& values) {
    Values arguments;
    for (const ir::Value& value : values) arguments.push_back(function->body.add_argument(value.type()));
    return arguments;
  }

  /// d <of, cotangents> / d wrt; zeros where no gradient flows, empty elements of `of` count as zeros.
  Values vjp(const Values& of, const Values& cotangents, const Values& wrt) {
    Values flowing, theirs;
    for (std::size_t i = 0; i < of.size(); ++i) {
      if (!of[i]) continue;
      flowing.push_back(of[i]);
      theirs.push_back(cotangents[i]);
    }
    std::vector<ir::Op*> ops;
    for (const auto& op : function->body.ops()) ops.push_back(op.get());
    Values gradients = transform::vector_jacobian_product(b_, flowing, theirs, wrt, ops);
    for (std::size_t i = 0; i < wrt.size(); ++i)
      if (!gradients[i]) gradients[i] = full(b_, wrt[i].type(), 0);
    return gradients;
  }

  Values combine(double a, const Values& v, double b, const Values& w) {
    Values sums;
    for (std::size_t i = 0; i < v.size(); ++i)
      sums.push_back(add(b_, multiply(b_, v[i], full(b_, v[i].type(), a)),
                         multiply(b_, w[i], full(b_, w[i].type(), b))));
    return sums;
  }

  void return_all(std::initializer_list<Values> parts) {
    Values all;
    for (const Values& part : parts) all.insert(all.end(), part.begin(), part.end());
    function->body.set_results(all);
    ir::verify(*function);
  }

  std::unique_ptr<ir::Function> function;
  Values inputs, outputs;

 private:
  ir::Builder b_;
};

/// Numbers between -1 and 1 of the types of `values`; they follow from the row's name and `what`.
Literals random_like(const ConformanceCase& row, std::string_view what, const Values& values) {
  ConformanceCase maker{.name = fmt::format("{}/{}", row.name, what)};
  for (const ir::Value& value : values) maker.inputs.push_back({.type = value.type(), .low = -1, .high = 1});
  return make_inputs(maker);
}

Literals joined(std::initializer_list<Literals> parts) {
  Literals all;
  for (const Literals& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

struct InnerProduct {
  double sum = 0;
  /// The sum of the absolute values of the addends, which bounds the rounding error.
  double scale = 0;
};

InnerProduct inner_product(std::span<const ir::Literal> a, std::span<const ir::Literal> b) {
  InnerProduct product;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::int64_t j = 0; j < a[i].type().num_elements(); ++j) {
      const double term = a[i].at(j) * b[i].at(j);
      product.sum += term;
      product.scale += std::fabs(term);
    }
  return product;
}

/// a * x + b * y of two tensors in f64.
ir::Literal combined(double a, const ir::Literal& x, double b, const ir::Literal& y) {
  ir::Literal sum(x.type());
  for (std::size_t j = 0; j < sum.data<double>().size(); ++j)
    sum.mutable_data<double>()[j] = a * x.data<double>()[j] + b * y.data<double>()[j];
  return sum;
}

double norm(const ir::Literal& x) {
  double squares = 0;
  for (const double element : x.data<double>()) squares += element * element;
  return std::sqrt(squares);
}

/// The derivatives of a function's results in f64 along a direction of its first float arguments. Two steps,
/// extrapolated: the error is of fourth order.
Literals central_differences(const ir::Function& function, const Literals& inputs,
                             const Literals& direction) {
  const auto at = [&](double step) {
    Literals moved = inputs;
    std::size_t next = 0;
    for (std::size_t i = 0; i < inputs.size() && next < direction.size(); ++i)
      if (ir::is_float(inputs[i].type().dtype)) moved[i] = combined(1, inputs[i], step, direction[next++]);
    return backends::reference::evaluate(function, moved);
  };
  const Literals up = at(1e-4), down = at(-1e-4), far_up = at(2e-4), far_down = at(-2e-4);
  Literals slopes;
  for (std::size_t i = 0; i < up.size(); ++i)
    slopes.push_back(combined(4. / 3, combined(1 / 2e-4, up[i], -1 / 2e-4, down[i]), -1. / 3,
                              combined(1 / 4e-4, far_up[i], -1 / 4e-4, far_down[i])));
  return slopes;
}

class GradientAlgebraTest : public CaseTest {
 protected:
  /// Runs `check` on the results of each backend; `function` gets arguments for the results of the second.
  static void on_each_backend(ir::Function& function, const Literals& inputs,
                              const std::function<void(std::span<const ir::Literal>)>& check) {
    {
      SCOPED_TRACE("reference backend");
      check(backends::reference::evaluate(function, inputs));
    }
    SCOPED_TRACE("compiled by the CPU engine");
    static const std::shared_ptr<runtime::Client> client = runtime::make_client("cpu");
    check(run_compiled(*client, function, inputs));
  }

  void expect_same_product(std::span<const ir::Literal> a, std::span<const ir::Literal> b,
                           std::span<const ir::Literal> c, std::span<const ir::Literal> d) const {
    const InnerProduct left = inner_product(a, b), right = inner_product(c, d);
    // Where the derivative is zero, addends of order 1 leave their rounding.
    constexpr double kRounding = 1e-16;
    EXPECT_NEAR(left.sum, right.sum, 1e-12 * row().tolerance_factor * (left.scale + right.scale) + kRounding);
  }

  /// A derivative against differences of `function`, whose values bound their rounding error.
  static void expect_close(const ir::Literal& actual, const ir::Literal& differences,
                           const ir::Literal& function, std::size_t input) {
    const double scale = norm(differences) + norm(function) + 1e-3;
    EXPECT_LE(norm(combined(1, actual, -1, differences)), 1e-7 * scale) << "input " << input;
  }
};

TEST_P(GradientAlgebraTest, TheVjpIsLinearInItsCotangent) {
  constexpr double kA = 0.75, kB = -1.625;
  Products products(row());
  const Values v = products.add_arguments(products.outputs), w = products.add_arguments(products.outputs);
  products.return_all({products.vjp(products.outputs, v, products.inputs),
                       products.vjp(products.outputs, w, products.inputs),
                       products.vjp(products.outputs, products.combine(kA, v, kB, w), products.inputs)});
  const Literals inputs = joined({make_inputs(row()), random_like(row(), "v", products.outputs),
                                  random_like(row(), "w", products.outputs)});
  on_each_backend(*products.function, inputs, [&](std::span<const ir::Literal> results) {
    const std::size_t n = products.inputs.size();
    for (std::size_t i = 0; i < n; ++i) {
      const ir::Literal expected = combined(kA, results[i], kB, results[n + i]);
      EXPECT_EQ(compare_literals(results[2 * n + i], expected, row().tolerance_factor), "") << "input " << i;
    }
  });
}

TEST_P(GradientAlgebraTest, TheVjpIsTheTransposeOfTheJvp) {
  Products products(row());
  const Values v = products.add_arguments(products.outputs), u = products.add_arguments(products.inputs);
  const Values vjp = products.vjp(products.outputs, v, products.inputs);
  products.return_all({vjp, products.vjp(vjp, u, v)});
  const Literals v_numbers = random_like(row(), "v", products.outputs),
                 u_numbers = random_like(row(), "u", products.inputs);
  const Literals inputs = joined({make_inputs(row()), v_numbers, u_numbers});
  on_each_backend(*products.function, inputs, [&](std::span<const ir::Literal> results) {
    const auto vjp_numbers = results.first(products.inputs.size()),
               jvp = results.subspan(products.inputs.size());
    expect_same_product(v_numbers, jvp, vjp_numbers, u_numbers);
  });
}

/// The gradient of <w, outputs> and its derivatives along u and t: d gradient / d inputs is symmetric.
TEST_P(GradientAlgebraTest, SecondDerivativesAreSymmetricAndMatchCentralDifferences) {
  Products products(row());
  const std::size_t n = products.inputs.size();
  const Values w = products.add_arguments(products.outputs), u = products.add_arguments(products.inputs),
               t = products.add_arguments(products.inputs);
  const Values gradient = products.vjp(products.outputs, w, products.inputs);
  products.return_all(
      {products.vjp(gradient, u, products.inputs), products.vjp(gradient, t, products.inputs), gradient});
  const Literals u_numbers = random_like(row(), "u", products.inputs),
                 t_numbers = random_like(row(), "t", products.inputs);
  const Literals inputs =
      joined({make_inputs(row()), random_like(row(), "w", products.outputs), u_numbers, t_numbers});
  const Literals differences = central_differences(*products.function, inputs, u_numbers);
  on_each_backend(*products.function, inputs, [&](std::span<const ir::Literal> results) {
    expect_same_product(t_numbers, results.first(n), results.subspan(n, n), u_numbers);
    for (std::size_t i = 0; i < n; ++i)
      expect_close(results[i], differences[2 * n + i], results[2 * n + i], i);
  });
}

INSTANTIATE_TEST_SUITE_P(Cases, GradientAlgebraTest, testing::ValuesIn(differentiable_cases_by_type(true)),
                         case_test_name);

}  // namespace
}  // namespace cornu::inline v0::ops
