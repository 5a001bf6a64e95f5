#include "cornu/data/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "cornu/base/error.h"
#include "cornu/data/sequence_example.h"
#include "cornu/data/testing/element_json_test_support.h"
#include "cornu/io/crc32c.h"
#include "cornu/io/example.h"
#include "cornu/io/file.h"
#include "cornu/io/file_systems.h"
#include "cornu/io/tfrecord.h"

namespace cornu::inline v0::data {
namespace {

class FilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("cornu_files_test_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string written(const std::string& name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

 private:
  std::filesystem::path folder_;
};

nlohmann::json file_goldens() {
  std::ifstream file("tests/goldens/data_files.json");
  return nlohmann::json::parse(file);
}

/// The elements up to the first error, as tools/goldens/data_files.py writes them.
nlohmann::json read_all(const Dataset& dataset) {
  nlohmann::json elements = nlohmann::json::array();
  try {
    for (const Element& element : dataset) {
      nlohmann::json one = element_json(element);
      elements.push_back(one.is_array() ? one : nlohmann::json::array({one}));
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kDataLoss) << error.what();
    return {{"elements", elements}, {"fails", true}};
  }
  return {{"elements", elements}, {"fails", false}};
}

TEST_F(FilesTest, CsvRowsAreThoseOfTfData) {
  const nlohmann::json goldens = file_goldens();
  for (const auto& [name, content] : goldens["csv_files"].items()) {
    const Dataset rows = CsvDataset(written(name + ".csv", content.get<std::string>()),
                                    {.record_defaults = {0, -1.0f, "none"}, .na_value = "NA"});
    EXPECT_EQ(read_all(rows).dump(), goldens["csv"][name].dump()) << name;
  }
}

TEST_F(FilesTest, LinesAreThoseOfTfData) {
  const nlohmann::json goldens = file_goldens();
  for (const auto& [name, content] : goldens["line_files"].items())
    EXPECT_EQ(read_all(TextLineDataset(written(name + ".txt", content.get<std::string>()))).dump(),
              goldens["lines"][name].dump())
        << name;
}

TEST_F(FilesTest, CsvPassesHeadersOverAndTakesColumns) {
  const std::string file = written("h.csv", "a;b;c\n1;2;x\n3;4;y\n");
  const Dataset rows = CsvDataset({file, file}, {.record_defaults = {DType::kI64, CsvColumn::text()},
                                                 .header = true,
                                                 .field_delim = ';',
                                                 .select_cols = {1, 2}});
  EXPECT_EQ(elements_json(rows).dump(), R"([[2,"x"],[4,"y"],[2,"x"],[4,"y"]])");
}

TEST_F(FilesTest, ExamplesThatTensorFlowWroteAreParsedAsItDoes) {
  const ParseExample parse({{"age", FixedLenFeature{.dtype = DType::kI64}},
                            {"point", FixedLenFeature{.shape = {2}}},
                            {"name", FixedLenFeature{.dtype = {}, .default_value = Text("nobody")}},
                            {"words", VarLenFeature{.dtype = {}}},
                            {"ids", RaggedFeature{.dtype = DType::kI64}}});
  const nlohmann::json golden = file_goldens()["parsed"];
  for (const auto& [file, compression] :
       {std::pair{"tests/data/examples.tfrecord", ""}, std::pair{"tests/data/examples.gzip.tfrecord", "GZIP"},
        std::pair{"tests/data/examples.zlib.tfrecord", "ZLIB"}}) {
    const TFRecordDataset records(file, {.compression_type = compression});
    EXPECT_EQ(element_json(records.batch(100).map(parse).get_single_element()).dump(), golden.dump());
    // One by one, too.
    const std::vector<Element> single = records.map(parse).to_vector();
    ASSERT_EQ(single.size(), 7u);
    EXPECT_EQ(single[0]["name"].text(), golden["name"][0].get<std::string>()) << "a text, not strings";
    for (std::size_t i = 0; i < single.size(); ++i)
      for (const auto& [name, values] : golden.items())
        EXPECT_EQ(element_json(single[i][name]).dump(), values[i].dump()) << name;
  }
}

TEST_F(FilesTest, FilesOfASchemeAreListedByIt) {
  io::register_file_system(
      "listed", [](const std::string& name) { return io::keep_bytes(std::vector<std::byte>(3), name); },
      [](const std::string& pattern) { return std::vector{pattern + "b", pattern + "a"}; });
  const Dataset files = Dataset::list_files("listed://x/", {.shuffle = false});
  EXPECT_EQ(elements_json(files).dump(), R"(["listed://x/a","listed://x/b"])");
  EXPECT_THROW(Dataset::list_files("http://localhost:1/*"), Error);
}

TEST_F(FilesTest, WrittenRecordsAreReadAgain) {
  std::vector<std::string> records = {"", "a", std::string(100'000, 'x'), std::string(700'000, 'y')};
  for (int i = 0; i < 3000; ++i) records.push_back("record " + std::to_string(i));
  for (const io::Compression compression :
       {io::Compression::kNone, io::Compression::kGzip, io::Compression::kZlib}) {
    io::RecordWriter writer(path("w.tfrecord"), compression);
    for (const std::string& record : records) writer.write(record);
    writer.close();
    const char* const names[] = {"", "GZIP", "ZLIB"};
    std::size_t i = 0;
    for (const Element& record :
         TFRecordDataset(path("w.tfrecord"), {.compression_type = names[static_cast<int>(compression)]}))
      ASSERT_EQ(record.text(), records[i++]);
    EXPECT_EQ(i, records.size());
  }
}

TEST_F(FilesTest, ReadingGoesOnAtASavedPlaceInEveryKindOfFile) {
  io::RecordWriter writer(path("a.tfrecord"), io::Compression::kGzip);
  for (int i = 0; i < 20; ++i) writer.write("record " + std::to_string(i));
  writer.close();
  const std::string csv = written("a.csv", "1,a\n2,b\n3,\"c\nd\"\n4,e\n");
  const std::string fixed = written("a.bin", "headaabbccddeefoot");
  const std::vector<Dataset> datasets = {
      TFRecordDataset({path("a.tfrecord"), path("a.tfrecord")}, {.compression_type = "GZIP"}),
      TextLineDataset({csv, csv}), CsvDataset({csv, csv}, {.record_defaults = {0, "x"}}),
      FixedLengthRecordDataset({fixed, fixed}, {.record_bytes = 2, .header_bytes = 4, .footer_bytes = 4})};
  for (const Dataset& dataset : datasets) {
    const nlohmann::json all = elements_json(dataset);
    for (std::size_t done = 0; done <= all.size(); ++done) {
      Iterator iterator = dataset.iterator();
      EXPECT_EQ(iterator.skip(static_cast<std::int64_t>(done)), static_cast<std::int64_t>(done));
      Iterator restored = dataset.iterator();
      restored.restore(iterator.save());
      nlohmann::json rest = nlohmann::json::array();
      while (const std::optional<Element> element = restored.next()) rest.push_back(element_json(*element));
      EXPECT_EQ(rest.size(), all.size() - done);
      EXPECT_EQ(rest.dump(),
                nlohmann::json(all.begin() + static_cast<std::ptrdiff_t>(done), all.end()).dump());
    }
  }
}

TEST_F(FilesTest, SeveralFilesAtATimeTakeTurns) {
  const std::string a = written("a.txt", "a1\na2\na3\n"), b = written("b.txt", "b1\nb2\n");
  EXPECT_EQ(elements_json(TextLineDataset({a, b}, {.num_parallel_reads = 2})).dump(),
            R"(["a1","b1","a2","b2","a3"])");
}

// Every single bit of a record file is covered by a checksum.
TEST_F(FilesTest, AFlippedBitIsNeverReadAsData) {
  const std::vector<std::byte> whole = io::read_file("tests/data/examples.tfrecord");
  for (std::size_t bit = 0; bit < whole.size() * 8; bit += 3) {
    std::vector<std::byte> damaged = whole;
    damaged[bit / 8] ^= std::byte{static_cast<unsigned char>(1u << (bit % 8))};
    io::RecordReader reader(io::memory_stream(damaged, "damaged"));
    bool has_failed = false;
    try {
      while (reader.next().has_value()) {
      }
    } catch (const Error& error) {
      has_failed = true;
      EXPECT_NE(std::string_view(error.what()).find("damaged"), std::string_view::npos);
    }
    EXPECT_TRUE(has_failed) << "bit " << bit;
  }
}

TEST_F(FilesTest, AFileThatIsCutOffIsAnErrorExceptBetweenRecords) {
  const std::vector<std::byte> whole = io::read_file("tests/data/examples.tfrecord");
  std::vector<std::uint64_t> ends = {0};
  io::RecordReader all(io::memory_stream(whole, "whole"));
  while (all.next().has_value()) ends.push_back(all.offset());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    io::RecordReader reader(io::memory_stream(std::span(whole).first(size), "cut"));
    bool has_failed = false;
    try {
      while (reader.next().has_value()) {
      }
    } catch (const Error& error) {
      has_failed = error.code() == ErrorCode::kDataLoss;
    }
    EXPECT_EQ(has_failed, std::find(ends.begin(), ends.end(), size) == ends.end()) << size;
  }
}

TEST_F(FilesTest, ALengthThatIsALieTakesNoMemory) {
  // A length of 2^63 with its right checksum, and one of 2^29 in a file of 20 bytes.
  for (const std::uint64_t length : {std::uint64_t{1} << 63, std::uint64_t{1} << 29}) {
    std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
    const std::uint32_t crc = io::masked_crc32c(std::as_bytes(std::span(bytes)));
    bytes.append(reinterpret_cast<const char*>(&crc), sizeof crc);
    bytes.append("abcdefgh");
    io::RecordReader reader(io::memory_stream(std::as_bytes(std::span(bytes)), "lie"));
    EXPECT_THROW(reader.next(), Error);
    EXPECT_FALSE(reader.next().has_value());
  }
}

TEST_F(FilesTest, WhatIsWrongNamesFileAndPlaceAndTheNextFileIsRead) {
  const std::string good = written("good.txt", "1\n"), missing = path("missing.txt");
  const Dataset lines = TextLineDataset({missing, good});
  try {
    lines.to_vector();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotFound);
    EXPECT_NE(std::string(error.what()).find("missing.txt"), std::string::npos);
  }
  EXPECT_EQ(elements_json(lines.ignore_errors()).dump(), R"(["1"])");
  EXPECT_THROW(FixedLengthRecordDataset(good, {.record_bytes = 3}).to_vector(), Error);
  EXPECT_THROW(TFRecordDataset(good, {.compression_type = "gz"}), Error);
  const std::string bad_rows = written("bad.csv", "1\nx\n3\n");
  EXPECT_EQ(elements_json(CsvDataset(bad_rows, {.record_defaults = {0}}).ignore_errors()).dump(),
            "[[1],[3]]");
}

TEST_F(FilesTest, AFileThatFailsIsOverAndTheNextOneIsRead) {
  std::string lines;
  for (int i = 0; i < 20'000; ++i) lines += "line\n";
  io::RecordWriter writer(path("whole.gz"), io::Compression::kGzip);
  writer.write(lines);
  writer.close();
  const std::vector<std::byte> packed = io::read_file(path("whole.gz"));
  constexpr std::size_t kTrailerBytes = 8;
  const std::string cut =
      written("cut.gz", {reinterpret_cast<const char*>(packed.data()), packed.size() - kTrailerBytes});
  const FileOptions gzip{.compression_type = "GZIP"};
  EXPECT_EQ(TFRecordDataset({cut, path("whole.gz")}, gzip).ignore_errors().to_vector().size(), 1U);
  // Lines are read 64 KiB at a time; those that end in the first 64 KiB come, once each.
  std::vector<std::byte> begin(std::size_t{1} << 16);
  ASSERT_EQ(io::open_file(path("whole.gz"), io::Compression::kGzip)->read(begin), begin.size());
  const auto num_lines = static_cast<std::size_t>(std::count(begin.begin(), begin.end(), std::byte{'\n'}));
  EXPECT_EQ(TextLineDataset({cut, cut}, gzip).ignore_errors().take(50'000).to_vector().size(), 2 * num_lines);

  const std::string shrinking = written("shrinking.bin", "aabbcc"), other = written("other.bin", "dd");
  Iterator records = FixedLengthRecordDataset({shrinking, other}, {.record_bytes = 2}).iterator();
  EXPECT_EQ(records.next()->text(), "aa");
  std::filesystem::resize_file(shrinking, 3);
  EXPECT_THROW(records.next(), Error);
  EXPECT_EQ(records.next()->text(), "dd");
}

TEST_F(FilesTest, CsvNumbersBeyondTheirTypeAreZeroOrInfiniteAsInTfData) {
  const auto read = [&](const std::string& field, DType dtype) {
    const CsvDataset rows(written("beyond.csv", field + "\n"), {.record_defaults = {dtype}});
    return rows.get_single_element()[0].item<double>();
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::string zeros(60, '0');
  for (const std::string& small : {std::string("1e-50"), "0." + zeros + "1", "1" + zeros + "e-120",
                                   std::string("1e-99999999999999999999")}) {
    SCOPED_TRACE(small);
    EXPECT_EQ(read(small, DType::kF32), 0);
    EXPECT_FALSE(std::signbit(read("+" + small, DType::kF32)));
    EXPECT_TRUE(std::signbit(read("-" + small, DType::kF32)));
  }
  for (const std::string& large :
       {std::string("1E+50"), "1" + zeros, "0." + zeros + "1e120", std::string("1e99999999999999999999")}) {
    SCOPED_TRACE(large);
    EXPECT_EQ(read(large, DType::kF32), kInfinity);
    EXPECT_EQ(read("-" + large, DType::kF32), -kInfinity);
  }
  EXPECT_EQ(read("1e-400", DType::kF64), 0);
  EXPECT_EQ(read("1e400", DType::kF64), kInfinity);
  EXPECT_EQ(read("1e-50", DType::kF64), 1e-50);
  EXPECT_THROW(read("1e50x", DType::kF32), Error);
  EXPECT_THROW(read("99999999999", DType::kI32), Error);
}

TEST(ParseExampleTest, SequencesAreTensorFlows) {
  const ParseSequenceExample parse(
      {{"label", FixedLenFeature{.dtype = DType::kI64}},
       {"title", FixedLenFeature{.dtype = {}, .default_value = Text("none")}}},
      {{"frames", FixedLenFeature{.shape = {2}}}, {"words", VarLenFeature{.dtype = {}}}});
  const nlohmann::json golden = file_goldens()["sequences"];
  const TFRecordDataset records("tests/data/sequence_examples.tfrecord");
  const std::vector<Element> single = records.map(parse).to_vector();
  const Element batch = records.batch(100).map(parse).get_single_element();
  ASSERT_EQ(single.size(), golden.size());
  for (std::size_t i = 0; i < single.size(); ++i) {
    SCOPED_TRACE(i);
    for (const char* name : {"label", "title"}) {
      EXPECT_EQ(element_json(single[i][0][name]).dump(), golden[i][name].dump());
      EXPECT_EQ(element_json(batch[0][name])[i].dump(), golden[i][name].dump());
    }
    for (const char* name : {"frames", "words"}) {
      EXPECT_EQ(element_json(single[i][1][name]).dump(), golden[i][name].dump());
      EXPECT_EQ(element_json(batch[1][name])[i].dump(), golden[i][name].dump());
    }
  }
  EXPECT_EQ(single[0][1]["frames"].type_str(), "float32 (3, 2)");
  const auto refused = [&](const FeatureDescriptions& lists, const std::string& part) {
    try {
      records.map(ParseSequenceExample({}, lists)).to_vector();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      return std::string(error.what()).find(part) != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(refused({{"frames", FixedLenFeature{.shape = {3}}}}, "has 2 values; its shape needs 3"));
  EXPECT_TRUE(refused({{"frames", FixedLenFeature{.shape = {2}, .dtype = DType::kI64}}},
                      "holds float instead of int64"));
  EXPECT_TRUE(refused({{"missing", FixedLenFeature{}}}, "the list of feature \"missing\" is missing"));
  EXPECT_TRUE(refused({{"frames", FixedLenFeature{.default_value = 1.0F}}}, "no default"));
}

TEST_F(FilesTest, ExamplesThatDoNotFitSayWhichFeature) {
  const auto message = [](const io::Example& example, const FeatureDescriptions& features) {
    const Dataset one =
        Dataset::from_tensors(Text(io::serialize_example(example))).map(ParseExample(features));
    try {
      one.to_vector();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("fine");
  };
  const io::Example example = {{"a", std::vector<float>{1, 2}}, {"b", std::vector<std::int64_t>{-3}}};
  EXPECT_EQ(message(example, {{"a", FixedLenFeature{.shape = {2}}}}), "fine");
  EXPECT_NE(message(example, {{"a", FixedLenFeature{}}}).find("\"a\" of example 0 has 2 values"),
            std::string::npos);
  EXPECT_NE(message(example, {{"c", FixedLenFeature{}}}).find("\"c\" is missing"), std::string::npos);
  EXPECT_NE(message(example, {{"b", FixedLenFeature{}}}).find("holds int64 instead of float"),
            std::string::npos);
  EXPECT_EQ(io::parse_example(io::serialize_example(example), "again"), example);
}

TEST_F(FilesTest, WhatIsSavedIsLoadedInOrder) {
  const Dataset all = Dataset::range(10).map([](std::int64_t n) {
    return std::pair(n, Strings(std::vector<std::string>(static_cast<std::size_t>(n), "x")));
  });
  for (const std::int64_t num_shards : {1, 3}) {
    all.save(path("saved"), num_shards);
    const Dataset loaded = Dataset::load(path("saved"));
    EXPECT_EQ(loaded.cardinality(), 10);
    EXPECT_EQ(elements_json(loaded).dump(), elements_json(all).dump());
  }
  EXPECT_THROW(Dataset::load(path("elsewhere")), Error);
  EXPECT_THROW(Dataset::range(3).repeat().save(path("endless")), Error);
}

TEST_F(FilesTest, ASaveThatEndsEarlyLeavesNoMixture) {
  const auto save = [&](std::int64_t first) {
    Dataset::range(first + 4, {.start = first}).save(path("saved"), 2);
  };
  save(0);
  static int num_renames = 0;
  io::whole_file_step_for_tests = [](const char* step) {
    if (std::string_view(step) == "rename" && ++num_renames == 2) throw Error(ErrorCode::kUnavailable, "end");
  };
  EXPECT_THROW(save(10), Error);
  io::whole_file_step_for_tests = nullptr;
  EXPECT_THROW(Dataset::load(path("saved")), Error);
  save(10);
  EXPECT_EQ(elements_json(Dataset::load(path("saved"))).dump(), "[10,11,12,13]");
}

TEST_F(FilesTest, AFileCacheIsMadeByTheFirstWholePass) {
  int made = 0;
  const auto make = [&] {
    return Dataset::range(5).map([&](std::int64_t n) {
      ++made;
      return n;
    });
  };
  const Dataset cached = make().cache(path("cache"));
  EXPECT_EQ(cached.take(2).to_vector().size(), 2u);
  EXPECT_FALSE(std::filesystem::exists(path("cache")));
  EXPECT_EQ(elements_json(cached.repeat(2)).dump(), "[0,1,2,3,4,0,1,2,3,4]");
  EXPECT_EQ(elements_json(make().cache(path("cache"))).dump(), "[0,1,2,3,4]");  // another program's
  EXPECT_EQ(made, 2 + 5);
}

}  // namespace
}  // namespace cornu::inline v0::data
