// Latency of single requests to a model, for benchmarks/serving.py; prints one line of JSON.
//
//   serving_latency MODEL ROWS CALL CLIENTS SECONDS
//
// CALL is predict, predict_on_batch, function or eager. CLIENTS threads send requests of ROWS rows, each the
// next one as soon as it has the answer. CORNU_NUM_THREADS is the number of threads that compute.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cornu/keras/keras.h"
#include "cornu/tensor/function.h"
#include "examples/models/models.h"

namespace cornu::inline v0 {
namespace {

using Clock = std::chrono::steady_clock;

struct Served {
  keras::Model model;
  Tensor rows;
};

Tensor random_rows(const Dims& shape) {
  return random::uniform(shape, {.minval = 0, .maxval = 1, .seed = 1});
}

Served make_served(const std::string& name, std::int64_t num_rows) {
  if (name == "mnist_mlp") return {examples::mnist_mlp(), random_rows({num_rows, 784})};
  if (name == "mnist_cnn") return {examples::mnist_cnn(), random_rows({num_rows, 28, 28, 1})};
  if (name == "lstm_textgen") return {examples::lstm_text_generation(), random_rows({num_rows, 40, 57})};
  throw std::invalid_argument("MODEL must be mnist_mlp, mnist_cnn or lstm_textgen; got " + name);
}

/// One request: returns when the answer is in this process's memory.
std::function<void()> make_request(const std::string& call, Served served) {
  keras::Model model = served.model;
  Tensor x = served.rows;
  if (call == "predict") return [=]() mutable { (void)model.predict(x, {.verbose = 0}).data<float>(); };
  if (call == "predict_on_batch") return [=]() mutable { (void)model.predict_on_batch(x).data<float>(); };
  if (call == "function") {
    auto forward = function([=](const Tensor& rows) mutable { return model(rows); });
    return [=]() mutable { (void)forward(x).data<float>(); };
  }
  if (call == "eager") return [=]() mutable { (void)model(x).data<float>(); };
  throw std::invalid_argument("CALL must be predict, predict_on_batch, function or eager; got " + call);
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Microseconds of each request of all clients.
std::vector<double> send_requests(const std::function<void()>& request, int num_clients, double seconds) {
  std::vector<double> all;
  std::mutex mutex;
  const Clock::time_point start = Clock::now();
  std::vector<std::thread> clients;
  for (int i = 0; i < num_clients; ++i)
    clients.emplace_back([&] {
      std::vector<double> times;
      while (seconds_since(start) < seconds) {
        const Clock::time_point begin = Clock::now();
        request();
        times.push_back(seconds_since(begin) * 1e6);
      }
      const std::lock_guard lock(mutex);
      all.insert(all.end(), times.begin(), times.end());
    });
  for (std::thread& client : clients) client.join();
  return all;
}

int run(const std::vector<std::string>& arguments) {
  const Clock::time_point start = Clock::now();
  Served served = make_served(arguments[0], std::stoll(arguments[1]));
  const std::function<void()> request = make_request(arguments[2], served);
  request();
  const double first_seconds = seconds_since(start);
  const int num_clients = std::stoi(arguments[3]);
  const double seconds = std::stod(arguments[4]);
  (void)send_requests(request, num_clients, std::min(0.2, seconds));  // warm up
  std::vector<double> times = send_requests(request, num_clients, seconds);
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    return times[std::min(times.size() - 1, static_cast<std::size_t>(share * times.size()))];
  };
  fmt::print(
      "{{\"p50_us\": {:.2f}, \"p99_us\": {:.2f}, \"requests_per_second\": {:.1f}, \"first_seconds\": "
      "{:.4f}}}\n",
      at(0.5), at(0.99), static_cast<double>(times.size()) / seconds, first_seconds);
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace cornu::inline v0

int main(int count, char** arguments) {
  if (count != 6) {
    std::fprintf(stderr, "usage: serving_latency MODEL ROWS CALL CLIENTS SECONDS\n");
    return 2;
  }
  try {
    return cornu::run({arguments + 1, arguments + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "serving_latency: %s\n", error.what());
    return 1;
  }
}
