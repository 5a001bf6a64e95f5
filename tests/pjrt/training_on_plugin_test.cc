#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/workloads.h"
#include "cornu/backends/pjrt/plugin_test_support.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/function.h"
#include "tests/pjrt/wide_client_test_support.h"

// Training by the plug-in for CPUs, or by the one of CORNU_TEST_PJRT_DEVICE, beside the engine: the same
// losses, the same random numbers. CORNU_TEST_WORKLOADS=all takes all workloads and ten steps of each; names
// with commas between take these.
namespace cornu::inline v0::cli {
namespace {

struct Trained {
  std::vector<double> losses;
  std::vector<float> first_weights;
};

std::string variable(const char* name, const std::string& otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : text;
}

class TrainingOnPluginTest : public backends::pjrt::PluginTest {
 protected:
  ~TrainingOnPluginTest() override { set_default_client(nullptr); }
};

/// By default two that are quick, and fewer steps.
bool takes(const std::string& name) {
  const std::string names = variable("CORNU_TEST_WORKLOADS", "iris_mlp,mnist_mlp");
  return names == "all" || ("," + names + ",").find("," + name + ",") != std::string::npos;
}
/// The largest two take seconds a step on a plug-in for CPUs: three steps are two updates.
std::int64_t steps_taken(const std::string& name) {
  if (name == "mnist_tpu_cnn" || name == "cifar_10m_b256") return 3;
  return std::getenv("CORNU_TEST_WORKLOADS") == nullptr ? 4 : 10;
}

/// Features of f32 in which half of the numbers, by `draw`, are larger by what a sum of a thousand terms, one
/// after the other, is off by: the root of a thousand roundings.
keras::Tensors nudged(const keras::Tensors& x, std::uint64_t draw) {
  std::vector<Tensor> all;
  std::uint64_t random = draw;
  for (const Tensor& tensor : x) {
    if (tensor.dtype() != DType::kF32) {
      all.push_back(tensor);
      continue;
    }
    std::vector<float> values = tensor.to_vector<float>();
    for (float& value : values) {
      random = random * 6364136223846793005ULL + 1442695040888963407ULL;
      if (random >> 63 != 0) value *= 1 + 0x1p-19F;
    }
    all.push_back(Tensor::adopt(tensor.shape(), std::move(values)));
  }
  return all;
}

/// The loss of each step, as one epoch a step. With a `draw` features are nudged.
Trained train(const std::shared_ptr<runtime::Client>& client, const Workload& workload, std::int64_t steps,
              std::uint64_t draw = 0) {
  set_default_client(client);
  set_random_seed(5);
  WorkloadData data = make_data(workload);
  if (draw > 0) data.x = nudged(data.x, draw);
  keras::Model model = workload.make_model();
  model.compile(workload.compile_options());
  Trained trained;
  for (const Variable& weight : model.weights()) {
    const ir::Literal value = weight.read();
    if (value.type().dtype == ir::DType::kF32)
      trained.first_weights.insert(trained.first_weights.end(), value.data<float>().begin(),
                                   value.data<float>().end());
  }
  const auto history = model.fit(data.x, data.y,
                                 {.batch_size = workload.batch_size,
                                  .epochs = steps,
                                  .verbose = 0,
                                  .shuffle = false,
                                  .steps_per_epoch = 1,
                                  .repeat = true});
  trained.losses = history.history.at("loss");
  return trained;
}

/// The losses in f64, from the same weights; nothing where a step looks at the bits of f32.
std::vector<double> true_losses(const Workload& workload, std::int64_t steps) {
  try {
    return train(pjrt_tests::make_wide_client(), workload, steps).losses;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument) << error.what();
    return {};
  }
}

/// The engine's own losses, rounded in all the ways that it has: at each level, by both algorithms of
/// convolutions. And those from features that differ by as much as such a sum: where two numbers in a window
/// of max pooling are equal but for rounding, another one may be the larger, and its gradient goes elsewhere.
/// That is a jump, which the engine's roundings, all of them trees, may not meet (squeeze_excitation_cnn:
/// 4 of 128 channels of its last convolution).
std::vector<std::vector<double>> roundings_of_engine(Workload workload, std::int64_t steps) {
  std::vector<std::vector<double>> roundings;
  ConvolutionAlgorithm algorithm = "auto";
  workload.compile_options = [&algorithm, options_of = workload.compile_options] {
    keras::CompileOptions options = options_of();
    options.convolution_algorithm = algorithm;
    return options;
  };
  for (const char* const isa : {"sse2", "avx2", "avx512"})
    for (const char* const word : {"auto", "direct"}) {
      runtime::ClientOptions options = default_client_options();
      options.isa = isa;
      std::shared_ptr<runtime::Client> engine;
      try {
        engine = runtime::make_client("cpu", options);
      } catch (const Error&) {
        continue;  // this processor has no such level
      }
      algorithm = word;
      roundings.push_back(train(engine, workload, steps).losses);
    }
  algorithm = "auto";
  for (std::uint64_t draw = 1; draw <= 8; ++draw)
    roundings.push_back(
        train(runtime::make_client("cpu", default_client_options()), workload, steps, draw).losses);
  return roundings;
}

/// How far rounding takes a training, which grows with each update: batches that are normalized make
/// gradients of sums that cancel, and the first updates of Adam have one size whatever the gradient's.
/// Beside what Keras's backends reach among themselves, the plug-in may be kDraws times as far from the truth
/// as the engine is at most, so far: its roundings are other ones, no smaller ones.
class RoundingGate {
 public:
  RoundingGate(const Workload& workload, const std::vector<double>& losses)
      : workload_(workload), losses_(losses) {}

