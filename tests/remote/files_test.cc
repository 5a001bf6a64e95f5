/// Files that the worker opens, and backups that it writes: what is read there crosses no link, and nothing
/// outside the folder is opened.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <vector>

#include "cornu/backends/remote/backend.h"
#include "cornu/base/error_test_support.h"
#include "cornu/data/on_worker.h"
#include "cornu/io/example.h"
#include "cornu/io/npy.h"
#include "cornu/io/npz.h"
#include "cornu/io/tfrecord.h"
#include "cornu/keras/keras.h"
#include "tests/remote/training_test_support.h"
#include "tests/remote/worker_process.h"

namespace cornu::inline v0 {
namespace {

constexpr std::int64_t kRows = 90;

struct Rows {
  std::vector<float> x = std::vector<float>(3 * kRows);
  std::vector<std::int64_t> y = std::vector<std::int64_t>(kRows);
  Rows() {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.1F * static_cast<float>(i * 7 % 19);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[3 * i] > x[3 * i + 1] ? 1 : 0;
  }
  Tensor x_tensor() const { return Tensor::from<float>({kRows, 3}, x); }
  Tensor y_tensor() const { return Tensor::from<std::int64_t>({kRows}, y); }
};

template <typename T>
io::ArrayView view(const std::vector<T>& values, const std::vector<std::int64_t>& dims) {
  return {io::element_type_of<T>(), dims, std::as_bytes(std::span(values))};
}

/// A folder that workers lend, with the rows in it.
struct Lent {
  WorkerFiles folder;
  Lent() {
    const Rows rows;
    std::filesystem::create_directory(folder.file("data"));
    std::filesystem::create_directory(folder.file("data/runs"));
    const std::vector<std::int64_t> x_dims = {kRows, 3}, y_dims = {kRows};
    io::write_npz(file("rows.npz"), std::vector<std::pair<std::string, io::ArrayView>>{
                                        {"x", view(rows.x, x_dims)}, {"y", view(rows.y, y_dims)}});
    io::write_npy(file("x.npy"), view(rows.x, x_dims));
  }
  std::string root() const { return folder.file("data"); }
  std::string file(const std::string& name) const { return folder.file("data/" + name); }
  std::vector<std::string> arguments() const { return {"--data-root", root()}; }
};

keras::Sequential make_classifier() {
  keras::Sequential model = make_model({.units = 2, .activation = "softmax"});
  model.compile({.optimizer = "adam",
                 .loss = "sparse_categorical_crossentropy",
                 .metrics = {"accuracy"},
                 .steps_per_execution = 4,
                 .seed = 5});
  return model;
}

template <typename Fit>
Result result_of(const Fit& fit) {
  keras::Sequential model = make_classifier();
  Result result{.history = fit(model)};
  result.weights = weights_of(model);
  return result;
}

Result train_here() {
  const Rows rows;
  return result_of([&](keras::Sequential& model) {
    return model.fit(rows.x_tensor(), rows.y_tensor(), {.batch_size = 8, .epochs = 3, .verbose = 0});
  });
}

TEST(WorkerFilesTest, AModelTrainsOnAnArchiveThatTheWorkerOpens) {
  const Lent lent;
  const WorkerProcess worker(lent.arguments());
  const Connected remote(worker.url());
  const Result here = train_here();
  const DeviceScope scope(remote.name);
  const std::vector<Tensor> rows = data::on_worker("rows.npz", {.names = {"x", "y"}});
  EXPECT_EQ(rows[0].shape(), (Dims{kRows, 3}));
  EXPECT_EQ(rows[1].dtype(), DType::kI64);
  runtime::TransferStatistics counts;
  const Result there = result_of([&](keras::Sequential& model) {
    const runtime::TransferStatistics before = remote.client->counts();
    auto history = model.fit(rows[0], rows[1], {.batch_size = 8, .epochs = 3, .verbose = 0});
    counts = remote.client->counts().since(before);
    return history;
  });
  expect_equal(there, here);
  EXPECT_EQ(counts.executions.items, 3 * 12);
  EXPECT_EQ(counts.reads.calls, 0) << counts.str();
  EXPECT_LT(counts.writes.bytes, 2000) << "weights, and no rows";
  EXPECT_EQ(rows[0].to_vector<float>(), Rows().x) << "who asks gets the elements";
}

TEST(WorkerFilesTest, DataSetsChooseAndOrderRowsThatAreThere) {
  const Lent lent;
  const WorkerProcess worker(lent.arguments());
  const Connected remote(worker.url());
  const auto fit = [](const Tensor& x, const Tensor& y) {
    return result_of([&](keras::Sequential& model) {
      const auto all = data::Dataset::from_tensor_slices({x, y});
      auto history =
          model.fit(all.skip(20).shuffle(100, {.seed = 3}).batch(8),
                    {.epochs = 2, .verbose = 0, .validation_data = {.dataset = all.take(20).batch(8)}});
      return history;
    });
  };
  const Rows rows;
  const Result here = fit(rows.x_tensor(), rows.y_tensor());
  const DeviceScope scope(remote.name);
  const std::vector<Tensor> opened = data::on_worker("rows.npz", {.names = {"x", "y"}});
  const runtime::TransferStatistics before = remote.client->counts();
  const Result there = fit(opened[0], opened[1]);
  expect_equal(there, here);
  EXPECT_EQ(there.history["val_loss"], here.history["val_loss"]);
  EXPECT_LT(remote.client->counts().since(before).writes.bytes, 2000) << "no rows";
}

TEST(WorkerFilesTest, RecordsBecomeArrays) {
  const Lent lent;
  const Rows rows;
  for (const int part : {0, 1}) {
    io::RecordWriter writer(lent.file("part" + std::to_string(part)));
    for (std::size_t i = 45 * static_cast<std::size_t>(part); i < 45 * static_cast<std::size_t>(part + 1);
         ++i)
      writer.write(
          io::serialize_example({{"x", std::vector<float>(rows.x.begin() + 3 * static_cast<long>(i),
                                                          rows.x.begin() + 3 * static_cast<long>(i + 1))},
                                 {"y", std::vector<std::int64_t>{rows.y[i]}},
                                 {"raw", std::vector<std::string>{"ab"}}}));
    writer.close();
  }
  const WorkerProcess worker(lent.arguments());
  const Connected remote(worker.url());
  const DeviceScope scope(remote.name);
  const data::FeatureDescriptions features = {
      {"x", data::FixedLenFeature{.shape = {3}}},
      {"y", data::FixedLenFeature{.dtype = DType::kI64}},
      {"raw", data::FixedLenFeature{.shape = {2}, .dtype = DType::kU8}}};
  const std::vector<Tensor> opened = data::on_worker({"part0", "part1"}, {.features = features});
  EXPECT_EQ(opened[0].to_vector<float>(), rows.x);
  EXPECT_EQ(opened[1].to_vector<std::int64_t>(), rows.y);
  EXPECT_EQ(opened[2].shape(), (Dims{kRows, 2}));
  EXPECT_EQ(opened[2].to_vector<int>()[1], 'b');
  const Result there = result_of([&](keras::Sequential& model) {
    return model.fit(opened[0], opened[1], {.batch_size = 8, .epochs = 3, .verbose = 0});
  });
  expect_equal(there, train_here());
  expect_error_text({"\"z\""},
                    [&] { data::on_worker("part0", {.features = {{"z", data::FixedLenFeature{}}}}); });
  expect_error_text({"is 2 bytes"}, [&] {
    data::on_worker("part0",
                    {.features = {{"raw", data::FixedLenFeature{.shape = {3}, .dtype = DType::kU8}}}});
  });
  expect_error_text({"rows.npz"}, [&] { data::on_worker("rows.npz", {.features = features}); });
}

TEST(WorkerFilesTest, PathsOutsideTheFolderAreRefused) {
  const Lent lent;
  lent.folder.write("secret.npy", "secret");
  std::filesystem::create_symlink("../secret.npy", lent.file("link.npy"));
  std::filesystem::create_directory_symlink("..", lent.file("up"));
  std::filesystem::create_directory_symlink("runs", lent.file("inside"));
  ASSERT_EQ(mkfifo(lent.file("pipe.npy").c_str(), 0600), 0);
  const WorkerProcess worker(lent.arguments());
  const Connected remote(worker.url());
  const DeviceScope scope(remote.name);
  const auto refused = [](const std::string& path, const std::string& part) {
    expect_error_text({part}, [&] { data::on_worker(path); });
  };
  refused(lent.file("x.npy"), "is not a path relative to a worker's --data-root");
  refused("~/x.npy", "is not a path relative to a worker's --data-root");
  refused("file:///x.npy", "is not a path relative to a worker's --data-root");
  refused("../secret.npy", "goes up");
  refused("runs/../../secret.npy", "goes up");
  refused("link.npy", "leads through a link");
  refused("up/secret.npy", "leads through a link");
  refused("inside/x.npy", "leads through a link");
  refused("./x.npy", "has an empty part");
  refused("runs//x.npy", "has an empty part");
  refused("runs", "is not a regular file");
  refused("pipe.npy", "is not a regular file");
  refused(std::string("x.npy\0y", 7), "NUL");
  refused("x.npy/y", "there is no file");
  refused("nothing.npy", "there is no file \"nothing.npy\" below the worker's --data-root");
  EXPECT_EQ(data::on_worker("x.npy")[0].shape(), (Dims{kRows, 3}));
}

TEST(WorkerFilesTest, WhatDoesNotFitIsOneSentence) {
  const Lent lent;
  const WorkerProcess worker(lent.arguments()), poor;
  lent.folder.write("data/broken.npz", "PK nonsense");
  expect_error_text({"which is not a worker"}, [] { data::on_worker("rows.npz", {.names = {"x"}}); });
  {
    const Connected remote(poor.url());
    const DeviceScope scope(remote.name);
    expect_error_text({"it lends no files"}, [] { data::on_worker("rows.npz", {.names = {"x"}}); });
  }
  const Connected remote(worker.url());
  const DeviceScope scope(remote.name);
  expect_error_text({"z.npy"}, [] { data::on_worker("rows.npz", {.names = {"x", "z"}}); });
  expect_error_text({"broken.npz"}, [] { data::on_worker("broken.npz", {.names = {"x"}}); });
  expect_error_text({"holds one array"}, [] { data::on_worker("x.npy", {.names = {"x", "y"}}); });
  expect_error_text({"there must be a path"}, [] { data::on_worker(std::vector<std::string>{}); });
  expect_error_text({"from one file"}, [] { data::on_worker({"x.npy", "x.npy"}); });
  expect_error_text({"FixedLenFeature"},
                    [] { data::on_worker("part", {.features = {{"x", data::VarLenFeature{}}}}); });
  const std::vector<Tensor> rows = data::on_worker("rows.npz", {.names = {"x", "y"}});
  keras::Sequential model = make_classifier();
  expect_error_text({"take() and one"},
                    [&] { model.fit(rows[0], rows[1], {.verbose = 0, .validation_split = 0.2}); });
  const std::vector<std::int64_t> dims = {3}, labels = {0, 2, 1};
  io::write_npy(lent.file("labels.npy"), view(labels, dims));
  expect_error_text({"label 2 in row 1"},
                    [&] { model.fit(rows[0].rows(0, 3), data::on_worker("labels.npy")[0], {.verbose = 0}); });
}

TEST(WorkerFilesTest, AQuotaHoldsForFiles) {
  const Lent lent;
  std::vector<std::string> arguments = lent.arguments();
  arguments.insert(arguments.end(), {"--memory-limit", "1000"});
  const WorkerProcess worker(arguments);
  const Connected remote(worker.url());
  const DeviceScope scope(remote.name);
  expect_error_text({"of 1000 that the worker lends, 0 are taken"}, [] { data::on_worker("x.npy"); });
  EXPECT_EQ(data::on_worker("rows.npz", {.names = {"y"}}).size(), 1U);
}

TEST(WorkerFilesTest, WhatIsUnpackedOrGathersCountsWhileItIsThere) {
  const Lent lent;
  const Rows rows;
  const std::vector<std::int64_t> dims = {kRows, 3};
  io::write_npz(lent.file("packed.npz"),
                std::vector<std::pair<std::string, io::ArrayView>>{{"x", view(rows.x, dims)}},
                {.compressed = true});
  io::RecordWriter writer(lent.file("records"));
  for (std::size_t i = 0; i < 2 * kRows; ++i)
    writer.write(io::serialize_example({{"x", std::vector<float>{rows.x[i]}}}));
  writer.close();
  const data::FeatureDescriptions features = {{"x", data::FixedLenFeature{.shape = {1}}}};
  const auto open_with = [&](const std::string& limit, const auto& open) {
    std::vector<std::string> arguments = lent.arguments();
    arguments.insert(arguments.end(), {"--memory-limit", limit});
    const WorkerProcess worker(arguments);
    const Connected remote(worker.url());
    const DeviceScope scope(remote.name);
    open();
    return backends::remote::worker_status("//" + worker.address());
  };
  // 1,080 bytes, and 128 more unpacked.
  const auto packed = [] { return data::on_worker("packed.npz", {.names = {"x"}}); };
  const auto stored = [] { return data::on_worker("rows.npz", {.names = {"x"}}); };
  open_with("2000", [&] {
    stored();
    expect_error_text({"a buffer takes 1080 bytes; of 2000 that the worker lends, 1208 are taken"}, packed);
  });
  const std::string after = open_with("2400", [&] { EXPECT_EQ(packed()[0].to_vector<float>(), rows.x); });
  EXPECT_NE(after.find(" 1080 of 2400 bytes"), std::string::npos) << after << "the rest was given back";
  // 720 bytes, once as they are gathered and once as a buffer.
  const auto records = [&] { return data::on_worker("records", {.features = features}); };
  open_with("1400", [&] { expect_error_text({"a buffer takes 720 bytes"}, records); });
  open_with("1500", [&] { EXPECT_EQ(records()[0].to_vector<float>()[7], rows.x[7]); });
}

TEST(WorkerFilesTest, RecordsOnTheirWayCountToo) {
  const Lent lent;
  constexpr std::size_t kLong = std::size_t{4} << 20, kShort = 4096;
  constexpr std::int64_t kMany = 300;
  {
    io::RecordWriter longer(lent.file("long"));
    longer.write(io::serialize_example({{"x", std::vector<std::string>{std::string(kLong, 'x')}}}));
    longer.close();
  }
  std::vector<float> values;
  io::RecordWriter writer(lent.file("many"));
  for (std::int64_t i = 0; i < kMany; ++i) {
    const std::vector<float> row(kShort, static_cast<float>(i));
    values.insert(values.end(), row.begin(), row.end());
    writer.write(io::serialize_example({{"x", row}}));
  }
  writer.close();
  const data::FeatureDescriptions text = {
      {"x", data::FixedLenFeature{.shape = {static_cast<std::int64_t>(kLong)}, .dtype = DType::kU8}}};
  const data::FeatureDescriptions numbers = {
      {"x", data::FixedLenFeature{.shape = {static_cast<std::int64_t>(kShort)}}}};
  const auto with_limit = [&](const std::string& limit, const auto& open) {
    std::vector<std::string> arguments = lent.arguments();
    arguments.insert(arguments.end(), {"--memory-limit", limit});
    const WorkerProcess worker(arguments);
    const Connected remote(worker.url());
    const DeviceScope scope(remote.name);
    std::vector<Tensor> opened;
    const std::string error = error_text_of([&] { opened = open(); });
    return error + "\n" + backends::remote::worker_status("//" + worker.address());
  };
  const auto open_text = [&] { return data::on_worker("long", {.features = text}); };
  const std::string refused = with_limit("3MiB", open_text);
  EXPECT_EQ(refused.find("[on_worker] [worker] a record takes "), 0U) << refused;
  EXPECT_NE(refused.find(" 0 of 3145728 bytes"), std::string::npos) << refused;
  // The record, what is parsed of it, which grows, and its column.
  const std::string parsed = with_limit("10MiB", open_text);
  EXPECT_EQ(parsed.find("[on_worker] [worker] data parsed from files takes "), 0U) << parsed;
  const std::string opened = with_limit("64MiB", open_text);
  EXPECT_NE(opened.find(" 4194304 of 67108864 bytes"), std::string::npos)
      << opened << "the rest was given back";
  const std::string read = with_limit("64MiB", [&] {
    std::vector<Tensor> rows = data::on_worker("many", {.features = numbers});
    EXPECT_TRUE(rows[0].to_vector<float>() == values);
    return rows;
  });
  EXPECT_EQ(read.find("no error"), 0U) << read;
}

TEST(WorkerFilesTest, ABackupsNameHasNoControlCharacters) {
  const Lent lent;
  const WorkerProcess worker(lent.arguments());
  const Connected remote(worker.url());
  const DeviceScope scope(remote.name);
  const Rows rows;
  const std::string text = error_text_of([&] {
    result_of([&](keras::Sequential& model) {
      return model.fit(rows.x_tensor(), rows.y_tensor(),
                       {.batch_size = 8,
                        .verbose = 0,
                        .backup = keras::BackupOptions{.every_steps = 4, .worker_file = "mi\x1b[31mne\n"}});
    });
  });
  EXPECT_NE(text.find("without control characters; got \"mi\\x1b[31mne\\x0a\""), std::string::npos) << text;
}

TEST(WorkerFilesTest, ABackupThatCannotBeWrittenSaysWhichWhyAndWhatToDo) {
  // Where nobody can make a file, not even root.
  const std::string unwritable = "/sys/kernel";
  if (!std::filesystem::exists(unwritable)) GTEST_SKIP() << "there is no " << unwritable;
  const WorkerProcess worker({"--data-root", unwritable});
  const Connected remote(worker.url());
  const DeviceScope scope(remote.name);
  const Rows rows;
  const std::string text = error_text_of([&] {
    result_of([&](keras::Sequential& model) {
      return model.fit(rows.x_tensor(), rows.y_tensor(),
                       {.batch_size = 8,
                        .verbose = 0,
                        .backup = keras::BackupOptions{.every_steps = 4, .worker_file = "mine"}});
    });
  });
  EXPECT_EQ(text.find("[worker] the backup \"mine.1.backup\" cannot be written: "), 0U) << text;
  EXPECT_NE(text.find("let the worker write below its --data-root, or leave worker_file out"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("(worker " + worker.address() + ")"), std::string::npos) << text;
  EXPECT_NE(text.find("fit ends with this error in epoch 1 after 0 steps"), std::string::npos) << text;
}

TEST(WorkerFilesTest, AWorkerThatIsKilledOpensItsFilesAgainAndReadsItsBackup) {
  const Lent lent;
  const Result undisturbed = train_here();
  for (const std::int64_t every : {1, 9, 1000}) {
    ReturningWorker returning(lent.arguments());
    const Connected remote(returning.worker->url(",keep_alive=2"));
    const DeviceScope scope(remote.name);
    const std::vector<Tensor> rows = data::on_worker("rows.npz", {.names = {"x", "y"}});
    After killer({8, 28}, [&] { returning.kill_and_start_again(); });
    runtime::TransferStatistics counts;
    const Result result = result_of([&](keras::Sequential& model) {
      const runtime::TransferStatistics before = remote.client->counts();
      auto history = model.fit(rows[0], rows[1],
                               {.batch_size = 8,
                                .epochs = 3,
                                .verbose = 0,
                                .callbacks = {&killer},
                                .backup = keras::BackupOptions{.every_steps = every,
                                                               .first_wait_seconds = 0.05,
                                                               .longest_wait_seconds = 0.5,
                                                               .worker_file = "runs/mine"}});
      counts = remote.client->counts().since(before);
      return history;
    });
    expect_equal(result, undisturbed);
    EXPECT_LE(counts.reads.calls, 4) << "no weights are fetched to be kept";
    EXPECT_TRUE(std::filesystem::exists(lent.file("runs/mine.1.backup")));
  }
}

TEST(WorkerFilesTest, BackupsOfOthersAndOtherPlacesAreRefused) {
  const Lent lent;
  ReturningWorker returning(lent.arguments());
  const Connected remote(returning.worker->url(",keep_alive=2"));
  const DeviceScope scope(remote.name);
  const Rows rows;
  const auto fit = [&](const std::string& file, keras::callbacks::Callback& callback) {
    return result_of([&](keras::Sequential& model) {
      return model.fit(rows.x_tensor(), rows.y_tensor(),
                       {.batch_size = 8,
                        .epochs = 2,
                        .verbose = 0,
                        .callbacks = {&callback},
                        .backup = keras::BackupOptions{
                            .every_steps = 1000, .first_wait_seconds = 0.05, .worker_file = file}});
    });
  };
  After nothing({}, [] {});
  fit("runs/other", nothing);
  After exchange({8}, [&] {
    std::filesystem::copy_file(lent.file("runs/other.1.backup"), lent.file("runs/mine.1.backup"),
                               std::filesystem::copy_options::overwrite_existing);
    returning.kill_and_start_again();
  });
  expect_error_text({"is the backup of another run"}, [&] { fit("runs/mine", exchange); });
  After damage({8}, [&] {
    std::filesystem::resize_file(lent.file("runs/cut.1.backup"), 300);
    returning.kill_and_start_again();
  });
  expect_error_text({"runs/cut.1.backup"}, [&] { fit("runs/cut", damage); });
  expect_error_text({"goes up"}, [&] { fit("../outside", nothing); });
  expect_error_text(
      {"the backup \"no/folder.1.backup\" cannot be written: its folder is not there: make its folder "
       "below the worker's --data-root"},
      [&] { fit("no/folder", nothing); });
  std::filesystem::create_symlink("../../secret", lent.file("runs/link.1.backup"));
  expect_error_text({"exists and is not a regular file"}, [&] { fit("runs/link", nothing); });
}

}  // namespace
}  // namespace cornu::inline v0
