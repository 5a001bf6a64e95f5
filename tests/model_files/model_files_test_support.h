#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/keras/keras.h"

namespace cornu::inline v0::keras {

/// A folder for the files of a test or a suite, empty, gone with it.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// What real Keras computed with a model (tools/goldens/model_files.py).
struct ModelGolden {
  explicit ModelGolden(const std::string& name);
  Tensors x, y;
  Tensors before, after;  // predictions, in the order of the model's outputs by name
  std::vector<double> losses;
  std::vector<Tensor> weights;
};

/// The largest difference over the root of the mean square of `expected`.
double relative_difference(const Tensor& got, const Tensor& expected);

/// The classes of the user's that the files name.
CustomObjects demo_objects();

}  // namespace cornu::inline v0::keras
