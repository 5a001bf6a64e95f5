#include "cornu/data/stages/files_stage.h"

#include <utility>

namespace cornu::inline v0::data {
namespace {

class FilesCursor : public Cursor<Element> {
 public:
  FilesCursor(const char* name, std::shared_ptr<const std::vector<std::string>> paths,
              const OpenFile& open_one)
      : name_(name), paths_(std::move(paths)), open_one_(open_one) {}
  std::size_t next(std::span<Element> items) override {
    for (std::size_t i = 0; i < items.size(); ++i)
      if (!next_element(items[i])) return i;
    return items.size();
  }
  void save(PositionWriter& writer) override {
    writer.begin(name_);
    writer.write(static_cast<std::int64_t>(file_));
    writer.write(reader_ != nullptr);
    if (reader_ != nullptr) writer.write(reader_->offset());
  }
  void load(PositionReader& reader) override {
    reader.begin(name_);
    const auto num_files = static_cast<std::int64_t>(paths_->size());
    file_ = static_cast<std::size_t>(reader.read_between(0, num_files));
    reader_ = nullptr;
    if (!reader.read<bool>()) return;
    const auto offset = reader.read<std::uint64_t>();
    if (file_ == paths_->size()) reader.corrupt("a position in a file after the last one");
    reader_ = open_one_((*paths_)[file_]);
    reader_->seek(offset);
  }

 private:
  bool next_element(Element& item) {
    for (; file_ < paths_->size(); ++file_) {
      if (reader_ == nullptr) open_file();
      if (std::optional<Element> element = reader_->next()) {
        item = *std::move(element);
        return true;
      }
      reader_ = nullptr;
    }
    return false;
  }
  // A file that cannot be opened is skipped after the error, so that the iterator can continue with the next
  // one.
  void open_file() {
    const std::string& path = (*paths_)[file_++];
    reader_ = open_one_(path);
    --file_;
  }

  const char* name_;
  std::shared_ptr<const std::vector<std::string>> paths_;
  OpenFile open_one_;
  std::size_t file_ = 0;
  std::unique_ptr<FileReader> reader_;  // of that file, once it is open
};

class FilesStage : public Stage {
 public:
  FilesStage(const char* name, std::vector<std::string> paths, OpenFile open_one)
      : name_(name),
        paths_(std::make_shared<const std::vector<std::string>>(std::move(paths))),
        open_one_(std::move(open_one)) {}
  const char* name() const override { return name_; }
  std::int64_t cardinality() const override { return paths_->empty() ? 0 : kUnknownCardinality; }
  ElementCursor iterate(const Iteration&) const override {
    return std::make_unique<FilesCursor>(name_, paths_, open_one_);
  }

 private:
  const char* name_;
  std::shared_ptr<const std::vector<std::string>> paths_;
  OpenFile open_one_;
};

}  // namespace

StagePointer files_stage(const char* name, std::vector<std::string> paths, OpenFile open_one) {
  return std::make_shared<FilesStage>(name, std::move(paths), std::move(open_one));
}

}  // namespace cornu::inline v0::data