  void expect(std::size_t step, double found) {
    const double keras_gate =
        std::stod(variable("CORNU_TEST_LOSS_GATE", "1e-5")) * std::pow(2.0, static_cast<double>(step));
    if (std::abs(found / losses_[step] - 1) <= keras_gate) return;
    if (errors_.empty()) measure();
    const double error = std::abs(found / truth_[step] - 1), of_engine = errors_[step];
    if (error > kDraws * errors_[step] && step < kReferenceSteps) measure_reference();
    EXPECT_LE(error, kDraws * errors_[step]) << "step " << step << "; the engine " << of_engine;
    if (std::getenv("CORNU_TEST_PRINT_GATE") != nullptr)
      std::printf("%s step %zu: %.1e of the truth, the engine %.1e, with the reference %.1e\n",
                  workload_.name.c_str(), step, error, of_engine, errors_[step]);
    std::fflush(stdout);
  }

 private:
  static constexpr double kDraws = 4;
  /// The reference backend takes minutes a step.
  static constexpr std::size_t kReferenceSteps = 3;

  /// What the reference backend rounds, whose sums go one after the other, as another device's may; the
  /// engine's are trees.
  void measure_reference() {
    if (std::exchange(has_reference_, true)) return;
    const auto steps = static_cast<std::int64_t>(std::min(kReferenceSteps, losses_.size()));
    take(train(runtime::make_client("reference"), workload_, steps).losses);
  }

  void measure() {
    const auto steps = static_cast<std::int64_t>(losses_.size());
    truth_ = true_losses(workload_, steps);
    if (truth_.empty()) truth_ = losses_;
    ASSERT_EQ(truth_.size(), losses_.size());
    errors_.assign(losses_.size(), 0);
    for (const std::vector<double>& rounded : roundings_of_engine(workload_, steps)) take(rounded);
  }

  /// Each step's error counts for the steps behind it too.
  void take(const std::vector<double>& rounded) {
    double so_far = 0;
    for (std::size_t i = 0; i < errors_.size(); ++i) {
      if (i < rounded.size()) so_far = std::max(so_far, std::abs(rounded[i] / truth_[i] - 1));
      errors_[i] = std::max(errors_[i], so_far);
    }
  }

