// The iris_mlp network of common.py in C++ on libtorch: one training step, then the seconds since the process
// started. benchmarks/facts.py compiles and runs it.
#include <torch/torch.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace {

/// Seconds since the kernel started this process, by field 22 of /proc/self/stat and the clock of boot time.
double seconds_since_start() {
  std::ifstream file("/proc/self/stat");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string field;
  for (int i = 3; i <= 22; ++i) fields >> field;
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9 -
         std::stod(field) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

int main() {
  torch::nn::Sequential model(torch::nn::Linear(4, 32), torch::nn::ReLU(), torch::nn::Linear(32, 3),
                              torch::nn::Softmax(1));
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(0.1));
  const auto x = torch::rand({20, 4});
  const auto y = torch::one_hot(torch::randint(0, 3, {20}), 3).to(torch::kFloat);
  optimizer.zero_grad();
  const auto error = model->forward(x) - y;
  auto loss = (error + torch::softplus(-2 * error) - std::log(2.0)).mean();  // log(cosh(error))
  loss.backward();
  optimizer.step();
  std::printf("{\"startup_s\": %.3f, \"loss\": %.4f}\n", seconds_since_start(), loss.item<double>());
}
