// The programs of docs/guide/embedding_tables.md, run and checked: tools/check_guide.py sees that the guide
// shows what stands here.

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cornu/cornu.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;
using namespace cornu::keras;
using data::Dataset;
using data::Element;

constexpr std::int64_t kNumFilms = 120, kNumKinds = 6;

/// What people have seen, up to 12 films each, what they are offered, and whether they want it: they do when
/// it is of the kind of all that they have seen, film % kNumKinds. Who has seen nothing wants nothing.
struct Offers {
  std::vector<std::int64_t> films_seen, row_splits = {0}, offered_film;
  std::vector<float> is_wanted;

  explicit Offers(std::int64_t num_people) {
    const RandomStream random(5);
    std::uint64_t at = 0;
    const auto below = [&](std::int64_t n) {
      return static_cast<std::int64_t>(random.bits(at++) % static_cast<std::uint64_t>(n));
    };
    for (std::int64_t i = 0; i < num_people; ++i) {
      const std::int64_t kind = below(kNumKinds), count = below(13);
      const auto film_of = [&](std::int64_t of) { return of + kNumKinds * below(kNumFilms / kNumKinds); };
      for (std::int64_t k = 0; k < count; ++k) films_seen.push_back(film_of(kind));
      row_splits.push_back(static_cast<std::int64_t>(films_seen.size()));
      const std::int64_t offered_kind = below(2) == 0 ? kind : below(kNumKinds);
      offered_film.push_back(film_of(offered_kind));
      is_wanted.push_back(count > 0 && offered_kind == kind ? 1 : 0);
    }
  }
};

Model offers_model() {
  const layers::TableConfig films{
      .vocabulary_size = kNumFilms, .dim = 8, .combiner = "mean", .name = "films"};
  const layers::DistributedEmbedding lookup(
      {.feature_configs = {{.table = films, .name = "seen"}, {.table = films, .name = "offered"}}});

  const Input seen({.shape = {12}, .dtype = DType::kI64, .name = "seen"});
  const Input offered({.shape = {1}, .dtype = DType::kI64, .name = "offered"});
  const std::vector<KerasTensor> vectors = lookup.call_many({seen, offered});  // each (batch, 8)
  const KerasTensor likeness = layers::dot(vectors, {.axes = 1});
  const KerasTensor wanted = layers::Dense({.units = 1, .activation = "sigmoid"})(likeness);
  Model model({.inputs = {seen, offered}, .outputs = wanted});

  expect(lookup.weights().size() == 1 && lookup.weight("films").type().dims == Dims{kNumFilms, 8},
         "two features share a table");
  return model;
}

void ragged_rows() {
  const Offers offers(2000);
  Model model = offers_model();
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.02}),
                 .loss = "binary_crossentropy",
                 .metrics = {"accuracy"}});

  const data::Ragged seen(Tensor(offers.films_seen), offers.row_splits);
  const Tensor offered(offers.offered_film), wanted(offers.is_wanted);
  const Element features({{"seen", seen}, {"offered", ops::expand_dims(offered, -1)}});
  const Dataset batches =
      Dataset::from_tensor_slices({features, wanted})
          .shuffle(2000, {.seed = 1})
          .batch(50)
          .map([](const Element& batch) { return data::dense_rows(batch, {.length = 12}); });
  const auto history = model.fit(batches, {.epochs = 12, .verbose = 0});
  expect(history["accuracy"].back() > 0.95, "clicks are learnt from ragged rows");

  const Tensor dense = data::dense_rows(seen, {.length = 12});  // (2000, 12), filled up with -1
  const Logs logs =
      model.evaluate({{"seen", dense}, {"offered", ops::expand_dims(offered, -1)}}, wanted, {.verbose = 0});
  expect(logs["accuracy"] > 0.95, "rows may be made dense at once");
}

