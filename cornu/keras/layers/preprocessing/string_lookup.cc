#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/preprocessing/index_lookup_support.h"
#include "cornu/keras/layers/preprocessing/lookup.h"

namespace cornu::inline v0::keras::layers {
namespace {

class StringLookupLayer : public Layer {
 public:
  explicit StringLookupLayer(const StringLookupOptions& options)
      : Layer(layer_settings("StringLookup", options)),
        lookup_({.op = "string_lookup",
                 .max_tokens = options.max_tokens,
                 .num_oov_indices = options.num_oov_indices,
                 .mask_token = options.mask_token,
                 .oov_token = options.oov_token,
                 .invert = options.invert,
                 .output_mode = options.output_mode,
                 .pad_to_max_tokens = options.pad_to_max_tokens,
                 .oov_method = options.oov_method,
                 .salt = options.salt},
                options.vocabulary, options.idf_weights) {
    if (options.encoding != "utf-8") option_error("encoding", "must be \"utf-8\"", options.encoding);
  }
  IndexLookup<std::string>& lookup() { return lookup_; }

 protected:
  Tensor call(const Tensor&, const CallContext&) override {
    fail(ErrorCode::kUnimplemented,
         "[string_lookup] texts are no part of programs: call the layer on texts, or in the map() of the "
         "data set that the model is trained on");
  }
  void add_to_config(Config& fields) const override {
    // An empty mask token is a token.
    const std::optional<std::string>& mask = lookup_.settings().mask_token;
    fields.set("mask_token", mask.has_value() ? Config(*mask) : Config());
    lookup_.add_to_config(fields);
  }

 private:
  IndexLookup<std::string> lookup_;
};

IndexLookup<std::string>& lookup_of(const StringLookup& handle) {
  return static_cast<StringLookupLayer&>(*handle.operator->()).lookup();
}

}  // namespace

StringLookup::StringLookup(StringLookupOptions options)
    : LayerHandle(std::make_shared<StringLookupLayer>(std::move(options))) {}

data::Element StringLookup::operator()(const data::Element& input) const { return lookup_of(*this)(input); }
void StringLookup::adapt(const data::Element& texts) const {
  begin_adapt();
  see_given(texts, [&](const data::Element& part, bool is_array) { lookup_of(*this).see(part, is_array); });
  end_adapt();
}
void StringLookup::set_vocabulary(const StringVocabulary& vocabulary,
                                  const SetVocabularyOptions& options) const {
  lookup_of(*this).set_vocabulary(vocabulary, options.idf_weights);
}
std::vector<std::string> StringLookup::get_vocabulary(const GetVocabularyOptions& options) const {
  return lookup_of(*this).vocabulary(options.include_special_tokens);
}
std::int64_t StringLookup::vocabulary_size() const { return lookup_of(*this).vocabulary_size(); }
void StringLookup::begin_adapt() const { lookup_of(*this).begin_adapt(); }
void StringLookup::adapt_batch(const data::Element& batch) const { lookup_of(*this).see(batch, false); }
void StringLookup::end_adapt() const { lookup_of(*this).end_adapt(); }

}  // namespace cornu::inline v0::keras::layers