  const Workload& workload_;
  const std::vector<double>& losses_;
  bool has_reference_ = false;
  std::vector<double> truth_, errors_;  // errors: the largest until this step
};

void expect_same_training(const Workload& workload, std::int64_t steps,
                          const std::shared_ptr<runtime::Client>& plugin) {
  const Trained expected = train(runtime::make_client("cpu", default_client_options()), workload, steps);
  const Trained found = train(plugin, workload, steps);
  EXPECT_EQ(found.first_weights, expected.first_weights);
  ASSERT_EQ(found.losses.size(), expected.losses.size());
  RoundingGate gate(workload, expected.losses);
  for (std::size_t i = 0; i < found.losses.size(); ++i) gate.expect(i, found.losses[i]);
}

TEST_F(TrainingOnPluginTest, LossesAreThoseOfTheEngine) {
  for (const Workload& workload : workloads()) {
    if (!takes(workload.name)) continue;
    SCOPED_TRACE(workload.name);
    expect_same_training(workload, steps_taken(workload.name), client());
  }
}

TEST_F(TrainingOnPluginTest, AModelSaysHowExactItsProductsAre) {
  const Workload& workload = find_workload("iris_mlp");
  set_default_client(client());
  const WorkloadData data = make_data(workload);
  for (const auto& [word, text] :
       {std::pair{"auto", "<precision HIGHEST>"}, {"default", "<precision DEFAULT>"}}) {
    keras::Model model = workload.make_model();
    keras::CompileOptions options = workload.compile_options();
    options.precision = word;
    model.compile(options);
    for (const runtime::Executable* program :
         {&model.train_executable(data.x, data.y, {.batch_size = workload.batch_size}),
          &model.predict_executable(data.x, {.batch_size = workload.batch_size})})
      EXPECT_NE(program->dump("stablehlo").find(text), std::string::npos) << word;
  }
  const auto product = function([](const Tensor& x) { return ops::matmul(x, x); }, {.precision = "high"});
  EXPECT_EQ(product(ops::ones({2, 2})).data<float>()[0], 2);
  try {
    keras::CompileOptions options = workload.compile_options();
    options.precision = "float32";
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.argument(), "precision");
  }
}

/// The weights after 24 steps of a network with or without a convolution, at K steps an execution.
std::vector<float> trained_weights(bool convolves, std::int64_t steps_per_execution) {
  keras::clear_session();
  set_random_seed(3);
  keras::Sequential model;
  model.add(keras::layers::Reshape({.target_shape = {4, 4, 1}, .input_shape = {16}}));
  if (convolves) model.add(keras::layers::Conv2D({.filters = 16, .kernel_size = 3, .activation = "relu"}));
  model.add(keras::layers::Flatten());
  model.add(keras::layers::Dense({.units = 16, .activation = "tanh"}));
  model.add(keras::layers::Dense({.units = 3, .activation = "softmax"}));
  keras::CompileOptions options{.optimizer = "adam", .loss = "categorical_crossentropy", .seed = 1};
  options.steps_per_execution = steps_per_execution;
  model.compile(options);
  const RandomStream random(7);
  std::vector<float> x, y;
  for (std::uint64_t i = 0; i < 96 * 16; ++i) x.push_back(static_cast<float>(random.normal(i)));
  for (std::uint64_t i = 0; i < 96 * 3; ++i) y.push_back(i / 3 % 3 == i % 3 ? 1.0F : 0.0F);
  model.fit(Tensor::adopt({96, 16}, std::move(x)), Tensor::adopt({96, 3}, std::move(y)),
            {.batch_size = 8, .epochs = 2, .verbose = 0});
  std::vector<float> all;
  for (const Tensor& weight : model.get_weights())
    for (const float value : weight.to_vector<float>()) all.push_back(value);
  return all;
}

// What docs/guide/accelerators.md says of bits: one step by itself and a loop of steps are two programs.
TEST_F(TrainingOnPluginTest, LoopsOfAnyNumberOfStepsHaveTheSameBits) {
  if (!is_on_cpu()) GTEST_SKIP() << "a GPU's compiler may choose other kernels each time";
  set_default_client(client());
  const std::vector<float> alone = trained_weights(false, 1);
  EXPECT_EQ(trained_weights(false, 3), alone);
  EXPECT_EQ(trained_weights(false, 8), alone);
  const std::vector<float> of_three = trained_weights(true, 3);
  EXPECT_EQ(trained_weights(true, 8), of_three);
  const std::vector<float> of_one = trained_weights(true, 1);
  for (std::size_t i = 0; i < of_one.size(); ++i) EXPECT_NEAR(of_one[i], of_three[i], 1e-4) << i;
}

