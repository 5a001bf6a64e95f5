// f64 graph, seed 48, number 1
module @jit_results attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x9xf64>, %arg1: tensor<7x33x4xf64>, %arg2: tensor<33xf64>) -> (tensor<33x4x1xf64> {jax.result_info = "result[0]"}, tensor<3xf64> {jax.result_info = "result[1]"}, tensor<77x3xf64> {jax.result_info = "result[2]"}, tensor<33x4x16xf64> {jax.result_info = "result[3]"}, tensor<f64> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<[6, 2]> : tensor<2xi32>
    %c_0 = stablehlo.constant dense<[4, 0, 2, 3]> : tensor<4xi32>
    %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<f64>
    %1 = "stablehlo.reduce_window"(%arg1, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [1, 1]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 1, 3>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %302 = stablehlo.maximum %arg3, %arg4 : tensor<f64>
      stablehlo.return %302 : tensor<f64>
    }) : (tensor<7x33x4xf64>, tensor<f64>) -> tensor<7x33x4xf64>
    %2 = stablehlo.slice %c [0:1] : (tensor<2xi32>) -> tensor<1xi32>
    %3 = stablehlo.reshape %2 : (tensor<1xi32>) -> tensor<i32>
    %4 = stablehlo.slice %c [1:2] : (tensor<2xi32>) -> tensor<1xi32>
    %5 = stablehlo.reshape %4 : (tensor<1xi32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare LT, %3, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %7 = stablehlo.add %3, %c_2 : tensor<i32>
    %8 = stablehlo.select %6, %7, %3 : tensor<i1>, tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %5, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<9> : tensor<i32>
    %10 = stablehlo.add %5, %c_4 : tensor<i32>
    %11 = stablehlo.select %9, %10, %5 : tensor<i1>, tensor<i32>
    %12 = stablehlo.dynamic_slice %arg0, %8, %11, sizes = [2, 2] : (tensor<2x9xf64>, tensor<i32>, tensor<i32>) -> tensor<2x2xf64>
    %13 = stablehlo.reshape %arg0 : (tensor<2x9xf64>) -> tensor<18xf64>
    %14 = stablehlo.slice %13 [14:18] : (tensor<18xf64>) -> tensor<4xf64>
    %15 = stablehlo.reshape %14 : (tensor<4xf64>) -> tensor<2x2xf64>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.compare LT, %5, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<2> : tensor<i32>
    %17 = stablehlo.add %5, %c_6 : tensor<i32>
    %18 = stablehlo.select %16, %17, %5 : tensor<i1>, tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %19 = stablehlo.compare LT, %3, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_8 = stablehlo.constant dense<9> : tensor<i32>
    %20 = stablehlo.add %3, %c_8 : tensor<i32>
    %21 = stablehlo.select %19, %20, %3 : tensor<i1>, tensor<i32>
    %22 = stablehlo.dynamic_update_slice %arg0, %15, %18, %21 : (tensor<2x9xf64>, tensor<2x2xf64>, tensor<i32>, tensor<i32>) -> tensor<2x9xf64>
    %cst_9 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %23 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<f64>
    %24 = "stablehlo.reduce_window"(%1, %23) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<0> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %302 = stablehlo.maximum %arg3, %arg4 : tensor<f64>
      stablehlo.return %302 : tensor<f64>
    }) : (tensor<7x33x4xf64>, tensor<f64>) -> tensor<7x33x3xf64>
    %25 = stablehlo.reshape %1 : (tensor<7x33x4xf64>) -> tensor<924xf64>
    %26 = stablehlo.slice %25 [627:924] : (tensor<924xf64>) -> tensor<297xf64>
    %27 = stablehlo.reshape %26 : (tensor<297xf64>) -> tensor<9x33xf64>
    %28 = stablehlo.dot_general %22, %27, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x9xf64>, tensor<9x33xf64>) -> tensor<2x33xf64>
    %cst_10 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %29 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<2x33xf64>
    %30 = stablehlo.multiply %28, %29 : tensor<2x33xf64>
    %31 = stablehlo.tanh %30 : tensor<2x33xf64>
    %32 = stablehlo.reshape %22 : (tensor<2x9xf64>) -> tensor<18xf64>
    %33 = stablehlo.concatenate %32, %32, %32, %32, %32, %32, %32, %32, %32, %32, %32, %32, %32, %32, %32, %32, dim = 0 : (tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>) -> tensor<288xf64>
    %34 = stablehlo.concatenate %32, %32, %32, %32, %32, %32, %32, %32, %32, %32, %32, %32, %32, %32, %32, %32, dim = 0 : (tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>) -> tensor<288xf64>
    %35 = stablehlo.concatenate %32, %32, %32, %32, %32, %32, %32, dim = 0 : (tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>, tensor<18xf64>) -> tensor<126xf64>
    %36 = stablehlo.concatenate %33, %34, %35, dim = 0 : (tensor<288xf64>, tensor<288xf64>, tensor<126xf64>) -> tensor<702xf64>
    %37 = stablehlo.slice %36 [0:693] : (tensor<702xf64>) -> tensor<693xf64>
    %38 = stablehlo.reshape %37 : (tensor<693xf64>) -> tensor<7x33x3xf64>
    %39 = stablehlo.minimum %38, %24 : tensor<7x33x3xf64>
    %40 = stablehlo.maximum %38, %24 : tensor<7x33x3xf64>
    %41 = stablehlo.clamp %39, %24, %40 : tensor<7x33x3xf64>
    %42 = stablehlo.reshape %31 : (tensor<2x33xf64>) -> tensor<66xf64>
    %43 = stablehlo.slice %42 [58:66] : (tensor<66xf64>) -> tensor<8xf64>
    %44 = stablehlo.reshape %43 : (tensor<8xf64>) -> tensor<2x4x1xf64>
    %45 = stablehlo.convolution(%1, %44) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<7x33x4xf64>, tensor<2x4x1xf64>) -> tensor<7x33x1xf64>
    %cst_11 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %46 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<7x33x1xf64>
    %47 = stablehlo.multiply %45, %46 : tensor<7x33x1xf64>
    %48 = stablehlo.tanh %47 : tensor<7x33x1xf64>
    %cst_12 = stablehlo.constant dense<5.000000e+00> : tensor<f64>
    %49 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f64>) -> tensor<2x9xf64>
    %50 = stablehlo.multiply %22, %49 : tensor<2x9xf64>
    %cst_13 = stablehlo.constant dense<1.230000e-01> : tensor<f64>
    %51 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<2x9xf64>
    %52 = stablehlo.add %50, %51 : tensor<2x9xf64>
    %53 = stablehlo.convert %52 : (tensor<2x9xf64>) -> tensor<2x9xi32>
    %cst_14 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %54 = stablehlo.reduce(%12 init: %cst_14) applies stablehlo.minimum across dimensions = [0] : (tensor<2x2xf64>, tensor<f64>) -> tensor<2xf64>
    %cst_15 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %55 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %56 = stablehlo.multiply %54, %55 : tensor<2xf64>
    %57 = stablehlo.tanh %56 : tensor<2xf64>
    %58 = stablehlo.tanh %48 : tensor<7x33x1xf64>
    %59 = call @cumsum(%c_0) : (tensor<4xi32>) -> tensor<4xi32>
    %c_16 = stablehlo.constant dense<7> : tensor<i32>
    %60 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %61 = stablehlo.remainder %59, %60 : tensor<4xi32>
    %62 = "stablehlo.sort"(%41) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %302 = stablehlo.compare EQ, %arg3, %cst_95, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %303 = stablehlo.select %302, %cst_96, %arg3 : tensor<i1>, tensor<f64>
      %304 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_97 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %305 = stablehlo.select %304, %cst_97, %303 : tensor<i1>, tensor<f64>
      %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %306 = stablehlo.compare EQ, %arg4, %cst_98, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %307 = stablehlo.select %306, %cst_99, %arg4 : tensor<i1>, tensor<f64>
      %308 = stablehlo.compare NE, %arg4, %arg4, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_100 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %309 = stablehlo.select %308, %cst_100, %307 : tensor<i1>, tensor<f64>
      %310 = stablehlo.compare LT, %305, %309, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %310 : tensor<i1>
    }) : (tensor<7x33x3xf64>) -> tensor<7x33x3xf64>
    %cst_17 = stablehlo.constant dense<5.000000e+00> : tensor<f64>
    %63 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f64>) -> tensor<7x33x3xf64>
    %64 = stablehlo.multiply %62, %63 : tensor<7x33x3xf64>
    %cst_18 = stablehlo.constant dense<1.230000e-01> : tensor<f64>
    %65 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f64>) -> tensor<7x33x3xf64>
    %66 = stablehlo.add %64, %65 : tensor<7x33x3xf64>
    %67 = stablehlo.convert %66 : (tensor<7x33x3xf64>) -> tensor<7x33x3xi32>
    %68 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<2x9xf64>) -> tensor<2x9x5xf64>
    %cst_19 = stablehlo.constant dense<5.000000e+00> : tensor<f64>
    %69 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f64>) -> tensor<7x33x1xf64>
    %70 = stablehlo.multiply %58, %69 : tensor<7x33x1xf64>
    %cst_20 = stablehlo.constant dense<1.230000e-01> : tensor<f64>
    %71 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<7x33x1xf64>
    %72 = stablehlo.add %70, %71 : tensor<7x33x1xf64>
    %73 = stablehlo.convert %72 : (tensor<7x33x1xf64>) -> tensor<7x33x1xi32>
    %74 = stablehlo.reshape %68 : (tensor<2x9x5xf64>) -> tensor<90xf64>
    %75 = stablehlo.slice %74 [89:90] : (tensor<90xf64>) -> tensor<1xf64>
    %76 = stablehlo.reshape %75 : (tensor<1xf64>) -> tensor<f64>
    %77 = stablehlo.pad %57, %76, low = [0], high = [0], interior = [1] : (tensor<2xf64>, tensor<f64>) -> tensor<3xf64>
    %78 = stablehlo.compare LE, %77, %77, FLOAT : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
    %79 = stablehlo.select %78, %77, %77 : tensor<3xi1>, tensor<3xf64>
    %80 = stablehlo.transpose %48, dims = [2, 1, 0] : (tensor<7x33x1xf64>) -> tensor<1x33x7xf64>
    %81 = stablehlo.reverse %80, dims = [0] : tensor<1x33x7xf64>
    %82 = stablehlo.iota dim = 0 : tensor<3xf64>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %83 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f64>) -> tensor<3x1x33x7xf64>
    %c_22 = stablehlo.constant dense<0> : tensor<i64>
    %84:5 = stablehlo.while(%iterArg = %82, %iterArg_95 = %81, %iterArg_96 = %c_22, %iterArg_97 = %81, %iterArg_98 = %83) : tensor<3xf64>, tensor<1x33x7xf64>, tensor<i64>, tensor<1x33x7xf64>, tensor<3x1x33x7xf64>
    cond {
      %c_99 = stablehlo.constant dense<3> : tensor<i64>
      %302 = stablehlo.compare LT, %iterArg_96, %c_99, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %302 : tensor<i1>
    } do {
      %302 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_96) : (tensor<3xf64>, tensor<i64>) -> tensor<f64>
      %303:2 = func.call @closed_call(%iterArg_95, %iterArg_97, %302) : (tensor<1x33x7xf64>, tensor<1x33x7xf64>, tensor<f64>) -> (tensor<1x33x7xf64>, tensor<1x33x7xf64>)
      %304 = func.call @dynamic_update_index_in_dim(%iterArg_98, %303#1, %iterArg_96) : (tensor<3x1x33x7xf64>, tensor<1x33x7xf64>, tensor<i64>) -> tensor<3x1x33x7xf64>
      %c_99 = stablehlo.constant dense<1> : tensor<i64>
      %305 = stablehlo.add %iterArg_96, %c_99 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_95, %305, %303#0, %304 : tensor<3xf64>, tensor<1x33x7xf64>, tensor<i64>, tensor<1x33x7xf64>, tensor<3x1x33x7xf64>
    }
    %cst_23 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %85 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f64>) -> tensor<3x1x33x7xf64>
    %86 = stablehlo.multiply %84#4, %85 : tensor<3x1x33x7xf64>
    %87 = stablehlo.tanh %86 : tensor<3x1x33x7xf64>
    %88 = stablehlo.reshape %84#3 : (tensor<1x33x7xf64>) -> tensor<231xf64>
    %89 = stablehlo.slice %88 [228:231] : (tensor<231xf64>) -> tensor<3xf64>
    %90 = stablehlo.iota dim = 0 : tensor<3xf64>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %91 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f64>) -> tensor<3x3xf64>
    %c_25 = stablehlo.constant dense<0> : tensor<i64>
    %92:5 = stablehlo.while(%iterArg = %90, %iterArg_95 = %89, %iterArg_96 = %c_25, %iterArg_97 = %79, %iterArg_98 = %91) : tensor<3xf64>, tensor<3xf64>, tensor<i64>, tensor<3xf64>, tensor<3x3xf64>
    cond {
      %c_99 = stablehlo.constant dense<3> : tensor<i64>
      %302 = stablehlo.compare LT, %iterArg_96, %c_99, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %302 : tensor<i1>
    } do {
      %302 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_96) : (tensor<3xf64>, tensor<i64>) -> tensor<f64>
      %303:2 = func.call @closed_call_1(%iterArg_95, %iterArg_97, %302) : (tensor<3xf64>, tensor<3xf64>, tensor<f64>) -> (tensor<3xf64>, tensor<3xf64>)
      %304 = func.call @dynamic_update_index_in_dim_2(%iterArg_98, %303#1, %iterArg_96) : (tensor<3x3xf64>, tensor<3xf64>, tensor<i64>) -> tensor<3x3xf64>
      %c_99 = stablehlo.constant dense<1> : tensor<i64>
      %305 = stablehlo.add %iterArg_96, %c_99 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_95, %305, %303#0, %304 : tensor<3xf64>, tensor<3xf64>, tensor<i64>, tensor<3xf64>, tensor<3x3xf64>
    }
    %cst_26 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %93 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f64>) -> tensor<3x3xf64>
    %94 = stablehlo.multiply %92#4, %93 : tensor<3x3xf64>
    %95 = stablehlo.tanh %94 : tensor<3x3xf64>
    %96 = stablehlo.reshape %73 : (tensor<7x33x1xi32>) -> tensor<231xi32>
    %97 = stablehlo.slice %96 [0:1] : (tensor<231xi32>) -> tensor<1xi32>
    %98 = stablehlo.abs %97 : tensor<1xi32>
    %c_27 = stablehlo.constant dense<1> : tensor<i32>
    %99 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %100 = stablehlo.remainder %98, %99 : tensor<1xi32>
    %101 = call @_take(%84#3, %100) : (tensor<1x33x7xf64>, tensor<1xi32>) -> tensor<1x33x7xf64>
    %102 = stablehlo.reverse %101, dims = [1] : tensor<1x33x7xf64>
    %103 = "stablehlo.sort"(%102) <{dimension = 2 : i64, is_stable = true}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %302 = stablehlo.compare EQ, %arg3, %cst_95, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %303 = stablehlo.select %302, %cst_96, %arg3 : tensor<i1>, tensor<f64>
      %304 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_97 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %305 = stablehlo.select %304, %cst_97, %303 : tensor<i1>, tensor<f64>
      %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %306 = stablehlo.compare EQ, %arg4, %cst_98, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %307 = stablehlo.select %306, %cst_99, %arg4 : tensor<i1>, tensor<f64>
      %308 = stablehlo.compare NE, %arg4, %arg4, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_100 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %309 = stablehlo.select %308, %cst_100, %307 : tensor<i1>, tensor<f64>
      %310 = stablehlo.compare LT, %305, %309, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %310 : tensor<i1>
    }) : (tensor<1x33x7xf64>) -> tensor<1x33x7xf64>
    %104 = stablehlo.reshape %73 : (tensor<7x33x1xi32>) -> tensor<231xi32>
    %105 = stablehlo.slice %104 [0:1] : (tensor<231xi32>) -> tensor<1xi32>
    %106 = stablehlo.abs %105 : tensor<1xi32>
    %c_28 = stablehlo.constant dense<9> : tensor<i32>
    %107 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %108 = stablehlo.remainder %106, %107 : tensor<1xi32>
    %109 = stablehlo.slice %108 [0:1] : (tensor<1xi32>) -> tensor<1xi32>
    %110 = stablehlo.reshape %109 : (tensor<1xi32>) -> tensor<i32>
    %c_29 = stablehlo.constant dense<0> : tensor<i32>
    %111 = stablehlo.compare LT, %110, %c_29, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_30 = stablehlo.constant dense<3> : tensor<i32>
    %112 = stablehlo.add %110, %c_30 : tensor<i32>
    %113 = stablehlo.select %111, %112, %110 : tensor<i1>, tensor<i32>
    %114 = stablehlo.dynamic_slice %92#3, %113, sizes = [2] : (tensor<3xf64>, tensor<i32>) -> tensor<2xf64>
    %c_31 = stablehlo.constant dense<0> : tensor<i32>
    %115 = stablehlo.compare LT, %110, %c_31, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_32 = stablehlo.constant dense<3> : tensor<i32>
    %116 = stablehlo.add %110, %c_32 : tensor<i32>
    %117 = stablehlo.select %115, %116, %110 : tensor<i1>, tensor<i32>
    %118 = stablehlo.dynamic_update_slice %92#3, %57, %117 : (tensor<3xf64>, tensor<2xf64>, tensor<i32>) -> tensor<3xf64>
    %119 = call @argmax(%118) : (tensor<3xf64>) -> tensor<i64>
    %120 = stablehlo.convert %119 : (tensor<i64>) -> tensor<i32>
    %121 = stablehlo.transpose %103, dims = [1, 2, 0] : (tensor<1x33x7xf64>) -> tensor<33x7x1xf64>
    %122 = stablehlo.reshape %73 : (tensor<7x33x1xi32>) -> tensor<231xi32>
    %123 = stablehlo.slice %122 [0:3] : (tensor<231xi32>) -> tensor<3xi32>
    %124 = stablehlo.abs %123 : tensor<3xi32>
    %c_33 = stablehlo.constant dense<1> : tensor<i32>
    %125 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %126 = stablehlo.remainder %124, %125 : tensor<3xi32>
    %127 = stablehlo.reshape %101 : (tensor<1x33x7xf64>) -> tensor<231xf64>
    %128 = stablehlo.concatenate %127, %127, %127, dim = 0 : (tensor<231xf64>, tensor<231xf64>, tensor<231xf64>) -> tensor<693xf64>
    %129 = stablehlo.slice %128 [0:693] : (tensor<693xf64>) -> tensor<693xf64>
    %130 = stablehlo.reshape %129 : (tensor<693xf64>) -> tensor<3x33x7xf64>
    %c_34 = stablehlo.constant dense<0> : tensor<i32>
    %131 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %132 = stablehlo.compare LT, %126, %131, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_35 = stablehlo.constant dense<1> : tensor<i32>
    %133 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %134 = stablehlo.add %126, %133 : tensor<3xi32>
    %135 = stablehlo.select %132, %134, %126 : tensor<3xi1>, tensor<3xi32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %137 = "stablehlo.scatter"(%103, %136, %130) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %302 = stablehlo.maximum %arg3, %arg4 : tensor<f64>
      stablehlo.return %302 : tensor<f64>
    }) : (tensor<1x33x7xf64>, tensor<3x1xi32>, tensor<3x33x7xf64>) -> tensor<1x33x7xf64>
    %cst_36 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %138 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f64>) -> tensor<1x33x7xf64>
    %139 = stablehlo.multiply %137, %138 : tensor<1x33x7xf64>
    %140 = stablehlo.tanh %139 : tensor<1x33x7xf64>
    %141 = stablehlo.reshape %73 : (tensor<7x33x1xi32>) -> tensor<231xi32>
    %142 = stablehlo.slice %141 [0:3] : (tensor<231xi32>) -> tensor<3xi32>
    %143 = stablehlo.abs %142 : tensor<3xi32>
    %c_37 = stablehlo.constant dense<9> : tensor<i32>
    %144 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %145 = stablehlo.remainder %143, %144 : tensor<3xi32>
    %146 = stablehlo.slice %145 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    %147 = stablehlo.reshape %146 : (tensor<1xi32>) -> tensor<i32>
    %148 = stablehlo.slice %145 [1:2] : (tensor<3xi32>) -> tensor<1xi32>
    %149 = stablehlo.reshape %148 : (tensor<1xi32>) -> tensor<i32>
    %150 = stablehlo.slice %145 [2:3] : (tensor<3xi32>) -> tensor<1xi32>
    %151 = stablehlo.reshape %150 : (tensor<1xi32>) -> tensor<i32>
    %c_38 = stablehlo.constant dense<0> : tensor<i32>
    %152 = stablehlo.compare LT, %147, %c_38, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_39 = stablehlo.constant dense<1> : tensor<i32>
    %153 = stablehlo.add %147, %c_39 : tensor<i32>
    %154 = stablehlo.select %152, %153, %147 : tensor<i1>, tensor<i32>
    %c_40 = stablehlo.constant dense<0> : tensor<i32>
    %155 = stablehlo.compare LT, %149, %c_40, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_41 = stablehlo.constant dense<33> : tensor<i32>
    %156 = stablehlo.add %149, %c_41 : tensor<i32>
    %157 = stablehlo.select %155, %156, %149 : tensor<i1>, tensor<i32>
    %c_42 = stablehlo.constant dense<0> : tensor<i32>
    %158 = stablehlo.compare LT, %151, %c_42, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_43 = stablehlo.constant dense<7> : tensor<i32>
    %159 = stablehlo.add %151, %c_43 : tensor<i32>
    %160 = stablehlo.select %158, %159, %151 : tensor<i1>, tensor<i32>
    %161 = stablehlo.dynamic_slice %140, %154, %157, %160, sizes = [1, 27, 7] : (tensor<1x33x7xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x27x7xf64>
    %162 = stablehlo.reshape %103 : (tensor<1x33x7xf64>) -> tensor<231xf64>
    %163 = stablehlo.slice %162 [42:231] : (tensor<231xf64>) -> tensor<189xf64>
    %164 = stablehlo.reshape %163 : (tensor<189xf64>) -> tensor<1x27x7xf64>
    %c_44 = stablehlo.constant dense<0> : tensor<i32>
    %165 = stablehlo.compare LT, %151, %c_44, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_45 = stablehlo.constant dense<1> : tensor<i32>
    %166 = stablehlo.add %151, %c_45 : tensor<i32>
    %167 = stablehlo.select %165, %166, %151 : tensor<i1>, tensor<i32>
    %c_46 = stablehlo.constant dense<0> : tensor<i32>
    %168 = stablehlo.compare LT, %149, %c_46, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_47 = stablehlo.constant dense<33> : tensor<i32>
    %169 = stablehlo.add %149, %c_47 : tensor<i32>
    %170 = stablehlo.select %168, %169, %149 : tensor<i1>, tensor<i32>
    %c_48 = stablehlo.constant dense<0> : tensor<i32>
    %171 = stablehlo.compare LT, %147, %c_48, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_49 = stablehlo.constant dense<7> : tensor<i32>
    %172 = stablehlo.add %147, %c_49 : tensor<i32>
    %173 = stablehlo.select %171, %172, %147 : tensor<i1>, tensor<i32>
    %174 = stablehlo.dynamic_update_slice %140, %164, %167, %170, %173 : (tensor<1x33x7xf64>, tensor<1x27x7xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x33x7xf64>
    %175 = stablehlo.broadcast_in_dim %84#3, dims = [1, 2, 3] : (tensor<1x33x7xf64>) -> tensor<4x1x33x7xf64>
    %176 = stablehlo.reshape %161 : (tensor<1x27x7xf64>) -> tensor<189xf64>
    %177 = stablehlo.slice %176 [188:189] : (tensor<189xf64>) -> tensor<1xf64>
    %178 = stablehlo.reshape %177 : (tensor<1xf64>) -> tensor<1x1x1xf64>
    %179 = stablehlo.convolution(%121, %178) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<33x7x1xf64>, tensor<1x1x1xf64>) -> tensor<33x4x1xf64>
    %cst_50 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %180 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f64>) -> tensor<33x4x1xf64>
    %181 = stablehlo.multiply %179, %180 : tensor<33x4x1xf64>
    %182 = stablehlo.tanh %181 : tensor<33x4x1xf64>
    %183 = stablehlo.reshape %182 : (tensor<33x4x1xf64>) -> tensor<132xf64>
    %184 = stablehlo.slice %183 [129:132] : (tensor<132xf64>) -> tensor<3xf64>
    %185 = stablehlo.compare LT, %79, %184, FLOAT : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
    %186 = stablehlo.select %185, %77, %79 : tensor<3xi1>, tensor<3xf64>
    %187 = stablehlo.reshape %140 : (tensor<1x33x7xf64>) -> tensor<77x3xf64>
    %188 = stablehlo.concatenate %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %189 = stablehlo.concatenate %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %190 = stablehlo.concatenate %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %191 = stablehlo.concatenate %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %192 = stablehlo.concatenate %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %193 = stablehlo.concatenate %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %194 = stablehlo.concatenate %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %195 = stablehlo.concatenate %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %196 = stablehlo.concatenate %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %197 = stablehlo.concatenate %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %198 = stablehlo.concatenate %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %199 = stablehlo.concatenate %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %200 = stablehlo.concatenate %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %201 = stablehlo.concatenate %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %202 = stablehlo.concatenate %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %203 = stablehlo.concatenate %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, %114, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %204 = stablehlo.concatenate %114, %114, %114, %114, %114, %114, %114, %114, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<16xf64>
    %205 = stablehlo.concatenate %188, %189, %190, %191, %192, %193, %194, %195, %196, %197, %198, %199, %200, %201, %202, %203, dim = 0 : (tensor<32xf64>, tensor<32xf64>, tensor<32xf64>, tensor<32xf64>, tensor<32xf64>, tensor<32xf64>, tensor<32xf64>, tensor<32xf64>, tensor<32xf64>, tensor<32xf64>, tensor<32xf64>, tensor<32xf64>, tensor<32xf64>, tensor<32xf64>, tensor<32xf64>, tensor<32xf64>) -> tensor<512xf64>
    %206 = stablehlo.concatenate %204, dim = 0 : (tensor<16xf64>) -> tensor<16xf64>
    %207 = stablehlo.concatenate %205, %206, dim = 0 : (tensor<512xf64>, tensor<16xf64>) -> tensor<528xf64>
    %208 = stablehlo.slice %207 [0:528] : (tensor<528xf64>) -> tensor<528xf64>
    %209 = stablehlo.reshape %208 : (tensor<528xf64>) -> tensor<33x1x16xf64>
    %210 = stablehlo.dot_general %182, %209, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<33x4x1xf64>, tensor<33x1x16xf64>) -> tensor<33x4x16xf64>
    %cst_51 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %211 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f64>) -> tensor<33x4x16xf64>
    %212 = stablehlo.multiply %210, %211 : tensor<33x4x16xf64>
    %213 = stablehlo.tanh %212 : tensor<33x4x16xf64>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %214 = stablehlo.reduce(%1 init: %cst_52) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<7x33x4xf64>, tensor<f64>) -> tensor<f64>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %215 = stablehlo.add %cst_53, %214 : tensor<f64>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %216 = stablehlo.reduce(%12 init: %cst_54) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2xf64>, tensor<f64>) -> tensor<f64>
    %217 = stablehlo.add %215, %216 : tensor<f64>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %218 = stablehlo.reduce(%22 init: %cst_55) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x9xf64>, tensor<f64>) -> tensor<f64>
    %219 = stablehlo.add %217, %218 : tensor<f64>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %220 = stablehlo.reduce(%24 init: %cst_56) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<7x33x3xf64>, tensor<f64>) -> tensor<f64>
    %221 = stablehlo.add %219, %220 : tensor<f64>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %222 = stablehlo.reduce(%31 init: %cst_57) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x33xf64>, tensor<f64>) -> tensor<f64>
    %223 = stablehlo.add %221, %222 : tensor<f64>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %224 = stablehlo.reduce(%41 init: %cst_58) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<7x33x3xf64>, tensor<f64>) -> tensor<f64>
    %225 = stablehlo.add %223, %224 : tensor<f64>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %226 = stablehlo.reduce(%48 init: %cst_59) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<7x33x1xf64>, tensor<f64>) -> tensor<f64>
    %227 = stablehlo.add %225, %226 : tensor<f64>
    %228 = stablehlo.convert %53 : (tensor<2x9xi32>) -> tensor<2x9xf64>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %229 = stablehlo.reduce(%228 init: %cst_60) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x9xf64>, tensor<f64>) -> tensor<f64>
    %230 = stablehlo.add %227, %229 : tensor<f64>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %231 = stablehlo.reduce(%57 init: %cst_61) applies stablehlo.add across dimensions = [0] : (tensor<2xf64>, tensor<f64>) -> tensor<f64>
    %232 = stablehlo.add %230, %231 : tensor<f64>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %233 = stablehlo.reduce(%58 init: %cst_62) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<7x33x1xf64>, tensor<f64>) -> tensor<f64>
    %234 = stablehlo.add %232, %233 : tensor<f64>
    %235 = stablehlo.convert %61 : (tensor<4xi32>) -> tensor<4xf64>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %236 = stablehlo.reduce(%235 init: %cst_63) applies stablehlo.add across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
    %237 = stablehlo.add %234, %236 : tensor<f64>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %238 = stablehlo.reduce(%62 init: %cst_64) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<7x33x3xf64>, tensor<f64>) -> tensor<f64>
    %239 = stablehlo.add %237, %238 : tensor<f64>
    %240 = stablehlo.convert %67 : (tensor<7x33x3xi32>) -> tensor<7x33x3xf64>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %241 = stablehlo.reduce(%240 init: %cst_65) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<7x33x3xf64>, tensor<f64>) -> tensor<f64>
    %242 = stablehlo.add %239, %241 : tensor<f64>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %243 = stablehlo.reduce(%68 init: %cst_66) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x9x5xf64>, tensor<f64>) -> tensor<f64>
    %244 = stablehlo.add %242, %243 : tensor<f64>
    %245 = stablehlo.convert %73 : (tensor<7x33x1xi32>) -> tensor<7x33x1xf64>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %246 = stablehlo.reduce(%245 init: %cst_67) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<7x33x1xf64>, tensor<f64>) -> tensor<f64>
    %247 = stablehlo.add %244, %246 : tensor<f64>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %248 = stablehlo.reduce(%77 init: %cst_68) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %249 = stablehlo.add %247, %248 : tensor<f64>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %250 = stablehlo.reduce(%79 init: %cst_69) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %251 = stablehlo.add %249, %250 : tensor<f64>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %252 = stablehlo.reduce(%80 init: %cst_70) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x33x7xf64>, tensor<f64>) -> tensor<f64>
    %253 = stablehlo.add %251, %252 : tensor<f64>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %254 = stablehlo.reduce(%81 init: %cst_71) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x33x7xf64>, tensor<f64>) -> tensor<f64>
    %255 = stablehlo.add %253, %254 : tensor<f64>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %256 = stablehlo.reduce(%84#3 init: %cst_72) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x33x7xf64>, tensor<f64>) -> tensor<f64>
    %257 = stablehlo.add %255, %256 : tensor<f64>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %258 = stablehlo.reduce(%87 init: %cst_73) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<3x1x33x7xf64>, tensor<f64>) -> tensor<f64>
    %259 = stablehlo.add %257, %258 : tensor<f64>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %260 = stablehlo.reduce(%92#3 init: %cst_74) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %261 = stablehlo.add %259, %260 : tensor<f64>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %262 = stablehlo.reduce(%95 init: %cst_75) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x3xf64>, tensor<f64>) -> tensor<f64>
    %263 = stablehlo.add %261, %262 : tensor<f64>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %264 = stablehlo.reduce(%101 init: %cst_76) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x33x7xf64>, tensor<f64>) -> tensor<f64>
    %265 = stablehlo.add %263, %264 : tensor<f64>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %266 = stablehlo.reduce(%102 init: %cst_77) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x33x7xf64>, tensor<f64>) -> tensor<f64>
    %267 = stablehlo.add %265, %266 : tensor<f64>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %268 = stablehlo.reduce(%103 init: %cst_78) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x33x7xf64>, tensor<f64>) -> tensor<f64>
    %269 = stablehlo.add %267, %268 : tensor<f64>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %270 = stablehlo.reduce(%114 init: %cst_79) applies stablehlo.add across dimensions = [0] : (tensor<2xf64>, tensor<f64>) -> tensor<f64>
    %271 = stablehlo.add %269, %270 : tensor<f64>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %272 = stablehlo.reduce(%118 init: %cst_80) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %273 = stablehlo.add %271, %272 : tensor<f64>
    %274 = stablehlo.convert %120 : (tensor<i32>) -> tensor<f64>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %275 = stablehlo.reduce(%274 init: %cst_81) applies stablehlo.add across dimensions = [] : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %276 = stablehlo.add %273, %275 : tensor<f64>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %277 = stablehlo.reduce(%121 init: %cst_82) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<33x7x1xf64>, tensor<f64>) -> tensor<f64>
    %278 = stablehlo.add %276, %277 : tensor<f64>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %279 = stablehlo.reduce(%140 init: %cst_83) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x33x7xf64>, tensor<f64>) -> tensor<f64>
    %280 = stablehlo.add %278, %279 : tensor<f64>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %281 = stablehlo.reduce(%161 init: %cst_84) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x27x7xf64>, tensor<f64>) -> tensor<f64>
    %282 = stablehlo.add %280, %281 : tensor<f64>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %283 = stablehlo.reduce(%174 init: %cst_85) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x33x7xf64>, tensor<f64>) -> tensor<f64>
    %284 = stablehlo.add %282, %283 : tensor<f64>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %285 = stablehlo.reduce(%175 init: %cst_86) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<4x1x33x7xf64>, tensor<f64>) -> tensor<f64>
    %286 = stablehlo.add %284, %285 : tensor<f64>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %287 = stablehlo.reduce(%182 init: %cst_87) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<33x4x1xf64>, tensor<f64>) -> tensor<f64>
    %288 = stablehlo.add %286, %287 : tensor<f64>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %289 = stablehlo.reduce(%186 init: %cst_88) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %290 = stablehlo.add %288, %289 : tensor<f64>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %291 = stablehlo.reduce(%187 init: %cst_89) applies stablehlo.add across dimensions = [0, 1] : (tensor<77x3xf64>, tensor<f64>) -> tensor<f64>
    %292 = stablehlo.add %290, %291 : tensor<f64>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %293 = stablehlo.reduce(%213 init: %cst_90) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<33x4x16xf64>, tensor<f64>) -> tensor<f64>
    %294 = stablehlo.add %292, %293 : tensor<f64>
    %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %295 = stablehlo.reduce(%arg0 init: %cst_91) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x9xf64>, tensor<f64>) -> tensor<f64>
    %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %296 = stablehlo.add %cst_92, %295 : tensor<f64>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %297 = stablehlo.reduce(%arg1 init: %cst_93) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<7x33x4xf64>, tensor<f64>) -> tensor<f64>
    %298 = stablehlo.add %296, %297 : tensor<f64>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %299 = stablehlo.reduce(%arg2 init: %cst_94) applies stablehlo.add across dimensions = [0] : (tensor<33xf64>, tensor<f64>) -> tensor<f64>
    %300 = stablehlo.add %298, %299 : tensor<f64>
    %301 = stablehlo.add %294, %300 : tensor<f64>
    return %182, %186, %187, %213, %301 : tensor<33x4x1xf64>, tensor<3xf64>, tensor<77x3xf64>, tensor<33x4x16xf64>, tensor<f64>
  }
  func.func private @cumsum(%arg0: tensor<4xi32>) -> tensor<4xi32> {
    %0 = call @cumsum_0(%arg0) : (tensor<4xi32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
  func.func private @cumsum_0(%arg0: tensor<4xi32>) -> tensor<4xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 4>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3xf64>, %arg1: tensor<i64>) -> tensor<f64> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<3xf64>, tensor<i64>) -> tensor<1xf64>
    %1 = stablehlo.reshape %0 : (tensor<1xf64>) -> tensor<f64>
    return %1 : tensor<f64>
  }
  func.func private @closed_call(%arg0: tensor<1x33x7xf64>, %arg1: tensor<1x33x7xf64>, %arg2: tensor<f64>) -> (tensor<1x33x7xf64>, tensor<1x33x7xf64>) {
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<1x33x7xf64>
    %1 = stablehlo.multiply %arg1, %0 : tensor<1x33x7xf64>
    %2 = stablehlo.subtract %1, %arg0 : tensor<1x33x7xf64>
    %cst_0 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<1x33x7xf64>
    %4 = stablehlo.multiply %2, %3 : tensor<1x33x7xf64>
    %5 = stablehlo.tanh %4 : tensor<1x33x7xf64>
    %6 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<1x33x7xf64>
    %7 = stablehlo.add %arg1, %6 : tensor<1x33x7xf64>
    return %5, %7 : tensor<1x33x7xf64>, tensor<1x33x7xf64>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x1x33x7xf64>, %arg1: tensor<1x33x7xf64>, %arg2: tensor<i64>) -> tensor<3x1x33x7xf64> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<1x33x7xf64>) -> tensor<1x1x33x7xf64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<3x1x33x7xf64>, tensor<1x1x33x7xf64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<3x1x33x7xf64>
    return %1 : tensor<3x1x33x7xf64>
  }
  func.func private @closed_call_1(%arg0: tensor<3xf64>, %arg1: tensor<3xf64>, %arg2: tensor<f64>) -> (tensor<3xf64>, tensor<3xf64>) {
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %1 = stablehlo.multiply %arg1, %0 : tensor<3xf64>
    %2 = stablehlo.subtract %1, %arg0 : tensor<3xf64>
    %cst_0 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %4 = stablehlo.multiply %2, %3 : tensor<3xf64>
    %5 = stablehlo.tanh %4 : tensor<3xf64>
    %6 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %7 = stablehlo.add %arg1, %6 : tensor<3xf64>
    return %5, %7 : tensor<3xf64>, tensor<3xf64>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<3x3xf64>, %arg1: tensor<3xf64>, %arg2: tensor<i64>) -> tensor<3x3xf64> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf64>) -> tensor<1x3xf64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<3x3xf64>, tensor<1x3xf64>, tensor<i64>, tensor<i64>) -> tensor<3x3xf64>
    return %1 : tensor<3x3xf64>
  }
  func.func private @_take(%arg0: tensor<1x33x7xf64>, %arg1: tensor<1xi32>) -> tensor<1x33x7xf64> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<1xi32>) -> tensor<1x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 33, 7>}> : (tensor<1x33x7xf64>, tensor<1x1xi32>) -> tensor<1x33x7xf64>
    return %1 : tensor<1x33x7xf64>
  }
  func.func private @argmax(%arg0: tensor<3xf64>) -> tensor<i64> {
    %0 = stablehlo.iota dim = 0 : tensor<3xi64>
    %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<3xf64>, tensor<3xi64>, tensor<f64>, tensor<i64>) -> (tensor<f64>, tensor<i64>)
     reducer(%arg1: tensor<f64>, %arg3: tensor<f64>) (%arg2: tensor<i64>, %arg4: tensor<i64>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f64>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i64>
      stablehlo.return %9, %10 : tensor<f64>, tensor<i64>
    }
    return %1#1 : tensor<i64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x0444A514A53CFC3FD0E99A892003F43F72559925E7E6F0BF1A2B0F2BAFB6F0BF000FAED8DFC1BDBF106AE2EB0A5AC1BF60FEFE10DAE5FEBF988B1168FF17E6BFDEE6BD8A33DCF7BF809B25225906963F60E4EA856178BABF8A82C3F3911BF7BF168F2CD663F8F83FBC66BB50D8E8E4BF9C8DB772D78FE03F00416F88D20D9DBFA89BBD9DF145E33F20B578065732F2BF"> : tensor<2x9xf64>
    %a1 = stablehlo.constant dense<"0x38B56E380BE9F73F5ACAF7BF043BF5BF52463117C2B2FA3FBC4AAE4B0065E2BFB8B48D76ED00E33FFC68E2186DF3F8BFC46C1DA4AB61FCBF004D200E8594D13FD45FAD7C69EDFF3F68F5B7309EBBEABF0899FBD9AE3CDCBF3252783BEADDF3BF528D9B590C45F03F80A10741F519D33FF25542C80682F6BF44C1C128632CE03FD8D5BE922541DE3F40289E310378FCBF08C553B3E077F43F2EE16BF1C6D2F1BF00426A550FBDC0BF541C1FB8BB78E5BF5A983150F3B6F7BF68144BD94307F4BF2C9DB4C6FF90E83FE8370DB24C55D0BF78BF13D30C65E1BFACAD9866D58CE43F4406C7B0E24DE8BFE4A3E86E2E81F93FF033464461F7C53F48C4239409F1D13FE454F89FE0DAEABF0048B81796AA8DBFDCFD886E8EC7F3BF1CA105FF5615F2BFB8F0DEF3790CE7BF2673DB7E6E34FBBF0A3BD1963815FDBF68BBE32AA57AF6BF2007F433FC07B43FCA3078810521F1BFD4C831830EF6F63F784CA35F0728EA3FCE4F69102BC2FC3FE868CD4665ABF7BFA4FE041F7480F4BF161132AA09D0F33FB0D802A9D44FE9BFCCEEDF31B979EF3F5A7B93A1C334F73FA059F6C9F3EDDE3FC4A1C957645CFABFD4D7F047AE4BF83FA86D1435B2F3D1BFB019BA90E668F9BF80BEE4026C44D5BF5414D3209380FCBFD4004EE6824AFC3F00E362BE181E9EBFD6554BA6E19BFBBF5A604EFE474BFB3FAEE267B4E049FABF6012294329E0E0BF04902BB156E9EBBFFCFD72D7B824EB3FE86D1FE2723DE0BF6400B45E5EF6E83FC4508DF76E3FE0BF70E35E80EA65C63F4015BCC0F244C2BF7AAF73B9DAACF0BF5C747AE748F1E33F0C2B35B219E0E23F8812795B025ED83F442B5C03A948E23F4082AD6B28F5A5BF2805B7288FC2E03FC0984E79532EC4BF52735D1DFC30F5BF60FEFCC00DC0C43F9C8BF0161C1EF8BF76FF5F75AC68F6BF1042C20E4226FCBF0860412FD6E7DF3FF8CB08815AC9D83F408AA28E98A5DEBFF0311DFA72FFE4BF9EA8109974C9F23F38336550952EDBBF9ECC0F922382FFBF904F4847D941F73F18891011425ADA3F0AC474D0513BF83F5A613980D88FF7BF008D8B999B19F23F169595BB6C23FBBF0CE7D340F776F2BFC0F5943D38CDFFBF305F76EEAF5DFD3FCE9C6DD90CCFFFBFAE475CB5E007FA3F480BAEBEF67FFCBF88FD3D0EC955E8BF448C39E221F8FF3F3069041B02DCDEBF628037EBBE54F3BF82F8E3810C7AF03F841B3D5BD18FE6BF68216E0FB44DD23FC8CBEBAF6B08E5BFFA3CDFC53567F43F8037F4A8BBA7A4BF348C887192F6FE3F00D62956155089BF2074604971C1E0BFAA4F446E28E9FE3F14262108DAE8E23F540CB42CA037F9BF466136A21782F7BF58773D5FF993FFBFFCCA3287EC97F03F5C9C2D647C97F93F2CF567B63A8AE23F782C3E22F3E3FA3F3855D925A85BEBBF20ADDE9547AAE9BFF0FBA5E3EFB7F5BFFE8CE7425FA7FF3F2A2300075D70F6BF248F6C1D67ABF13FECFE60E466EFF3BF4858A491C8EED2BFB4A2BA190D63FC3F982414E24E0EE6BF40B59C9649B6D63FC8945337E75FD0BF6E88FB280B33FDBF08C31AD9F45AE43FB82C0F0BFB9DD43FC0158B9932FFA2BF807D84307340903FC03970762724F93F2C0022D66E22EF3F823E4DE354D1FBBF86F3EBF6FBE2F1BF6CC94B53FCE0EEBFBC6D2CD6A3D7F5BFC06A11EDDF15C9BFD055C3CA500ECFBF18E834B6BBA8DDBFE6F130F877E3F73F68D593D8BAECD6BFD078285DA3BBF6BF508FD9E7F5A8DF3F54CC7044B773F0BF28E4D61BB971E43FF499DFC7BB9FF2BF5CEB474D8968FCBF88DF5374FB07E0BF60D7F17A7250FF3F50EBA1F64F6DE43F08764C42EB1ADD3FF69E9AC8BF9FFC3FD09DF6FDCC75E83F187825F9FCD0DEBF18149FC21197D43FE63C2390A434F73F0459BD80363EFBBFB412DF5EDB7DF1BFA089140EA88FB5BF6A2FCDE6DC54F9BF940DDC413E21EDBFB4022DE45796F03F00AA7F6ED3F790BF2C1333F49C4BEE3FA8C243FC99D8F93F38A5E3DAEFF6D73F66CA83ECB262FE3FD87EC9B1FC0FD1BFA01DED6EBFF0CEBFB8FC89DAC228E03FA836551A25C7EA3F9628A22AB235FDBF00AE37829327C13F08A529FA00D6DA3FD06B3F56B861DABFD09EADB308D6FFBF885C55423979D9BF1C979470BDF3F4BF28AA5A142CECFD3F728A2D802DF2FBBFF0599564DCD9FDBFF49348CB8279ED3F4877403B7F9AD8BF789B29AE6577D43FE8FC59338376D8BF402F012C7597A53F50B1DDD52D81C3BFF8309D835E16D8BFEAC83DBCF35CFEBF98D88726F03AEF3F72F0D17482C7F33F20A66B201477F83FE869DF362686E2BF004167492964A13FD284C1FE45F1F63F00DF298E5265D3BF1C286514EDB4EB3FD65369A53CC4FE3FE8F458972ABDF5BF9845E1D0DBA0F03F70D6D4E5D82BE6BF0C9D29F9F0D3E4BFBCCC98AF1BA3FEBF58F9058118BBF4BF78DEBD3FDB02D33FFCC7799BA8C0FB3F660B8E3D209FF9BF40A04A268BB0A63F9E839D694177FFBF7A5DF496945EFE3FB0E2F9A1BD7DFA3F5AC7448FA568FDBF4CB89A180FF1F8BF785C2F4D9A12EF3F9A606F08670DF33F2062A36A1A94E5BFC823F117D139E93F104BDBD9D9E1C83FAE8E68D77710FA3F7439808732C1E9BFD8FA1FA6829CEBBF00E0C939C218ADBFECEE4707A73AF8BF0026115104B08D3F9493352204A1F2BF78048CE96952DE3F76A7A2710E68F43F5C58E59606A7E5BFF46BCD3C554BFE3F68A4927B133AD53F1881D03AAAE3E93FACF357115852E63F2A94FA87F481FD3FEE217245DD41F8BFD64D66CF084CF33FB8F49671B99FF63F80803BB71A0B9BBFE65D5F14002FFA3FF6606B51C779F83F001DCCD2D8C7D0BF6048BE2E9576E8BFA8FB6E3D8B19E13F2CE86C7A59A2FD3F5AE5125114D3F7BF48C16037630CFA3F605DC9AD56FDECBF28D1318A90D4FBBFFAF30DA1CE27FE3F78FC35F4C494E3BF1EF393FA2809FDBFE2A53D3D88FFF5BF805B32151DF5B2BFEAF4185DE42EFB3F80E0533405B9C53F84460C883810E83F9C80B95978A3E6BF4A13C0C1A3A5FB3F3A475D35B54EF23F60C9B8D19943CE3F762BE72B8E12FFBF7CF90E7566ADF6BF4E9163B03F3BF63FF0F398053D7DD7BFD0865CE0C827C53F2E5C9D0F6133FE3F2423C7BA68F9FC3F9035AC5A4453F0BF484317AE2160E83F601BB797AC09C23F0063EDED4093CEBFC8D8531279E3F53F1A41A790DF46F33F2A7709C0F142F63FC2B1E026D6B9F1BFB04D59B4FFBBDEBF7C2512298DC2E73F242D0D8F063BE13F701088846A70C2BF96FD5BB73178F63F40866D43A0A9A53F78CB0783048EE73FE4C1DCE75810E9BF701A7D49E274C8BF9E8FAC5989C5FD3FDCFACCE17CF1E23F2CBB7DB7B158EABFE2989761DEB3F23F4E9BEE3088A2F0BFE897ECFC2E87EB3FA42C59D04A58F53F20668113B16FCFBF4299EE204FDCF9BFEA46B899B4CAF13F00FD4EA27CC4E83F084056F357D5D2BF22C6CB05BDAFF23F7622671C5FBAF73FA8820C82AC1ED2BFC67783255716F2BF5EC0269D4E3FFB3FFCBB274265FBE43F0C9F92BDD6D1EEBFCC2C09E77AFFED3F14FFAAB5BFD0EBBFA8E2F8ACEA60E5BFB0E819DFEEA8D6BF0E7EC0BD4FFAF8BFF23286DC385AF1BF9CF5E5E86606E7BF2827EE0A2052DEBFE20FC704864AFF3F0662C00DEE63FD3F843D4E61094FE93F540B580CE1A2FEBF00733398F45DE73F4C9143A6EB25EB3F90293A99EA96F7BF8072B3CE40F3E93FE684CA261213F13F98F006CE6B7CD23F0E73679FDA74FCBF76658A9D9D5CFCBF98C95DC9DD87DBBF3A0A65F3EB1EFCBF5C7C206B5534F0BFC846E9218E85E33F842213DEFDA1FB3FB036868DCDB3C6BF943EC89D52FBE13F4A9C7AF0165AFEBF40F5C7C93572D8BF50F005F1FAB6C93F306E823AFC32C43F9CE76E019DACEA3F5805C149BF78ED3F3C05C8EB0262E23FD48E7808BB98F03F1AB189C5D83AF9BFCE6C3BB7B351FABFF0F0F67BDB88D5BFC0A1DA35A517F1BFE091E5E7ED0FC3BF508A328631BBFD3F24FB3284CDD4FE3FBC12B65CDB95EABF306C0F6A41E2D7BFE83E465CF9A7E33F789206930119F0BF60BAB8D0B51DECBF488C6B8241CFEF3FDC7D42C5C016F8BF6CAEAF16C236F4BFC806DFC932C1EF3FFCC2FB8DD6A2E93F405229978161E93F68DADA901A65DC3FE433AAD7C721E73F609A28EFB83FBCBFC29FE0011E83FC3FD48F6AA96F21F53F3009B419E285E1BF906C0A268378D2BF142AE5E2CC20EDBF06793B2ADFBCF1BF40BD863ED0FEABBF289A183D9F13D83FD0EFC5392DB6F63F30D866860299E53F98E9FEA6E269FCBF56440B061C1AF63F20415E290551FEBFBC5DC1CDCACAF93FB8EE065E2005EB3F40D4D0FA850DA3BF24835A003019E5BFA4E5B4E6AC3CE03F803CAC390B8CA2BFC41F2A37195AF5BF34EC7F150857EC3FEAE29A65C84AFE3F1EB448CB7986FD3FA27E1C6668BCF1BF3CCB939A48C8F5BF00E0540ECD4FC93F72A69F59B83DF53F78598F4CD1A4F53F4CA2C054D39AE63F00A5D6063163E1BF801E614DA9B1FD3F806FD83E716EABBF26324A7858A9F7BF8C0CA85374D9E83FB8BD34ED03C0D33FA86792E80AC4E4BFA811F7D2A9FBDB3FB86FE1B8132FD73F10414AC8AA2EFA3FDC09FA27A08FF5BF665F55A31F93F33FF029833EB0DFC03F4CB546E18CE3ECBF30F12F60E3FFCEBF10739F9195A9D0BF3070832D1A66E1BF00FB93FE5761F4BF6CA75E2383E4FB3F04F69C2C8EAAE2BF6053DF314F22E2BFA8AF22EC010AF13F20BFDDD0018FB93F380FDC70AFADE6BF3C21CE428FA2FABF14F936079D29F5BF3CDBE211E8D3E03FA054AC87D352D1BFF8AB52153A3ADA3FFA23096BBB5EF1BF18201AC079ACFE3F209A2CC49788F93F1C9CC659746AFCBF74F5DC419102E1BF64EC4D424B9BFABF18F1C9DC844DD13F202C17CD20DACB3FD80DBCCBDF8CFE3F88DF61B57727D53FE87A44914F76D2BFEE9A9CABDDCBFF3F4C91FEA7A31EEBBFC0533CA1DA14DCBF98A6E64E8EE9F2BFAE396F0708D4F2BF70B4251D423DCC3F4873CCB06B68EC3FE0976AAFB716E7BF28DC263BAA89E9BF2483E381DA30F63F2EF2D040C4DCF23F0E3BE3CDB94CFA3F8CFEE07B989FFBBFA0E63902BFC8BFBF165ABF15FCA2F93F2AE28777ECB6FB3F80133C835834E9BFE0A48747A494ED3FACD8856EE9A9EE3F9C5EA2616412E73FAEACBF1BC0D1FDBF6CEE2816FD55F0BF80CF94EDA9C8D3BFC8FFC2B15F43F3BFEE314A0D77D8F1BF8A5679F8518FF6BF944D21233D9EE5BF2002FC16C759E83F203516259EDDC8BFE4E73FD303C6E33F060D3B871D61FD3F60C92FF2C0CFC0BF3EB5D4ABD694FC3FD6E109182828FFBF3C1D6976DF65F73F70060B948EF8EB3FA8BF65C899A1F8BFAC5F3479783BF43FEE87854A5824F3BF009426605504823F302865501611DE3FA42A3A211A37F6BF80CD63D6947DFFBFEE5798CAD889F63F3CE1323A8D58F5BF6E11ADC9A7D1F0BF00BA41DFD0968B3F9C62928BDEBDF23FE88EFB9AF250FF3F60349EA97ED2C83F2C0FA9E41DC5E6BF701F4500753CDC3FF033F727F7F5F2BFB86AE122A3E3FCBF0C68D693E30FE73F90D0C630A923F4BF2EF4A705942CFE3F54597969E9E9EA3FA0ABCE9AE91BD73F40CFD1F7BECCFF3F40620C2A16D3AD3FE84B4BC1C67BE2BF00776558948D823F90A4A2BC3837E1BF50517ED2AF06E93FA48994902B5EEF3F0464465DA794EBBF66DEA9D0A4F8FCBFE898E6B2F48FDA3F009A89FEDF87B3BF167666BB613EF4BF68DB73157877E8BF389B01088902FDBF780E8FCC112BF53F06E88F519426F43FD4772163E671E73F2A71DC4B025DFA3FE0E37806DBA8F43F00CA4A8CC11E983F7EE762BD6F7CFDBF7A56D503766BF1BF6C4629773F61E6BFAC2FB8A73AADF4BF06200ED98749F03F080BC076EE59D3BF003C910F44E1AB3F080B116BA0EFF23F26D2688772CDF13F261689704C9AF8BF2EF750ADBD8DFE3FE8AC333CED66D93FA2975564B91EFDBFCE5E54799272F8BFC8CFD5864F41EBBF36224D4BAF92F2BFD809CDD6DBD4E83F307F7BF0B9EFCC3F2604783A2B43F73F30CF6BF4AC7ED33F16C0266857D2FFBF30E6448E0CA0C13F209F07EAD486DD3FAAE6AB1E98F0FABF663932093754F13FB47D082B12E0E33F00EA4ED730EDF5BF4414CB893333E43FD2D51E485197F73F00AC08141EB5BB3F800FCA48BB72E93F14D40AF6A958E03FE671E95B6212F53F4C0C682E4DD8F5BF2847F967C4F0F33FE8E5EE3E81BAE43FE0BF8F05FB24BABFFC8F6B734E8DECBFB0B630420649D7BFA6D920A61381F93F80943631F63DB0BF8AA109F1AA4AFFBFE680BBEB0CEBF93F00FB5F8986CD94BF8CF7B7BED402E13F60AF8DC949D8D6BFC6DD61AFA933FF3FE06FECDF3787C63FE85FE3ED3B15E93F6C89E99BA6B8E13F9C78872C5FEFEC3F160C2F69EB1EF7BFB254B698A8BDF6BFA4AFF0F5DF9DE4BFA07BB3FBF547FBBFE89B295B5039F13F60B13767F62DCC3FB26D5D21CDEEFFBF20E291CA2AB0D33F843039ABB753E9BFA469D2FCE5AFF8BF00CDB8FEA41FE13F60D15891FD85ECBF08EFFD7E9B9DFF3F10C4D6879300CCBF7492148CFC90ECBFA8A54B9EF8A6DC3F24FF4A8A8923F6BF2843507B0F32D5BF607B1F4E1160E53F08276DCCD0CAFA3FF03C18374FC9EF3FA8A1CB70D476F63FAC9C5D05C1C6EEBFE86CA98F4707DB3F041E37443331EFBF8805A30869C1EABFD47D1F7569C9EFBFCCF2A74BBA43FCBF64AFDF411D7EF13FF83429BC114DD03FF6E6C782C068F53F54C133400FA4FD3F706111502459DABF1ED244809B1CF1BF703950E7061AD5BF68DD15BFD72AE73F2679704360E9FFBF70BD68014AEDE53F68D2D78899FBFF3F4AA6B4548BE3F1BF0081E7FB8A4DAE3FA8B2EF66464AD53F5A7E7DADE0F9F2BF74B0EFA2E48AE7BF26709EBFB5BEF0BFA89FEED1537AD63FB02019B071F2E9BFF469DCB9C268E9BF76172CB36B29FC3F44F52D33FE67F13F00C802C39235EABFC00960C46D3EC8BF0086C5465498E9BFA05643789122FB3FFEC0F06D99B3F73FE0ED35F49AFBB33F50230E9CC219D53F34700C18BCD5E93F0850479C68B4E33F68B0D19F6A33FE3FAC24E9403BE0EA3FC8FC20D8E5B1F43F3CF341EDDEB5F13FFA86370AA257FDBFE8A978D2601FD4BF8477BE49A62CF7BF40BF54D63F14F4BF56D28035B304FF3F743DCED9DE34E43F8013FC99C9B2983FC4A6E9201E1AF93F1CE82285EB35FEBFBC8109727443E5BF3ACD01FDA47AF03FBADB02D65695F2BF56489CA4363DF73F3E8460A1696CFD3FDA047176594CFABFF07BA38C7DA2DFBFF8622E2AAC04DF3F80718407D6E7F13F32DEF697D9FFF33F5201F3B16B6BF13FFC0EC14B1135F9BFB8BE1E8C68EFE5BF64B2B76F5FAFEA3F6CC635215B78E4BF0C9FCFB3CD47F1BFD8A73AEE4BABEF3F2038CAA12620C8BF9C3B4C30FF0FE3BFA88B59FD64B4F83FE2D6E6636F88FF3FA0C721B31505CC3F542B9546785CFBBF5C5BFAFB0CF6F0BF70C0DD6C8FE1EABF5689FB3B568DF3BF9A9A24B4D929F5BF74B31D09C157EB3F44D419342262E4BF4042841846B8AA3F7E3EB93EC83EF9BF1873A90E67BFED3F001A264841DDA93F00A4DCBA37C38BBF18B8E80EC736EBBF98B7880D3810D7BF000A118FF62CF0BF00E00AB00796C03F64683FB35445F23F90D821EE29F2CCBF665786202C7DFA3F4A3C894F236EF7BF822CBAA08B1AFABFB4B047F7271CE53F38CA0D322780D53F508C8F045FB9E53F2845F0EE41ECDD3FC2CC8AC347A4F4BF9C08D645DD48ECBF0C97EF818B32F63FD69752604D68F53F7AE6847D81DEFB3FC0053306AB15AEBF6EDBA4770898FA3FE02988D41CC8BC3FCEC7A14E8179F1BFB47D4F05CE73E4BF90A2CCBB54CDC8BF9A59B9C5593AFD3FD48E24F03F77ECBF6CFEE417C51BE6BF045F2C5069F8F43F1A57DD188B06FB3FBCD8BFF9E015FD3FDE182A8B43A2FB3FD85258753B67E9BFD0F3192A14E5DFBFF00CE24B7A23DA3FD86AE2AEFC46E33FF06C7490D916EE3F40963021322AED3F100F2EAD8454F23FB09374386897C93FCCC2844F8065FD3FB4CAC9F18A32E73F7A7E8E8CB6D4FABFD0E0A968326ACDBF345554110185F13FF0E033FD6DC0ECBF9237C9A2DF68F83F78AC2B52D256DC3F407F57172FF5E23FB4F505219732EDBF56474BCD6CACFEBF709601757FCBFBBF9CDA67B03AD1ED3F7C5346EA3F32E03F609DAFFCAEDFE43FF4A72D9D2DFEE93F28D61A80E173E8BF80684ED4B502BFBF04EDC70FC0ECE2BFFAD421E55D44F33FEC26AB622D28FDBF489B4CA42FB3FFBF98C11C54D709EEBFA0144CA9BC2DCABFF41605295EBDF0BF1EE9F6FB4329FBBF94A93FE0C5DBEE3F2067242D5B2FF7BFB49F4C281896EBBF8223EB725A6AF5BF48514B1C5753DB3F9C16FBD9F099FC3FFAC999FE1FA9F6BF74893077F2A8EE3FFE6AD055C40CFFBF38A694533D20EDBF0EFB9FA8C1B9FE3FCC46CC02D146F33F30041EBE9846F03F145E10860CDEF3BFA2BD1E5E5DFBF6BF86C8DE55232EFE3F72FA411FFC86FFBF10586164C96EFC3FB8BEAD5A2EACEF3F405652EADB29E13FA05AB2D21492D63FB2BE6D2D24CDF93F387B989D9024D63FF4A867E61FE6F7BFDA32C44672C0F8BF807A2B972696FFBF68BD149128DFE53FC89AA34F4615E4BF202DCDFC7189CFBF5084F3CB6390CA3F4886168ABB5AFE3F42F71FB52EC3FEBFBC219B8D4608EABF66F75A9C0872F4BF089A4FEC0130E2BF304447424569E3BFE0AFC4840105E2BFCC3E86F9455DE9BF4C01674E3D24FABF04952F5692CAECBF7C01C78CA356E83F60C5A8709104B3BFD87BF63D6B00E13F24CF00658C6CFB3FE6AE60B0D236F73F5247F0E6B179F03F70968753F8D8FCBF90975366BF59D93F48530E5AE373DF3F50C86DA73559C8BF8CC5507DE1EEF83F380B9F08977BD2BF2425DE4B41D6E23F042A6C9C4843F73FD46AC5258FFFE2BF0CF80E8A3B14F6BF7AE73190C6F8F63F2C9BC0488A5DF6BFA437547016A7FCBFE816F6297B07F53F50DA8A0CC3C4DABF262AC15DDDFCFE3F28289CB4A4CADF3FA019BE7061B8B93F54A22A63A59EE63FF0710E4D75BEEDBF8CD238305776F2BF007B39FE38CCA63F0CBFE94480F1F2BF74311DE53BE5E13F2090873A7714F23F4C0480910256FDBF165C579A00FBF6BF8246A9BA3FFBF3BF08F40B65A44FD8BF70DEC6D696B9C53FE621B1A4714CF7BFE8F0C058FA55DFBFC048E32785FDE7BFB0F5AEEFAFDDE23F00F68DF374CAF6BF40BE33AE315CB3BFD8694D921C16FCBF887ACB40BDF7D53F5E53BAC2E331F7BF20175D577372E4BF7C8D8012AE8CECBF20081E7B7EACFFBF8242B86F2540F2BFB8FB88136505EDBF62F0DB117A5CF43F88ABF137A65AEB3F6E503B775D00F2BF1CE20EEDDC83ED3FD8C4CC593164FF3F08C68FBF71A0FABF98CB2E2BF07FEBBF20196F69AA2FB6BF426E5361FF97F9BF0044E1D7D124DB3F9C632BA41548FFBFBA6E70411CE4F4BF5A7A04865886F33F34FB98C39D0AF5BF1CE3B0F28F62E9BF80D779B612B3B33F44F0AB1042B6E7BFFEE82773631EF03F989127007102FC3FC8A916D1DE16F8BF0066AA220A9EB2BF880BF4F7B4F3E93F18E714768884FCBFA0B273CCB404EDBF2AAEDB24396AF1BFE861F942A132EB3F9CFF3C35CEFFF73F88FFB4CD10FDE43F74E5A5C5F5B2F13F80792DF40E28E4BFC0E1C675D089BE3F6E5B0D6240B6F4BF2071B6512D62F43FE0046B7A3B3CD83F28E65C966A2DFABFBE4CDA0E9A92F6BF48D223B41245EF3FE8D54084AB6EE43F58ECAC6BAAFADABF3C3C3297F504F43F6012950212FAB3BF906D6C938A8BC13F6830868CD6F4F13F7C2A587D8A63EDBF2475CDE3A5A5EC3F540B14A1E8A9E9BF8AF8F9A15799F03F5CB1F6902B5FE7BF00AAAE2655D192BF9A222D2E3F09FC3FEC51DBD50043F23FA89AF35B573EF1BFB84BDD94D129D0BF404AE6580FC2DA3FF8C76582D144D2BF3C5C29991515E8BF60F5A7A17D40EB3FE8C84FF1FB26E7BFF25A8C2A4BFAFB3FE0B737A5299AB9BFA40A02A6BEC0FBBF14692B6FDE08E43F4076B42E22FEC9BFF829F22A7992DD3FFE43A06296E1F0BF04D8A542F7E9E93F2A6D9DF82424F4BF3842F5BF72AEEB3FA079F50ADE37D43F9E53E22C8219F0BF80521C74AE82F7BFA4FFED7CE222E1BF7AA424848895F0BFF4CD45CE1404ECBF700C0C6A2F8DF93F64A9D4AD4AB6E1BF6CB5EC63AD7DEBBFF262EB91EFFAF93FC86AC61B58DEF83F82771DA05D67FF3F864EEA273C82FFBFB2D9C9623B64FCBFAAE2CA3322AEF1BF28E46217A1CEF5BFB8C40E8512A1DD3FBA0EC38EAB8EF13FA0E51D4FD6C0EFBF9C518F0D4496F7BFE62A3823740EF23F9010DD912C3BCEBF785E78E350D6E8BF540CF0352C5AE8BF0044A6EF1A2AA7BF88E94D2FD4A1EABF"> : tensor<7x33x4xf64>
    %a2 = stablehlo.constant dense<"0x8ECB6205854BF33F004D929A758E863FFCC8A31C7B04F0BF94608A3B36A8E5BFC6F7985E03FDF9BF54F6541B5D33F1BFC4AC8C460F70F83F709BF7FD5C1AF63F105069985F51F9BF2CA81D4544E0FD3FC89F3F4E8192D43FCC2BA065D3CBFC3F8477FF08911DEB3FC2607EEAF039F4BF74A2B8ED8418E1BF70B522545930EBBFD014BDDCA40AC4BFB0015E15D74FCF3F004525E53DF8A3BFE671B966C162F33FD05A778E4B60F43FD012C3015722C63F74C802005344EABF7C2EE6DF5CFEF23F62E33C05D728F83F0E78250D246DFBBFF4B7AA6C5868EEBF00D3B79FBC20FEBF60954A7581CBB13FE8F1640D6F2AF63F94E0926CDF7DF4BF8073567EF29EECBF86EDD54ABA96FEBF"> : tensor<33xf64>
    %e0 = stablehlo.constant dense<"0x2500D8BB164A53BFA1B67D22B39D693FFFEE5D8D0390913F06E36C3CF98F973FE54CA78BD87F98BF3D9E654DFFE3803F02E43A2EDF71953FEE5222031396983F1C6251E8327B88BF3D528E495FC0873F51E2B477BDAE923FEF13AE622BC4963FF58F9CC3AB6598BF6691E8E680B573BFD675C7AF53EF823F2D24879F0C9E933F96A912DD74A398BFF7D7264451EE29BFB576C257151F653F5DE5F5A9D88C7C3F6BF291CAE38E98BF494E14691CA085BF4467E82D01D38D3FC31CAADE23869A3FCD3C6BA9FDF698BFBF4F1256072D743F24FA88EBD69A813F5AA570AB345D993F82002A78A6258BBF7AC56F49B75379BF91F6FA6A3360943F5BB69B7EF98C973FF511F2BC99868BBF6249CD72F18B21BF7989DD3E6D54843FFD014AA7B09F973FF6394A9736D18BBF1216D46474C76A3F64D95523F2E47B3F82A52B62C5E0963F7C4FE21C74F3633FCA4BC0C8EEAA8A3F40F011771533943FB66C90259E6C993FB49AC22B2FCA92BFCD00BF2CD0818DBFEC3BAAB0BEEF8E3FD85DFA9CA114933FEA77E3E1639099BFA1E39018901897BFBE40B3C4821B7D3F840C49D106BC8C3FBEEE5B4EDE5485BFDB1CE351E69D60BF3BF2FE27C252903FAE59F9E78B98983FB4D0391F4AF396BFB7449A93E625663F179762614727843F5821EE37310A973FF2662EF1DC9791BFCD2D76E7628082BFF0DB0881189B8F3FEA5A65FC25F5963FE94A2E2CABFF97BF6956EB853A3A8ABFDF6455B66344883FCDF2776A5476983F137F8D10968C6FBF7A0A8A4F8548353F9C8675EAC9E38D3F73EE75D8D1F3963F0FA5C6CFEE5F87BFAA7C3BDC1E78883FD443F3022D1D903FBA0C49B10DE1973FD801F51F867594BFAAA943FD1F61423FC43F1F5A2C13733F031DB002373C963FACFEDBB90A8892BF72C93D9A8F1976BFC54FFAB1ABB9853F3AF428728839943FC15C164B7D5195BFA9DA903DCB4F663F1748C2CD32A67F3F25AE0B97FF71943F904786A2550396BFC3A96B9F1A4C74BFED6C045BE5628C3F8E0D64611472993FF8632EBA359398BF7C427F871AF688BF7D2C0580AAA2863FD5400584FE1B953F0801F265AB1890BFD0368E321CD2703F13AC3FD3F6538D3FD1DDF15153F9973FC42525D34ACF92BFC6F989FE2EE2843F7A5B9C13304C8F3F1757957F4FB5913FCB363AE349B598BF61F7830A625F8ABF12CCFAB17C647B3F710C4401E075803FB65FA59AD6AD95BFB230304C519766BFF2039C065BCD7A3FB3AA2FB8BC238D3F328E10641FAF96BF5558E99C6B718B3F30CC17DA26FC943FAAE2B23EF1FA973F1713E1305EC996BF4AE93AA4A75582BF6C11D89FF480783F931CA74490CB943FB29C7999C0AD91BF6FE3463AB5DE89BF95CE89FC270375BF6B652EC97F749A3FB40C5DC56DB893BFE7006231E13C7ABF1C8459F3BFD6693FDDCA5366985B873FC8387E2875DD87BFB25E78DF6FD07FBF442FCB6BDCF08F3FFD3D18EA1EDB973F"> : tensor<33x4x1xf64>
    %e1 = stablehlo.constant dense<"0x7B61063CEBABE0BF20B578065732F2BF66925FF87849D9BF"> : tensor<3xf64>
    %e2 = stablehlo.constant dense<"0xEA0308F8394CC33FD06750A59F46BE3F4F11C9566C63983F6DFCA4101161B03F6E2AB9FD8DA1C03F6A7B1D823D7CC63F72278160D336C63FEE63A88B0CEE87BFF0DD63FCB799983FC6A266293810B03FEADEB17D1A29B13F133275EB9440C43F75C57FF90213C73FB0269E23B428C73F6275B522CB3FB7BF5FF1117D82E0C83FC5CD7F85498FB63F8CE28807276DB83FC7405FB7C4ADC13FD816BAC218F0C33F97A0D65D4F7AC53F74D704781476A5BF21D8A2E8D568C4BF2F8579ADDC3DB63F57108A00FFA5C33F876BFC076400B23F1CCBAEC12275C03FD687CDFD298DC23FEDC1B95D9E99C63F2528E5DE2ED3C33F926F0B854F92BC3F01BB488769E26C3F47AD7C133A0BBA3F82009CD9EA009E3F5EF97F422241C53FF8EF1BC44378C4BF4A07CCE655A4BB3F9EE2646C618295BF65FDD95E6D80A93F4E4132E64649BC3FF426B4A19129C33FF1B2B5DBAEF0C83F349E71918C55B8BF9AFABCB6CD1A9B3FCDB247E0FB0FAA3F74D483AA0140AB3F2343A9F7A0BDB03F8C22DCB561CDC03F04BA52E108E0C73FA9C99695B34FC03FBB2D16A27A37B83F7B2915F179C4C03FEE6CE60E6F0C863FD1A0FCB21442C33F7A86BAE047BBC43F4E7442ED0D34C63F569982D25F25B23FF731CA472098C63FE55E0D423003A03F6E23E629DE34C63FF5B133BDA952B33F4DDCD6ECBAD1BB3FE7A1ECF75845C63FF8219D5D8165BABFEB5C7EDAE2B58F3F7B10A5ADCB7E993F29D09D12AA85A53F3F5C903A9E03BC3FD676C336C9F0C33F751AB9DDC994C53F6C266BA7660EB43FFFF371B4EB81943FF75689F41550B93F929BC5DE3AF3C73F6DF941DC1018C33F777E8D3F96DAC63F0CFDD12E35EEC73F41FE6B194D3E953FF6F2B777A652C33F6539D60AE86FBF3F9834E67D4079B7BF418ECFD00B55BD3F7B9E86EDA095C13FCE874BD4EF0CC23F3108B05B22B6A63F85E805B6CFA4B43F45872D63691CC33F92C60426FA3FAFBFE69C0AA4E9B0AB3F0D620E6EF495B33FE7532795121EC33FD4C274CD0A6F733FD893CA024523ABBF1E97F0C9EFA48FBF8E238A5DD014B33F29BEFB8C3CF0BE3F0D281F71CB1BC63FDFE1E369FB2AC73F14425976A28BBE3F0A0B6347469EC53F95D08CDBB781C63F0BD610E353EBBD3F3C7ED2D4E827B33FA43FBECBE23CB73F7F38F9481FBBC53FCF2277D9C59F79BFCB7AD129B771B53F544499F15A44643F37594218474DC13FB2BF63526BA6C53F593A720222D6BE3F29716B1CA6A7C53F12D44344050CB73F481F56C3AFB5C1BF5A4E0F5A710BC73F7EF891B9435EB03F12D44344050CB73F2D2CA947AA18C03F5A4E0F5A710BC73F2FE4A55AC7089EBFC468A38210F6BD3F544499F15A44643FCB7AD129B771B53F593A720222D6BE3F37594218474DC13F29716B1CA6A7C53F676186CD6C16953F064D6C6DFFFEB33F7F38F9481FBBC53F0BD610E353EBBD3F14425976A28BBE3F0A0B6347469EC53F95D08CDBB781C63F29BEFB8C3CF0BE3FDFE1E369FB2AC73F44BCC3487080713F8E238A5DD014B33F0D281F71CB1BC63F780484BC3A9FB03F5549332E59FCC43F921B38779A89C1BFADC689323209C1BFED326F6CB142BB3FE69C0AA4E9B0AB3F85E805B6CFA4B43F45872D63691CC33FE7532795121EC33FB48CDB9B3EC4C1BF8A1A74CC1A51763F41FE6B194D3E953FCE874BD4EF0CC23FF3395B24971AAE3F6539D60AE86FBF3FF6F2B777A652C33FFFF371B4EB81943F170C3F6A9662BB3F0CFDD12E35EEC73F777E8D3F96DAC63FC3685DB2C0EEBA3F7F6D106F85EBC63F929BC5DE3AF3C73FAF050DF31CBBB53F7B10A5ADCB7E993FEB5C7EDAE2B58F3F6A2265198DF4ABBF751AB9DDC994C53F3F5C903A9E03BC3FD676C336C9F0C33FF5B133BDA952B33FE7A1ECF75845C63FE55E0D423003A03FCE59CA1C1618B63F4DDCD6ECBAD1BB3F6E23E629DE34C63FF731CA472098C63F58FD36C26F3CB6BF19D036E0CA467E3F2C8481F0DFD8B33F4E7442ED0D34C63F7A86BAE047BBC43FD1A0FCB21442C33F7B2915F179C4C03F9AFABCB6CD1A9B3F2343A9F7A0BDB03F04BA52E108E0C73F79918B672434A33FCDB247E0FB0FAA3F3E7E29EC62C5AD3F8C22DCB561CDC03FDC5AA522A5A7A8BF98D8642D9F77A8BF9EE2646C618295BF4E4132E64649BC3FF426B4A19129C33FF1B2B5DBAEF0C83F4A07CCE655A4BB3F82009CD9EA009E3FF3939CB4D8C573BF47AD7C133A0BBA3F926F0B854F92BC3F2528E5DE2ED3C33F5EF97F422241C53FEDC1B95D9E99C63F21D8A2E8D568C4BF876BFC076400B23F1CCBAEC12275C03FD687CDFD298DC23F100985DF5F51A73F2F8579ADDC3DB63F57108A00FFA5C33F97A0D65D4F7AC53FC5CD7F85498FB63F8D3B72E202ECB0BFB98C2C366D58B1BFC7405FB7C4ADC13F763897F23942C03F5FF1117D82E0C83FA541A13BC3A5C2BFB0269E23B428C73F133275EB9440C43FEADEB17D1A29B13FC6A266293810B03F97138F711032AE3F75C57FF90213C73F6E2AB9FD8DA1C03FD348E98B2E5E82BF65CB72ECC2BA973FE383B585484DC13FD06750A59F46BE3F72278160D336C63F6A7B1D823D7CC63F"> : tensor<77x3xf64>
    %e3 = stablehlo.constant dense<"0x4ED2525D093F2C3F10BE048A7CA40F3F4ED2525D093F2C3F10BE048A7CA40F3F4ED2525D093F2C3F10BE048A7CA40F3F4ED2525D093F2C3F10BE048A7CA40F3F4ED2525D093F2C3F10BE048A7CA40F3F4ED2525D093F2C3F10BE048A7CA40F3F4ED2525D093F2C3F10BE048A7CA40F3F4ED2525D093F2C3F10BE048A7CA40F3FC1FF910059C142BF0D1FB6D3A70225BFC1FF910059C142BF0D1FB6D3A70225BFC1FF910059C142BF0D1FB6D3A70225BFC1FF910059C142BF0D1FB6D3A70225BFC1FF910059C142BF0D1FB6D3A70225BFC1FF910059C142BF0D1FB6D3A70225BFC1FF910059C142BF0D1FB6D3A70225BFC1FF910059C142BF0D1FB6D3A70225BF35B4B9DDAAB769BFCDA8E4004DCF4CBF35B4B9DDAAB769BFCDA8E4004DCF4CBF35B4B9DDAAB769BFCDA8E4004DCF4CBF35B4B9DDAAB769BFCDA8E4004DCF4CBF35B4B9DDAAB769BFCDA8E4004DCF4CBF35B4B9DDAAB769BFCDA8E4004DCF4CBF35B4B9DDAAB769BFCDA8E4004DCF4CBF35B4B9DDAAB769BFCDA8E4004DCF4CBF5DD670C0664071BF41A88F46735353BF5DD670C0664071BF41A88F46735353BF5DD670C0664071BF41A88F46735353BF5DD670C0664071BF41A88F46735353BF5DD670C0664071BF41A88F46735353BF5DD670C0664071BF41A88F46735353BF5DD670C0664071BF41A88F46735353BF5DD670C0664071BF41A88F46735353BFA4B83A7C06F0713F664FF8C23118543FA4B83A7C06F0713F664FF8C23118543FA4B83A7C06F0713F664FF8C23118543FA4B83A7C06F0713F664FF8C23118543FA4B83A7C06F0713F664FF8C23118543FA4B83A7C06F0713F664FF8C23118543FA4B83A7C06F0713F664FF8C23118543FA4B83A7C06F0713F664FF8C23118543FC748E42ACBBB58BFC0C222E91FB53BBFC748E42ACBBB58BFC0C222E91FB53BBFC748E42ACBBB58BFC0C222E91FB53BBFC748E42ACBBB58BFC0C222E91FB53BBFC748E42ACBBB58BFC0C222E91FB53BBFC748E42ACBBB58BFC0C222E91FB53BBFC748E42ACBBB58BFC0C222E91FB53BBFC748E42ACBBB58BFC0C222E91FB53BBF055304A8FE666FBF0623A304D19651BF055304A8FE666FBF0623A304D19651BF055304A8FE666FBF0623A304D19651BF055304A8FE666FBF0623A304D19651BF055304A8FE666FBF0623A304D19651BF055304A8FE666FBF0623A304D19651BF055304A8FE666FBF0623A304D19651BF055304A8FE666FBF0623A304D19651BFD331A9CA4C0072BFD056051A6D2A54BFD331A9CA4C0072BFD056051A6D2A54BFD331A9CA4C0072BFD056051A6D2A54BFD331A9CA4C0072BFD056051A6D2A54BFD331A9CA4C0072BFD056051A6D2A54BFD331A9CA4C0072BFD056051A6D2A54BFD331A9CA4C0072BFD056051A6D2A54BFD331A9CA4C0072BFD056051A6D2A54BFB5D0E81BA5EC613F1588B6826214443FB5D0E81BA5EC613F1588B6826214443FB5D0E81BA5EC613F1588B6826214443FB5D0E81BA5EC613F1588B6826214443FB5D0E81BA5EC613F1588B6826214443FB5D0E81BA5EC613F1588B6826214443FB5D0E81BA5EC613F1588B6826214443FB5D0E81BA5EC613F1588B6826214443F199DFE57DB6361BFA63B0517267B43BF199DFE57DB6361BFA63B0517267B43BF199DFE57DB6361BFA63B0517267B43BF199DFE57DB6361BFA63B0517267B43BF199DFE57DB6361BFA63B0517267B43BF199DFE57DB6361BFA63B0517267B43BF199DFE57DB6361BFA63B0517267B43BF199DFE57DB6361BFA63B0517267B43BFBDB60009875B6BBFBC179D15A6A54EBFBDB60009875B6BBFBC179D15A6A54EBFBDB60009875B6BBFBC179D15A6A54EBFBDB60009875B6BBFBC179D15A6A54EBFBDB60009875B6BBFBC179D15A6A54EBFBDB60009875B6BBFBC179D15A6A54EBFBDB60009875B6BBFBC179D15A6A54EBFBDB60009875B6BBFBC179D15A6A54EBFA2C9144D2FAB70BF27FA96194AAC52BFA2C9144D2FAB70BF27FA96194AAC52BFA2C9144D2FAB70BF27FA96194AAC52BFA2C9144D2FAB70BF27FA96194AAC52BFA2C9144D2FAB70BF27FA96194AAC52BFA2C9144D2FAB70BF27FA96194AAC52BFA2C9144D2FAB70BF27FA96194AAC52BFA2C9144D2FAB70BF27FA96194AAC52BF08308278DCDC713F44360AC2B902543F08308278DCDC713F44360AC2B902543F08308278DCDC713F44360AC2B902543F08308278DCDC713F44360AC2B902543F08308278DCDC713F44360AC2B902543F08308278DCDC713F44360AC2B902543F08308278DCDC713F44360AC2B902543F08308278DCDC713F44360AC2B902543FCFEB4A8C53DC4C3F0EADB95F582A303FCFEB4A8C53DC4C3F0EADB95F582A303FCFEB4A8C53DC4C3F0EADB95F582A303FCFEB4A8C53DC4C3F0EADB95F582A303FCFEB4A8C53DC4C3F0EADB95F582A303FCFEB4A8C53DC4C3F0EADB95F582A303FCFEB4A8C53DC4C3F0EADB95F582A303FCFEB4A8C53DC4C3F0EADB95F582A303F7BBA6DAB1FBA5BBF029C3D67990F3FBF7BBA6DAB1FBA5BBF029C3D67990F3FBF7BBA6DAB1FBA5BBF029C3D67990F3FBF7BBA6DAB1FBA5BBF029C3D67990F3FBF7BBA6DAB1FBA5BBF029C3D67990F3FBF7BBA6DAB1FBA5BBF029C3D67990F3FBF7BBA6DAB1FBA5BBF029C3D67990F3FBF7BBA6DAB1FBA5BBF029C3D67990F3FBF959A2105F4B96CBFFC8DB5511B1750BF959A2105F4B96CBFFC8DB5511B1750BF959A2105F4B96CBFFC8DB5511B1750BF959A2105F4B96CBFFC8DB5511B1750BF959A2105F4B96CBFFC8DB5511B1750BF959A2105F4B96CBFFC8DB5511B1750BF959A2105F4B96CBFFC8DB5511B1750BF959A2105F4B96CBFFC8DB5511B1750BFCADE130C190A723FF1D417FF6635543FCADE130C190A723FF1D417FF6635543FCADE130C190A723FF1D417FF6635543FCADE130C190A723FF1D417FF6635543FCADE130C190A723FF1D417FF6635543FCADE130C190A723FF1D417FF6635543FCADE130C190A723FF1D417FF6635543FCADE130C190A723FF1D417FF6635543F80B66ABF5FFC023F7F105B54C744E53E80B66ABF5FFC023F7F105B54C744E53E80B66ABF5FFC023F7F105B54C744E53E80B66ABF5FFC023F7F105B54C744E53E80B66ABF5FFC023F7F105B54C744E53E80B66ABF5FFC023F7F105B54C744E53E80B66ABF5FFC023F7F105B54C744E53E80B66ABF5FFC023F7F105B54C744E53E894DB29ECDED3EBF64D7B32BEA5221BF894DB29ECDED3EBF64D7B32BEA5221BF894DB29ECDED3EBF64D7B32BEA5221BF894DB29ECDED3EBF64D7B32BEA5221BF894DB29ECDED3EBF64D7B32BEA5221BF894DB29ECDED3EBF64D7B32BEA5221BF894DB29ECDED3EBF64D7B32BEA5221BF894DB29ECDED3EBF64D7B32BEA5221BF07AF01DD4FE754BFAEB975D0BF6A37BF07AF01DD4FE754BFAEB975D0BF6A37BF07AF01DD4FE754BFAEB975D0BF6A37BF07AF01DD4FE754BFAEB975D0BF6A37BF07AF01DD4FE754BFAEB975D0BF6A37BF07AF01DD4FE754BFAEB975D0BF6A37BF07AF01DD4FE754BFAEB975D0BF6A37BF07AF01DD4FE754BFAEB975D0BF6A37BF04EB2D320AFB713FA6F8FF908824543F04EB2D320AFB713FA6F8FF908824543F04EB2D320AFB713FA6F8FF908824543F04EB2D320AFB713FA6F8FF908824543F04EB2D320AFB713FA6F8FF908824543F04EB2D320AFB713FA6F8FF908824543F04EB2D320AFB713FA6F8FF908824543F04EB2D320AFB713FA6F8FF908824543FF99906DFBBAA5F3FC5FB4C4CBEBC413FF99906DFBBAA5F3FC5FB4C4CBEBC413FF99906DFBBAA5F3FC5FB4C4CBEBC413FF99906DFBBAA5F3FC5FB4C4CBEBC413FF99906DFBBAA5F3FC5FB4C4CBEBC413FF99906DFBBAA5F3FC5FB4C4CBEBC413FF99906DFBBAA5F3FC5FB4C4CBEBC413FF99906DFBBAA5F3FC5FB4C4CBEBC413F22F02AD31AD665BF009835CF437648BF22F02AD31AD665BF009835CF437648BF22F02AD31AD665BF009835CF437648BF22F02AD31AD665BF009835CF437648BF22F02AD31AD665BF009835CF437648BF22F02AD31AD665BF009835CF437648BF22F02AD31AD665BF009835CF437648BF22F02AD31AD665BF009835CF437648BF0CAFFA277F6B73BF9C7F350F4DC155BF0CAFFA277F6B73BF9C7F350F4DC155BF0CAFFA277F6B73BF9C7F350F4DC155BF0CAFFA277F6B73BF9C7F350F4DC155BF0CAFFA277F6B73BF9C7F350F4DC155BF0CAFFA277F6B73BF9C7F350F4DC155BF0CAFFA277F6B73BF9C7F350F4DC155BF0CAFFA277F6B73BF9C7F350F4DC155BF7803B5094247723F61DD33E1EA79543F7803B5094247723F61DD33E1EA79543F7803B5094247723F61DD33E1EA79543F7803B5094247723F61DD33E1EA79543F7803B5094247723F61DD33E1EA79543F7803B5094247723F61DD33E1EA79543F7803B5094247723F61DD33E1EA79543F7803B5094247723F61DD33E1EA79543F01C346FF598B4DBF6C9B7559618C30BF01C346FF598B4DBF6C9B7559618C30BF01C346FF598B4DBF6C9B7559618C30BF01C346FF598B4DBF6C9B7559618C30BF01C346FF598B4DBF6C9B7559618C30BF01C346FF598B4DBF6C9B7559618C30BF01C346FF598B4DBF6C9B7559618C30BF01C346FF598B4DBF6C9B7559618C30BFE3242C3B89C759BFDD167E8B0FE13CBFE3242C3B89C759BFDD167E8B0FE13CBFE3242C3B89C759BFDD167E8B0FE13CBFE3242C3B89C759BFDD167E8B0FE13CBFE3242C3B89C759BFDD167E8B0FE13CBFE3242C3B89C759BFDD167E8B0FE13CBFE3242C3B89C759BFDD167E8B0FE13CBFE3242C3B89C759BFDD167E8B0FE13CBF7CFC4D56189272BF47CD7825C1CD54BF7CFC4D56189272BF47CD7825C1CD54BF7CFC4D56189272BF47CD7825C1CD54BF7CFC4D56189272BF47CD7825C1CD54BF7CFC4D56189272BF47CD7825C1CD54BF7CFC4D56189272BF47CD7825C1CD54BF7CFC4D56189272BF47CD7825C1CD54BF7CFC4D56189272BF47CD7825C1CD54BFFFD2D5FC4FE0633F3CD062662244463FFFD2D5FC4FE0633F3CD062662244463FFFD2D5FC4FE0633F3CD062662244463FFFD2D5FC4FE0633F3CD062662244463FFFD2D5FC4FE0633F3CD062662244463FFFD2D5FC4FE0633F3CD062662244463FFFD2D5FC4FE0633F3CD062662244463FFFD2D5FC4FE0633F3CD062662244463FCB71F26F2D8B523FA4FE133EF9C5343FCB71F26F2D8B523FA4FE133EF9C5343FCB71F26F2D8B523FA4FE133EF9C5343FCB71F26F2D8B523FA4FE133EF9C5343FCB71F26F2D8B523FA4FE133EF9C5343FCB71F26F2D8B523FA4FE133EF9C5343FCB71F26F2D8B523FA4FE133EF9C5343FCB71F26F2D8B523FA4FE133EF9C5343F57C768D640D66DBF8E6E79BD59B650BF57C768D640D66DBF8E6E79BD59B650BF57C768D640D66DBF8E6E79BD59B650BF57C768D640D66DBF8E6E79BD59B650BF57C768D640D66DBF8E6E79BD59B650BF57C768D640D66DBF8E6E79BD59B650BF57C768D640D66DBF8E6E79BD59B650BF57C768D640D66DBF8E6E79BD59B650BF2E0F0EA5343E71BF20774792FD5053BF2E0F0EA5343E71BF20774792FD5053BF2E0F0EA5343E71BF20774792FD5053BF2E0F0EA5343E71BF20774792FD5053BF2E0F0EA5343E71BF20774792FD5053BF2E0F0EA5343E71BF20774792FD5053BF2E0F0EA5343E71BF20774792FD5053BF2E0F0EA5343E71BF20774792FD5053BF86E4D9CA4B27643F13B3EB44A793463F86E4D9CA4B27643F13B3EB44A793463F86E4D9CA4B27643F13B3EB44A793463F86E4D9CA4B27643F13B3EB44A793463F86E4D9CA4B27643F13B3EB44A793463F86E4D9CA4B27643F13B3EB44A793463F86E4D9CA4B27643F13B3EB44A793463F86E4D9CA4B27643F13B3EB44A793463F717AC968BAB1F93EB3E26703A0C8DC3E717AC968BAB1F93EB3E26703A0C8DC3E717AC968BAB1F93EB3E26703A0C8DC3E717AC968BAB1F93EB3E26703A0C8DC3E717AC968BAB1F93EB3E26703A0C8DC3E717AC968BAB1F93EB3E26703A0C8DC3E717AC968BAB1F93EB3E26703A0C8DC3E717AC968BAB1F93EB3E26703A0C8DC3EF7F20A9109C55DBF6EE8A0C9B1AC40BFF7F20A9109C55DBF6EE8A0C9B1AC40BFF7F20A9109C55DBF6EE8A0C9B1AC40BFF7F20A9109C55DBF6EE8A0C9B1AC40BFF7F20A9109C55DBF6EE8A0C9B1AC40BFF7F20A9109C55DBF6EE8A0C9B1AC40BFF7F20A9109C55DBF6EE8A0C9B1AC40BFF7F20A9109C55DBF6EE8A0C9B1AC40BF6A2AEC85E84B71BF3067ED4B576053BF6A2AEC85E84B71BF3067ED4B576053BF6A2AEC85E84B71BF3067ED4B576053BF6A2AEC85E84B71BF3067ED4B576053BF6A2AEC85E84B71BF3067ED4B576053BF6A2AEC85E84B71BF3067ED4B576053BF6A2AEC85E84B71BF3067ED4B576053BF6A2AEC85E84B71BF3067ED4B576053BF0C2323C5EC5D643F5D9796DED9D0463F0C2323C5EC5D643F5D9796DED9D0463F0C2323C5EC5D643F5D9796DED9D0463F0C2323C5EC5D643F5D9796DED9D0463F0C2323C5EC5D643F5D9796DED9D0463F0C2323C5EC5D643F5D9796DED9D0463F0C2323C5EC5D643F5D9796DED9D0463F0C2323C5EC5D643F5D9796DED9D0463F987153CC5A9B43BF3AFC8A22E0F625BF987153CC5A9B43BF3AFC8A22E0F625BF987153CC5A9B43BF3AFC8A22E0F625BF987153CC5A9B43BF3AFC8A22E0F625BF987153CC5A9B43BF3AFC8A22E0F625BF987153CC5A9B43BF3AFC8A22E0F625BF987153CC5A9B43BF3AFC8A22E0F625BF987153CC5A9B43BF3AFC8A22E0F625BFB38A7C6A616C54BF1741395A09E136BFB38A7C6A616C54BF1741395A09E136BFB38A7C6A616C54BF1741395A09E136BFB38A7C6A616C54BF1741395A09E136BFB38A7C6A616C54BF1741395A09E136BFB38A7C6A616C54BF1741395A09E136BFB38A7C6A616C54BF1741395A09E136BFB38A7C6A616C54BF1741395A09E136BFFA98EF2720C070BFAD02F3A0BFC352BFFA98EF2720C070BFAD02F3A0BFC352BFFA98EF2720C070BFAD02F3A0BFC352BFFA98EF2720C070BFAD02F3A0BFC352BFFA98EF2720C070BFAD02F3A0BFC352BFFA98EF2720C070BFAD02F3A0BFC352BFFA98EF2720C070BFAD02F3A0BFC352BFFA98EF2720C070BFAD02F3A0BFC352BFCBD9612C0B373DBFDF5E1530285D20BFCBD9612C0B373DBFDF5E1530285D20BFCBD9612C0B373DBFDF5E1530285D20BFCBD9612C0B373DBFDF5E1530285D20BFCBD9612C0B373DBFDF5E1530285D20BFCBD9612C0B373DBFDF5E1530285D20BFCBD9612C0B373DBFDF5E1530285D20BFCBD9612C0B373DBFDF5E1530285D20BF60AC1283768663BFE3061C1F7BDF45BF60AC1283768663BFE3061C1F7BDF45BF60AC1283768663BFE3061C1F7BDF45BF60AC1283768663BFE3061C1F7BDF45BF60AC1283768663BFE3061C1F7BDF45BF60AC1283768663BFE3061C1F7BDF45BF60AC1283768663BFE3061C1F7BDF45BF60AC1283768663BFE3061C1F7BDF45BFBFD5180330946DBF3FF3DF6C589150BFBFD5180330946DBF3FF3DF6C589150BFBFD5180330946DBF3FF3DF6C589150BFBFD5180330946DBF3FF3DF6C589150BFBFD5180330946DBF3FF3DF6C589150BFBFD5180330946DBF3FF3DF6C589150BFBFD5180330946DBF3FF3DF6C589150BFBFD5180330946DBF3FF3DF6C589150BF33342C09619D72BF3439593D65DA54BF33342C09619D72BF3439593D65DA54BF33342C09619D72BF3439593D65DA54BF33342C09619D72BF3439593D65DA54BF33342C09619D72BF3439593D65DA54BF33342C09619D72BF3439593D65DA54BF33342C09619D72BF3439593D65DA54BF33342C09619D72BF3439593D65DA54BFF66C9FEEB6836B3F2E535A1AABD24E3FF66C9FEEB6836B3F2E535A1AABD24E3FF66C9FEEB6836B3F2E535A1AABD24E3FF66C9FEEB6836B3F2E535A1AABD24E3FF66C9FEEB6836B3F2E535A1AABD24E3FF66C9FEEB6836B3F2E535A1AABD24E3FF66C9FEEB6836B3F2E535A1AABD24E3FF66C9FEEB6836B3F2E535A1AABD24E3F696CB8C8A89A653F49A3B1DCAB33483F696CB8C8A89A653F49A3B1DCAB33483F696CB8C8A89A653F49A3B1DCAB33483F696CB8C8A89A653F49A3B1DCAB33483F696CB8C8A89A653F49A3B1DCAB33483F696CB8C8A89A653F49A3B1DCAB33483F696CB8C8A89A653F49A3B1DCAB33483F696CB8C8A89A653F49A3B1DCAB33483F745675D794A666BF55777A5ECF5F49BF745675D794A666BF55777A5ECF5F49BF745675D794A666BF55777A5ECF5F49BF745675D794A666BF55777A5ECF5F49BF745675D794A666BF55777A5ECF5F49BF745675D794A666BF55777A5ECF5F49BF745675D794A666BF55777A5ECF5F49BF745675D794A666BF55777A5ECF5F49BF488EA0A2BAF06BBF5FB936B8CA4C4FBF488EA0A2BAF06BBF5FB936B8CA4C4FBF488EA0A2BAF06BBF5FB936B8CA4C4FBF488EA0A2BAF06BBF5FB936B8CA4C4FBF488EA0A2BAF06BBF5FB936B8CA4C4FBF488EA0A2BAF06BBF5FB936B8CA4C4FBF488EA0A2BAF06BBF5FB936B8CA4C4FBF488EA0A2BAF06BBF5FB936B8CA4C4FBF9E8A74E991B7723FFC75C971BCF7543F9E8A74E991B7723FFC75C971BCF7543F9E8A74E991B7723FFC75C971BCF7543F9E8A74E991B7723FFC75C971BCF7543F9E8A74E991B7723FFC75C971BCF7543F9E8A74E991B7723FFC75C971BCF7543F9E8A74E991B7723FFC75C971BCF7543F9E8A74E991B7723FFC75C971BCF7543FE76BCC58F9E8703FCD3D255C82F1523FE76BCC58F9E8703FCD3D255C82F1523FE76BCC58F9E8703FCD3D255C82F1523FE76BCC58F9E8703FCD3D255C82F1523FE76BCC58F9E8703FCD3D255C82F1523FE76BCC58F9E8703FCD3D255C82F1523FE76BCC58F9E8703FCD3D255C82F1523FE76BCC58F9E8703FCD3D255C82F1523F34A33E31C44F55BF4FB9BE68C3DF37BF34A33E31C44F55BF4FB9BE68C3DF37BF34A33E31C44F55BF4FB9BE68C3DF37BF34A33E31C44F55BF4FB9BE68C3DF37BF34A33E31C44F55BF4FB9BE68C3DF37BF34A33E31C44F55BF4FB9BE68C3DF37BF34A33E31C44F55BF4FB9BE68C3DF37BF34A33E31C44F55BF4FB9BE68C3DF37BF5BC8F6D4D80965BF54B3AF2B729147BF5BC8F6D4D80965BF54B3AF2B729147BF5BC8F6D4D80965BF54B3AF2B729147BF5BC8F6D4D80965BF54B3AF2B729147BF5BC8F6D4D80965BF54B3AF2B729147BF5BC8F6D4D80965BF54B3AF2B729147BF5BC8F6D4D80965BF54B3AF2B729147BF5BC8F6D4D80965BF54B3AF2B729147BF9FDACBB88D3C5F3F22ED856F077F413F9FDACBB88D3C5F3F22ED856F077F413F9FDACBB88D3C5F3F22ED856F077F413F9FDACBB88D3C5F3F22ED856F077F413F9FDACBB88D3C5F3F22ED856F077F413F9FDACBB88D3C5F3F22ED856F077F413F9FDACBB88D3C5F3F22ED856F077F413F9FDACBB88D3C5F3F22ED856F077F413F75C616C92655383F8798BEE522421B3F75C616C92655383F8798BEE522421B3F75C616C92655383F8798BEE522421B3F75C616C92655383F8798BEE522421B3F75C616C92655383F8798BEE522421B3F75C616C92655383F8798BEE522421B3F75C616C92655383F8798BEE522421B3F75C616C92655383F8798BEE522421B3F8B7460251AE767BFAA932E55DFC64ABF8B7460251AE767BFAA932E55DFC64ABF8B7460251AE767BFAA932E55DFC64ABF8B7460251AE767BFAA932E55DFC64ABF8B7460251AE767BFAA932E55DFC64ABF8B7460251AE767BFAA932E55DFC64ABF8B7460251AE767BFAA932E55DFC64ABF8B7460251AE767BFAA932E55DFC64ABFEEE1182B1C0272BFD68C0F34742C54BFEEE1182B1C0272BFD68C0F34742C54BFEEE1182B1C0272BFD68C0F34742C54BFEEE1182B1C0272BFD68C0F34742C54BFEEE1182B1C0272BFD68C0F34742C54BFEEE1182B1C0272BFD68C0F34742C54BFEEE1182B1C0272BFD68C0F34742C54BFEEE1182B1C0272BFD68C0F34742C54BF1A204A1FAFCD703F97D6CBFFEFD2523F1A204A1FAFCD703F97D6CBFFEFD2523F1A204A1FAFCD703F97D6CBFFEFD2523F1A204A1FAFCD703F97D6CBFFEFD2523F1A204A1FAFCD703F97D6CBFFEFD2523F1A204A1FAFCD703F97D6CBFFEFD2523F1A204A1FAFCD703F97D6CBFFEFD2523F1A204A1FAFCD703F97D6CBFFEFD2523F80F8FE11543740BFCED3638C7A2A22BF80F8FE11543740BFCED3638C7A2A22BF80F8FE11543740BFCED3638C7A2A22BF80F8FE11543740BFCED3638C7A2A22BF80F8FE11543740BFCED3638C7A2A22BF80F8FE11543740BFCED3638C7A2A22BF80F8FE11543740BFCED3638C7A2A22BF80F8FE11543740BFCED3638C7A2A22BF7C25D9FCEC825DBF24BFC4F9A98740BF7C25D9FCEC825DBF24BFC4F9A98740BF7C25D9FCEC825DBF24BFC4F9A98740BF7C25D9FCEC825DBF24BFC4F9A98740BF7C25D9FCEC825DBF24BFC4F9A98740BF7C25D9FCEC825DBF24BFC4F9A98740BF7C25D9FCEC825DBF24BFC4F9A98740BF7C25D9FCEC825DBF24BFC4F9A98740BF008B9DD473DE70BFA37581EEB8E552BF008B9DD473DE70BFA37581EEB8E552BF008B9DD473DE70BFA37581EEB8E552BF008B9DD473DE70BFA37581EEB8E552BF008B9DD473DE70BFA37581EEB8E552BF008B9DD473DE70BFA37581EEB8E552BF008B9DD473DE70BFA37581EEB8E552BF008B9DD473DE70BFA37581EEB8E552BF43FCEC4329C3693FCB3E02392DDC4C3F43FCEC4329C3693FCB3E02392DDC4C3F43FCEC4329C3693FCB3E02392DDC4C3F43FCEC4329C3693FCB3E02392DDC4C3F43FCEC4329C3693FCB3E02392DDC4C3F43FCEC4329C3693FCB3E02392DDC4C3F43FCEC4329C3693FCB3E02392DDC4C3F43FCEC4329C3693FCB3E02392DDC4C3F3A0BA468AB175B3F9D04EF819C593E3F3A0BA468AB175B3F9D04EF819C593E3F3A0BA468AB175B3F9D04EF819C593E3F3A0BA468AB175B3F9D04EF819C593E3F3A0BA468AB175B3F9D04EF819C593E3F3A0BA468AB175B3F9D04EF819C593E3F3A0BA468AB175B3F9D04EF819C593E3F3A0BA468AB175B3F9D04EF819C593E3F589806CE092467BFF1E54B4A5AEC49BF589806CE092467BFF1E54B4A5AEC49BF589806CE092467BFF1E54B4A5AEC49BF589806CE092467BFF1E54B4A5AEC49BF589806CE092467BFF1E54B4A5AEC49BF589806CE092467BFF1E54B4A5AEC49BF589806CE092467BFF1E54B4A5AEC49BF589806CE092467BFF1E54B4A5AEC49BF9C9B8A870BCF70BF1460F34D76D452BF9C9B8A870BCF70BF1460F34D76D452BF9C9B8A870BCF70BF1460F34D76D452BF9C9B8A870BCF70BF1460F34D76D452BF9C9B8A870BCF70BF1460F34D76D452BF9C9B8A870BCF70BF1460F34D76D452BF9C9B8A870BCF70BF1460F34D76D452BF9C9B8A870BCF70BF1460F34D76D452BFCE43CCFB2D92713FC10E081F10AF533FCE43CCFB2D92713FC10E081F10AF533FCE43CCFB2D92713FC10E081F10AF533FCE43CCFB2D92713FC10E081F10AF533FCE43CCFB2D92713FC10E081F10AF533FCE43CCFB2D92713FC10E081F10AF533FCE43CCFB2D92713FC10E081F10AF533FCE43CCFB2D92713FC10E081F10AF533FE505EDE1F133633F5B42C55F0A83453FE505EDE1F133633F5B42C55F0A83453FE505EDE1F133633F5B42C55F0A83453FE505EDE1F133633F5B42C55F0A83453FE505EDE1F133633F5B42C55F0A83453FE505EDE1F133633F5B42C55F0A83453FE505EDE1F133633F5B42C55F0A83453FE505EDE1F133633F5B42C55F0A83453F586D90F183C461BF7F7350106EE743BF586D90F183C461BF7F7350106EE743BF586D90F183C461BF7F7350106EE743BF586D90F183C461BF7F7350106EE743BF586D90F183C461BF7F7350106EE743BF586D90F183C461BF7F7350106EE743BF586D90F183C461BF7F7350106EE743BF586D90F183C461BF7F7350106EE743BF53D504DC0EE971BF9BD0CBA3631054BF53D504DC0EE971BF9BD0CBA3631054BF53D504DC0EE971BF9BD0CBA3631054BF53D504DC0EE971BF9BD0CBA3631054BF53D504DC0EE971BF9BD0CBA3631054BF53D504DC0EE971BF9BD0CBA3631054BF53D504DC0EE971BF9BD0CBA3631054BF53D504DC0EE971BF9BD0CBA3631054BF51AB04FD6D19473F62F7B30574E0293F51AB04FD6D19473F62F7B30574E0293F51AB04FD6D19473F62F7B30574E0293F51AB04FD6D19473F62F7B30574E0293F51AB04FD6D19473F62F7B30574E0293F51AB04FD6D19473F62F7B30574E0293F51AB04FD6D19473F62F7B30574E0293F51AB04FD6D19473F62F7B30574E0293F9393366E7B2A0FBF258DA8E1E674F1BE9393366E7B2A0FBF258DA8E1E674F1BE9393366E7B2A0FBF258DA8E1E674F1BE9393366E7B2A0FBF258DA8E1E674F1BE9393366E7B2A0FBF258DA8E1E674F1BE9393366E7B2A0FBF258DA8E1E674F1BE9393366E7B2A0FBF258DA8E1E674F1BE9393366E7B2A0FBF258DA8E1E674F1BE04CD00BE64E265BF4006B602088448BF04CD00BE64E265BF4006B602088448BF04CD00BE64E265BF4006B602088448BF04CD00BE64E265BF4006B602088448BF04CD00BE64E265BF4006B602088448BF04CD00BE64E265BF4006B602088448BF04CD00BE64E265BF4006B602088448BF04CD00BE64E265BF4006B602088448BFB9D3437E12CE70BF49F1F5515FD352BFB9D3437E12CE70BF49F1F5515FD352BFB9D3437E12CE70BF49F1F5515FD352BFB9D3437E12CE70BF49F1F5515FD352BFB9D3437E12CE70BF49F1F5515FD352BFB9D3437E12CE70BF49F1F5515FD352BFB9D3437E12CE70BF49F1F5515FD352BFB9D3437E12CE70BF49F1F5515FD352BF3DB8F7453F1D613F89F7C27E0C2C433F3DB8F7453F1D613F89F7C27E0C2C433F3DB8F7453F1D613F89F7C27E0C2C433F3DB8F7453F1D613F89F7C27E0C2C433F3DB8F7453F1D613F89F7C27E0C2C433F3DB8F7453F1D613F89F7C27E0C2C433F3DB8F7453F1D613F89F7C27E0C2C433F3DB8F7453F1D613F89F7C27E0C2C433F923BAA2064EA61BF8109A026DC1144BF923BAA2064EA61BF8109A026DC1144BF923BAA2064EA61BF8109A026DC1144BF923BAA2064EA61BF8109A026DC1144BF923BAA2064EA61BF8109A026DC1144BF923BAA2064EA61BF8109A026DC1144BF923BAA2064EA61BF8109A026DC1144BF923BAA2064EA61BF8109A026DC1144BF88D153C3A39867BFAA9BDE9DF96E4ABF88D153C3A39867BFAA9BDE9DF96E4ABF88D153C3A39867BFAA9BDE9DF96E4ABF88D153C3A39867BFAA9BDE9DF96E4ABF88D153C3A39867BFAA9BDE9DF96E4ABF88D153C3A39867BFAA9BDE9DF96E4ABF88D153C3A39867BFAA9BDE9DF96E4ABF88D153C3A39867BFAA9BDE9DF96E4ABF5FBF69B9C37B71BF4ECA08CBF39553BF5FBF69B9C37B71BF4ECA08CBF39553BF5FBF69B9C37B71BF4ECA08CBF39553BF5FBF69B9C37B71BF4ECA08CBF39553BF5FBF69B9C37B71BF4ECA08CBF39553BF5FBF69B9C37B71BF4ECA08CBF39553BF5FBF69B9C37B71BF4ECA08CBF39553BF5FBF69B9C37B71BF4ECA08CBF39553BF0FC917217AF56D3F3A6BFAFDD6C7503F0FC917217AF56D3F3A6BFAFDD6C7503F0FC917217AF56D3F3A6BFAFDD6C7503F0FC917217AF56D3F3A6BFAFDD6C7503F0FC917217AF56D3F3A6BFAFDD6C7503F0FC917217AF56D3F3A6BFAFDD6C7503F0FC917217AF56D3F3A6BFAFDD6C7503F0FC917217AF56D3F3A6BFAFDD6C7503F97B31B0AE6E91ABFD4ED01985426FEBE97B31B0AE6E91ABFD4ED01985426FEBE97B31B0AE6E91ABFD4ED01985426FEBE97B31B0AE6E91ABFD4ED01985426FEBE97B31B0AE6E91ABFD4ED01985426FEBE97B31B0AE6E91ABFD4ED01985426FEBE97B31B0AE6E91ABFD4ED01985426FEBE97B31B0AE6E91ABFD4ED01985426FEBEE55C16B69EEE4BBFE3C7E100674A2FBFE55C16B69EEE4BBFE3C7E100674A2FBFE55C16B69EEE4BBFE3C7E100674A2FBFE55C16B69EEE4BBFE3C7E100674A2FBFE55C16B69EEE4BBFE3C7E100674A2FBFE55C16B69EEE4BBFE3C7E100674A2FBFE55C16B69EEE4BBFE3C7E100674A2FBFE55C16B69EEE4BBFE3C7E100674A2FBF84695802A54770BF33C1546DC73C52BF84695802A54770BF33C1546DC73C52BF84695802A54770BF33C1546DC73C52BF84695802A54770BF33C1546DC73C52BF84695802A54770BF33C1546DC73C52BF84695802A54770BF33C1546DC73C52BF84695802A54770BF33C1546DC73C52BF84695802A54770BF33C1546DC73C52BF2E27C15DDC226B3F1395F4FC2A664E3F2E27C15DDC226B3F1395F4FC2A664E3F2E27C15DDC226B3F1395F4FC2A664E3F2E27C15DDC226B3F1395F4FC2A664E3F2E27C15DDC226B3F1395F4FC2A664E3F2E27C15DDC226B3F1395F4FC2A664E3F2E27C15DDC226B3F1395F4FC2A664E3F2E27C15DDC226B3F1395F4FC2A664E3F603359E84A2E503F258946855B20323F603359E84A2E503F258946855B20323F603359E84A2E503F258946855B20323F603359E84A2E503F258946855B20323F603359E84A2E503F258946855B20323F603359E84A2E503F258946855B20323F603359E84A2E503F258946855B20323F603359E84A2E503F258946855B20323FFDEE556C29D05FBFF27AFC20B5D141BFFDEE556C29D05FBFF27AFC20B5D141BFFDEE556C29D05FBFF27AFC20B5D141BFFDEE556C29D05FBFF27AFC20B5D141BFFDEE556C29D05FBFF27AFC20B5D141BFFDEE556C29D05FBFF27AFC20B5D141BFFDEE556C29D05FBFF27AFC20B5D141BFFDEE556C29D05FBFF27AFC20B5D141BF36CC8C93A19D6DBFCA60E590A29650BF36CC8C93A19D6DBFCA60E590A29650BF36CC8C93A19D6DBFCA60E590A29650BF36CC8C93A19D6DBFCA60E590A29650BF36CC8C93A19D6DBFCA60E590A29650BF36CC8C93A19D6DBFCA60E590A29650BF36CC8C93A19D6DBFCA60E590A29650BF36CC8C93A19D6DBFCA60E590A29650BFAFC094A093376F3F3B03409F417C513FAFC094A093376F3F3B03409F417C513FAFC094A093376F3F3B03409F417C513FAFC094A093376F3F3B03409F417C513FAFC094A093376F3F3B03409F417C513FAFC094A093376F3F3B03409F417C513FAFC094A093376F3F3B03409F417C513FAFC094A093376F3F3B03409F417C513FE6B94557005640BF528D94F7D64C22BFE6B94557005640BF528D94F7D64C22BFE6B94557005640BF528D94F7D64C22BFE6B94557005640BF528D94F7D64C22BFE6B94557005640BF528D94F7D64C22BFE6B94557005640BF528D94F7D64C22BFE6B94557005640BF528D94F7D64C22BFE6B94557005640BF528D94F7D64C22BFC83F0FDF2D2C57BF328EB1D275F539BFC83F0FDF2D2C57BF328EB1D275F539BFC83F0FDF2D2C57BF328EB1D275F539BFC83F0FDF2D2C57BF328EB1D275F539BFC83F0FDF2D2C57BF328EB1D275F539BFC83F0FDF2D2C57BF328EB1D275F539BFC83F0FDF2D2C57BF328EB1D275F539BFC83F0FDF2D2C57BF328EB1D275F539BF0ECAA68750F06DBFCAE1CABAF2C450BF0ECAA68750F06DBFCAE1CABAF2C450BF0ECAA68750F06DBFCAE1CABAF2C450BF0ECAA68750F06DBFCAE1CABAF2C450BF0ECAA68750F06DBFCAE1CABAF2C450BF0ECAA68750F06DBFCAE1CABAF2C450BF0ECAA68750F06DBFCAE1CABAF2C450BF0ECAA68750F06DBFCAE1CABAF2C450BF989FA0C7FF1D703F33EA5822200E523F989FA0C7FF1D703F33EA5822200E523F989FA0C7FF1D703F33EA5822200E523F989FA0C7FF1D703F33EA5822200E523F989FA0C7FF1D703F33EA5822200E523F989FA0C7FF1D703F33EA5822200E523F989FA0C7FF1D703F33EA5822200E523F989FA0C7FF1D703F33EA5822200E523F14E49B39DBB84D3FCED6D04FDEA5303F14E49B39DBB84D3FCED6D04FDEA5303F14E49B39DBB84D3FCED6D04FDEA5303F14E49B39DBB84D3FCED6D04FDEA5303F14E49B39DBB84D3FCED6D04FDEA5303F14E49B39DBB84D3FCED6D04FDEA5303F14E49B39DBB84D3FCED6D04FDEA5303F14E49B39DBB84D3FCED6D04FDEA5303F7DAD80B096C864BF4ADE4731574847BF7DAD80B096C864BF4ADE4731574847BF7DAD80B096C864BF4ADE4731574847BF7DAD80B096C864BF4ADE4731574847BF7DAD80B096C864BF4ADE4731574847BF7DAD80B096C864BF4ADE4731574847BF7DAD80B096C864BF4ADE4731574847BF7DAD80B096C864BF4ADE4731574847BF6EC942C260A172BFA5525513E0DE54BF6EC942C260A172BFA5525513E0DE54BF6EC942C260A172BFA5525513E0DE54BF6EC942C260A172BFA5525513E0DE54BF6EC942C260A172BFA5525513E0DE54BF6EC942C260A172BFA5525513E0DE54BF6EC942C260A172BFA5525513E0DE54BF6EC942C260A172BFA5525513E0DE54BFFBD1BEE933FE713F3251A9A81328543FFBD1BEE933FE713F3251A9A81328543FFBD1BEE933FE713F3251A9A81328543FFBD1BEE933FE713F3251A9A81328543FFBD1BEE933FE713F3251A9A81328543FFBD1BEE933FE713F3251A9A81328543FFBD1BEE933FE713F3251A9A81328543FFBD1BEE933FE713F3251A9A81328543FAB55F3B3A146623FE5BFCF1B3179443FAB55F3B3A146623FE5BFCF1B3179443FAB55F3B3A146623FE5BFCF1B3179443FAB55F3B3A146623FE5BFCF1B3179443FAB55F3B3A146623FE5BFCF1B3179443FAB55F3B3A146623FE5BFCF1B3179443FAB55F3B3A146623FE5BFCF1B3179443FAB55F3B3A146623FE5BFCF1B3179443FB55F831DAC9260BF6364D8B2CF9042BFB55F831DAC9260BF6364D8B2CF9042BFB55F831DAC9260BF6364D8B2CF9042BFB55F831DAC9260BF6364D8B2CF9042BFB55F831DAC9260BF6364D8B2CF9042BFB55F831DAC9260BF6364D8B2CF9042BFB55F831DAC9260BF6364D8B2CF9042BFB55F831DAC9260BF6364D8B2CF9042BF9D5AE81D3EE96EBFF799691D615051BF9D5AE81D3EE96EBFF799691D615051BF9D5AE81D3EE96EBFF799691D615051BF9D5AE81D3EE96EBFF799691D615051BF9D5AE81D3EE96EBFF799691D615051BF9D5AE81D3EE96EBFF799691D615051BF9D5AE81D3EE96EBFF799691D615051BF9D5AE81D3EE96EBFF799691D615051BF84ECF27E0A92673FFB77513895674A3F84ECF27E0A92673FFB77513895674A3F84ECF27E0A92673FFB77513895674A3F84ECF27E0A92673FFB77513895674A3F84ECF27E0A92673FFB77513895674A3F84ECF27E0A92673FFB77513895674A3F84ECF27E0A92673FFB77513895674A3F84ECF27E0A92673FFB77513895674A3F29E77FBB9AA148BFAC7FE262C8972BBF29E77FBB9AA148BFAC7FE262C8972BBF29E77FBB9AA148BFAC7FE262C8972BBF29E77FBB9AA148BFAC7FE262C8972BBF29E77FBB9AA148BFAC7FE262C8972BBF29E77FBB9AA148BFAC7FE262C8972BBF29E77FBB9AA148BFAC7FE262C8972BBF29E77FBB9AA148BFAC7FE262C8972BBFAD4B001D177965BF5073C5D6100E48BFAD4B001D177965BF5073C5D6100E48BFAD4B001D177965BF5073C5D6100E48BFAD4B001D177965BF5073C5D6100E48BFAD4B001D177965BF5073C5D6100E48BFAD4B001D177965BF5073C5D6100E48BFAD4B001D177965BF5073C5D6100E48BFAD4B001D177965BF5073C5D6100E48BF671EF011898D71BF9C23593BDCA953BF671EF011898D71BF9C23593BDCA953BF671EF011898D71BF9C23593BDCA953BF671EF011898D71BF9C23593BDCA953BF671EF011898D71BF9C23593BDCA953BF671EF011898D71BF9C23593BDCA953BF671EF011898D71BF9C23593BDCA953BF671EF011898D71BF9C23593BDCA953BF6EFF5AC2318B6B3F050141300CDB4E3F6EFF5AC2318B6B3F050141300CDB4E3F6EFF5AC2318B6B3F050141300CDB4E3F6EFF5AC2318B6B3F050141300CDB4E3F6EFF5AC2318B6B3F050141300CDB4E3F6EFF5AC2318B6B3F050141300CDB4E3F6EFF5AC2318B6B3F050141300CDB4E3F6EFF5AC2318B6B3F050141300CDB4E3FB9C1B6E29D945EBFAD5E99CCF62041BFB9C1B6E29D945EBFAD5E99CCF62041BFB9C1B6E29D945EBFAD5E99CCF62041BFB9C1B6E29D945EBFAD5E99CCF62041BFB9C1B6E29D945EBFAD5E99CCF62041BFB9C1B6E29D945EBFAD5E99CCF62041BFB9C1B6E29D945EBFAD5E99CCF62041BFB9C1B6E29D945EBFAD5E99CCF62041BF2AD58EC843EA66BF74D10CD1A1AB49BF2AD58EC843EA66BF74D10CD1A1AB49BF2AD58EC843EA66BF74D10CD1A1AB49BF2AD58EC843EA66BF74D10CD1A1AB49BF2AD58EC843EA66BF74D10CD1A1AB49BF2AD58EC843EA66BF74D10CD1A1AB49BF2AD58EC843EA66BF74D10CD1A1AB49BF2AD58EC843EA66BF74D10CD1A1AB49BFAB128D2848EE69BFCAB9C5877B0C4DBFAB128D2848EE69BFCAB9C5877B0C4DBFAB128D2848EE69BFCAB9C5877B0C4DBFAB128D2848EE69BFCAB9C5877B0C4DBFAB128D2848EE69BFCAB9C5877B0C4DBFAB128D2848EE69BFCAB9C5877B0C4DBFAB128D2848EE69BFCAB9C5877B0C4DBFAB128D2848EE69BFCAB9C5877B0C4DBF5D83955A2717723F54BF9A3E0744543F5D83955A2717723F54BF9A3E0744543F5D83955A2717723F54BF9A3E0744543F5D83955A2717723F54BF9A3E0744543F5D83955A2717723F54BF9A3E0744543F5D83955A2717723F54BF9A3E0744543F5D83955A2717723F54BF9A3E0744543F5D83955A2717723F54BF9A3E0744543FFA4E56E3254F633FB98DFDC283A1453FFA4E56E3254F633FB98DFDC283A1453FFA4E56E3254F633FB98DFDC283A1453FFA4E56E3254F633FB98DFDC283A1453FFA4E56E3254F633FB98DFDC283A1453FFA4E56E3254F633FB98DFDC283A1453FFA4E56E3254F633FB98DFDC283A1453FFA4E56E3254F633FB98DFDC283A1453F629775BB530E54BFFD5D4790AC7736BF629775BB530E54BFFD5D4790AC7736BF629775BB530E54BFFD5D4790AC7736BF629775BB530E54BFFD5D4790AC7736BF629775BB530E54BFFD5D4790AC7736BF629775BB530E54BFFD5D4790AC7736BF629775BB530E54BFFD5D4790AC7736BF629775BB530E54BFFD5D4790AC7736BF9508A2A3891A58BF970F72A77A003BBF9508A2A3891A58BF970F72A77A003BBF9508A2A3891A58BF970F72A77A003BBF9508A2A3891A58BF970F72A77A003BBF9508A2A3891A58BF970F72A77A003BBF9508A2A3891A58BF970F72A77A003BBF9508A2A3891A58BF970F72A77A003BBF9508A2A3891A58BF970F72A77A003BBFC6AD3903CEBE6F3F5DFDD84F00C8513FC6AD3903CEBE6F3F5DFDD84F00C8513FC6AD3903CEBE6F3F5DFDD84F00C8513FC6AD3903CEBE6F3F5DFDD84F00C8513FC6AD3903CEBE6F3F5DFDD84F00C8513FC6AD3903CEBE6F3F5DFDD84F00C8513FC6AD3903CEBE6F3F5DFDD84F00C8513FC6AD3903CEBE6F3F5DFDD84F00C8513F07FF75675E8A403FB6FAD1F58087223F07FF75675E8A403FB6FAD1F58087223F07FF75675E8A403FB6FAD1F58087223F07FF75675E8A403FB6FAD1F58087223F07FF75675E8A403FB6FAD1F58087223F07FF75675E8A403FB6FAD1F58087223F07FF75675E8A403FB6FAD1F58087223F07FF75675E8A403FB6FAD1F58087223FC3251160AC9F53BF5977261FB7FB35BFC3251160AC9F53BF5977261FB7FB35BFC3251160AC9F53BF5977261FB7FB35BFC3251160AC9F53BF5977261FB7FB35BFC3251160AC9F53BF5977261FB7FB35BFC3251160AC9F53BF5977261FB7FB35BFC3251160AC9F53BF5977261FB7FB35BFC3251160AC9F53BF5977261FB7FB35BFAC886BBBC75565BF57CFED8282E647BFAC886BBBC75565BF57CFED8282E647BFAC886BBBC75565BF57CFED8282E647BFAC886BBBC75565BF57CFED8282E647BFAC886BBBC75565BF57CFED8282E647BFAC886BBBC75565BF57CFED8282E647BFAC886BBBC75565BF57CFED8282E647BFAC886BBBC75565BF57CFED8282E647BF540FC670C69B703FDC3CFED8069B523F540FC670C69B703FDC3CFED8069B523F540FC670C69B703FDC3CFED8069B523F540FC670C69B703FDC3CFED8069B523F540FC670C69B703FDC3CFED8069B523F540FC670C69B703FDC3CFED8069B523F540FC670C69B703FDC3CFED8069B523F540FC670C69B703FDC3CFED8069B523F7A4DBDE6C91764BF8B6CED04488246BF7A4DBDE6C91764BF8B6CED04488246BF7A4DBDE6C91764BF8B6CED04488246BF7A4DBDE6C91764BF8B6CED04488246BF7A4DBDE6C91764BF8B6CED04488246BF7A4DBDE6C91764BF8B6CED04488246BF7A4DBDE6C91764BF8B6CED04488246BF7A4DBDE6C91764BF8B6CED04488246BF5AEF487C9DBA6EBFAE4E0C17433651BF5AEF487C9DBA6EBFAE4E0C17433651BF5AEF487C9DBA6EBFAE4E0C17433651BF5AEF487C9DBA6EBFAE4E0C17433651BF5AEF487C9DBA6EBFAE4E0C17433651BF5AEF487C9DBA6EBFAE4E0C17433651BF5AEF487C9DBA6EBFAE4E0C17433651BF5AEF487C9DBA6EBFAE4E0C17433651BF6F52AE20B88E71BF1EEE00BC2FAB53BF6F52AE20B88E71BF1EEE00BC2FAB53BF6F52AE20B88E71BF1EEE00BC2FAB53BF6F52AE20B88E71BF1EEE00BC2FAB53BF6F52AE20B88E71BF1EEE00BC2FAB53BF6F52AE20B88E71BF1EEE00BC2FAB53BF6F52AE20B88E71BF1EEE00BC2FAB53BF6F52AE20B88E71BF1EEE00BC2FAB53BF678C03A9FDAE703FFDE29EA18DB0523F678C03A9FDAE703FFDE29EA18DB0523F678C03A9FDAE703FFDE29EA18DB0523F678C03A9FDAE703FFDE29EA18DB0523F678C03A9FDAE703FFDE29EA18DB0523F678C03A9FDAE703FFDE29EA18DB0523F678C03A9FDAE703FFDE29EA18DB0523F678C03A9FDAE703FFDE29EA18DB0523F1B9A6AA918D95A3F84FED6A483133E3F1B9A6AA918D95A3F84FED6A483133E3F1B9A6AA918D95A3F84FED6A483133E3F1B9A6AA918D95A3F84FED6A483133E3F1B9A6AA918D95A3F84FED6A483133E3F1B9A6AA918D95A3F84FED6A483133E3F1B9A6AA918D95A3F84FED6A483133E3F1B9A6AA918D95A3F84FED6A483133E3F48633C86DDF051BF643028621B1934BF48633C86DDF051BF643028621B1934BF48633C86DDF051BF643028621B1934BF48633C86DDF051BF643028621B1934BF48633C86DDF051BF643028621B1934BF48633C86DDF051BF643028621B1934BF48633C86DDF051BF643028621B1934BF48633C86DDF051BF643028621B1934BF57483A6F77736EBF7315D7EA680E51BF57483A6F77736EBF7315D7EA680E51BF57483A6F77736EBF7315D7EA680E51BF57483A6F77736EBF7315D7EA680E51BF57483A6F77736EBF7315D7EA680E51BF57483A6F77736EBF7315D7EA680E51BF57483A6F77736EBF7315D7EA680E51BF57483A6F77736EBF7315D7EA680E51BFFFB6AFD636E3693F2246C38115004D3FFFB6AFD636E3693F2246C38115004D3FFFB6AFD636E3693F2246C38115004D3FFFB6AFD636E3693F2246C38115004D3FFFB6AFD636E3693F2246C38115004D3FFFB6AFD636E3693F2246C38115004D3FFFB6AFD636E3693F2246C38115004D3FFFB6AFD636E3693F2246C38115004D3F569123C2EFF0623F461FDF90F937453F569123C2EFF0623F461FDF90F937453F569123C2EFF0623F461FDF90F937453F569123C2EFF0623F461FDF90F937453F569123C2EFF0623F461FDF90F937453F569123C2EFF0623F461FDF90F937453F569123C2EFF0623F461FDF90F937453F569123C2EFF0623F461FDF90F937453FFBD76F18E8C44E3FD4E95837023C313FFBD76F18E8C44E3FD4E95837023C313FFBD76F18E8C44E3FD4E95837023C313FFBD76F18E8C44E3FD4E95837023C313FFBD76F18E8C44E3FD4E95837023C313FFBD76F18E8C44E3FD4E95837023C313FFBD76F18E8C44E3FD4E95837023C313FFBD76F18E8C44E3FD4E95837023C313F9D5BEBB0945E73BF370CFAF3D4B255BF9D5BEBB0945E73BF370CFAF3D4B255BF9D5BEBB0945E73BF370CFAF3D4B255BF9D5BEBB0945E73BF370CFAF3D4B255BF9D5BEBB0945E73BF370CFAF3D4B255BF9D5BEBB0945E73BF370CFAF3D4B255BF9D5BEBB0945E73BF370CFAF3D4B255BF9D5BEBB0945E73BF370CFAF3D4B255BF82B3E1CB94E06C3FC6AEDD46BE2C503F82B3E1CB94E06C3FC6AEDD46BE2C503F82B3E1CB94E06C3FC6AEDD46BE2C503F82B3E1CB94E06C3FC6AEDD46BE2C503F82B3E1CB94E06C3FC6AEDD46BE2C503F82B3E1CB94E06C3FC6AEDD46BE2C503F82B3E1CB94E06C3FC6AEDD46BE2C503F82B3E1CB94E06C3FC6AEDD46BE2C503F7FC21183E435533F53448D2C3785353F7FC21183E435533F53448D2C3785353F7FC21183E435533F53448D2C3785353F7FC21183E435533F53448D2C3785353F7FC21183E435533F53448D2C3785353F7FC21183E435533F53448D2C3785353F7FC21183E435533F53448D2C3785353F7FC21183E435533F53448D2C3785353FCCF44D331EEB42BF7DA39CC3723125BFCCF44D331EEB42BF7DA39CC3723125BFCCF44D331EEB42BF7DA39CC3723125BFCCF44D331EEB42BF7DA39CC3723125BFCCF44D331EEB42BF7DA39CC3723125BFCCF44D331EEB42BF7DA39CC3723125BFCCF44D331EEB42BF7DA39CC3723125BFCCF44D331EEB42BF7DA39CC3723125BF735A5D44121A61BF5BE301BB7D2843BF735A5D44121A61BF5BE301BB7D2843BF735A5D44121A61BF5BE301BB7D2843BF735A5D44121A61BF5BE301BB7D2843BF735A5D44121A61BF5BE301BB7D2843BF735A5D44121A61BF5BE301BB7D2843BF735A5D44121A61BF5BE301BB7D2843BF735A5D44121A61BF5BE301BB7D2843BFE8AE86F52679613F4EDEB4390193433FE8AE86F52679613F4EDEB4390193433FE8AE86F52679613F4EDEB4390193433FE8AE86F52679613F4EDEB4390193433FE8AE86F52679613F4EDEB4390193433FE8AE86F52679613F4EDEB4390193433FE8AE86F52679613F4EDEB4390193433FE8AE86F52679613F4EDEB4390193433FC79F08DB1A4B573F19D33BC01A183A3FC79F08DB1A4B573F19D33BC01A183A3FC79F08DB1A4B573F19D33BC01A183A3FC79F08DB1A4B573F19D33BC01A183A3FC79F08DB1A4B573F19D33BC01A183A3FC79F08DB1A4B573F19D33BC01A183A3FC79F08DB1A4B573F19D33BC01A183A3FC79F08DB1A4B573F19D33BC01A183A3FC7992221D56267BF5561969FB2324ABFC7992221D56267BF5561969FB2324ABFC7992221D56267BF5561969FB2324ABFC7992221D56267BF5561969FB2324ABFC7992221D56267BF5561969FB2324ABFC7992221D56267BF5561969FB2324ABFC7992221D56267BF5561969FB2324ABFC7992221D56267BF5561969FB2324ABF6D43CDBD6B7771BFAD350916169153BF6D43CDBD6B7771BFAD350916169153BF6D43CDBD6B7771BFAD350916169153BF6D43CDBD6B7771BFAD350916169153BF6D43CDBD6B7771BFAD350916169153BF6D43CDBD6B7771BFAD350916169153BF6D43CDBD6B7771BFAD350916169153BF6D43CDBD6B7771BFAD350916169153BF"> : tensor<33x4x16xf64>
    %e4 = stablehlo.constant dense<"0x8535960AF6B2B940"> : tensor<f64>
    %r:5 = call @main(%a0, %a1, %a2) : (tensor<2x9xf64>, tensor<7x33x4xf64>, tensor<33xf64>) -> (tensor<33x4x1xf64>, tensor<3xf64>, tensor<77x3xf64>, tensor<33x4x16xf64>, tensor<f64>)
    check.expect_almost_eq %r#0, %e0, tolerance = 1.000000e-07 : tensor<33x4x1xf64>
    check.expect_almost_eq %r#1, %e1, tolerance = 1.137290e-07 : tensor<3xf64>
    check.expect_almost_eq %r#2, %e2, tolerance = 1.000000e-07 : tensor<77x3xf64>
    check.expect_almost_eq %r#3, %e3, tolerance = 1.000000e-07 : tensor<33x4x16xf64>
    check.expect_almost_eq %r#4, %e4, tolerance = 6.578961e-04 : tensor<f64>
    return
  }
}
// -----
// f64 graph, seed 48, number 7
module @jit_results attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x1x16xf64>, %arg1: tensor<6xf64>, %arg2: tensor<2x7x6xf64>) -> (tensor<3x33xf64> {jax.result_info = "result[0]"}, tensor<3x33xf64> {jax.result_info = "result[1]"}, tensor<1x1xf64> {jax.result_info = "result[2]"}, tensor<33xf64> {jax.result_info = "result[3]"}, tensor<f64> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<[2, 1, 0, 1]> : tensor<4xi32>
    %c_0 = stablehlo.constant dense<5> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<[8, 0]> : tensor<2xi32>
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<1x1x16xf64>) -> tensor<1x1x16x4xf64>
    %1 = stablehlo.reshape %0 : (tensor<1x1x16x4xf64>) -> tensor<64xf64>
    %2 = stablehlo.concatenate %1, %1, dim = 0 : (tensor<64xf64>, tensor<64xf64>) -> tensor<128xf64>
    %3 = stablehlo.slice %2 [0:84] : (tensor<128xf64>) -> tensor<84xf64>
    %4 = stablehlo.reshape %3 : (tensor<84xf64>) -> tensor<2x7x6xf64>
    %5 = stablehlo.minimum %arg2, %4 : tensor<2x7x6xf64>
    %6 = stablehlo.maximum %arg2, %4 : tensor<2x7x6xf64>
    %7 = stablehlo.clamp %5, %arg2, %6 : tensor<2x7x6xf64>
    %8 = stablehlo.reshape %arg0 : (tensor<1x1x16xf64>) -> tensor<16xf64>
    %9 = stablehlo.concatenate %8, %8, %8, %8, %8, %8, dim = 0 : (tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>) -> tensor<96xf64>
    %10 = stablehlo.slice %9 [0:84] : (tensor<96xf64>) -> tensor<84xf64>
    %11 = stablehlo.reshape %10 : (tensor<84xf64>) -> tensor<2x7x6xf64>
    %12 = stablehlo.abs %arg2 : tensor<2x7x6xf64>
    %cst = stablehlo.constant dense<3.000000e-01> : tensor<f64>
    %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x7x6xf64>
    %14 = stablehlo.add %12, %13 : tensor<2x7x6xf64>
    %cst_2 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<2x7x6xf64>
    %16 = stablehlo.multiply %11, %15 : tensor<2x7x6xf64>
    %17 = stablehlo.tanh %16 : tensor<2x7x6xf64>
    %18 = stablehlo.power %14, %17 : tensor<2x7x6xf64>
    %cst_3 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<2x7x6xf64>
    %20 = stablehlo.multiply %18, %19 : tensor<2x7x6xf64>
    %21 = stablehlo.tanh %20 : tensor<2x7x6xf64>
    %cst_4 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<f64>
    %23 = "stablehlo.reduce_window"(%arg1, %22) <{base_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %240 = stablehlo.maximum %arg3, %arg4 : tensor<f64>
      stablehlo.return %240 : tensor<f64>
    }) : (tensor<6xf64>, tensor<f64>) -> tensor<3xf64>
    %24 = stablehlo.reverse %arg0, dims = [2] : tensor<1x1x16xf64>
    %25 = call @cumsum(%c) : (tensor<4xi32>) -> tensor<4xi32>
    %c_5 = stablehlo.constant dense<7> : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %27 = stablehlo.remainder %25, %26 : tensor<4xi32>
    %28 = stablehlo.slice %c_0 [0:1] : (tensor<1xi32>) -> tensor<1xi32>
    %29 = stablehlo.reshape %28 : (tensor<1xi32>) -> tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %30 = stablehlo.compare LT, %29, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<3> : tensor<i32>
    %31 = stablehlo.add %29, %c_7 : tensor<i32>
    %32 = stablehlo.select %30, %31, %29 : tensor<i1>, tensor<i32>
    %33 = stablehlo.dynamic_slice %23, %32, sizes = [2] : (tensor<3xf64>, tensor<i32>) -> tensor<2xf64>
    %34 = stablehlo.slice %23 [1:3] : (tensor<3xf64>) -> tensor<2xf64>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %35 = stablehlo.compare LT, %29, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_9 = stablehlo.constant dense<3> : tensor<i32>
    %36 = stablehlo.add %29, %c_9 : tensor<i32>
    %37 = stablehlo.select %35, %36, %29 : tensor<i1>, tensor<i32>
    %38 = stablehlo.dynamic_update_slice %23, %34, %37 : (tensor<3xf64>, tensor<2xf64>, tensor<i32>) -> tensor<3xf64>
    %39 = stablehlo.minimum %23, %23 : tensor<3xf64>
    %40 = stablehlo.maximum %23, %23 : tensor<3xf64>
    %41 = stablehlo.clamp %39, %38, %40 : tensor<3xf64>
    %42 = stablehlo.slice %38 [0:2:2] : (tensor<3xf64>) -> tensor<1xf64>
    %43 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %cst_10 = stablehlo.constant dense<5.000000e+00> : tensor<f64>
    %44 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %45 = stablehlo.multiply %33, %44 : tensor<2xf64>
    %cst_11 = stablehlo.constant dense<1.230000e-01> : tensor<f64>
    %46 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %47 = stablehlo.add %45, %46 : tensor<2xf64>
    %48 = stablehlo.convert %47 : (tensor<2xf64>) -> tensor<2xi32>
    %49 = stablehlo.concatenate %23, %41, dim = 0 : (tensor<3xf64>, tensor<3xf64>) -> tensor<6xf64>
    %50 = call @cummax(%42) : (tensor<1xf64>) -> tensor<1xf64>
    %cst_12 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %51 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %52 = stablehlo.multiply %50, %51 : tensor<1xf64>
    %53 = stablehlo.tanh %52 : tensor<1xf64>
    %54 = stablehlo.reverse %49, dims = [0] : tensor<6xf64>
    %55 = call @cummin(%33) : (tensor<2xf64>) -> tensor<2xf64>
    %cst_13 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %56 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %57 = stablehlo.multiply %55, %56 : tensor<2xf64>
    %58 = stablehlo.tanh %57 : tensor<2xf64>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %59 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f64>) -> tensor<f64>
    %60 = "stablehlo.reduce_window"(%41, %59) <{base_dilations = array<i64: 1>, padding = dense<[[0, 1]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %240 = stablehlo.add %arg3, %arg4 : tensor<f64>
      stablehlo.return %240 : tensor<f64>
    }) : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
    %cst_15 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %61 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %62 = stablehlo.multiply %60, %61 : tensor<3xf64>
    %63 = stablehlo.tanh %62 : tensor<3xf64>
    %64 = stablehlo.reshape %42 : (tensor<1xf64>) -> tensor<f64>
    %65 = stablehlo.broadcast_in_dim %64, dims = [] : (tensor<f64>) -> tensor<2x6x4xf64>
    %66 = stablehlo.dot_general %7, %65, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x7x6xf64>, tensor<2x6x4xf64>) -> tensor<2x7x4xf64>
    %cst_16 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %67 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f64>) -> tensor<2x7x4xf64>
    %68 = stablehlo.multiply %66, %67 : tensor<2x7x4xf64>
    %69 = stablehlo.tanh %68 : tensor<2x7x4xf64>
    %70 = stablehlo.reshape %69 : (tensor<2x7x4xf64>) -> tensor<56xf64>
    %71 = stablehlo.slice %70 [55:56] : (tensor<56xf64>) -> tensor<1xf64>
    %72 = stablehlo.iota dim = 0 : tensor<2xf64>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %73 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f64>) -> tensor<2x1xf64>
    %c_18 = stablehlo.constant dense<0> : tensor<i64>
    %74:5 = stablehlo.while(%iterArg = %72, %iterArg_80 = %71, %iterArg_81 = %c_18, %iterArg_82 = %42, %iterArg_83 = %73) : tensor<2xf64>, tensor<1xf64>, tensor<i64>, tensor<1xf64>, tensor<2x1xf64>
    cond {
      %c_84 = stablehlo.constant dense<2> : tensor<i64>
      %240 = stablehlo.compare LT, %iterArg_81, %c_84, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %240 : tensor<i1>
    } do {
      %240 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_81) : (tensor<2xf64>, tensor<i64>) -> tensor<f64>
      %241:2 = func.call @closed_call(%iterArg_80, %iterArg_82, %240) : (tensor<1xf64>, tensor<1xf64>, tensor<f64>) -> (tensor<1xf64>, tensor<1xf64>)
      %242 = func.call @dynamic_update_index_in_dim(%iterArg_83, %241#1, %iterArg_81) : (tensor<2x1xf64>, tensor<1xf64>, tensor<i64>) -> tensor<2x1xf64>
      %c_84 = stablehlo.constant dense<1> : tensor<i64>
      %243 = stablehlo.add %iterArg_81, %c_84 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_80, %243, %241#0, %242 : tensor<2xf64>, tensor<1xf64>, tensor<i64>, tensor<1xf64>, tensor<2x1xf64>
    }
    %cst_19 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %75 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f64>) -> tensor<2x1xf64>
    %76 = stablehlo.multiply %74#4, %75 : tensor<2x1xf64>
    %77 = stablehlo.tanh %76 : tensor<2x1xf64>
    %78 = stablehlo.slice %74#3 [0:1] : (tensor<1xf64>) -> tensor<1xf64>
    %79 = stablehlo.reshape %78 : (tensor<1xf64>) -> tensor<f64>
    %80 = stablehlo.pad %69, %79, low = [-1, 2, -1], high = [2, -1, 0], interior = [1, 0, 1] : (tensor<2x7x4xf64>, tensor<f64>) -> tensor<4x8x6xf64>
    %81 = stablehlo.reverse %77, dims = [0] : tensor<2x1xf64>
    %82 = stablehlo.reshape %80 : (tensor<4x8x6xf64>) -> tensor<192xf64>
    %83 = stablehlo.slice %82 [190:192] : (tensor<192xf64>) -> tensor<2xf64>
    %84 = stablehlo.reshape %83 : (tensor<2xf64>) -> tensor<1x2xf64>
    %85 = stablehlo.dot_general %81, %84, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x1xf64>, tensor<1x2xf64>) -> tensor<2x2xf64>
    %cst_20 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %86 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<2x2xf64>
    %87 = stablehlo.multiply %85, %86 : tensor<2x2xf64>
    %88 = stablehlo.tanh %87 : tensor<2x2xf64>
    %89 = "stablehlo.sort"(%81) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %240 = stablehlo.compare EQ, %arg3, %cst_80, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %241 = stablehlo.select %240, %cst_81, %arg3 : tensor<i1>, tensor<f64>
      %242 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_82 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %243 = stablehlo.select %242, %cst_82, %241 : tensor<i1>, tensor<f64>
      %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %244 = stablehlo.compare EQ, %arg4, %cst_83, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %245 = stablehlo.select %244, %cst_84, %arg4 : tensor<i1>, tensor<f64>
      %246 = stablehlo.compare NE, %arg4, %arg4, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_85 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %247 = stablehlo.select %246, %cst_85, %245 : tensor<i1>, tensor<f64>
      %248 = stablehlo.compare LT, %243, %247, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %248 : tensor<i1>
    }) : (tensor<2x1xf64>) -> tensor<2x1xf64>
    %90 = stablehlo.reverse %89, dims = [0] : tensor<2x1xf64>
    %91 = stablehlo.slice %c_1 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
    %92 = stablehlo.reshape %91 : (tensor<1xi32>) -> tensor<i32>
    %93 = stablehlo.slice %c_1 [1:2] : (tensor<2xi32>) -> tensor<1xi32>
    %94 = stablehlo.reshape %93 : (tensor<1xi32>) -> tensor<i32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %95 = stablehlo.compare LT, %92, %c_21, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_22 = stablehlo.constant dense<2> : tensor<i32>
    %96 = stablehlo.add %92, %c_22 : tensor<i32>
    %97 = stablehlo.select %95, %96, %92 : tensor<i1>, tensor<i32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %98 = stablehlo.compare LT, %94, %c_23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_24 = stablehlo.constant dense<1> : tensor<i32>
    %99 = stablehlo.add %94, %c_24 : tensor<i32>
    %100 = stablehlo.select %98, %99, %94 : tensor<i1>, tensor<i32>
    %101 = stablehlo.dynamic_slice %77, %97, %100, sizes = [2, 1] : (tensor<2x1xf64>, tensor<i32>, tensor<i32>) -> tensor<2x1xf64>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %102 = stablehlo.compare LT, %94, %c_25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_26 = stablehlo.constant dense<2> : tensor<i32>
    %103 = stablehlo.add %94, %c_26 : tensor<i32>
    %104 = stablehlo.select %102, %103, %94 : tensor<i1>, tensor<i32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %105 = stablehlo.compare LT, %92, %c_27, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_28 = stablehlo.constant dense<1> : tensor<i32>
    %106 = stablehlo.add %92, %c_28 : tensor<i32>
    %107 = stablehlo.select %105, %106, %92 : tensor<i1>, tensor<i32>
    %108 = stablehlo.dynamic_update_slice %77, %77, %104, %107 : (tensor<2x1xf64>, tensor<2x1xf64>, tensor<i32>, tensor<i32>) -> tensor<2x1xf64>
    %109 = stablehlo.reshape %108 : (tensor<2x1xf64>) -> tensor<2xf64>
    %110 = stablehlo.slice %109 [0:2] : (tensor<2xf64>) -> tensor<2xf64>
    %111 = stablehlo.reshape %110 : (tensor<2xf64>) -> tensor<2x1xf64>
    %112 = stablehlo.minimum %77, %111 : tensor<2x1xf64>
    %113 = stablehlo.maximum %77, %111 : tensor<2x1xf64>
    %114 = stablehlo.clamp %112, %77, %113 : tensor<2x1xf64>
    %115 = call @cummax_1(%101) : (tensor<2x1xf64>) -> tensor<2x1xf64>
    %cst_29 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %116 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f64>) -> tensor<2x1xf64>
    %117 = stablehlo.multiply %115, %116 : tensor<2x1xf64>
    %118 = stablehlo.tanh %117 : tensor<2x1xf64>
    %119 = stablehlo.reverse %114, dims = [1] : tensor<2x1xf64>
    %120 = "stablehlo.sort"(%119) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %240 = stablehlo.compare EQ, %arg3, %cst_80, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %241 = stablehlo.select %240, %cst_81, %arg3 : tensor<i1>, tensor<f64>
      %242 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_82 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %243 = stablehlo.select %242, %cst_82, %241 : tensor<i1>, tensor<f64>
      %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %244 = stablehlo.compare EQ, %arg4, %cst_83, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %245 = stablehlo.select %244, %cst_84, %arg4 : tensor<i1>, tensor<f64>
      %246 = stablehlo.compare NE, %arg4, %arg4, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %cst_85 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
      %247 = stablehlo.select %246, %cst_85, %245 : tensor<i1>, tensor<f64>
      %248 = stablehlo.compare LT, %243, %247, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %248 : tensor<i1>
    }) : (tensor<2x1xf64>) -> tensor<2x1xf64>
    %121 = stablehlo.slice %27 [0:3] : (tensor<4xi32>) -> tensor<3xi32>
    %122 = stablehlo.abs %121 : tensor<3xi32>
    %c_30 = stablehlo.constant dense<2> : tensor<i32>
    %123 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %124 = stablehlo.remainder %122, %123 : tensor<3xi32>
    %125 = call @_take(%120, %124) : (tensor<2x1xf64>, tensor<3xi32>) -> tensor<3x1xf64>
    %126 = stablehlo.reshape %125 : (tensor<3x1xf64>) -> tensor<3xf64>
    %127 = stablehlo.concatenate %126, %126, %126, %126, %126, %126, %126, %126, %126, %126, %126, dim = 0 : (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> tensor<33xf64>
    %128 = stablehlo.slice %127 [0:33] : (tensor<33xf64>) -> tensor<33xf64>
    %129 = stablehlo.reshape %128 : (tensor<33xf64>) -> tensor<1x33xf64>
    %130 = stablehlo.dot_general %125, %129, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x1xf64>, tensor<1x33xf64>) -> tensor<3x33xf64>
    %cst_31 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %131 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f64>) -> tensor<3x33xf64>
    %132 = stablehlo.multiply %130, %131 : tensor<3x33xf64>
    %133 = stablehlo.tanh %132 : tensor<3x33xf64>
    %134 = stablehlo.slice %27 [0:4] : (tensor<4xi32>) -> tensor<4xi32>
    %135 = stablehlo.abs %134 : tensor<4xi32>
    %c_32 = stablehlo.constant dense<3> : tensor<i32>
    %136 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %137 = stablehlo.remainder %135, %136 : tensor<4xi32>
    %138 = stablehlo.reshape %133 : (tensor<3x33xf64>) -> tensor<99xf64>
    %139 = stablehlo.concatenate %138, %138, dim = 0 : (tensor<99xf64>, tensor<99xf64>) -> tensor<198xf64>
    %140 = stablehlo.slice %139 [0:132] : (tensor<198xf64>) -> tensor<132xf64>
    %141 = stablehlo.reshape %140 : (tensor<132xf64>) -> tensor<4x33xf64>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %142 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %143 = stablehlo.compare LT, %137, %142, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_34 = stablehlo.constant dense<3> : tensor<i32>
    %144 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %145 = stablehlo.add %137, %144 : tensor<4xi32>
    %146 = stablehlo.select %143, %145, %137 : tensor<4xi1>, tensor<4xi32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %148 = "stablehlo.scatter"(%133, %147, %141) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %240 = stablehlo.add %arg3, %arg4 : tensor<f64>
      stablehlo.return %240 : tensor<f64>
    }) : (tensor<3x33xf64>, tensor<4x1xi32>, tensor<4x33xf64>) -> tensor<3x33xf64>
    %cst_35 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %149 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f64>) -> tensor<3x33xf64>
    %150 = stablehlo.multiply %148, %149 : tensor<3x33xf64>
    %151 = stablehlo.tanh %150 : tensor<3x33xf64>
    %152 = stablehlo.slice %118 [1:2:2, 0:1:2] : (tensor<2x1xf64>) -> tensor<1x1xf64>
    %cst_36 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %153 = stablehlo.reduce(%133 init: %cst_36) applies stablehlo.minimum across dimensions = [0] : (tensor<3x33xf64>, tensor<f64>) -> tensor<33xf64>
    %cst_37 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %154 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f64>) -> tensor<33xf64>
    %155 = stablehlo.multiply %153, %154 : tensor<33xf64>
    %156 = stablehlo.tanh %155 : tensor<33xf64>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %157 = stablehlo.reduce(%0 init: %cst_38) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<1x1x16x4xf64>, tensor<f64>) -> tensor<f64>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %158 = stablehlo.add %cst_39, %157 : tensor<f64>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %159 = stablehlo.reduce(%7 init: %cst_40) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x7x6xf64>, tensor<f64>) -> tensor<f64>
    %160 = stablehlo.add %158, %159 : tensor<f64>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %161 = stablehlo.reduce(%21 init: %cst_41) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x7x6xf64>, tensor<f64>) -> tensor<f64>
    %162 = stablehlo.add %160, %161 : tensor<f64>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %163 = stablehlo.reduce(%23 init: %cst_42) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %164 = stablehlo.add %162, %163 : tensor<f64>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %165 = stablehlo.reduce(%24 init: %cst_43) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x16xf64>, tensor<f64>) -> tensor<f64>
    %166 = stablehlo.add %164, %165 : tensor<f64>
    %167 = stablehlo.convert %27 : (tensor<4xi32>) -> tensor<4xf64>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %168 = stablehlo.reduce(%167 init: %cst_44) applies stablehlo.add across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
    %169 = stablehlo.add %166, %168 : tensor<f64>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %170 = stablehlo.reduce(%33 init: %cst_45) applies stablehlo.add across dimensions = [0] : (tensor<2xf64>, tensor<f64>) -> tensor<f64>
    %171 = stablehlo.add %169, %170 : tensor<f64>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %172 = stablehlo.reduce(%38 init: %cst_46) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %173 = stablehlo.add %171, %172 : tensor<f64>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %174 = stablehlo.reduce(%41 init: %cst_47) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %175 = stablehlo.add %173, %174 : tensor<f64>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %176 = stablehlo.reduce(%42 init: %cst_48) applies stablehlo.add across dimensions = [0] : (tensor<1xf64>, tensor<f64>) -> tensor<f64>
    %177 = stablehlo.add %175, %176 : tensor<f64>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %178 = stablehlo.reduce(%43 init: %cst_49) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x1xf64>, tensor<f64>) -> tensor<f64>
    %179 = stablehlo.add %177, %178 : tensor<f64>
    %180 = stablehlo.convert %48 : (tensor<2xi32>) -> tensor<2xf64>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %181 = stablehlo.reduce(%180 init: %cst_50) applies stablehlo.add across dimensions = [0] : (tensor<2xf64>, tensor<f64>) -> tensor<f64>
    %182 = stablehlo.add %179, %181 : tensor<f64>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %183 = stablehlo.reduce(%49 init: %cst_51) applies stablehlo.add across dimensions = [0] : (tensor<6xf64>, tensor<f64>) -> tensor<f64>
    %184 = stablehlo.add %182, %183 : tensor<f64>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %185 = stablehlo.reduce(%53 init: %cst_52) applies stablehlo.add across dimensions = [0] : (tensor<1xf64>, tensor<f64>) -> tensor<f64>
    %186 = stablehlo.add %184, %185 : tensor<f64>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %187 = stablehlo.reduce(%54 init: %cst_53) applies stablehlo.add across dimensions = [0] : (tensor<6xf64>, tensor<f64>) -> tensor<f64>
    %188 = stablehlo.add %186, %187 : tensor<f64>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %189 = stablehlo.reduce(%58 init: %cst_54) applies stablehlo.add across dimensions = [0] : (tensor<2xf64>, tensor<f64>) -> tensor<f64>
    %190 = stablehlo.add %188, %189 : tensor<f64>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %191 = stablehlo.reduce(%42 init: %cst_55) applies stablehlo.add across dimensions = [0] : (tensor<1xf64>, tensor<f64>) -> tensor<f64>
    %192 = stablehlo.add %190, %191 : tensor<f64>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %193 = stablehlo.reduce(%63 init: %cst_56) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %194 = stablehlo.add %192, %193 : tensor<f64>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %195 = stablehlo.reduce(%69 init: %cst_57) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x7x4xf64>, tensor<f64>) -> tensor<f64>
    %196 = stablehlo.add %194, %195 : tensor<f64>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %197 = stablehlo.reduce(%74#3 init: %cst_58) applies stablehlo.add across dimensions = [0] : (tensor<1xf64>, tensor<f64>) -> tensor<f64>
    %198 = stablehlo.add %196, %197 : tensor<f64>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %199 = stablehlo.reduce(%77 init: %cst_59) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x1xf64>, tensor<f64>) -> tensor<f64>
    %200 = stablehlo.add %198, %199 : tensor<f64>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %201 = stablehlo.reduce(%80 init: %cst_60) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x8x6xf64>, tensor<f64>) -> tensor<f64>
    %202 = stablehlo.add %200, %201 : tensor<f64>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %203 = stablehlo.reduce(%81 init: %cst_61) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x1xf64>, tensor<f64>) -> tensor<f64>
    %204 = stablehlo.add %202, %203 : tensor<f64>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %205 = stablehlo.reduce(%88 init: %cst_62) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2xf64>, tensor<f64>) -> tensor<f64>
    %206 = stablehlo.add %204, %205 : tensor<f64>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %207 = stablehlo.reduce(%89 init: %cst_63) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x1xf64>, tensor<f64>) -> tensor<f64>
    %208 = stablehlo.add %206, %207 : tensor<f64>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %209 = stablehlo.reduce(%90 init: %cst_64) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x1xf64>, tensor<f64>) -> tensor<f64>
    %210 = stablehlo.add %208, %209 : tensor<f64>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %211 = stablehlo.reduce(%101 init: %cst_65) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x1xf64>, tensor<f64>) -> tensor<f64>
    %212 = stablehlo.add %210, %211 : tensor<f64>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %213 = stablehlo.reduce(%108 init: %cst_66) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x1xf64>, tensor<f64>) -> tensor<f64>
    %214 = stablehlo.add %212, %213 : tensor<f64>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %215 = stablehlo.reduce(%114 init: %cst_67) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x1xf64>, tensor<f64>) -> tensor<f64>
    %216 = stablehlo.add %214, %215 : tensor<f64>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %217 = stablehlo.reduce(%118 init: %cst_68) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x1xf64>, tensor<f64>) -> tensor<f64>
    %218 = stablehlo.add %216, %217 : tensor<f64>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %219 = stablehlo.reduce(%119 init: %cst_69) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x1xf64>, tensor<f64>) -> tensor<f64>
    %220 = stablehlo.add %218, %219 : tensor<f64>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %221 = stablehlo.reduce(%120 init: %cst_70) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x1xf64>, tensor<f64>) -> tensor<f64>
    %222 = stablehlo.add %220, %221 : tensor<f64>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %223 = stablehlo.reduce(%125 init: %cst_71) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x1xf64>, tensor<f64>) -> tensor<f64>
    %224 = stablehlo.add %222, %223 : tensor<f64>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %225 = stablehlo.reduce(%133 init: %cst_72) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x33xf64>, tensor<f64>) -> tensor<f64>
    %226 = stablehlo.add %224, %225 : tensor<f64>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %227 = stablehlo.reduce(%151 init: %cst_73) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x33xf64>, tensor<f64>) -> tensor<f64>
    %228 = stablehlo.add %226, %227 : tensor<f64>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %229 = stablehlo.reduce(%152 init: %cst_74) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1xf64>, tensor<f64>) -> tensor<f64>
    %230 = stablehlo.add %228, %229 : tensor<f64>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %231 = stablehlo.reduce(%156 init: %cst_75) applies stablehlo.add across dimensions = [0] : (tensor<33xf64>, tensor<f64>) -> tensor<f64>
    %232 = stablehlo.add %230, %231 : tensor<f64>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %233 = stablehlo.reduce(%arg0 init: %cst_76) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x16xf64>, tensor<f64>) -> tensor<f64>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %234 = stablehlo.add %cst_77, %233 : tensor<f64>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %235 = stablehlo.reduce(%arg1 init: %cst_78) applies stablehlo.add across dimensions = [0] : (tensor<6xf64>, tensor<f64>) -> tensor<f64>
    %236 = stablehlo.add %234, %235 : tensor<f64>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %237 = stablehlo.reduce(%arg2 init: %cst_79) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x7x6xf64>, tensor<f64>) -> tensor<f64>
    %238 = stablehlo.add %236, %237 : tensor<f64>
    %239 = stablehlo.add %232, %238 : tensor<f64>
    return %133, %151, %152, %156, %239 : tensor<3x33xf64>, tensor<3x33xf64>, tensor<1x1xf64>, tensor<33xf64>, tensor<f64>
  }
  func.func private @cumsum(%arg0: tensor<4xi32>) -> tensor<4xi32> {
    %0 = call @cumsum_0(%arg0) : (tensor<4xi32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
  func.func private @cumsum_0(%arg0: tensor<4xi32>) -> tensor<4xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 4>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func private @cummax(%arg0: tensor<1xf64>) -> tensor<1xf64> {
    %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<f64>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 1>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %2 = stablehlo.maximum %arg1, %arg2 : tensor<f64>
      stablehlo.return %2 : tensor<f64>
    }) : (tensor<1xf64>, tensor<f64>) -> tensor<1xf64>
    return %1 : tensor<1xf64>
  }
  func.func private @cummin(%arg0: tensor<2xf64>) -> tensor<2xf64> {
    %cst = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<f64>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %2 = stablehlo.minimum %arg1, %arg2 : tensor<f64>
      stablehlo.return %2 : tensor<f64>
    }) : (tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
    return %1 : tensor<2xf64>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2xf64>, %arg1: tensor<i64>) -> tensor<f64> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<2xf64>, tensor<i64>) -> tensor<1xf64>
    %1 = stablehlo.reshape %0 : (tensor<1xf64>) -> tensor<f64>
    return %1 : tensor<f64>
  }
  func.func private @closed_call(%arg0: tensor<1xf64>, %arg1: tensor<1xf64>, %arg2: tensor<f64>) -> (tensor<1xf64>, tensor<1xf64>) {
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %1 = stablehlo.multiply %arg1, %0 : tensor<1xf64>
    %2 = stablehlo.subtract %1, %arg0 : tensor<1xf64>
    %cst_0 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %4 = stablehlo.multiply %2, %3 : tensor<1xf64>
    %5 = stablehlo.tanh %4 : tensor<1xf64>
    %6 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %7 = stablehlo.add %arg1, %6 : tensor<1xf64>
    return %5, %7 : tensor<1xf64>, tensor<1xf64>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x1xf64>, %arg1: tensor<1xf64>, %arg2: tensor<i64>) -> tensor<2x1xf64> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<1xf64>) -> tensor<1x1xf64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<2x1xf64>, tensor<1x1xf64>, tensor<i64>, tensor<i64>) -> tensor<2x1xf64>
    return %1 : tensor<2x1xf64>
  }
  func.func private @cummax_1(%arg0: tensor<2x1xf64>) -> tensor<2x1xf64> {
    %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<f64>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %2 = stablehlo.maximum %arg1, %arg2 : tensor<f64>
      stablehlo.return %2 : tensor<f64>
    }) : (tensor<2x1xf64>, tensor<f64>) -> tensor<2x1xf64>
    return %1 : tensor<2x1xf64>
  }
  func.func private @_take(%arg0: tensor<2x1xf64>, %arg1: tensor<3xi32>) -> tensor<3x1xf64> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x1xf64>, tensor<3x1xi32>) -> tensor<3x1xf64>
    return %1 : tensor<3x1xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xAAF373431AF9FA3FE4A5721BDB1DE73FEABD998DD743F83FFE6E0DEEBAC3F13FC8DFCE6FBFB2E63FA685DBECEDF3F1BF308B71B97E23D63FCC6363F8FF0DFD3F4801CA400E15FDBF16C8A31B9E90FE3F0C2D7AE16AA9FABFE696E1951827F83F74167382F80CEABF8296FA91C6AEF23F0A3D7660DE50F6BFF6FE08143CC3F4BF"> : tensor<1x1x16xf64>
    %a1 = stablehlo.constant dense<"0x207C455B68A3D43FC0C917E8479EFCBF18315A266E5CDE3F7854BCB1708CF5BFA86929AC57F8DA3F72B5681C9DE1FCBF"> : tensor<6xf64>
    %a2 = stablehlo.constant dense<"0xC0ABB37EDD71D0BF886C70E0207FD53F84578F4D6EF1FEBF42B30D642BD6F5BF40282F0B851EF23F500D5DC1489ED03F9026F7191904D63F5E685DC9FA14F8BFEC185FBC0352F7BFA8B8AFA4CD8EDD3F0EECB9568924F53FE8726A67D6C3F9BFF6EB1891763DF0BFDCEBACFDE52BE93FC48E13434892F33F6083D41C9D45FFBF5CE5F8BCC535E2BF7017D4508CB9E13F7800A6B643ABDCBF004204402137C4BF342C707DD0F2E3BF940AF4A20202E4BF54D164D022C8E43F30FA03A58202EB3F009FAD1DAFC9FA3F5C86C9F236AFEFBF88BCFCA27255E7BF706D198965EBC23F989D0DC3E46FFABF2A110F15EFEAF9BF28F41277B48DF13F92EC66CDCB10F6BF004E1D1D4AA277BFE8EADA219735DF3FB81400BCDAA8F6BF9662AF1C3B0DF1BF90C738F4294ADBBF38D3F5CEB4C3F4BF0042DE3EF07CA1BFB0F23E14E4A1F9BF8E6956B92770F03FE06763E97975BABFDCCB69D483B5E5BF0CA6721C8635FBBF989894883778DFBF122D5C89E6C5FA3FA04C525CF103E93FB0477F5BC3E4E7BF90FDAE4ED594DFBFDC397F79FE10F53FC4F30AF778E1F9BF6ED3FD258471F4BF28E685CDBD3EE9BFFA25B275871FF0BFB6EED52FBEA2FEBFB44E0D9CF0ECF0BF66D5224CB462F1BFE44F90EC0C17EFBFB0149C7861AAEF3F962C53A22E5AF3BF189622D29D0CF1BF60B7775500E7D63FD685B422469FF73F203765BC8BB9B03F7E9E9A8E26F7FDBF6E255F1BECA9F53F007A1453BD36963F78E4A2DE7F3DD73FC877A5AA31CFE7BFF01C4CFF9863C13FC8E1D32EB099FDBF60269D5AAF5CF4BFA8E64C549A48E5BF902D534DA601F23FA42978363107E83FC0D622AB4209D5BF86C55063A41DFA3F007A0DEEB751F23F02E60CD755C3FDBF00778E37D834ADBFB61507F04E8AFDBFF42DF297E67CE2BF3E90AB835AAFF9BF92D3D1DBA08EF8BF"> : tensor<2x7x6xf64>
    %e0 = stablehlo.constant dense<"0xEA763EA7D0F57A3F763465319B8B9B3F763465319B8B9B3FEA763EA7D0F57A3F763465319B8B9B3F763465319B8B9B3FEA763EA7D0F57A3F763465319B8B9B3F763465319B8B9B3FEA763EA7D0F57A3F763465319B8B9B3F763465319B8B9B3FEA763EA7D0F57A3F763465319B8B9B3F763465319B8B9B3FEA763EA7D0F57A3F763465319B8B9B3F763465319B8B9B3FEA763EA7D0F57A3F763465319B8B9B3F763465319B8B9B3FEA763EA7D0F57A3F763465319B8B9B3F763465319B8B9B3FEA763EA7D0F57A3F763465319B8B9B3F763465319B8B9B3FEA763EA7D0F57A3F763465319B8B9B3F763465319B8B9B3FEA763EA7D0F57A3F763465319B8B9B3F763465319B8B9B3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F763465319B8B9B3F22344ECA180BBC3F22344ECA180BBC3F"> : tensor<3x33xf64>
    %e1 = stablehlo.constant dense<"0x799774513CBA983F3435FF36B51BB93F3435FF36B51BB93F799774513CBA983F3435FF36B51BB93F3435FF36B51BB93F799774513CBA983F3435FF36B51BB93F3435FF36B51BB93F799774513CBA983F3435FF36B51BB93F3435FF36B51BB93F799774513CBA983F3435FF36B51BB93F3435FF36B51BB93F799774513CBA983F3435FF36B51BB93F3435FF36B51BB93F799774513CBA983F3435FF36B51BB93F3435FF36B51BB93F799774513CBA983F3435FF36B51BB93F3435FF36B51BB93F799774513CBA983F3435FF36B51BB93F3435FF36B51BB93F799774513CBA983F3435FF36B51BB93F3435FF36B51BB93F799774513CBA983F3435FF36B51BB93F3435FF36B51BB93FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3FBC86A96B3A6D8B3FB363EF1A81EAAB3FB363EF1A81EAAB3F"> : tensor<3x33xf64>
    %e2 = stablehlo.constant dense<"0xC949EE4BFA75CA3F"> : tensor<1x1xf64>
    %e3 = stablehlo.constant dense<"0xC97EE5747091653F2A674F391109863F2A674F391109863FC97EE5747091653F2A674F391109863F2A674F391109863FC97EE5747091653F2A674F391109863F2A674F391109863FC97EE5747091653F2A674F391109863F2A674F391109863FC97EE5747091653F2A674F391109863F2A674F391109863FC97EE5747091653F2A674F391109863F2A674F391109863FC97EE5747091653F2A674F391109863F2A674F391109863FC97EE5747091653F2A674F391109863F2A674F391109863FC97EE5747091653F2A674F391109863F2A674F391109863FC97EE5747091653F2A674F391109863F2A674F391109863FC97EE5747091653F2A674F391109863F2A674F391109863F"> : tensor<33xf64>
    %e4 = stablehlo.constant dense<"0xB1EC3BB940AE5C40"> : tensor<f64>
    %r:5 = call @main(%a0, %a1, %a2) : (tensor<1x1x16xf64>, tensor<6xf64>, tensor<2x7x6xf64>) -> (tensor<3x33xf64>, tensor<3x33xf64>, tensor<1x1xf64>, tensor<33xf64>, tensor<f64>)
    check.expect_almost_eq %r#0, %e0, tolerance = 1.000000e-07 : tensor<3x33xf64>
    check.expect_almost_eq %r#1, %e1, tolerance = 1.000000e-07 : tensor<3x33xf64>
    check.expect_almost_eq %r#2, %e2, tolerance = 1.000000e-07 : tensor<1x1xf64>
    check.expect_almost_eq %r#3, %e3, tolerance = 1.000000e-07 : tensor<33xf64>
    check.expect_almost_eq %r#4, %e4, tolerance = 1.147227e-05 : tensor<f64>
    return
  }
}
