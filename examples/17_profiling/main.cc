// The programs of docs/guide/profiling.md, run and checked: tools/check_guide.py sees that the guide shows
// what stands here.

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "cornu/keras/keras.h"
#include "cornu/runtime/profiler.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;
using namespace cornu::keras;

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

void in_fit() {
  const Tensor x = random::uniform({1280, 784}, {.seed = 1});
  const Tensor y = random::uniform({1280}, {.minval = 0, .maxval = 10, .dtype = DType::kI32, .seed = 2});
  Sequential model({layers::Dense({.units = 256, .activation = "relu"}), layers::Dropout({.rate = 0.2}),
                    layers::Dense({.units = 10, .activation = "softmax"})});
  model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy"});
  const std::string trace_file =
      (std::filesystem::temp_directory_path() / "cornu_example_trace.json").string();

  callbacks::Profiler profiler({.profile_batch = {10, 20}, .trace_file = trace_file});
  model.fit(x, y, {.batch_size = 64, .verbose = 0, .callbacks = {&profiler}});

  expect(has(profiler.report(), "11 steps in 11 executions") && has(profiler.report(), "dense (backward)"),
         "a table of the batches asked for");
  expect(std::filesystem::file_size(trace_file) > 10'000, "a trace");
  std::filesystem::remove(trace_file);
}

void in_a_loop_of_ones_own() {
  const auto step = function([](const Tensor& a, const Tensor& b) { return ops::tanh(ops::matmul(a, b)); });
  const Tensor a = random::uniform({256, 256}, {.seed = 3});

  (void)step(a, a);  // traces and compiles
  runtime::Profiler profiler;
  profiler.start();
  for (int i = 0; i < 20; ++i) (void)step(a, a);
  profiler.stop();
  std::fputs(profiler.report().c_str(), stdout);

  expect(has(profiler.report(), "20 steps in 20 executions"), "a loop of one's own");
}

void level() {
  set_cpu_options({.isa = cpu_isa_level_names().front()});

  expect(has(default_client()->description(), "instruction set sse2"), "the baseline is a level");
  set_default_client(nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  return cornu::examples::run_guide_program("profiling", argc, argv, {in_fit, in_a_loop_of_ones_own, level},
                                            cornu::examples::GuideDevice::kOwn);
}
