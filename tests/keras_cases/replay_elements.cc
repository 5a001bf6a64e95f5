#include "cornu/keras/keras.h"
#include "cornu/keras/layers/preprocessing/element_layer_support.h"
#include "tests/keras_cases/comparison.h"
#include "tests/keras_cases/replay.h"

namespace cornu::inline v0::tests {
namespace {

/// `as_rows`: a vector becomes rows of one item.
data::Element element_of(const Config& array, bool as_rows = false) {
  Dims shape;
  for (const Config& extent : array.at("shape").as_list()) shape.push_back(extent.as_integer());
  if (as_rows && shape.size() == 1) shape.push_back(1);
  if (array.at("dtype").as_string() != "string") return data::Element(ops::reshape(tensor_of(array), shape));
  std::vector<std::string> texts;
  for (const Config& text : array.at("data").as_list()) texts.push_back(text.as_string());
  return data::Element(data::Strings(shape, texts));
}

void expect_texts(const data::Strings& got, const Config& expected) {
  const Config::List& texts = expected.at("data").as_list();
  if (got.size() != static_cast<std::int64_t>(texts.size()))
    throw Difference("another number of texts than Keras's");
  for (std::int64_t i = 0; i < got.size(); ++i)
    if (got[i] != texts[static_cast<std::size_t>(i)].as_string())
      throw Difference("text " + std::to_string(i) + " is \"" + std::string(got[i]) + "\"; Keras's is \"" +
                       texts[static_cast<std::size_t>(i)].as_string() + "\"");
}

}  // namespace

void adapt_as_recorded(keras::Layer& layer, const Config& recorded) {
  const Config* data = recorded.find("adapt");
  if (data == nullptr) return;
  auto* const adaptable = dynamic_cast<keras::layers::AdaptableLayer*>(&layer);
  if (adaptable == nullptr) throw NotReplayed("adapt() of a layer that does not adapt");
  adaptable->begin_adapt();
  const bool is_mapping = dynamic_cast<keras::layers::ElementLayer*>(&layer) != nullptr;
  adaptable->adapt_batch(element_of(*data, is_mapping));
  adaptable->end_adapt();
}

bool replay_elements(const Config& recorded) {
  if (recorded.at("object").at("class_name").as_string() == "Functional") return false;
  const auto layer = keras::saving::deserialize<keras::Layer>(recorded.at("object"));
  const auto* const mapping = dynamic_cast<const keras::layers::ElementLayer*>(layer.get());
  if (mapping == nullptr) return false;
  adapt_as_recorded(*layer, recorded);
  std::vector<data::Element> inputs;
  for (const Config& each : recorded.at("inputs").as_list()) inputs.push_back(element_of(each));
  const data::Element result = mapping->call_element(inputs.size() == 1 ? inputs[0] : data::Element(inputs));
  const Config& expected = recorded.at("outputs").at(0);
  if (result.is_strings()) {
    expect_texts(result.strings(), expected);
  } else if (result.is_text()) {
    expect_texts(data::Strings(std::vector<std::string>{std::string(result.text())}), expected);
  } else {
    expect_array(result.tensor(), expected, "result");
  }
  return true;
}

}  // namespace cornu::inline v0::tests
