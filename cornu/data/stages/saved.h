#pragma once

#include <cstdint>
#include <string>

#include "cornu/data/stage.h"

namespace cornu::inline v0::data {

/// Writes all elements into the folder `path`, which is made: record files of elements in turn, and one that
/// says how many there are, written last.
/// Errors: InvalidArgument for a stage without end; those of io::RecordWriter.
void save_elements(const Stage& stage, const std::string& path, std::int64_t num_shards);
/// What that wrote. Errors: NotFound, and DataLoss for another folder's content.
StagePointer saved_stage(const std::string& path);

/// Keeps the elements of the first whole pass in a file, and reads them from there ever after.
StagePointer file_cache_stage(StagePointer input, std::string path);

}  // namespace cornu::inline v0::data
