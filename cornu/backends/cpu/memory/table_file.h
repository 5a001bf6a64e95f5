#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "cornu/ir/type.h"

namespace cornu::inline v0::backends::cpu {

/// Writes the initial values of one row to memory for this row. Threads: safe. Must not throw.
using FillRow = std::function<void(std::int64_t row, std::span<std::byte> to)>;

struct TableFileOptions {
  /// Path of the file; it is created if it does not exist.
  std::string path;
  /// Type of the table: at least one row, the first dimension.
  ir::TensorType type;
  /// Description of the initial values without their seed. A file with another description is refused.
  std::string initial_values;
  /// Seed of the initial values of a new file.
  std::uint64_t seed = 0;
  /// True: an existing file must have this seed. False: it keeps its own.
  bool requires_seed = false;
  /// Makes the function that writes a row's initial values, from the file's seed; empty: the values are 0.
  std::function<FillRow(std::uint64_t seed)> make_fill = {};
};

/// A table [rows, ...] whose memory is a file.
///
/// The file is mapped into memory, so that the page cache keeps the rows that are in use. It is sparse: a row
/// takes disk space from the first call of initialize() that names it, which writes the row's initial values.
/// A bitmap in the file tells which rows are initialized. Before a row is first written, its disk space is
/// reserved, so that a full disk is an error and not a signal.
///
/// The file has a header (type, initial values, seed), the bitmap and the rows. Another process can map it
/// when this object is destroyed or this process ends, in whatever way.
/// Threads: safe. Rows that initialize() has named are read and written without a lock.
class TableFile : public std::enable_shared_from_this<TableFile> {
 public:
  /// Opens or creates the file and locks it.
  /// Errors: InvalidArgument for an empty path, and for a file of another type, initial values or seed, or
  ///         that is no table; NotFound for a path that cannot be opened, is a directory or no regular file;
  ///         FailedPrecondition if the file is in use, here or in another process; ResourceExhausted if the
  ///         file cannot have its size. They name the path.
  static std::shared_ptr<TableFile> open(const TableFileOptions& options);
  ~TableFile();
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;

  /// The table whose rows begin at this address; null: there is none. Lifetime: the caller keeps it alive.
  static TableFile* find(const std::byte* rows);

  const std::string& path() const { return options_.path; }
  const ir::TensorType& type() const { return options_.type; }
  std::uint64_t seed() const { return seed_; }
  /// True if the file existed before.
  bool is_reopened() const { return is_reopened_; }
  std::byte* rows() const { return base_ + rows_offset_; }
  std::int64_t num_rows() const { return options_.type.dims[0]; }
  std::size_t row_bytes() const { return row_bytes_; }

  /// Makes `slot`, a table with as many rows, follow this one: its rows are initialized with the rows of this
  /// table. Those that are initialized here are now initialized there.
  /// Errors: those of initialize().
  void add_slot(const std::shared_ptr<TableFile>& slot);

  /// Writes the initial values of the rows that are named for the first time. Ids outside of the table name
  /// its first or last row.
  /// Errors: ResourceExhausted, with path and row, if the disk is full; Unavailable if reserving fails.
  template <typename Id>
  void initialize(std::span<const Id> ids) {
    const std::int64_t last = num_rows() - 1;
    for (const Id id : ids) {
      const std::int64_t row = id < 0 ? 0 : static_cast<std::int64_t>(id) > last ? last : id;
      if (!is_initialized(row)) [[unlikely]]
        initialize_row(row);
    }
  }
  /// Initializes all rows. Errors: those of initialize().
  void initialize_all();

  /// Copies the whole table, rows without initial values included, to memory of type().size_bytes() bytes. The
  /// file does not grow.
  void read(std::byte* to) const;
  /// Replaces the whole table. Rows that keep their initial values take no disk space.
  /// Errors: those of initialize().
  void write(const std::byte* from);

 private:
  explicit TableFile(const TableFileOptions& options) : options_(options) {}
  void lay_out();
  void open_and_lock();
  void create_or_check();
  void check_header(std::span<const std::byte> header) const;
  void map();
  void warn_of_space() const;

  bool is_initialized(std::int64_t row) const {
    return (words()[row / 64].load(std::memory_order_acquire) >> (row % 64) & 1) != 0;
  }
  std::atomic<std::uint64_t>* words() const {
    return reinterpret_cast<std::atomic<std::uint64_t>*>(base_ + kHeaderBytes);
  }
  std::byte* row_at(std::int64_t row) const { return rows() + static_cast<std::size_t>(row) * row_bytes_; }
  void initialize_row(std::int64_t row);
  void initialize_locked(std::int64_t row);
  void reserve(std::int64_t row);
  bool shares_pages(std::int64_t row) const;
  void fill(std::int64_t row, std::byte* to) const;

  static constexpr std::size_t kHeaderBytes = 4096;

  TableFileOptions options_;
  std::uint64_t seed_ = 0;
  bool is_reopened_ = false;
  int descriptor_ = -1;
  std::byte* base_ = nullptr;  // of the mapping
  std::size_t row_bytes_ = 0;
  std::size_t rows_offset_ = 0;
  std::size_t file_bytes_ = 0;
  FillRow fill_;
  std::mutex mutex_;                // held while rows get their initial values
  std::vector<bool> bitmap_pages_;  // true: has disk space
  std::vector<std::weak_ptr<TableFile>> slots_;
};

}  // namespace cornu::inline v0::backends::cpu
