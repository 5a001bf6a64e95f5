#include "cli/bench_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/thread_pool.h"
#include "cornu/data/dataset.h"
#include "cornu/data/files.h"
#include "cornu/io/example.h"
#include "cornu/io/tfrecord.h"
#include "cornu/tensor/random.h"

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
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "cornu_bench_data";
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
      {"data_map_serial", "the same on one thread"}};
  return all;
}

bool is_data_pipeline(const std::string& name) {
  return std::any_of(data_pipelines().begin(), data_pipelines().end(),
                     [&](const auto& row) { return row.first == name; });
}

nlohmann::ordered_json bench_data(const std::string& name, double seconds) {
  using Clock = std::chrono::steady_clock;
  const Pipeline pipeline = pipeline_named(name);
  data::Iterator iterator = pipeline.dataset.repeat().iterator();
  iterator.next();
  std::int64_t count = 0;
  double elapsed = 0;
  const Clock::time_point begin = Clock::now();
  while (elapsed < seconds) {
    for (int i = 0; i < 16 && iterator.next().has_value(); ++i) ++count;
    elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  const double rate = static_cast<double>(count) / elapsed;
  return {{"workload", name},
          {"peer", "cornu"},
          {"version", CORNU_VERSION},
          {"threads", default_num_threads()},
          {"per_s", std::llround(rate * pipeline.elements)},
          {"gb_s", std::round(rate * pipeline.bytes / 1e5) / 1e4}};
}

}  // namespace cornu::inline v0::cli
