func.func public @main(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = stablehlo.add %x, %x : tensor<4x3xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<4x3xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<4x3xf32>
  return %2 : tensor<4x3xf32>
}
