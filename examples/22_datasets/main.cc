// The programs of docs/guide/datasets.md, run and checked: tools/check_guide.py
// sees that the guide shows what stands here.

#include <filesystem>
#include <fstream>

#include "cornu/data/directories/directories.h"
#include "cornu/data/files.h"
#include "cornu/io/example.h"
#include "cornu/io/images/image.h"
#include "cornu/io/tfrecord.h"
#include "cornu/keras/feature_space/feature_space.h"
#include "cornu/keras/keras.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using data::Dataset, data::Element;
using examples::expect;

std::string folder() {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "cornu_guide_datasets";
  std::filesystem::create_directories(path);
  return path.string();
}

void mechanics() {
  Dataset numbers = Dataset::from_tensor_slices(std::vector{8, 3, 0, 8, 2, 1});
  int sum = 0;
  for (const Element& number : numbers) sum += number.item<int>();

  const Element total = numbers.reduce(0, [](int state, int value) { return state + value; });
  expect(sum == 22 && total.item<int>() == 22, "the numbers add up");
}

void structure() {
  const Tensor x = Tensor::zeros({4, 10}), y = Tensor::zeros({4}, DType::kI32);
  Dataset pairs = Dataset::from_tensor_slices({x, y});
  Dataset named = Dataset::from_tensor_slices({{"features", x}, {"label", y}});
  expect(pairs.element_spec() == "(float32 (10,), int32 ())", "the pairs' specification");
  expect(named.element_spec() == "{'features': float32 (10,), 'label': int32 ()}",
         "the names' specification");

  Dataset scaled =
      pairs.map([](const Tensor& features, int label) { return std::pair(features * 2.0, label); });
  Dataset labels = named.map([](const Element& element) { return element["label"]; });
  expect(scaled.cardinality() == 4 && labels.cardinality() == 4, "as many elements as before");
}

void generators() {
  Dataset squares = Dataset::from_generator([] {
    return [n = 0]() mutable -> std::optional<Element> {
      if (n == 5) return std::nullopt;
      ++n;
      return Element(n * n);
    };
  });
  expect(squares.repeat(2).to_vector().size() == 10, "each pass begins anew");
}

void record_files() {
  const std::string path = folder() + "/people.tfrecord";
  io::RecordWriter writer(path);
  for (std::int64_t i = 0; i < 100; ++i)
    writer.write(
        io::serialize_example({{"age", std::vector<std::int64_t>{20 + i % 50}},
                               {"heights", std::vector<float>{1.5f, 1.6f}},
                               {"words", std::vector<std::string>(static_cast<std::size_t>(i % 3), "w")}}));
  writer.close();

  const data::ParseExample parse({{"age", data::FixedLenFeature{.dtype = DType::kI64}},
                                  {"heights", data::FixedLenFeature{.shape = {2}}},
                                  {"words", data::VarLenFeature{.dtype = std::nullopt}}});
  Dataset people = data::TFRecordDataset(path).batch(32).map(parse, {.num_parallel_calls = data::kAutotune});
  const Element batch = *people.begin();
  expect(batch["heights"].tensor().shape() == Dims({32, 2}), "a batch of each feature");
  expect(batch["words"].ragged().num_rows() == 32, "features of any length are ragged");
}

void text_files() {
  const std::string csv = folder() + "/titanic.csv";
  std::ofstream(csv) << "survived,age,class\n0,22,Third\n1,,First\n1,26,Third\n";

  Dataset lines = data::TextLineDataset(csv).skip(1);
  expect((*lines.begin()).text() == "0,22,Third", "a line");

  Dataset rows = data::CsvDataset(
      csv, {.record_defaults = {DType::kI32, -1.0f, data::CsvColumn::text()}, .header = true});
  Dataset survivors = rows.filter([](int survived, float, const std::string&) { return survived == 1; });
  expect(survivors.to_vector().size() == 2, "two survived");
  expect((*survivors.begin())[1].item<float>() == -1.0f, "a missing field is its default");

  Dataset all = Dataset::list_files((folder() + "/*.csv").c_str()).interleave([](const std::string& file) {
    return data::TextLineDataset(file);
  });
  expect(all.to_vector().size() == 4, "the lines of all files");
}

/// flowers/daisy and flowers/rose, two gray pictures each.
void write_flowers() {
  for (const char* kind : {"daisy", "rose"}) {
    const std::filesystem::path to = std::filesystem::path(folder()) / "flowers" / kind;
    std::filesystem::create_directories(to);
    for (const char* name : {"1.png", "2.png"})
      std::ofstream(to / name, std::ios::binary) << io::encode_png(
          {.height = 4, .width = 6, .channels = 1, .pixels = std::vector<std::uint8_t>(24)});
  }
}

