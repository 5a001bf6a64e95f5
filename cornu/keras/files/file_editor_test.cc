#include "cornu/keras/files/file_editor.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "cornu/base/error.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/keras.h"

namespace cornu::inline v0::keras::saving {
namespace {

namespace fs = std::filesystem;

class KerasFileEditorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    clear_session();
    folder_ = fs::temp_directory_path() / ("file_editor_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }
  static Sequential model(std::int64_t last_units) {
    return Sequential({Input({.shape = {3}}), layers::Dense({.units = 4}), layers::Dropout({.rate = 0.5}),
                       layers::Dense({.units = last_units})});
  }

  fs::path folder_;
};

TEST_F(KerasFileEditorTest, FilesAreShownAndComparedWithModels) {
  const Sequential written = model(2);
  written.save_weights(path("a.weights.h5"));
  written.save(path("a.keras"));
  for (const char* const name : {"a.weights.h5", "a.keras"}) {
    const KerasFileEditor editor(path(name));
    EXPECT_NE(editor.summary().find("  layers\n    dense\n      0: shape=(3, 4), dtype=float32\n"),
              std::string::npos)
        << editor.summary();
    const KerasFileEditor::Comparison same = editor.compare(model(2));
    EXPECT_TRUE(same.is_success) << (same.errors.empty() ? "" : same.errors[0]);
    EXPECT_EQ(same.match_count, 4);
    const KerasFileEditor::Comparison other = editor.compare(model(5));
    EXPECT_FALSE(other.is_success);
    EXPECT_EQ(other.error_count, 2);
    EXPECT_EQ(other.match_count, 2);
    EXPECT_EQ(editor.weights("layers/dense_1")["1"].shape(), (Dims{2}));
  }
}

TEST_F(KerasFileEditorTest, EditedFilesFitOtherModels) {
  const Sequential written = model(2);
  written.save_weights(path("a.weights.h5"));
  KerasFileEditor editor(path("a.weights.h5"));
  editor.delete_object("dense_1");
  const Tensor kernel = ops::full({4, 5}, 0.5);
  editor.add_object("layers/dense_1", {{"0", kernel}});
  EXPECT_FALSE(editor.compare(model(5)).is_success) << "the bias is missing";
  editor.add_weights("dense_1", {{"1", ops::ones({5})}, {"2", ops::ones({1})}});
  editor.delete_weight("layers/dense_1", "2");
  EXPECT_TRUE(editor.compare(model(5)).is_success);
  editor.save(path("b.weights.h5"));
  Sequential read = model(5);
  read.load_weights(path("b.weights.h5"));
  EXPECT_EQ(read->get_weights()[2].to_vector<float>(), kernel.to_vector<float>());
  EXPECT_EQ(read->get_weights()[0].to_vector<float>(), written->get_weights()[0].to_vector<float>());
  editor.rename_object("layers/dense", "einsum_dense");
  EXPECT_EQ(editor.compare(model(5)).error_count, 1);
  editor.rename_object("einsum_dense", "dense");
  EXPECT_TRUE(editor.compare(model(5)).is_success);
}

TEST_F(KerasFileEditorTest, ErrorsChangeNothing) {
  model(2).save_weights(path("a.weights.h5"));
  KerasFileEditor editor(path("a.weights.h5"));
  const std::string before = editor.summary();
  EXPECT_THROW((void)KerasFileEditor(path("a.h5")), Error);
  EXPECT_THROW(editor.delete_object("none"), Error);
  EXPECT_THROW(editor.delete_object("layers/none"), Error);
  EXPECT_THROW(editor.rename_object("dense", "a/b"), Error);
  EXPECT_THROW(editor.rename_object("dense", "dense_1"), Error);
  EXPECT_THROW(editor.delete_weight("dense", "7"), Error);
  EXPECT_THROW(editor.add_weights("dense", ops::ones({1})), Error);
  EXPECT_THROW(editor.add_object("none/dense", {{"0", ops::ones({1})}}), Error);
  EXPECT_THROW(editor.save(path("a.h5")), Error);
  EXPECT_EQ(editor.summary(), before);
}

}  // namespace
}  // namespace cornu::inline v0::keras::saving
