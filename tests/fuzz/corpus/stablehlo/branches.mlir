module @jit_branches attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xf32>, %arg1: tensor<i32>) -> (tensor<7xf32> {jax.result_info = "result[0]"}, tensor<7xf32> {jax.result_info = "result[1]"}, tensor<10xf32> {jax.result_info = "result[2]"}, tensor<7xf32> {jax.result_info = "result[3]"}, tensor<7xf32> {jax.result_info = "result[4]"}, tensor<9xf32> {jax.result_info = "result[5]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare GT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = stablehlo.convert %0 : (tensor<i1>) -> tensor<i32>
    %2 = "stablehlo.case"(%1) ({
      %14 = stablehlo.negate %arg0 : tensor<7xf32>
      stablehlo.return %14 : tensor<7xf32>
    }, {
      %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<7xf32>
      %15 = stablehlo.multiply %arg0, %14 : tensor<7xf32>
      stablehlo.return %15 : tensor<7xf32>
    }) : (tensor<i32>) -> tensor<7xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %4 = stablehlo.compare GT, %arg0, %3, FLOAT : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
    %5 = stablehlo.reverse %arg0, dims = [0] : tensor<7xf32>
    %6 = call @_where(%4, %arg0, %5) : (tensor<7xi1>, tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %7 = call @_pad(%arg0, %c_0) : (tensor<7xf32>, tensor<i32>) -> tensor<10xf32>
    %cst_1 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %10 = stablehlo.clamp %8, %arg0, %9 : tensor<7xf32>
    %11 = stablehlo.reduce_precision %arg0, format = e5m7 : tensor<7xf32>
    %12 = stablehlo.slice %arg0 [1:5:2] : (tensor<7xf32>) -> tensor<2xf32>
    %13 = stablehlo.concatenate %arg0, %12, dim = 0 : (tensor<7xf32>, tensor<2xf32>) -> tensor<9xf32>
    return %2, %6, %7, %10, %11, %13 : tensor<7xf32>, tensor<7xf32>, tensor<10xf32>, tensor<7xf32>, tensor<7xf32>, tensor<9xf32>
  }
  func.func private @_where(%arg0: tensor<7xi1>, %arg1: tensor<7xf32>, %arg2: tensor<7xf32>) -> tensor<7xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<7xi1>, tensor<7xf32>
    return %0 : tensor<7xf32>
  }
  func.func private @_pad(%arg0: tensor<7xf32>, %arg1: tensor<i32>) -> tensor<10xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1], high = [2], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<10xf32>
    return %1 : tensor<10xf32>
  }
}
