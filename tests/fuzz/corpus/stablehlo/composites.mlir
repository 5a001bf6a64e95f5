module {
  func.func @main(%arg0: tensor<2x3x8xf32>, %arg1: tensor<2x8xf32>, %arg2: tensor<2x2xf32>) -> (tensor<2x3x8xf32>, tensor<2x3x2xf32>) {
    %0 = "stablehlo.composite"(%arg0) <{composite_attributes = {axis = -1 : i64}, decomposition = @d, name = "cornu.softmax"}> : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
    %1:5 = "stablehlo.composite"(%0, %arg1, %arg2, %arg2) <{composite_attributes = {activation = "tanh", go_backwards = false, recurrent_activation = "sigmoid"}, decomposition = @d, name = "cornu.lstm"}> : (tensor<2x3x8xf32>, tensor<2x8xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x3x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x3x2xf32>, tensor<2x3x8xf32>)
    %2:2 = "stablehlo.composite"(%arg0) <{composite_attributes = {dimensions = array<i64: 1>, epsilon = 1.0e-03 : f64}, decomposition = @d, name = "cornu.standardize"}> : (tensor<2x3x8xf32>) -> (tensor<2x3x8xf32>, tensor<2x8xf32>)
    %3:3 = "stablehlo.composite"(%arg1, %arg2, %1#0, %1#4, %arg2, %arg2) <{composite_attributes = {activation = "tanh", go_backwards = true, has_mask = false, has_sequence_gradient = false, recurrent_activation = "sigmoid"}, decomposition = @d, name = "cornu.lstm_gradient"}> : (tensor<2x8xf32>, tensor<2x2xf32>, tensor<2x3x2xf32>, tensor<2x3x8xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x3x8xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
    return %0, %1#0 : tensor<2x3x8xf32>, tensor<2x3x2xf32>
  }
}
