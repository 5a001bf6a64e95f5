module @jit_products attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<4x5xf32>, %arg2: tensor<3x4xi8>, %arg3: tensor<4x5xi8>) -> (tensor<3x5xi32> {jax.result_info = "result[0]"}, tensor<3x5xf32> {jax.result_info = "result[1]"}, tensor<3x5xf32> {jax.result_info = "result[2]"}, tensor<3x5xf32> {jax.result_info = "result[3]"}, tensor<3x4xf32> {jax.result_info = "result[4]"}, tensor<4x5xf32> {jax.result_info = "result[5]"}, tensor<1x1x3x4xi32> {jax.result_info = "result[6]"}, tensor<3x5xf32> {jax.result_info = "result[7]"}, tensor<3x4xf32> {jax.result_info = "result[8]"}, tensor<4x5xf32> {jax.result_info = "result[9]"}, tensor<3x4xf32> {jax.result_info = "result[10]"}, tensor<3x4xf32> {jax.result_info = "result[11]"}, tensor<3x4xf32> {jax.result_info = "result[12]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<3x4xf32>) -> tensor<3x4xbf16>
    %1 = stablehlo.convert %arg1 : (tensor<4x5xf32>) -> tensor<4x5xbf16>
    %2 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xi8>, tensor<4x5xi8>) -> tensor<3x5xi32>
    %3 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xbf16>, tensor<4x5xbf16>) -> tensor<3x5xf32>
    %4 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
    %5 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %7 = stablehlo.dot_general %6, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<3x5xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
    %8 = stablehlo.transpose %7, dims = [1, 0] : (tensor<5x4xf32>) -> tensor<4x5xf32>
    %9 = stablehlo.dot_general %6, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<3x5xf32>, tensor<4x5xf32>) -> tensor<3x4xf32>
    %10 = stablehlo.broadcast_in_dim %arg2, dims = [2, 3] : (tensor<3x4xi8>) -> tensor<1x1x3x4xi8>
    %11 = stablehlo.transpose %arg3, dims = [1, 0] : (tensor<4x5xi8>) -> tensor<5x4xi8>
    %12 = stablehlo.slice %11 [0:2, 0:2] : (tensor<5x4xi8>) -> tensor<2x2xi8>
    %13 = stablehlo.broadcast_in_dim %12, dims = [2, 3] : (tensor<2x2xi8>) -> tensor<1x1x2x2xi8>
    %14 = stablehlo.convolution(%10, %13) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x3x4xi8>, tensor<1x1x2x2xi8>) -> tensor<1x1x3x4xi32>
    %15 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
    %16 = stablehlo.sine %15 : tensor<3x5xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %18:3 = stablehlo.optimization_barrier %arg0, %arg1, %17 : tensor<3x4xf32>, tensor<4x5xf32>, tensor<3x5xf32>
    %19 = stablehlo.dot_general %18#0, %18#1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
    %20 = stablehlo.cosine %19 : tensor<3x5xf32>
    %21 = stablehlo.multiply %18#2, %20 : tensor<3x5xf32>
    %22 = stablehlo.dot_general %21, %18#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
    %23 = stablehlo.transpose %22, dims = [1, 0] : (tensor<5x4xf32>) -> tensor<4x5xf32>
    %24 = stablehlo.dot_general %21, %18#1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf32>, tensor<4x5xf32>) -> tensor<3x4xf32>
    %25 = call @round(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %cst_1 = stablehlo.constant dense<0.693147182> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %27 = stablehlo.multiply %26, %arg0 : tensor<3x4xf32>
    %28 = stablehlo.exponential %27 : tensor<3x4xf32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %29 = call @clip(%arg0, %c, %c_2) : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    return %2, %3, %4, %5, %9, %8, %14, %16, %24, %23, %25, %28, %29 : tensor<3x5xi32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x4xf32>, tensor<4x5xf32>, tensor<1x1x3x4xi32>, tensor<3x5xf32>, tensor<3x4xf32>, tensor<4x5xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
  }
  func.func private @round(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %cst = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<3x4xf32>
    %2 = stablehlo.round_nearest_even %1 : tensor<3x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %4 = stablehlo.divide %2, %3 : tensor<3x4xf32>
    return %4 : tensor<3x4xf32>
  }
  func.func private @clip(%arg0: tensor<3x4xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<3x4xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<3x4xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<3x4xf32>
    return %5 : tensor<3x4xf32>
  }
}