void folders() {
  write_flowers();
  const std::string flowers = folder() + "/flowers";
  const auto [train, validation] = data::image_datasets_from_directory(
      flowers,
      {.batch_size = 2, .image_size = {180, 180}, .seed = 123, .validation_split = 0.5, .verbose = false});
  expect(train.class_names() == std::vector<std::string>{"daisy", "rose"}, "the classes are the folders");
  expect(train.element_spec() == "(float32 (2, 180, 180, 3), int32 (2,))", "the images' specification");

  const data::ImageLoader load({.size = {32, 32}, .channels = 1});
  Dataset images = Dataset::list_files((flowers + "/*/*.png").c_str()).map(load);
  expect(images.to_vector().size() == 4 && validation.file_paths().size() == 2, "all files");

  const Tensor temperatures = Tensor::zeros({100, 3});
  Dataset days = data::timeseries_dataset_from_array(temperatures, temperatures.rows(24, 100),
                                                     {.sequence_length = 24, .batch_size = 16});
  expect((*days.begin()).type_str() == "(float32 (16, 24, 3), float32 (16, 3))",
         "sequences and what follows");
}

void batching() {
  Dataset numbers = Dataset::range(100);
  Dataset pairs = Dataset::zip({numbers, Dataset::range(-100, {.step = -1})});
  const Element first = *pairs.batch(4).begin();
  expect(first[1].tensor().str() == "[ 0 -1 -2 -3]", "a batch of pairs is a pair of batches");

  Dataset lists =
      numbers.map([](std::int64_t n) { return std::vector<std::int64_t>(static_cast<std::size_t>(n), n); });
  const Element padded = *lists.padded_batch(4).begin();
  expect(padded.tensor().shape() == Dims({4, 3}), "padded to the longest");
}

/// Sentences of 3 to 16 words, and whether word 1 is in them.
Dataset sentences_of_words() {
  return Dataset::range(200).map([](std::int64_t n) {
    std::vector<int> words(static_cast<std::size_t>(3 + n * 5 % 14), 2 + static_cast<int>(n % 7));
    if (n % 2 == 0) words[words.size() / 2] = 1;
    return std::pair(words, std::vector{n % 2 == 0 ? 1.0f : 0.0f});
  });
}

void buckets() {
  const Dataset sentences = sentences_of_words();
  keras::Sequential model({keras::layers::Embedding({.input_dim = 10, .output_dim = 8, .mask_zero = true}),
                           keras::layers::GRU({.units = 8}),
                           keras::layers::Dense({.units = 1, .activation = "sigmoid"})});
  model.compile({.optimizer = keras::optimizers::Adam({.learning_rate = 0.02}),
                 .loss = "binary_crossentropy",
                 .metrics = {"accuracy"},
                 .steps_per_execution = 8});

  const Dataset buckets =
      sentences.bucket_by_sequence_length([](const Tensor& words, const Tensor&) { return words.shape()[0]; },
                                          {.bucket_boundaries = {7, 11, 17},
                                           .bucket_batch_sizes = {32, 16, 8, 8},
                                           .padded_shapes = {{data::kUnknownExtent}, {1}},
                                           .pad_to_bucket_boundary = true});
  const auto history = model.fit(buckets, {.epochs = 12, .verbose = 0});
  expect(history.num_compiles == 3, "a program a bucket");
  expect(history["loss"].back() < 0.5 * history["loss"].front(), "it learns");
}

