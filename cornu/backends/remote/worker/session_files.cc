#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cornu/backends/remote/worker/session.h"
#include "cornu/base/check.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/npy.h"
#include "cornu/io/npz.h"
#include "cornu/io/zip.h"

namespace cornu::inline v0::backends::remote {
namespace {

/// Name of the array in a backup's file that identifies the run.
constexpr const char* kMark = "backup/mark";

/// Only files with this suffix are written, so that no client can change files that others read.
std::string backup_path(const std::string& path) { return path + ".backup"; }

void check_names(const std::vector<SavedBuffer>& buffers) {
  if (buffers.size() > kMostArrays)
    invalid_argument("[worker] a backup has at most {} buffers; got {}", kMostArrays, buffers.size());
  for (const SavedBuffer& saved : buffers)
    if (saved.name.empty() || saved.name == kMark)
      invalid_argument("[worker] a buffer of a backup cannot be called \"{}\"", saved.name);
}

/// The remedy if a backup cannot be written.
const char* way_out(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNotFound: return "make its folder below the worker's --data-root, or give another name";
    case ErrorCode::kResourceExhausted: return "make room where the worker's --data-root is";
    default:
      return "let the worker write below its --data-root, or leave worker_file out, and backups are kept by "
             "the client";
  }
}

[[noreturn]] void refuse_to_keep(const std::string& path, const Error& error, std::string_view why) {
  fail(error.code(), "[worker] the backup \"{}\" cannot be written: {}: {}", io::shown(path), why,
       way_out(error.code()));
}

/// Errors: InvalidArgument for a type that files do not have.
io::ElementType element_type_in(const std::string& path, const SavedBuffer& saved, ir::DType dtype) {
  const std::optional<io::ElementType> type = element_type_of(dtype);
  if (!type.has_value())
    invalid_argument(
        "[worker] \"{}\" of the backup \"{}\" is of type {}, which files do not have: leave worker_file out, "
        "and backups are kept by the client",
        io::shown(saved.name), io::shown(path), ir::stablehlo_name(dtype));
  return *type;
}

/// Errors: those of DataRoot::place_to_write.
PlaceToWrite place_of(const DataRoot& root, const std::string& path) {
  try {
    return root.place_to_write(path);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInvalidArgument) throw;  // an invalid path
    refuse_to_keep(path, error,
                   error.code() == ErrorCode::kNotFound ? "its folder is not there" : error.message());
  }
}

/// The reason in a message about a file, without the path: "No space left on device".
std::string reason_of(const std::string& message, const std::string& path) {
  const std::string before = fmt::format("cannot write {}: ", io::shown(path));
  const std::size_t at = message.find(before);
  return at == std::string::npos ? message : message.substr(at + before.size());
}

io::ReadLimits no_limit() { return {.max_size_bytes = std::numeric_limits<std::int64_t>::max()}; }

}  // namespace

const DataRoot& Session::files() const {
  if (files_ == nullptr)
    fail(ErrorCode::kFailedPrecondition,
         "[worker] it lends no files: start it with --data-root FOLDER, below which paths then are");
  return *files_;
}

/// Calls `look` with the elements once they are loaded.
void Session::fill(runtime::Buffer& to, const StoredArray& array,
                   const std::function<void(const std::byte*)>& look) {
  const std::size_t num_bytes = array.type.size_bytes();
  if (std::byte* const memory = to.writable_host_data()) {
    array.read({memory, num_bytes});
    return look(memory);
  }
  const QuotaShare share(quota_, num_bytes, "data read from files");
  std::vector<std::byte> bytes(num_bytes);
  array.read(bytes);
  to.copy_from_host(bytes.data());
  look(bytes.data());
}

OpenedArray Session::open_one(const StoredArray& array, std::uint64_t number) {
  if (buffers_.contains(number)) invalid_argument("[worker] there is a buffer {} already", number);
  runtime::Buffer& to = buffer_of(number, array.type);
  try {
    OpenedArray opened{array.type, std::nullopt};
    fill(to, array, [&](const std::byte* elements) { opened.range = range_of(array.type, elements); });
    return opened;
  } catch (...) {
    release_buffer(number);
    throw;
  }
}

std::vector<OpenedArray> Session::open(const OpenOrder& order) {
  const std::lock_guard lock(mutex_);
  std::vector<OpenedArray> opened;
  try {
    open_arrays(files(), order, quota_, [&](const StoredArray& array) {
      opened.push_back(open_one(array, order.items[opened.size()].buffer));
    });
  } catch (...) {
    for (std::size_t i = 0; i < opened.size(); ++i) release_buffer(order.items[i].buffer);
    throw;
  }
  return opened;
}

std::uint64_t Session::save(const BackupOrder& order) {
  const std::lock_guard lock(mutex_);
  const std::string path = backup_path(order.path);
  const PlaceToWrite place = place_of(files(), path);
  check_names(order.buffers);
  const std::vector<std::int64_t> one = {1};
  std::vector<std::pair<std::string, io::ArrayView>> arrays;
  arrays.emplace_back(kMark,
                      io::ArrayView(io::ElementType::kU64, one, std::as_bytes(std::span(&order.mark, 1))));
  std::vector<std::vector<std::byte>> fetched;
  fetched.reserve(order.buffers.size());
  std::vector<QuotaShare> shares;
  std::vector<runtime::Read> reads;
  for (const SavedBuffer& saved : order.buffers) {
    const runtime::Buffer& from = buffer(saved.buffer, "to be saved");
    const io::ElementType type = element_type_in(path, saved, from.type().dtype);
    const std::size_t num_bytes = from.type().size_bytes();
    const std::byte* bytes = from.host_data();
    if (bytes == nullptr) {
      shares.emplace_back(quota_, num_bytes, "a backup on its way");
      bytes = fetched.emplace_back(num_bytes).data();
      reads.push_back({&from, fetched.back().data()});
    }
    arrays.emplace_back(saved.name, io::ArrayView(type, from.type().dims, std::span(bytes, num_bytes)));
  }
  client_->read(reads);
  try {
    io::WholeFile::remove_leftovers(place.path());
    io::write_npz(place.path(), arrays, {.links = io::Links::kRefused});
  } catch (const Error& error) {
    refuse_to_keep(path, error, reason_of(place.with_given_path(error.message()), path));
  }
  return files().open(path)->size();
}

void Session::load(const BackupOrder& order) {
  const std::lock_guard lock(mutex_);
  const std::string path = backup_path(order.path);
  check_names(order.buffers);
  const io::ZipFile archive(files().open(path), ".npz", no_limit());
  std::uint64_t mark = 0;
  bool is_mark = false;
  take_member(archive, kMark, quota_, [&](const StoredArray& array) {
    is_mark = array.type == ir::TensorType{ir::DType::kU64, {1}};
    if (is_mark) array.read(std::as_writable_bytes(std::span(&mark, 1)));
  });
  if (!is_mark || mark != order.mark)
    fail(ErrorCode::kFailedPrecondition,
         "[worker] \"{}\" is the backup of another run: give each run a name of its own", io::shown(path));
  for (const SavedBuffer& saved : order.buffers)
    // The archive's checksum is verified before an element is read.
    take_member(archive, saved.name, quota_, [&](const StoredArray& array) {
      if (array.type != saved.type)
        fail(ErrorCode::kFailedPrecondition, "[worker] \"{}\" of backup \"{}\" is not {}",
             io::shown(saved.name), io::shown(path), saved.type.str());
      fill(buffer_of(saved.buffer, saved.type), array, [](const std::byte*) {});
    });
}

}  // namespace cornu::inline v0::backends::remote
