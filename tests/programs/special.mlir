module @jit_special attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9xf32>) -> (tensor<9xf32> {jax.result_info = "result[0]"}, tensor<9xf32> {jax.result_info = "result[1]"}, tensor<9xf32> {jax.result_info = "result[2]"}, tensor<9xf32> {jax.result_info = "result[3]"}, tensor<9xf32> {jax.result_info = "result[4]"}) {
    %0 = chlo.erf %arg0 : tensor<9xf32> -> tensor<9xf32>
    %1 = stablehlo.negate %arg0 : tensor<9xf32>
    %2 = stablehlo.exponential %1 : tensor<9xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %4 = stablehlo.add %3, %2 : tensor<9xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %6 = stablehlo.divide %5, %4 : tensor<9xf32>
    %7 = stablehlo.exponential_minus_one %arg0 : tensor<9xf32>
    %8 = stablehlo.abs %arg0 : tensor<9xf32>
    %9 = stablehlo.log_plus_one %8 : tensor<9xf32>
    %10 = stablehlo.abs %arg0 : tensor<9xf32>
    %cst_1 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %12 = stablehlo.power %10, %11 : tensor<9xf32>
    return %0, %6, %7, %9, %12 : tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>
  }
}
