#include "cornu/data/testing/image_golden_test_support.h"

#include <gtest/gtest.h>

#include <fstream>

namespace cornu::inline v0::data {

const nlohmann::json& image_goldens() {
  static const nlohmann::json goldens = [] {
    std::ifstream file("tests/goldens/data_images.json");
    return nlohmann::json::parse(file);
  }();
  return goldens;
}

Tensor tensor_of(const nlohmann::json& array) {
  const Dims shape = array["shape"].get<Dims>();
  if (array["dtype"] == "uint8") return Tensor::adopt(shape, array["data"].get<std::vector<std::uint8_t>>());
  if (array["dtype"] == "int32") return Tensor::adopt(shape, array["data"].get<std::vector<std::int32_t>>());
  return Tensor::adopt(shape, array["data"].get<std::vector<float>>());
}

void expect_equals(const Tensor& tensor, const nlohmann::json& array, double tolerance) {
  const Tensor wanted = tensor_of(array);
  ASSERT_EQ(tensor.type().str(), wanted.type().str());
  for (std::int64_t i = 0; i < wanted.num_elements(); ++i)
    ASSERT_NEAR(tensor.at(i), wanted.at(i), tolerance) << "element " << i;
}

}  // namespace cornu::inline v0::data
