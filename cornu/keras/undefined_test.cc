// Handles that are default-constructed, null or moved from; graphs of any depth; models as statics.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>

#include "cornu/keras/trainer/model_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using Uses = std::vector<std::pair<const char*, std::function<void()>>>;

void expect_undefined(const char* kind, const Uses& uses) {
  for (const auto& [what, use] : uses) {
    SCOPED_TRACE(what);
    expect_contains(error_of(use), ErrorCode::kFailedPrecondition,
                    {"[" + std::string(kind) + "] this " + kind + " is undefined"});
  }
}

/// A handle for each way to be undefined.
template <typename H, typename T, typename Made>
std::vector<H> undefined_handles(Made made) {
  std::vector<H> all(2);
  all[1] = H(std::shared_ptr<T>());
  H moved = std::move(made);
  all.push_back(std::move(moved));
  all.push_back(moved);  // NOLINT(bugprone-use-after-move)
  all.erase(all.begin() + 2);
  return all;
}

const Tensor kX = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});

TEST(UndefinedHandleTest, OfALayer) {
  const Input input({.shape = {3}});
  for (const LayerHandle& layer :
       undefined_handles<LayerHandle, Layer>(LayerHandle(layers::Dense({.units = 2})))) {
    EXPECT_FALSE(layer);
    expect_undefined("layer", {{"name", [&] { (void)layer.name(); }},
                               {"->", [&] { (void)layer->built(); }},
                               {"call", [&] { (void)layer(kX); }},
                               {"call on several", [&] { (void)layer(Tensors{kX, kX}); }},
                               {"call by name", [&] { (void)layer(Tensors{{"a", kX}}); }},
                               {"call on a graph", [&] { (void)layer(input); }},
                               {"call on several of a graph", [&] { (void)layer({input, input}); }},
                               {"call_many", [&] { (void)layer.call_many(std::vector<Tensor>{kX}); }},
                               {"weights", [&] { (void)layer.weights(); }},
                               {"set_weights", [&] { layer.set_weights({}); }},
                               {"set_trainable", [&] { layer.set_trainable(false); }},
                               {"count_params", [&] { (void)layer.count_params(); }},
                               {"input", [&] { (void)layer.input(); }}});
  }
  const layers::Recurrent recurrent;
  expect_undefined("layer", {{"reset_state", [&] { recurrent.reset_state(); }},
                             {"states", [&] { (void)recurrent.states(); }},
                             {"cell", [&] { (void)recurrent.cell(); }}});
}

TEST(UndefinedHandleTest, OfALayerThatALayerCalls) {
  class Outer : public Layer {
   public:
    Outer() : Layer("Outer", "outer") {}
    Tensor call(const Tensor& x, const CallContext&) override { return forgotten_(x); }

   private:
    LayerHandle forgotten_;
  };
  expect_contains(error_of([] { (void)LayerHandle(std::make_shared<Outer>())(kX); }),
                  ErrorCode::kFailedPrecondition, {"this layer is undefined", "in layer \"outer\""});
}

TEST(UndefinedHandleTest, OfAnOptimizerALossAMetricAndTheirKind) {
  const std::vector<Tensor> gradients = {kX};
  for (const OptimizerHandle& optimizer :
       undefined_handles<OptimizerHandle, Optimizer>(OptimizerHandle(optimizers::SGD())))
    expect_undefined("optimizer", {{"apply", [&] { optimizer.apply(gradients); }},
                                   {"name", [&] { (void)optimizer.name(); }},
                                   {"variables", [&] { (void)optimizer.variables(); }},
                                   {"learning_rate", [&] { (void)optimizer.learning_rate(); }},
                                   {"set_learning_rate", [&] { optimizer.set_learning_rate(1); }}});
  for (const LossHandle& loss : undefined_handles<LossHandle, Loss>(LossHandle(losses::MeanSquaredError())))
    expect_undefined("loss", {{"call", [&] { (void)loss(kX, kX); }},
                              {"name", [&] { (void)loss.name(); }},
                              {"as a metric", [&] { (void)Metric::from_function(loss); }}});
  for (const MetricHandle& metric :
       undefined_handles<MetricHandle, Metric>(MetricHandle(metrics::MeanSquaredError())))
    expect_undefined("metric",
                     {{"update_state", [&] { metric.update_state(kX, kX); }},
                      {"result", [&] { (void)metric.result(); }},
                      {"variables", [&] { (void)metric.variables(); }},
                      {"reset_state", [&] { metric.reset_state(); }},
                      {"merge_state", [&] { metrics::Mean()->merge_state(std::vector{metric.shared()}); }}});
  expect_undefined("regularizer", {{"call", [] { (void)RegularizerHandle()(kX); }}});
  expect_undefined("constraint", {{"call", [] { (void)ConstraintHandle()(kX); }}});
  expect_undefined("learning rate schedule",
                   {{"call", [] { (void)LearningRateScheduleHandle()(Tensor(1)); }}});
  initializers::Zeros zeros;
  const initializers::Zeros to = std::move(zeros);
  expect_undefined("initializer",
                   {{"call", [&] { (void)(*zeros)({2}, DType::kF32); }}});  // NOLINT(bugprone-use-after-move)
}

