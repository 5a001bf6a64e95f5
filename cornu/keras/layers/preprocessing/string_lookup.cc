#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/preprocessing/index_lookup_support.h"
#include "cornu/keras/layers/preprocessing/lookup.h"

namespace cornu::inline v0::keras::layers {
namespace {

class StringLookupLayer : public VocabularyLayer<std::string> {
 public:
  explicit StringLookupLayer(const StringLookupOptions& options)
      : VocabularyLayer(layer_settings("StringLookup", options),
                        lookup_settings<std::string>("string_lookup", options), options) {
    if (options.encoding != "utf-8") option_error("encoding", "must be \"utf-8\"", options.encoding);
  }

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
};

}  // namespace

StringLookup::StringLookup(StringLookupOptions options)
    : VocabularyHandle(std::make_shared<StringLookupLayer>(std::move(options))) {}

data::Element StringLookup::operator()(const data::Element& input) const {
  return static_cast<StringLookupLayer&>(*operator->()).lookup()(input);
}

}  // namespace cornu::inline v0::keras::layers
