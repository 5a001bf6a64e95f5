#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cornu/base/error.h"
#include "cornu/keras/callbacks/history.h"
#include "cornu/keras/datasets/datasets.h"
#include "examples/support/program.h"

namespace cornu::inline v0::examples {

/// How many rows to make where there are no files.
struct MadeRows {
  std::int64_t train = 0;  // 0: as many as the real data have
  std::int64_t test = 0;
};

/// Prints the error of files that are not there, and that the program goes on with made data.
void say_made_data(const std::string& reason);

/// The data in the files when `path` is given, and their absence is an error then; else those at the data
/// set's usual path; else, after a word on where people get them, made ones. --quick makes them at once.
template <typename Data>
Data load_or_make(const Program& program, const std::string& path,
                  const std::function<Data(const std::string&)>& load, const std::function<Data()>& make) {
  if (!path.empty()) return load(path);
  if (!program.quick()) {
    try {
      return load({});
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kNotFound) throw;
      say_made_data(error.what());
    }
  }
  return make();
}

keras::datasets::TrainAndTest load_mnist(const Program& program, const std::string& path,
                                         const MadeRows& quick_rows);
keras::datasets::TrainAndTest load_cifar10(const Program& program, const std::string& path,
                                           const MadeRows& quick_rows);
/// Words from 20,000 on are left out.
keras::datasets::imdb::ReviewData load_imdb(const Program& program, const std::string& path,
                                            const MadeRows& quick_rows, std::int64_t num_words = 20000);

/// Bytes as f32 from 0 to 1, in another shape of as many elements.
Tensor scaled_pixels(const Tensor& bytes, const Dims& shape);
/// Labels as i32, [rows].
Tensor class_ids(const Tensor& labels);

/// Prints what a step costs and how long compiling took; figures `<name>_steps`, `<name>_step` in ms and
/// `<name>_compile` in seconds.
void print_time(Program& program, const keras::callbacks::History& history,
                const std::string& name = "training");

}  // namespace cornu::inline v0::examples