/// A few people have seen 200 films; the others at most 12.
void packed_rows() {
  Offers offers(2000);
  for (std::size_t person = 0; person < 40; ++person) {
    const std::int64_t first = offers.row_splits[person * 50], last = offers.row_splits[person * 50 + 1];
    if (first == last) continue;
    const std::int64_t film = offers.films_seen[static_cast<std::size_t>(first)];
    const auto at = offers.films_seen.begin() + last;
    offers.films_seen.insert(at, static_cast<std::size_t>(200 - (last - first)), film);
    for (std::size_t i = person * 50 + 1; i < offers.row_splits.size(); ++i)
      offers.row_splits[i] += 200 - (last - first);
  }
  const data::Ragged films_seen(Tensor(offers.films_seen), offers.row_splits);
  const Tensor films_offered = ops::expand_dims(Tensor(offers.offered_film), -1);
  const Tensor wanted(offers.is_wanted);

  const layers::TableConfig films{.vocabulary_size = kNumFilms, .dim = 8, .name = "films"};
  const layers::DistributedEmbedding lookup(
      {.feature_configs = {{.table = films, .packed = true, .name = "seen"},
                           {.table = films, .name = "offered"}}});
  const Input seen({.shape = {kUnknown}, .dtype = DType::kI64, .name = "seen"});
  const Input rows({.shape = {kUnknown}, .dtype = DType::kI32, .name = "seen_rows"});
  const Input offered({.shape = {1}, .dtype = DType::kI64, .name = "offered"});
  const KerasTensor likeness = layers::dot(lookup.call_many({seen, rows, offered}), {.axes = 1});
  Model model({.inputs = {seen, rows, offered},
               .outputs = layers::Dense({.units = 1, .activation = "sigmoid"})(likeness)});

  const Dataset batches = Dataset::from_tensor_slices({films_seen, films_offered, wanted})
                              .batch(50)
                              .map([](const Element& batch) {
                                const data::PackedRows packed =
                                    data::packed_rows(batch[0].ragged(), {.capacity = 1000});
                                return Element({{packed.values, packed.rows, batch[1]}, batch[2]});
                              });
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.02}),
                 .loss = "binary_crossentropy",
                 .metrics = {"accuracy"}});
  const auto history = model.fit(batches, {.epochs = 12, .verbose = 0});
  expect(history["accuracy"].back() > 0.95, "clicks are learnt from packed rows");
}

void tables_from_a_configuration() {
  const std::string text = R"({"feature_configs": [
      {"name": "seen", "table": {"name": "films", "vocabulary_size": 120, "dim": 8}},
      {"name": "offered", "table": {"name": "films", "vocabulary_size": 120, "dim": 8}},
      {"name": "words", "weighted": true,
       "table": {"name": "words", "vocabulary_size": 5000, "dim": 16, "combiner": "sum"}}]})";
  const LayerHandle lookup(saving::from_config<Layer>("DistributedEmbedding", Config::parse(text)));
  const Tensor ids = Tensor::of<std::int64_t>({2, 1}, {3, -1}), weights = ops::ones({2, 1});
  const std::vector<Tensor> vectors = lookup.call_many({ids, ids, ids, weights});

  expect(vectors.size() == 3 && vectors[2].shape() == Dims{2, 16}, "features come from JSON");
  expect(lookup.weights().size() == 2, "features of one table's name share it");
}

void weights_of_ids() {
  const layers::TableConfig words{.vocabulary_size = 3, .dim = 2, .combiner = "mean", .name = "words"};
  const layers::DistributedEmbedding lookup(
      {.feature_configs = {{.table = words, .weighted = true, .name = "words"}}});
  const Tensor ids = Tensor::of<std::int32_t>({2, 3}, {0, 2, -1, -1, -1, -1});
  const Tensor weights = Tensor::of<float>({2, 3}, {3, 1, 0, 0, 0, 0});
  const Tensor vectors = lookup({ids, weights});  // row 0: (3 * table[0] + 1 * table[2]) / 4; row 1: zeros

  const Tensor table = lookup.weight("words").value();
  const Tensor by_hand = (table[0] * 3.0 + table[2]) / 4.0;
  expect(ops::max(ops::abs(vectors[0] - by_hand)).item<float>() < 1e-6F, "a mean is weighted");
  expect(vectors.at(2) == 0 && vectors.at(3) == 0, "a row without ids gives zeros");
}

