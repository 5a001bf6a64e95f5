#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/activations/activations.h"
#include "cornu/keras/layer/keras_tensor.h"
#include "cornu/keras/models/model.h"
#include "cornu/tensor/tensor.h"

/// The networks of keras.applications, with Keras's names of layers, so that Keras's files of weights fit.
///
///     using namespace keras::applications;
///     Model base = ResNet50({.include_top = false, .weights = "resnet50.weights.h5", .pooling = "avg"});
///     base.set_trainable(false);
///
/// Weights come from files: nothing is downloaded. Images have the channels last; their pixels are numbers
/// that the preprocess_input of the network's family makes of 0 to 255.
/// Errors: InvalidArgument, naming the network and the argument, for an image that is too small or of another
///         rank, for classes that are not positive, for an unknown pooling; those of Model::load_weights.
namespace cornu::inline v0::keras::applications {

struct ApplicationOptions {  // options/applications.toml
  /// True: the network ends with its classes; false: with the features, of which pooling decides.
  bool include_top = true;
  /// Path of a file of weights, in any form of Model::load_weights; empty: initial values. Nothing is
  /// downloaded.
  std::string weights = {};
  /// Images, as Input or a layer returns them; undefined: an input is made.
  KerasTensor input_tensor = {};
  /// Rows, columns and channels of an image; kUnknown rows and columns are open. Empty: the usual size and 3
  /// channels with include_top, else any size.
  Dims input_shape = {};
  /// Without include_top: "avg" or "max" over rows and columns; empty: none.
  std::string pooling = {};
  /// Number of classes, with include_top; must be positive.
  std::int64_t classes = 1000;
  /// Activation of the classes, with include_top; `{}`: the network returns logits.
  ActivationSpec classifier_activation = "softmax";
  /// Name of the model; empty: that of Keras.
  std::string name = {};
};

struct MobileNetOptions {  // options/applications.toml
  /// True: the network ends with its classes; false: with the features, of which pooling decides.
  bool include_top = true;
  /// Path of a file of weights, in any form of Model::load_weights; empty: initial values. Nothing is
  /// downloaded.
  std::string weights = {};
  /// Images, as Input or a layer returns them; undefined: an input is made.
  KerasTensor input_tensor = {};
  /// Rows, columns and channels of an image; kUnknown rows and columns are open. Empty: the usual size and 3
  /// channels with include_top, else any size.
  Dims input_shape = {};
  /// Without include_top: "avg" or "max" over rows and columns; empty: none.
  std::string pooling = {};
  /// Number of classes, with include_top; must be positive.
  std::int64_t classes = 1000;
  /// Activation of the classes, with include_top; `{}`: the network returns logits.
  ActivationSpec classifier_activation = "softmax";
  /// Name of the model; empty: that of Keras.
  std::string name = {};
  /// Factor of the numbers of channels; must be positive.
  double alpha = 1.0;
  /// Number of outputs of each channel of the depthwise convolutions; must be positive.
  std::int64_t depth_multiplier = 1;
  /// Rate of the dropout before the classes, in [0, 1].
  double dropout = 0.001;
};

struct MobileNetV2Options {  // options/applications.toml
  /// True: the network ends with its classes; false: with the features, of which pooling decides.
  bool include_top = true;
  /// Path of a file of weights, in any form of Model::load_weights; empty: initial values. Nothing is
  /// downloaded.
  std::string weights = {};
  /// Images, as Input or a layer returns them; undefined: an input is made.
  KerasTensor input_tensor = {};
  /// Rows, columns and channels of an image; kUnknown rows and columns are open. Empty: the usual size and 3
  /// channels with include_top, else any size.
  Dims input_shape = {};
  /// Without include_top: "avg" or "max" over rows and columns; empty: none.
  std::string pooling = {};
  /// Number of classes, with include_top; must be positive.
  std::int64_t classes = 1000;
  /// Activation of the classes, with include_top; `{}`: the network returns logits.
  ActivationSpec classifier_activation = "softmax";
  /// Name of the model; empty: that of Keras.
  std::string name = {};
  /// Factor of the numbers of channels; must be positive.
  double alpha = 1.0;
};

struct MobileNetV3Options {  // options/applications.toml
  /// True: the network ends with its classes; false: with the features, of which pooling decides.
  bool include_top = true;
  /// Path of a file of weights, in any form of Model::load_weights; empty: initial values. Nothing is
  /// downloaded.
  std::string weights = {};
  /// Images, as Input or a layer returns them; undefined: an input is made.
  KerasTensor input_tensor = {};
  /// Rows, columns and channels of an image; kUnknown rows and columns are open. Empty: the usual size and 3
  /// channels with include_top, else any size.
  Dims input_shape = {};
  /// Without include_top: "avg" or "max" over rows and columns; empty: none.
  std::string pooling = {};
  /// Number of classes, with include_top; must be positive.
  std::int64_t classes = 1000;
  /// Activation of the classes, with include_top; `{}`: the network returns logits.
  ActivationSpec classifier_activation = "softmax";
  /// Name of the model; empty: that of Keras.
  std::string name = {};
  /// Factor of the numbers of channels; must be positive.
  double alpha = 1.0;
  /// True: without squeeze and excite, hard_silu and kernels of 5 x 5.
  bool minimalistic = false;
  /// Rate of the dropout before the classes, in [0, 1]; 0: no such layer.
  double dropout_rate = 0.2;
  /// True: the network begins with the layers that scale pixels of 0 to 255.
  bool include_preprocessing = true;
};

struct EfficientNetV2Options {  // options/applications.toml
  /// True: the network ends with its classes; false: with the features, of which pooling decides.
  bool include_top = true;
  /// Path of a file of weights, in any form of Model::load_weights; empty: initial values. Nothing is
  /// downloaded.
  std::string weights = {};
  /// Images, as Input or a layer returns them; undefined: an input is made.
  KerasTensor input_tensor = {};
  /// Rows, columns and channels of an image; kUnknown rows and columns are open. Empty: the usual size and 3
  /// channels with include_top, else any size.
  Dims input_shape = {};
  /// Without include_top: "avg" or "max" over rows and columns; empty: none.
  std::string pooling = {};
  /// Number of classes, with include_top; must be positive.
  std::int64_t classes = 1000;
  /// Activation of the classes, with include_top; `{}`: the network returns logits.
  ActivationSpec classifier_activation = "softmax";
  /// Name of the model; empty: that of Keras.
  std::string name = {};
  /// True: the network begins with the layers that scale pixels of 0 to 255.
  bool include_preprocessing = true;
};

struct ConvNeXtOptions {  // options/applications.toml
  /// True: the network ends with its classes; false: with the features, of which pooling decides.
  bool include_top = true;
  /// Path of a file of weights, in any form of Model::load_weights; empty: initial values. Nothing is
  /// downloaded.
  std::string weights = {};
  /// Images, as Input or a layer returns them; undefined: an input is made.
  KerasTensor input_tensor = {};
  /// Rows, columns and channels of an image; kUnknown rows and columns are open. Empty: the usual size and 3
  /// channels with include_top, else any size.
  Dims input_shape = {};
  /// Without include_top: "avg" or "max" over rows and columns; empty: none.
  std::string pooling = {};
  /// Number of classes, with include_top; must be positive.
  std::int64_t classes = 1000;
  /// Activation of the classes, with include_top; `{}`: the network returns logits.
  ActivationSpec classifier_activation = "softmax";
  /// Name of the model; empty: that of Keras.
  std::string name = {};
  /// True: the network begins with the layers that scale pixels of 0 to 255.
  bool include_preprocessing = true;
};

/// Depthwise separable convolutions with residuals (F. Chollet, 2016). Images of 299 x 299, at least 71.
class Xception : public Model {
 public:
  explicit Xception(const ApplicationOptions& options = {});
};

/// Stacks of 3 x 3 convolutions (K. Simonyan and A. Zisserman, 2014). Images of 224 x 224, at least 32.
class VGG16 : public Model {
 public:
  explicit VGG16(const ApplicationOptions& options = {});
};
class VGG19 : public Model {
 public:
  explicit VGG19(const ApplicationOptions& options = {});
};

/// Residual networks (K. He et al., 2015; V2: 2016). Images of 224 x 224, at least 32.
class ResNet50 : public Model {
 public:
  explicit ResNet50(const ApplicationOptions& options = {});
};
class ResNet101 : public Model {
 public:
  explicit ResNet101(const ApplicationOptions& options = {});
};
class ResNet152 : public Model {
 public:
  explicit ResNet152(const ApplicationOptions& options = {});
};
class ResNet50V2 : public Model {
 public:
  explicit ResNet50V2(const ApplicationOptions& options = {});
};
class ResNet101V2 : public Model {
 public:
  explicit ResNet101V2(const ApplicationOptions& options = {});
};
class ResNet152V2 : public Model {
 public:
  explicit ResNet152V2(const ApplicationOptions& options = {});
};

/// Parallel convolutions of several sizes (C. Szegedy et al., 2015; with residuals: 2016). Images of 299
/// x 299, at least 75.
class InceptionV3 : public Model {
 public:
  explicit InceptionV3(const ApplicationOptions& options = {});
};
class InceptionResNetV2 : public Model {
 public:
  explicit InceptionResNetV2(const ApplicationOptions& options = {});
};

/// Depthwise separable convolutions for small devices (A. Howard et al., 2017). Images of 224 x 224, at
/// least 32.
class MobileNet : public Model {
 public:
  explicit MobileNet(const MobileNetOptions& options = {});
};

/// Inverted residuals (M. Sandler et al., 2018). Images of 224 x 224, at least 32.
class MobileNetV2 : public Model {
 public:
  explicit MobileNetV2(const MobileNetV2Options& options = {});
};

/// Inverted residuals with squeeze and excite (A. Howard et al., 2019). Images of any size from 32.
class MobileNetV3Small : public Model {
 public:
  explicit MobileNetV3Small(const MobileNetV3Options& options = {});
};
class MobileNetV3Large : public Model {
 public:
  explicit MobileNetV3Large(const MobileNetV3Options& options = {});
};

/// Dense blocks, whose layers read all layers before them (G. Huang et al., 2016). Images of 224 x 224,
/// at least 32.
class DenseNet121 : public Model {
 public:
  explicit DenseNet121(const ApplicationOptions& options = {});
};
class DenseNet169 : public Model {
 public:
  explicit DenseNet169(const ApplicationOptions& options = {});
};
class DenseNet201 : public Model {
 public:
  explicit DenseNet201(const ApplicationOptions& options = {});
};

/// Cells that a search found (B. Zoph et al., 2017). Images of 224 x 224 (mobile) or 331 x 331, at least
/// 32.
class NASNetMobile : public Model {
 public:
  explicit NASNetMobile(const ApplicationOptions& options = {});
};
class NASNetLarge : public Model {
 public:
  explicit NASNetLarge(const ApplicationOptions& options = {});
};

/// Networks scaled in depth, width and size of image (M. Tan and Q. Le, 2019). Images of 224 (B0), 240,
/// 260, 300, 380, 456, 528 or 600 (B7), at least 32. The pixels are 0 to 255.
class EfficientNetB0 : public Model {
 public:
  explicit EfficientNetB0(const ApplicationOptions& options = {});
};
class EfficientNetB1 : public Model {
 public:
  explicit EfficientNetB1(const ApplicationOptions& options = {});
};
class EfficientNetB2 : public Model {
 public:
  explicit EfficientNetB2(const ApplicationOptions& options = {});
};
class EfficientNetB3 : public Model {
 public:
  explicit EfficientNetB3(const ApplicationOptions& options = {});
};
class EfficientNetB4 : public Model {
 public:
  explicit EfficientNetB4(const ApplicationOptions& options = {});
};
class EfficientNetB5 : public Model {
 public:
  explicit EfficientNetB5(const ApplicationOptions& options = {});
};
class EfficientNetB6 : public Model {
 public:
  explicit EfficientNetB6(const ApplicationOptions& options = {});
};
class EfficientNetB7 : public Model {
 public:
  explicit EfficientNetB7(const ApplicationOptions& options = {});
};

/// The second version (M. Tan and Q. Le, 2021). Images of 224 (B0), 240, 260, 300 (B3), 384 (S) or 480
/// (M, L), at least 32.
class EfficientNetV2B0 : public Model {
 public:
  explicit EfficientNetV2B0(const EfficientNetV2Options& options = {});
};
class EfficientNetV2B1 : public Model {
 public:
  explicit EfficientNetV2B1(const EfficientNetV2Options& options = {});
};
class EfficientNetV2B2 : public Model {
 public:
  explicit EfficientNetV2B2(const EfficientNetV2Options& options = {});
};
class EfficientNetV2B3 : public Model {
 public:
  explicit EfficientNetV2B3(const EfficientNetV2Options& options = {});
};
class EfficientNetV2S : public Model {
 public:
  explicit EfficientNetV2S(const EfficientNetV2Options& options = {});
};
class EfficientNetV2M : public Model {
 public:
  explicit EfficientNetV2M(const EfficientNetV2Options& options = {});
};
class EfficientNetV2L : public Model {
 public:
  explicit EfficientNetV2L(const EfficientNetV2Options& options = {});
};

/// Convolutions after the pattern of transformers (Z. Liu et al., 2022). Images of 224 x 224, at least
/// 32. A name begins the names of the layers.
class ConvNeXtTiny : public Model {
 public:
  explicit ConvNeXtTiny(const ConvNeXtOptions& options = {});
};
class ConvNeXtSmall : public Model {
 public:
  explicit ConvNeXtSmall(const ConvNeXtOptions& options = {});
};
class ConvNeXtBase : public Model {
 public:
  explicit ConvNeXtBase(const ConvNeXtOptions& options = {});
};
class ConvNeXtLarge : public Model {
 public:
  explicit ConvNeXtLarge(const ConvNeXtOptions& options = {});
};
class ConvNeXtXLarge : public Model {
 public:
  explicit ConvNeXtXLarge(const ConvNeXtOptions& options = {});
};

/// The names of the networks, such as "ResNet50", in the order of the alphabet.
std::span<const char* const> names();
/// The network of that name; `options` without those of single families.
/// Errors: InvalidArgument, suggesting the nearest name.
Model make(const StringArgument& name, const ApplicationOptions& options = {});

struct PreprocessInputOptions {  // options/applications.toml
  /// "channels_last" or "channels_first"; empty: "channels_last".
  std::string data_format = {};
  /// "caffe": BGR minus the means of ImageNet; "tf": to [-1, 1]; "torch": to [0, 1], then by the means and
  /// deviations of ImageNet.
  std::string mode = "caffe";
};

struct DecodePredictionsOptions {  // options/applications.toml
  /// Number of classes for each row, the most probable first; must be positive.
  std::int64_t top = 5;
  /// Path of the list of classes, which Keras keeps in ~/.keras/models; nothing is downloaded.
  std::string class_index = "imagenet_class_index.json";
};

/// A class of a row of predictions.
struct Prediction {
  std::string id;           // of WordNet: "n02123045"
  std::string description;  // "tabby"
  double score = 0;
};

namespace imagenet_utils {
/// Pixels of 0 to 255 in RGB as the networks expect them.
///
/// Shapes: [rows, columns, 3] or [batch, rows, columns, 3], or with the channels first; the result is f32
///         unless x is another floating-point type.
/// Errors: InvalidArgument for an unknown mode or data_format, another rank or number of channels.
Tensor preprocess_input(const Tensor& x, const PreprocessInputOptions& options = {});
/// The most probable classes of each row of predictions [rows, 1000].
/// Errors: InvalidArgument for another shape or a `top` outside [1, 1000]; NotFound if there is no file of
///         classes; DataLoss if it does not have 1000 of them.
std::vector<std::vector<Prediction>> decode_predictions(const Tensor& predictions,
                                                        const DecodePredictionsOptions& options = {});
}  // namespace imagenet_utils

// The modules of keras.applications. Their networks take pixels in three ways, or as they are.
namespace convnext {
using imagenet_utils::decode_predictions;
inline Tensor preprocess_input(const Tensor& x, const StringArgument& = "") { return x; }
}  // namespace convnext
namespace densenet {
using imagenet_utils::decode_predictions;
inline Tensor preprocess_input(const Tensor& x, const StringArgument& data_format = "") {
  return imagenet_utils::preprocess_input(x, {.data_format = data_format, .mode = "torch"});
}
}  // namespace densenet
namespace efficientnet {
using imagenet_utils::decode_predictions;
inline Tensor preprocess_input(const Tensor& x, const StringArgument& = "") { return x; }
}  // namespace efficientnet
namespace efficientnet_v2 {
using imagenet_utils::decode_predictions;
inline Tensor preprocess_input(const Tensor& x, const StringArgument& = "") { return x; }
}  // namespace efficientnet_v2
namespace inception_resnet_v2 {
using imagenet_utils::decode_predictions;
inline Tensor preprocess_input(const Tensor& x, const StringArgument& data_format = "") {
  return imagenet_utils::preprocess_input(x, {.data_format = data_format, .mode = "tf"});
}
}  // namespace inception_resnet_v2
namespace inception_v3 {
using imagenet_utils::decode_predictions;
inline Tensor preprocess_input(const Tensor& x, const StringArgument& data_format = "") {
  return imagenet_utils::preprocess_input(x, {.data_format = data_format, .mode = "tf"});
}
}  // namespace inception_v3
namespace mobilenet {
using imagenet_utils::decode_predictions;
inline Tensor preprocess_input(const Tensor& x, const StringArgument& data_format = "") {
  return imagenet_utils::preprocess_input(x, {.data_format = data_format, .mode = "tf"});
}
}  // namespace mobilenet
namespace mobilenet_v2 {
using imagenet_utils::decode_predictions;
inline Tensor preprocess_input(const Tensor& x, const StringArgument& data_format = "") {
  return imagenet_utils::preprocess_input(x, {.data_format = data_format, .mode = "tf"});
}
}  // namespace mobilenet_v2
namespace mobilenet_v3 {
using imagenet_utils::decode_predictions;
inline Tensor preprocess_input(const Tensor& x, const StringArgument& = "") { return x; }
}  // namespace mobilenet_v3
namespace nasnet {
using imagenet_utils::decode_predictions;
inline Tensor preprocess_input(const Tensor& x, const StringArgument& data_format = "") {
  return imagenet_utils::preprocess_input(x, {.data_format = data_format, .mode = "tf"});
}
}  // namespace nasnet
namespace resnet {
using imagenet_utils::decode_predictions;
inline Tensor preprocess_input(const Tensor& x, const StringArgument& data_format = "") {
  return imagenet_utils::preprocess_input(x, {.data_format = data_format, .mode = "caffe"});
}
}  // namespace resnet
namespace resnet50 {
using imagenet_utils::decode_predictions;
inline Tensor preprocess_input(const Tensor& x, const StringArgument& data_format = "") {
  return imagenet_utils::preprocess_input(x, {.data_format = data_format, .mode = "caffe"});
}
}  // namespace resnet50
namespace resnet_v2 {
using imagenet_utils::decode_predictions;
inline Tensor preprocess_input(const Tensor& x, const StringArgument& data_format = "") {
  return imagenet_utils::preprocess_input(x, {.data_format = data_format, .mode = "tf"});
}
}  // namespace resnet_v2
namespace vgg16 {
using imagenet_utils::decode_predictions;
inline Tensor preprocess_input(const Tensor& x, const StringArgument& data_format = "") {
  return imagenet_utils::preprocess_input(x, {.data_format = data_format, .mode = "caffe"});
}
}  // namespace vgg16
namespace vgg19 {
using imagenet_utils::decode_predictions;
inline Tensor preprocess_input(const Tensor& x, const StringArgument& data_format = "") {
  return imagenet_utils::preprocess_input(x, {.data_format = data_format, .mode = "caffe"});
}
}  // namespace vgg19
namespace xception {
using imagenet_utils::decode_predictions;
inline Tensor preprocess_input(const Tensor& x, const StringArgument& data_format = "") {
  return imagenet_utils::preprocess_input(x, {.data_format = data_format, .mode = "tf"});
}
}  // namespace xception

}  // namespace cornu::inline v0::keras::applications
