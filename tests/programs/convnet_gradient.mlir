module @jit_convnet_gradient attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x8x6x3xf32>, %arg1: tensor<3x3x3x4xf32>, %arg2: tensor<24x5xf32>) -> (tensor<3x3x3x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[0, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x6x3xf32>, tensor<3x3x3x4xf32>) -> tensor<2x4x6x4xf32>
    %1 = stablehlo.tanh %0 : tensor<2x4x6x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x6x4xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<2x4x6x4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<f32>
    %5 = "stablehlo.reduce_window"(%1, %4) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %22 = stablehlo.maximum %arg3, %arg4 : tensor<f32>
      stablehlo.return %22 : tensor<f32>
    }) : (tensor<2x4x6x4xf32>, tensor<f32>) -> tensor<2x2x3x4xf32>
    %6 = stablehlo.reshape %5 : (tensor<2x2x3x4xf32>) -> tensor<2x24xf32>
    %7 = stablehlo.dot_general %6, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x24xf32>, tensor<24x5xf32>) -> tensor<2x5xf32>
    %8 = stablehlo.multiply %7, %7 : tensor<2x5xf32>
    %cst_1 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<2x5xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %12 = stablehlo.multiply %11, %10 : tensor<2x5xf32>
    %13 = stablehlo.dot_general %12, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5xf32>, tensor<24x5xf32>) -> tensor<2x24xf32>
    %14 = stablehlo.reshape %13 : (tensor<2x24xf32>) -> tensor<2x2x3x4xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.pad %1, %cst_3, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<2x4x6x4xf32>, tensor<f32>) -> tensor<2x4x6x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = "stablehlo.select_and_scatter"(%15, %14, %cst_4) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %22 = stablehlo.compare GE, %arg3, %arg4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %22 : tensor<i1>
    }, {
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %22 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %22 : tensor<f32>
    }) : (tensor<2x4x6x4xf32>, tensor<2x2x3x4xf32>, tensor<f32>) -> tensor<2x4x6x4xf32>
    %17 = stablehlo.slice %16 [0:2, 0:4, 0:6, 0:4] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
    %18 = stablehlo.multiply %17, %3 : tensor<2x4x6x4xf32>
    %19 = stablehlo.multiply %18, %1 : tensor<2x4x6x4xf32>
    %20 = stablehlo.add %18, %19 : tensor<2x4x6x4xf32>
    %21 = stablehlo.convolution(%arg0, %20) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x6x3xf32>, tensor<2x4x6x4xf32>) -> tensor<3x3x3x4xf32>
    return %21 : tensor<3x3x3x4xf32>
  }
}
