#include "cli/bench_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/workloads.h"
#include "cornu/base/check.h"
#include "cornu/base/steady_clock.h"
#include "cornu/base/temporary_folder.h"
#include "cornu/data/dataset.h"
#include "cornu/data/files.h"
#include "cornu/data/images/images.h"
#include "cornu/io/example.h"
#include "cornu/io/images/image.h"
#include "cornu/io/tfrecord.h"
#include "cornu/keras/keras.h"
#include "cornu/tensor/control_flow.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/random.h"
#include "cornu/version.h"

namespace cornu::inline v0::cli {
namespace {

using data::Dataset;

/// A pipeline, and what each element that it gives carries.
struct Pipeline {
  Dataset dataset;
  double elements;
  double bytes;
};

Dataset image_rows(std::int64_t count, std::int64_t columns) {
  std::vector<float> x(static_cast<std::size_t>(count * columns));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 1021);
  return Dataset::from_tensor_slices(
      {Tensor::adopt({count, columns}, std::move(x)), Tensor::zeros({count}, DType::kI32)});
}

Pipeline slices(std::int64_t count, std::int64_t columns, std::int64_t batch) {
  const double bytes = static_cast<double>(batch * (columns + 1)) * sizeof(float);
  return {image_rows(count, columns).shuffle(count, {.seed = 1}).batch(batch, {.drop_remainder = true}),
          static_cast<double>(batch), bytes};
}

std::string bench_file(const std::string& name) {
  const std::filesystem::path folder = system_temporary_folder() / "cornu_bench_data";
  std::filesystem::create_directories(folder);
  return (folder / name).string();
}

Pipeline records() {
  constexpr std::int64_t kFiles = 4, kRecords = 16384, kBytes = 4096, kBatch = 256;
  std::vector<std::string> files;
  for (std::int64_t i = 0; i < kFiles; ++i) {
    files.push_back(bench_file(fmt::format("r{}.tfrecord", i)));
    if (std::filesystem::exists(files.back())) continue;
    io::RecordWriter writer(files.back());
    const RandomStream random(static_cast<std::uint64_t>(i));
    std::string record(kBytes, '\0');
    for (std::int64_t k = 0; k < kRecords; ++k) {
      const std::uint64_t bits = random.bits(static_cast<std::uint64_t>(k));
      for (std::size_t at = 0; at < record.size(); ++at) record[at] = static_cast<char>(bits >> at % 57);
      writer.write(record);
    }
    writer.close();
  }
  return {data::TFRecordDataset(files).batch(kBatch, {.drop_remainder = true}), kBatch,
          kBatch * double{kBytes}};
}

/// 10 floats, 5 integers and 5 vectors of 16 floats.
Pipeline examples() {
  constexpr std::int64_t kRecords = 50'000, kBatch = 256;
  const std::string file = bench_file("ex.tfrecord");
  if (!std::filesystem::exists(file)) {
    io::RecordWriter writer(file);
    const RandomStream random(1);
    std::uint64_t counter = 0;
    for (std::int64_t k = 0; k < kRecords; ++k) {
      io::Example example;
      for (int i = 0; i < 10; ++i)
        example[fmt::format("f{}", i)] = std::vector{static_cast<float>(random.uniform(counter++))};
      for (int i = 0; i < 5; ++i)
        example[fmt::format("i{}", i)] = std::vector{static_cast<std::int64_t>(random.bits(counter++) >> 24)};
      for (int i = 0; i < 5; ++i) {
        std::vector<float> values(16);
        for (float& value : values) value = static_cast<float>(random.uniform(counter++));
        example[fmt::format("v{}", i)] = std::move(values);
      }
      writer.write(io::serialize_example(example));
    }
    writer.close();
  }
  data::FeatureDescriptions features;
  for (int i = 0; i < 10; ++i) features.emplace_back(fmt::format("f{}", i), data::FixedLenFeature{});
  for (int i = 0; i < 5; ++i)
    features.emplace_back(fmt::format("i{}", i), data::FixedLenFeature{.dtype = DType::kI64});
  for (int i = 0; i < 5; ++i)
    features.emplace_back(fmt::format("v{}", i), data::FixedLenFeature{.shape = {16}});
  const double bytes = static_cast<double>(std::filesystem::file_size(file)) / kRecords * kBatch;
  return {data::TFRecordDataset(file)
              .batch(kBatch, {.drop_remainder = true})
              .map(data::ParseExample(features), {.num_parallel_calls = data::kAutotune})
              .prefetch(data::kAutotune),
          kBatch, bytes};
}

/// A picture of waves and noise, which a JPEG of the usual quality makes 75 KB of.
io::Image picture(std::int64_t height, std::int64_t width, std::uint64_t seed) {
  io::Image image{.height = height, .width = width, .channels = 3};
  const RandomStream random(seed);
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c) {
        const double wave =
            std::sin(0.04 * static_cast<double>(y + 30 * c)) * std::cos(0.05 * static_cast<double>(x));
        const double noise = random.uniform(image.pixels.size()) - 0.5;
        image.pixels.push_back(static_cast<std::uint8_t>(127 + 90 * wave + 40 * noise));
      }
  return image;
}

