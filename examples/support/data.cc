#include "examples/support/data.h"

#include <cstdio>
#include <vector>

#include "cornu/tensor/device.h"
#include "examples/support/document_device.h"

namespace cornu::inline v0::examples {
namespace {

namespace datasets = keras::datasets;

datasets::MakeDataOptions made_rows(const Program& program, const MadeRows& quick_rows) {
  if (!program.quick()) return {.seed = program.seed()};
  return {.num_train = quick_rows.train, .num_test = quick_rows.test, .seed = program.seed()};
}

}  // namespace

void say_made_data(const std::string& reason) {
  std::printf(
      "%s.\nThere are no such files, so this run trains on made data of the same shape: it shows that the "
      "program learns, and says "
      "nothing about the real data.\n",
      reason.c_str());
}

datasets::TrainAndTest load_mnist(const Program& program, const std::string& path,
                                  const MadeRows& quick_rows) {
  return load_or_make<datasets::TrainAndTest>(
      program, path,
      [](const std::string& p) {
        return p.empty() ? datasets::mnist::load_data() : datasets::mnist::load_data({.path = p});
      },
      [&] { return datasets::mnist::make_data(made_rows(program, quick_rows)); });
}

datasets::TrainAndTest load_cifar10(const Program& program, const std::string& path,
                                    const MadeRows& quick_rows) {
  return load_or_make<datasets::TrainAndTest>(
      program, path,
      [](const std::string& p) {
        return p.empty() ? datasets::cifar10::load_data() : datasets::cifar10::load_data({.path = p});
      },
      [&] { return datasets::cifar10::make_data(made_rows(program, quick_rows)); });
}

datasets::imdb::ReviewData load_imdb(const Program& program, const std::string& path,
                                     const MadeRows& quick_rows, std::int64_t num_words) {
  datasets::imdb::LoadDataOptions options{.num_words = num_words};
  return load_or_make<datasets::imdb::ReviewData>(
      program, path,
      [&](const std::string& p) {
        if (!p.empty()) options.path = p;
        return datasets::imdb::load_data(options);
      },
      [&] { return datasets::imdb::make_data(made_rows(program, quick_rows), options); });
}

Tensor scaled_pixels(const Tensor& bytes, const Dims& shape) {
  const auto pixels = bytes.data<std::uint8_t>();
  std::vector<float> values(pixels.begin(), pixels.end());
  for (float& value : values) value /= 255.0F;
  return Tensor::adopt(shape, std::move(values));
}

Tensor class_ids(const Tensor& labels) {
  return Tensor::adopt({labels.num_elements()}, labels.to_vector<std::int32_t>());
}

void print_time(Program& program, const keras::callbacks::History& history, const std::string& name) {
  const bool from_cache = history.num_compiles > 0 && history.num_from_cache == history.num_compiles;
  std::printf("%lld steps at %.3f ms; compiled in %.2f s%s\n", static_cast<long long>(history.num_steps),
              history.microseconds_per_step() / 1e3, history.compile_seconds,
              from_cache ? ", from the disk cache" : "");
  const char* const kind = kind_of(*default_client());
  program.keep(name + "_steps", static_cast<double>(history.num_steps));
  program.keep(name + "_step", history.microseconds_per_step() / 1e3, "ms", kind);
  program.keep(name + "_compile", history.compile_seconds, "s", kind);
}

}  // namespace cornu::inline v0::examples
