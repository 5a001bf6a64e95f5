#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cornu/data/element.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/preprocessing/categories_support.h"
#include "cornu/keras/layers/preprocessing/element_layer_support.h"
#include "cornu/keras/layers/preprocessing/lookup.h"
#include "cornu/keras/layers/preprocessing/vocabulary.h"

/// The vocabulary of StringLookup, IntegerLookup and TextVectorization; not part of the interface.
namespace cornu::inline v0::keras::layers {

struct TermHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  std::size_t operator()(std::int64_t number) const { return std::hash<std::int64_t>()(number); }
};

template <typename Key>
struct IndexLookupSettings {
  const char* op;  // "string_lookup"
  std::optional<std::int64_t> max_tokens;
  std::int64_t min_frequency;
  std::int64_t num_oov_indices;
  std::optional<Key> mask_token;
  std::optional<Key> oov_token;
  bool invert;
  std::string output_mode;
  bool pad_to_max_tokens;
  std::string oov_method;
  ops::OptionalIntOrInts salt;
};

/// Terms and their indices, and the counts of terms while a layer adapts. Key is std::string or std::int64_t.
template <typename Key>
class IndexLookup {
 public:
  using View = std::conditional_t<std::is_same_v<Key, std::string>, std::string_view, Key>;

  /// Errors: InvalidArgument, with the option's name.
  IndexLookup(IndexLookupSettings<Key> settings, const Vocabulary<Key>& vocabulary,
              const std::optional<std::vector<double>>& idf_weights);
  IndexLookup(const IndexLookup&) = delete;
  IndexLookup& operator=(const IndexLookup&) = delete;

  // Indices. Errors: FailedPrecondition without a vocabulary that the mode needs.
  std::int64_t number_of(View term) const;
  CategoryEncoder encoder() const;
  /// Maps terms to indices, or back with `invert`.
  data::Element operator()(const data::Element& input) const;
  void check_ready() const;
  /// True if the options have a vocabulary.
  bool is_given() const { return is_given_; }

  // Vocabulary.
  void set_vocabulary(const Vocabulary<Key>& vocabulary,
                      const std::optional<std::vector<double>>& idf_weights);
  std::vector<Key> vocabulary(bool include_special_tokens) const;
  std::int64_t vocabulary_size() const { return token_start() + static_cast<std::int64_t>(terms_.size()); }
  const std::vector<Key>& terms() const { return terms_; }
  const std::vector<float>& idf_weights() const { return idf_weights_; }
  const IndexLookupSettings<Key>& settings() const { return settings_; }
  CategoryMode mode() const { return mode_; }
  /// The length of the vectors.
  std::int64_t depth() const;
  std::int64_t oov_start() const {
    return settings_.mask_token.has_value() && mode_ == CategoryMode::kInt ? 1 : 0;
  }
  std::int64_t token_start() const { return oov_start() + settings_.num_oov_indices; }

  // Adapting. Errors: FailedPrecondition if the options have a vocabulary.
  void begin_adapt();
  void see_document(std::span<const View> terms);
  /// Counts the rows of a batch; `is_array`: the items of a single axis are documents of their own.
  void see(const data::Element& input, bool is_array);
  void end_adapt();

  /// Adds the entries of a configuration that are not options.
  void add_to_config(Config& fields) const;

 private:
  std::int64_t unknown(View term) const;
  data::Element terms_of(const data::Element& numbers) const;
  std::vector<Key> special_tokens() const;
  bool begins_with_special_tokens(std::span<const Key> terms) const;
  /// Errors: InvalidArgument for terms that occur twice, including special ones, and for too many terms.
  void set_terms(std::vector<Key> terms);
  void set_idf_weights(const std::vector<double>& given, bool for_special_tokens);
  void set_adapted_idf_weights();
  std::vector<Key> read_file(const std::string& path) const;

  IndexLookupSettings<Key> settings_;
  CategoryMode mode_ = CategoryMode::kInt;
  std::optional<std::array<std::uint64_t, 2>> salt_;
  bool is_given_ = false;       // in the options
  bool is_in_options_ = false;  // the options list the terms, and the terms have not changed since
  bool has_terms_ = false;
  std::vector<Key> terms_;
  std::unordered_map<View, std::int64_t, TermHash> numbers_;  // views of terms_
  std::vector<float> idf_weights_;                            // one for each index
  std::unordered_map<Key, std::int64_t, TermHash, std::equal_to<>> counts_, document_counts_;
  std::int64_t num_documents_ = 0;
};

extern template class IndexLookup<std::string>;
extern template class IndexLookup<std::int64_t>;

/// The settings of StringLookup and IntegerLookup.
template <typename Key, typename Options>
IndexLookupSettings<Key> lookup_settings(const char* op, const Options& options) {
  return {.op = op,
          .max_tokens = options.max_tokens,
          .min_frequency = options.min_frequency,
          .num_oov_indices = options.num_oov_indices,
          .mask_token = options.mask_token,
          .oov_token = options.oov_token,
          .invert = options.invert,
          .output_mode = options.output_mode,
          .pad_to_max_tokens = options.pad_to_max_tokens,
          .oov_method = options.oov_method,
          .salt = options.salt};
}

/// The layer of a VocabularyHandle.
template <typename Key>
class VocabularyLayer : public Layer, public ElementLayer, public AdaptableLayer {
 public:
  template <typename Options>
  VocabularyLayer(LayerSettings layer, IndexLookupSettings<Key> settings, const Options& options)
      : Layer(std::move(layer)), lookup_(std::move(settings), options.vocabulary, options.idf_weights) {}

  IndexLookup<Key>& lookup() { return lookup_; }
  /// Counts the terms of a batch; `is_array`: the items of a single axis are documents of their own.
  virtual void see(const data::Element& input, bool is_array) { lookup_.see(input, is_array); }

  data::Element call_element(const data::Element& input) const override { return lookup_(input); }
  std::int64_t num_categories() const override { return lookup_.vocabulary_size(); }
  bool is_adaptable() const override { return !lookup_.is_given(); }
  void begin_adapt() override { lookup_.begin_adapt(); }
  void adapt_batch(const data::Element& batch) override { see(batch, false); }
  void end_adapt() override { lookup_.end_adapt(); }

 protected:
  IndexLookup<Key> lookup_;
};

}  // namespace cornu::inline v0::keras::layers
