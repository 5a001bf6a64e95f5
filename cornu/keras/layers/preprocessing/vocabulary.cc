#include "cornu/keras/layers/preprocessing/vocabulary.h"

#include "cornu/base/check.h"
#include "cornu/keras/config/values_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

template <typename T>
Config write_vocabulary(const Vocabulary<T>& value) {
  return value.is_given() && value.path().empty() ? Config(value.terms()) : Config();
}

template <typename T>
void read_vocabulary(const Config& config, const saving::Place& place, Vocabulary<T>& value) {
  constexpr bool kTexts = std::same_as<T, std::string>;
  value = {};
  if (config.is_null()) return;
  if (config.is_string())
    invalid_argument({.argument = std::string(place.key)},
                     "[from_config] {} of {} names a file, and configurations do not make files be read; "
                     "give the terms themselves",
                     place.key, place.class_name);
  const char* expected = kTexts ? "null or a list of texts" : "null or a list of integers";
  if (!config.is_list()) saving::wrong_type(place, expected, config);
  std::vector<T> terms;
  for (const Config& term : config.as_list()) {
    if (kTexts ? !term.is_string() : !term.is_integer()) saving::wrong_type(place, expected, config);
    if constexpr (kTexts)
      terms.push_back(term.as_string());
    else
      terms.push_back(term.as_integer());
  }
  value = Vocabulary<T>(std::move(terms));
}

template <typename Step>
Config write_step(const Step& value, const saving::Place& place) {
  if (value.function() != nullptr)
    saving::holds_code(place, "name one of Keras's, or process the texts in the data set's map");
  return value.name().empty() ? Config() : Config(value.name());
}

template <typename Step>
void read_step(const Config& config, const saving::Place& place, Step& value) {
  if (config.is_null())
    value = std::nullopt;
  else if (config.is_string())
    value = config.as_string();
  else
    saving::wrong_type(place, "null or a name (functions do not come from configurations)", config);
}

}  // namespace

Config write_value(const StringVocabulary& value, const saving::Place&) { return write_vocabulary(value); }
Config write_value(const IntegerVocabulary& value, const saving::Place&) { return write_vocabulary(value); }
Config write_value(const TextStandardize& value, const saving::Place& place) {
  return write_step(value, place);
}
Config write_value(const TextSplit& value, const saving::Place& place) { return write_step(value, place); }
Config write_value(const MaskValue& value, const saving::Place&) {
  if (value.number().has_value()) return {*value.number()};
  return value.text().has_value() ? Config(*value.text()) : Config();
}

void read_value(const Config& config, const saving::Place& place, StringVocabulary& value) {
  read_vocabulary(config, place, value);
}
void read_value(const Config& config, const saving::Place& place, IntegerVocabulary& value) {
  read_vocabulary(config, place, value);
}
void read_value(const Config& config, const saving::Place& place, TextStandardize& value) {
  read_step(config, place, value);
}
void read_value(const Config& config, const saving::Place& place, TextSplit& value) {
  read_step(config, place, value);
}
void read_value(const Config& config, const saving::Place& place, MaskValue& value) {
  if (config.is_null())
    value = {};
  else if (config.is_integer())
    value = config.as_integer();
  else if (config.is_string())
    value = config.as_string();
  else
    saving::wrong_type(place, "null, an integer or a text", config);
}

}  // namespace cornu::inline v0::keras::layers