/// Images of 500 x 375, decoded, resized to 224 x 224, half of them flipped.
Pipeline jpegs() {
  constexpr std::int64_t kFiles = 64, kHeight = 375, kWidth = 500, kSize = 224, kBatch = 32;
  constexpr int kQuality = 75;
  std::vector<std::string> files;
  for (std::int64_t i = 0; i < kFiles; ++i) {
    files.push_back(bench_file(fmt::format("i{}.jpg", i)));
    if (std::filesystem::exists(files.back())) continue;
    io::WholeFile file(files.back());
    const std::string bytes =
        io::encode_jpeg(picture(kHeight, kWidth, static_cast<std::uint64_t>(i)), kQuality);
    file.write(std::as_bytes(std::span(bytes)));
    file.commit();
  }
  const data::ImageLoader load({.size = {kSize, kSize}});
  const Dataset images =
      Dataset::zip({Dataset::from_tensor_slices(files).repeat(), Dataset::random({.seed = 1})})
          .map(
              [load](const std::string& path, std::int64_t bits) {
                const Tensor image = load(path);
                return bits % 2 == 0 ? image : data::flip_left_right(image);
              },
              {.num_parallel_calls = data::kAutotune});
  return {images.batch(kBatch).prefetch(data::kAutotune), kBatch,
          static_cast<double>(kBatch * kSize * kSize * 3) * sizeof(float)};
}

/// Pictures of 28 x 28 bytes and their labels in 4 files, as elements of what `x` and `y` hold; shuffled.
Dataset digits_of_files(const Tensor& x, const Tensor& y, std::int64_t batch_size) {
  constexpr std::int64_t kFiles = 4, kShuffled = 10'000;
  const std::int64_t count = x.shape()[0], pixels = x.num_elements() / count;
  std::vector<std::string> files;
  for (std::int64_t i = 0; i < kFiles; ++i) {
    files.push_back(bench_file(fmt::format("d{}_{}.tfrecord", count, i)));
    if (std::filesystem::exists(files.back())) continue;
    io::RecordWriter writer(files.back());
    for (std::int64_t row = i; row < count; row += kFiles) {
      std::string bytes(static_cast<std::size_t>(pixels), '\0');
      for (std::int64_t k = 0; k < pixels; ++k)
        bytes[static_cast<std::size_t>(k)] = static_cast<char>(255 * x.at(row * pixels + k));
      writer.write(io::serialize_example({{"image", std::vector{std::move(bytes)}},
                                          {"label", std::vector{static_cast<std::int64_t>(y.at(row))}}}));
    }
    writer.close();
  }
  const data::ParseExample parse({{"image", data::FixedLenFeature{.dtype = {}}},
                                  {"label", data::FixedLenFeature{.dtype = DType::kI64}}});
  const auto decode = [parse, shape = x.shape(), pixels](const data::Element& records) {
    const data::Element parsed = parse(records);
    const data::Strings& images = parsed["image"].strings();
    std::vector<float> values(static_cast<std::size_t>(images.size() * pixels));
    for (std::int64_t i = 0; i < images.size(); ++i) {
      const std::string_view bytes = images[i];
      if (std::ssize(bytes) != pixels)
        fail(ErrorCode::kDataLoss, "[bench] a picture of {} bytes", bytes.size());
      for (std::int64_t k = 0; k < pixels; ++k)
        values[static_cast<std::size_t>(i * pixels + k)] =
            static_cast<float>(static_cast<unsigned char>(bytes[static_cast<std::size_t>(k)])) / 255;
    }
    Dims batch = shape;
    batch[0] = images.size();
    return std::pair(Tensor::adopt(batch, std::move(values)),
                     ops::cast(parsed["label"].tensor(), DType::kI32));
  };
  return data::TFRecordDataset(files)
      .shuffle(kShuffled, {.seed = 1})
      .batch(batch_size)
      .map(decode, {.num_parallel_calls = data::kAutotune})
      .prefetch(data::kAutotune);
}

