#include <cmath>

#include "benchmarks/functions/cases.h"
#include "cornu/tensor/transformations.h"

namespace cornu::inline v0::benchmarks {
namespace {

using Results = std::vector<Tensor>;

/// Symmetric with eigenvalues far above zero.
Tensor positive_definite(std::int64_t count, std::int64_t size) {
  const Tensor x = numbers({count, size, size});
  return ops::matmul(x, ops::transpose(x, {0, 2, 1})) + 4.0 * ops::eye(size);
}

void add_linalg(std::vector<FunctionCase>& all, std::int64_t count, std::int64_t size) {
  const std::string end = "_" + std::to_string(count) + "x" + std::to_string(size);
  const Tensor definite = positive_definite(count, size),
               general = numbers({count, size, size}) + ops::eye(size);
  const auto add = [&](const char* name, std::vector<Tensor> inputs, Results (*f)(const Results&)) {
    all.push_back({name + end, std::move(inputs), f});
  };
  add("cholesky", {definite}, [](const Results& x) -> Results { return {ops::cholesky(x[0])}; });
  add("qr", {general}, [](const Results& x) -> Results {
    const auto [q, r] = ops::qr(x[0]);
    return {q, r};
  });
  add("svd", {general}, [](const Results& x) -> Results { return ops::svd(x[0]); });
  add("eigh", {definite}, [](const Results& x) -> Results {
    const auto [values, vectors] = ops::eigh(x[0]);
    return {values, vectors};
  });
  add("inv", {general}, [](const Results& x) -> Results { return {ops::inv(x[0])}; });
  add("det", {general}, [](const Results& x) -> Results { return {ops::det(x[0])}; });
  add("solve", {general, numbers({count, size, 8})},
      [](const Results& x) -> Results { return {ops::solve(x[0], x[1])}; });
  add("solve_triangular", {definite, numbers({count, size, 8})},
      [](const Results& x) -> Results { return {ops::solve_triangular(x[0], x[1], {.lower = true})}; });
  add("lu_factor", {general}, [](const Results& x) -> Results {
    const auto [lu, pivots] = ops::lu_factor(x[0]);
    return {lu, pivots};
  });
}

void add_spectral(std::vector<FunctionCase>& all) {
  const Tensor lines = numbers({64, 4096}), planes = numbers({16, 128, 128}), sound = numbers({8, 16000});
  all.push_back({"fft", {lines, lines}, [](const Results& x) -> Results { return ops::fft({x[0], x[1]}); }});
  all.push_back(
      {"fft2", {planes, planes}, [](const Results& x) -> Results { return ops::fft2({x[0], x[1]}); }});
  all.push_back({"rfft", {lines}, [](const Results& x) -> Results { return ops::rfft(x[0]); }});
  const Tensor half = numbers({64, 2049});
  all.push_back(
      {"irfft", {half, half}, [](const Results& x) -> Results { return {ops::irfft({x[0], x[1]})}; }});
  all.push_back(
      {"stft", {sound}, [](const Results& x) -> Results { return ops::stft(x[0], 400, 160, 512); }});
  const Tensor frames = numbers({8, 101, 257});
  all.push_back({"istft", {frames, frames}, [](const Results& x) -> Results {
                   return {ops::istft({x[0], x[1]}, 400, 160, 512)};
                 }});
}

void add_reductions(std::vector<FunctionCase>& all) {
  const Tensor x = numbers({1000, 1000});
  const Tensor with_nans = ops::where(x < 0.1, Tensor(std::nanf("")), x);
  const auto add = [&](const char* name, Tensor (*f)(const Tensor&)) {
    all.push_back({name, {with_nans}, [f](const Results& v) -> Results { return {f(v[0])}; }});
  };
  add("nansum", [](const Tensor& v) { return ops::nansum(v, {.axis = -1}); });
  add("nanmean", [](const Tensor& v) { return ops::nanmean(v, {.axis = -1}); });
  add("nanmax", [](const Tensor& v) { return ops::nanmax(v, {.axis = -1}); });
  add("nanvar", [](const Tensor& v) { return ops::nanvar(v, {.axis = -1}); });
  add("nanprod", [](const Tensor& v) { return ops::nanprod(v, {.axis = -1}); });
  add("nancumsum", [](const Tensor& v) { return ops::nancumsum(v, {.axis = -1}); });
  add("nanargmax", [](const Tensor& v) { return ops::nanargmax(v, {.axis = -1}); });
  add("nanmedian", [](const Tensor& v) { return ops::nanmedian(v, {.axis = -1}); });
}

void add_searches(std::vector<FunctionCase>& all) {
  all.push_back({"histogram", {numbers({1000000})}, [](const Results& x) -> Results {
                   const auto [counts, edges] = ops::histogram(x[0], {.bins = 64, .range = {0, 1}});
                   return {counts, edges};
                 }});
  const Tensor ids = ops::cast(numbers({100000}, 1000), DType::kI32);
  all.push_back(
      {"unique", {ids}, [](const Results& x) -> Results {
         return {ops::unique(x[0], {.size = 1000, .fill_value = Tensor::of<std::int32_t>({}, {0})}).values};
       }});
  all.push_back({"isin", {ids, ops::arange(0, 900, 9)}, [](const Results& x) -> Results {
                   return {ops::isin(x[0], x[1])};
                 }});
  all.push_back({"associative_scan_add", {numbers({1024, 512})}, [](const Results& x) -> Results {
                   return {associative_scan([](const Tensor& a, const Tensor& b) { return a + b; }, x[0])};
                 }});
  const auto recurrence = [](const Results& a, const Results& b) -> Results {
    return {a[0] * b[0], b[0] * a[1] + b[1]};
  };
  all.push_back({"associative_scan_recurrence",
                 {numbers({1024, 512}), numbers({1024, 512})},
                 [recurrence](const Results& x) -> Results { return associative_scan(recurrence, x); }});
  all.push_back({"unfold", {numbers({8, 16, 64, 64})}, [](const Results& x) -> Results {
                   return {ops::unfold(x[0], 3, {.padding = 1})};
                 }});
  all.push_back({"fold", {numbers({8, 144, 4096})}, [](const Results& x) -> Results {
                   return {ops::fold(x[0], 64, 3, {.padding = 1})};
                 }});
  all.push_back({"depth_to_space", {numbers({8, 64, 64, 64})}, [](const Results& x) -> Results {
                   return {ops::depth_to_space(x[0], 2)};
                 }});
  all.push_back({"cdist", {numbers({1000, 64}), numbers({1000, 64})}, [](const Results& x) -> Results {
                   return {ops::cdist(x[0], x[1])};
                 }});
}

}  // namespace

std::vector<FunctionCase> array_cases() {
  std::vector<FunctionCase> all;
  add_linalg(all, 1, 256);
  add_linalg(all, 128, 16);
  all.push_back({"lstsq", {numbers({256, 64}), numbers({256, 8})}, [](const Results& x) -> Results {
                   return {ops::lstsq(x[0], x[1])};
                 }});
  add_spectral(all);
  add_reductions(all);
  add_searches(all);
  return all;
}

}  // namespace cornu::inline v0::benchmarks
