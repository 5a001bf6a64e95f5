#include "cornu/keras/files/training_state.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/scratch_memory.h"
#include "cornu/io/crc32c.h"
#include "cornu/io/safetensors.h"
#include "cornu/keras/files/enough_memory_support.h"
#include "cornu/keras/utils/arrays.h"

namespace cornu::inline v0::keras {
namespace {

constexpr const char* kFormatKey = "format";
constexpr const char* kFormatName = "cornu training state 1";
constexpr const char* kGenerationKey = "generation";
constexpr const char* kProcessesKey = "processes";
constexpr const char* kRows = ".rows-";

std::string sum_key(const std::string& path) { return "crc32c " + path; }

void write_state(const StringArgument& path, const StateValues& state,
                 std::map<std::string, std::string> metadata) {
  std::vector<std::pair<std::string, io::ArrayView>> arrays;
  metadata[kFormatKey] = kFormatName;
  for (const auto& [name, value] : state) {
    const std::optional<io::ElementType> type = utils::element_type_of(value.dtype());
    if (!type.has_value())
      invalid_argument("[save_training_state] files have no numbers of type {}; that is what \"{}\" has",
                       ir::numpy_name(value.dtype()), name);
    const io::ArrayView view(*type, value.shape(), {value.bytes(), value.type().size_bytes()});
    metadata[sum_key(name)] = fmt::format("{:08x}", io::crc32c(view.data));
    arrays.emplace_back(name, view);
  }
  io::write_safetensors(path, arrays, metadata);
}

std::string text_of(const io::SafetensorsFile& file, const char* key) {
  const auto found = file.metadata().find(key);
  return found == file.metadata().end() ? std::string() : found->second;
}

void require_format(const io::SafetensorsFile& file) {
  if (text_of(file, kFormatKey) != kFormatName)
    fail(ErrorCode::kDataLoss, "[load_training_state] {} holds no training state", file.name());
}

/// Reads the files of a state. Parts are joined to whole values.
class StateReader {
 public:
  /// Registers the parts in a file; call it for each file, then check_complete(), then read(). A part's name
  /// may state any extent: a value takes memory only after its parts were found in the files.
  void expect_parts(const io::SafetensorsFile& file) {
    for (const auto& [name, entry] : file.entries())
      if (const auto [path, part] = split_state_path(name); part.has_value())
        expect(file, path, *part, {utils::dtype_of(entry.type), entry.dims});
  }

  void check_complete(const std::string& name) const {
    for (const auto& [path, joined] : joined_)
      if (joined.num_found != joined.extent())
        fail(ErrorCode::kDataLoss, "[load_training_state] {}: {} of {} rows or columns of \"{}\" are missing",
             name, joined.extent() - joined.num_found, joined.extent(), path);
  }

  void read(const io::SafetensorsFile& file) {
    const std::string folder = std::filesystem::path(file.name()).parent_path().string();
    for (const auto& [name, entry] : file.entries()) {
      const std::shared_ptr<std::byte> memory = scratch_memory(folder, entry.size_bytes, [&] {
        return fmt::format("[load_training_state] \"{}\" in {}", name, file.name());
      });
      const std::span<std::byte> bytes(memory.get(), entry.size_bytes);
      file.read(entry, bytes);
      if (text_of(file, sum_key(name).c_str()) != fmt::format("{:08x}", io::crc32c(bytes)))
        fail(ErrorCode::kDataLoss, "[load_training_state] {}: the CRC of \"{}\" differs: the file is damaged",
             file.name(), name);
      const auto [path, part] = split_state_path(name);
      if (part.has_value())
        add(path, *part, bytes);
      else
        state_.emplace(name, Tensor::from_bytes({utils::dtype_of(entry.type), entry.dims}, bytes.data(),
                                                bytes.size(), memory));
    }
  }

  StateValues take() {
    for (auto& [path, joined] : joined_) state_.emplace(path, Tensor(*std::move(joined.whole)));
    return std::move(state_);
  }

 private:
  /// A value in parts along one axis.
  struct Joined {
    TensorType type;
    std::size_t axis = 0;
    std::int64_t num_found = 0;
    std::optional<ir::Literal> whole = {};  // made for the first part that is read
    std::int64_t extent() const { return type.dims[axis]; }
  };

  /// `type`: that of the part.
  void expect(const io::SafetensorsFile& file, const std::string& path, const StatePart& part,
              TensorType type) {
    const auto axis = static_cast<std::size_t>(part.axis);
    const bool is_part = part.axis >= 0 && axis < type.dims.size() && part.begin >= 0 &&
                         part.begin <= part.end && part.extent >= 0 &&
                         part.end <= (part.modulo > 0 ? part.modulo : part.extent) &&
                         part.count() == type.dims[axis];
    if (is_part) type.dims[axis] = part.extent;
    const auto found = is_part ? joined_.try_emplace(path, Joined{type, axis}).first : joined_.end();
    if (!is_part || found->second.type != type || found->second.axis != axis ||
        part.count() > part.extent - found->second.num_found)
      fail(ErrorCode::kDataLoss, "[load_training_state] {}: \"{}{}\" is no part of the same value as others",
           file.name(), path, part.suffix());
    found->second.num_found += part.count();
  }

