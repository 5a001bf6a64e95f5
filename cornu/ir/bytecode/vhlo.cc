#include "cornu/ir/bytecode/vhlo.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

namespace cornu::inline v0::ir::bytecode {
namespace {

constexpr std::size_t kNumTypeCodes = 43;

constexpr std::array<std::string_view, kNumTypeCodes> kElementTypes = {
    "i1",        "",         "bf16", "f16",        "f32",        "f64",
    "f8E4M3FN",  "f8E5M2",  // 0
    "",          "",         "i4",   "i8",         "i16",        "i32",
    "i64",       "ui4",  // 8: function, index
    "ui8",       "ui16",     "ui32", "ui64",       "",           "",
    "",          "",  // 16: tensors, token, tuple
    "",          "",         "",     "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ",
    "",          "i2",  // 24: quantized, unranked, witness
    "ui2",       "",         "tf32", "f8E4M3",     "f8E3M4",     "f4E2M1FN",
    "f6E2M3FN",  "f6E3M2FN",       // 32: none
    "f8E8M0FNU", "",         ""};  // 40: buffer, future

constexpr std::string_view kDirections[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
constexpr std::string_view kComparisons[] = {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};
constexpr std::string_view kApis[] = {"API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL",
                                      "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
                                      "API_VERSION_TYPED_FFI"};
constexpr std::string_view kFfts[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
constexpr std::string_view kPrecisions[] = {"DEFAULT", "HIGH", "HIGHEST"};
constexpr std::string_view kGenerators[] = {"DEFAULT", "THREE_FRY", "PHILOX"};
constexpr std::string_view kDistributions[] = {"", "UNIFORM", "NORMAL"};
constexpr std::string_view kTransposes[] = {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
constexpr std::string_view kAccuracies[] = {"DEFAULT", "HIGHEST", "TOLERANCE"};

struct OpRow {
  std::string_view name;
  std::string_view properties;  // separated by blanks
};

// Properties are encoded in the order of their names. Ops without properties have no row.
constexpr OpRow kOps[] = {
    {"all_gather_v1", "all_gather_dim channel_id replica_groups use_global_device_ids"},
    {"all_gather_v2", "all_gather_dim channel_id replica_groups use_global_device_ids"},
    {"all_reduce_v1", "channel_id replica_groups use_global_device_ids"},
    {"all_reduce_v2", "channel_id replica_groups use_global_device_ids"},
    {"all_to_all_v1", "channel_id concat_dimension replica_groups split_count split_dimension"},
    {"all_to_all_v2", "channel_id concat_dimension replica_groups split_count split_dimension"},
    {"batch_norm_grad_v1", "epsilon feature_index"},
    {"batch_norm_inference_v1", "epsilon feature_index"},
    {"batch_norm_training_v1", "epsilon feature_index"},
    {"broadcast_in_dim_v1", "broadcast_dimensions"},
    {"broadcast_v1", "broadcast_sizes"},
    {"call_v1", "callee"},
    {"cbrt_v2", "result_accuracy"},
    {"cholesky_v1", "lower"},
    {"collective_broadcast_v1", "channel_id replica_groups"},
    {"collective_broadcast_v2", "channel_id has_dynamic_root replica_groups"},
    {"collective_reduce_v1", "channel_id has_dynamic_root replica_groups use_global_device_ids"},
    {"collective_permute_v1", "channel_id source_target_pairs"},
    {"compare_v1", "compare_type comparison_direction"},
    {"composite_v1", "composite_attributes decomposition name version"},
    {"composite_v2", "composite_attributes decomposition name version"},
    {"concatenate_v1", "dimension"},
    {"constant_v1", "value"},
    {"convolution_v1",
     "batch_group_count feature_group_count input_batch_dimension input_feature_dimension "
     "input_spatial_dimensions kernel_input_feature_dimension kernel_output_feature_dimension "
     "kernel_spatial_dimensions lhs_dilation output_batch_dimension output_feature_dimension "
     "output_spatial_dimensions padding precision_config rhs_dilation window_reversal window_strides"},
    {"cosine_v2", "result_accuracy"},
    {"custom_call_v1",
     "api_version backend_config call_target_name called_computations has_side_effect operand_layouts "
     "output_operand_aliases result_layouts"},
    {"custom_call_v2",
     "api_version backend_config call_target_name called_computations has_side_effect operand_layouts "
     "output_operand_aliases result_layouts result_tilings"},
    {"dot_general_v1",
     "lhs_batching_dimensions lhs_contracting_dimensions precision_config rhs_batching_dimensions "
     "rhs_contracting_dimensions"},
    {"dot_general_v2",
     "accumulation_type allow_imprecise_accumulation lhs_batching_dimensions lhs_component_count "
     "lhs_contracting_dimensions lhs_precision_type num_primitive_operations precision_config "
     "rhs_batching_dimensions rhs_component_count rhs_contracting_dimensions rhs_precision_type"},
    {"dynamic_broadcast_in_dim_v1",
     "broadcast_dimensions known_expanding_dimensions known_nonexpanding_dimensions"},
    {"dynamic_conv_v1",
     "batch_group_count feature_group_count input_batch_dimension input_feature_dimension "
     "input_spatial_dimensions kernel_input_feature_dimension kernel_output_feature_dimension "
     "kernel_spatial_dimensions lhs_dilation output_batch_dimension output_feature_dimension "
     "output_spatial_dimensions padding precision_config rhs_dilation window_reversal window_strides"},
    {"dynamic_conv_v2",
     "batch_group_count feature_group_count input_batch_dimension input_feature_dimension "
     "input_spatial_dimensions kernel_input_feature_dimension kernel_output_feature_dimension "
     "kernel_spatial_dimensions lhs_dilation output_batch_dimension output_feature_dimension "
     "output_spatial_dimensions precision_config rhs_dilation window_reversal window_strides"},
    {"dynamic_gather_v1",
     "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims start_index_map"},
    {"dynamic_gather_v2",
     "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims operand_batching_dims "
     "start_index_map start_indices_batching_dims"},
    {"dynamic_iota_v1", "iota_dimension"},
    {"dynamic_slice_v1", "slice_sizes"},
    {"einsum_v1", "einsum_config"},
    {"exponential_minus_one_v2", "result_accuracy"},
    {"exponential_v2", "result_accuracy"},
    {"fft_v1", "fft_length fft_type"},
    {"func_v1", "arg_attrs function_type res_attrs sym_name sym_visibility"},
    {"gather_v1",
     "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims slice_sizes start_index_map"},
    {"gather_v2",
     "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims operand_batching_dims "
     "slice_sizes start_index_map start_indices_batching_dims"},
    {"get_dimension_size_v1", "dimension"},
    {"get_tuple_element_v1", "index"},
    {"infeed_v1", "infeed_config layout"},
    {"iota_v1", "iota_dimension"},
    {"log_plus_one_v2", "result_accuracy"},
    {"logistic_v2", "result_accuracy"},
    {"log_v2", "result_accuracy"},
    {"map_v1", "dimensions"},
    {"outfeed_v1", "outfeed_config"},
    {"pad_v1", "edge_padding_high edge_padding_low interior_padding"},
    {"recv_v1", "channel_id channel_type is_host_transfer"},
    {"recv_v2", "channel_id channel_type is_host_transfer source_target_pairs"},
    {"reduce_v1", "dimensions"},
    {"reduce_precision_v1", "exponent_bits mantissa_bits"},
    {"reduce_scatter_v1", "channel_id replica_groups scatter_dimension use_global_device_ids"},
    {"reduce_window_v1", "base_dilations padding window_dilations window_dimensions window_strides"},
    {"reverse_v1", "dimensions"},
    {"rng_bit_generator_v1", "rng_algorithm"},
    {"rng_v1", "rng_distribution"},
    {"rsqrt_v2", "result_accuracy"},
    {"sdy.manual_computation", "in_shardings manual_axes out_shardings"},
    {"sdy.mesh", "mesh sym_name"},
    {"sdy.sharding_constraint", "sharding"},
    {"scatter_v1",
     "index_vector_dim indices_are_sorted inserted_window_dims scatter_dims_to_operand_dims "
     "unique_indices update_window_dims"},
    {"scatter_v2",
     "index_vector_dim indices_are_sorted input_batching_dims inserted_window_dims "
     "scatter_dims_to_operand_dims scatter_indices_batching_dims unique_indices update_window_dims"},
    {"select_and_scatter_v1", "padding window_dimensions window_strides"},
    {"send_v1", "channel_id channel_type is_host_transfer"},
    {"send_v2", "channel_id channel_type is_host_transfer source_target_pairs"},
    {"set_dimension_size_v1", "dimension"},
    {"sine_v2", "result_accuracy"},
    {"slice_v1", "limit_indices start_indices strides"},
    {"sort_v1", "dimension is_stable"},
    {"sqrt_v2", "result_accuracy"},
    {"tan_v2", "result_accuracy"},
    {"tanh_v2", "result_accuracy"},
    {"torch_index_select_v1", "batch_dims dim"},
    {"transpose_v1", "permutation"},
    {"triangular_solve_v1", "left_side lower transpose_a unit_diagonal"},
    {"unary_einsum_v1", "einsum_config"},
};

constexpr GroupedProperty kGroups[] = {
    {"", "channel_id", "channel_handle", "handle"},
    {"", "channel_type", "channel_handle", "type"},
    {"convolution", "input_batch_dimension", "dimension_numbers", "input_batch_dimension"},
    {"convolution", "input_feature_dimension", "dimension_numbers", "input_feature_dimension"},
    {"convolution", "input_spatial_dimensions", "dimension_numbers", "input_spatial_dimensions"},
    {"convolution", "kernel_input_feature_dimension", "dimension_numbers", "kernel_input_feature_dimension"},
    {"convolution", "kernel_output_feature_dimension", "dimension_numbers",
     "kernel_output_feature_dimension"},
    {"convolution", "kernel_spatial_dimensions", "dimension_numbers", "kernel_spatial_dimensions"},
    {"convolution", "output_batch_dimension", "dimension_numbers", "output_batch_dimension"},
    {"convolution", "output_feature_dimension", "dimension_numbers", "output_feature_dimension"},
    {"convolution", "output_spatial_dimensions", "dimension_numbers", "output_spatial_dimensions"},
    {"dot_general", "lhs_batching_dimensions", "dot_dimension_numbers", "lhs_batching_dimensions"},
    {"dot_general", "rhs_batching_dimensions", "dot_dimension_numbers", "rhs_batching_dimensions"},
    {"dot_general", "lhs_contracting_dimensions", "dot_dimension_numbers", "lhs_contracting_dimensions"},
    {"dot_general", "rhs_contracting_dimensions", "dot_dimension_numbers", "rhs_contracting_dimensions"},
    {"dot_general", "lhs_precision_type", "algorithm", "lhs_precision_type"},
    {"dot_general", "rhs_precision_type", "algorithm", "rhs_precision_type"},
    {"dot_general", "accumulation_type", "algorithm", "accumulation_type"},
    {"dot_general", "lhs_component_count", "algorithm", "lhs_component_count"},
    {"dot_general", "rhs_component_count", "algorithm", "rhs_component_count"},
    {"dot_general", "num_primitive_operations", "algorithm", "num_primitive_operations"},
    {"dot_general", "allow_imprecise_accumulation", "algorithm", "allow_imprecise_accumulation"},
    {"gather", "offset_dims", "dimension_numbers", "offset_dims"},
    {"gather", "collapsed_slice_dims", "dimension_numbers", "collapsed_slice_dims"},
    {"gather", "operand_batching_dims", "dimension_numbers", "operand_batching_dims"},
    {"gather", "start_indices_batching_dims", "dimension_numbers", "start_indices_batching_dims"},
    {"gather", "start_index_map", "dimension_numbers", "start_index_map"},
    {"gather", "index_vector_dim", "dimension_numbers", "index_vector_dim"},
    {"scatter", "update_window_dims", "scatter_dimension_numbers", "update_window_dims"},
    {"scatter", "inserted_window_dims", "scatter_dimension_numbers", "inserted_window_dims"},
    {"scatter", "input_batching_dims", "scatter_dimension_numbers", "input_batching_dims"},
    {"scatter", "scatter_indices_batching_dims", "scatter_dimension_numbers",
     "scatter_indices_batching_dims"},
    {"scatter", "scatter_dims_to_operand_dims", "scatter_dimension_numbers", "scatter_dims_to_operand_dims"},
    {"scatter", "index_vector_dim", "scatter_dimension_numbers", "index_vector_dim"},
};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace

std::string_view element_type_name(std::uint64_t code) {
  return code < kNumTypeCodes ? kElementTypes[code] : "";
}

std::optional<std::uint64_t> element_type_code(std::string_view name) {
  for (std::size_t code = 0; code < kNumTypeCodes; ++code)
    if (!name.empty() && kElementTypes[code] == name) return code;
  return std::nullopt;
}

std::string_view other_type_name(std::uint64_t code) {
  switch (static_cast<TypeCode>(code)) {
    case TypeCode::kComplex: return "a complex type";
    case TypeCode::kFunction: return "a function's type";
    case TypeCode::kTensor:
    case TypeCode::kTensorWithEncoding: return "a tensor's type";
    case TypeCode::kToken: return "a token";
    case TypeCode::kTuple: return "a tuple";
    case TypeCode::kQuantized:
    case TypeCode::kQuantizedPerAxis: return "a quantized type";
    case TypeCode::kUnrankedTensor: return "a tensor of unknown rank";
    case TypeCode::kNone: return "no type";
    case TypeCode::kBuffer: return "a buffer";
    case TypeCode::kFuture: return "a future";
  }
  return "a type that is unknown";
}

std::span<const std::string_view> enumeration(AttributeCode code) {
  switch (code) {
    case AttributeCode::kComparisonDirection: return kDirections;
    case AttributeCode::kComparisonType: return kComparisons;
    case AttributeCode::kCustomCallApiVersion: return kApis;
    case AttributeCode::kFftType: return kFfts;
    case AttributeCode::kPrecision: return kPrecisions;
    case AttributeCode::kRngAlgorithm: return kGenerators;
    case AttributeCode::kRngDistribution: return kDistributions;
    case AttributeCode::kTranspose: return kTransposes;
    case AttributeCode::kResultAccuracyMode: return kAccuracies;
    default: return {};
  }
}

const std::vector<std::string_view>& properties_of(std::string_view versioned_name) {
  using Table = std::unordered_map<std::string_view, std::vector<std::string_view>>;
  static const Table& table = *[] {
    auto* made = new Table;
    for (const OpRow& row : kOps) made->emplace(row.name, words_of(row.properties));
    return made;
  }();
  static const auto& none = *new std::vector<std::string_view>;
  const auto found = table.find(versioned_name);
  return found == table.end() ? none : found->second;
}

const GroupedProperty* find_group(std::string_view op, std::string_view property) {
  // Ops that take a shape as an operand have the groups of those that do not.
  if (op == "dynamic_conv") op = "convolution";
  if (op == "dynamic_gather") op = "gather";
  for (const GroupedProperty& group : kGroups)
    if (group.property == property && (group.op.empty() || group.op == op)) return &group;
  return nullptr;
}

std::string_view without_version(std::string_view versioned_name) {
  const std::size_t end = versioned_name.rfind("_v");
  if (end == std::string_view::npos || end + 2 == versioned_name.size()) return "";
  for (const char c : versioned_name.substr(end + 2))
    if (c < '0' || c > '9') return "";
  return versioned_name.substr(0, end);
}

}  // namespace cornu::inline v0::ir::bytecode
