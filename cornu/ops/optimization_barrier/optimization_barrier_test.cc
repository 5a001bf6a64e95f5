#include "cornu/ops/optimization_barrier/optimization_barrier.h"

#include <gtest/gtest.h>

#include "cornu/ir/print.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::ops::optimization_barrier_folder {
namespace {

TEST(OptimizationBarrierTest, IsReadInBothForms) {
  for (const char* const op : {"%0:2 = stablehlo.optimization_barrier %a, %b : tensor<2xf32>, tensor<i1>",
                               "%0:2 = \"stablehlo.optimization_barrier\"(%a, %b) : (tensor<2xf32>, "
                               "tensor<i1>) -> (tensor<2xf32>, tensor<i1>)"}) {
    const std::string text =
        std::string("func.func @main(%a: tensor<2xf32>, %b: tensor<i1>) -> (tensor<2xf32>, tensor<i1>) {\n") +
        op + "\nreturn %0#0, %0#1 : tensor<2xf32>, tensor<i1>\n}";
    const std::string printed = ir::to_stablehlo(parse_stablehlo(text).module);
    EXPECT_NE(printed.find("stablehlo.optimization_barrier"), std::string::npos) << printed;
    EXPECT_EQ(ir::to_stablehlo(parse_stablehlo(printed).module), printed);
  }
}

}  // namespace
}  // namespace cornu::inline v0::ops::optimization_barrier_folder
