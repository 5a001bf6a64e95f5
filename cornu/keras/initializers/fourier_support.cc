#include "cornu/keras/initializers/fourier_support.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

constexpr double kPi = std::numbers::pi;

/// A window of `size` points, at least 2, at point i.
using WindowAt = double (*)(double i, double size);

/// The sum of coefficients[k] * cos(k t) for t from -pi to pi.
template <double... kCoefficients>
double cosines(double i, double size) {
  const double t = -kPi + 2 * kPi * i / (size - 1);
  double sum = 0, k = 0;
  ((sum += kCoefficients * std::cos(k++ * t)), ...);
  return sum;
}

/// The distance of point i from the center, 0 to 1.
double from_center(double i, double size) { return std::fabs(2 * i / (size - 1) - 1); }

double bartlett(double i, double size) { return 1 - from_center(i, size); }
double barthann(double i, double size) {
  const double half = from_center(i, size) / 2;
  return 0.62 - 0.48 * half + 0.38 * std::cos(2 * kPi * half);
}
double bohman(double i, double size) {
  const double at = from_center(i, size);
  return at == 1 ? 0 : (1 - at) * std::cos(kPi * at) + std::sin(kPi * at) / kPi;
}
double cosine(double i, double size) { return std::sin(kPi / size * (i + 0.5)); }
double triang(double i, double size) {
  const double n = std::min(i + 1, size - i);
  return std::fmod(size, 2) == 0 ? (2 * n - 1) / size : 2 * n / (size + 1);
}

constexpr std::pair<const char*, WindowAt> kWindows[] = {
    {"hann", &cosines<0.5, 0.5>},
    {"hamming", &cosines<0.54, 0.46>},
    {"blackman", &cosines<0.42, 0.5, 0.08>},
    {"nuttall", &cosines<0.3635819, 0.4891775, 0.1365995, 0.0106411>},
    {"blackmanharris", &cosines<0.35875, 0.48829, 0.14128, 0.01168>},
    {"flattop", &cosines<0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368>},
    {"boxcar", &cosines<1.0>},
    {"bartlett", &bartlett},
    {"barthann", &barthann},
    {"bohman", &bohman},
    {"cosine", &cosine},
    {"triang", &triang},
};

WindowAt window_of(const std::string& name) {
  const auto* found = std::find_if(std::begin(kWindows), std::end(kWindows),
                                   [&](const auto& row) { return name == row.first; });
  if (found != std::end(kWindows)) return found->second;
  std::vector<const char*> names;
  for (const auto& row : kWindows) names.push_back(row.first);
  invalid_argument({.argument = "window"}, "[stft] window must be one of {}, or unset; got \"{}\"",
                   fmt::join(names, ", "), name);
}

class FourierInitializer : public Initializer {
 public:
  explicit FourierInitializer(const initializers::STFTOptions& options)
      : is_real_(options.side == "real"),
        window_(options.window.has_value() ? window_of(*options.window) : nullptr),
        scaling_(options.scaling.value_or("")),
        is_periodic_(options.periodic) {
    if (!is_real_ && options.side != "imag")
      invalid_argument({.argument = "side"}, "[stft] side must be \"real\" or \"imag\"; got \"{}\"",
                       options.side);
    if (options.scaling.has_value() && scaling_ != "density" && scaling_ != "spectrum")
      invalid_argument({.argument = "scaling"},
                       "[stft] scaling must be \"density\", \"spectrum\" or unset; got \"{}\"", scaling_);
  }
  std::string class_name() const override { return "STFT"; }

  ir::Literal operator()(const Dims& shape, DType dtype) const override {
    if (shape.size() != 3 || shape[1] != 1)
      invalid_argument({.argument = "shape"},
                       "[stft] the kernel has the shape [time, 1, frequencies]; got shape {}",
                       ir::shape_str(shape));
    const std::vector<double> window = scaled_window(shape[0]);
    const double length = static_cast<double>(std::max<std::int64_t>(2 * (shape[2] - 1), 1));
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(shape[0] * shape[2]));
    for (std::int64_t time = 0; time < shape[0]; ++time)
      for (std::int64_t k = 0; k < shape[2]; ++k) {
        const double angle =
            -2 * kPi * std::fmod(static_cast<double>(time) * static_cast<double>(k), length) / length;
        values.push_back(window[static_cast<std::size_t>(time)] *
                         (is_real_ ? std::cos(angle) : std::sin(angle)));
      }
    return ops::cast(Tensor::adopt(shape, std::move(values)), dtype).literal();
  }

 private:
  /// The window divided by its scaling; ones without a window.
  std::vector<double> scaled_window(std::int64_t size) const {
    std::vector<double> window(static_cast<std::size_t>(size), 1.0);
    if (window_ == nullptr) return window;
    const auto points = static_cast<double>(size + (is_periodic_ ? 1 : 0));
    double squares = 0, sum = 0;
    for (std::size_t i = 0; i < window.size(); ++i) {
      if (points > 1) window[i] = window_(static_cast<double>(i), points);
      squares += window[i] * window[i];
      sum += std::fabs(window[i]);
    }
    const double divisor = scaling_ == "density" ? std::sqrt(squares) : scaling_ == "spectrum" ? sum : 1;
    for (double& value : window) value /= divisor;
    return window;
  }

  bool is_real_;
  WindowAt window_;
  std::string scaling_;
  bool is_periodic_;
};

}  // namespace

std::shared_ptr<Initializer> fourier_initializer(const initializers::STFTOptions& options) {
  return std::make_shared<FourierInitializer>(options);
}

}  // namespace cornu::inline v0::keras
