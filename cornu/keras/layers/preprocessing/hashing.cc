#include "cornu/keras/layers/preprocessing/hashing.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/io/string_hash.h"
#include "cornu/keras/base/floatx.h"
#include "cornu/keras/config/values_support.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/preprocessing/categories_support.h"
#include "cornu/keras/layers/preprocessing/element_layer_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// The settings of a layer whose dtype may be an integer type; the base requires a floating-point type for
/// weights, which the layer does not have.
template <typename Options>
LayerSettings settings_of(const char* class_name, const Options& options) {
  LayerSettings settings = layer_settings(class_name, options);
  if (settings.dtype.has_value() && !ir::is_float(settings.dtype->compute_dtype())) settings.dtype.reset();
  return settings;
}

/// The common base of the layers in this file.
class HashLayer : public Layer, public ElementLayer {
 public:
  template <typename Options>
  HashLayer(const char* class_name, const char* op, const Options& options)
      : Layer(settings_of(class_name, options)), encoder_{.op = op} {
    if (options.num_bins <= 0)
      option_error("num_bins", "must be positive", fmt::format("{}", options.num_bins));
    const auto mode = category_mode_named(options.output_mode);
    if (!mode.has_value() || *mode == CategoryMode::kTfIdf)
      option_error("output_mode", "must be \"int\", \"one_hot\", \"multi_hot\" or \"count\"",
                   options.output_mode);
    encoder_.mode = *mode;
    encoder_.depth = options.num_bins;
    const bool is_int = *mode == CategoryMode::kInt;
    encoder_.dtype = options.dtype.value_or(is_int ? DType::kI64 : current_floatx());
    if (is_int && encoder_.dtype != DType::kI64 && encoder_.dtype != DType::kI32)
      option_error("dtype", "must be int64 or int32 with output_mode \"int\"",
                   ir::numpy_name(encoder_.dtype));
  }

  std::int64_t num_categories() const override { return encoder_.depth; }

 protected:
  Tensor call(const Tensor&, const CallContext&) override {
    fail(ErrorCode::kUnimplemented,
         "[{}] hashes are no part of programs: call the layer on elements, or in the map() of the data set "
         "that the model is trained on",
         encoder_.op);
  }
  void add_to_config(Config& fields) const override {
    fields.set("dtype", saving::write_value(DTypePolicy(encoder_.dtype), {}));
  }

  CategoryEncoder encoder_;
};

class HashingLayer : public HashLayer {
 public:
  explicit HashingLayer(const HashingOptions& options)
      : HashLayer("Hashing", "hashing", options),
        mask_(options.mask_value),
        salt_(salt_of("hashing", options.salt)) {}

  data::Element call_element(const data::Element& input) const override {
    return encode_element(input, encoder_, [&](const data::Element& leaf) {
      std::vector<std::int64_t> bins;
      bins.reserve(static_cast<std::size_t>(
          leaf.is_numeric() && !leaf.is_number() ? leaf.tensor().num_elements() : 1));
      if (leaf.is_numeric()) {
        check_mask(mask_.text().has_value(), leaf);
        const std::vector<std::int64_t> numbers = integers_of("hashing", leaf);
        const std::vector<bool> is_masked = masked(leaf, numbers);
        for (std::size_t i = 0; i < numbers.size(); ++i)
          bins.push_back(is_masked[i] ? 0 : bin_of(fmt::format("{}", numbers[i])));
      } else {
        check_mask(mask_.number().has_value(), leaf);
        for_each_text("hashing", leaf, [&](std::string_view text) {
          bins.push_back(text == mask_.text() ? 0 : bin_of(text));
        });
      }
      return bins;
    });
  }

 protected:
  void add_to_config(Config& fields) const override {
    HashLayer::add_to_config(fields);
    if (salt_.has_value())
      fields.set("salt", Config::list({static_cast<std::int64_t>((*salt_)[0]),
                                       static_cast<std::int64_t>((*salt_)[1])}));
  }

