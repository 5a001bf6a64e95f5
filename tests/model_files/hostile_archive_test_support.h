#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/io/file.h"
#include "cornu/io/zip.h"
#include "tests/model_files/model_files_test_support.h"

/// A .keras file that is changed until it would harm.
namespace cornu::inline v0::keras {

constexpr const char* kModel = "tests/data/keras/dense.keras";

inline std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The members of a .keras file, some of them changed.
struct Archive {
  std::string config, weights;
  bool has_weights = true;
  std::vector<std::pair<std::string, std::string>> more = {};

  Archive() {
    const io::ZipFile zip(io::open_random_access(kModel), "a .keras");
    config = text_of(zip.read("config.json"));
    weights = text_of(zip.read("model.weights.h5"));
  }
  void write(const std::string& path, bool compressed = false) const {
    io::ZipWriter zip(path);
    const auto add = [&](const std::string& name, const std::string& content) {
      zip.add(name, content.size(), compressed,
              [&](const io::ByteSink& sink) { sink(std::as_bytes(std::span(content))); });
    };
    add("metadata.json", "{}");
    add("config.json", config);
    if (has_weights) add("model.weights.h5", weights);
    for (const auto& [name, content] : more) add(name, content);
    zip.commit();
  }
  std::string load_error(const TestFolder& folder, bool compressed = false) const {
    write(folder / "changed.keras", compressed);
    return error_text_of([&] { load_model(folder / "changed.keras"); });
  }
  Archive with_config(const std::function<void(Config&)>& change) const {
    Archive changed = *this;
    Config parsed = Config::parse(config);
    change(parsed);
    changed.config = parsed.json();
    return changed;
  }
};

#define EXPECT_SAYS(error, part) EXPECT_NE((error).find(part), std::string::npos) << (error)

/// The first layer behind the input.
inline void set_first_layer(Config& model, const Config& layer) {
  Config inside = model.at("config");
  Config::List layers = inside.at("layers").as_list();
  layers[1] = layer;
  inside.set("layers", layers);
  model.set("config", inside);
}

}  // namespace cornu::inline v0::keras
