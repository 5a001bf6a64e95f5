func.func public @main(%a: tensor<2x2xf32>, %b: tensor<i64>) -> (tensor<2x2xf32>, tensor<2xi32>, tensor<i64>) {
  %0 = stablehlo.custom_call @LuDecomposition(%a) : (tensor<2x2xf32>) -> tuple<tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>>) -> tensor<2x2xf32>
  %2 = stablehlo.get_tuple_element %0[2] : (tuple<tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>>) -> tensor<2xi32>
  %3 = stablehlo.tuple %b, %1 : tuple<tensor<i64>, tensor<2x2xf32>>
  %4 = stablehlo.get_tuple_element %3[0] : (tuple<tensor<i64>, tensor<2x2xf32>>) -> tensor<i64>
  return %1, %2, %4 : tensor<2x2xf32>, tensor<2xi32>, tensor<i64>
}