TEST(UndefinedHandleTest, AsAnOption) {
  using layers::Dense;
  expect_undefined("regularizer",
                   {{"Dense", [] { Dense({.units = 2, .kernel_regularizer = RegularizerHandle()}); }}});
  expect_undefined("constraint",
                   {{"Dense", [] { Dense({.units = 2, .kernel_constraint = ConstraintHandle()}); }}});
  expect_undefined(
      "initializer",
      {{"Dense", [] { Dense({.units = 2, .kernel_initializer = std::shared_ptr<Initializer>()}); }}});
  expect_undefined("learning rate schedule",
                   {{"SGD", [] { optimizers::SGD({.learning_rate = LearningRateScheduleHandle()}); }},
                    {"SGD with null",
                     [] { optimizers::SGD({.learning_rate = std::shared_ptr<LearningRateSchedule>()}); }}});
  Sequential model = small_model();
  expect_undefined("optimizer",
                   {{"compile", [&] { model.compile({.optimizer = OptimizerHandle(), .loss = "mse"}); }}});
  expect_undefined("loss", {{"compile", [&] { model.compile({.loss = LossHandle()}); }}});
  expect_undefined("metric",
                   {{"compile", [&] { model.compile({.loss = "mse", .metrics = {MetricHandle()}}); }}});
  EXPECT_FALSE(model.compiled());
  class TracksNothing : public Network {
   public:
    TracksNothing() : Network("TracksNothing", "") { track(MetricHandle()); }
  };
  expect_undefined("metric", {{"track", [] { std::make_shared<TracksNothing>(); }}});
}

TEST(UndefinedHandleTest, AWordThatIsANullPointerIsAnEmptyWord) {
  const char* const null = nullptr;
  Sequential model = small_model();
  const auto refused = [](const char* part, const std::function<void()>& f) {
    expect_contains(error_of(f), ErrorCode::kInvalidArgument, {part});
  };
  refused("optimizer is missing", [&] { model.compile({.optimizer = null, .loss = "mse"}); });
  refused("steps_per_execution = \"\"", [&] { model.compile({.loss = "mse", .steps_per_execution = null}); });
  refused("jit_compile = \"\"", [&] { model.compile({.loss = "mse", .jit_compile = null}); });
  refused("verbose = \"\"", [&] { Verbose{null}; });
  refused("name = \"\"", [&] { (void)model.get_layer(null); });
  refused("ord = \"\"", [&] { (void)ops::norm(kX, {.ord = null}); });
  EXPECT_NO_THROW(model.compile({.loss = null, .metrics = null}));
}

