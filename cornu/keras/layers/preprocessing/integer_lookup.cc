#include <algorithm>
#include <numeric>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/preprocessing/encode_support.h"
#include "cornu/keras/layers/preprocessing/index_lookup_support.h"
#include "cornu/keras/layers/preprocessing/lookup.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

class IntegerLookupLayer : public VocabularyLayer<std::int64_t> {
 public:
  explicit IntegerLookupLayer(const IntegerLookupOptions& options)
      : VocabularyLayer(layer_settings("IntegerLookup", options),
                        lookup_settings<std::int64_t>("integer_lookup", options), options) {
    if (options.vocabulary_dtype != "int64")
      option_error("vocabulary_dtype", "must be \"int64\"", options.vocabulary_dtype);
    set_autocast(false);  // terms must stay exact
    set_type_rule(TypeRule::kOverridden);
  }

  /// The output types in a program. Errors: those of a call in a program.
  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    if (inputs.size() != 1) return Layer::compute_output_types(inputs);  // throws
    check_program();
    if (lookup_.settings().invert) return {{DType::kI64, inputs[0].dims}};
    const DType dtype = lookup_.mode() == CategoryMode::kInt ? DType::kI64 : compute_dtype();
    return {{dtype, encoded_shape(inputs[0].dims, encode_mode(), lookup_.depth())}};
  }

 protected:
  Tensor call(const Tensor& input, const CallContext&) override {
    if (!input.is_symbolic()) return lookup_(data::Element(input)).tensor();
    const Tensor integers = ops::cast(input, DType::kI64);
    check_program();
    return lookup_.settings().invert ? terms_in_program(integers)
                                     : encoded_in_program(numbers_in_program(integers));
  }
  void add_to_config(Config& fields) const override { lookup_.add_to_config(fields); }

 private:
  /// Errors: FailedPrecondition or Unimplemented if the layer cannot be part of a program.
  void check_program() const {
    const auto& settings = lookup_.settings();
    if (lookup_.terms().empty())
      fail(ErrorCode::kFailedPrecondition,
           "[integer_lookup] there is no vocabulary: give one, or call adapt() or set_vocabulary(), before "
           "the layer becomes part of a model");
    if (settings.invert) return;
    if (settings.num_oov_indices == 0)
      fail(ErrorCode::kUnimplemented,
           "[integer_lookup] with num_oov_indices = 0 a program could not report unknown terms: set "
           "num_oov_indices = 1, or call the layer in the data set's map()");
    if (settings.num_oov_indices > 1 && settings.oov_method != "floormod")
      fail(ErrorCode::kUnimplemented,
           "[integer_lookup] oov_method \"farmhash\" is no part of programs: call the layer in the data "
           "set's map()");
  }

  /// The encoding of indices in a program; "tf_idf" multiplies counts.
  EncodeMode encode_mode() const {
    switch (lookup_.mode()) {
      case CategoryMode::kInt: return EncodeMode::kInt;
      case CategoryMode::kOneHot: return EncodeMode::kOneHot;
      case CategoryMode::kMultiHot: return EncodeMode::kMultiHot;
      default: return EncodeMode::kCount;
    }
  }

  /// Finds indices by binary search in the sorted terms.
  Tensor numbers_in_program(const Tensor& input) const {
    const std::vector<std::int64_t>& terms = lookup_.terms();
    const auto count = static_cast<std::int64_t>(terms.size());
    std::vector<std::int64_t> order(terms.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return terms[static_cast<std::size_t>(a)] < terms[static_cast<std::size_t>(b)];
    });
    std::vector<std::int64_t> sorted, numbers;
    for (const std::int64_t place : order) {
      sorted.push_back(terms[static_cast<std::size_t>(place)]);
      numbers.push_back(lookup_.token_start() + place);
    }
    const Tensor keys(sorted);
    const Tensor place = ops::minimum(ops::searchsorted(keys, input), Tensor(count - 1));
    Tensor result = ops::where(ops::equal(ops::take(keys, place), input), ops::take(Tensor(numbers), place),
                               unknown(input));
    if (const auto& mask = lookup_.settings().mask_token; mask.has_value())
      result = ops::where(ops::equal(input, integer(*mask)),
                          integer(lookup_.mode() == CategoryMode::kInt ? 0 : lookup_.depth()), result);
    return result;
  }

  Tensor unknown(const Tensor& input) const {
    const auto& settings = lookup_.settings();
    if (settings.num_oov_indices == 1) return ops::full_like(input, static_cast<double>(lookup_.oov_start()));
    return ops::mod(input, integer(settings.num_oov_indices)) + integer(lookup_.oov_start());
  }

  Tensor encoded_in_program(const Tensor& numbers) const {
    if (lookup_.mode() == CategoryMode::kInt) return numbers;
    const Tensor vectors = encoded(numbers, encode_mode(), lookup_.depth(), compute_dtype());
    return lookup_.mode() == CategoryMode::kTfIdf
               ? vectors * ops::cast(Tensor(lookup_.idf_weights()), compute_dtype())
               : vectors;
  }

  Tensor terms_in_program(const Tensor& numbers) const {
    const std::vector<std::int64_t> all = lookup_.vocabulary(true);
    const Tensor last = integer(static_cast<std::int64_t>(all.size()) - 1);
    const Tensor inside =
        ops::logical_and(ops::greater_equal(numbers, integer(0)), ops::less_equal(numbers, last));
    const Tensor place = ops::where(inside, numbers, integer(0));
    return ops::where(inside, ops::take(Tensor(all), place),
                      integer(lookup_.settings().oov_token.value_or(0)));
  }

  static Tensor integer(std::int64_t value) { return Tensor::of<std::int64_t>({}, {value}); }
};

}  // namespace

IntegerLookup::IntegerLookup(IntegerLookupOptions options)
    : VocabularyHandle(std::make_shared<IntegerLookupLayer>(std::move(options))) {}

data::Element IntegerLookup::looked_up(const data::Element& input) const {
  return static_cast<IntegerLookupLayer&>(*operator->()).lookup()(input);
}

}  // namespace cornu::inline v0::keras::layers
