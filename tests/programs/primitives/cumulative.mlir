// cumulative: cumlogsumexp 2, seed 48, number 7
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5x1x1xf64>) -> (tensor<3x5x1x1xf64> {jax.result_info = "result"}) {
    %0 = call @cumlogsumexp(%arg0) : (tensor<3x5x1x1xf64>) -> tensor<3x5x1x1xf64>
    return %0 : tensor<3x5x1x1xf64>
  }
  func.func private @cumlogsumexp(%arg0: tensor<3x5x1x1xf64>) -> tensor<3x5x1x1xf64> {
    %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 1, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %1 = stablehlo.maximum %arg1, %arg2 : tensor<f64>
      %2 = stablehlo.subtract %arg1, %arg2 : tensor<f64>
      %3 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %4 = stablehlo.add %arg1, %arg2 : tensor<f64>
      %5 = stablehlo.abs %2 : tensor<f64>
      %6 = stablehlo.negate %5 : tensor<f64>
      %7 = stablehlo.exponential %6 : tensor<f64>
      %8 = stablehlo.log_plus_one %7 : tensor<f64>
      %9 = stablehlo.add %1, %8 : tensor<f64>
      %10 = stablehlo.select %3, %4, %9 : tensor<i1>, tensor<f64>
      stablehlo.return %10 : tensor<f64>
    }) : (tensor<3x5x1x1xf64>, tensor<f64>) -> tensor<3x5x1x1xf64>
    return %0 : tensor<3x5x1x1xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xC67AD279C3DDF13F7777D0EE8063EA3FEAFCDC9046BEF63FBC546E63BBE3F23F7A6F66E3F510F63FC05B83BBEE70F43FF9DBF9ED57D6F23F2D3D92090906E73FB31897EB3762F13FF3D818FE7F43F73F5CFF9ADF7875E13F06F2E88627A4F73F7AE9428F4AABE23FBA657825C609F63F633A63DFC17CE93F"> : tensor<3x5x1x1xf64>
    %e0 = stablehlo.constant dense<"0xC67AD279C3DDF13F7777D0EE8063EA3FEAFCDC9046BEF63FBC546E63BBE3F23F7A6F66E3F510F63FC05B83BBEE70F43FF9DBF9ED57D6F23F2D3D92090906E73FB31897EB3762F13FF3D818FE7F43F73F5CFF9ADF7875E13F06F2E88627A4F73F7AE9428F4AABE23FBA657825C609F63F633A63DFC17CE93F"> : tensor<3x5x1x1xf64>
    %r = call @main(%a0) : (tensor<3x5x1x1xf64>) -> (tensor<3x5x1x1xf64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.477577e-09 : tensor<3x5x1x1xf64>
    return
  }
}
// -----
// cumulative: cumlogsumexp 0, seed 48, number 26
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1xf32>) -> (tensor<1xf32> {jax.result_info = "result"}) {
    %0 = call @cumlogsumexp(%arg0) : (tensor<1xf32>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
  func.func private @cumlogsumexp(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 1>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      %2 = stablehlo.subtract %arg1, %arg2 : tensor<f32>
      %3 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
      %5 = stablehlo.abs %2 : tensor<f32>
      %6 = stablehlo.negate %5 : tensor<f32>
      %7 = stablehlo.exponential %6 : tensor<f32>
      %8 = stablehlo.log_plus_one %7 : tensor<f32>
      %9 = stablehlo.add %1, %8 : tensor<f32>
      %10 = stablehlo.select %3, %4, %9 : tensor<i1>, tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x68DD813F"> : tensor<1xf32>
    %e0 = stablehlo.constant dense<"0x68DD813F"> : tensor<1xf32>
    %r = call @main(%a0) : (tensor<1xf32>) -> (tensor<1xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 2.029139e-05 : tensor<1xf32>
    return
  }
}
// -----
// cumulative: cummax 1, seed 48, number 45
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x4xf32>) -> (tensor<1x4xf32> {jax.result_info = "result"}) {
    %0 = call @cummax(%arg0) : (tensor<1x4xf32>) -> tensor<1x4xf32>
    return %0 : tensor<1x4xf32>
  }
  func.func private @cummax(%arg0: tensor<1x4xf32>) -> tensor<1x4xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 3]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 4>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
    return %1 : tensor<1x4xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x3205073F98E8B83FC2D3B03FEE1F243F"> : tensor<1x4xf32>
    %e0 = stablehlo.constant dense<"0x98E8B83F98E8B83FC2D3B03FEE1F243F"> : tensor<1x4xf32>
    %r = call @main(%a0) : (tensor<1x4xf32>) -> (tensor<1x4xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 2.889196e-05 : tensor<1x4xf32>
    return
  }
}
// -----
// cumulative: cummin 2, seed 48, number 64
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x1x4xi32>) -> (tensor<2x3x1x4xi32> {jax.result_info = "result"}) {
    %0 = call @cummin(%arg0) : (tensor<2x3x1x4xi32>) -> tensor<2x3x1x4xi32>
    return %0 : tensor<2x3x1x4xi32>
  }
  func.func private @cummin(%arg0: tensor<2x3x1x4xi32>) -> tensor<2x3x1x4xi32> {
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 1, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.minimum %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<2x3x1x4xi32>, tensor<i32>) -> tensor<2x3x1x4xi32>
    return %1 : tensor<2x3x1x4xi32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x040000000400000000000000FEFFFFFF01000000FBFFFFFFFAFFFFFF00000000FFFFFFFF0300000001000000FCFFFFFF04000000020000000100000000000000FDFFFFFF09000000F9FFFFFF05000000F7FFFFFFFDFFFFFFFAFFFFFF02000000"> : tensor<2x3x1x4xi32>
    %e0 = stablehlo.constant dense<"0x040000000400000000000000FEFFFFFF01000000FBFFFFFFFAFFFFFF00000000FFFFFFFF0300000001000000FCFFFFFF04000000020000000100000000000000FDFFFFFF09000000F9FFFFFF05000000F7FFFFFFFDFFFFFFFAFFFFFF02000000"> : tensor<2x3x1x4xi32>
    %r = call @main(%a0) : (tensor<2x3x1x4xi32>) -> (tensor<2x3x1x4xi32>)
    check.expect_eq %r, %e0 : tensor<2x3x1x4xi32>
    return
  }
}
// -----
// cumulative: cumprod 3, seed 48, number 83
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x5x1x1xf64>) -> (tensor<1x5x1x1xf64> {jax.result_info = "result"}) {
    %0 = call @cumprod(%arg0) : (tensor<1x5x1x1xf64>) -> tensor<1x5x1x1xf64>
    return %0 : tensor<1x5x1x1xf64>
  }
  func.func private @cumprod(%arg0: tensor<1x5x1x1xf64>) -> tensor<1x5x1x1xf64> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 1, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f64>
      stablehlo.return %1 : tensor<f64>
    }) : (tensor<1x5x1x1xf64>, tensor<f64>) -> tensor<1x5x1x1xf64>
    return %0 : tensor<1x5x1x1xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x2A41BBBD2F90E13F5A8F04F3765DE23F8067B16F7148EA3F019380AB3005EC3FAD5475660D63E03F"> : tensor<1x5x1x1xf64>
    %e0 = stablehlo.constant dense<"0x2A41BBBD2F90E13F5A8F04F3765DE23F8067B16F7148EA3F019380AB3005EC3FAD5475660D63E03F"> : tensor<1x5x1x1xf64>
    %r = call @main(%a0) : (tensor<1x5x1x1xf64>) -> (tensor<1x5x1x1xf64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.000000e-09 : tensor<1x5x1x1xf64>
    return
  }
}
// -----
// cumulative: cumprod 0, seed 48, number 102
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xf32>) -> (tensor<5xf32> {jax.result_info = "result"}) {
    %0 = call @cumprod(%arg0) : (tensor<5xf32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
  func.func private @cumprod(%arg0: tensor<5xf32>) -> tensor<5xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1>, padding = dense<[[0, 4]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xC426513FC336BA3F5DDA2E3F1C859B3F61F17A3F"> : tensor<5xf32>
    %e0 = stablehlo.constant dense<"0xA984773FF87A973FE53F503FA172983F61F17A3F"> : tensor<5xf32>
    %r = call @main(%a0) : (tensor<5xf32>) -> (tensor<5xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 2.381996e-05 : tensor<5xf32>
    return
  }
}
