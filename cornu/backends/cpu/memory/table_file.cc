#include "cornu/backends/cpu/memory/table_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <type_traits>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/environment.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/printable.h"
#include "cornu/base/thread_pool.h"

namespace cornu::inline v0::backends::cpu {
namespace {

static_assert(sizeof(std::atomic<std::uint64_t>) == 8 && std::atomic<std::uint64_t>::is_always_lock_free);

constexpr char kMagic[16] = "cornu table\n";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kMostDims = 4;

/// The first bytes of the file.
struct Header {
  char magic[sizeof kMagic];
  std::uint32_t version;
  std::uint32_t byte_order;  // 1
  std::uint32_t is_open;     // 1 while a process has it mapped
  std::uint32_t rank;
  std::int64_t dims[kMostDims];
  std::uint64_t seed;
  char dtype[16];
  char initial_values[512];  // ends with a zero
};
static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) <= kPage);

std::size_t whole_pages(std::size_t size_bytes) { return (size_bytes + kPage - 1) / kPage * kPage; }

template <std::size_t kSize>
void put(char (&to)[kSize], const std::string& text) {
  CORNU_CHECK(text.size() < kSize);
  std::memcpy(to, text.data(), text.size());
}
template <std::size_t kSize>
std::string get(const char (&from)[kSize]) {
  return printable(std::string(from, strnlen(from, kSize)));
}

std::mutex& tables_mutex() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}
std::vector<TableFile*>& tables() {
  static auto& all = *new std::vector<TableFile*>;
  return all;
}

[[noreturn]] void fail_system(ErrorCode code, const std::string& path, std::string_view what) {
  const int error = errno;
  fail(code, "[table_file] {} \"{}\": {}", what, printable(path), std::strerror(error));
}

}  // namespace

std::shared_ptr<TableFile> TableFile::open(const TableFileOptions& options) {
  const std::shared_ptr<TableFile> table(new TableFile(options));
  table->lay_out();
  table->open_and_lock();
  table->create_or_check();
  table->map();
  if (options.make_fill) table->fill_ = options.make_fill(table->seed_);
  const std::lock_guard lock(tables_mutex());
  tables().push_back(table.get());
  return table;
}

TableFile::~TableFile() {
  {
    const std::lock_guard lock(tables_mutex());
    std::erase(tables(), this);
  }
  if (base_ != nullptr) {
    reinterpret_cast<Header*>(base_)->is_open = 0;
    munmap(base_, file_bytes_);
  }
  if (descriptor_ >= 0) close(descriptor_);  // which unlocks it
}

TableFile* TableFile::find(const std::byte* rows) {
  const std::lock_guard lock(tables_mutex());
  const auto found =
      std::ranges::find_if(tables(), [&](const TableFile* one) { return one->rows() == rows; });
  return found == tables().end() ? nullptr : *found;
}

void TableFile::lay_out() {
  const ir::TensorType& type = options_.type;
  ir::check_type(type);
  if (options_.path.empty() || options_.path.find('\0') != std::string::npos)
    invalid_argument("[table_file] the path of a table must not be empty or contain a NUL");
  if (type.dims.empty() || type.dims.size() > kMostDims || type.num_elements() == 0)
    invalid_argument("[table_file] a table in a file has rows; got {}", type.str());
  row_bytes_ = type.size_bytes() / static_cast<std::size_t>(num_rows());
  const std::size_t bitmap_bytes = static_cast<std::size_t>((num_rows() + 63) / 64) * 8;
  rows_offset_ = kHeaderBytes + whole_pages(bitmap_bytes);
  bitmap_pages_.resize((rows_offset_ - kHeaderBytes) / kPage);
  file_bytes_ =
      static_cast<std::size_t>((CheckedSize(rows_offset_) + type.size_bytes()).value("a table file"));
}

void TableFile::open_and_lock() {
  descriptor_ = ::open(path().c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644);
  if (descriptor_ < 0) fail_system(ErrorCode::kNotFound, path(), "cannot open the table's file");
  struct stat status = {};
  if (fstat(descriptor_, &status) != 0)
    fail_system(ErrorCode::kNotFound, path(), "cannot examine the table's file");
  if (!S_ISREG(status.st_mode))
    fail(ErrorCode::kNotFound, "[table_file] \"{}\" is not a regular file; give the path of a file",
         printable(path()));
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  if (errno != EWOULDBLOCK) fail_system(ErrorCode::kUnavailable, path(), "cannot lock the table's file");
  fail(ErrorCode::kFailedPrecondition,
       "[table_file] \"{}\" is in use by another table, of this process or of another one; end that process, "
       "or give each table a file of its own",
       printable(path()));
}

