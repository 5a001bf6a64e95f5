module {
  func.func @main(%a: tensor<2x2xf32>, %b: tensor<i64>) -> (tensor<2x2xf32>, tensor<2xi32>, tensor<i64>) {
    %0 = stablehlo.custom_call @LuDecomposition(%a) : (tensor<2x2xf32>) -> tuple<tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>>
    %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>>) -> tensor<2x2xf32>
    %2 = stablehlo.get_tuple_element %0[2] : (tuple<tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>>) -> tensor<2xi32>
    %3 = call @pair(%b, %1) : (tensor<i64>, tensor<2x2xf32>) -> tuple<tensor<i64>, tensor<2x2xf32>>
    %4 = stablehlo.get_tuple_element %3[0] : (tuple<tensor<i64>, tensor<2x2xf32>>) -> tensor<i64>
    %5 = stablehlo.get_tuple_element %3[1] : (tuple<tensor<i64>, tensor<2x2xf32>>) -> tensor<2x2xf32>
    return %5, %2, %4 : tensor<2x2xf32>, tensor<2xi32>, tensor<i64>
  }
  func.func private @pair(%a: tensor<i64>, %b: tensor<2x2xf32>) -> tuple<tensor<i64>, tensor<2x2xf32>> {
    %0 = stablehlo.add %b, %b : tensor<2x2xf32>
    %1 = stablehlo.tuple %a, %0 : tuple<tensor<i64>, tensor<2x2xf32>>
    return %1 : tuple<tensor<i64>, tensor<2x2xf32>>
  }
}
