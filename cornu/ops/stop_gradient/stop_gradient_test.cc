#include "cornu/ops/stop_gradient/stop_gradient.h"

#include <gtest/gtest.h>

#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::stop_gradient_folder {
namespace {

TEST(StopGradientTest, KeepsTheValueAndPassesNoGradient) {
  const auto y = run_op({ir::Literal::of<float>({2}, {-2, 3})}, [](ir::Builder& b, Operands v) {
    const ir::Value stopped = stop_gradient(b, v[0]);
    EXPECT_FALSE(stopped.op()->def().gradient({b, *stopped.op(), v})[0]);
    return stopped;
  });
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{-2, 3}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::stop_gradient_folder