 private:
  static void check_mask(bool is_other, const data::Element& leaf) {
    if (is_other)
      invalid_argument({.argument = "mask_value"},
                       "[hashing] mask_value must be of the inputs' kind; they are {}", leaf.type_str());
  }
  /// The items that equal the mask's number; floating-point items are compared before they are truncated to
  /// `numbers`.
  std::vector<bool> masked(const data::Element& leaf, std::span<const std::int64_t> numbers) const {
    std::vector<bool> result(numbers.size());
    if (!mask_.number().has_value()) return result;
    const std::int64_t mask = *mask_.number();
    const DType dtype = leaf.is_number() ? leaf.number().dtype : leaf.tensor().dtype();
    std::vector<double> given;
    if (ir::is_float(dtype))
      given = leaf.is_number() ? std::vector{leaf.item<double>()} : leaf.tensor().to_vector<double>();
    for (std::size_t i = 0; i < numbers.size(); ++i)
      result[i] = given.empty() ? numbers[i] == mask : given[i] == static_cast<double>(mask);
    return result;
  }
  std::int64_t bin_of(std::string_view text) const {
    const std::uint64_t hash = salt_.has_value() ? io::sip_hash(*salt_, text) : io::fingerprint64(text);
    const bool is_masked = mask_.is_given() && encoder_.depth > 1;  // bin 0 is then the mask's
    const auto num_bins = static_cast<std::uint64_t>(encoder_.depth - (is_masked ? 1 : 0));
    return static_cast<std::int64_t>(hash % num_bins) + (is_masked ? 1 : 0);
  }

  MaskValue mask_;
  std::optional<std::array<std::uint64_t, 2>> salt_;
};

class HashedCrossingLayer : public HashLayer {
 public:
  explicit HashedCrossingLayer(const HashedCrossingOptions& options)
      : HashLayer("HashedCrossing", "hashed_crossing", options) {
    if (encoder_.mode != CategoryMode::kInt && encoder_.mode != CategoryMode::kOneHot)
      option_error("output_mode", "must be \"int\" or \"one_hot\"", options.output_mode);
  }

  data::Element call_element(const data::Element& features) const override {
    if (!features.is_structure() || features.size() < 2)
      invalid_argument("[hashed_crossing] takes a tuple of two features or more; got {}",
                       features.type_str());
    const Dims shape = checked_shape(features);
    std::vector<std::uint64_t> hashes;
    for (const data::Element& feature : features.parts()) {
      const std::vector<std::uint64_t> fingerprints = fingerprints_of(feature);
      hashes.resize(fingerprints.size(), kHashKey);
      for (std::size_t i = 0; i < hashes.size(); ++i)
        hashes[i] = io::fingerprint_of_pair(hashes[i], fingerprints[i]);
    }
    std::vector<std::int64_t> bins;
    bins.reserve(hashes.size());
    for (const std::uint64_t hash : hashes)
      bins.push_back(static_cast<std::int64_t>(hash % static_cast<std::uint64_t>(encoder_.depth)));
    return encoder_(std::move(bins), shape);
  }

 protected:
  void add_to_config(Config& fields) const override { fields.set("dtype", ir::numpy_name(encoder_.dtype)); }

 private:
  static constexpr std::uint64_t kHashKey = 0xDECAFCAFFE;  // TensorFlow's

  static Dims checked_shape(const data::Element& features) {
    std::optional<Dims> shape;
    for (const data::Element& feature : features.parts()) {
      const bool is_dense = feature.is_numeric() || feature.is_text() || feature.is_strings();
      const Dims own = is_dense ? leaf_shape(feature) : Dims(3);
      if (own.size() > 2 || (own.size() == 2 && own[1] != 1) || (shape.has_value() && *shape != own))
        invalid_argument(
            "[hashed_crossing] all features must have one shape, (), (batch,) or (batch, 1); got {}",
            features.type_str());
      shape = own;
    }
    return *shape;
  }

  /// Hashes of texts; integers are their own.
  static std::vector<std::uint64_t> fingerprints_of(const data::Element& feature) {
    std::vector<std::uint64_t> fingerprints;
    if (!feature.is_numeric()) {
      for_each_text("hashed_crossing", feature,
                    [&](std::string_view text) { fingerprints.push_back(io::fingerprint64(text)); });
      return fingerprints;
    }
    const DType dtype = feature.is_number() ? feature.number().dtype : feature.tensor().dtype();
    if (!ir::is_integer(dtype))
      invalid_argument("[hashed_crossing] takes texts and integers; got {}", feature.type_str());
    for (const std::int64_t number : integers_of("hashed_crossing", feature))
      fingerprints.push_back(static_cast<std::uint64_t>(number));
    return fingerprints;
  }
};

}  // namespace

Hashing::Hashing(HashingOptions options) : LayerHandle(std::make_shared<HashingLayer>(std::move(options))) {}
data::Element Hashing::operator()(const data::Element& input) const {
  return static_cast<const HashingLayer&>(*this->operator->()).call_element(input);
}

HashedCrossing::HashedCrossing(HashedCrossingOptions options)
    : LayerHandle(std::make_shared<HashedCrossingLayer>(std::move(options))) {}
Tensor HashedCrossing::operator()(const data::Element& features) const {
  return static_cast<const HashedCrossingLayer&>(*this->operator->()).call_element(features).tensor();
}

}  // namespace cornu::inline v0::keras::layers
