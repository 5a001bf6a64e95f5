// The programs of docs/guide/saving.md, run and checked: tools/check_guide.py sees that the guide shows what
// stands here.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cornu/keras/keras.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;
using namespace cornu::keras;

/// The folder of this run, empty at first, gone at the end.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / "cornu_example_model_files") {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
    std::filesystem::current_path(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::current_path("/", ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

 private:
  std::filesystem::path path_;
};

Tensor numbers(const Dims& shape, std::uint64_t seed) {
  return random::uniform(shape, {.minval = -1, .maxval = 1, .seed = seed});
}

Sequential small_model() {
  Sequential model({Input({.shape = {4}}), layers::Dense({.units = 8, .activation = "tanh"}),
                    layers::Dense({.units = 1})});
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.01}), .loss = "mse"});
  return model;
}

bool same_weights(const Model& a, const Model& b) {
  const std::vector<Tensor> x = a.get_weights(), y = b.get_weights();
  if (x.size() != y.size()) return false;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(x[i].literal() == y[i].literal())) return false;
  return true;
}

void whole_models() {
  const Tensor x = numbers({32, 4}, 1), y = ops::sum(x, {.axis = 1, .keepdims = true});
  Sequential model = small_model();
  model.fit(x, y, {.verbose = 0, .shuffle = false});

  model.save("model.keras");
  Model again = load_model("model.keras");

  again.fit(x, y, {.verbose = 0, .shuffle = false});  // goes on as `model` would
  model.fit(x, y, {.verbose = 0, .shuffle = false});
  expect(same_weights(model, again), "a loaded model goes on training");
}

void weights_alone() {
  Sequential model = small_model(), other = small_model();

  model.save_weights("model.weights.h5");
  other.load_weights("model.weights.h5");
  expect(same_weights(model, other), "weights go through a file");

  model.save_weights("model.safetensors");
  Sequential third = small_model();
  third.load_weights("model.safetensors");
  expect(same_weights(model, third), "safetensors");

  Sequential larger({Input({.shape = {4}}), layers::Dense({.units = 9})});
  bool refused = false;
  try {
    larger.load_weights("model.weights.h5");
  } catch (const Error& error) {
    refused = std::string(error.what()).find("of another shape are") != std::string::npos;
  }
  expect(refused, "what does not fit is listed");
}

class ScaleLayer : public Layer {
 public:
  explicit ScaleLayer(double factor) : Layer("Scale", ""), factor_(factor) {}
  Config get_config() const override { return Config::dict({{"name", name()}, {"factor", factor_}}); }
  std::string registered_name() const override { return "demo>Scale"; }

 protected:
  void build(const Dims&) override {}
  Tensor call(const Tensor& x, const CallContext&) override { return head_(x * factor_); }

 private:
  double factor_;
  LayerHandle head_ = track(LayerHandle(layers::Dense({.units = 2})), "head");
};

void own_classes() {
  Sequential scaled({Input({.shape = {4}}), LayerHandle(std::make_shared<ScaleLayer>(0.5))});
  scaled.save("scaled.keras");

  CustomObjects objects;
  objects.layers["demo>Scale"] = [](const Config& config) {
    return std::make_shared<ScaleLayer>(config.at("factor").as_number());
  };
  Model model = load_model("scaled.keras", {.custom_objects = objects});

  expect(same_weights(scaled, model), "a class of one's own goes through a file");
}

void while_it_trains() {
  const Tensor x = numbers({32, 4}, 1), y = ops::sum(x, {.axis = 1, .keepdims = true});
  Sequential model = small_model();

  model.fit(x, y,
            {.epochs = 3,
             .verbose = 0,
             .callbacks = {callbacks::ModelCheckpoint({.filepath = "best.keras", .save_best_only = true}),
                           callbacks::ModelCheckpoint(
                               {.filepath = "epoch_{epoch:02d}.weights.h5", .save_weights_only = true})},
             .validation_split = 0.25});

  expect(std::filesystem::exists("best.keras") && std::filesystem::exists("epoch_03.weights.h5"),
         "checkpoints are written");
}

