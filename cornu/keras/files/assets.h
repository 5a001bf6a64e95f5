#pragma once

#include "cornu/io/zip.h"
#include "cornu/keras/config/config.h"

/// What Keras keeps in .keras files beside configurations and weights: vocabularies of lookups that were
/// adapted, as "assets/layers/integer_lookup/vocabulary.txt".
namespace cornu::inline v0::keras::files {

/// The model's description with those vocabularies in it, where it has none. Files that are saved here have
/// them in the description, where Keras reads them too.
/// Errors: InvalidArgument for a term that is no integer in a lookup of integers, and for lookups by
///         "tf_idf", whose weights Keras leaves out; those of ZipFile.
Config with_vocabularies(const Config& model, const io::ZipFile& zip);

}  // namespace cornu::inline v0::keras::files
