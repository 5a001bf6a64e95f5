module {
  func.func @abs(%arg0: tensor<3x7xi8>) -> tensor<3x7xi8> {
    %0 = stablehlo.abs %arg0 : tensor<3x7xi8>
    return %0 : tensor<3x7xi8>
  }
  func.func @add(%arg0: tensor<5x3xi8>, %arg1: tensor<5x3xi8>) -> tensor<5x3xi8> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<5x3xi8>
    return %0 : tensor<5x3xi8>
  }
  func.func @all_gather(%arg0: tensor<2x3xi8>) -> tensor<2x3xi8> {
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2x3xi8>) -> tensor<2x3xi8>
    return %0 : tensor<2x3xi8>
  }
  func.func @all_reduce(%arg0: tensor<2x3xi8>) -> tensor<2x3xi8> {
    %3 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
      ^bb0(%0: tensor<i8>, %1: tensor<i8>):
        %2 = stablehlo.add %0, %1 : tensor<i8>
        "stablehlo.return"(%2) : (tensor<i8>) -> ()
    }) : (tensor<2x3xi8>) -> tensor<2x3xi8>
    return %3 : tensor<2x3xi8>
  }
  func.func @all_to_all(%arg0: tensor<2x3xi8>) -> tensor<2x3xi8> {
    %0 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>, split_count = 1 : i64, split_dimension = 0 : i64}> : (tensor<2x3xi8>) -> tensor<2x3xi8>
    return %0 : tensor<2x3xi8>
  }
  func.func @and(%arg0: tensor<5x3xi8>, %arg1: tensor<5x3xi8>) -> tensor<5x3xi8> {
    %0 = stablehlo.and %arg0, %arg1 : tensor<5x3xi8>
    return %0 : tensor<5x3xi8>
  }
  func.func @atan2(%arg0: tensor<81xf32>, %arg1: tensor<81xf32>) -> tensor<81xf32> {
    %0 = stablehlo.atan2 %arg0, %arg1 : tensor<81xf32>
    return %0 : tensor<81xf32>
  }
  func.func @bitcast_convert(%arg0: tensor<3x4xi8>) -> tensor<3xi32> {
    %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<3x4xi8>) -> tensor<3xi32>
    return %0 : tensor<3xi32>
  }
  func.func @broadcast_in_dim(%arg0: tensor<i8>) -> tensor<2x3xi8> {
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64>}> : (tensor<i8>) -> tensor<2x3xi8>
    return %0 : tensor<2x3xi8>
  }
  func.func @case(%arg0: tensor<i32>, %arg1: tensor<2x3xi8>, %arg2: tensor<2x3xi8>) -> (tensor<2x3xi8>, tensor<2x3xi8>) {
    %3:2 = "stablehlo.case"(%arg0) ({
      ^bb0:
        %0 = stablehlo.add %arg1, %arg2 : tensor<2x3xi8>
        "stablehlo.return"(%0, %arg1) : (tensor<2x3xi8>, tensor<2x3xi8>) -> ()
    }, {
      ^bb0:
        %1 = stablehlo.multiply %arg1, %arg2 : tensor<2x3xi8>
        "stablehlo.return"(%1, %arg2) : (tensor<2x3xi8>, tensor<2x3xi8>) -> ()
    }, {
      ^bb0:
        %2 = stablehlo.add %arg1, %arg1 : tensor<2x3xi8>
        "stablehlo.return"(%arg2, %2) : (tensor<2x3xi8>, tensor<2x3xi8>) -> ()
    }) : (tensor<i32>) -> (tensor<2x3xi8>, tensor<2x3xi8>)
    return %3#0, %3#1 : tensor<2x3xi8>, tensor<2x3xi8>
  }
  func.func @cbrt(%arg0: tensor<13xf32>) -> tensor<13xf32> {
    %0 = stablehlo.cbrt %arg0 : tensor<13xf32>
    return %0 : tensor<13xf32>
  }
  func.func @ceil(%arg0: tensor<13xf32>) -> tensor<13xf32> {
    %0 = stablehlo.ceil %arg0 : tensor<13xf32>
    return %0 : tensor<13xf32>
  }
  func.func @clamp(%arg0: tensor<f32>, %arg1: tensor<6xf32>, %arg2: tensor<f32>) -> tensor<6xf32> {
    %0 = "stablehlo.clamp"(%arg0, %arg1, %arg2) : (tensor<f32>, tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func @collective_broadcast(%arg0: tensor<2x3xi8>) -> tensor<2x3xi8> {
    %0 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2x3xi8>) -> tensor<2x3xi8>
    return %0 : tensor<2x3xi8>
  }
  func.func @collective_permute(%arg0: tensor<2x3xi8>) -> tensor<2x3xi8> {
    %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<0> : tensor<1x2xi64>}> : (tensor<2x3xi8>) -> tensor<2x3xi8>
    return %0 : tensor<2x3xi8>
  }
  func.func @compare(%arg0: tensor<4x5xi8>, %arg1: tensor<4x5xi8>) -> tensor<4x5xi1> {
    %0 = "stablehlo.compare"(%arg0, %arg1) <{comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<4x5xi8>, tensor<4x5xi8>) -> tensor<4x5xi1>
    return %0 : tensor<4x5xi1>
  }
  func.func @concatenate(%arg0: tensor<2x3x2xi8>, %arg1: tensor<2x1x2xi8>) -> tensor<2x4x2xi8> {
    %0 = "stablehlo.concatenate"(%arg0, %arg1) <{dimension = 1 : i64}> : (tensor<2x3x2xi8>, tensor<2x1x2xi8>) -> tensor<2x4x2xi8>
    return %0 : tensor<2x4x2xi8>
  }
  func.func @constant() -> tensor<i8> {
    %0 = "stablehlo.constant"() <{value = dense<74> : tensor<i8>}> : () -> tensor<i8>
    return %0 : tensor<i8>
  }
  func.func @convert(%arg0: tensor<4x5xi8>) -> tensor<4x5xi8> {
    %0 = "stablehlo.convert"(%arg0) : (tensor<4x5xi8>) -> tensor<4x5xi8>
    return %0 : tensor<4x5xi8>
  }
  func.func @convolution(%arg0: tensor<3x2xi8>, %arg1: tensor<2x4xi8>) -> tensor<3x4xi8> {
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64>, padding = dense<> : tensor<0x2xi64>, rhs_dilation = array<i64>, window_reversal = array<i1>, window_strides = array<i64>}> : (tensor<3x2xi8>, tensor<2x4xi8>) -> tensor<3x4xi8>
    return %0 : tensor<3x4xi8>
  }
  func.func @cornu_convolution_bias_activation(%arg0: tensor<2x6x2xf32>, %arg1: tensor<3x2x3xf32>, %arg2: tensor<3xf32>) -> tensor<2x6x3xf32> {
    %0 = "stablehlo.composite"(%arg0, %arg1, %arg2) <{composite_attributes = {activation = "linear", batch_group_count = 1 : i64, feature_group_count = 1 : i64, input_batch_dimension = 0 : i64, input_feature_dimension = 2 : i64, input_spatial_dimensions = array<i64: 1>, kernel_input_feature_dimension = 1 : i64, kernel_output_feature_dimension = 2 : i64, kernel_spatial_dimensions = array<i64: 0>, lhs_dilation = array<i64: 1>, output_batch_dimension = 0 : i64, output_feature_dimension = 2 : i64, output_spatial_dimensions = array<i64: 1>, padding_high = array<i64: 0>, padding_low = array<i64: 4>, rhs_dilation = array<i64: 2>, window_reversal = array<i64: 0>, window_strides = array<i64: 1>}, decomposition = @cornu_convolution_bias_activation.cornu.convolution_bias_activation.0, name = "cornu.convolution_bias_activation"}> : (tensor<2x6x2xf32>, tensor<3x2x3xf32>, tensor<3xf32>) -> tensor<2x6x3xf32>
    return %0 : tensor<2x6x3xf32>
  }
  func.func private @cornu_convolution_bias_activation.cornu.convolution_bias_activation.0(%arg0: tensor<2x6x2xf32>, %arg1: tensor<3x2x3xf32>, %arg2: tensor<3xf32>) -> tensor<2x6x3xf32> {
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1>, padding = dense<[[4, 0]]> : tensor<1x2xi64>, rhs_dilation = array<i64: 2>, window_reversal = array<i1: false>, window_strides = array<i64: 1>}> : (tensor<2x6x2xf32>, tensor<3x2x3xf32>) -> tensor<2x6x3xf32>
    %1 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 2>}> : (tensor<3xf32>) -> tensor<2x6x3xf32>
    %2 = stablehlo.add %0, %1 : tensor<2x6x3xf32>
    return %2 : tensor<2x6x3xf32>
  }
  func.func @cornu_custom_gradient(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<3x4xf32>
    %1 = "stablehlo.composite"(%0, %arg0, %arg0) <{composite_attributes = {num_inputs = 1 : i64, num_results = 1 : i64}, decomposition = @cornu_custom_gradient.cornu.custom_gradient.0, name = "cornu.custom_gradient"}> : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    return %1 : tensor<3x4xf32>
  }
  func.func private @cornu_custom_gradient.cornu.custom_gradient.0(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<3x4xf32>) -> tensor<3x4xf32> {
    return %arg0 : tensor<3x4xf32>
  }
  func.func @cornu_embedding_lookup(%arg0: tensor<300x2xf32>, %arg1: tensor<3xui8>) -> tensor<3x2xf32> {
    %0 = "stablehlo.composite"(%arg0, %arg1) <{decomposition = @cornu_embedding_lookup.cornu.embedding_lookup.0, name = "cornu.embedding_lookup"}> : (tensor<300x2xf32>, tensor<3xui8>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
  func.func private @cornu_embedding_lookup.cornu.embedding_lookup.0(%arg0: tensor<300x2xf32>, %arg1: tensor<3xui8>) -> tensor<3x2xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<300x2xf32>, tensor<3xui8>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
  func.func @cornu_embedding_lookup_gradient(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x3xi32>) -> tensor<4x4xf32> {
    %0 = "stablehlo.composite"(%arg0, %arg1) <{composite_attributes = {num_rows = 4 : i64}, decomposition = @cornu_embedding_lookup_gradient.cornu.embedding_lookup_gradient.0, name = "cornu.embedding_lookup_gradient"}> : (tensor<2x3x4xf32>, tensor<2x3xi32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
  func.func private @cornu_embedding_lookup_gradient.cornu.embedding_lookup_gradient.0(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x3xi32>) -> tensor<4x4xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.clamp"(%0, %arg1, %1) : (tensor<i32>, tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
    %3 = "stablehlo.constant"() <{value = dense<0.0e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %8 = "stablehlo.scatter"(%4, %2, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
      ^bb0(%5: tensor<f32>, %6: tensor<f32>):
        %7 = stablehlo.add %5, %6 : tensor<f32>
        "stablehlo.return"(%7) : (tensor<f32>) -> ()
    }) : (tensor<4x4xf32>, tensor<2x3xi32>, tensor<2x3x4xf32>) -> tensor<4x4xf32>
    return %8 : tensor<4x4xf32>
  }
  func.func @cornu_first_occurrence(%arg0: tensor<9xi32>) -> tensor<9xi32> {
    %0 = "stablehlo.composite"(%arg0) <{decomposition = @cornu_first_occurrence.cornu.first_occurrence.0, name = "cornu.first_occurrence"}> : (tensor<9xi32>) -> tensor<9xi32>
    return %0 : tensor<9xi32>
  }
  func.func private @cornu_first_occurrence.cornu.first_occurrence.0(%arg0: tensor<9xi32>) -> tensor<9xi32> {
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 1>}> : (tensor<9xi32>) -> tensor<9x9xi32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<9xi32>) -> tensor<9x9xi32>
    %2 = "stablehlo.compare"(%1, %0) <{comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<9x9xi32>, tensor<9x9xi32>) -> tensor<9x9xi1>
    %3 = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<9x9xi32>
    %5 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<9x9xi32>
    %6 = "stablehlo.select"(%2, %5, %4) : (tensor<9x9xi1>, tensor<9x9xi32>, tensor<9x9xi32>) -> tensor<9x9xi32>
    %7 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %11 = "stablehlo.reduce"(%6, %7) <{dimensions = array<i64: 1>}> ({
      ^bb0(%8: tensor<i32>, %9: tensor<i32>):
        %10 = stablehlo.minimum %8, %9 : tensor<i32>
        "stablehlo.return"(%10) : (tensor<i32>) -> ()
    }) : (tensor<9x9xi32>, tensor<i32>) -> tensor<9xi32>
    return %11 : tensor<9xi32>
  }
  func.func @cornu_log_cosh(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.composite"(%arg0) <{decomposition = @cornu_log_cosh.cornu.log_cosh.0, name = "cornu.log_cosh"}> : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @cornu_log_cosh.cornu.log_cosh.0(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.constant"() <{value = dense<-2.0e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.multiply %arg0, %1 : tensor<4xf32>
    %3 = "stablehlo.composite"(%2) <{decomposition = @cornu_log_cosh.cornu.softplus.1, name = "cornu.softplus"}> : (tensor<4xf32>) -> tensor<4xf32>
    %4 = stablehlo.add %arg0, %3 : tensor<4xf32>
    %5 = "stablehlo.constant"() <{value = dense<6.931472e-01> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %7 = stablehlo.subtract %4, %6 : tensor<4xf32>
    return %7 : tensor<4xf32>
  }
  func.func private @cornu_log_cosh.cornu.softplus.1(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.abs %arg0 : tensor<4xf32>
    %1 = stablehlo.negate %0 : tensor<4xf32>
    %2 = stablehlo.exponential %1 : tensor<4xf32>
    %3 = stablehlo.log_plus_one %2 : tensor<4xf32>
    %4 = "stablehlo.constant"() <{value = dense<0.0e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %6 = stablehlo.maximum %arg0, %5 : tensor<4xf32>
    %7 = stablehlo.add %3, %6 : tensor<4xf32>
    return %7 : tensor<4xf32>
  }
  func.func @cornu_log_softmax(%arg0: tensor<3x5xf16>) -> tensor<3x5xf16> {
    %0 = "stablehlo.composite"(%arg0) <{composite_attributes = {axis = -1 : i64}, decomposition = @cornu_log_softmax.cornu.log_softmax.0, name = "cornu.log_softmax"}> : (tensor<3x5xf16>) -> tensor<3x5xf16>
    return %0 : tensor<3x5xf16>
  }
  func.func private @cornu_log_softmax.cornu.log_softmax.0(%arg0: tensor<3x5xf16>) -> tensor<3x5xf16> {
    %0 = "stablehlo.constant"() <{value = dense<0xFC00> : tensor<f16>}> : () -> tensor<f16>
    %4 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 1>}> ({
      ^bb0(%1: tensor<f16>, %2: tensor<f16>):
        %3 = stablehlo.maximum %1, %2 : tensor<f16>
        "stablehlo.return"(%3) : (tensor<f16>) -> ()
    }) : (tensor<3x5xf16>, tensor<f16>) -> tensor<3xf16>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf16>) -> tensor<3x5xf16>
    %6 = stablehlo.subtract %arg0, %5 : tensor<3x5xf16>
    %7 = stablehlo.exponential %6 : tensor<3x5xf16>
    %8 = "stablehlo.constant"() <{value = dense<0.0e+00> : tensor<f16>}> : () -> tensor<f16>
    %12 = "stablehlo.reduce"(%7, %8) <{dimensions = array<i64: 1>}> ({
      ^bb0(%9: tensor<f16>, %10: tensor<f16>):
        %11 = stablehlo.add %9, %10 : tensor<f16>
        "stablehlo.return"(%11) : (tensor<f16>) -> ()
    }) : (tensor<3x5xf16>, tensor<f16>) -> tensor<3xf16>
    %13 = stablehlo.log %12 : tensor<3xf16>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf16>) -> tensor<3x5xf16>
    %15 = stablehlo.subtract %6, %14 : tensor<3x5xf16>
    return %15 : tensor<3x5xf16>
  }
  func.func @cornu_max_pool(%arg0: tensor<8x2xf16>) -> tensor<2x2xf16> {
    %0 = "stablehlo.composite"(%arg0) <{composite_attributes = {padding_high = array<i64: 0, 0>, padding_low = array<i64: 0, 0>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 5, 1>}, decomposition = @cornu_max_pool.cornu.max_pool.0, name = "cornu.max_pool"}> : (tensor<8x2xf16>) -> tensor<2x2xf16>
    return %0 : tensor<2x2xf16>
  }
  func.func private @cornu_max_pool.cornu.max_pool.0(%arg0: tensor<8x2xf16>) -> tensor<2x2xf16> {
    %0 = "stablehlo.constant"() <{value = dense<0xFC00> : tensor<f16>}> : () -> tensor<f16>
    %4 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 5, 1>}> ({
      ^bb0(%1: tensor<f16>, %2: tensor<f16>):
        %3 = stablehlo.maximum %1, %2 : tensor<f16>
        "stablehlo.return"(%3) : (tensor<f16>) -> ()
    }) : (tensor<8x2xf16>, tensor<f16>) -> tensor<2x2xf16>
    return %4 : tensor<2x2xf16>
  }
  func.func @cornu_max_pool_gradient(%arg0: tensor<8x2xf32>, %arg1: tensor<2x2xf32>) -> tensor<8x2xf32> {
    %0 = "stablehlo.composite"(%arg0, %arg1) <{composite_attributes = {padding_high = array<i64: 0, 0>, padding_low = array<i64: 0, 0>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 5, 1>}, decomposition = @cornu_max_pool_gradient.cornu.max_pool_gradient.0, name = "cornu.max_pool_gradient"}> : (tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>
    return %0 : tensor<8x2xf32>
  }
  func.func private @cornu_max_pool_gradient.cornu.max_pool_gradient.0(%arg0: tensor<8x2xf32>, %arg1: tensor<2x2xf32>) -> tensor<8x2xf32> {
    %0 = "stablehlo.constant"() <{value = dense<0.0e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.select_and_scatter"(%arg0, %arg1, %0) <{padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 5, 1>}> ({
      ^bb0(%1: tensor<f32>, %2: tensor<f32>):
        %3 = "stablehlo.compare"(%1, %2) <{comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
        "stablehlo.return"(%3) : (tensor<i1>) -> ()
    }, {
      ^bb0(%4: tensor<f32>, %5: tensor<f32>):
        %6 = stablehlo.add %4, %5 : tensor<f32>
        "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<8x2xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<8x2xf32>
    return %7 : tensor<8x2xf32>
  }
  func.func @cornu_redirect_gradient(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<3x4xf32>
    %1 = stablehlo.multiply %arg0, %arg0 : tensor<3x4xf32>
    %2 = "stablehlo.composite"(%0, %1) <{decomposition = @cornu_redirect_gradient.cornu.redirect_gradient.0, name = "cornu.redirect_gradient"}> : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    return %2 : tensor<3x4xf32>
  }
  func.func private @cornu_redirect_gradient.cornu.redirect_gradient.0(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>) -> tensor<3x4xf32> {
    return %arg0 : tensor<3x4xf32>
  }
  func.func @cornu_relu(%arg0: tensor<3x4xi8>) -> tensor<3x4xi8> {
    %0 = "stablehlo.composite"(%arg0) <{decomposition = @cornu_relu.cornu.relu.0, name = "cornu.relu"}> : (tensor<3x4xi8>) -> tensor<3x4xi8>
    return %0 : tensor<3x4xi8>
  }
  func.func private @cornu_relu.cornu.relu.0(%arg0: tensor<3x4xi8>) -> tensor<3x4xi8> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i8>}> : () -> tensor<i8>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i8>) -> tensor<3x4xi8>
    %2 = stablehlo.maximum %arg0, %1 : tensor<3x4xi8>
    return %2 : tensor<3x4xi8>
  }
  func.func @cornu_sinh(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.composite"(%arg0) <{decomposition = @cornu_sinh.cornu.sinh.0, name = "cornu.sinh"}> : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @cornu_sinh.cornu.sinh.0(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.constant"() <{value = dense<1.0e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.abs %arg0 : tensor<4xf32>
    %3 = "stablehlo.compare"(%2, %1) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %4 = "stablehlo.constant"() <{value = dense<0.0e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %6 = "stablehlo.select"(%3, %arg0, %5) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %7 = stablehlo.exponential_minus_one %6 : tensor<4xf32>
    %8 = "stablehlo.constant"() <{value = dense<5.0e-01> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %10 = stablehlo.add %7, %1 : tensor<4xf32>
    %11 = stablehlo.divide %7, %10 : tensor<4xf32>
    %12 = stablehlo.add %7, %11 : tensor<4xf32>
    %13 = stablehlo.multiply %12, %9 : tensor<4xf32>
    %14 = "stablehlo.constant"() <{value = dense<5.0e-01> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %16 = stablehlo.abs %arg0 : tensor<4xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<4xf32>
    %18 = stablehlo.exponential %17 : tensor<4xf32>
    %19 = stablehlo.multiply %18, %15 : tensor<4xf32>
    %20 = stablehlo.multiply %19, %18 : tensor<4xf32>
    %21 = stablehlo.divide %15, %18 : tensor<4xf32>
    %22 = stablehlo.divide %21, %18 : tensor<4xf32>
    %23 = stablehlo.subtract %20, %22 : tensor<4xf32>
    %24 = stablehlo.sign %arg0 : tensor<4xf32>
    %25 = stablehlo.multiply %24, %23 : tensor<4xf32>
    %26 = "stablehlo.select"(%3, %13, %25) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %26 : tensor<4xf32>
  }
  func.func @cornu_softmax(%arg0: tensor<3x5xf16>) -> tensor<3x5xf16> {
    %0 = "stablehlo.composite"(%arg0) <{composite_attributes = {axis = -1 : i64}, decomposition = @cornu_softmax.cornu.softmax.0, name = "cornu.softmax"}> : (tensor<3x5xf16>) -> tensor<3x5xf16>
    return %0 : tensor<3x5xf16>
  }
  func.func private @cornu_softmax.cornu.softmax.0(%arg0: tensor<3x5xf16>) -> tensor<3x5xf16> {
    %0 = "stablehlo.constant"() <{value = dense<0xFC00> : tensor<f16>}> : () -> tensor<f16>
    %4 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 1>}> ({
      ^bb0(%1: tensor<f16>, %2: tensor<f16>):
        %3 = stablehlo.maximum %1, %2 : tensor<f16>
        "stablehlo.return"(%3) : (tensor<f16>) -> ()
    }) : (tensor<3x5xf16>, tensor<f16>) -> tensor<3xf16>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf16>) -> tensor<3x5xf16>
    %6 = stablehlo.subtract %arg0, %5 : tensor<3x5xf16>
    %7 = stablehlo.exponential %6 : tensor<3x5xf16>
    %8 = "stablehlo.constant"() <{value = dense<0.0e+00> : tensor<f16>}> : () -> tensor<f16>
    %12 = "stablehlo.reduce"(%7, %8) <{dimensions = array<i64: 1>}> ({
      ^bb0(%9: tensor<f16>, %10: tensor<f16>):
        %11 = stablehlo.add %9, %10 : tensor<f16>
        "stablehlo.return"(%11) : (tensor<f16>) -> ()
    }) : (tensor<3x5xf16>, tensor<f16>) -> tensor<3xf16>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf16>) -> tensor<3x5xf16>
    %14 = stablehlo.divide %7, %13 : tensor<3x5xf16>
    return %14 : tensor<3x5xf16>
  }
  func.func @cornu_softplus(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.composite"(%arg0) <{decomposition = @cornu_softplus.cornu.softplus.0, name = "cornu.softplus"}> : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @cornu_softplus.cornu.softplus.0(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.abs %arg0 : tensor<4xf32>
    %1 = stablehlo.negate %0 : tensor<4xf32>
    %2 = stablehlo.exponential %1 : tensor<4xf32>
    %3 = stablehlo.log_plus_one %2 : tensor<4xf32>
    %4 = "stablehlo.constant"() <{value = dense<0.0e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %6 = stablehlo.maximum %arg0, %5 : tensor<4xf32>
    %7 = stablehlo.add %3, %6 : tensor<4xf32>
    return %7 : tensor<4xf32>
  }
  func.func @cornu_standardize(%arg0: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<f32>) {
    %0:2 = "stablehlo.composite"(%arg0) <{composite_attributes = {dimensions = array<i64: 0, 1>, epsilon = 1.0e-02 : f64}, decomposition = @cornu_standardize.cornu.standardize.0, name = "cornu.standardize"}> : (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<f32>)
    return %0#0, %0#1 : tensor<3x4xf32>, tensor<f32>
  }
  func.func private @cornu_standardize.cornu.standardize.0(%arg0: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<f32>) {
    %0 = "stablehlo.constant"() <{value = dense<0.0e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%1: tensor<f32>, %2: tensor<f32>):
        %3 = stablehlo.add %1, %2 : tensor<f32>
        "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
    %5 = "stablehlo.constant"() <{value = dense<8.3333336e-02> : tensor<f32>}> : () -> tensor<f32>
    %6 = stablehlo.multiply %4, %5 : tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %8 = stablehlo.subtract %arg0, %7 : tensor<3x4xf32>
    %9 = stablehlo.multiply %8, %8 : tensor<3x4xf32>
    %10 = "stablehlo.constant"() <{value = dense<0.0e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.reduce"(%9, %10) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%11: tensor<f32>, %12: tensor<f32>):
        %13 = stablehlo.add %11, %12 : tensor<f32>
        "stablehlo.return"(%13) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
    %15 = "stablehlo.constant"() <{value = dense<8.3333336e-02> : tensor<f32>}> : () -> tensor<f32>
    %16 = stablehlo.multiply %14, %15 : tensor<f32>
    %17 = "stablehlo.constant"() <{value = dense<1.0e-02> : tensor<f32>}> : () -> tensor<f32>
    %18 = stablehlo.add %16, %17 : tensor<f32>
    %19 = stablehlo.rsqrt %18 : tensor<f32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %21 = stablehlo.multiply %8, %20 : tensor<3x4xf32>
    return %21, %19 : tensor<3x4xf32>, tensor<f32>
  }
  func.func @cornu_stop_gradient(%arg0: tensor<3x4xi1>) -> tensor<3x4xi1> {
    %0 = "stablehlo.composite"(%arg0) <{decomposition = @cornu_stop_gradient.cornu.stop_gradient.0, name = "cornu.stop_gradient"}> : (tensor<3x4xi1>) -> tensor<3x4xi1>
    return %0 : tensor<3x4xi1>
  }
  func.func private @cornu_stop_gradient.cornu.stop_gradient.0(%arg0: tensor<3x4xi1>) -> tensor<3x4xi1> {
    return %arg0 : tensor<3x4xi1>
  }
  func.func @cosine(%arg0: tensor<13xf32>) -> tensor<13xf32> {
    %0 = stablehlo.cosine %arg0 : tensor<13xf32>
    return %0 : tensor<13xf32>
  }
  func.func @count_leading_zeros(%arg0: tensor<3x7xi8>) -> tensor<3x7xi8> {
    %0 = stablehlo.count_leading_zeros %arg0 : tensor<3x7xi8>
    return %0 : tensor<3x7xi8>
  }
  func.func @divide(%arg0: tensor<9xi32>, %arg1: tensor<9xi32>) -> tensor<9xi32> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<9xi32>
    return %0 : tensor<9xi32>
  }
  func.func @dot_general(%arg0: tensor<3xi8>, %arg1: tensor<2xi8>) -> tensor<3x2xi8> {
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<>}> : (tensor<3xi8>, tensor<2xi8>) -> tensor<3x2xi8>
    return %0 : tensor<3x2xi8>
  }
  func.func @dynamic_slice(%arg0: tensor<5x6xi8>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<2x3xi8> {
    %0 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg2) <{slice_sizes = array<i64: 2, 3>}> : (tensor<5x6xi8>, tensor<i32>, tensor<i32>) -> tensor<2x3xi8>
    return %0 : tensor<2x3xi8>
  }
  func.func @dynamic_update_slice(%arg0: tensor<5x6xi8>, %arg1: tensor<2x3xi8>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<5x6xi8> {
    %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<5x6xi8>, tensor<2x3xi8>, tensor<i32>, tensor<i32>) -> tensor<5x6xi8>
    return %0 : tensor<5x6xi8>
  }
  func.func @exponential(%arg0: tensor<13xf32>) -> tensor<13xf32> {
    %0 = stablehlo.exponential %arg0 : tensor<13xf32>
    return %0 : tensor<13xf32>
  }
  func.func @exponential_minus_one(%arg0: tensor<13xf32>) -> tensor<13xf32> {
    %0 = stablehlo.exponential_minus_one %arg0 : tensor<13xf32>
    return %0 : tensor<13xf32>
  }
  func.func @floor(%arg0: tensor<13xf32>) -> tensor<13xf32> {
    %0 = stablehlo.floor %arg0 : tensor<13xf32>
    return %0 : tensor<13xf32>
  }
  func.func @gather(%arg0: tensor<5xi8>, %arg1: tensor<3xui32>) -> tensor<3xi8> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<5xi8>, tensor<3xui32>) -> tensor<3xi8>
    return %0 : tensor<3xi8>
  }
  func.func @if(%arg0: tensor<i1>, %arg1: tensor<2x3xi8>, %arg2: tensor<2x3xi8>) -> (tensor<2x3xi8>, tensor<2x3xi8>) {
    %2:2 = "stablehlo.if"(%arg0) ({
      ^bb0:
        %0 = stablehlo.add %arg1, %arg2 : tensor<2x3xi8>
        "stablehlo.return"(%0, %arg1) : (tensor<2x3xi8>, tensor<2x3xi8>) -> ()
    }, {
      ^bb0:
        %1 = stablehlo.multiply %arg1, %arg2 : tensor<2x3xi8>
        "stablehlo.return"(%1, %arg2) : (tensor<2x3xi8>, tensor<2x3xi8>) -> ()
    }) : (tensor<i1>) -> (tensor<2x3xi8>, tensor<2x3xi8>)
    return %2#0, %2#1 : tensor<2x3xi8>, tensor<2x3xi8>
  }
  func.func @iota() -> tensor<3x2x4xi8> {
    %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x2x4xi8>
    return %0 : tensor<3x2x4xi8>
  }
  func.func @is_finite(%arg0: tensor<13xf32>) -> tensor<13xi1> {
    %0 = "stablehlo.is_finite"(%arg0) : (tensor<13xf32>) -> tensor<13xi1>
    return %0 : tensor<13xi1>
  }
  func.func @log(%arg0: tensor<13xf32>) -> tensor<13xf32> {
    %0 = stablehlo.log %arg0 : tensor<13xf32>
    return %0 : tensor<13xf32>
  }
  func.func @log_plus_one(%arg0: tensor<13xf32>) -> tensor<13xf32> {
    %0 = stablehlo.log_plus_one %arg0 : tensor<13xf32>
    return %0 : tensor<13xf32>
  }
  func.func @logistic(%arg0: tensor<13xf32>) -> tensor<13xf32> {
    %0 = stablehlo.logistic %arg0 : tensor<13xf32>
    return %0 : tensor<13xf32>
  }
  func.func @maximum(%arg0: tensor<5x3xi8>, %arg1: tensor<5x3xi8>) -> tensor<5x3xi8> {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<5x3xi8>
    return %0 : tensor<5x3xi8>
  }
  func.func @minimum(%arg0: tensor<5x3xi8>, %arg1: tensor<5x3xi8>) -> tensor<5x3xi8> {
    %0 = stablehlo.minimum %arg0, %arg1 : tensor<5x3xi8>
    return %0 : tensor<5x3xi8>
  }
  func.func @multiply(%arg0: tensor<5x3xi8>, %arg1: tensor<5x3xi8>) -> tensor<5x3xi8> {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<5x3xi8>
    return %0 : tensor<5x3xi8>
  }
  func.func @negate(%arg0: tensor<3x7xi8>) -> tensor<3x7xi8> {
    %0 = stablehlo.negate %arg0 : tensor<3x7xi8>
    return %0 : tensor<3x7xi8>
  }
  func.func @not(%arg0: tensor<3x7xi8>) -> tensor<3x7xi8> {
    %0 = stablehlo.not %arg0 : tensor<3x7xi8>
    return %0 : tensor<3x7xi8>
  }
  func.func @or(%arg0: tensor<5x3xi8>, %arg1: tensor<5x3xi8>) -> tensor<5x3xi8> {
    %0 = stablehlo.or %arg0, %arg1 : tensor<5x3xi8>
    return %0 : tensor<5x3xi8>
  }
  func.func @pad(%arg0: tensor<2x3xi8>, %arg1: tensor<i8>) -> tensor<5x4xi8> {
    %0 = "stablehlo.pad"(%arg0, %arg1) <{edge_padding_high = array<i64: 2, 1>, edge_padding_low = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<2x3xi8>, tensor<i8>) -> tensor<5x4xi8>
    return %0 : tensor<5x4xi8>
  }
  func.func @partition_id() -> tensor<ui32> {
    %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
    return %0 : tensor<ui32>
  }
  func.func @popcnt(%arg0: tensor<3x7xi8>) -> tensor<3x7xi8> {
    %0 = stablehlo.popcnt %arg0 : tensor<3x7xi8>
    return %0 : tensor<3x7xi8>
  }
  func.func @power(%arg0: tensor<5x3xi8>, %arg1: tensor<5x3xi8>) -> tensor<5x3xi8> {
    %0 = stablehlo.power %arg0, %arg1 : tensor<5x3xi8>
    return %0 : tensor<5x3xi8>
  }
  func.func @reduce(%arg0: tensor<3x4xi8>, %arg1: tensor<i8>) -> tensor<4xi8> {
    %3 = "stablehlo.reduce"(%arg0, %arg1) <{dimensions = array<i64: 0>}> ({
      ^bb0(%0: tensor<i8>, %1: tensor<i8>):
        %2 = stablehlo.add %0, %1 : tensor<i8>
        "stablehlo.return"(%2) : (tensor<i8>) -> ()
    }) : (tensor<3x4xi8>, tensor<i8>) -> tensor<4xi8>
    return %3 : tensor<4xi8>
  }
  func.func @reduce_precision(%arg0: tensor<16xf32>) -> tensor<16xf32> {
    %0 = "stablehlo.reduce_precision"(%arg0) <{exponent_bits = 8 : i32, mantissa_bits = 7 : i32}> : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  func.func @reduce_scatter(%arg0: tensor<2x3xi8>) -> tensor<2x3xi8> {
    %3 = "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 0 : i64}> ({
      ^bb0(%0: tensor<i8>, %1: tensor<i8>):
        %2 = stablehlo.add %0, %1 : tensor<i8>
        "stablehlo.return"(%2) : (tensor<i8>) -> ()
    }) : (tensor<2x3xi8>) -> tensor<2x3xi8>
    return %3 : tensor<2x3xi8>
  }
  func.func @reduce_window(%arg0: tensor<4x6xi8>) -> tensor<3x4xi8> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i8>}> : () -> tensor<i8>
    %4 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 1>}> ({
      ^bb0(%1: tensor<i8>, %2: tensor<i8>):
        %3 = stablehlo.add %1, %2 : tensor<i8>
        "stablehlo.return"(%3) : (tensor<i8>) -> ()
    }) : (tensor<4x6xi8>, tensor<i8>) -> tensor<3x4xi8>
    return %4 : tensor<3x4xi8>
  }
  func.func @remainder(%arg0: tensor<9xi32>, %arg1: tensor<9xi32>) -> tensor<9xi32> {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<9xi32>
    return %0 : tensor<9xi32>
  }
  func.func @replica_id() -> tensor<ui32> {
    %0 = "stablehlo.replica_id"() : () -> tensor<ui32>
    return %0 : tensor<ui32>
  }
  func.func @reshape(%arg0: tensor<1x1xi8>) -> tensor<i8> {
    %0 = "stablehlo.reshape"(%arg0) : (tensor<1x1xi8>) -> tensor<i8>
    return %0 : tensor<i8>
  }
  func.func @reverse(%arg0: tensor<5xi8>) -> tensor<5xi8> {
    %0 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 0>}> : (tensor<5xi8>) -> tensor<5xi8>
    return %0 : tensor<5xi8>
  }
  func.func @round_nearest_afz(%arg0: tensor<13xf32>) -> tensor<13xf32> {
    %0 = stablehlo.round_nearest_afz %arg0 : tensor<13xf32>
    return %0 : tensor<13xf32>
  }
  func.func @round_nearest_even(%arg0: tensor<13xf32>) -> tensor<13xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<13xf32>
    return %0 : tensor<13xf32>
  }
  func.func @rsqrt(%arg0: tensor<13xf32>) -> tensor<13xf32> {
    %0 = stablehlo.rsqrt %arg0 : tensor<13xf32>
    return %0 : tensor<13xf32>
  }
  func.func @scatter(%arg0: tensor<5x3xi8>, %arg1: tensor<2xi32>, %arg2: tensor<2x3xi8>) -> tensor<5x3xi8> {
    %2 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
      ^bb0(%0: tensor<i8>, %1: tensor<i8>):
        "stablehlo.return"(%1) : (tensor<i8>) -> ()
    }) : (tensor<5x3xi8>, tensor<2xi32>, tensor<2x3xi8>) -> tensor<5x3xi8>
    return %2 : tensor<5x3xi8>
  }
  func.func @select(%arg0: tensor<i1>, %arg1: tensor<4x5xi8>, %arg2: tensor<4x5xi8>) -> tensor<4x5xi8> {
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<4x5xi8>, tensor<4x5xi8>) -> tensor<4x5xi8>
    return %0 : tensor<4x5xi8>
  }
  func.func @select_and_scatter(%arg0: tensor<5xi32>, %arg1: tensor<2xi32>) -> tensor<5xi32> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.select_and_scatter"(%arg0, %arg1, %0) <{padding = dense<[[0, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
      ^bb0(%1: tensor<i32>, %2: tensor<i32>):
        %3 = "stablehlo.compare"(%1, %2) <{comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%3) : (tensor<i1>) -> ()
    }, {
      ^bb0(%4: tensor<i32>, %5: tensor<i32>):
        %6 = stablehlo.add %4, %5 : tensor<i32>
        "stablehlo.return"(%6) : (tensor<i32>) -> ()
    }) : (tensor<5xi32>, tensor<2xi32>, tensor<i32>) -> tensor<5xi32>
    return %7 : tensor<5xi32>
  }
  func.func @shift_left(%arg0: tensor<5x3xi8>, %arg1: tensor<5x3xi8>) -> tensor<5x3xi8> {
    %0 = stablehlo.shift_left %arg0, %arg1 : tensor<5x3xi8>
    return %0 : tensor<5x3xi8>
  }
  func.func @shift_right_arithmetic(%arg0: tensor<5x3xi8>, %arg1: tensor<5x3xi8>) -> tensor<5x3xi8> {
    %0 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<5x3xi8>
    return %0 : tensor<5x3xi8>
  }
  func.func @shift_right_logical(%arg0: tensor<5x3xi8>, %arg1: tensor<5x3xi8>) -> tensor<5x3xi8> {
    %0 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<5x3xi8>
    return %0 : tensor<5x3xi8>
  }
  func.func @sign(%arg0: tensor<3x7xi8>) -> tensor<3x7xi8> {
    %0 = stablehlo.sign %arg0 : tensor<3x7xi8>
    return %0 : tensor<3x7xi8>
  }
  func.func @sine(%arg0: tensor<13xf32>) -> tensor<13xf32> {
    %0 = stablehlo.sine %arg0 : tensor<13xf32>
    return %0 : tensor<13xf32>
  }
  func.func @slice(%arg0: tensor<6x5xi8>) -> tensor<4x4xi8> {
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 5, 4>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>}> : (tensor<6x5xi8>) -> tensor<4x4xi8>
    return %0 : tensor<4x4xi8>
  }
  func.func @sort(%arg0: tensor<4x5xi8>) -> tensor<4x5xi8> {
    %3 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
      ^bb0(%0: tensor<i8>, %1: tensor<i8>):
        %2 = "stablehlo.compare"(%0, %1) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<i8>, tensor<i8>) -> tensor<i1>
        "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }) : (tensor<4x5xi8>) -> tensor<4x5xi8>
    return %3 : tensor<4x5xi8>
  }
  func.func @sqrt(%arg0: tensor<13xf32>) -> tensor<13xf32> {
    %0 = stablehlo.sqrt %arg0 : tensor<13xf32>
    return %0 : tensor<13xf32>
  }
  func.func @subtract(%arg0: tensor<5x3xi8>, %arg1: tensor<5x3xi8>) -> tensor<5x3xi8> {
    %0 = stablehlo.subtract %arg0, %arg1 : tensor<5x3xi8>
    return %0 : tensor<5x3xi8>
  }
  func.func @tan(%arg0: tensor<13xf32>) -> tensor<13xf32> {
    %0 = stablehlo.tan %arg0 : tensor<13xf32>
    return %0 : tensor<13xf32>
  }
  func.func @tanh(%arg0: tensor<13xf32>) -> tensor<13xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<13xf32>
    return %0 : tensor<13xf32>
  }
  func.func @transpose(%arg0: tensor<2x3xi8>) -> tensor<3x2xi8> {
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xi8>) -> tensor<3x2xi8>
    return %0 : tensor<3x2xi8>
  }
  func.func @while(%arg0: tensor<3xi8>, %arg1: tensor<i32>) -> (tensor<i32>, tensor<3xi8>) {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %10:2 = "stablehlo.while"(%0, %arg0) ({
      ^bb0(%1: tensor<i32>, %2: tensor<3xi8>):
        %3 = "stablehlo.compare"(%1, %arg1) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%3) : (tensor<i1>) -> ()
    }, {
      ^bb0(%4: tensor<i32>, %5: tensor<3xi8>):
        %6 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
        %7 = stablehlo.add %4, %6 : tensor<i32>
        %8 = stablehlo.add %5, %5 : tensor<3xi8>
        %9 = stablehlo.add %8, %arg0 : tensor<3xi8>
        "stablehlo.return"(%7, %9) : (tensor<i32>, tensor<3xi8>) -> ()
    }) : (tensor<i32>, tensor<3xi8>) -> (tensor<i32>, tensor<3xi8>)
    return %10#0, %10#1 : tensor<i32>, tensor<3xi8>
  }
  func.func @xor(%arg0: tensor<5x3xi8>, %arg1: tensor<5x3xi8>) -> tensor<5x3xi8> {
    %0 = stablehlo.xor %arg0, %arg1 : tensor<5x3xi8>
    return %0 : tensor<5x3xi8>
  }
}