TEST_F(TrainingOnPluginTest, KStepsAreOneLaunchAndLogsOneRead) {
  const Workload& workload = find_workload("iris_mlp");
  set_default_client(client());
  const WorkloadData data = make_data(workload);
  keras::Model model = workload.make_model();
  keras::CompileOptions options = workload.compile_options();
  options.steps_per_execution = 5;
  model.compile(options);
  const auto fit = [&] {
    model.fit(
        data.x, data.y,
        {.batch_size = workload.batch_size, .epochs = 2, .verbose = 0, .steps_per_epoch = 5, .repeat = true});
  };
  fit();
  const runtime::TransferStatistics before = client()->counts();
  fit();
  const runtime::TransferStatistics calls = client()->counts().since(before);
  EXPECT_EQ(calls.executions.calls, 2);
  EXPECT_EQ(calls.executions.items, 10);
  // One an epoch, and the optimizer's iterations, from which the order of rows begins.
  EXPECT_EQ(calls.reads.calls, 3);
  EXPECT_EQ(calls.compiles.calls, 0);
}

TEST_F(TrainingOnPluginTest, BatchesOfSeveralShapesTrainAsOnTheEngine) {
  const data::Dataset batches = data::Dataset::range(10).map([](std::int64_t n) {
    const std::int64_t rows = n == 7 ? 2 : 4, length = n < 4 ? 5 : n < 9 ? 3 : 5;
    std::vector<float> x(static_cast<std::size_t>(rows * length * 3)), y(static_cast<std::size_t>(rows));
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = std::sin(0.1F * static_cast<float>(i * i) + static_cast<float>(n));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<float>(n % 3);
    return std::pair(Tensor::adopt({rows, length, 3}, std::move(x)), Tensor::adopt({rows, 1}, std::move(y)));
  });
  const auto train = [&](const std::shared_ptr<runtime::Client>& on, int steps) {
    set_default_client(on);
    set_random_seed(3);
    keras::Sequential model({keras::layers::LSTM({.units = 4}), keras::layers::Dropout({.rate = 0.25}),
                             keras::layers::Dense({.units = 1})});
    model.compile({.optimizer = "adam", .loss = "mse", .steps_per_execution = steps, .seed = 5});
    std::vector<double> numbers = model.fit(batches, {.epochs = 3, .verbose = 0})["loss"];
    numbers.push_back(model.evaluate(batches, {.verbose = 0})["loss"]);
    numbers.push_back(ops::sum(model.predict(batches, {.verbose = 0})).item<float>());
    return numbers;
  };
  const std::vector<double> wanted = train(runtime::make_client("cpu"), 1);
  for (const int steps : {1, 3}) {
    const runtime::TransferStatistics before = client()->counts();
    const std::vector<double> found = train(client(), steps);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      EXPECT_NEAR(found[i], wanted[i], 1e-4 * (1 + std::abs(wanted[i]))) << i;
    EXPECT_GT(client()->counts().since(before).executions.calls, 0);
  }
}

