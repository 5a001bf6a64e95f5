#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/rng_bit_generator/rng_bit_generator.h"

namespace cornu::inline v0::ops::rng_bit_generator_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (const ir::DType dtype : case_dtypes(kInteger))
    for (const char* const algorithm : {"THREE_FRY", "PHILOX"})
      cases.push_back({.name = case_name(std::string("rng_bit_generator_") + algorithm, dtype),
                       .inputs = {{.type = {ir::DType::kU64, {2}}, .low = 0, .high = 1e15}},
                       .build = [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                         const std::vector<ir::Value> first =
                             rng_bit_generator(b, x[0], algorithm, {dtype, {3, 5}});
                         const std::vector<ir::Value> second =
                             rng_bit_generator(b, first[0], algorithm, {dtype, {}});
                         return {first[1], second[0], second[1]};
                       }});
  return cases;
}

}  // namespace cornu::inline v0::ops::rng_bit_generator_folder
