#include "cornu/keras/layers/preprocessing/equalization.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layer/row_states.h"
#include "cornu/keras/layers/preprocessing/image_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// A layer that computes with pixels in [0, 255].
class ByteRangeLayer : public image::ImageLayer {
 protected:
  template <typename Options>
  ByteRangeLayer(const char* class_name, const Options& options)
      : ImageLayer(layer_settings(class_name, options), options.data_format, options.bounding_box_format) {
    if (options.value_range.size() != 2)
      option_error("value_range", "must be two numbers", fmt::format("{}", options.value_range.size()));
    smallest_ = options.value_range[0];
    extent_ = options.value_range[1] - smallest_;
    if (extent_ == 0) option_error("value_range must have two different numbers");
  }
  Tensor to_bytes(const Tensor& images) const {
    return (ops::cast(images, DType::kF32) - smallest_) * (255 / extent_);
  }
  Tensor from_bytes(const Tensor& bytes, DType dtype) const {
    return ops::cast(bytes * (extent_ / 255) + smallest_, dtype);
  }

 private:
  double smallest_ = 0, extent_ = 255;
};

template <typename Options>
Options with_sorted_range(Options options) {
  std::sort(options.value_range.begin(), options.value_range.end());
  return options;
}

class EqualizationLayer : public ByteRangeLayer, public RowsTogether {
 public:
  explicit EqualizationLayer(const EqualizationOptions& options)
      : ByteRangeLayer("Equalization", with_sorted_range(options)), bins_(options.bins) {
    constexpr std::int64_t kMostBins = std::int64_t{1} << 16;
    if (bins_ < 2 || bins_ > kMostBins)
      option_error("bins", fmt::format("must be in [2, {}]", kMostBins), fmt::format("{}", bins_));
  }
  bool takes_rows_together() const override { return true; }

 protected:
  Tensor transform(const Tensor& images, const CallContext& context) override {
    if (!context.training) return images;
    context.rows.require_exact(fmt::format("layer \"{}\" takes the histogram of a batch", name()));
    const std::int64_t channels = images.shape()[3];
    const Tensor bytes = to_bytes(images);
    const Tensor place =
        ops::clip(bytes * (static_cast<double>(bins_ - 1) / 255), 0, static_cast<double>(bins_ - 1));
    const Tensor bin = ops::cast(place, DType::kI32) + ops::arange(channels, DType::kI32) * bins_;
    const Tensor flat = ops::reshape(bin, {-1});
    const Tensor counts = ops::reshape(
        ops::segment_sum(ops::ones(flat.shape(), DType::kF32), flat, {.num_segments = channels * bins_}),
        {channels, bins_});
    const Tensor up_to = ops::cumsum(counts, {.axis = 1});
    const Tensor all = ops::slice(up_to, {0, bins_ - 1}, {channels, 1});
    // The count of the first bin that has any.
    const Tensor first =
        ops::amin(ops::where(ops::greater(up_to, 0), up_to, all), {.axis = {1}, .keepdims = true});
    const Tensor rest = all - first;
    const Tensor table =
        ops::clip(ops::round((up_to - first) * 255.0 / ops::where(ops::equal(rest, 0), 1.0, rest)), 0, 255);
    const Tensor equalized = ops::take(ops::reshape(table, {-1}), bin);
    const Tensor num_used = ops::sum(ops::cast(ops::greater(counts, 0), DType::kI32), {.axis = {1}});
    return from_bytes(ops::where(ops::less_equal(num_used, 1), bytes, equalized), images.dtype());
  }

 private:
  std::int64_t bins_;
};

class ClaheLayer : public ByteRangeLayer {
 public:
  explicit ClaheLayer(const ClaheOptions& options)
      : ByteRangeLayer("ContrastLimitedAdaptiveHistogramEqualization", options),
        clip_limit_(options.clip_limit),
        grid_(options.tile_grid_size) {
    constexpr std::int64_t kMostTiles = 1024;  // on a side
    const auto fits = [](std::int64_t count) { return count >= 1 && count <= kMostTiles; };
    if (grid_.size() != 2 || !fits(grid_[0]) || !fits(grid_[1]))
      option_error("tile_grid_size", fmt::format("must be two numbers in [1, {}]", kMostTiles),
                   fmt::format("{}", fmt::join(grid_, ", ")));
    set_type_rule(TypeRule::kKept);
  }

 protected:
  bool casts() const override { return false; }

