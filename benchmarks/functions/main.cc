// Functions and layers of Keras, compiled, for benchmarks/functions.py: a line of JSON for each case, with
// the milliseconds of the best and of the median call and the number of operations run by reference kernels.
//
//   functions_benchmark [SECONDS_A_CASE [NAME...]]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "benchmarks/functions/cases.h"

namespace cornu::inline v0::benchmarks {

Tensor numbers(const Dims& shape, double scale) {
  std::vector<float> values(static_cast<std::size_t>(TensorType{DType::kF32, shape}.num_elements()));
  std::uint32_t state = 12345;
  for (float& value : values) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<float>(static_cast<double>(state >> 8) * 0x1p-24 * scale);
  }
  return Tensor::adopt(shape, std::move(values));
}

namespace {

double milliseconds_of(const FunctionCase& c, const auto& compiled) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Tensor> results = compiled(c.inputs);
  for (const Tensor& result : results) static_cast<void>(result.bytes());
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  return took.count();
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

void measure(const FunctionCase& c, double seconds) {
  const auto compiled = function([&](const std::vector<Tensor>& x) { return c.run(x); });
  const double first = milliseconds_of(c, compiled);
  const double once = milliseconds_of(c, compiled);
  const auto count = std::clamp(static_cast<int>(seconds * 1e3 / std::max(once, 1e-3)), 3, 1000);
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(milliseconds_of(c, compiled));
  std::sort(times.begin(), times.end());
  const std::string report = compiled.explain();
  const bool has_references =
      count_of(report, "reference fallbacks") != count_of(report, " 0 reference fallbacks");
  std::printf(R"({"case": "%s", "ms_min": %.5f, "ms_median": %.5f, "first_ms": %.2f, "references": %s})"
              "\n",
              c.name.c_str(), times.front(), times[times.size() / 2], first,
              has_references ? "true" : "false");
  std::fflush(stdout);
}

int run_all(int count, char** arguments) {
  const double seconds = count > 1 ? std::atof(arguments[1]) : 0.2;
  const std::vector<std::string> wanted(arguments + std::min(count, 2), arguments + count);
  for (const auto& make : {image_cases, array_cases, layer_cases})
    for (const FunctionCase& c : make())
      if (wanted.empty() || std::find(wanted.begin(), wanted.end(), c.name) != wanted.end())
        measure(c, seconds);
  return 0;
}

}  // namespace
}  // namespace cornu::inline v0::benchmarks

int main(int count, char** arguments) {
  try {
    return cornu::benchmarks::run_all(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