// What an execution writes is in a handle that it replaces: only its own thread may look at it.
TEST_F(TrainingOnPluginTest, OtherThreadsWorkWithTheNumbersOfAFitThatExecutes) {
  const Workload& workload = find_workload("iris_mlp");
  set_default_client(client());
  const WorkloadData data = make_data(workload);
  keras::Model model = workload.make_model();
  keras::CompileOptions options = workload.compile_options();
  options.optimizer = keras::optimizers::Adam({.learning_rate = 0.001});
  options.steps_per_execution = 2;
  model.compile(options);
  const Variable rate = model.optimizer()->learning_rate_variable();
  std::atomic<bool> is_over{false};
  std::atomic<int> num_refused{0}, num_changed{0};
  const auto work = [&] {
    while (!is_over) {
      try {
        (void)model.optimizer()->iteration_variable().read();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition) << error.what();
        ++num_refused;
      }
      const float next = 0.001F * static_cast<float>(1 + ++num_changed % 3);
      rate.assign(Tensor(next) * 1.0F);
      EXPECT_LE(std::abs(rate.value().item<float>() - 0.002F), 0.0011F);
      model.optimizer().set_learning_rate(next);
    }
  };
  std::vector<std::thread> others;
  keras::callbacks::LambdaCallback begin({.on_train_begin = [&] {
    for (int i = 0; i < 2; ++i) others.emplace_back(work);
  }});
  model.fit(data.x, data.y,
            {.batch_size = workload.batch_size,
             .epochs = 20,
             .verbose = 0,
             .callbacks = {&begin},
             .steps_per_epoch = 20,
             .repeat = true});
  is_over = true;
  for (std::thread& other : others) other.join();
  EXPECT_EQ(model.optimizer().iterations().item<std::int64_t>(), 400);
  EXPECT_GT(num_refused, 0);
  EXPECT_GT(num_changed, 0);
}

TEST_F(TrainingOnPluginTest, CallsOfAFunctionThatAreNotWaitedForGiveTheirValues) {
  const DeviceScope scope(add_devices(client()).at(0));
  {
    const Variable total(Tensor(0.0F)), last(Tensor(0.0F));
    auto add = function([&](const Tensor& x) {
      total.assign_add(x);
      return total.value() * 2.0F + x;
    });
    std::vector<Tensor> results;
    Tensor x(1.0F);
    for (int i = 0; i < 40; ++i) {
      results.push_back(add(x));
      last.assign(results.back());
      if (i % 2 == 1) x = results.back() * 0.0F + 1.0F;
    }
    EXPECT_EQ(results[9].item<float>(), 21);
    EXPECT_EQ(results[39].item<float>(), 81);
    EXPECT_EQ(last.value().item<float>(), 81);
    EXPECT_EQ(total.value().item<float>(), 40);
  }
  remove_devices(client());
}

TEST_F(TrainingOnPluginTest, EvaluatePredictFunctionsTapesAndSingleOpsRunThere) {
  const std::vector<std::string> names = add_devices(client());
  ASSERT_EQ(names.size(), 1U);
  const std::string device = fmt::format("/{}:0", client()->devices()[0].type);
  EXPECT_EQ(names[0], "/job:localhost/replica:0/task:0/device:" + device.substr(1));
  const DeviceScope scope(device);
  const Tensor x = ops::reshape(ops::arange(6.0F), {2, 3});
  const Tensor y = ops::exp(x * 0.5F);
  EXPECT_EQ(y.device(), names[0]);
  EXPECT_NEAR(y.data<float>()[5], std::exp(2.5F), 1e-5F);
  EXPECT_EQ(to_device(y, "CPU:0").device(), "/job:localhost/replica:0/task:0/device:CPU:0");

  const Variable weight(Tensor::adopt({2}, std::vector<float>{3, 4}));
  const auto loss =
      function([&](const Tensor& scale) { return ops::sum(weight.value() * weight.value() * scale); });
  EXPECT_EQ(loss(Tensor(2.0F)).data<float>()[0], 50);
  Tensor gradient;
  {
    GradientTape tape;
    const Tensor value = ops::sum(weight.value() * weight.value());
    gradient = tape.gradient(value, weight);
  }
  EXPECT_EQ(gradient.data<float>()[1], 8);

  keras::Sequential model({keras::layers::Dense({.units = 2, .activation = "softmax"})});
  model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy"});
  const Tensor labels = Tensor::adopt({2}, std::vector<std::int32_t>{0, 1});
  model.fit(x, labels, {.batch_size = 1, .verbose = 0});
  EXPECT_TRUE(std::isfinite(model.evaluate(x, labels, {.verbose = 0}).at("loss")));
  const keras::Tensors predicted = model.predict(x, {.verbose = 0});
  EXPECT_EQ(predicted[0].shape(), (Dims{2, 2}));
  remove_devices(client());
}

}  // namespace
}  // namespace cornu::inline v0::cli
