#include "tests/model_files/model_files_test_support.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "cornu/keras/utils/arrays.h"

namespace cornu::inline v0::keras {

TestFolder::TestFolder() {
  const ::testing::UnitTest& tests = *::testing::UnitTest::GetInstance();
  const ::testing::TestInfo* const info = tests.current_test_info();  // null in SetUpTestSuite()
  std::string name = std::string("cornu_model_files_") + tests.current_test_suite()->name();
  if (info != nullptr) name += std::string("_") + info->name();
  // Files that are brought to the disk again and again: in memory that takes no seconds.
  const std::filesystem::path memory = "/dev/shm";
  const bool has_memory = ::access(memory.c_str(), W_OK) == 0;
  path_ = (has_memory ? memory : std::filesystem::path(::testing::TempDir())) / name;
  std::filesystem::remove_all(path_);
  std::filesystem::create_directories(path_);
}
TestFolder::~TestFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

ModelGolden::ModelGolden(const std::string& name) {
  const Tensors all = utils::load_npz("tests/data/keras/" + name + ".npz");
  const auto named = [&](const std::string& key) {
    std::vector<Tensors::Named> found;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all.names()[i] == key) return Tensors(all[i]);
      if (all.names()[i].starts_with(key + "/"))
        found.emplace_back(all.names()[i].substr(key.size() + 1), all[i]);
    }
    return Tensors(found);
  };
  x = named("x");
  y = named("y");
  before = named("before");
  after = named("after");
  losses = named("losses")[0].to_vector<double>();
  const Tensors values = named("weights");
  weights.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    weights[static_cast<std::size_t>(std::stoi(values.names()[i]))] = values[i];
}

double relative_difference(const Tensor& got, const Tensor& expected) {
  if (got.shape() != expected.shape()) return std::numeric_limits<double>::infinity();
  const ir::Literal &a = got.literal(), &b = expected.literal();
  double largest = 0, squares = 0;
  for (std::int64_t i = 0; i < got.num_elements(); ++i) {
    largest = std::max(largest, std::abs(a.at(i) - b.at(i)));
    squares += b.at(i) * b.at(i);
  }
  const double rms = std::sqrt(squares / static_cast<double>(std::max<std::int64_t>(1, got.num_elements())));
  return largest / std::max(rms, 1e-30);
}

namespace {

/// The Scale of tools/goldens/model_files.py.
class Scale : public Layer {
 public:
  explicit Scale(const Config& config)
      : Layer("Scale", config.at("name").as_string()), factor_(config.at("factor").as_number()) {}
  Config get_config() const override { return Config::dict({{"name", name()}, {"factor", factor_}}); }
  std::string registered_name() const override { return "demo>Scale"; }

 protected:
  void build(const Dims& shape) override {
    scale_ = add_weight({.name = "scale", .shape = {shape.back()}, .initializer = "ones"});
  }
  Tensor call(const Tensor& x, const CallContext&) override {
    Tensor y = x * scale_.value() * factor_;
    for (const LayerHandle& block : blocks_) y = block(y);
    return head_(y);
  }

 private:
  double factor_;
  Variable scale_;
  std::vector<LayerHandle> blocks_ =
      track(std::vector<LayerHandle>{layers::Dense({.units = 3, .activation = "tanh"}),
                                     layers::Dense({.units = 3})},
            "blocks");
  LayerHandle head_ = track(LayerHandle(layers::Dense({.units = 2})), "head");
};

}  // namespace

CustomObjects demo_objects() {
  CustomObjects objects;
  objects.layers["demo>Scale"] = [](const Config& config) { return std::make_shared<Scale>(config); };
  return objects;
}

}  // namespace cornu::inline v0::keras
