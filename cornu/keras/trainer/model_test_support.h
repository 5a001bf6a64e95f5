#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "cornu/base/error_test_support.h"
#include "cornu/keras/keras.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::keras {

/// Runs each test on every platform that this build has; the others are skipped visibly.
class ModelTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    try {
      set_default_client(runtime::make_client(GetParam()));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kNotFound) throw;
      GTEST_SKIP() << error.what();
    }
    clear_session();
    set_random_seed(42);
  }
  void TearDown() override { set_default_client(nullptr); }
};

#define CORNU_TEST_ON_EVERY_PLATFORM(suite)                                  \
  INSTANTIATE_TEST_SUITE_P(On, suite, ::testing::Values("reference", "cpu"), \
                           [](const auto& param) { return std::string(param.param); })

/// Rows with 4 features whose class (of 3) follows from them.
struct Flowers {
  Tensor x;         // [n, 4] f32
  Tensor one_hot;   // [n, 3] f32
  Tensor class_id;  // [n] i32

  explicit Flowers(std::int64_t n, std::uint64_t seed = 7) {
    const RandomStream random(seed);
    std::vector<float> rows(static_cast<std::size_t>(n) * 4), labels(static_cast<std::size_t>(n) * 3, 0.0f);
    std::vector<std::int32_t> ids(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto id = static_cast<std::size_t>(random.bits(i) % 3);
      ids[i] = static_cast<std::int32_t>(id);
      labels[i * 3 + id] = 1;
      for (std::size_t k = 0; k < 4; ++k) {
        const double center = k == id ? 1.5 : 0.25 * static_cast<double>(k);
        rows[i * 4 + k] = static_cast<float>(center + 0.3 * random.normal(1000000 + i * 4 + k));
      }
    }
    x = Tensor::adopt({n, 4}, std::move(rows));
    one_hot = Tensor::adopt({n, 3}, std::move(labels));
    class_id = Tensor::adopt({n}, std::move(ids));
  }
};

/// Dense 8 relu, Dense 3 softmax, with weights that follow from `seed`.
inline Sequential small_model(std::uint64_t seed = 1, double dropout = 0) {
  Sequential model({layers::Input({.shape = {4}}),
                    layers::Dense({.units = 8,
                                   .activation = "relu",
                                   .kernel_initializer = initializers::GlorotUniform({.seed = seed})})});
  if (dropout > 0) model.add(layers::Dropout({.rate = dropout, .seed = seed + 1}));
  model.add(layers::Dense({.units = 3,
                           .activation = "softmax",
                           .kernel_initializer = initializers::GlorotUniform({.seed = seed + 2})}));
  return model;
}

inline bool same_bits(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i].read() == b[i].read())) return false;
  }
  return true;
}

inline double largest_difference(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const ir::Literal x = a[i].read(), y = b[i].read();
    for (std::int64_t k = 0; k < x.type().num_elements(); ++k)
      largest = std::max(largest, std::abs(x.at(k) - y.at(k)));
  }
  return largest;
}

}  // namespace cornu::inline v0::keras
