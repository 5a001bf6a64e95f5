// The program of docs/guide/serving.md: several threads answer requests while another one replaces the
// weights.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <thread>
#include <vector>

#include "cornu/keras/keras.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;
using namespace cornu::keras;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kFeatures = 20;
constexpr std::int64_t kMostRows = 32;

Sequential make_model() {
  return Sequential({Input({.shape = {kFeatures}}), layers::Dense({.units = 64, .activation = "relu"}),
                     layers::Dense({.units = 64, .activation = "relu"}),
                     layers::Dense({.units = 3, .activation = "softmax"})});
}

Tensor requests(std::int64_t num_rows, std::uint64_t seed) {
  return random::normal({num_rows, kFeatures}, {.seed = seed});
}

bool equal(const Tensor& a, const Tensor& b) { return a.literal() == b.literal(); }

/// Compiles the programs for 1 to `most_rows` rows, so that no request waits for the compiler.
void warm_up(Model& model, std::int64_t most_rows) {
  for (std::int64_t rows = 1; rows <= most_rows; rows *= 2)
    (void)model.predict_on_batch(ops::zeros({rows, kFeatures}));
}

void no_request_compiles() {
  Sequential model = make_model();
  warm_up(model, kMostRows);
  const int compiled = model.num_compiles();
  for (std::int64_t rows = 1; rows <= kMostRows; ++rows) (void)model.predict_on_batch(requests(rows, 1));
  expect(model.num_compiles() == compiled, "a program for each power of two serves all numbers of rows");
}

/// Answers of both versions of the weights, for each number of rows.
struct RightAnswers {
  std::vector<Tensor> before, after;
};

/// Sends requests until `done`; counts them, and those answered by neither version.
void answer_requests(Model model, const std::vector<Tensor>& inputs, const RightAnswers& right,
                     const std::atomic<bool>& done, std::atomic<int>& num_answered,
                     std::atomic<int>& num_wrong) {
  for (std::size_t i = 0; !done; i = (i + 1) % inputs.size()) {
    const Tensor answer = model.predict_on_batch(inputs[i]);
    if (!equal(answer, right.before[i]) && !equal(answer, right.after[i])) ++num_wrong;
    ++num_answered;
  }
}

void weights_are_replaced_while_it_serves() {
  Sequential model = make_model();
  Sequential trained_on = make_model();  // the next version, from another file or another process
  const std::vector<Tensor> old_weights = model.get_weights(), new_weights = trained_on.get_weights();
  std::vector<Tensor> inputs;
  RightAnswers right;
  for (std::int64_t rows = 1; rows <= kMostRows; rows *= 2) inputs.push_back(requests(rows, 2));
  for (const Tensor& rows : inputs) right.before.push_back(model.predict_on_batch(rows));
  model.set_weights(new_weights);
  for (const Tensor& rows : inputs) right.after.push_back(model.predict_on_batch(rows));

  std::atomic<bool> done = false;
  std::atomic<int> num_answered = 0, num_wrong = 0;
  std::vector<std::thread> servers;
  for (int i = 0; i < 3; ++i)
    servers.emplace_back([&] { answer_requests(model, inputs, right, done, num_answered, num_wrong); });
  for (int i = 0; i < 50 || num_answered < 200; ++i) {
    model.set_weights(i % 2 == 0 ? old_weights : new_weights);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  done = true;
  for (std::thread& server : servers) server.join();
  std::printf("%d requests answered beside changes of the weights\n", num_answered.load());
  expect(num_wrong == 0, "each answer is that of one version of the weights");
}

void weights_come_from_a_file() {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "cornu_example_serving";
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "next.weights.h5").string();
  Sequential model = make_model(), next = make_model();
  next.save_weights(path);
  const Tensor rows = requests(4, 3);
  model.load_weights(path);
  expect(equal(model.predict_on_batch(rows), next.predict_on_batch(rows)),
         "load_weights replaces the weights");
  std::filesystem::remove_all(folder);
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run_guide_program(
      "serving", argc, argv,
      {no_request_compiles, weights_are_replaced_while_it_serves, weights_come_from_a_file});
}
