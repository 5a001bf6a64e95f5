#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "cornu/keras/config/registry_support.h"
#include "cornu/keras/keras.h"

/// The results of get_config(), compared with Keras's (tools/goldens/configs.py).
namespace cornu::inline v0::keras::saving {
namespace {

Config golden_file(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("run the tests in the repository's root");
  std::stringstream text;
  text << file.rdbuf();
  return Config::parse(text.str());
}

/// The golden configurations, including classes that Keras has on TensorFlow only.
const Config& goldens() {
  static const auto& all = *new Config([] {
    Config content = golden_file("tests/goldens/configs.json");
    Config classes = content.at("classes");
    const Config texts = golden_file("tests/goldens/text_layers.json");
    for (const Config& row : texts.at("classes").as_list()) classes.append(row);
    content.set("classes", std::move(classes));
    return content;
  }());
  return all;
}

/// The differences between two configurations, one line each.
void differences(const Config& ours, const Config& keras, const std::string& path, std::string& out) {
  if (ours == keras) return;
  if (ours.is_dict() && keras.is_dict()) {
    for (const auto& [key, value] : ours.as_dict()) {
      if (const Config* other = keras.find(key)) {
        differences(value, *other, path + "." + key, out);
      } else {
        out += path + "." + key + ": Keras does not write it; ours " + value.json() + "\n";
      }
    }
    for (const auto& [key, value] : keras.as_dict())
      if (!ours.contains(key)) out += path + "." + key + ": is missing; Keras's " + value.json() + "\n";
  } else if (ours.is_list() && keras.is_list() && ours.size() == keras.size()) {
    for (std::size_t i = 0; i < ours.size(); ++i)
      differences(ours.at(i), keras.at(i), path + "[" + std::to_string(i) + "]", out);
  } else {
    out += path + ": ours " + ours.json() + "; Keras's " + keras.json() + "\n";
  }
}

std::string differences(const Config& ours, const Config& keras) {
  std::string out;
  differences(ours, keras, "", out);
  return out;
}

/// The configuration without call arguments that Keras adds itself: mask = null for layers that take masks,
/// and for recurrent layers also training = false.
Config without_idle_arguments(const Config& config) {
  if (config.is_list()) {
    Config list{Config::List()};
    for (const Config& each : config.as_list()) list.append(without_idle_arguments(each));
    return list;
  }
  if (!config.is_dict()) return config;
  Config result = Config::dict();
  const bool is_idle = config.find("mask") != nullptr && config.at("mask").is_null();
  for (const auto& [key, value] : config.as_dict())
    if (!is_idle || (key != "mask" && !(key == "training" && value == Config(false))))
      result.set(key, without_idle_arguments(value));
  return result;
}

/// Calls `check` with the family's type.
template <typename Check>
void in_family(const std::string& family, const Check& check) {
  if (family == "layers") return check.template operator()<Layer>();
  if (family == "losses") return check.template operator()<Loss>();
  if (family == "metrics") return check.template operator()<Metric>();
  if (family == "optimizers") return check.template operator()<Optimizer>();
  if (family == "optimizers/schedules") return check.template operator()<LearningRateSchedule>();
  if (family == "initializers") return check.template operator()<Initializer>();
  if (family == "regularizers") return check.template operator()<Regularizer>();
  if (family == "constraints") return check.template operator()<Constraint>();
  FAIL() << family;
}

/// Starts a new session for each test, since Keras's numbered names start from the beginning.
class ConfigsGoldenTest : public ::testing::Test {
 protected:
  void SetUp() override { clear_session(); }
};

TEST_F(ConfigsGoldenTest, ObjectsMadeOfTheSameArgumentsHaveKerasConfigs) {
  for (const Config& golden : goldens().at("classes").as_list()) {
    const std::string name = golden.at("class_name").as_string();
    in_family(golden.at("family").as_string(), [&]<typename T>() {
      clear_session();
      try {
        const std::shared_ptr<T> object = from_config<T>(name, golden.at("arguments"));
        EXPECT_EQ(differences(serialize(*object), golden.at("object")), "")
            << name << " of " << golden.at("arguments").json();
      } catch (const Error& error) {
        ADD_FAILURE() << name << " of " << golden.at("arguments").json() << ": " << error.what();
      }
    });
  }
}

TEST_F(ConfigsGoldenTest, WhatKerasWroteIsReadAndWrittenAgain) {
  for (const Config& golden : goldens().at("classes").as_list()) {
    in_family(golden.at("family").as_string(), [&]<typename T>() {
      try {
        EXPECT_EQ(differences(serialize(*deserialize<T>(golden.at("object"))), golden.at("object")), "")
            << golden.at("class_name").as_string();
      } catch (const Error& error) {
        ADD_FAILURE() << golden.at("object").json() << ": " << error.what();
      }
    });
  }
}

TEST_F(ConfigsGoldenTest, EveryClassHasACase) {
  std::set<std::string> seen;
  for (const Config& golden : goldens().at("classes").as_list())
    seen.insert(golden.at("family").as_string() + " " + golden.at("class_name").as_string());
  for (const Config& golden : goldens().at("composites").as_list())
    seen.insert("layers " + golden.at("class_name").as_string());
  for (const Config& golden : goldens().at("models").as_list())
    seen.insert("layers " + golden.at("class_name").as_string());
  for (const char* family : {"layers", "losses", "metrics", "optimizers", "optimizers/schedules",
                             "initializers", "regularizers", "constraints"}) {
    in_family(family, [&]<typename T>() {
      for (const std::string& name : class_names<T>())
        EXPECT_TRUE(name == "Lambda" || name == "DistributedEmbedding" ||  // keras-rs's
                    seen.contains(std::string(family) + " " + name))
            << family << " " << name;
    });
  }
}

TEST_F(ConfigsGoldenTest, LayersThatHoldLayersAndBuiltOnes) {
  for (const Config& golden : goldens().at("composites").as_list()) {
    try {
      EXPECT_EQ(differences(serialize(*deserialize<Layer>(golden)), golden), "")
          << golden.at("class_name").as_string();
    } catch (const Error& error) {
      ADD_FAILURE() << golden.json() << ": " << error.what();
    }
  }
}

TEST_F(ConfigsGoldenTest, Models) {
  for (const Config& golden : goldens().at("models").as_list()) {
    const std::string name = golden.at("config").at("name").as_string();
    try {
      EXPECT_EQ(differences(serialize(*model_from_config(golden)), without_idle_arguments(golden)), "")
          << name;
    } catch (const Error& error) {
      ADD_FAILURE() << name << ": " << error.what();
    }
  }
}

TEST_F(ConfigsGoldenTest, ActivationsAreWrittenByKerasNames) {
  for (const auto& [name, keras_name] : goldens().at("activations").as_dict()) {
    EXPECT_EQ(ActivationSpec(name).keras_name(), keras_name.as_string());
    EXPECT_EQ(layers::Activation(name.c_str()).get_config().at("activation"), keras_name);
  }
  EXPECT_EQ(goldens().at("activations").size(), activations::names().size());
}

}  // namespace
}  // namespace cornu::inline v0::keras::saving
