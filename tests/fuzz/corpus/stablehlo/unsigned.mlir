func.func @main(%a: tensor<2xui64>) -> tensor<1xui64> {
  %0 = stablehlo.constant dense<[18446744073709551615, 9223372036854775808]> : tensor<2xui64>
  %1 = stablehlo.constant dense<0> : tensor<ui64>
  %2 = stablehlo.pad %0, %1, low = [18446744073709551615], high = [0], interior = [0] : (tensor<2xui64>, tensor<ui64>) -> tensor<1xui64>
  return %2 : tensor<1xui64>
}
