module @jit_bits attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xf32>) -> (tensor<5xui32> {jax.result_info = "result[0]"}, tensor<5xui32> {jax.result_info = "result[1]"}, tensor<5xf32> {jax.result_info = "result[2]"}, tensor<4xi32> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<5xf32>) -> tensor<5xui32>
    %c = stablehlo.constant dense<13> : tensor<ui32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<5xui32>
    %2 = stablehlo.shift_left %0, %1 : tensor<5xui32>
    %3 = stablehlo.xor %0, %2 : tensor<5xui32>
    %4 = stablehlo.popcnt %0 : tensor<5xui32>
    %5 = stablehlo.convert %arg0 : (tensor<5xf32>) -> tensor<5xbf16>
    %6 = stablehlo.convert %5 : (tensor<5xbf16>) -> tensor<5xf32>
    %7 = stablehlo.iota dim = 0 : tensor<4xi32>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %9 = stablehlo.multiply %7, %8 : tensor<4xi32>
    return %3, %4, %6, %9 : tensor<5xui32>, tensor<5xui32>, tensor<5xf32>, tensor<4xi32>
  }
}
