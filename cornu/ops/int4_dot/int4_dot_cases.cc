#include <fmt/format.h>

#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/int4_dot/int4_dot.h"

namespace cornu::inline v0::ops::int4_dot_folder {

std::vector<ConformanceCase> conformance_cases() {
  struct Row {
    std::int64_t m, k, n, group;
  };
  std::vector<ConformanceCase> cases;
  for (const Row& row : {Row{5, 7, 3, 2}, Row{1, 300, 130, 128}, Row{3, 64, 64, 64}, Row{9, 260, 70, 130},
                         Row{2, 6, 8, 100}, Row{0, 4, 4, 4}, Row{2, 4, 1, 3}}) {
    const ir::Dims scales = {(row.k + row.group - 1) / row.group, row.n};
    cases.push_back(
        {.name = case_name(fmt::format("int4_dot_{}x{}x{}", row.m, row.k, row.n), ir::DType::kF32),
         .inputs = {{.type = {ir::DType::kF32, {row.m, row.k}}},
                    {.type = {ir::DType::kI8, {row.k, (row.n + 1) / 2}}, .low = -128, .high = 127},
                    {.type = {ir::DType::kF32, scales}, .low = 0.5, .high = 1},
                    {.type = {ir::DType::kF32, scales}, .low = -8, .high = 7}},
         .build = [group = row.group](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
           return {int4_dot(b, x[0], x[1], x[2], x[3], group)};
         }});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::int4_dot_folder