  void add(const std::string& path, const StatePart& part, std::span<const std::byte> values) {
    Joined& joined = joined_.at(path);
    const TensorType& type = joined.type;
    if (!joined.whole.has_value()) joined.whole.emplace(type);
    std::size_t outer = 1, inner = ir::size_bytes(type.dtype);
    for (std::size_t d = 0; d < joined.axis; ++d) outer *= static_cast<std::size_t>(type.dims[d]);
    for (std::size_t d = joined.axis + 1; d < type.dims.size(); ++d)
      inner *= static_cast<std::size_t>(type.dims[d]);
    // Indices beyond the extent, which a modulo may name, have no bytes; their products may exceed 64 bits.
    const auto size_of = [&](std::int64_t count) {
      return static_cast<std::size_t>(std::min(count, part.extent)) * inner;
    };
    const std::size_t first = size_of(part.begin), run = size_of(part.end) - first,
                      stride = size_of(part.modulo > 0 ? part.modulo : part.extent),
                      row = size_of(part.extent);
    const std::span<std::byte> to = joined.whole->mutable_bytes();
    const std::byte* from = values.data();
    for (std::size_t i = 0; i < outer; ++i)
      for (std::size_t at = first; at < row && run > 0; at += stride) {
        const std::size_t length = std::min(run, row - at);  // the last indices of a modulo may be fewer
        std::memcpy(to.data() + i * row + at, from, length);
        from += length;
      }
  }

  StateValues state_;
  std::map<std::string, Joined> joined_;
};

/// The files of a state: the first one and those of the other ranks.
std::vector<io::SafetensorsFile> files_of_state(const std::string& path) {
  std::vector<io::SafetensorsFile> files;
  files.emplace_back(io::open_random_access(path));
  require_format(files[0]);
  SharedState shared{.generation = text_of(files[0], kGenerationKey)};
  const std::string count = text_of(files[0], kProcessesKey);
  std::from_chars(count.data(), count.data() + count.size(), shared.num_processes);
  for (int rank = 1; rank < shared.num_processes; ++rank) {
    const std::string name = shared.path_of(path, rank);
    if (std::error_code error; !std::filesystem::exists(name, error))
      fail(ErrorCode::kDataLoss,
           "[load_training_state] {} is the first of the {} files that as many processes wrote, and {} is "
           "missing: put all of them into one folder",
           path, shared.num_processes, name);
    const io::SafetensorsFile& other = files.emplace_back(io::open_random_access(name));
    require_format(other);
    if (text_of(other, kGenerationKey) != shared.generation)
      fail(ErrorCode::kDataLoss, "[load_training_state] {} belongs to another state than {}", name, path);
  }
  return files;
}

StateValues read_state(std::span<const io::SafetensorsFile> files) {
  StateReader reader;
  for (const io::SafetensorsFile& file : files) reader.expect_parts(file);
  reader.check_complete(files[0].name());
  for (const io::SafetensorsFile& file : files) reader.read(file);
  return reader.take();
}

}  // namespace

void save_training_state(const StringArgument& path, const StateValues& state) {
  write_state(path, state, {});
}

std::string SharedState::path_of(const StringArgument& path, int rank_of_file) const {
  if (rank_of_file == 0) return path;
  return fmt::format("{}{}{}-{}of{}", path, kRows, generation, rank_of_file, num_processes);
}

void save_training_state(const StringArgument& path, const StateValues& own, const SharedState& shared) {
  write_state(shared.path_of(path, shared.rank), own,
              {{kGenerationKey, shared.generation}, {kProcessesKey, std::to_string(shared.num_processes)}});
}

void remove_other_generations(const StringArgument& path, const StringViewArgument& generation) {
  const std::filesystem::path whole(static_cast<const std::string&>(path));
  const std::string others = whole.filename().string() + kRows,
                    kept = fmt::format("{}{}-", others, generation);
  std::error_code error;
  const std::filesystem::path folder = whole.has_parent_path() ? whole.parent_path() : ".";
  std::vector<std::filesystem::path> over;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool is_kept = !generation.empty() && name.starts_with(kept);
    if (name.find(others) != std::string::npos && !is_kept) over.push_back(entry.path());
  }
  for (const std::filesystem::path& one : over) std::filesystem::remove(one, error);
}

std::string generation_of_state(const StringArgument& path) {
  const std::string& name = path;
  if (std::error_code error; !std::filesystem::exists(name, error)) return {};
  return text_of(io::SafetensorsFile(io::open_random_access(path)), kGenerationKey);
}

StateValues load_training_state(const StringArgument& path) {
  return files::with_enough_memory("load_training_state", path,
                                   [&] { return read_state(files_of_state(path)); });
}

StateValues load_training_state(const io::RandomAccessPointer& bytes) {
  const io::SafetensorsFile file(bytes);
  require_format(file);
  return read_state({&file, 1});
}

}  // namespace cornu::inline v0::keras
