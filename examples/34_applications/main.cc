// The chapters "Networks for images" and "Programs for other software" (docs/guide/applications.md,
// exporting.md): a network of keras.applications gets a new head, is fine-tuned on a folder of images, and is
// exported.
//
// The folder has made images of two classes, disks and stripes. The weights file stands in for Keras's, which
// this project does not have: a network writes it that has learned squares and bars.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "cornu/data/directories/directories.h"
#include "cornu/io/images/image.h"
#include "cornu/keras/applications/applications.h"
#include "cornu/keras/export/export_model.h"
#include "cornu/keras/keras.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using namespace cornu::keras;
using examples::expect;

constexpr int kSide = 32, kImagesOfAClass = 40;

std::filesystem::path folder() {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "cornu_guide_applications";
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path;
}

enum class Shape { kDisk, kStripes, kSquare, kBars };

/// A gray image of the shape, whose place depends on `number`.
io::Image make_image(Shape shape, int number) {
  io::Image image{.height = kSide, .width = kSide, .channels = 3};
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const int dx = x - 10 - number % 12, dy = y - 10 - number / 4 % 12;
      const bool is_light[] = {dx * dx + dy * dy < 64, (x + number) / 3 % 2 == 0,
                               std::max(std::abs(dx), std::abs(dy)) < 7, (y + number) / 3 % 2 == 0};
      const int gray = is_light[static_cast<int>(shape)] ? 220 : 30 + number;
      image.pixels.insert(image.pixels.end(), 3, static_cast<std::uint8_t>(gray));
    }
  return image;
}

/// Writes a folder for each class, with a file for each image.
void write_images(const std::filesystem::path& folder,
                  const std::vector<std::pair<std::string, Shape>>& classes) {
  for (const auto& [name, shape] : classes) {
    std::filesystem::create_directories(folder / name);
    for (int i = 0; i < kImagesOfAClass; ++i)
      std::ofstream(folder / name / (std::to_string(i) + ".png"), std::ios::binary)
          << io::encode_png(make_image(shape, i));
  }
}

data::Dataset read_images(const std::string& folder) {
  return data::image_dataset_from_directory(
      folder, {.batch_size = 16, .image_size = {kSide, kSide}, .seed = 1, .verbose = false});
}

/// A network that has learned to tell squares from bars, without its classes: a file as Keras has it.
void write_weights(const std::filesystem::path& folder, const std::string& path) {
  write_images(folder, {{"bars", Shape::kBars}, {"squares", Shape::kSquare}});
  Model base = applications::MobileNet(
      {.include_top = false, .input_shape = {kSide, kSide, 3}, .pooling = "avg", .alpha = 0.25});
  const Input pixels({.shape = {kSide, kSide, 3}});
  const KerasTensor features = base(layers::Rescaling({.scale = 1 / 127.5, .offset = -1})(pixels));
  Model model({.inputs = pixels, .outputs = layers::Dense({.units = 2, .activation = "softmax"})(features)});
  model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy"});
  model.fit(read_images(folder).cache(),
            {.epochs = 120, .verbose = 0});  // the averages of BatchNormalization take long
  base.save_weights(path);
}

void fine_tuning() {
  const std::filesystem::path own = folder();
  const std::string images = own / "images", weights = own / "mobilenet.weights.h5";
  write_images(images, {{"disks", Shape::kDisk}, {"stripes", Shape::kStripes}});
  write_weights(own / "before", weights);

  Model base = applications::MobileNet({.include_top = false,
                                        .weights = weights,
                                        .input_shape = {32, 32, 3},
                                        .pooling = "avg",
                                        .alpha = 0.25});
  base.set_trainable(false);
  const Input pixels({.shape = {32, 32, 3}});
  const KerasTensor scaled = layers::Rescaling({.scale = 1 / 127.5, .offset = -1})(pixels);
  const KerasTensor features = base(scaled, {.training = false});
  const KerasTensor classes = layers::Dense({.units = 2, .activation = "softmax"})(features);
  Model model({.inputs = pixels, .outputs = classes});

  const data::Dataset train = data::image_dataset_from_directory(
      images, {.batch_size = 16, .image_size = {32, 32}, .seed = 1, .verbose = false});
  const std::vector<float> before = base.get_weights().at(0).to_vector<float>();
  model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy"});
  const auto head = model.fit(train, {.epochs = 3, .verbose = 0});
  expect(base.get_weights().at(0).to_vector<float>() == before, "a frozen base keeps its weights");

  base.set_trainable(true);
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 1e-3}),
                 .loss = "sparse_categorical_crossentropy",
                 .metrics = {"accuracy"}});
  const auto all = model.fit(train, {.epochs = 10, .verbose = 0});
  expect(base.get_weights().at(0).to_vector<float>() != before, "the base learns, too");
  expect(head["loss"].back() < head["loss"].front() && all["loss"].back() < head["loss"].back(),
         "the loss falls, with a frozen base and with all layers");
  expect(all["accuracy"].back() > 0.9, "disks and stripes are told apart");
  std::printf("loss %.3f to %.3f, accuracy %.2f\n", head["loss"].front(), all["loss"].back(),
              all["accuracy"].back());

  const std::string onnx = own / "model.onnx", artifact = own / "model.mlirbc";
  export_model(model, onnx);
  export_model(model, artifact, {.batch_size = 8});
  expect(std::filesystem::file_size(onnx) > 100'000 && std::filesystem::file_size(artifact) > 100'000,
         "the files have the weights");
  std::filesystem::remove_all(own);
}

void classes_of_images() {
  Model network = applications::make("MobileNet", {.input_shape = {32, 32, 3}, .classes = 10});
  const Tensor images = random::uniform({2, 32, 32, 3}, {.maxval = 255, .seed = 1});
  const Tensor x = applications::mobilenet::preprocess_input(images);
  const Tensor scores = network.predict(x, {.verbose = 0});
  expect(scores.shape() == Dims({2, 10}), "a row of scores for each image");
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run_guide_program("applications.md", argc, argv, {fine_tuning, classes_of_images});
}
