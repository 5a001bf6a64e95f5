#include <algorithm>

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

void set_vocabulary(const std::shared_ptr<keras::Layer>& layer, const Config& given) {
  keras::layers::SetVocabularyOptions options;
  if (const Config* weights = given.find("idf_weights")) options.idf_weights = numbers_of(*weights);
  const data::Element terms = element_of(given.at("vocabulary"));
  if (layer->class_name() == "IntegerLookup") {
    keras::layers::VocabularyHandle<std::int64_t>(layer).set_vocabulary(
        ops::cast(terms.tensor(), DType::kI64).to_vector<std::int64_t>(), options);
  } else {
    keras::layers::VocabularyHandle<std::string>(layer).set_vocabulary(terms.strings().to_vector(), options);
  }
}

/// A dictionary whose inner dictionaries are named by paths: "bounding_boxes/boxes".
data::Element dictionary_of(const Config& inputs, const std::string& prefix = "") {
  std::vector<std::string> names;
  std::vector<data::Element> parts;
  for (const Config& each : inputs.as_list()) {
    const std::string& path = each.at("name").as_string();
    if (!path.starts_with(prefix)) continue;
    const std::size_t end = path.find('/', prefix.size());
    const std::string name = path.substr(prefix.size(), end == std::string::npos ? end : end - prefix.size());
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    names.push_back(name);
    parts.push_back(end == std::string::npos ? element_of(each) : dictionary_of(inputs, prefix + name + "/"));
  }
  return data::Element(std::move(names), std::move(parts));
}

/// Appends the tensors in the order of the names, as Keras lists those of a dictionary.
void append_leaves(const data::Element& element, std::vector<Tensor>& leaves) {
  if (!element.is_structure()) {
    leaves.push_back(element.tensor());
    return;
  }
  std::vector<std::string> names = element.names();
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) append_leaves(element[name], leaves);
}

}  // namespace

void teach_as_recorded(const std::shared_ptr<keras::Layer>& layer, const Config& recorded) {
  if (const Config* given = recorded.find("set_vocabulary")) return set_vocabulary(layer, *given);
  const Config* data = recorded.find("adapt");
  if (data == nullptr) return;
  auto* const adaptable = dynamic_cast<keras::layers::AdaptableLayer*>(layer.get());
  if (adaptable == nullptr) throw NotReplayed("adapt() of a layer that does not adapt");
  adaptable->begin_adapt();
  const bool is_mapping = dynamic_cast<keras::layers::ElementLayer*>(layer.get()) != nullptr;
  adaptable->adapt_batch(element_of(*data, is_mapping));
  adaptable->end_adapt();
}

bool replay_labeled_images(const Config& recorded) {
  const auto is_images = [](const Config& input) {
    return input.at("name").is_string() && input.at("name").as_string() == "images";
  };
  const Config::List& inputs = recorded.at("inputs").as_list();
  if (std::none_of(inputs.begin(), inputs.end(), is_images)) return false;
  const keras::layers::ImageHandle layer(keras::saving::deserialize<keras::Layer>(recorded.at("object")));
  keras::CallArguments arguments;
  if (const Config* training = recorded.at("call").find("training")) arguments.training = training->as_bool();
  const auto call = [&] {
    std::vector<Tensor> results;
    append_leaves(layer(dictionary_of(recorded.at("inputs")), arguments), results);
    return results;
  };
  const Config* expected = recorded.find("moments");
  if (expected == nullptr) {
    expect_arrays(call(), recorded.at("outputs"), "result");
    return true;
  }
  Moments moments;
  for (std::int64_t i = 0; i < expected->at(0).at("draws").as_integer(); ++i) moments.add(call());
  moments.expect(*expected, "result");
  return true;
}

bool replay_elements(const Config& recorded) {
  if (recorded.at("object").at("class_name").as_string() == "Functional") return false;
  const auto layer = keras::saving::deserialize<keras::Layer>(recorded.at("object"));
  const auto* const mapping = dynamic_cast<const keras::layers::ElementLayer*>(layer.get());
  if (mapping == nullptr) return false;
  teach_as_recorded(layer, recorded);
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
