// The study of experimental_steps_per_execution, as the program that made it: CIFAR-10, two convolutional
// networks of 10,165,578 and 2,187,434 parameters, batches of 256 and of 32, 1,000 steps, no validation, and
// steps_per_execution unset, 20, 50, 100, 200 and 500. The first fit of each is discarded: it compiles.
//
// The study gives the numbers of parameters and not the architectures: the widths of the dense layers here
// are chosen so that the numbers are the same. Its figures, on a notebook's TPU at 500 steps an execution:
// 13.5 s (91.2 % of the time of the setting left unset) and 17.7 s (84.2 %) for batches of 32, 18.0 s (83.7
// %) and 33.9 s (94.1 %) for batches of 256, for the small network and the large one each; 20 was slower than
// unset.
//
// With fewer --steps than 1,000 the program also predicts the time of 1,000: executions at one price, steps
// at another and a fit at a third, fitted to what was timed, with the fit's error beside it.
//
//   document_steps_per_execution --device sim:colab-tpu-node,rows=sent,clock=virtual --steps 100 --repeats 1
//
// `cornu study steps` is the tool for networks of one's own: it says what is noise, and goes on where it was
// interrupted.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "cornu/keras/keras.h"
#include "examples/documents/execution_law.h"
#include "examples/models/models.h"
#include "examples/support/data.h"
#include "examples/support/document_device.h"
#include "examples/support/program.h"

namespace {

using namespace cornu;
using namespace cornu::keras;
using examples::DocumentDevice;

struct Network {
  const char* name;
  std::int64_t num_parameters;
  std::vector<std::int64_t> filters;  // of pairs of convolutions, a pool behind each pair
  bool is_padded;                     // the second convolution of a pair
  std::vector<std::int64_t> units;    // of the dense layers before the last one
};
const Network kNetworks[] = {{"2m", 2187434, {32, 64}, false, {748, 524}},
                             {"10m", 10165578, {48, 96, 192}, true, {2516, 708}}};

Sequential make_model(const Network& network) {
  Sequential model;
  model.add(Input({.shape = {32, 32, 3}}));
  for (const std::int64_t filters : network.filters) {
    for (const bool is_second : {false, true})
      model.add(layers::Conv2D({.filters = filters,
                                .kernel_size = 3,
                                .padding = is_second && !network.is_padded ? "valid" : "same",
                                .activation = "relu"}));
    model.add(layers::MaxPooling2D({.pool_size = 2}));
  }
  model.add(layers::Flatten());
  for (const std::int64_t units : network.units)
    model.add(layers::Dense({.units = units, .activation = "relu"}));
  model.add(layers::Dense({.units = 10, .activation = "softmax"}));
  return model;
}

struct Photographs {
  Tensor x, y;
};

/// A network with one setting of steps_per_execution, and what its fits took.
struct Setting {
  std::int64_t steps_per_execution = 1;  // 1: what unset means
  Sequential model = {};
  double first_seconds = 0;
  std::vector<double> seconds = {};
  double seconds_of_twice_as_many = 0;  // steps; of the first setting only

  double median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

examples::ExecutionLaw fit_law(const std::vector<Setting>& settings, std::int64_t steps) {
  std::vector<examples::TimedFits> timed;
  timed.reserve(settings.size());
  for (const Setting& each : settings) timed.push_back({each.steps_per_execution, each.median()});
  return examples::fit_execution_law(timed, steps, settings[0].seconds_of_twice_as_many);
}

class Grid {
 public:
  std::string device = "cpu", network = "both", batch = "both", data;
  std::int64_t steps = 1000, repeats = 3;

  explicit Grid(examples::Program& program) : program_(program) {}

  void run() {
    std::int64_t num_rows = 2560;
    if (program_.quick()) {
      steps = 6, repeats = 1, num_rows = 128;
      all_k_ = {1, 3, 20};
      network = "2m", batch = "32";
    }
    // For the law: the largest one.
    if (steps < kStudySteps)
      all_k_.push_back(static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(steps))));
    std::sort(all_k_.begin(), all_k_.end());
    all_k_.erase(std::unique(all_k_.begin(), all_k_.end()), all_k_.end());
    const DocumentDevice on(device);
    std::printf("device: %s, %s\n", on.name().c_str(), on.client().description().c_str());
    const Photographs photographs = load(num_rows);
    for (const Network& each : kNetworks)
      for (const std::int64_t batch_size : {32, 256})
        if ((network == "both" || network == each.name) &&
            (batch == "both" || batch == std::to_string(batch_size)))
          run_case(each, batch_size, on, photographs);
  }

 private:
  /// So many rows of the files, or made ones: the time of a step does not depend on them.
  Photographs load(std::int64_t num_rows) const {
    const datasets::Arrays train =
        examples::load_cifar10(program_, data, {.train = num_rows, .test = 1}).train;
    const Tensor x = train.x.rows(0, std::min(num_rows, train.x.num_rows()));
    return {examples::scaled_pixels(x, x.shape()), examples::class_ids(train.y.rows(0, x.num_rows()))};
  }

