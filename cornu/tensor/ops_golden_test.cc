#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <span>

#include "cornu/base/error.h"
#include "cornu/tensor/ops_golden_test_support.h"
#include "cornu/tensor/random.h"
#include "cornu/tensor/trace.h"
#include "cornu/tensor/value/device.h"

/// keras.ops against real Keras: every call of tests/goldens/ops.json, which tools/goldens/ops_goldens.py
/// makes.
namespace cornu::inline v0::ops_golden {
namespace {

using nlohmann::json;

double number(const json& value) {
  if (!value.is_string()) return value.get<double>();
  return value == "nan" ? std::nan("") : value == "inf" ? HUGE_VAL : -HUGE_VAL;
}

/// A tensor of doubles rounded once to the dtype.
Tensor tensor_of(DType dtype, const Dims& shape, const std::vector<double>& values) {
  ir::Literal literal(TensorType{dtype, shape});
  const std::size_t size = ir::size_bytes(dtype);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ir::Literal element = ir::Literal::scalar(dtype, values[i]);
    std::copy_n(element.bytes().begin(), size,
                literal.mutable_bytes().begin() + static_cast<std::ptrdiff_t>(i * size));
  }
  return Tensor(literal);
}

/// The same input as the script makes, in its own dtype or in f64.
Tensor input(const json& spec, bool as_f64 = false) {
  if (spec.contains("weak")) {
    const json& value = spec["weak"];
    return value.is_number_integer() ? Tensor(value.get<std::int64_t>()) : Tensor(value.get<double>());
  }
  DType dtype = *ir::dtype_from_name(spec.at("dtype").get<std::string>());
  if (as_f64 && ir::is_float(dtype)) dtype = DType::kF64;
  const Dims shape = spec.at("shape").get<Dims>();
  if (ir::is_complex(dtype)) {  // elements in pairs
    json parts = spec;
    parts["shape"].push_back(2);
    parts["dtype"] = "float32";
    ir::Literal literal(TensorType{dtype, shape});
    std::ranges::copy(input(parts).literal().bytes(), literal.mutable_bytes().begin());
    return Tensor(literal);
  }
  std::vector<double> values(static_cast<std::size_t>(TensorType{dtype, shape}.num_elements()));
  const double low = spec.value("low", -2.0), high = spec.value("high", 2.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (spec.contains("values")) {
      values[i] = number(spec["values"][i]);
      continue;
    }
    const double uniform =
        static_cast<double>(splitmix64((spec.at("seed").get<std::uint64_t>() << 32) + i) >> 11) * 0x1p-53;
    if (dtype == DType::kI1)
      values[i] = uniform < 0.5 ? 1 : 0;
    else if (ir::is_float(dtype))
      values[i] = low + (high - low) * uniform;
    else
      values[i] = std::floor(low + (high - low + 1) * uniform);
  }
  return tensor_of(dtype, shape, values);
}

Tensors inputs(const json& row, bool as_f64 = false) {
  Tensors tensors;
  for (const json& spec : row.at("inputs")) tensors.push_back(input(spec, as_f64));
  return tensors;
}

std::string described(const json& row) {
  return row.at("name").get<std::string>() + " " + row.at("inputs").dump() + " " +
         row.value("args", json()).dump();
}

const json& golden() {
  static const json file = [] {
    std::ifstream stream("tests/goldens/ops.json");
    if (!stream)
      throw std::runtime_error("run the tests in the repository's root: tests/goldens/ops.json is missing");
    return json::parse(stream);
  }();
  return file;
}

Tensors call(const json& row, Tensors tensors) {
  static const std::map<std::string, Tensors (*)(const Call&)> functions = [] {
    std::map<std::string, Tensors (*)(const Call&)> result;
    for (const Row& entry : rows()) result.emplace(entry.name, entry.call);
    return result;
  }();
  static const json none = json::object();
  return functions.at(row.at("name"))(Call(row.contains("args") ? row["args"] : none, std::move(tensors)));
}

/// Relative to the largest element: halves are rounded at each step in Keras, f32 differs by the order of
/// sums.
double tolerance(DType dtype) {
  if (dtype == DType::kF16) return 4e-3;
  if (dtype == DType::kBF16) return 2e-2;
  return ir::is_float(dtype) ? 3e-6 : 0;
}

/// Empty, or what differs.
std::string difference(const Tensor& result, const json& expected) {
  const Dims shape = expected.at("shape").get<Dims>();
  const std::string dtype = expected.at("dtype");
  if (result.shape() != shape || ir::numpy_name(result.dtype()) != dtype)
    return fmt::format("got {}, Keras gives {} {}", type_str(result.type()), ir::shape_str(shape), dtype);
  const Tensor actual = ir::is_complex(result.dtype()) ? ops::view_as_real(result) : result;
  double scale = 1e-30;
  for (const json& value : expected.at("values"))
    if (std::isfinite(number(value))) scale = std::max(scale, std::fabs(number(value)));
  for (std::int64_t i = 0; i < actual.num_elements(); ++i) {
    const double a = actual.at(i), e = number(expected["values"][static_cast<std::size_t>(i)]);
    if (std::isnan(a) && std::isnan(e)) continue;
    if (a == e || std::fabs(a - e) <= tolerance(actual.dtype()) * scale) continue;
    return fmt::format("element {} is {}, Keras gives {}", i, a, e);
  }
  return {};
}

void expect_outputs(const json& row, const Tensors& actual) {
  const json& expected = row.at("outputs");
  ASSERT_EQ(actual.size(), expected.size()) << described(row);
  for (std::size_t i = 0; i < actual.size(); ++i)
    EXPECT_EQ(difference(actual[i], expected[i]), "") << described(row) << " output " << i;
}

TEST(OpsGoldenTest, EveryCallGivesWhatKerasGives) {
  for (const json& row : golden().at("cases")) {
    try {
      expect_outputs(row, call(row, inputs(row)));
    } catch (const std::exception& error) {
      ADD_FAILURE() << described(row) << ": " << error.what();
    }
  }
}

/// Some calls of the file as one program, run on `client`.
void run_traced(const std::shared_ptr<runtime::Client>& client, std::span<const json* const> calls) {
  std::vector<std::pair<const json*, std::vector<Variable>>> results;
  Trace trace("calls");
  {
    const Trace::Scope scope(trace);
    for (const json* at : calls) {
      const json& row = *at;
      Tensors symbolic;
      for (const Tensor& tensor : inputs(row))
        symbolic.push_back(tensor.is_weak()
                               ? tensor
                               : Variable(tensor.literal(), {.name = "input", .trainable = false}).value());
      std::vector<Variable> outputs;
      for (const Tensor& tensor : call(row, symbolic)) {
        const Tensor output = tensor.is_weak() ? tensor.strong_scalar(tensor.dtype()) : tensor;
        outputs.emplace_back(ir::Literal(output.type()),
                             VariableOptions{.name = "output", .trainable = false});
        outputs.back().assign(output);
      }
      results.emplace_back(&row, outputs);
    }
  }
  const TracedProgram program = trace.finish();
  const auto state = program.state_buffers(Placement(client));
  const auto fixed = program.fixed_buffers(Placement(client));
  runtime::Replica replica;
  replica.state = state;
  replica.fixed = fixed;
  client->compile(program.step_program())->run(replica);
  for (const auto& [row, variables] : results) {
    Tensors outputs;
    for (const Variable& variable : variables) outputs.emplace_back(variable.read());
    expect_outputs(*row, outputs);
  }
}

/// True if the shape of a result follows from values, or the call runs on the host.
bool depends_on_values(const json& row) {
  const std::string name = row.at("name");
  const std::string arguments = row.value("args", json::object()).dump();
  return name == "bincount" || (name == "nonzero" && arguments.find("size") == std::string::npos) ||
         (name == "ctc_decode" && arguments.find("beam_search") != std::string::npos);
}

/// The first and the last call of each function: dtypes on each backend are the conformance suite's. Programs
/// of many calls, because compiling one for each call, or one of all, takes longer.
void run_all_traced(const char* platform) {
  constexpr std::size_t kCallsPerProgram = 60;
  const auto client = runtime::make_client(platform);
  std::vector<const json*> chosen;
  const json& cases = golden().at("cases");
  const auto name = [&](std::size_t i) {
    return i < cases.size() ? cases[i].at("name").get<std::string>() : std::string();
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (depends_on_values(cases[i])) continue;
    if (i == 0 || name(i) != name(i - 1) || name(i) != name(i + 1)) chosen.push_back(&cases[i]);
  }
  const std::span<const json* const> all = chosen;
  for (std::size_t i = 0; i < all.size(); i += kCallsPerProgram)
    run_traced(client, all.subspan(i, std::min(kCallsPerProgram, all.size() - i)));
}

TEST(OpsGoldenTest, TracedCallsGiveTheSameOnTheReferenceBackend) { run_all_traced("reference"); }
TEST(OpsGoldenTest, TracedCallsGiveTheSameOnTheCpuEngine) { run_all_traced("cpu"); }

TEST(OpsGoldenTest, TableAndFileHaveTheSameFunctions) {
  std::set<std::string> in_table, in_file;
  for (const Row& entry : rows())
    EXPECT_TRUE(in_table.insert(entry.name).second) << entry.name << " is there twice";
  for (const json& row : golden().at("cases")) in_file.insert(row.at("name").get<std::string>());
  EXPECT_EQ(in_table, in_file);
}

/// A scalar of all float outputs, each element with its own weight.
Tensor weighted_sum(const Tensors& outputs) {
  Tensor total = Tensor::of<double>({}, {0});
  std::uint64_t seed = 99;
  for (const Tensor& output : outputs) {
    if (!ir::is_float(output.dtype())) continue;
    std::vector<double> weights(static_cast<std::size_t>(output.num_elements()));
    for (double& weight : weights) weight = RandomStream(7).uniform(++seed) * 2 - 1;
    total =
        total + ops::sum(ops::cast(output, DType::kF64) * Tensor::adopt(output.shape(), std::move(weights)));
  }
  return total;
}

/// The inputs moved by `step` along one direction; integers stay.
Tensors moved(const Tensors& tensors, const Tensors& directions, double step) {
  Tensors result;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    result.push_back(directions[i].defined() ? tensors[i] + directions[i] * step : tensors[i]);
  return result;
}

/// The gradients of weighted_sum for the inputs, on the reference backend.
Tensors gradients_of(const json& row, const Tensors& tensors) {
  const auto client = runtime::make_client("reference");
  std::vector<Variable> variables, outputs;
  Trace trace("gradient");
  {
    const Trace::Scope scope(trace);
    Tensors symbolic;
    for (const Tensor& tensor : tensors) {
      if (tensor.is_weak()) {
        symbolic.push_back(tensor);
        variables.emplace_back();
        continue;
      }
      variables.emplace_back(tensor.literal(), VariableOptions{.name = "input"});
      symbolic.push_back(variables.back().value());
    }
    std::vector<Variable> wanted;
    for (const Variable& variable : variables)
      if (variable.defined() && ir::is_float(variable.dtype())) wanted.push_back(variable);
    const Tensor loss = weighted_sum(call(row, symbolic));
    const std::vector<Tensor> found = gradient(loss, std::span<const Variable>(wanted));
    std::size_t next = 0;
    for (const Variable& variable : variables) {
      outputs.emplace_back();
      if (!variable.defined() || !ir::is_float(variable.dtype())) continue;
      const Tensor& own = found[next++];
      outputs.back() = Variable(ir::Literal(variable.type()), {.name = "gradient"});
      if (own.defined()) outputs.back().assign(own);
    }
  }
  const TracedProgram program = trace.finish();
  const auto state = program.state_buffers(Placement(client));
  const auto fixed = program.fixed_buffers(Placement(client));
  runtime::Replica replica;
  replica.state = state;
  replica.fixed = fixed;
  client->compile(program.step_program())->run(replica);
  Tensors result;
  for (const Variable& output : outputs)
    result.push_back(output.defined() ? Tensor(output.read()) : Tensor());
  return result;
}

double evaluated(const json& row, const Tensors& tensors) {
  return weighted_sum(call(row, tensors)).item<double>();
}

TEST(OpsGoldenTest, GradientsAgreeWithCentralDifferences) {
  int num_checked = 0;
  for (const json& row : golden().at("cases")) {
    if (!row.value("grad", false)) continue;
    try {
      const Tensors at = inputs(row, true);
      const Tensors gradients = gradients_of(row, at);
      Tensors directions;
      double expected = 0, scale = 1e-3;
      std::uint64_t seed = 0;
      for (std::size_t i = 0; i < at.size(); ++i) {
        directions.emplace_back();
        if (!gradients[i].defined()) continue;
        std::vector<double> direction(static_cast<std::size_t>(at[i].num_elements()));
        for (std::size_t k = 0; k < direction.size(); ++k) {
          direction[k] = RandomStream(11).uniform(++seed) * 2 - 1;
          const double term = direction[k] * gradients[i].at(static_cast<std::int64_t>(k));
          expected += term;
          scale += std::fabs(term);
        }
        directions.back() = Tensor::adopt(at[i].shape(), std::move(direction));
      }
      // Two central differences, extrapolated.
      constexpr double kStep = 1e-4;
      const auto slope = [&](double step) {
        return (evaluated(row, moved(at, directions, step)) - evaluated(row, moved(at, directions, -step))) /
               (2 * step);
      };
      const double actual = (4 * slope(kStep) - slope(2 * kStep)) / 3;
      EXPECT_NEAR(actual, expected, 1e-6 * scale) << described(row);
      ++num_checked;
    } catch (const std::exception& error) {
      ADD_FAILURE() << described(row) << ": " << error.what();
    }
  }
  EXPECT_GT(num_checked, 200);
}

}  // namespace
}  // namespace cornu::inline v0::ops_golden