TEST(UndefinedHandleTest, OfAModel) {
  expect_undefined("model", {{"null", [] { Model(std::shared_ptr<Layer>()); }}});
  Sequential moved = small_model();
  const Sequential to = std::move(moved);
  // NOLINTBEGIN(bugprone-use-after-move)
  expect_undefined("model", {{"compile", [&] { moved.compile({.loss = "mse"}); }},
                             {"fit", [&] { moved.fit(kX, kX); }},
                             {"evaluate", [&] { moved.evaluate(kX, kX); }},
                             {"predict", [&] { moved.predict(kX); }},
                             {"train_on_batch", [&] { moved.train_on_batch(kX, kX); }},
                             {"metrics", [&] { (void)moved.metrics(); }},
                             {"optimizer", [&] { (void)moved.optimizer(); }},
                             {"set_stop_training", [&] { moved.set_stop_training(true); }},
                             {"add", [&] { moved.add(layers::Dense({.units = 2})); }},
                             {"pop", [&] { moved.pop(); }}});
  expect_undefined("layer", {{"name", [&] { (void)moved.name(); }},
                             {"call", [&] { (void)moved(kX); }},
                             {"summary", [&] { moved.summary(); }},
                             {"layers", [&] { (void)moved.layers(); }},
                             {"get_layer", [&] { (void)moved.get_layer(0); }},
                             {"inputs", [&] { (void)moved.inputs(); }},
                             {"build", [&] { moved.build({2, 3}); }},
                             {"model_to_dot", [&] { (void)model_to_dot(moved); }}});
  // NOLINTEND(bugprone-use-after-move)
  EXPECT_EQ(to.layers().size(), 2);
  expect_undefined("optimizer", {{"before compile", [&] { to.optimizer()->set_learning_rate(1); }}});
}

TEST(UndefinedHandleTest, OfATensorOfAFunctionalModel) {
  const KerasTensor none;
  const Input input({.shape = {3}});
  expect_undefined("keras tensor", {{"type", [&] { (void)none.type(); }},
                                    {"shape", [&] { (void)none.shape(); }},
                                    {"name", [&] { (void)none.name(); }},
                                    {"node", [&] { (void)none.node(); }}});
  EXPECT_EQ(none.str(), "<KerasTensor empty>");
  expect_contains(error_of([&] { (void)(none + none); }), ErrorCode::kInvalidArgument, {"empty KerasTensor"});
  expect_contains(error_of([&] { Model({.inputs = input, .outputs = none}); }), ErrorCode::kInvalidArgument,
                  {"outputs[0] is an empty"});
  expect_contains(error_of([&] { LayerHandle{none}; }), ErrorCode::kInvalidArgument,
                  {"only a tensor of keras::Input"});
  expect_contains(error_of([&] { (void)(input + Tensor()); }), ErrorCode::kFailedPrecondition,
                  {"this tensor is undefined"});
  expect_contains(error_of([&] { KerasTensor(input.shared_node(), 7); }), ErrorCode::kOutOfRange,
                  {"1 outputs; got index = 7"});
}

TEST(CallbackListWithoutModelTest, WhatNeedsTheModelSaysSo) {
  const auto epochs_of = [](const std::vector<callbacks::CallbackEntry>& entries, Model* model = nullptr) {
    callbacks::CallbackList list(entries, {.model = model});
    list.on_train_begin();
    for (int epoch = 0; epoch < 3; ++epoch) {
      list.on_epoch_begin(epoch);
      list.on_train_batch_end({0, 0, 1}, {{"loss", std::nan("")}});
      list.on_epoch_end(epoch, {{"loss", 1.0}});
    }
    list.on_train_end();
  };
  const auto scheduler = [] { return callbacks::LearningRateScheduler([](std::int64_t) { return 0.1; }); };
  const auto refused = [](const std::function<void()>& f, const char* name) {
    expect_contains(error_of(f), ErrorCode::kFailedPrecondition,
                    {"[callbacks]", name, "has none", ".model = &model"});
  };
  refused([&] { epochs_of({callbacks::EarlyStopping({.monitor = "loss"})}); }, "EarlyStopping");
  refused([&] { epochs_of({callbacks::EarlyStopping({.monitor = "loss", .restore_best_weights = true})}); },
          "EarlyStopping");
  refused([&] { epochs_of({callbacks::ReduceLROnPlateau({.monitor = "loss"})}); }, "ReduceLROnPlateau");
  refused([&] { epochs_of({callbacks::TerminateOnNaN()}); }, "TerminateOnNaN");
  refused([&] { epochs_of({scheduler()}); }, "LearningRateScheduler");
  EXPECT_NO_THROW(epochs_of({callbacks::LambdaCallback({}), callbacks::History()}));

  Sequential model = small_model();
  expect_undefined(
      "optimizer",
      {{"not compiled", [&] { epochs_of({scheduler()}, &model); }},
       {"nor here", [&] { epochs_of({callbacks::ReduceLROnPlateau({.monitor = "loss"})}, &model); }}});
  callbacks::ProgbarLogger bar;
  const callbacks::ProgbarLogger to = std::move(bar);
  expect_undefined("progress bar",
                   {{"moved", [&] { bar.on_train_begin(); }}});  // NOLINT(bugprone-use-after-move)
  EXPECT_NO_THROW(bar.on_abandon());
}

