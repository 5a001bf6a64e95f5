func.func @main(%x: tensor<4xf32>, %root: tensor<1xi32>) -> (tensor<4xf32>, tensor<f32>, tensor<2x2xf32>, tensor<6xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %shape = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  %one = stablehlo.constant dense<1> : tensor<1xi64>
  %zero = stablehlo.subtract %one, %one : tensor<1xi64>
  %0:2 = chlo.scan(%x) inits(%c) dimension=0 attributes {is_reverse = true} {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s, %s : tensor<f32>, tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  %1 = stablehlo.dynamic_reshape %x, %shape : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  %2 = stablehlo.dynamic_pad %x, %c, %one, %one, %zero : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<6xf32>
  %3 = "stablehlo.collective_broadcast"(%x, %root) {replica_groups = dense<0> : tensor<1x1xi64>, has_dynamic_root} : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  %4 = "stablehlo.collective_reduce"(%x) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %t = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0#0, %0#1, %1, %2, %3, %4 : tensor<4xf32>, tensor<f32>, tensor<2x2xf32>, tensor<6xf32>, tensor<4xf32>, tensor<4xf32>
}
