// Steps of attention, forward and backward, for benchmarks/attention.py: a step a line of stdin, its
// milliseconds a line of stdout.
//
//   attention_steps BATCH HEADS STEPS DIM [causal]
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "cornu/ops/dot_product_attention/dot_product_attention.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/variable.h"

namespace cornu::inline v0 {
namespace {

Tensor attention(const Tensor& query, const Tensor& key, const Tensor& value,
                 const ops::DotProductAttentionOptions& options) {
  const Tensor operands[] = {query, key, value};
  return detail::run_op_many(detail::OpKey("dot_product_attention", options.scale, options.is_causal),
                             operands, [&](ir::Builder& b, std::span<const ir::Value> v) {
                               const auto y = ops::dot_product_attention(b, v[0], v[1], v[2], {}, options);
                               return std::vector<ir::Value>{y.output, y.largest, y.sum};
                             })[0];
}

int run(const Dims& shape, bool is_causal) {
  const double scale = 1 / std::sqrt(static_cast<double>(shape[3]));
  std::vector<Variable> inputs, gradients;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) inputs.emplace_back(random::normal(shape, {.seed = seed}));
  for (int i = 0; i < 3; ++i) gradients.emplace_back(ops::zeros(shape));
  auto step = function([&](const Tensor& unused) {
    GradientTape tape;
    const Tensor y = attention(inputs[0], inputs[1], inputs[2], {.scale = scale, .is_causal = is_causal});
    const Tensor loss = ops::sum(y * inputs[3]);
    const std::vector<Variable> sources(inputs.begin(), inputs.begin() + 3);
    const std::vector<Tensor> found = tape.gradient(loss, sources);
    for (std::size_t i = 0; i < 3; ++i) gradients[i].assign(found[i]);
    return loss + unused;
  });
  const Tensor zero = ops::zeros({});
  for (std::string line; std::getline(std::cin, line);) {
    const auto start = std::chrono::steady_clock::now();
    (void)step(zero).item<float>();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    std::printf("%.4f\n", took.count());
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace cornu::inline v0

int main(int count, char** arguments) {
  if (count < 5) {
    std::fprintf(stderr, "usage: attention_steps BATCH HEADS STEPS DIM [causal]\n");
    return 2;
  }
  const auto number = [&](int i) { return std::strtoll(arguments[i], nullptr, 10); };
  return cornu::run({number(1), number(3), number(2), number(4)}, count > 5);
}