void workflows() {
  const Tensor rows(std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  Dataset slices = Dataset::from_tensor_slices(rows);
  Dataset across = slices.repeat(3).batch(4);  // batches go over the ends of passes
  Dataset within = slices.batch(4).repeat(3);  // each pass ends with a batch of 2
  expect(across.cardinality() == 8 && within.cardinality() == 9, "repeat and batch in both orders");

  Dataset shuffled = slices.shuffle(10, {.seed = 1});  // another order in each pass
  Dataset passes = shuffled.repeat(2);
  expect(passes.to_vector().size() == 20, "two passes");
}

void preprocessing() {
  const RandomStream random(2);
  std::vector<float> values(200);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(90 * random.uniform(i));
  const Tensor ages(values);
  Dataset batches = Dataset::from_tensor_slices(ages).batch(16);
  const keras::layers::Discretization quarter({.num_bins = 4});
  quarter.adapt(batches);
  Dataset quarters = batches.map([quarter](const Tensor& batch) { return quarter(batch); });
  expect(quarter.bin_boundaries().size() == 3, "three boundaries of four quarters");
  expect((*quarters.begin()).type_str() == "int32 (16,)", "the numbers of the quarters");

  const keras::layers::TextVectorization vectorize({.max_tokens = 1000, .output_sequence_length = 4});
  vectorize.adapt({"the cat sat", "the dog ran", "a cat ran"});
  const Tensor words = vectorize({"The cat, the bird!", "ran"});
  Dataset sentences = Dataset::from_tensor_slices(data::Strings{"a cat", "a bird"}).batch(2).map(vectorize);
  expect(words.shape() == Dims{2, 4} && words[0].to_vector<int>() == std::vector<int>({2, 4, 2, 1}),
         "numbers of words");
  expect((*sentences.begin()).type_str() == "int64 (2, 4)", "a batch of numbers");

  const keras::layers::StringLookup city({.vocabulary = {"Rome", "Oslo", "Lima"}});
  const keras::layers::Hashing bin({.num_bins = 100});
  expect(city({"Oslo", "Bern"}).to_vector<int>() == std::vector<int>({2, 0}), "the numbers of cities");
  expect(bin(data::Strings{"Oslo"}).to_vector<int>()[0] < 100, "a bin");

  const keras::Sequential network({keras::layers::Flatten(), keras::layers::Dense({.units = 2})});
  keras::Sequential model({keras::layers::RandomFlip({.mode = "horizontal"}),
                           keras::layers::RandomRotation({.factor = 0.1}), network});
  const Tensor image = Tensor::zeros({1, 8, 8, 3});
  expect(model.predict(image, {.verbose = 0}).shape() == Dims{1, 2}, "a prediction for the image as it is");
}

void boxes_and_masks() {
  const Tensor images = Tensor::zeros({2, 8, 10, 3}), masks = ops::zeros({2, 8, 10, 1}, DType::kI32);
  const Tensor boxes = Tensor::of<float>({2, 1, 4}, {1, 2, 4, 6, 0, 0, 10, 8});
  const Tensor classes = Tensor::of<std::int32_t>({2, 1}, {3, 5});
  const Element objects({{"boxes", boxes}, {"labels", classes}});
  Dataset photos = Dataset::from_tensors(
      Element({{"images", images}, {"bounding_boxes", objects}, {"segmentation_masks", masks}}));
  const keras::layers::Pipeline augment(
      {keras::layers::RandomFlip({.mode = "horizontal", .bounding_box_format = "xyxy"}),
       keras::layers::Resizing({.height = 4, .width = 5, .bounding_box_format = "xyxy"})});
  const Element augmented = *photos.map(augment).begin();
  expect(augmented["segmentation_masks"].tensor().shape() == Dims{2, 4, 5, 1}, "masks of the new size");
  expect(
      augmented["bounding_boxes"]["boxes"].tensor()[1].to_vector<float>() == std::vector<float>({0, 0, 5, 4}),
      "the box of the whole image");
}

void features() {
  const std::vector<float> ages = {18, 35, 52, 70};
  const data::Strings cities = {"Rome", "Oslo", "Rome", "Lima"}, jobs = {"cook", "smith", "cook", "cook"};
  const Tensor labels = Tensor::of<float>({4, 1}, {0, 1, 0, 1});
  const Element table({{"age", ages}, {"city", cities}, {"job", jobs}});
  using keras::utils::FeatureSpace;
  const keras::utils::Feature city = FeatureSpace::string_categorical({.max_tokens = 10});
  const FeatureSpace space(
      {.features = {{"age", "float_normalized"}, {"city", city}, {"job", "string_hashed"}},
       .crosses = {{"city", "job"}},
       .crossing_dim = 8});
  space.adapt(table);
  Dataset rows =
      Dataset::from_tensor_slices(Element({table, labels}))
          .batch(2)
          .map([space](const Element& x, const Tensor& y) { return std::pair(space(x).tensor(), y); });
  const keras::KerasTensors encoded = space.get_encoded_features();
  keras::Model model({.inputs = encoded,
                      .outputs = keras::layers::Dense({.units = 1, .activation = "sigmoid"})(encoded[0])});
  model.compile({.optimizer = "adam", .loss = "binary_crossentropy"});
  model.fit(rows, {.epochs = 2, .verbose = 0});
  space.save(folder() + "/space.keras");
  const FeatureSpace again = FeatureSpace::load(folder() + "/space.keras");

  expect(encoded[0].shape().back() == 1 + 4 + 32 + 8, "the width of the vectors");
  expect(again(table).tensor().to_vector<float>() == space(table).tensor().to_vector<float>(),
         "the file has what the layers adapted to");
}

void windows() {
  Dataset range = Dataset::range(20);
  Dataset features_and_labels =
      range.window(6, {.shift = 5, .drop_remainder = true})
          .flat_map([](const Dataset& window) { return window.batch(6); })
          .map([](const Tensor& steps) { return std::pair(steps.rows(0, 5), steps.rows(1, 6)); });
  const Element first = *features_and_labels.begin();
  expect(first[0].tensor().str() == "[0 1 2 3 4]" && first[1].tensor().str() == "[1 2 3 4 5]",
         "labels are one step ahead");
}

void resampling() {
  Dataset rare = Dataset::from_tensors(1).repeat(), common = Dataset::from_tensors(0).repeat();
  Dataset balanced = Dataset::sample_from_datasets({rare, common}, {.weights = {0.5, 0.5}, .seed = 1});
  const int ones = balanced.take(1000).reduce(0, [](int n, int v) { return n + v; }).item<int>();
  expect(ones > 400 && ones < 600, "about half are rare ones");
}

void places() {
  Dataset dataset = Dataset::range(1000).shuffle(100, {.seed = 4}).batch(10);
  data::Iterator iterator = dataset.iterator();
  iterator.skip(30);
  const std::vector<std::byte> place = iterator.save();
  const Element wanted = *iterator.next();

  data::Iterator later = dataset.iterator();
  later.restore(place);
  expect(later.next()->str() == wanted.str(), "the batch that would have come");
}

void iterators_in_functions() {
  Dataset dataset = Dataset::from_tensor_slices({Tensor::of<float>({7}, {1, 2, 3, 4, 5, 6, 7})}).batch(2);
  Variable sum(0.0f, {.name = "sum", .trainable = false});
  const auto add_steps = function([&](const data::Iterator& batches, const Tensor& count) {
    fori_loop(0, count, [&](const Tensor&) { sum.assign_add(ops::sum(next(batches)[0].tensor())); });
  });
  data::Iterator batches = dataset.iterator();
  while (const std::int64_t count = batches.read_ahead(4))
    add_steps(batches, Tensor::of<std::int64_t>({}, {count}));
  expect(sum.value().item<float>() == 28, "each element was taken once");
  expect(add_steps.trace_count() == 2, "traced for batches of two rows and of one");
}

void training() {
  const RandomStream random(1);
  std::vector<float> values(150 * 4);
  std::vector<int> species(150);
  for (std::size_t i = 0; i < species.size(); ++i) {
    species[i] = static_cast<int>(i % 3);
    for (std::size_t k = 0; k < 4; ++k)
      values[i * 4 + k] = static_cast<float>(species[i] + 0.3 * random.normal(i * 4 + k));
  }
  const Tensor x = Tensor::adopt({150, 4}, std::move(values)), y(species);

  keras::Sequential model({keras::layers::Dense({.units = 16, .activation = "relu"}),
                           keras::layers::Dense({.units = 3, .activation = "softmax"})});
  model.compile({.optimizer = keras::optimizers::Adam({.learning_rate = 0.05}),
                 .loss = "sparse_categorical_crossentropy",
                 .metrics = {"accuracy"}});
  Dataset rows = Dataset::from_tensor_slices({x, y}).shuffle(150, {.seed = 1});
  const auto history = model.fit(rows.batch(20), {.epochs = 20, .verbose = 0});
  const auto once = model.fit(rows.repeat(20).batch(20), {.verbose = 0});
  const auto parts = model.fit(rows.repeat().batch(20), {.epochs = 2, .verbose = 0, .steps_per_epoch = 8});
  expect(history.num_steps == 160 && once.num_steps == 150 && parts.num_steps == 16,
         "the steps of each form");
  expect(history["accuracy"].back() > 0.9, "the species are learned");
}

}  // namespace

int main(int argc, char** argv) {
  const int code = cornu::examples::run_guide_program(
      "datasets", argc, argv,
      {mechanics, structure, generators, record_files, text_files, folders, batching, buckets, workflows,
       preprocessing, boxes_and_masks, features, windows, resampling, places, iterators_in_functions,
       training});
  std::filesystem::remove_all(folder());
  return code;
}
