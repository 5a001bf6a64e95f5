#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/initialize_rows/initialize_rows.h"

namespace cornu::inline v0::ops::initialize_rows_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (const ir::DType dtype : case_dtypes(kFloat))
    for (const ir::DType id_dtype : {ir::DType::kI32, ir::DType::kI64})
      cases.push_back(
          {.name = case_name("initialize_rows_by_" + std::string(ir::numpy_name(id_dtype)), dtype),
           .inputs = {{.type = {dtype, {5, 3}}}, {.type = {id_dtype, {2, 3}}, .values = {4, 0, -1, 2, 7, 0}}},
           .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
             return {initialize_rows(b, x[0], x[1], "")};
           }});
  return cases;
}

}  // namespace cornu::inline v0::ops::initialize_rows_folder