  void run_case(const Network& of, std::int64_t batch_size, const DocumentDevice& on,
                const Photographs& photographs) {
    const std::string name = std::string(of.name) + "_b" + std::to_string(batch_size);
    std::vector<Setting> settings = compiled(of, on);
    const auto fit = [&](Setting& setting, std::int64_t num_steps) {
      const DeviceScope scope(on.name());
      const examples::DocumentWatch watch(on);
      const auto history = setting.model.fit(
          photographs.x, photographs.y,
          {.batch_size = batch_size, .verbose = 0, .steps_per_epoch = num_steps, .repeat = true});
      program_.check_true(name + " ran another number of steps than it was told to",
                          history.num_steps == num_steps);
      program_.check_true(name + ": the loss is not finite", std::isfinite(history["loss"].back()));
      return watch.seconds();
    };
    for (Setting& setting : settings) setting.first_seconds = fit(setting, steps);
    // In turn, each repeat beginning with another one.
    for (std::int64_t repeat = 0; repeat < repeats; ++repeat)
      for (std::size_t i = 0; i < settings.size(); ++i) {
        Setting& setting = settings[(i + static_cast<std::size_t>(repeat)) % settings.size()];
        setting.seconds.push_back(fit(setting, steps));
      }
    if (steps < kStudySteps) settings[0].seconds_of_twice_as_many = fit(settings[0], 2 * steps);
    report(name, settings, on);
  }

  /// A model for each K that this number of steps can hold.
  std::vector<Setting> compiled(const Network& of, const DocumentDevice& on) {
    std::vector<Setting> settings;
    for (const std::int64_t k : all_k_) {
      if (k > steps) continue;
      set_random_seed(program_.seed());
      const auto scope = on.strategy().scope();
      Setting setting{.steps_per_execution = k, .model = make_model(of)};
      program_.check_true(std::string(of.name) + " has another number of parameters than the study's",
                          setting.model.count_params() == of.num_parameters);
      CompileOptions options = examples::cifar_cnn_training();
      options.steps_per_execution = k;  // experimental_steps_per_execution
      setting.model.compile(options);
      settings.push_back(std::move(setting));
    }
    return settings;
  }

  void report(const std::string& name, const std::vector<Setting>& settings, const DocumentDevice& on) {
    const auto figure = [&](const std::string& what, std::int64_t k, double value, const char* unit,
                            const char* kind) {
      program_.figure({name + what + "_k" + std::to_string(k), value, unit, device, kind});
    };
    for (const Setting& each : settings) {
      figure("_first_fit", each.steps_per_execution, each.first_seconds, "s", on.kind());
      figure("_fit", each.steps_per_execution, each.median(), "s", on.kind());
      figure("_share", each.steps_per_execution, 100 * each.median() / settings[0].median(), "%", on.kind());
    }
    if (steps >= kStudySteps) return;
    const examples::ExecutionLaw law = fit_law(settings, steps);
    std::printf(
        "%s: a fit %.3g ms, an execution %.3g ms, a step %.3g ms; the law is off by at most %.1f %%\n",
        name.c_str(), 1e3 * law.fit, 1e3 * law.execution, 1e3 * law.step, 100 * law.relative_error);
    const double unset = law.seconds(kStudySteps, kStudySteps);
    for (const std::int64_t k : {1, 20, 50, 100, 200, 500}) {
      const double seconds = law.seconds((kStudySteps + k - 1) / k, kStudySteps);
      figure("_1000_steps", k, seconds, "s", "predicted");
      figure("_1000_steps_share", k, 100 * seconds / unset, "%", "predicted");
    }
    if (on.has_profile("colab-tpu-node") && device.find("rows=sent") != std::string::npos)
      program_.check_true(
          name + ": 500 steps an execution do not take 75 to 97 % of one",
          law.seconds(2, kStudySteps) > 0.75 * unset && law.seconds(2, kStudySteps) < 0.97 * unset);
  }

  static constexpr std::int64_t kStudySteps = 1000;
  examples::Program& program_;
  std::vector<std::int64_t> all_k_ = {1, 20, 50, 100, 200, 500};
};

}  // namespace

int main(int argc, char** argv) {
  examples::Program program("document_steps_per_execution",
                            "Times two networks for CIFAR-10 by steps per execution, as the study of it did",
                            "about 5 hours (--network 2m --batch 32: 5 minutes; --steps 100: a tenth)");
  program.finds_device_itself();
  Grid grid(program);
  program.option("--device", &grid.device, "cpu, sim:PROFILE, or a worker's grpc://HOST:PORT");
  program.choice("--network", &grid.network, "both 2m 10m", "Of 2,187,434 or 10,165,578 parameters");
  program.choice("--batch", &grid.batch, "both 32 256", "Rows a step");
  program.option("--steps", &grid.steps, "Steps of a fit; settings of more steps an execution are left out");
  program.option("--repeats", &grid.repeats, "Fits of each setting behind the first one, in turn");
  program.option("--data", &grid.data, "Folder with CIFAR-10's binary version");
  return program.main(argc, argv, [&] { grid.run(); });
}
