#pragma once

#include "cornu/io/zip.h"
#include "cornu/keras/config/config.h"

/// The assets of .keras files, besides configurations and weights: vocabularies of adapted lookup layers,
/// such as "assets/layers/integer_lookup/vocabulary.txt".
namespace cornu::inline v0::keras::files {

/// Returns the model's description with those vocabularies, where it has none. Files that Cornu saves have
/// them in the description, where Keras reads them too.
/// Errors: InvalidArgument for a term that is not an integer in an IntegerLookup, and for lookups in "tf_idf"
///         mode, whose weights Keras does not save; those of ZipFile.
Config with_vocabularies(const Config& model, const io::ZipFile& zip);

}  // namespace cornu::inline v0::keras::files
