// Predictions of Dense layers by int8 and int4 beside float32, in turns, with medians:
//
//   quantized_dense [WIDTH [LAYERS]]      1024 1 by default
//
// A line for each batch: microseconds of each form, and the quotient of float32 and int8.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cornu/keras/keras.h"

namespace cornu::inline v0 {
namespace {

namespace layers = keras::layers;

constexpr int kRounds = 31;

struct Timed {
  std::string mode;
  std::vector<layers::Dense> chain;
  std::function<Tensor(const Tensor&)> run;
  std::vector<double> microseconds;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void measure(Timed& timed, const Tensor& x, int calls) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) (void)timed.run(x).data<float>();
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
  timed.microseconds.push_back(spent.count() / calls);
}

int run(std::int64_t width, int num_layers) {
  std::vector<std::unique_ptr<Timed>> forms;
  for (const char* mode : {"float32", "int8", "int4"}) {
    auto timed = std::make_unique<Timed>();
    timed->mode = mode;
    for (int i = 0; i < num_layers; ++i) {
      timed->chain.emplace_back(keras::layers::DenseOptions{.units = width, .activation = "relu"});
      timed->chain.back()->build_once({keras::kUnknown, width});
      if (timed->mode != "float32") timed->chain.back().quantize(timed->mode);
    }
    Timed* const form = timed.get();
    timed->run = function([form](const Tensor& x) {
      Tensor y = x;
      for (const layers::Dense& layer : form->chain) y = layer(y);
      return y;
    });
    forms.push_back(std::move(timed));
  }
  std::printf("batch  float32   int8     int4    (us)   float32 / int8\n");
  for (const std::int64_t batch : {1, 32, 256}) {
    const Tensor x = random::normal({batch, width}, {.seed = 1});
    for (auto& timed : forms) {
      timed->microseconds.clear();
      measure(*timed, x, 3);
      timed->microseconds.clear();
    }
    for (int round = 0; round < kRounds; ++round)
      for (auto& timed : forms) measure(*timed, x, batch == 1 ? 50 : 5);
    std::vector<double> medians;
    for (const auto& timed : forms) medians.push_back(median(timed->microseconds));
    std::printf("%5d %8.1f %8.1f %8.1f          %.2f\n", static_cast<int>(batch), medians[0], medians[1],
                medians[2], medians[0] / medians[1]);
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace cornu::inline v0

int main(int argc, char** argv) {
  return cornu::run(argc > 1 ? std::atoi(argv[1]) : 1024, argc > 2 ? std::atoi(argv[2]) : 1);
}
