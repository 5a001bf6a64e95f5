// What Cornu saves, for tools/oracles/model_files_oracle.py: saved_models save FOLDER, saved_models check
// RECORD.
//
// save: of each model NAME.keras, NAME.h5, NAME.weights.h5 and NAME.weights.json, trained for two steps;
// NAME.x.npz and NAME.y.npz, the batch that it is trained on;
//       NAME.before.npz, its predictions, and NAME.after.npz, those behind one further step.
//       digests.txt has a line a model: NAME and a checksum of the files with all numbers at zero, so of what
//       a reader must understand, not of roundings.
// events: an event file of everything that io::EventFile writes, for tools/oracles/event_files_oracle.py.
// check: whether the record, whose lines begin so, is of these models and files.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "cornu/io/crc32c.h"
#include "cornu/io/events/event_file.h"
#include "tests/oracles/saved_models/models.h"

namespace cornu::inline v0::keras {
namespace {

constexpr int kSteps = 2;
constexpr double kShardGib = 4e-6;  // 4,295 bytes

void train_step(CheckedModel& checked) { checked.model.train_on_batch(checked.x, checked.y); }

void save_numbers(const std::string& path, const Tensors& values) {
  std::vector<std::pair<std::string, Tensor>> wide;
  for (std::size_t i = 0; i < values.size(); ++i)
    wide.emplace_back(values.is_named() ? values.names()[i] : fmt::format("arr_{}", i),
                      values[i].dtype() == DType::kBF16 || values[i].dtype() == DType::kF16
                          ? ops::cast(values[i], DType::kF32)
                          : values[i]);
  utils::save_npz(path, Tensors(wide));
}

void save(const CheckedModelCase& each, const std::string& folder) {
  clear_session();
  CheckedModel checked = each.make();
  for (int step = 0; step < kSteps; ++step) train_step(checked);
  const std::string base = folder + "/" + each.name;
  checked.model.save(base + ".keras");
  if (each.has_old_form) checked.model.save(base + ".h5");
  checked.model.save_weights(base + ".weights.h5");
  checked.model.save_weights(base + ".weights.json", {.max_shard_size = kShardGib});
  save_numbers(base + ".x.npz", checked.x);
  save_numbers(base + ".y.npz", checked.y);
  save_numbers(base + ".before.npz", checked.model.predict_many(checked.x, {.batch_size = 64, .verbose = 0}));
  train_step(checked);
  save_numbers(base + ".after.npz", checked.model.predict_many(checked.x, {.batch_size = 64, .verbose = 0}));
}

std::uint32_t checksum(const std::string& path, std::uint32_t before) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  return io::crc32c(std::as_bytes(std::span(bytes)), before);
}

/// With everything at zero that training changes.
std::uint32_t digest(Model& model, bool has_old_form) {
  for (const Variable& variable : model.weights()) variable.load(ir::Literal(variable.type()));
  for (const Variable& variable : model.optimizer().variables()) variable.load(ir::Literal(variable.type()));
  const std::string path = (std::filesystem::temp_directory_path() / "cornu_saved_models_digest").string();
  const std::string json = model.to_json() + model.get_compile_config().json();
  std::uint32_t sum = io::crc32c(std::as_bytes(std::span(json)));
  model.save_weights(path + ".weights.h5");
  sum = checksum(path + ".weights.h5", sum);
  if (has_old_form) {
    model.save(path + ".h5");
    sum = checksum(path + ".h5", sum);
  }
  for (const char* end : {".weights.h5", ".h5"}) std::filesystem::remove(path + end);
  return sum;
}

/// "NAME CHECKSUM" of each model.
std::vector<std::string> digests() {
  std::vector<std::string> lines;
  for (const CheckedModelCase& each : checked_models()) {
    clear_session();
    CheckedModel checked = each.make();
    train_step(checked);
    lines.push_back(fmt::format("{} {:08x}", each.name, digest(checked.model, each.has_old_form)));
  }
  return lines;
}

void save_all(const std::string& folder) {
  for (const CheckedModelCase& each : checked_models()) save(each, folder);
  std::ofstream file(folder + "/digests.txt");
  for (const std::string& line : digests()) file << line << "\n";
}

/// The record's lines of models: those with a checksum in the second place and "ok" at the end.
std::vector<std::string> recorded_lines(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, sum;
    words >> name >> sum;
    if (line.ends_with(" ok") && sum.size() == 8) lines.push_back(name + " " + sum);
  }
  return lines;
}

int check(const std::string& path) {
  const std::vector<std::string> checked = recorded_lines(path), now = digests();
  for (const std::string& line : now)
    if (std::find(checked.begin(), checked.end(), line) == checked.end())
      std::printf("%s is not what was checked\n", line.c_str());
  if (checked == now) return 0;
  std::printf("%s is of other files: run tools/oracles/model_files_oracle.py and commit what it prints\n",
              path.c_str());
  return 1;
}

void save_events(const std::string& folder) {
  io::EventFile file(folder);
  for (std::int64_t step = 0; step < 3; ++step)
    file.scalar("epoch_loss", step, 1.5F - static_cast<float>(step));
  std::vector<float> values;
  for (int i = 0; i < 100; ++i) values.push_back(static_cast<float>(i) / 10);
  file.histogram("weights", 4, values, 10);
  file.text("note", 1, "**bold**");
  file.keras_model("keras", 0, R"({"class_name": "Sequential", "config": {"name": "m", "layers": []}})");
  const io::Image picture{.height = 2, .width = 1, .channels = 3, .pixels = {255, 0, 0, 0, 0, 255}};
  file.images("picture", 2, std::span(&picture, 1));
}

int run(int count, char** arguments) {
  const std::string action = count > 1 ? arguments[1] : "";
  if (action == "check" && count == 3) return check(arguments[2]);
  if (action == "save" && count == 3) {
    save_all(arguments[2]);
    return 0;
  }
  if (action == "events" && count == 3) {
    save_events(arguments[2]);
    return 0;
  }
  std::fprintf(stderr, "usage: saved_models save|events FOLDER | saved_models check RECORD\n");
  return 2;
}

}  // namespace
}  // namespace cornu::inline v0::keras

int main(int count, char** arguments) {
  try {
    return cornu::keras::run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