Pipeline mapped(bool in_parallel) {
  constexpr std::int64_t kBatch = 1024;
  data::MapOptions options;
  if (in_parallel) options.num_parallel_calls = data::kAutotune;
  const Dataset numbers = Dataset::range(std::int64_t{1} << 40);
  const Dataset batches = numbers.map([](std::int64_t value) { return value + 1; }, options).batch(kBatch);
  return {in_parallel ? batches.prefetch(data::kAutotune) : batches, kBatch,
          kBatch * double{sizeof(std::int64_t)}};
}

Pipeline pipeline_named(const std::string& name) {
  if (name == "data_slices") return slices(60'000, 784, 128);
  if (name == "data_slices_iris") return slices(150, 4, 20);
  if (name == "data_tfrecord") return records();
  if (name == "data_example") return examples();
  if (name == "data_jpeg") return jpegs();
  if (name == "data_map") return mapped(true);
  return mapped(false);
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& data_pipelines() {
  static const auto& all = *new std::vector<std::pair<std::string, std::string>>{
      {"data_slices", "60,000 rows of 784 floats, shuffled, in batches of 128"},
      {"data_slices_iris", "150 rows of 4 floats, shuffled, in batches of 20"},
      {"data_tfrecord", "records of 4 KiB in 4 files, in batches of 256"},
      {"data_example", "tf.train.Examples of 20 features, parsed in batches of 256"},
      {"data_map", "a C++ function of numbers, in parallel, in batches of 1,024"},
      {"data_map_serial", "the same on one thread"},
      {"data_jpeg", "JPEGs of 500 x 375, decoded, resized to 224 x 224, some flipped, in batches of 32"},
      {"data_fit", "rows through fit of iris_mlp, from a data set of arrays and from the arrays"},
      {"data_fit_mnist", "the same of mnist_mlp"},
      {"data_fit_records", "rows through fit of mnist_cnn, from TFRecord files and from arrays"},
      {"data_next", "steps of mnist_mlp by next(iterator) in a compiled loop, and by fit"}};
  return all;
}

bool is_data_pipeline(const std::string& name) {
  return std::any_of(data_pipelines().begin(), data_pipelines().end(),
                     [&](const auto& row) { return row.first == name; });
}

namespace {

using Clock = std::chrono::steady_clock;

/// With the threads that the default client has.
Dataset with_threads(const Dataset& dataset) {
  return dataset.with_options({.num_threads = default_client()->num_threads()});
}

/// Epochs in one way and in another.
using Epochs = std::function<void(std::int64_t count)>;

/// Rows a second in the first of two ways, and its time as a multiple of the second's, in turn: the best of
/// each. `other`: what the second way is.
nlohmann::ordered_json compare_epochs(const std::string& name, double seconds, const Tensor& x,
                                      const Epochs& first, const std::string& other, const Epochs& second) {
  second(1);
  first(1);
  Clock::time_point begin = Clock::now();
  second(1);
  constexpr double kTurns = 6;  // of each
  const auto epochs = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(seconds / kTurns / 2 / seconds_since(begin)), 1, 100'000);
  double of_first = 1e9, of_second = 1e9;
  for (int turn = 0; turn < static_cast<int>(kTurns); ++turn) {
    begin = Clock::now();
    second(epochs);
    of_second = std::min(of_second, seconds_since(begin));
    begin = Clock::now();
    first(epochs);
    of_first = std::min(of_first, seconds_since(begin));
  }
  const auto num_rows = static_cast<double>(x.shape()[0]);
  const double rows = num_rows * static_cast<double>(epochs);
  const double row_bytes = static_cast<double>(x.type().size_bytes()) / num_rows;
  return {{"workload", name},
          {"peer", "cornu"},
          {"version", CORNU_VERSION_STRING},
          {"threads", default_client()->num_threads()},
          {"per_s", std::llround(rows / of_first)},
          {"gb_s", std::round(rows / of_first * row_bytes / 1e5) / 1e4},
          {other + "_per_s", std::llround(rows / of_second)},
          {"times_" + other, std::round(of_first / of_second * 1e4) / 1e4}};
}

/// Rows through fit, from a data set of arrays or of files and from the arrays themselves.
nlohmann::ordered_json bench_data_fit(const std::string& name, double seconds) {
  const bool has_files = name == "data_fit_records";
  const Workload& workload = find_workload(has_files            ? "mnist_cnn"
                                           : name == "data_fit" ? "iris_mlp"
                                                                : "mnist_mlp");
  set_random_seed(0);
  const WorkloadData arrays = make_data(workload);
  keras::Model model = workload.make_model();
  model.compile(workload.compile_options());
  const Tensor& x = arrays.x[0];
  const std::int64_t num_rows = x.shape()[0];
  const Dataset dataset = with_threads(has_files ? digits_of_files(x, arrays.y, workload.batch_size)
                                                 : Dataset::from_tensor_slices({x, arrays.y})
                                                       .shuffle(num_rows, {.seed = 1})
                                                       .batch(workload.batch_size));
  return compare_epochs(
      name, seconds, x, [&](std::int64_t epochs) { model.fit(dataset, {.epochs = epochs, .verbose = 0}); },
      "arrays",
      [&](std::int64_t epochs) {
        model.fit(x, arrays.y, {.batch_size = workload.batch_size, .epochs = epochs, .verbose = 0});
      });
}

/// A custom training step with next(iterator) in a compiled loop, and fit with the same number of steps per
/// execution.
nlohmann::ordered_json bench_data_next(const std::string& name, double seconds) {
  constexpr std::int64_t kSteps = 50;
  const Workload& workload = find_workload("mnist_mlp");
  set_random_seed(0);
  const WorkloadData arrays = make_data(workload);
  const Tensor& x = arrays.x[0];
  const Dataset dataset = Dataset::from_tensor_slices({x, arrays.y})
                              .shuffle(x.shape()[0], {.seed = 1})
                              .batch(workload.batch_size, {.drop_remainder = true});
  keras::Model model = workload.make_model(), fitted = workload.make_model();
  fitted.compile({.optimizer = keras::optimizers::SGD({.learning_rate = 0.01}),
                  .loss = "sparse_categorical_crossentropy",
                  .steps_per_execution = kSteps});
  const keras::optimizers::SGD optimizer({.learning_rate = 0.01});
  const auto train = function([&](const data::Iterator& batches, const Tensor& count) {
    fori_loop(0, count, [&](const Tensor&) {
      const data::Element batch = next(batches);
      GradientTape tape;
      const Tensor y = model(batch[0].tensor(), {.training = true});
      const Tensor loss = ops::mean(keras::losses::sparse_categorical_crossentropy(batch[1].tensor(), y));
      optimizer->apply(tape.gradient(loss, model.trainable_variables()), model.trainable_variables());
    });
  });
  const auto loops = [&](std::int64_t epochs) {
    for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
      data::Iterator batches = dataset.iterator();
      while (const std::int64_t count = batches.read_ahead(kSteps))
        train(batches, Tensor::of<std::int64_t>({}, {count}));
    }
  };
  return compare_epochs(name, seconds, x, loops, "fit",
                        [&](std::int64_t epochs) { fitted.fit(dataset, {.epochs = epochs, .verbose = 0}); });
}

}  // namespace

nlohmann::ordered_json bench_data(const std::string& name, double seconds, const MachineOptions& machine) {
  const bool is_fit = name.starts_with("data_fit"), is_next = name == "data_next";
  if (!is_fit && !is_next && !machine.isa.empty())
    throw CLI::ValidationError("--isa", name + " runs no compiled program");
  use_device(machine);
  if (is_next) return bench_data_next(name, seconds);
  if (is_fit) return bench_data_fit(name, seconds);
  const Pipeline pipeline = pipeline_named(name);
  data::Iterator iterator = with_threads(pipeline.dataset).repeat().iterator();
  iterator.next();
  constexpr int kNumParts = 3;
  std::vector<double> milliseconds;  // a batch, in each part of the time
  for (int part = 0; part < kNumParts; ++part) {
    std::int64_t count = 0;
    double elapsed = 0;
    const Clock::time_point begin = Clock::now();
    while (elapsed < seconds / kNumParts) {
      for (int i = 0; i < 16 && iterator.next().has_value(); ++i) ++count;
      elapsed = seconds_since(begin);
    }
    milliseconds.push_back(elapsed * 1e3 / static_cast<double>(count));
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  const double rate = 1e3 / milliseconds[1];
  return {{"workload", name},
          {"peer", "cornu"},
          {"version", CORNU_VERSION_STRING},
          {"threads", default_client()->num_threads()},
          {"ms_step", milliseconds[1]},
          {"ms_min", milliseconds[0]},
          {"per_s", std::llround(rate * pipeline.elements)},
          {"gb_s", std::round(rate * pipeline.bytes / 1e5) / 1e4}};
}

}  // namespace cornu::inline v0::cli