void TableFile::create_or_check() {
  struct stat status = {};
  if (fstat(descriptor_, &status) != 0)
    fail_system(ErrorCode::kNotFound, path(), "cannot examine the table's file");
  Header header = {};
  if (status.st_size > 0) {
    const ssize_t count = pread(descriptor_, &header, sizeof header, 0);
    const bool is_begun = status.st_size == static_cast<off_t>(file_bytes_) && header.magic[0] == '\0';
    if (!is_begun) {  // not a file whose creation was interrupted
      check_header(
          {reinterpret_cast<const std::byte*>(&header), count < 0 ? 0 : static_cast<std::size_t>(count)});
      if (status.st_size != static_cast<off_t>(file_bytes_))
        fail(ErrorCode::kDataLoss, "[table_file] \"{}\" has {} bytes, and its table {}: it is damaged",
             printable(path()), status.st_size, file_bytes_);
      seed_ = header.seed;
      is_reopened_ = true;
      if (header.is_open != 0)
        log_warning(
            "[table_file] \"{}\" was in use when its process ended; its rows may have a part of the last "
            "step",
            printable(path()));
      return;
    }
  }
  seed_ = options_.seed;
  if (ftruncate(descriptor_, static_cast<off_t>(file_bytes_)) != 0) {
    const int error = errno;
    if (status.st_size == 0) unlink(path().c_str());
    errno = error;
    fail_system(ErrorCode::kResourceExhausted, path(),
                fmt::format("a table of {} bytes cannot be made in the file", file_bytes_));
  }
  header = {};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.byte_order = 1;
  header.rank = static_cast<std::uint32_t>(options_.type.dims.size());
  std::ranges::copy(options_.type.dims, header.dims);
  header.seed = seed_;
  put(header.dtype, std::string(ir::numpy_name(options_.type.dtype)));
  put(header.initial_values, options_.initial_values);
  if (pwrite(descriptor_, &header, sizeof header, 0) != static_cast<ssize_t>(sizeof header))
    fail_system(ErrorCode::kResourceExhausted, path(), "cannot write the table's file");
  warn_of_space();
}

void TableFile::check_header(std::span<const std::byte> bytes) const {
  Header header = {};
  if (bytes.size() == sizeof header) std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 || header.rank == 0 || header.rank > kMostDims)
    invalid_argument("[table_file] \"{}\" is not a table of Cornu; it is left as it is. Give another path",
                     printable(path()));
  if (header.version != kVersion || header.byte_order != 1)
    invalid_argument(
        "[table_file] \"{}\" was written by another version of Cornu (format {}; this one has {})",
        printable(path()), header.version, kVersion);
  const auto demand = [&](bool holds, const std::string& what, const std::string& in_file,
                          const std::string& wanted) {
    if (!holds)
      invalid_argument(
          "[table_file] \"{}\" holds another table: its {} is {}, and the model's is {}. Give the options of "
          "the file, or another path",
          printable(path()), what, in_file, wanted);
  };
  const ir::TensorType& type = options_.type;
  const ir::Dims dims(header.dims, header.dims + header.rank);
  demand(dims == type.dims, "shape", ir::shape_str(dims), ir::shape_str(type.dims));
  const std::string dtype(ir::numpy_name(type.dtype));
  demand(get(header.dtype) == dtype, "dtype", get(header.dtype), dtype);
  demand(get(header.initial_values) == options_.initial_values, "initializer", get(header.initial_values),
         options_.initial_values);
  demand(!options_.requires_seed || header.seed == options_.seed, "seed", std::to_string(header.seed),
         std::to_string(options_.seed));
}

void TableFile::warn_of_space() const {
  struct stat status = {};
  struct statvfs disk = {};
  if (fstat(descriptor_, &status) != 0 || fstatvfs(descriptor_, &disk) != 0) return;
  const auto taken = static_cast<std::size_t>(status.st_blocks) * 512;
  const std::size_t free = static_cast<std::size_t>(disk.f_bavail) * disk.f_frsize;
  if (taken > file_bytes_ / 2)
    log_warning(
        "[table_file] the file system of \"{}\" has no sparse files: the table takes all of its {} bytes",
        printable(path()), file_bytes_);
  else if (free < file_bytes_ - taken)
    log_warning(
        "[table_file] \"{}\" takes up to {} bytes when all of its rows are in use, and the disk has {} free; "
        "a row that finds no space stops the training",
        printable(path()), file_bytes_, free);
}