/// A layer that is cheap to call.
class Pass : public Layer {
 public:
  explicit Pass(std::string name) : Layer("Pass", std::move(name)) {}
  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    return {inputs.begin(), inputs.end()};
  }
  Tensor call(const Tensor& input, const CallContext&) override { return input; }
};

TEST(DeepGraphTest, AChainOfAHundredThousandLayersIsBuiltShownCalledAndLetGo) {
  constexpr int kDepth = 100'000;
  const Input input({.shape = {3}});
  std::optional<KerasTensor> last = input;
  std::weak_ptr<Layer> first;
  for (int i = 0; i < kDepth; ++i) {
    const auto layer = std::make_shared<Pass>("pass_" + std::to_string(i));
    if (i == 0) first = layer;
    last = LayerHandle(layer)(*last);
  }
  {
    const Model model({.inputs = input, .outputs = *last});
    EXPECT_EQ(model.layers().size(), kDepth + 1);
    EXPECT_TRUE(model(kX).literal() == kX.literal());
    EXPECT_TRUE(model.weights().empty());
    std::string text;
    model.summary({.print = [&](std::string_view part) { text += part; }});
    EXPECT_NE(text.find("pass_99999"), std::string::npos);
  }
  last.reset();  // nothing else holds the chain
  EXPECT_TRUE(first.expired());
}

TEST(DeepGraphTest, AnInputThatIsMissingFarDownIsNamed) {
  const Input used({.shape = {3}, .name = "used"}), other({.shape = {3}, .name = "other"});
  KerasTensor last = used;
  for (int i = 0; i < 1000; ++i)
    last = LayerHandle(std::make_shared<Pass>("pass_" + std::to_string(i)))(last);
  expect_contains(error_of([&] { Model({.inputs = other, .outputs = last}); }), ErrorCode::kInvalidArgument,
                  {"needs input \"used\""});
}

/// Ends the process with exit code 1 unless computing in an exit handler works. It compiles nothing: in this
/// statically linked program, LLVM's statics are destroyed by then (tests/ends checks the shared library).
struct AtExit {
  std::optional<Sequential> model;
  std::optional<Tensor> expected;
  Variable variable;
  KerasTensor tensor;
  std::unique_ptr<GradientTape> tape;

  ~AtExit() {
    try {
      const Flowers data(20);
      if (!(model->predict(data.x, {.verbose = 0}).literal() == expected->literal())) std::_Exit(1);
      model->summary({.print = [](std::string_view) {}});
      model->fit(data.x, data.one_hot, {.verbose = 0});
      if (small_model()(data.x).shape() != Dims{20, 3}) std::_Exit(1);
      if ((variable * 2.0F).device().empty() || tensor.name().empty() || variable.device().empty())
        std::_Exit(1);
    } catch (const std::exception&) {
      std::_Exit(1);
    }
  }
};

TEST(StaticModelTest, AModelThatIsAStaticLastsToItsEndWhateverWasMadeFirst) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto program = [] {
    static AtExit first;  // made before, and destroyed after, all that the library makes when it is needed
    const Flowers data(20);
    static Sequential model({layers::Dense({.units = 3})});
    model.compile({.optimizer = "adam", .loss = "mse"});
    model.fit(data.x, data.one_hot, {.verbose = 0});
    first.model = model;
    first.expected = model.predict(data.x, {.verbose = 0});
    first.variable = model.weights()[0];
    first.tensor = model.outputs()[0];
    first.tape = std::make_unique<GradientTape>();
    std::exit(0);
  };
  EXPECT_EXIT(program(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace cornu::inline v0::keras