void goes_on_after_a_kill() {
  const Tensor x = numbers({32, 4}, 1), y = ops::sum(x, {.axis = 1, .keepdims = true});
  Sequential model = small_model();

  model.fit(x, y,
            {.epochs = 10,
             .verbose = 0,
             .callbacks = {callbacks::BackupAndRestore({.backup_dir = "run1", .save_freq = 100})}});

  expect(!std::filesystem::exists("run1/backup.state"), "the backup is gone at the end");
}

/// A whole program: what it gives is the same whether it runs once or is started again.
std::vector<Tensor> loop_of_ones_own(std::int64_t last_step) {
  set_random_seed(1);
  clear_session();
  const Tensor x = numbers({32, 4}, 1), y = ops::sum(x, {.axis = 1, .keepdims = true});

  Sequential model({Input({.shape = {4}}), layers::Dense({.units = 1})});
  const optimizers::Adam optimizer({.learning_rate = 0.01});
  std::int64_t step = 0;
  Checkpoint checkpoint;
  checkpoint.add("model", model).add("optimizer", optimizer).add("step", step);
  CheckpointManager manager(checkpoint, {.directory = "checkpoints", .max_to_keep = 3});
  manager.restore_or_initialize();
  while (step < last_step) {
    GradientTape tape;
    const Tensor loss = ops::mean(ops::square(model(x, {.training = true}) - y));
    optimizer.apply(tape.gradient(loss, model.trainable_variables()), model.trainable_variables());
    ++step;
    if (step % 100 == 0) manager.save(step);
  }

  expect(step == last_step && manager.checkpoints().size() == std::min<std::size_t>(3, last_step / 100),
         "the newest checkpoints are kept");
  return model.get_weights();
}

void loops_of_ones_own() {
  const std::vector<Tensor> whole = loop_of_ones_own(500);
  std::filesystem::remove_all("checkpoints");
  loop_of_ones_own(200);
  const std::vector<Tensor> restarted = loop_of_ones_own(500);
  for (std::size_t i = 0; i < whole.size(); ++i)
    expect(whole[i].literal() == restarted[i].literal(), "a loop that is started again gives the same bits");
}

void for_tensor_board() {
  const Tensor x = numbers({32, 4}, 1), y = ops::sum(x, {.axis = 1, .keepdims = true});
  Sequential model = small_model();

  model.fit(x, y,
            {.epochs = 2,
             .verbose = 0,
             .callbacks = {callbacks::TensorBoard({.log_dir = "logs", .histogram_freq = 1})}});

  expect(std::filesystem::exists("logs/train"), "event files are written");
}

void operations() {
  const Input x({.shape = {4}});
  const KerasTensor clipped = ops::minimum(ops::relu(x * 2.0), 1.0);
  const KerasTensor mean = ops::mean(clipped, {.axis = 1, .keepdims = true});
  const KerasTensor first = ops::get_item(clipped, {Slice(), 0, kNewAxis});  // clipped[:, 0, None]
  Model model({.inputs = x, .outputs = ops::concatenate({mean, first}, {.axis = 1})});

  model.save("operations.keras");
  const Tensor rows = numbers({3, 4}, 2);
  const Tensor inside = ops::minimum(ops::relu(rows * 2.0), 1.0);
  const Tensor expected = ops::concatenate(
      {ops::mean(inside, {.axis = 1, .keepdims = true}), inside.slice({{}, {.end = 1}})}, {.axis = 1});
  Model again = load_model("operations.keras");
  expect(ops::allclose(again.predict(rows, {.verbose = 0}), expected).item<bool>(), "operations in files");
}

}  // namespace

int main(int argc, char** argv) {
  const Folder folder;
  return examples::run_guide_program("saving", argc, argv,
                                     {whole_models, weights_alone, own_classes, while_it_trains,
                                      goes_on_after_a_kill, loops_of_ones_own, for_tensor_board, operations});
}
