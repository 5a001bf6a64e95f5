#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/variable.h"

// Devices are fixed by their first use: one test in a program of its own.
namespace cornu::inline v0 {
namespace {

constexpr const char* kFirst = "/job:localhost/replica:0/task:0/device:CPU:0";

TEST(DeviceTest, VirtualDevicesAreAskedForBeforeUse) {
  EXPECT_THROW(set_logical_devices({.cpu = 0}), Error);
  EXPECT_THROW(set_logical_devices({.cpu = 100000}), Error);
  set_logical_devices({.cpu = 3});
  const std::vector<LogicalDevice> devices = list_logical_devices("cpu");
  ASSERT_EQ(devices.size(), 3U);
  EXPECT_EQ(devices[0].name, "/device:CPU:0");
  EXPECT_EQ(devices[0].device_type, "CPU");
  EXPECT_TRUE(list_logical_devices("GPU").empty());
  EXPECT_EQ(list_logical_devices().size(), devices.size());
  EXPECT_EQ(list_physical_devices("CPU").size(), 1U);
  try {
    set_logical_devices({.cpu = 5});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
    EXPECT_NE(std::string(error.what()).find("cpu = 5"), std::string::npos) << error.what();
  }
  EXPECT_NO_THROW(set_logical_devices({.cpu = 3}));

  const std::string second = "/job:localhost/replica:0/task:0/device:CPU:1",
                    third = "/job:localhost/replica:0/task:0/device:CPU:2";
  Tensor x;
  Variable v;
  {
    const DeviceScope scope("CPU:1");
    x = Tensor::of<float>({2}, {1, 2});
    v = Variable(ir::Literal::of<float>({2}, {5, 6}));
    EXPECT_EQ((x + x).device(), second);
    {
      const DeviceScope inner("/device:CPU:2");
      EXPECT_EQ((x + 1.0).device(), third);  // the scope decides, the operand is copied
    }
    EXPECT_EQ(Tensor(1.0).device(), second);
    EXPECT_EQ(with_device("", [] { return Tensor(1.0).device(); }), kFirst);
  }
  EXPECT_EQ(x.device(), second);
  EXPECT_EQ(v.device(), second);
  EXPECT_EQ(v.value().device(), second);
  EXPECT_EQ((x + x).device(), kFirst);
  EXPECT_EQ((x + v).device(), kFirst);
  const Tensor moved = to_device(x, "cpu:2");
  EXPECT_EQ(moved.device(), third);
  EXPECT_EQ(moved.to_vector<float>(), x.to_vector<float>());
  EXPECT_EQ(moved.id(), x.id());  // one value, for tapes
  EXPECT_THROW((void)to_device(x, "CPU:3"), Error);
  EXPECT_THROW(DeviceScope("CPU:3"), Error);
  EXPECT_EQ(Tensor(1.0).device(), kFirst);
}

}  // namespace
}  // namespace cornu::inline v0
