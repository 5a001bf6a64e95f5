#include "cornu/keras/files/assets.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/parse_number.h"
#include "cornu/io/byte_reader.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/config_parts_support.h"

namespace cornu::inline v0::keras::files {
namespace {

/// The lines of a text, as Python reads them, without empty lines at the end.
Config::List terms_of(std::string_view text, bool are_integers, const std::string& member) {
  while (text.ends_with('\n') || text.ends_with("\n\r")) text.remove_suffix(text.ends_with('\n') ? 1 : 2);
  if (text == "\r") text = {};
  Config::List terms;
  bool has_empty_term = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t line_end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, line_end - begin);
    begin = line_end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    // An empty term takes more memory than an empty line in the file, so it is accepted only once.
    if (line.empty() && std::exchange(has_empty_term, true))
      invalid_argument("[load_model] line {} of {} is empty, as one before it: a term must occur once",
                       terms.size() + 1, member);
    if (!are_integers) {
      terms.emplace_back(line);
      continue;
    }
    const auto number = parse_number<std::int64_t>(line);
    if (!number.has_value())
      invalid_argument("[load_model] line {} of {} is no integer: \"{}\"", terms.size() + 1, member,
                       io::shown(line));
    terms.emplace_back(*number);
  }
  return terms;
}

class Vocabularies {
 public:
  explicit Vocabularies(const io::ZipFile& zip) : zip_(zip) {}

  Config placed(const Config& layer, const std::string& path) const {
    const Config *class_name = layer.find("class_name"), *options = layer.find("config");
    if (class_name == nullptr || !class_name->is_string() || options == nullptr || !options->is_dict())
      return layer;
    const std::string& name = class_name->as_string();
    if (name == "Sequential" || name == "Functional" || name == "Model")
      return saving::with_value(layer, "config", with_layers(*options, path, name == "Sequential"));
    if (name == "FeatureSpace") return saving::with_value(layer, "config", with_features(*options));
    const bool has_integers = name == "IntegerLookup";
    if (!has_integers && name != "StringLookup" && name != "TextVectorization") return layer;
    const std::string member = "assets/" + path + "/vocabulary.txt";
    const Config* const given = options->find("vocabulary");
    if ((given != nullptr && !given->is_null()) || !zip_.contains(member)) return layer;
    if (const Config* mode = options->find("output_mode"); mode != nullptr && *mode == Config("tf_idf"))
      invalid_argument(
          "[load_model] {} is the vocabulary of a lookup by \"tf_idf\", whose weights Keras does not save",
          member);
    Config changed = *options;
    changed.set("vocabulary", terms_of(zip_.read_text(member), has_integers, member));
    return saving::with_value(layer, "config", std::move(changed));
  }

 private:
  /// Layers are numbered by class, like their weights; operations and a Sequential's input are not counted.
  Config with_layers(const Config& options, const std::string& path, bool is_sequential) const {
    const Config* const layers = options.find("layers");
    if (layers == nullptr || !layers->is_list()) return options;
    Config::List changed;
    std::unordered_map<std::string, int> counts;
    for (const Config& layer : layers->as_list()) {
      const Config *module = layer.find("module"), *class_name = layer.find("class_name");
      const bool is_operation =
          module != nullptr && module->is_string() && module->as_string().starts_with("keras.src.ops");
      const bool is_input = is_sequential && class_name != nullptr && *class_name == Config("InputLayer");
      if (is_operation || is_input || class_name == nullptr || !class_name->is_string()) {
        changed.push_back(layer);
        continue;
      }
      const std::string name = snake_case(class_name->as_string());
      const int count = counts[name]++;
      changed.push_back(placed(layer, fmt::format("{}{}layers/{}{}", path, path.empty() ? "" : "/", name,
                                                  count == 0 ? "" : fmt::format("_{}", count))));
    }
    return saving::with_value(options, "layers", Config(std::move(changed)));
  }

  /// The layers of a FeatureSpace's features, numbered by class.
  Config with_features(const Config& options) const {
    const Config* const features = options.find("features");
    if (features == nullptr || !features->is_dict()) return options;
    Config changed = Config::dict();
    std::unordered_map<std::string, int> counts;
    for (const auto& [name, feature] : features->as_dict()) {
      const Config* const inside = feature.find("config");
      const Config* const layer = inside == nullptr ? nullptr : inside->find("preprocessor");
      const Config* const class_name = layer == nullptr ? nullptr : layer->find("class_name");
      if (class_name == nullptr || !class_name->is_string()) {
        changed.set(name, feature);
        continue;
      }
      const std::string group = snake_case(class_name->as_string());
      const int count = counts[group]++;
      const std::string path =
          fmt::format("preprocessors/{}{}", group, count == 0 ? "" : fmt::format("_{}", count));
      changed.set(name,
                  saving::with_value(feature, "config",
                                     saving::with_value(*inside, "preprocessor", placed(*layer, path))));
    }
    return saving::with_value(options, "features", std::move(changed));
  }

  const io::ZipFile& zip_;
};

}  // namespace

Config with_vocabularies(const Config& model, const io::ZipFile& zip) {
  for (const std::string& member : zip.members())
    if (member.starts_with("assets/")) return Vocabularies(zip).placed(model, "");
  return model;
}

}  // namespace cornu::inline v0::keras::files
