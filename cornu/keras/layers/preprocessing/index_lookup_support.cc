#include "cornu/keras/layers/preprocessing/index_lookup_support.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/memory_allowance.h"
#include "cornu/base/parse_number.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/byte_stream.h"
#include "cornu/io/csv.h"
#include "cornu/io/string_hash.h"
#include "cornu/keras/base/floatx.h"

namespace cornu::inline v0::keras::layers {
namespace {

std::string shown_term(std::string_view term) { return fmt::format("\"{}\"", io::shown(term)); }
std::string shown_term(std::int64_t term) { return fmt::format("{}", term); }

bool parse_term(std::string& line, std::string& term) {
  term = std::move(line);
  return true;
}
bool parse_term(std::string& line, std::int64_t& term) {
  const auto number = parse_number<std::int64_t>(line);
  if (number.has_value()) term = *number;
  return number.has_value();
}

/// Appends each text of a leaf, or each integer.
void collect_terms(const char* op, const data::Element& leaf, std::vector<std::string_view>& terms) {
  for_each_text(op, leaf, [&](std::string_view text) { terms.push_back(text); });
}
void collect_terms(const char* op, const data::Element& leaf, std::vector<std::int64_t>& terms) {
  terms = integers_of(op, leaf);
}

std::uint64_t hash_of(std::string_view text, const std::optional<std::array<std::uint64_t, 2>>& salt) {
  return salt.has_value() ? io::sip_hash(*salt, text) : io::fingerprint64(text);
}
std::uint64_t hash_of(std::int64_t number, const std::optional<std::array<std::uint64_t, 2>>& salt) {
  return hash_of(std::string_view(fmt::format("{}", number)), salt);
}

/// Each has an element in the vectors and in the vocabulary that users request.
constexpr std::int64_t kMostOovIndices = std::int64_t{1} << 24;

/// The mode, after checking that the settings are consistent.
template <typename Key>
CategoryMode checked_mode(const IndexLookupSettings<Key>& s) {
  const auto demand = [&](bool condition, const char* argument, const std::string& message) {
    if (!condition) invalid_argument({.argument = argument}, "[{}] {}", s.op, message);
  };
  demand(s.max_tokens.value_or(2) > 1, "max_tokens",
         fmt::format("max_tokens must be greater than 1; got max_tokens = {}", s.max_tokens.value_or(2)));
  demand(s.min_frequency > 0, "min_frequency",
         fmt::format("min_frequency must be positive; got min_frequency = {}", s.min_frequency));
  demand(!s.pad_to_max_tokens || s.max_tokens.has_value(), "pad_to_max_tokens",
         "pad_to_max_tokens needs max_tokens");
  demand(s.num_oov_indices >= 0 && s.num_oov_indices <= kMostOovIndices, "num_oov_indices",
         fmt::format("num_oov_indices must not be negative and at most {}; got num_oov_indices = {}",
                     kMostOovIndices, s.num_oov_indices));
  demand(s.oov_method == "floormod" || s.oov_method == "farmhash", "oov_method",
         fmt::format("oov_method must be \"floormod\" or \"farmhash\"; got \"{}\"", s.oov_method));
  demand(!s.salt.has_value() || std::is_same_v<Key, std::string> || s.oov_method == "farmhash", "salt",
         "salt is of oov_method \"farmhash\"");
  const auto mode = category_mode_named(s.output_mode);
  demand(mode.has_value(), "output_mode",
         fmt::format("output_mode must be \"int\", \"one_hot\", \"multi_hot\", \"count\" or \"tf_idf\"; got "
                     "\"{}\"",
                     s.output_mode));
  demand(!s.invert || mode == CategoryMode::kInt, "output_mode",
         fmt::format("output_mode must be \"int\" with invert = true; got \"{}\"", s.output_mode));
  return *mode;
}

}  // namespace

template <typename Key>
IndexLookup<Key>::IndexLookup(IndexLookupSettings<Key> settings, const Vocabulary<Key>& vocabulary,
                              const std::optional<std::vector<double>>& idf_weights)
    : settings_(std::move(settings)),
      mode_(checked_mode(settings_)),
      salt_(salt_of(settings_.op, settings_.salt)) {
  if (idf_weights.has_value() && (mode_ != CategoryMode::kTfIdf || !vocabulary.is_given()))
    invalid_argument({.argument = "idf_weights"},
                     "[{}] idf_weights are given with a vocabulary and output_mode \"tf_idf\"", settings_.op);
  if (!vocabulary.is_given()) return;
  set_vocabulary(vocabulary, idf_weights);
  is_given_ = true;
  is_in_options_ = vocabulary.path().empty();
}

template <typename Key>
void IndexLookup<Key>::check_ready() const {
  if (has_terms_) return;
  if (mode_ == CategoryMode::kInt || (settings_.pad_to_max_tokens && mode_ != CategoryMode::kTfIdf)) return;
  fail(ErrorCode::kFailedPrecondition,
       "[{}] there is no vocabulary: give one in the options, or call adapt() or set_vocabulary() first",
       settings_.op);
}

template <typename Key>
std::int64_t IndexLookup<Key>::unknown(View term) const {
  if (settings_.num_oov_indices == 0)
    invalid_argument(
        "[{}] {} is not in the vocabulary, and num_oov_indices = 0 leaves no number for unknown terms; set "
        "num_oov_indices = 1",
        settings_.op, shown_term(term));
  if (settings_.num_oov_indices == 1) return oov_start();
  if constexpr (std::is_same_v<Key, std::int64_t>) {
    if (settings_.oov_method == "floormod") {
      const std::int64_t rest = term % settings_.num_oov_indices;
      return oov_start() + (rest < 0 ? rest + settings_.num_oov_indices : rest);
    }
  }
  const auto bin = hash_of(term, salt_) % static_cast<std::uint64_t>(settings_.num_oov_indices);
  return oov_start() + static_cast<std::int64_t>(bin);
}

template <typename Key>
std::int64_t IndexLookup<Key>::number_of(View term) const {
  if (settings_.mask_token.has_value() && *settings_.mask_token == term)
    return mode_ == CategoryMode::kInt ? 0 : kDropped;
  const auto found = numbers_.find(term);
  return found != numbers_.end() ? found->second : unknown(term);
}

template <typename Key>
std::int64_t IndexLookup<Key>::depth() const {
  return settings_.pad_to_max_tokens ? *settings_.max_tokens : vocabulary_size();
}

template <typename Key>
CategoryEncoder IndexLookup<Key>::encoder() const {
  return {.op = settings_.op,
          .mode = mode_,
          .depth = depth(),
          .dtype = mode_ == CategoryMode::kTfIdf ? current_floatx() : DType::kI64,
          .idf_weights = idf_weights_};
}

template <typename Key>
data::Element IndexLookup<Key>::operator()(const data::Element& input) const {
  check_ready();
  if (settings_.invert) return terms_of(input);
  return encode_element(input, encoder(), [&](const data::Element& leaf) {
    std::vector<View> terms;
    collect_terms(settings_.op, leaf, terms);
    std::vector<std::int64_t> numbers;
    numbers.reserve(terms.size());
    for (const View term : terms) numbers.push_back(number_of(term));
    return numbers;
  });
}

template <typename Key>
data::Element IndexLookup<Key>::terms_of(const data::Element& numbers) const {
  if (numbers.is_ragged())
    return data::Ragged(terms_of(numbers.ragged().values()), numbers.ragged().row_splits());
  const std::vector<std::int64_t> given = integers_of(settings_.op, numbers);
  std::vector<Key> terms;
  terms.reserve(given.size());
  for (const std::int64_t number : given) {
    const std::int64_t place = number - token_start();
    if (settings_.mask_token.has_value() && number == 0)
      terms.push_back(*settings_.mask_token);
    else if (place >= 0 && place < static_cast<std::int64_t>(terms_.size()))
      terms.push_back(terms_[static_cast<std::size_t>(place)]);
    else
      terms.push_back(settings_.oov_token.value_or(Key()));
  }
  Dims shape = leaf_shape(numbers);
  if constexpr (std::is_same_v<Key, std::string>) {
    if (shape.empty()) return data::Text(std::move(terms[0]));
    return data::Strings(std::move(shape), terms);
  } else {
    return Tensor::adopt(shape, std::move(terms));
  }
}

template <typename Key>
std::vector<Key> IndexLookup<Key>::special_tokens() const {
  std::vector<Key> tokens;
  if (oov_start() == 1) tokens.push_back(*settings_.mask_token);
  for (std::int64_t i = 0; i < settings_.num_oov_indices; ++i)
    tokens.push_back(settings_.oov_token.value_or(Key()));
  return tokens;
}

template <typename Key>
bool IndexLookup<Key>::begins_with_special_tokens(std::span<const Key> terms) const {
  const auto count = static_cast<std::size_t>(token_start()), masks = static_cast<std::size_t>(oov_start());
  if ((!settings_.oov_token.has_value() && settings_.num_oov_indices > 0) || terms.size() < count)
    return false;
  if (masks == 1 && terms[0] != *settings_.mask_token) return false;
  const std::span<const Key> unknown_ones = terms.first(count).subspan(masks);
  return std::all_of(unknown_ones.begin(), unknown_ones.end(),
                     [&](const Key& term) { return term == *settings_.oov_token; });
}

template <typename Key>
std::vector<Key> IndexLookup<Key>::vocabulary(bool include_special_tokens) const {
  std::vector<Key> all;
  if (include_special_tokens) all = special_tokens();
  all.insert(all.end(), terms_.begin(), terms_.end());
  return all;
}

template <typename Key>
std::vector<Key> IndexLookup<Key>::read_file(const std::string& path) const {
  io::LineReader lines(io::open_file(path));
  std::vector<Key> terms;
  std::string line;
  while (lines.next(line)) {
    Key term{};
    if (!parse_term(line, term))
      invalid_argument({.argument = "vocabulary"}, "[{}] line {} of {} is no integer: \"{}\"", settings_.op,
                       terms.size() + 1, io::shown(path), io::shown(line));
    terms.push_back(std::move(term));
  }
  return terms;
}

template <typename Key>
void IndexLookup<Key>::set_vocabulary(const Vocabulary<Key>& vocabulary,
                                      const std::optional<std::vector<double>>& idf_weights) {
  const char* const op = settings_.op;
  if (idf_weights.has_value() != (mode_ == CategoryMode::kTfIdf))
    invalid_argument(
        {.argument = "idf_weights"},
        "[{}] idf_weights come with a vocabulary where output_mode is \"tf_idf\", and only there", op);
  if (!vocabulary.path().empty()) {
    if (mode_ == CategoryMode::kTfIdf)
      invalid_argument({.argument = "vocabulary"},
                       "[{}] with output_mode \"tf_idf\" the vocabulary cannot be a file", op);
    return set_terms(read_file(vocabulary.path()));
  }
  std::vector<Key> terms = vocabulary.terms();
  if (terms.empty()) invalid_argument({.argument = "vocabulary"}, "[{}] the vocabulary is empty", op);
  if (idf_weights.has_value() && idf_weights->size() != terms.size())
    invalid_argument({.argument = "idf_weights"},
                     "[{}] idf_weights must be as many as the vocabulary's terms, {}; got {}", op,
                     terms.size(), idf_weights->size());
  const bool has_special = begins_with_special_tokens(terms);
  if (has_special) terms.erase(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(token_start()));
  set_terms(std::move(terms));
  if (idf_weights.has_value()) set_idf_weights(*idf_weights, has_special);
}

template <typename Key>
void IndexLookup<Key>::set_terms(std::vector<Key> terms) {
  const auto refuse = [&](const std::string& message) {
    invalid_argument({.argument = "vocabulary"}, "[{}] {}", settings_.op, message);
  };
  const auto size = token_start() + static_cast<std::int64_t>(terms.size());
  if (settings_.max_tokens.has_value() && size > *settings_.max_tokens)
    refuse(fmt::format("a vocabulary of {} terms, the special ones included, is larger than max_tokens = {}",
                       size, *settings_.max_tokens));
  if (has_terms_ && mode_ != CategoryMode::kInt && !settings_.pad_to_max_tokens && size != vocabulary_size())
    fail(ErrorCode::kFailedPrecondition,
         "[{}] the size of the vocabulary cannot change from {} to {}: the results have that many columns; "
         "set max_tokens and pad_to_max_tokens, or make a new layer",
         settings_.op, vocabulary_size(), size);
  std::unordered_map<View, std::int64_t, TermHash> numbers;
  numbers.reserve(terms.size());
  std::int64_t next = token_start();
  for (const Key& term : terms) {
    if ((settings_.mask_token.has_value() && term == *settings_.mask_token) ||
        (settings_.invert && settings_.oov_token.has_value() && term == *settings_.oov_token))
      refuse(fmt::format(
          "{} stands for masked or unknown terms: leave it out of the vocabulary, or put all special "
          "tokens in front, in their order",
          shown_term(term)));
    if (!numbers.emplace(View(term), next++).second)
      refuse(fmt::format("the vocabulary names {} twice", shown_term(term)));
  }
  numbers_ = std::move(numbers);
  terms_ = std::move(terms);  // the views stay valid, since moving a vector keeps its memory
  has_terms_ = true;
  is_in_options_ = false;
}

template <typename Key>
void IndexLookup<Key>::set_idf_weights(const std::vector<double>& given, bool for_special_tokens) {
  claim_memory(CheckedSize(std::max(token_start(), depth())) * sizeof(float),
               [&] { return fmt::format("[{}] the idf_weights of {} tokens", settings_.op, depth()); });
  const double mean = std::accumulate(given.begin(), given.end(), 0.0) / static_cast<double>(given.size());
  idf_weights_.clear();
  if (!for_special_tokens)
    idf_weights_.assign(static_cast<std::size_t>(token_start()), static_cast<float>(mean));
  for (const double weight : given) idf_weights_.push_back(static_cast<float>(weight));
  idf_weights_.resize(static_cast<std::size_t>(depth()));
}

template <typename Key>
void IndexLookup<Key>::begin_adapt() {
  if (is_given_)
    fail(ErrorCode::kFailedPrecondition,
         "[{}] adapt() is for layers without a vocabulary, and the options gave one", settings_.op);
  counts_.clear();
  document_counts_.clear();
  num_documents_ = 0;
}

namespace {

template <typename Counts, typename View>
void count_term(Counts& counts, View term) {
  const auto found = counts.find(term);
  if (found != counts.end())
    ++found->second;
  else
    counts.emplace(term, 1);
}

}  // namespace

template <typename Key>
void IndexLookup<Key>::see_document(std::span<const View> terms) {
  for (const View term : terms) count_term(counts_, term);
  ++num_documents_;
  if (mode_ != CategoryMode::kTfIdf) return;
  std::unordered_set<View, TermHash> distinct(terms.begin(), terms.end());
  for (const View term : distinct) count_term(document_counts_, term);
}

template <typename Key>
void IndexLookup<Key>::see(const data::Element& input, bool is_array) {
  std::vector<View> terms;
  if (input.is_ragged()) {
    const data::Ragged& ragged = input.ragged();
    collect_terms(settings_.op, ragged.values(), terms);
    if (leaf_shape(ragged.values()).size() != 1)
      invalid_argument("[{}] adapt() takes ragged rows of single terms; got {}", settings_.op,
                       input.type_str());
    for (std::size_t i = 0; i + 1 < ragged.row_splits().size(); ++i) {
      const auto begin = static_cast<std::size_t>(ragged.row_splits()[i]);
      see_document(std::span<const View>(terms).subspan(
          begin, static_cast<std::size_t>(ragged.row_splits()[i + 1]) - begin));
    }
    return;
  }
  collect_terms(settings_.op, input, terms);
  const Dims shape = leaf_shape(input);
  const bool has_rows = shape.size() > 1 || (is_array && shape.size() == 1);
  const auto num_rows = static_cast<std::size_t>(has_rows ? shape[0] : 1);
  const std::size_t length = num_rows == 0 ? 0 : terms.size() / num_rows;
  for (std::size_t i = 0; i < num_rows; ++i)
    see_document(std::span<const View>(terms).subspan(i * length, length));
}

template <typename Key>
void IndexLookup<Key>::set_adapted_idf_weights() {
  std::vector<float> weights;
  for (const Key& term : terms_) {
    const auto found = document_counts_.find(View(term));
    const double count = found == document_counts_.end() ? 0 : static_cast<double>(found->second);
    weights.push_back(static_cast<float>(std::log(1 + static_cast<double>(num_documents_) / (1 + count))));
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double mean = weights.empty() ? 0 : sum / static_cast<double>(weights.size());
  idf_weights_.assign(static_cast<std::size_t>(token_start()), static_cast<float>(mean));
  idf_weights_.insert(idf_weights_.end(), weights.begin(), weights.end());
  idf_weights_.resize(static_cast<std::size_t>(depth()));
}

template <typename Key>
void IndexLookup<Key>::end_adapt() {
  if (num_documents_ == 0) invalid_argument("[{}] adapt() got no data", settings_.op);
  for (const std::optional<Key>& token : {settings_.mask_token, settings_.oov_token})
    if (token.has_value()) counts_.erase(*token);
  std::vector<std::pair<std::int64_t, Key>> found;
  found.reserve(counts_.size());
  for (const auto& [term, count] : counts_)
    if (count >= settings_.min_frequency) found.emplace_back(count, term);
  std::sort(found.begin(), found.end(), std::greater<>());
  if (settings_.max_tokens.has_value()) {
    const std::int64_t most = std::max<std::int64_t>(*settings_.max_tokens - token_start(), 0);
    found.resize(std::min(found.size(), static_cast<std::size_t>(most)));
  }
  std::vector<Key> terms;
  terms.reserve(found.size());
  for (auto& [count, term] : found) terms.push_back(std::move(term));
  set_terms(std::move(terms));
  if (mode_ == CategoryMode::kTfIdf) set_adapted_idf_weights();
  counts_.clear();
  document_counts_.clear();
}

template <typename Key>
void IndexLookup<Key>::add_to_config(Config& fields) const {
  fields.set("output_mode", settings_.output_mode == "binary"   ? "multi_hot"
                            : settings_.output_mode == "tf-idf" ? "tf_idf"
                                                                : settings_.output_mode);
  if (salt_.has_value())
    fields.set("salt", Config::list(
                           {static_cast<std::int64_t>((*salt_)[0]), static_cast<std::int64_t>((*salt_)[1])}));
  fields.set("vocabulary_size", has_terms_ ? Config(vocabulary_size()) : Config());
  if (!has_terms_ || is_in_options_) return;
  // With weights the special tokens come first: unknown terms have a weight too.
  const bool is_weighed = mode_ == CategoryMode::kTfIdf;
  const bool with_special = is_weighed && (settings_.oov_token.has_value() || settings_.num_oov_indices == 0);
  fields.set("vocabulary", Config(vocabulary(with_special)));
  if (is_weighed)
    fields.set("idf_weights",
               Config(std::vector<double>(idf_weights_.begin() + (with_special ? 0 : token_start()),
                                          idf_weights_.begin() + vocabulary_size())));
}

template class IndexLookup<std::string>;
template class IndexLookup<std::int64_t>;

template <typename Key>
static VocabularyLayer<Key>& layer_of(const VocabularyHandle<Key>& handle) {
  return static_cast<VocabularyLayer<Key>&>(*handle.operator->());
}

template <typename Key>
void VocabularyHandle<Key>::adapt(const data::Element& terms) const {
  begin_adapt();
  see_given(terms, [&](const data::Element& part, bool is_array) { layer_of(*this).see(part, is_array); });
  end_adapt();
}
template <typename Key>
void VocabularyHandle<Key>::set_vocabulary(const Vocabulary<Key>& vocabulary,
                                           const SetVocabularyOptions& options) const {
  layer_of(*this).lookup().set_vocabulary(vocabulary, options.idf_weights);
}
template <typename Key>
std::vector<Key> VocabularyHandle<Key>::get_vocabulary(const GetVocabularyOptions& options) const {
  return layer_of(*this).lookup().vocabulary(options.include_special_tokens);
}
template <typename Key>
std::int64_t VocabularyHandle<Key>::vocabulary_size() const {
  return layer_of(*this).lookup().vocabulary_size();
}
template <typename Key>
void VocabularyHandle<Key>::begin_adapt() const {
  layer_of(*this).lookup().begin_adapt();
}
template <typename Key>
void VocabularyHandle<Key>::adapt_batch(const data::Element& batch) const {
  layer_of(*this).see(batch, false);
}
template <typename Key>
void VocabularyHandle<Key>::end_adapt() const {
  layer_of(*this).lookup().end_adapt();
}

template class VocabularyHandle<std::string>;
template class VocabularyHandle<std::int64_t>;

}  // namespace cornu::inline v0::keras::layers
