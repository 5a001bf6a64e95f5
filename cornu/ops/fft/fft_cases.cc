#include <fmt/format.h>

#include "cornu/ops/complex/complex.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/fft/fft.h"

namespace cornu::inline v0::ops::fft_folder {

/// Parts in, parts out, as no device takes complex numbers.
std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  using ir::DType;
  struct Row {
    ir::Dims batch, length;
  };
  // Every radix, primes (77, 127, 713), Bluestein's (101, 1018), several lines and dimensions, and lines that
  // are matrices of one stage (272) and of two (1024).
  const Row rows[] = {{{3}, {8}},   {{2}, {12}},   {{}, {35}},     {{5}, {1}},      {{2}, {37}},
                      {{20}, {16}}, {{1}, {61}},   {{2}, {3, 10}}, {{}, {4, 2, 7}}, {{2}, {0}},
                      {{33}, {9}},  {{24}, {20}},  {{10}, {36}},   {{2}, {12, 20}}, {{1}, {512}},
                      {{}, {529}},  {{1}, {1018}}, {{2}, {340}},   {{18}, {77}},    {{9}, {101}},
                      {{1}, {713}}, {{18}, {127}}, {{1}, {272}},   {{1}, {1024}},   {{9}, {408}}};
  for (const DType dtype : {DType::kF32, DType::kF64})
    for (const Row& row : rows)
      for (const FftType type : {FftType::kFft, FftType::kIfft, FftType::kRfft, FftType::kIrfft}) {
        ir::Dims dims = row.batch;
        dims.insert(dims.end(), row.length.begin(), row.length.end());
        if (type == FftType::kIrfft && row.length.back() > 0) dims.back() = row.length.back() / 2 + 1;
        const ConformanceInput input{.type = {dtype, dims}};
        std::vector<ConformanceInput> inputs = {input, input};
        if (type == FftType::kRfft) inputs.pop_back();
        cases.push_back(
            {.name = case_name(fmt::format("fft_{}_{}x{}", fft_type_name(type),
                                           row.batch.empty() ? 0 : row.batch[0], fmt::join(row.length, "_")),
                               dtype),
             .inputs = inputs,
             .build = [type, length = row.length](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
               const ir::Value operand = x.size() == 1 ? x[0] : complex(b, x[0], x[1]);
               const ir::Value result = fft(b, operand, type, length);
               if (type == FftType::kIrfft) return {result};
               return {real(b, result), imag(b, result)};
             },
             .differentiable = row.length.back() > 0 && row.length.back() < 100});
      }
  for (const DType dtype : {DType::kF32, DType::kF64})
    cases.push_back({.name = case_name("fft_parts", dtype),
                     .inputs = {{.type = {dtype, {2, 8, 2}}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {fft_parts(b, x[0], FftType::kFft, {8})};
                     },
                     .differentiable = true});
  return cases;
}

}  // namespace cornu::inline v0::ops::fft_folder
