#include "cornu/keras/base/names.h"

#include <gtest/gtest.h>

#include <array>

#include "cornu/base/error.h"

namespace cornu::inline v0::keras {
namespace {

TEST(NamesTest, NearestIgnoresCaseAndUnderscores) {
  const std::array<std::string, 3> known = {"log_cosh", "mse", "mae"};
  EXPECT_EQ(nearest_name("LogCosh", known), "log_cosh");
  EXPECT_EQ(nearest_name("log_csh", known), "log_cosh");
  EXPECT_EQ(nearest_name("mee", known), "mse");
  EXPECT_EQ(nearest_name("x", {}), "");
}

TEST(NamesTest, NearestCountsASwapAsOneAndPrefersTheSameFirstLetter) {
  const std::array<std::string, 4> known = {"elu", "celu", "selu", "relu"};
  EXPECT_EQ(nearest_name("rleu", known), "relu");
  EXPECT_EQ(nearest_name("rel", known), "relu");
  EXPECT_EQ(nearest_name("xelu", known), "celu") << "of the same length, before the shorter one";
  EXPECT_EQ(nearest_name("softplus", known), "");
}

TEST(NamesTest, NamesThatTieAreAllProposed) {
  const std::array<std::string, 5> known = {"mean_squared_error", "mse", "mae", "MSE", "msle"};
  EXPECT_EQ(name_proposal("msee", known), "did you mean \"msle\" or \"mse\"?");
  const std::array<std::string, 4> units = {"relu", "selu", "elu", "gelu"};
  EXPECT_EQ(name_proposal("xelu", units), "did you mean \"relu\", \"selu\", \"gelu\" or \"elu\"?");
  EXPECT_EQ(name_proposal("softplus", units), "known: relu, selu, elu, gelu");
}

TEST(NamesTest, UnknownNameProposesOrLists) {
  const std::array<std::string, 2> known = {"adam", "sgd"};
  try {
    unknown_name({"compile", "optimizer"}, "adm", known);
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "[compile] unknown optimizer; got optimizer = \"adm\"; did you mean \"adam\"?");
  }
  try {
    unknown_name({"compile", "optimizer"}, "lbfgs", known);
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "[compile] unknown optimizer; got optimizer = \"lbfgs\"; known: adam, sgd");
  }
}

TEST(NamesTest, SnakeCaseIsKeras) {
  EXPECT_EQ(snake_case("Dense"), "dense");
  EXPECT_EQ(snake_case("InputLayer"), "input_layer");
  EXPECT_EQ(snake_case("LeakyReLU"), "leaky_re_lu");
  EXPECT_EQ(snake_case("Conv2D"), "conv2d");
  EXPECT_EQ(snake_case("GlobalMaxPooling1D"), "global_max_pooling1d");
  EXPECT_EQ(snake_case("RMSprop"), "rm_sprop");
  EXPECT_EQ(snake_case("GRUCell"), "gru_cell");
  EXPECT_EQ(snake_case("Conv2DTranspose"), "conv2d_transpose");
  EXPECT_EQ(snake_case("SGD"), "sgd");
}

TEST(NamesTest, ScopesNest) {
  const NameScope outer("model");
  {
    const NameScope inner("dense");
    EXPECT_EQ(NameScope::path("kernel"), "model/dense/kernel");
  }
  EXPECT_EQ(NameScope::path("x"), "model/x");
}

}  // namespace
}  // namespace cornu::inline v0::keras