void sequences() {
  const layers::TableConfig words{.vocabulary_size = 50, .dim = 4, .name = "words"};
  const layers::DistributedEmbedding lookup(
      {.feature_configs = {{.table = words, .max_sequence_length = 5, .name = "title"}}});
  const Input title({.shape = {8}, .dtype = DType::kI64, .name = "title"});
  const KerasTensor steps = lookup.call_many({title})[0];         // (batch, 5, 4), with a mask
  const KerasTensor meaning = layers::LSTM({.units = 3})(steps);  // steps without an id do not count
  const Model reader({.inputs = title, .outputs = meaning});

  const Tensor one = Tensor::of<std::int64_t>({1, 8}, {7, 9, -1, -1, -1, -1, -1, -1});
  const Tensor longer = Tensor::of<std::int64_t>({1, 8}, {7, 9, -1, -1, -1, 4, 4, 4});
  expect(steps.shape() == Dims{kUnknown, 5, 4}, "a sequence has its own length");
  expect(ops::max(ops::abs(reader(one) - reader(longer))).item<float>() == 0, "ids behind it are cut off");
}

void larger_than_a_device() {
  const distribute::TPUClusterResolver resolver(
      "sim:tpu_8_cores,clock=virtual,memory_bytes=100000");  // of each core
  distribute::initialize_tpu_system(resolver);
  const distribute::TPUStrategy strategy(resolver);
  Sequential model;
  {
    const auto scope = strategy.scope();
    const layers::TableConfig words{// 320 KB
                                    .vocabulary_size = 10000,
                                    .dim = 8,
                                    .sharding = "row_wise",
                                    .name = "words"};
    model = Sequential(
        {layers::DistributedEmbedding({.feature_configs = {{.table = words}}}), layers::Dense({.units = 1})});
    model.compile({.optimizer = "adagrad", .loss = "mse"});
  }
  std::vector<std::int32_t> ids;
  for (std::int32_t i = 0; i < 640; ++i) ids.push_back(i * 613 % 10000);
  const Tensor x = Tensor::adopt({64, 10}, std::move(ids)), y = ops::ones({64, 1});
  const auto history = model.fit(x, y, {.batch_size = 16, .epochs = 3, .verbose = 0});
  expect(history["loss"].back() < history["loss"].front(), "a sharded table is trained");
  expect(model.get_weights()[0].shape() == Dims{10000, 8}, "the whole table is read");
}

void tables_in_files() {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("cornu_tables_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "visitors.table").string();
  const Tensor visitors = Tensor::of<std::int64_t>({4, 1}, {17, 123'456, 17, 999'999});
  const Tensor ratings = Tensor::of<float>({4, 1}, {5, 1, 4, 3});
  const auto trained = [&] {
    const layers::TableConfig table{
        .vocabulary_size = 1'000'000, .dim = 16, .name = "visitors", .file = path};
    const layers::DistributedEmbedding lookup({.feature_configs = {{.table = table, .name = "visitor"}}});

    const Input visitor({.shape = {1}, .dtype = DType::kI64, .name = "visitor"});
    const KerasTensor vector = lookup.call_many({visitor})[0];
    Model model({.inputs = visitor, .outputs = layers::Dense({.units = 1})(vector)});
    model.compile({.optimizer = optimizers::Adagrad({.learning_rate = 0.1}), .loss = "mse"});
    model.fit(visitors, ratings, {.epochs = 20, .verbose = 0});
    return model;
  };
  const std::vector<float> before = trained()(visitors).to_vector<float>();  // the file is closed again
  expect(std::filesystem::file_size(path) > 64'000'000, "a file has the size of its table");
  const Model later = trained();
  expect(before[0] == before[2] && later(visitors).to_vector<float>() != before, "the table goes on");
  std::filesystem::remove_all(folder);
}

}  // namespace

int main(int argc, char** argv) {
  return cornu::examples::run_guide_program(
      "embedding tables", argc, argv,
      {ragged_rows, packed_rows, weights_of_ids, sequences, tables_from_a_configuration, larger_than_a_device,
       tables_in_files});
}
