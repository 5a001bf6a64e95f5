#include "cornu/data/stages/saved.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/data/stages/elements_stage.h"
#include "cornu/data/stages/files_stage.h"
#include "cornu/data/stages/stages.h"
#include "cornu/io/tfrecord.h"

namespace cornu::inline v0::data {
namespace {

constexpr std::int64_t kMostShards = 10'000;
constexpr const char* kFormat = "cornu data set 1";

std::string shard_path(const std::string& path, std::int64_t shard) {
  return (std::filesystem::path(path) / fmt::format("shard_{:05}.tfrecord", shard)).string();
}
std::string index_path(const std::string& path) {
  return (std::filesystem::path(path) / "dataset.tfrecord").string();
}

void write_element(io::RecordWriter& writer, const Element& element) {
  PositionWriter bytes;
  bytes.write(element);
  writer.write(bytes.view());
}

/// The elements of one file, each a record.
class ElementFile : public FileReader {
 public:
  explicit ElementFile(const std::string& path) : reader_(path), path_(path) {}
  std::optional<Element> next() override {
    const std::optional<io::SharedBytes> record = reader_.next();
    if (!record.has_value()) return std::nullopt;
    return parse_element(std::as_bytes(std::span(record->view)), path_);
  }
  std::uint64_t offset() const override { return reader_.offset(); }
  void seek(std::uint64_t offset) override { reader_.seek(offset); }

 private:
  io::RecordReader reader_;
  std::string path_;
};

StagePointer element_file_stage(const std::string& path) {
  return files_stage("load", {path},
                     [](const std::string& name) { return std::make_unique<ElementFile>(name); });
}

/// Counts its input's elements, and writes them into a file while there is none yet. The file must contain
/// the elements before a position too, so a position is restored by reading them again.
class FileCacheCursor : public Cursor<Element> {
 public:
  FileCacheCursor(ElementCursor input, std::unique_ptr<io::RecordWriter> writer)
      : input_(std::move(input)), writer_(std::move(writer)) {}
  std::size_t next(std::span<Element> items) override {
    const std::size_t got = input_->next(items);
    num_given_ += static_cast<std::int64_t>(got);
    if (writer_ == nullptr) return got;
    for (const Element& item : items.first(got)) write_element(*writer_, item);
    if (got < items.size()) writer_->close();
    return got;
  }
  void save(PositionWriter& writer) override {
    writer.begin("cache");
    writer.write(num_given_);
  }
  void load(PositionReader& reader) override {
    reader.begin("cache");
    const auto wanted = reader.read<std::int64_t>();
    if (wanted < num_given_ || skip(wanted - num_given_) < wanted - num_given_)
      reader.corrupt("a position after the elements");
  }

 private:
  ElementCursor input_;
  std::unique_ptr<io::RecordWriter> writer_;  // null: the input is the file
  std::int64_t num_given_ = 0;
};

class FileCacheStage : public UnaryStage {
 public:
  FileCacheStage(StagePointer input, std::string path)
      : UnaryStage(std::move(input)), path_(std::move(path)) {}
  const char* name() const override { return "cache"; }
  std::int64_t cardinality() const override { return input_->cardinality(); }
  ElementCursor iterate(const Iteration& iteration) const override {
    if (std::filesystem::exists(path_))
      return std::make_unique<FileCacheCursor>(element_file_stage(path_)->iterate(iteration), nullptr);
    if (iteration.is_probe) return open(*input_, iteration);
    return std::make_unique<FileCacheCursor>(open(*input_, iteration),
                                             std::make_unique<io::RecordWriter>(path_));
  }

 private:
  std::string path_;
};

}  // namespace

void save_elements(const Stage& stage, const std::string& path, std::int64_t num_shards) {
  if (num_shards < 1 || num_shards > kMostShards)
    invalid_argument("[save] num_shards must be in [1, {}]; got {}", kMostShards, num_shards);
  if (stage.cardinality() == kInfiniteCardinality)
    invalid_argument("[save] an infinite dataset cannot be saved: take() a part of it");
  std::filesystem::create_directories(path);
  std::vector<std::unique_ptr<io::RecordWriter>> writers;
  writers.reserve(static_cast<std::size_t>(num_shards));
  for (std::int64_t i = 0; i < num_shards; ++i)
    writers.push_back(std::make_unique<io::RecordWriter>(shard_path(path, i)));
  const ElementCursor cursor = stage.iterate({});
  std::int64_t count = 0;
  for (Element element; cursor->next_one(element); ++count)
    write_element(*writers[static_cast<std::size_t>(count % num_shards)], element);
  std::filesystem::remove(index_path(path));  // from here on the folder holds no earlier data set
  for (const auto& writer : writers) writer->close();
  io::RecordWriter index(index_path(path));
  write_element(index,
                Element({{"format", Text(kFormat)}, {"num_elements", count}, {"num_shards", num_shards}}));
  index.close();
}

StagePointer saved_stage(const std::string& path) {
  const std::string index = index_path(path);
  const std::optional<Element> about = ElementFile(index).next();
  const bool is_one = about.has_value() && about->names().size() == 3 && (*about)[0].is_text() &&
                      (*about)[0].text() == kFormat && (*about)[1].is_number() && (*about)[2].is_number();
  const std::int64_t count = is_one ? (*about)[1].item<std::int64_t>() : -1;
  const std::int64_t num_shards = is_one ? (*about)[2].item<std::int64_t>() : 0;
  if (count < 0 || num_shards < 1 || num_shards > kMostShards)
    io::corrupt(index, 0, "this is not a data set that save() wrote");
  std::vector<Element> shards;
  shards.reserve(static_cast<std::size_t>(num_shards));
  for (std::int64_t i = 0; i < num_shards; ++i) shards.emplace_back(Text(shard_path(path, i)));
  // Read in turn, as they were written.
  const StagePointer all =
      interleave_stage(elements_stage(std::move(shards)),
                       [](const Element& shard) { return element_file_stage(std::string(shard.text())); },
                       {.cycle_length = num_shards});
  return assert_cardinality_stage(all, count);
}

StagePointer file_cache_stage(StagePointer input, std::string path) {
  return std::make_shared<FileCacheStage>(std::move(input), std::move(path));
}

}  // namespace cornu::inline v0::data
