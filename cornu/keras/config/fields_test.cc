#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cornu/base/error_test_support.h"
#include "cornu/keras/config/registry_support.h"
#include "cornu/keras/keras.h"

/// That options are described, written and read, over all classes that there are.
namespace cornu::inline v0::keras::saving {
namespace {

template <typename Check>
void for_each_family(const Check& check) {
  check.template operator()<Layer>();
  check.template operator()<Loss>();
  check.template operator()<Metric>();
  check.template operator()<Optimizer>();
  check.template operator()<LearningRateSchedule>();
  check.template operator()<Initializer>();
  check.template operator()<Regularizer>();
  check.template operator()<Constraint>();
  check.template operator()<Quantizer>();
  check.template operator()<QuantizationConfig>();
}

/// Calls `check(row, id, defaults)` for every class whose configuration is its options.
template <typename Check>
void for_each_class(const Check& check) {
  for_each_family([&]<typename T>() {
    for (const ClassRow<T>& row : class_rows<T>()) {
      if (row.reread == nullptr) continue;
      const ClassId id{module_of<T>(), row.class_name};
      SCOPED_TRACE(std::string(id.module) + "." + std::string(id.class_name));
      check(row, id, row.reread(Config::dict(), id));
    }
  });
}

/// Values of every type that a field may have.
const std::vector<Config>& samples() {
  static const auto& all = *new std::vector<Config>{
      Config(true),
      Config(false),
      Config(7),
      Config(0.375),
      Config("sample"),
      Config("float16"),
      Config("tanh"),
      Config("elu"),
      Config("he_normal"),
      Config("l2"),
      Config("max_norm"),
      Config("adam"),
      Config("int4"),
      Config::list({3, 5}),
      Config::list({3.5, 5.5}),
      Config::list({Config("one"), Config("two")}),
      Config::dict({{"rmax", 0.5}}),
      Config::list({Config::dict({{"max_sequence_length", 3}})}),
      Config::dict({{"class_name", "AbsMaxQuantizer"}, {"config", Config::dict({{"epsilon", 0.5}})}}),
      Config::dict({{"class_name", "Constant"}, {"config", Config::dict({{"value", 0.5}})}}),
      Config::dict(
          {{"class_name", "OptimizerMap"},
           {"config", Config::dict({{"default_optimizer",
                                     Config::dict({{"class_name", "SGD"},
                                                   {"config", Config::dict({{"name", "inner"}})}})}})}})};
  return all;
}

TEST(FieldsTest, EveryFieldOfEveryClassIsWrittenAndRead) {
  int num_classes = 0, num_fields = 0;
  for_each_class([&](const auto& row, const ClassId& id, const Config& defaults) {
    ++num_classes;
    for (const auto& [key, default_value] : defaults.as_dict()) {
      const bool is_code = id.class_name == "Lambda" && (key == "function" || key == "mask");
      const bool is_calibration =
          key == "dataset" || key == "tokenizer" || key == "quantization_layer_structure";
      if (is_code || is_calibration) continue;
      ++num_fields;
      bool is_kept = false;
      for (const Config& sample : samples()) {
        try {
          const Config fields = row.reread(Config::dict({{key, sample}}), id);
          if (fields.at(key) == default_value) continue;
          // What was written is read as the same, and nothing else moved.
          EXPECT_EQ(row.reread(fields, id), fields) << key << " = " << sample.json();
          Config back = fields;
          back.set(key, default_value);
          EXPECT_EQ(back, defaults) << key << " = " << sample.json();
          is_kept = true;
        } catch (const Error&) {
          continue;  // a sample of another type
        }
      }
      EXPECT_TRUE(is_kept) << key;
    }
  });
  EXPECT_GE(num_classes, 150);
  EXPECT_GE(num_fields, 1000);
}

TEST(FieldsTest, AWrongTypeIsRefusedWithClassAndKey) {
  const Config wrong = Config::dict({{"no such thing", 1}});
  for_each_class([&](const auto& row, const ClassId& id, const Config& defaults) {
    for (const auto& [key, value] : defaults.as_dict()) {
      const std::string error = error_text_of([&] { row.reread(Config::dict({{key, wrong}}), id); });
      EXPECT_NE(error.find(key), std::string::npos) << error;
      EXPECT_NE(error.find(id.class_name), std::string::npos) << error;
    }
  });
}

TEST(FieldsTest, AnUnknownKeyIsRefusedWithTheNearestKey) {
  for_each_class([&](const auto& row, const ClassId& id, const Config& defaults) {
    for (const std::string& key : defaults.keys()) {
      const std::string error = error_text_of([&] { row.reread(Config::dict({{key + "z", 1}}), id); });
      EXPECT_NE(error.find(std::string(id.class_name) + " has no key \"" + key + "z\""), std::string::npos)
          << error;
      EXPECT_TRUE(key.size() <= 3 || error.find("did you mean \"" + key + "\"") != std::string::npos)
          << error;
    }
  });
}

TEST(FieldsTest, EveryOptionsStructIsDescribed) {
  // For those who derive an optimizer, what single methods take, what layers share inside, and a metric that
  // is code.
  const std::set<std::string> of_no_class = {
      "OptimizerBaseOptions",  "AdaptOptions",          "SetVocabularyOptions",
      "GetVocabularyOptions",  "ProjectionOptions",     "ResizeOptions",
      "SampleOptions",         "GateOptions",           "MeanMetricWrapperOptions",
      "CircleFunctionOptions", "AbsMaxQuantizeOptions", "AbsMaxQuantizeGroupedOptions",
      "FakeQuantOptions",      "Int4PackingOptions"};
  const std::regex declaration(R"(\nstruct (\w+Options)( final)?( :[^{;]*)? \{)");
  std::set<std::string> not_found = of_no_class;
  int num_structs = 0;
  for (const char* folder : {"layers", "losses", "metrics", "optimizers", "initializers", "regularizers",
                             "constraints", "quantizers"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string("cornu/keras/") + folder)) {
      const std::string path = entry.path().string();
      if (!path.ends_with(".h")) continue;
      std::ifstream file(path);
      std::stringstream stream;
      stream << file.rdbuf();
      const std::string text = stream.str();
      for (std::sregex_iterator match(text.begin(), text.end(), declaration), end; match != end; ++match) {
        ++num_structs;
        const std::string name = (*match)[1];
        not_found.erase(name);
        if (of_no_class.contains(name) || name.starts_with("Graph"))
          continue;  // Graph: of functions on graphs
        EXPECT_NE(text.find("CORNU_FIELDS(" + name + ","), std::string::npos) << path << " " << name;
      }
    }
  }
  EXPECT_GE(num_structs, 100);
  EXPECT_EQ(not_found, std::set<std::string>()) << "of no class, but not there";
}

TEST(FieldsTest, NoClassIsThereTwice) {
  for_each_family([]<typename T>() {
    const std::vector<std::string> names = class_names<T>();
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  });
}

// Single messages, word by word.

std::string from_config_error(const std::string& class_name, const char* json) {
  return error_text_of([&] { from_config<Layer>(class_name, Config::parse(json)); });
}

TEST(FromConfigTest, NamesClassKeyAndNearestKey) {
  EXPECT_EQ(from_config_error("Dense", R"({"unit": 3})"),
            "[from_config] Dense has no key \"unit\"; did you mean \"units\"?");
  EXPECT_EQ(from_config_error("Dense", R"({"units": "three"})"),
            "[from_config] units of Dense must be an integer; got a string: \"three\"");
  EXPECT_EQ(from_config_error("Dense", R"({"units": 3.5})"),
            "[from_config] units of Dense must be an integer; got a number: 3.5");
  EXPECT_EQ(from_config_error("Dense", R"({"units": 3, "use_bias": 1})"),
            "[from_config] use_bias of Dense must be true or false; got an integer: 1");
  EXPECT_EQ(from_config_error("Dense", R"({"units": 3, "activation": "rellu"})"),
            "[Dense] unknown activation; got activation = \"rellu\"; did you mean \"relu\"?");
  EXPECT_EQ(from_config_error("Dense", R"({"units": 3, "kernel_initializer": "glorot"})").substr(0, 42),
            "[Dense] unknown kernel_initializer; got ke");
  EXPECT_EQ(from_config_error(
                "Dense", R"({"units": 3, "kernel_initializer": {"class_name": "Zeroes", "config": {}}})"),
            "[deserialize] there is no initializer class \"Zeroes\" for kernel_initializer of Dense; did you "
            "mean \"Zeros\"?");
  EXPECT_EQ(
      from_config_error("Dense", R"({"units": 3, "dtype": "float31"})"),
      "[from_config] dtype of Dense must be the name of a dtype, \"mixed_float16\", \"mixed_bfloat16\", or a "
      "DTypePolicy with one; got a string: \"float31\"");
  EXPECT_EQ(
      from_config_error("Dense", R"({"units": 3, "quantization_config": {}})"),
      "[deserialize] expected a quantization config for quantization_config of Dense as {\"class_name\": "
      "..., \"config\": {...}}; class_name is missing or no string");
  EXPECT_EQ(from_config_error("Hashing", R"({"num_bins": 3, "sparse": true})"),
            "[from_config] sparse of Hashing is not supported and must be false; got true");
  EXPECT_EQ(from_config_error("BatchNormalization", R"({"renorm_clipping": {"rmx": 3}})"),
            "[from_config] renorm_clipping of BatchNormalization has no key \"rmx\"; did you mean \"rmax\"?");
  EXPECT_EQ(from_config_error("BatchNormalization", R"({"renorm_clipping": {"rmax": "3"}})"),
            "[from_config] rmax of renorm_clipping of BatchNormalization must be a number; got a string: "
            "\"3\"");
  EXPECT_EQ(from_config_error("BatchNormalization", R"({"renorm_clipping": 3})"),
            "[from_config] renorm_clipping of BatchNormalization must be a dict of rmin, rmax and dmax, or "
            "null; got an integer: 3");
  EXPECT_EQ(from_config_error("Dense", "[1]"),
            "[from_config] the config of Dense must be a dict; got a list");
  EXPECT_EQ(from_config_error("Dens", R"({"units": 3})"),
            "[deserialize] there is no layer class \"Dens\"; did you mean \"Dense\"?");
  EXPECT_EQ(from_config_error("RNN", R"({"units": 3})"),
            "[from_config] RNN needs the key \"cell\"; there are: units");
}

TEST(FromConfigTest, ConstructorsKeepTheirChecksOfValues) {
  EXPECT_NE(from_config_error("Dense", R"({"units": 0})").find("units must be positive"), std::string::npos);
  EXPECT_NE(from_config_error("Dropout", R"({"rate": 2.0})").find("rate"), std::string::npos);
}

TEST(FromConfigTest, ClassesOfOthersAreNeverMade) {
  const auto error = [](const char* json) {
    return error_text_of([&] { deserialize<Layer>(Config::parse(json)); });
  };
  EXPECT_NE(error(R"({"module": "my.layers", "class_name": "Dense", "config": {"units": 3}})")
                .find("is not one of Keras's"),
            std::string::npos);
  EXPECT_NE(
      error(
          R"({"module": null, "class_name": "Dense", "config": {"units": 3}, "registered_name": "pkg>Dense"})")
          .find("is not one of"),
      std::string::npos);
  EXPECT_NE(
      error(R"({"class_name": "Lambda", "config": {"function": {"class_name": "__lambda__", "config": {}}}})")
          .find("never read"),
      std::string::npos);
  EXPECT_NE(error(R"({"class_name": 3})").find("class_name is missing or no string"), std::string::npos);
  EXPECT_NE(error(R"({"class_nam": "Dense"})").find("did you mean \"class_name\"?"), std::string::npos);
  EXPECT_NE(error("3").find("expected a layer as"), std::string::npos);
}

TEST(FromConfigTest, ABuiltLayerIsBuiltAgain) {
  const layers::Dense dense({.units = 3});
  dense->build_once({kUnknown, 4});
  const LayerHandle again(deserialize<Layer>(serialize<Layer>(*dense)));
  EXPECT_TRUE(again.built());
  EXPECT_EQ(again.count_params(), dense.count_params());
  EXPECT_EQ(again.name(), dense.name());
}

TEST(GetConfigTest, SaysWhatTheObjectIsNow) {
  const layers::Dense dense({.units = 3, .name = "d"});
  dense.set_trainable(false);
  EXPECT_EQ(dense.get_config().at("trainable"), Config(false));
  const optimizers::Adam adam({.learning_rate = 0.5});
  adam.set_learning_rate(0.25);
  EXPECT_EQ(adam.get_config().at("learning_rate"), Config(0.25));
  const layers::Bidirectional both(layers::LSTM({.units = 2, .name = "l"}));
  EXPECT_EQ(both.get_config().at("backward_layer").at("config").at("go_backwards"), Config(true));
  EXPECT_EQ(both.get_config().at("layer").at("config").at("name"), Config("forward_l"));
}

TEST(GetConfigTest, AnOwnCellOfALayerIsWrittenAsACell) {
  const layers::LSTM lstm({.units = 2, .activation = "relu"});
  const Config cell = lstm.cell().get_config();
  EXPECT_EQ(cell.at("activation"), Config("relu"));
  EXPECT_FALSE(cell.contains("return_sequences"));
  EXPECT_EQ(from_config<Layer>("LSTMCell", cell)->get_config(), cell);
}

class Doubled : public Layer {
 public:
  Doubled() : Layer("Doubled", "twice") {}
  Tensor call(const Tensor& x, const CallContext&) override { return x + x; }
};

class Described : public Layer {
 public:
  Described() : Layer("Described", "mine") {}
  Tensor call(const Tensor& x, const CallContext&) override { return x; }
  Config get_config() const override { return Config::dict({{"name", name()}, {"factor", 3}}); }
};

TEST(GetConfigTest, CodeIsRefusedWithTheObjectsName) {
  const auto error = [](const LayerHandle& layer) { return error_text_of([&] { layer.get_config(); }); };
  EXPECT_EQ(error(layers::Lambda(
                layers::LambdaOptions{.function = [](const Tensor& x) { return x; }, .name = "f"})),
            "[get_config] function of Lambda is code, which cannot be written: derive a layer of your own "
            "that overrides get_config(), or use "
            "layers that there are; in layer \"f\"");
  EXPECT_EQ(error(std::make_shared<Doubled>()),
            "[get_config] layer \"twice\" cannot be written: it is a function or of a class of yours; derive "
            "a class that overrides "
            "get_config(); in layer \"twice\"");
  const auto square = [](const Tensor& x) { return x * x; };
  EXPECT_EQ(error(layers::Dense({.units = 2, .activation = square, .name = "d"})),
            "[get_config] activation of Dense is code, which cannot be written: give an activation by its "
            "name, or a layer that has a "
            "get_config(); in layer \"d\"");
  EXPECT_NE(error(layers::Dense({.units = 2, .kernel_regularizer = square, .name = "d"}))
                .find("; for kernel_regularizer of Dense; in layer \"d\""),
            std::string::npos);
  const optimizers::SGD sgd(
      {.learning_rate = [](const Tensor& step) { return ops::cast(step, DType::kF32); }});
  EXPECT_NE(error_text_of([&] { sgd.get_config(); }).find("; for learning_rate of SGD"), std::string::npos);
}

TEST(GetConfigTest, AClassOfTheUsersMayDescribeItself) {
  EXPECT_EQ(
      serialize<Layer>(Described()).json(),
      R"({"module": null, "class_name": "Described", "config": {"name": "mine", "factor": 3}, "registered_name": "Described"})");
}

TEST(GetConfigTest, AFunctionOfOursHasItsName) {
  EXPECT_EQ(ActivationSpec(&activations::tanh).keras_name(), "tanh");
  EXPECT_EQ(ActivationSpec("LogSoftmax").keras_name(), "log_softmax");
  EXPECT_EQ(ActivationSpec([](const Tensor& x) { return x; }).keras_name(), std::nullopt);
}

}  // namespace
}  // namespace cornu::inline v0::keras::saving
