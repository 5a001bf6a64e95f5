#pragma once

#include <cstdint>
#include <string>

#include "cornu/data/stage.h"

namespace cornu::inline v0::data {

/// Writes all elements into the folder `path`, which is created: record files that get elements in turn, and,
/// last, a file with their number. If writing ends early, an earlier data set in the folder is kept whole, or
/// the folder holds none.
/// Errors: InvalidArgument for an infinite stage; those of io::RecordWriter.
void save_elements(const Stage& stage, const std::string& path, std::int64_t num_shards);
/// The elements written by save_elements. Errors: NotFound, and DataLoss for a folder with other content.
StagePointer saved_stage(const std::string& path);

/// Keeps the elements of the first complete pass in a file, and reads them from there afterwards.
StagePointer file_cache_stage(StagePointer input, std::string path);

}  // namespace cornu::inline v0::data
