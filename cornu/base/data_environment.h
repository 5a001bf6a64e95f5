#pragma once

#include <optional>
#include <string>

/// Environment variables for locations of data; see environment.h.
namespace cornu::inline v0::environment {

/// TFDS_DATA_DIR, else ~/tensorflow_datasets: the folder of data sets prepared by TensorFlow Datasets. Absent
/// if there is no home folder, and in a program that has more rights than its caller.
std::optional<std::string> tfds_data_dir();

/// CLOUDSDK_AUTH_ACCESS_TOKEN and CLOUDSDK_AUTH_ACCESS_TOKEN_FILE: an access token of Google Cloud, or a file
/// that contains one.
std::optional<std::string> google_access_token();
std::optional<std::string> google_access_token_file();
/// STORAGE_EMULATOR_HOST: an emulator of Google Cloud Storage, "localhost:4443" or with a scheme.
std::optional<std::string> storage_emulator();

/// The folder of Keras's files: KERAS_HOME, else .keras in HOME. Absent without both.
std::optional<std::string> keras_home();

}  // namespace cornu::inline v0::environment
