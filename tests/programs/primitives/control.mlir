// control: map, seed 48, number 15
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf32>) -> (tensor<3x1xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1:3 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c, %iterArg_1 = %0) : tensor<3xf32>, tensor<i64>, tensor<3x1xf32>
    cond {
      %c_2 = stablehlo.constant dense<3> : tensor<i64>
      %2 = stablehlo.compare LT, %iterArg_0, %c_2, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_0) : (tensor<3xf32>, tensor<i64>) -> tensor<f32>
      %3 = func.call @closed_call(%2) : (tensor<f32>) -> tensor<1xf32>
      %4 = func.call @dynamic_update_index_in_dim(%iterArg_1, %3, %iterArg_0) : (tensor<3x1xf32>, tensor<1xf32>, tensor<i64>) -> tensor<3x1xf32>
      %c_2 = stablehlo.constant dense<1> : tensor<i64>
      %5 = stablehlo.add %iterArg_0, %c_2 : tensor<i64>
      stablehlo.return %iterArg, %5, %4 : tensor<3xf32>, tensor<i64>, tensor<3x1xf32>
    }
    return %1#2 : tensor<3x1xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3xf32>, %arg1: tensor<i64>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<3xf32>, tensor<i64>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<f32>) -> tensor<1xf32> {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.multiply %arg0, %cst : tensor<f32>
    %1 = call @cumsum(%0) : (tensor<f32>) -> tensor<1xf32>
    return %1 : tensor<1xf32>
  }
  func.func private @cumsum(%arg0: tensor<f32>) -> tensor<1xf32> {
    %0 = stablehlo.reshape %arg0 : (tensor<f32>) -> tensor<1xf32>
    %1 = call @cumsum_0(%0) : (tensor<1xf32>) -> tensor<1xf32>
    return %1 : tensor<1xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 1>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
    return %1 : tensor<1xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x1xf32>, %arg1: tensor<1xf32>, %arg2: tensor<i64>) -> tensor<3x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<3x1xf32>, tensor<1x1xf32>, tensor<i64>, tensor<i64>) -> tensor<3x1xf32>
    return %1 : tensor<3x1xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x6A4DA93E55A5B83E3EDB2B3F"> : tensor<3xf32>
    %e0 = stablehlo.constant dense<"0x6A4D293F55A5383F3EDBAB3F"> : tensor<3x1xf32>
    %r = call @main(%a0) : (tensor<3xf32>) -> (tensor<3x1xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 2.685256e-05 : tensor<3x1xf32>
    return
  }
}
// -----
// control: scan, seed 48, number 34
module @jit_scanned attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x4xf32>) -> (tensor<4xf32> {jax.result_info = "result[0]"}, tensor<1xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<1x4xf32>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %4:4 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %c, %iterArg_2 = %2, %iterArg_3 = %3) : tensor<1x4xf32>, tensor<i64>, tensor<4xf32>, tensor<1xf32>
    cond {
      %c_4 = stablehlo.constant dense<1> : tensor<i64>
      %5 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %5 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_1) : (tensor<1x4xf32>, tensor<i64>) -> tensor<4xf32>
      %6:2 = func.call @closed_call(%iterArg_2, %5) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>)
      %7 = func.call @dynamic_update_index_in_dim(%iterArg_3, %6#1, %iterArg_1) : (tensor<1xf32>, tensor<f32>, tensor<i64>) -> tensor<1xf32>
      %c_4 = stablehlo.constant dense<1> : tensor<i64>
      %8 = stablehlo.add %iterArg_1, %c_4 : tensor<i64>
      stablehlo.return %iterArg, %8, %6#0, %7 : tensor<1x4xf32>, tensor<i64>, tensor<4xf32>, tensor<1xf32>
    }
    return %4#2, %4#3 : tensor<4xf32>, tensor<1xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<1x4xf32>, %arg1: tensor<i64>) -> tensor<4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 4] : (tensor<1x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @closed_call(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<4xf32>
    %1 = stablehlo.tanh %0 : tensor<4xf32>
    %2 = stablehlo.multiply %arg0, %arg1 : tensor<4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    return %1, %3 : tensor<4xf32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<1xf32>, %arg1: tensor<f32>, %arg2: tensor<i64>) -> tensor<1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<1xf32>, tensor<1xf32>, tensor<i64>) -> tensor<1xf32>
    return %1 : tensor<1xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x94B42C3FA1924F3FA7DE6F3FAB73553E"> : tensor<1x4xf32>
    %e0 = stablehlo.constant dense<"0x5188163F4D882B3FBADC3B3FBE69523E"> : tensor<4xf32>
    %e1 = stablehlo.constant dense<"0x00000000"> : tensor<1xf32>
    %r:2 = call @main(%a0) : (tensor<1x4xf32>) -> (tensor<4xf32>, tensor<1xf32>)
    check.expect_almost_eq %r#0, %e0, tolerance = 2.000000e-05 : tensor<4xf32>
    check.expect_almost_eq %r#1, %e1, tolerance = 2.000000e-05 : tensor<1xf32>
    return
  }
}
// -----
// control: while_loop, seed 48, number 53
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2x5xf32>) -> (tensor<2x2x5xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.while(%iterArg = %arg0) : tensor<2x2x5xf32>
    cond {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.reduce(%iterArg init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x2x5xf32>, tensor<f32>) -> tensor<f32>
      %cst_0 = stablehlo.constant dense<2.000000e+01> : tensor<f32>
      %2 = stablehlo.compare LT, %1, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %cst = stablehlo.constant dense<1.500000e+00> : tensor<f32>
      %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x5xf32>
      %2 = stablehlo.add %iterArg, %1 : tensor<2x2x5xf32>
      stablehlo.return %2 : tensor<2x2x5xf32>
    }
    return %0 : tensor<2x2x5xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xB5F0D23E4F6D2F3E0B531D3F2B07613E61B03C3F36366A3EC284FE3E19A23A3F0DDA463FC773633EEEC8B53E788E6F3FA28F0B3F7FA6663FB2AF4F3E9D57B73E9223C63E9D98053F1C57903E209F773F"> : tensor<2x2x5xf32>
    %e0 = stablehlo.constant dense<"0x2DBCF43FAAEDD53FC3540740E520DC3F182C0F40C746DD3F30A1FF3F86A80E4083B61140796EDC3F3C72ED3F9EE31B40E8E30240A0A91940F6F5D93FE7D5ED3FE488F13F27660140C715E43FC8E71D40"> : tensor<2x2x5xf32>
    %r = call @main(%a0) : (tensor<2x2x5xf32>) -> (tensor<2x2x5xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 4.934544e-05 : tensor<2x2x5xf32>
    return
  }
}
// -----
// control: cond, seed 48, number 72
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x1x5xf64>) -> (tensor<2x1x5xf64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x1x5xf64>, tensor<f64>) -> tensor<f64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1 = stablehlo.compare GT, %0, %cst_0, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %2 = stablehlo.convert %1 : (tensor<i1>) -> tensor<i32>
    %3 = "stablehlo.case"(%2) ({
      %4 = stablehlo.cosine %arg0 : tensor<2x1x5xf64>
      stablehlo.return %4 : tensor<2x1x5xf64>
    }, {
      %4 = stablehlo.sine %arg0 : tensor<2x1x5xf64>
      stablehlo.return %4 : tensor<2x1x5xf64>
    }) : (tensor<i32>) -> tensor<2x1x5xf64>
    return %3 : tensor<2x1x5xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xF86FDA1FFBB2EE3F1B36AA4792A6E53FFFE42A7096A1E53F2B0BCFD1A517EF3F50156CC7E3C1DD3F7662F10B8B73C33F17212A325BF5E83F60B9A5C075A8E23F6D3EF0AD3B2CEE3FEE9517C470B6CB3F"> : tensor<2x1x5xf64>
    %e0 = stablehlo.constant dense<"0x057C88FCC033EA3F39FBD47D4709E43FA74726746405E43F6B5D6BBA086DEA3F2A76772F5CB2DC3F5DAC385F6660C33F09A6185BFA80E63FB22A33DC629EE13FEBAA02587FE5E93FE80CC542257FCB3F"> : tensor<2x1x5xf64>
    %r = call @main(%a0) : (tensor<2x1x5xf64>) -> (tensor<2x1x5xf64>)
    check.expect_almost_eq %r, %e0, tolerance = 1.000000e-09 : tensor<2x1x5xf64>
    return
  }
}
// -----
// control: cond, seed 48, number 91
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf32>) -> (tensor<3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.compare GT, %0, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.convert %1 : (tensor<i1>) -> tensor<i32>
    %3 = "stablehlo.case"(%2) ({
      %4 = stablehlo.cosine %arg0 : tensor<3xf32>
      stablehlo.return %4 : tensor<3xf32>
    }, {
      %4 = stablehlo.sine %arg0 : tensor<3xf32>
      stablehlo.return %4 : tensor<3xf32>
    }) : (tensor<i32>) -> tensor<3xf32>
    return %3 : tensor<3xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x1363ED3ED0D13F3F7ADB113E"> : tensor<3xf32>
    %e0 = stablehlo.constant dense<"0x0DF9E43E125E2E3F585D113E"> : tensor<3xf32>
    %r = call @main(%a0) : (tensor<3xf32>) -> (tensor<3xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 2.000000e-05 : tensor<3xf32>
    return
  }
}
// -----
// control: switch, seed 48, number 110
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x4xf32>) -> (tensor<1x4xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x4xf32>, tensor<f32>) -> tensor<f32>
    %1 = stablehlo.convert %0 : (tensor<f32>) -> tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %2 = stablehlo.clamp %c, %1, %c_0 : tensor<i32>
    %3 = "stablehlo.case"(%2) ({
      %4 = stablehlo.sine %arg0 : tensor<1x4xf32>
      stablehlo.return %4 : tensor<1x4xf32>
    }, {
      %4 = stablehlo.cosine %arg0 : tensor<1x4xf32>
      stablehlo.return %4 : tensor<1x4xf32>
    }, {
      %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
      %5 = stablehlo.multiply %arg0, %4 : tensor<1x4xf32>
      stablehlo.return %5 : tensor<1x4xf32>
    }) : (tensor<i32>) -> tensor<1x4xf32>
    return %3 : tensor<1x4xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x08219F3E017E0B3F9F681C3F4C81FF3E"> : tensor<1x4xf32>
    %e0 = stablehlo.constant dense<"0x24BC733F50ED5A3FF5AF513F99C7603F"> : tensor<1x4xf32>
    %r = call @main(%a0) : (tensor<1x4xf32>) -> (tensor<1x4xf32>)
    check.expect_almost_eq %r, %e0, tolerance = 2.000000e-05 : tensor<1x4xf32>
    return
  }
}
