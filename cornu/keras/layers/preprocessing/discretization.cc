#include "cornu/keras/layers/preprocessing/discretization.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/preprocessing/element_layer_support.h"
#include "cornu/keras/layers/preprocessing/encode_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// The order of numpy.sort, with NaN after all other numbers.
bool is_sorted_before(double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); }

/// A summary of data: increasing values, each representing a number of data values (its weight). Computed as
/// in Keras, in float32 where Keras uses it.
struct Summary {
  std::vector<double> values, weights;
};

Summary summary_of(std::vector<float> values, double epsilon) {
  std::sort(values.begin(), values.end(), is_sorted_before);
  const double step = std::max(static_cast<double>(values.size()) / (1.0 / epsilon), 1.0);
  Summary summary;
  for (auto i = static_cast<std::size_t>(step - 1); i < values.size(); i += static_cast<std::size_t>(step)) {
    summary.values.push_back(values[i]);
    summary.weights.push_back(static_cast<float>(step));
  }
  return summary;
}

/// numpy.interp; `places` increase.
double interpolated(double place, const std::vector<double>& places, const std::vector<double>& values) {
  const auto above = std::upper_bound(places.begin(), places.end(), place) - places.begin();
  if (above == 0) return values.front();
  const auto i = static_cast<std::size_t>(above);
  if (i == places.size()) return values.back();
  const double share = (place - places[i - 1]) / (places[i] - places[i - 1]);
  return values[i - 1] + share * (values[i] - values[i - 1]);
}

Summary compressed(const Summary& summary, double epsilon) {
  if (static_cast<double>(summary.values.size()) * epsilon < 1) return summary;
  std::vector<double> sums, shares;
  float sum = 0;
  for (const double weight : summary.weights) sums.push_back(sum += static_cast<float>(weight));
  for (const double before : sums) shares.push_back(static_cast<float>(before) / sum);
  Summary result;
  double before = 0;
  const auto count = static_cast<std::int64_t>(std::ceil(1.0 / epsilon));
  for (std::int64_t i = 0; i < count; ++i) {
    const double place = epsilon + static_cast<double>(i) * epsilon;
    const double upto = interpolated(place, shares, sums);
    result.values.push_back(static_cast<float>(interpolated(place, shares, summary.values)));
    result.weights.push_back(static_cast<float>(upto - before));
    before = upto;
  }
  return result;
}

Summary merged(const Summary& a, const Summary& b, double epsilon) {
  std::vector<std::pair<double, double>> all;
  for (const Summary* one : {&a, &b})
    for (std::size_t i = 0; i < one->values.size(); ++i) all.emplace_back(one->values[i], one->weights[i]);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& x, const auto& y) { return is_sorted_before(x.first, y.first); });
  Summary summary;
  for (const auto& [value, weight] : all) {
    summary.values.push_back(value);
    summary.weights.push_back(weight);
  }
  return compressed(summary, epsilon);
}

class DiscretizationLayer : public Layer, public AdaptableLayer {
 public:
  explicit DiscretizationLayer(const DiscretizationOptions& options)
      : Layer(layer_settings("Discretization", options)),
        boundaries_(options.bin_boundaries),
        is_given_(options.bin_boundaries.has_value()),
        num_bins_(options.num_bins),
        epsilon_(options.epsilon) {
    const auto mode = encode_mode_named(options.output_mode);
    if (!mode.has_value())
      option_error("output_mode", "must be \"int\", \"one_hot\", \"multi_hot\" or \"count\"",
                   options.output_mode);
    mode_ = *mode;
    if (num_bins_.has_value() && *num_bins_ < 1)
      option_error("num_bins", "must be positive", fmt::format("{}", *num_bins_));
    if (!num_bins_.has_value() && !boundaries_.has_value())
      option_error("bin_boundaries or num_bins must be given");
    if (!(epsilon_ > 0 && epsilon_ <= 1))
      option_error("epsilon", "must be in (0, 1]", fmt::format("{}", epsilon_));
    if (boundaries_.has_value() && !std::is_sorted(boundaries_->begin(), boundaries_->end()))
      option_error("bin_boundaries must rise");
    set_autocast(false);  // call() takes floats in f32
    set_type_rule(TypeRule::kOverridden);
  }

  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    if (inputs.size() != 1) return Layer::compute_output_types(inputs);  // throws
    return {{output_dtype(), encoded_shape(inputs[0].dims, mode_, depth())}};
  }

  bool is_adaptable() const override { return !is_given_; }
  void begin_adapt() override {
    if (!num_bins_.has_value())
      invalid_argument(
          "[discretization] adapt() is for layers with num_bins, "
          "and this one has bin_boundaries");
    summary_ = {};
  }
  void see(const Tensor& batch) {
    summary_ =
        merged(summary_of(ops::cast(batch, DType::kF32).to_vector<float>(), epsilon_), summary_, epsilon_);
  }
  void adapt_batch(const data::Element& batch) override { see(batch.tensor()); }
  void end_adapt() override {
    if (summary_.values.empty()) invalid_argument("[discretization] adapt() got no values");
    std::vector<double> values = compressed(summary_, 1.0 / static_cast<double>(*num_bins_)).values;
    values.pop_back();
    boundaries_ = std::move(values);
  }
  const std::vector<double>& boundaries() const {
    if (!boundaries_.has_value())
      fail(ErrorCode::kFailedPrecondition,
           "[discretization] there are no boundaries: give bin_boundaries, or "
           "call adapt() first");
    return *boundaries_;
  }

 protected:
  Tensor call(const Tensor& input, const CallContext&) override {
    // In Keras's floatx, whatever the layer's compute dtype.
    const Tensor values = ir::is_float(input.dtype()) ? ops::cast(input, DType::kF32) : input;
    return encoded(ops::digitize(values, boundaries()), mode_, depth(), output_dtype());
  }
  void add_to_config(Config& fields) const override {
    if (boundaries_.has_value()) fields.set("bin_boundaries", Config(*boundaries_));
  }

 private:
  DType output_dtype() const { return mode_ == EncodeMode::kInt ? DType::kI32 : compute_dtype(); }
  std::int64_t depth() const { return static_cast<std::int64_t>(boundaries().size()) + 1; }

  std::optional<std::vector<double>> boundaries_;
  bool is_given_;  // in the options
  std::optional<std::int64_t> num_bins_;
  double epsilon_;
  EncodeMode mode_ = EncodeMode::kInt;
  Summary summary_;
};

DiscretizationLayer& layer_of(const Discretization& handle) {
  return static_cast<DiscretizationLayer&>(*handle.operator->());
}

}  // namespace

Discretization::Discretization(DiscretizationOptions options)
    : LayerHandle(std::make_shared<DiscretizationLayer>(std::move(options))) {}

void Discretization::adapt(const Tensor& data) const {
  begin_adapt();
  adapt_batch(data);
  end_adapt();
}
const std::vector<double>& Discretization::bin_boundaries() const { return layer_of(*this).boundaries(); }
void Discretization::begin_adapt() const { layer_of(*this).begin_adapt(); }
void Discretization::adapt_batch(const Tensor& batch) const { layer_of(*this).see(batch); }
void Discretization::end_adapt() const { layer_of(*this).end_adapt(); }

}  // namespace cornu::inline v0::keras::layers