  Tensor transform(const Tensor& images, const CallContext&) override {
    const std::int64_t rows = images.shape()[1], columns = images.shape()[2];
    const Dims tile = {(rows + grid_[0] - 1) / grid_[0], (columns + grid_[1] - 1) / grid_[1]};
    const Tensor bytes = ops::pad(
        to_bytes(images), {{0, 0}, {0, tile[0] * grid_[0] - rows}, {0, tile[1] * grid_[1] - columns}, {0, 0}},
        {.mode = "symmetric"});
    const Tensor pixels = ops::cast(ops::clip(bytes, 0, 255), DType::kI32);
    const Tensor table = tables(pixels, tile);
    const Place down = places(tile[0], grid_[0], {-1, 1, 1}), across = places(tile[1], grid_[1], {1, -1, 1});
    const auto line = [&](const Tensor& row) {
      return look_up(table, pixels, row, across.before) * (1.0 - across.share) +
             look_up(table, pixels, row, across.after) * across.share;
    };
    const Tensor mixed = line(down.before) * (1.0 - down.share) + line(down.after) * down.share;
    return from_bytes(image::crop(mixed, 0, 0, rows, columns), images.dtype());
  }

 private:
  static constexpr std::int64_t kValues = 256;

  /// For each row or column of pixels: the tiles before and after whose middles it is between, and its share
  /// of the way. Outside of the middles both are the same tile.
  struct Place {
    Tensor before, after, share;
  };
  static Place places(std::int64_t tile, std::int64_t count, const Dims& shape) {
    const Tensor at =
        (ops::cast(ops::arange(tile * count, DType::kI32), DType::kF32) - static_cast<double>(tile) / 2) /
        static_cast<double>(tile);
    const Tensor before = ops::floor(at);
    const auto number = [&](const Tensor& of) {
      return ops::reshape(ops::cast(ops::clip(of, 0, static_cast<double>(count - 1)), DType::kI32), shape);
    };
    return {number(before), number(before + 1.0), ops::reshape(at - before, shape)};
  }

  /// The new value of each value in each tile and channel: [batch, tiles down, tiles across, channels,
  /// values].
  Tensor tables(const Tensor& pixels, const Dims& tile) const {
    const std::int64_t batch = pixels.shape()[0], channels = pixels.shape()[3];
    const std::int64_t num_tables = batch * grid_[0] * grid_[1] * channels, size = tile[0] * tile[1];
    const Tensor tiled = ops::transpose(
        ops::reshape(pixels, {batch, grid_[0], tile[0], grid_[1], tile[1], channels}), {0, 1, 3, 5, 2, 4});
    const Tensor of_table = ops::expand_dims(ops::arange(num_tables, DType::kI32), 1) * kValues;
    const Tensor flat = ops::reshape(ops::reshape(tiled, {num_tables, size}) + of_table, {-1});
    Tensor counts = ops::reshape(
        ops::segment_sum(ops::ones(flat.shape(), DType::kF32), flat, {.num_segments = num_tables * kValues}),
        {num_tables, kValues});
    if (clip_limit_ > 0) {
      const Tensor kept = ops::minimum(counts, clip_limit_ * static_cast<double>(size) / kValues);
      counts = kept + ops::sum(counts - kept, {.axis = {1}, .keepdims = true}) / static_cast<double>(kValues);
    }
    const Tensor up_to = ops::cumsum(counts, {.axis = 1});
    const Tensor least = ops::amin(up_to, {.axis = {1}, .keepdims = true});
    const Tensor rest = static_cast<double>(size) - least;
    return ops::clip((up_to - least) * 255.0 / ops::where(ops::equal(rest, 0), 1.0, rest), 0, 255);
  }

  /// The values of the pixels in the tables of these tiles, [rows, 1, 1] and [1, columns, 1].
  Tensor look_up(const Tensor& table, const Tensor& pixels, const Tensor& row, const Tensor& column) const {
    const std::int64_t batch = pixels.shape()[0], channels = pixels.shape()[3];
    const Tensor image_number = ops::reshape(ops::arange(batch, DType::kI32), {batch, 1, 1, 1});
    const Tensor number =
        ((image_number * grid_[0] + row) * grid_[1] + column) * channels + ops::arange(channels, DType::kI32);
    return ops::take(ops::reshape(table, {-1}), number * kValues + pixels);
  }

  double clip_limit_;
  Dims grid_;
};

}  // namespace

Equalization::Equalization(EqualizationOptions options)
    : ImageHandle(std::make_shared<EqualizationLayer>(options)) {}
ContrastLimitedAdaptiveHistogramEqualization::ContrastLimitedAdaptiveHistogramEqualization(
    ClaheOptions options)
    : ImageHandle(std::make_shared<ClaheLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
