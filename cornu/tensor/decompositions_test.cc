#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

namespace cornu {
namespace {

double largest_difference(const Tensor& x, const Tensor& y) {
  return ops::max(ops::abs(x - y)).item<double>();
}

Tensor transposed_matrices(const Tensor& x) { return ops::swapaxes(x, -2, -1); }

Tensor random_matrices(const Dims& shape) { return random::normal(shape, {.dtype = DType::kF64, .seed = 3}); }

TEST(DecompositionsTest, EighGivesEigenvectors) {
  const Tensor x = random_matrices({2, 5, 5});
  const Tensor symmetric = (x + transposed_matrices(x)) * 0.5;
  const auto [values, vectors] = ops::eigh(x);
  EXPECT_LT(largest_difference(ops::matmul(symmetric, vectors), vectors * ops::expand_dims(values, 1)),
            1e-12);
  EXPECT_LT(largest_difference(ops::matmul(transposed_matrices(vectors), vectors),
                               ops::broadcast_to(ops::eye(5, {.dtype = DType::kF64}), {2, 5, 5})),
            1e-12);
}

Tensor as_complex(const Tensor& x) { return ops::view_as_complex(ops::stack({x, ops::zeros_like(x)}, -1)); }

/// The largest magnitude of x V - V diag(w).
double residual(const Tensor& x, const ops::Eig& eig) {
  return ops::max(ops::abs(ops::matmul(x, eig.eigenvectors) -
                           eig.eigenvectors * ops::expand_dims(eig.eigenvalues, -2)))
      .item<double>();
}

TEST(DecompositionsTest, EigGivesEigenvectorsOfGeneralMatrices) {
  const Tensor x = random_matrices({2, 5, 5}), y = random_matrices({5, 5});
  const Tensor complex = ops::view_as_complex(ops::stack({x, ops::flip(x)}, -1));
  const ops::Eig eig = ops::eig(x);
  EXPECT_EQ(eig.eigenvalues.dtype(), DType::kC128);
  EXPECT_LT(residual(as_complex(x), eig), 1e-12);
  EXPECT_LT(residual(complex, ops::eig(complex)), 1e-12);
  const auto [values, vectors] = function([](const Tensor& a) {
    const auto [w, v] = ops::eig(a);
    return std::pair(w, v);
  })(y);
  EXPECT_LT(residual(as_complex(y), {values, vectors}), 1e-12);
  EXPECT_LT(largest_difference(ops::sum(ops::square(ops::abs(eig.eigenvectors)), {.axis = -2}),
                               ops::ones({2, 5}, DType::kF64)),
            1e-12);
  const ops::Eig single = ops::eig(ops::cast(y, DType::kF32));
  EXPECT_EQ(single.eigenvectors.dtype(), DType::kC64);
  EXPECT_LT(residual(as_complex(ops::cast(y, DType::kF32)), single), 1e-5);
  // A rotation by a quarter: i and -i.
  const Tensor turn = Tensor::of<double>({2, 2}, {0, -1, 1, 0});
  EXPECT_LT(std::fabs(ops::max(ops::imag(ops::eig(turn).eigenvalues)).item<double>() - 1), 1e-14);
  EXPECT_EQ(
      ops::max(ops::abs(ops::imag(ops::eig(ops::eye(3, {.dtype = DType::kF64})).eigenvalues))).item<double>(),
      0);
}

TEST(DecompositionsTest, EigOfNumbersThatAreNotFiniteIsNan) {
  Tensor x = Tensor::of<float>({2, 2}, {1, 2, std::nanf(""), 4});
  const ops::Eig eig = ops::eig(x);
  EXPECT_TRUE(ops::all(ops::isnan(ops::real(eig.eigenvalues))).item<bool>());
  EXPECT_TRUE(ops::all(ops::isnan(ops::real(eig.eigenvectors))).item<bool>());
}

TEST(DecompositionsTest, SvdGivesFactorsOfMatrices) {
  for (const Dims& shape : {Dims{2, 5, 3}, Dims{3, 4}, Dims{4, 4}}) {
    const Tensor x = random_matrices(shape);
    const std::vector<Tensor> thin = ops::svd(x, {.full_matrices = false});
    EXPECT_LT(largest_difference(ops::matmul(thin[0] * ops::expand_dims(thin[1], -2), thin[2]), x), 1e-12);
    const std::vector<Tensor> full = ops::svd(x);
    EXPECT_EQ(full[0].shape().back(), shape[shape.size() - 2]);
    EXPECT_EQ(full[2].shape().back(), shape.back());
  }
}

TEST(DecompositionsTest, SvdGivesFactorsOfMatricesOfRankOne) {
  for (const std::int64_t columns : {64, 128, 256}) {
    const Tensor x = ops::full({128, columns}, 0.1F);
    const std::vector<Tensor> factors = ops::svd(x, {.full_matrices = false});
    const Tensor product = ops::matmul(factors[0] * factors[1], factors[2]);
    EXPECT_LT(largest_difference(product, x), 1e-4) << columns;
    EXPECT_NEAR(factors[1].to_vector<float>()[0], 0.1 * std::sqrt(128.0 * static_cast<double>(columns)),
                1e-4);
  }
}

TEST(DecompositionsTest, SvdKeepsSubnormalNumbers) {
  const std::vector<double> elements(64, 1e-310);
  for (const std::int64_t count : {1, 4}) {  // four matrices are computed together
    const Tensor x =
        Tensor::from<double>({count, 4, 4}, std::span(elements).first(static_cast<std::size_t>(16 * count)));
    EXPECT_NEAR(ops::svd(x, {.compute_uv = false})[0].to_vector<double>()[0] / 4e-310, 1, 1e-6) << count;
  }
}

TEST(DecompositionsTest, SvdGivesFactorsOfComplexMatrices) {
  const Tensor scale = Tensor::of<double>({}, {1e200});  // squares of the elements would overflow
  for (const Dims& shape : {Dims{1, 1}, Dims{3, 1}, Dims{1, 4}, Dims{2, 5, 3}, Dims{20, 33}, Dims{70, 40}}) {
    Dims pairs = shape;
    pairs.push_back(2);
    const Tensor x = ops::view_as_complex(random_matrices(pairs));
    const std::int64_t rank = std::min(shape.back(), shape[shape.size() - 2]);
    const Tensor eye = ops::eye(rank, {.dtype = DType::kF64});
    const std::vector<Tensor> thin = ops::svd(x, {.full_matrices = false}), full = ops::svd(x);
    EXPECT_LT(largest_difference(
                  ops::matmul(thin[0] * ops::expand_dims(ops::cast(thin[1], DType::kC128), -2), thin[2]), x),
              1e-12);
    EXPECT_LT(largest_difference(ops::matmul(ops::conj(transposed_matrices(thin[0])), thin[0]),
                                 ops::cast(eye, DType::kC128)),
              1e-13);
    EXPECT_LT(largest_difference(full[1], thin[1]), 1e-12);
    for (const std::size_t side : {0, 2}) {
      const Tensor unitary = full[side];
      EXPECT_LT(largest_difference(
                    ops::matmul(unitary, ops::conj(transposed_matrices(unitary))),
                    ops::cast(ops::eye(unitary.shape().back(), {.dtype = DType::kF64}), DType::kC128)),
                1e-13);
    }
    const Tensor values = ops::svd(x * ops::cast(scale, DType::kC128), {.compute_uv = false})[0];
    EXPECT_LT(largest_difference(values / scale, thin[1]), 1e-12);
  }
}

/// The gradient of a sum of products is compared with central differences in f64.
void expect_gradient(const Tensor& x, const std::function<Tensor(const Tensor&)>& f) {
  GradientTape tape;
  tape.watch(x);
  const Tensor gradient = tape.gradient(f(x), x);
  const Tensor direction = random::normal(x.shape(), {.dtype = DType::kF64, .seed = 5});
  constexpr double kStep = 1e-6;
  const double difference =
      (f(x + direction * kStep) - f(x - direction * kStep)).item<double>() / (2 * kStep);
  EXPECT_NEAR(ops::sum(gradient * direction).item<double>(), difference, 1e-6 * (1 + std::fabs(difference)));
}

TEST(DecompositionsTest, QrHasTheGradientOfDifferences) {
  for (const Dims& shape : {Dims{4, 3}, Dims{3, 3}, Dims{2, 3, 5}}) {
    const Tensor x = random_matrices(shape);
    expect_gradient(x, [](const Tensor& a) {
      const auto [q, r] = ops::qr(a);
      return ops::sum(ops::sin(q)) + ops::sum(ops::exp(r * 0.3));
    });
  }
}

TEST(DecompositionsTest, CompositesHaveTheGradientOfDifferences) {
  const Tensor x = random_matrices({4, 3}),
               square = random_matrices({4, 4}) + ops::eye(4, {.dtype = DType::kF64}) * 3.0;
  expect_gradient(square, [](const Tensor& a) { return ops::slogdet(a).logdet + ops::det(a) * 0.01; });
  expect_gradient(square, [](const Tensor& a) { return ops::sum(ops::cos(ops::inv(a))); });
  expect_gradient(square, [](const Tensor& a) {
    return ops::sum(ops::exp(ops::cholesky(ops::matmul(a, transposed_matrices(a))) * 0.2));
  });
  expect_gradient(square, [](const Tensor& a) { return ops::sum(ops::exp(ops::eigh(a).eigenvalues * 0.1)); });
  expect_gradient(square, [](const Tensor& a) {
    const auto [w, v] = ops::eig(a);
    return ops::sum(ops::sin(ops::real(w))) + ops::sum(ops::square(ops::imag(w))) +
           ops::sum(ops::square(ops::square(ops::abs(v))) * ops::expand_dims(ops::real(w), -2));
  });
  expect_gradient(x, [](const Tensor& a) { return ops::sum(ops::sin(ops::pinv(a))); });
  expect_gradient(x, [](const Tensor& a) { return ops::norm(a, {.ord = "nuc"}) + ops::norm(a, {.ord = 2}); });
}

TEST(DecompositionsTest, RefusesMatricesThatDoNotFit) {
  EXPECT_THROW(ops::det(ops::zeros({2, 3})), Error);
  EXPECT_THROW(ops::eigh(ops::zeros({3})), Error);
  EXPECT_THROW(ops::eig(ops::zeros({2, 3})), Error);
  EXPECT_THROW(ops::solve(ops::zeros({3, 3}), ops::zeros({2, 2})), Error);
  EXPECT_THROW(ops::qr(ops::zeros({3, 3}), {.mode = "raw"}), Error);
  EXPECT_THROW(ops::lstsq(ops::zeros({3, 2}), ops::zeros({2})), Error);
  EXPECT_THROW(ops::cholesky(ops::eye(3) * -1.0), Error);
}

TEST(SpectralTest, ComplexNumbersAndTheirParts) {
  const Tensor pairs = Tensor::of<float>({2, 2}, {3, 4, -1, 0});
  const Tensor x = ops::view_as_complex(pairs);
  EXPECT_EQ(x.dtype(), DType::kC64);
  EXPECT_EQ(ops::view_as_real(x).to_vector<float>(), pairs.to_vector<float>());
  EXPECT_EQ(ops::imag(ops::conj(x)).to_vector<float>(), (std::vector<float>{-4, 0}));
  EXPECT_NEAR(ops::angle(x).at(0), std::atan2(4, 3), 1e-6);
  EXPECT_EQ(ops::isreal(x).to_vector<bool>(), (std::vector<bool>{false, true}));
  EXPECT_THROW(ops::view_as_complex(ops::zeros({3})), Error);
}

TEST(SpectralTest, GradientsFlowThroughComplexNumbers) {
  const Tensor x = random_matrices({4, 3, 2});
  expect_gradient(x, [](const Tensor& pairs) {
    const Tensor z = ops::view_as_complex(pairs), w = ops::exp(z * 0.5) / (z + 3.0);
    return ops::sum(ops::real(ops::matmul(w, ops::conj(ops::transpose(w))))) +
           ops::sum(ops::abs(ops::sin(w)));
  });
  const auto traced = function([](const Tensor& pairs) {
    GradientTape tape;
    tape.watch(pairs);
    return tape.gradient(ops::sum(ops::abs(ops::square(ops::view_as_complex(pairs)))), pairs);
  });
  EXPECT_LT(largest_difference(traced(x), x * 2.0), 1e-14);  // |z|^2 is the sum of the squares of its parts
}

TEST(SpectralTest, FunctionsOfRealNumbersRefuseComplexOnes) {
  const Tensor z = ops::view_as_complex(random_matrices({3, 2}));
  using Function = Tensor (*)(const Tensor&);
  const std::pair<const char*, Function> functions[] = {
      {"floor", &ops::floor},       {"trunc", &ops::trunc},

      {"erf", &ops::erf},           {"silu", &ops::silu},
      {"isposinf", &ops::isposinf}, {"signbit", &ops::signbit},
      {"deg2rad", &ops::deg2rad},   {"fabs", &ops::fabs},
      {"isneginf", &ops::isneginf}, {"hard_sigmoid", &ops::hard_sigmoid}};
  for (const auto& [name, f] : functions) EXPECT_THROW(f(z), Error) << name;
  try {
    ops::softmax(z);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("[softmax] takes real numbers; got (3,) complex128"),
              std::string::npos)
        << error.what();
  }
}

TEST(SequenceTest, CtcLossHasTheGradientOfDifferences) {
  // Repeated labels, a row without labels, and rows with fewer steps; then logits of -inf for one class.
  const Tensor labels = Tensor::of<std::int32_t>({3, 3}, {1, 1, 2, 3, 0, 0, 2, 3, 2});
  const Tensor num_labels = Tensor::of<std::int32_t>({3}, {3, 0, 2}),
               num_steps = Tensor::of<std::int32_t>({3}, {7, 4, 5});
  const Tensor weights = Tensor::of<double>({3}, {1, -2, 0.5});
  expect_gradient(random::normal({3, 7, 4}, {.dtype = DType::kF64, .seed = 3}), [&](const Tensor& logits) {
    return ops::sum(ops::ctc_loss(labels, logits, num_labels, num_steps) * weights);
  });
  const Tensor blocked = ops::where(ops::equal(ops::arange(4), 3), -INFINITY, ops::zeros({1, 7, 4}));
  const Tensor loss = ops::ctc_loss(Tensor::of<std::int32_t>({1, 2}, {1, 2}), blocked,
                                    Tensor::of<std::int32_t>({1}, {2}), Tensor::of<std::int32_t>({1}, {7}));
  EXPECT_TRUE(std::isfinite(loss.item<float>()));
}

TEST(SpectralTest, IstftInvertsStft) {
  const Tensor x = random::normal({2, 40}, {.seed = 1});
  const std::vector<Tensor> parts = ops::stft(x, 8, 4, 8);
  EXPECT_LT(largest_difference(ops::istft(parts, 8, 4, 8), x), 1e-5);
  // Frames that are no multiple of their distance.
  EXPECT_LT(largest_difference(ops::istft(ops::stft(x, 8, 3, 8), 8, 3, 8, {.length = 39}),
                               ops::slice(x, {0, 0}, {2, 39})),
            1e-5);
}

TEST(SpectralTest, RefusesLengthsThatDoNotFit) {
  const Tensor x = ops::zeros({10});
  EXPECT_THROW(ops::rfft(x, {.fft_length = 0}), Error);
  EXPECT_THROW(ops::fft({x}), Error);
  EXPECT_THROW(ops::fft({x, ops::zeros({9})}), Error);
  EXPECT_THROW(ops::stft(x, 9, 2, 8), Error);
  EXPECT_THROW(ops::stft(x, 4, 2, 4, {.window = "kaiser"}), Error);
}

TEST(ImageGeometryTest, ElasticTransformMovesPixels) {
  const Tensor images = random::uniform({2, 12, 13, 3}, {.seed = 4});
  const Tensor moved = ops::elastic_transform(images, {.seed = 5});
  EXPECT_EQ(moved.shape(), images.shape());
  EXPECT_GT(largest_difference(moved, images), 0.1);
  EXPECT_LE(ops::max(moved).item<double>(), ops::max(images).item<double>() + 1e-6);
  EXPECT_EQ(largest_difference(moved, ops::elastic_transform(images, {.seed = 5})), 0);
  EXPECT_LT(largest_difference(ops::elastic_transform(images, {.alpha = 0}), images), 1e-6);
}

TEST(ImageGeometryTest, RefusesArgumentsThatDoNotFit) {
  const Tensor images = ops::zeros({4, 5, 3});
  EXPECT_THROW(ops::image::resize(images, {2, 0}), Error);
  EXPECT_THROW(ops::image::resize(images, {2, 2}, {.interpolation = "area"}), Error);
  EXPECT_THROW(ops::image::pad_images(images, {.top_padding = 1, .left_padding = 1}), Error);
  EXPECT_THROW(
      ops::image::crop_images(
          images, {.top_cropping = 5, .left_cropping = 0, .bottom_cropping = 0, .right_cropping = 0}),
      Error);
  EXPECT_THROW(ops::image::map_coordinates(images, ops::zeros({2, 4}), 1), Error);
  EXPECT_THROW(ops::image::affine_transform(images, ops::zeros({7})), Error);
  EXPECT_THROW(ops::image::extract_patches(images, {1, 2, 3, 4}), Error);
}

}  // namespace
}  // namespace cornu