void TableFile::map() {
  void* const mapped = mmap(nullptr, file_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (mapped == MAP_FAILED)
    fail_system(ErrorCode::kResourceExhausted, path(),
                fmt::format("cannot map the {} bytes of the table's file", file_bytes_));
  base_ = static_cast<std::byte*>(mapped);
  madvise(base_ + rows_offset_, file_bytes_ - rows_offset_, MADV_RANDOM);  // no reading ahead
  reinterpret_cast<Header*>(base_)->is_open = 1;
}

void TableFile::add_slot(const std::shared_ptr<TableFile>& slot) {
  CORNU_CHECK(slot->num_rows() == num_rows());
  const std::lock_guard lock(mutex_);
  const std::int64_t num_words = (num_rows() + 63) / 64;
  for (std::int64_t i = 0; i < num_words; ++i)
    for (std::uint64_t word = words()[i].load(std::memory_order_relaxed); word != 0; word &= word - 1)
      slot->initialize_row(i * 64 + std::countr_zero(word));
  slots_.push_back(slot);
}

void TableFile::initialize_row(std::int64_t row) {
  const std::lock_guard lock(mutex_);
  initialize_locked(row);
}

// The bit is set last, and after those of the slots: a thread that sees it finds all of these rows.
void TableFile::initialize_locked(std::int64_t row) {
  if (is_initialized(row)) return;
  for (const std::weak_ptr<TableFile>& one : slots_)
    if (const std::shared_ptr<TableFile> slot = one.lock()) slot->initialize_row(row);
  reserve(row);
  if (fill_) fill_(row, {row_at(row), row_bytes_});
  words()[row / 64].fetch_or(std::uint64_t{1} << (row % 64), std::memory_order_release);
}

void TableFile::initialize_all() {
  for (std::int64_t row = 0; row < num_rows(); ++row)
    if (!is_initialized(row)) initialize_row(row);
}

/// True if all pages of the row have disk space because of the rows beside it.
bool TableFile::shares_pages(std::int64_t row) const {
  const std::size_t begin = static_cast<std::size_t>(row) * row_bytes_;
  if (begin / kPage != (begin + row_bytes_ - 1) / kPage) return false;
  const std::size_t page = begin / kPage * kPage;
  const auto first = static_cast<std::int64_t>(page / row_bytes_);
  const auto last = std::min(num_rows() - 1, static_cast<std::int64_t>((page + kPage - 1) / row_bytes_));
  for (std::int64_t other = first; other <= last; ++other)
    if (is_initialized(other)) return true;
  return false;
}

// A page without disk space that is written through the mapping ends the process by a signal if the disk is
// full; reserving reports it.
void TableFile::reserve(std::int64_t row) {
  const auto try_reserve = [&](std::size_t offset, std::size_t size) {
    if (fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset), static_cast<off_t>(size)) ==
            0 ||
        errno == EOPNOTSUPP || errno == ENOSYS)
      return;
    const bool is_full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
    fail_system(is_full ? ErrorCode::kResourceExhausted : ErrorCode::kUnavailable, path(),
                fmt::format("row {} of the table gets no disk space in", row));
  };
  const std::size_t page = static_cast<std::size_t>(row / 64) * 8 / kPage;
  if (!bitmap_pages_[page]) try_reserve(kHeaderBytes + page * kPage, kPage);
  bitmap_pages_[page] = true;
  if (!shares_pages(row)) try_reserve(rows_offset_ + static_cast<std::size_t>(row) * row_bytes_, row_bytes_);
}

void TableFile::fill(std::int64_t row, std::byte* to) const {
  if (fill_)
    fill_(row, {to, row_bytes_});
  else
    std::memset(to, 0, row_bytes_);
}

void TableFile::read(std::byte* to) const {
  struct Slices {
    const TableFile& table;
    std::byte* to;
    std::int64_t num_rows;  // of a slice
  } slices{*this, to, std::max<std::int64_t>(1, static_cast<std::int64_t>((1 << 20) / row_bytes_))};
  const auto read_slice = [](void* context, std::int64_t slice) {
    const auto& [table, memory, size] = *static_cast<const Slices*>(context);
    const std::int64_t end = std::min(table.num_rows(), (slice + 1) * size);
    for (std::int64_t row = slice * size; row < end; ++row) {
      std::byte* const row_to = memory + static_cast<std::size_t>(row) * table.row_bytes_;
      if (table.is_initialized(row))
        std::memcpy(row_to, table.row_at(row), table.row_bytes_);
      else
        table.fill(row, row_to);
    }
  };
  const std::int64_t num_slices = (num_rows() + slices.num_rows - 1) / slices.num_rows;
  ThreadPool pool(num_slices < 16 ? 1 : environment::num_threads().value_or(default_num_threads()));
  pool.parallel_for(num_slices, read_slice, &slices);
}

void TableFile::write(const std::byte* from) {
  std::vector<std::byte> initial(row_bytes_);
  for (std::int64_t row = 0; row < num_rows(); ++row, from += row_bytes_) {
    if (!is_initialized(row)) {
      fill(row, initial.data());
      if (std::memcmp(initial.data(), from, row_bytes_) == 0) continue;
      initialize_row(row);
    }
    std::memcpy(row_at(row), from, row_bytes_);
  }
}

}  // namespace cornu::inline v0::backends::cpu
