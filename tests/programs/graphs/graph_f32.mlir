// f32 graph, seed 48, number 0
module @jit_results attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x6xf32>, %arg1: tensor<f32>, %arg2: tensor<33x7xf32>) -> (tensor<1x7x7xf32> {jax.result_info = "result[0]"}, tensor<2x7x7xf32> {jax.result_info = "result[1]"}, tensor<2x3x6xf32> {jax.result_info = "result[2]"}, tensor<2x7x7xf32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<[2, 1, 2, 4]> : tensor<4xi32>
    %c_0 = stablehlo.constant dense<[2, 2, 3]> : tensor<3xi32>
    %c_1 = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
    %c_2 = stablehlo.constant dense<[8, 4, 4]> : tensor<3xi32>
    %0 = call @cumsum(%arg2) : (tensor<33x7xf32>) -> tensor<33x7xf32>
    %cst = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<33x7xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<33x7xf32>
    %3 = stablehlo.tanh %2 : tensor<33x7xf32>
    %4 = stablehlo.reshape %arg0 : (tensor<7x6xf32>) -> tensor<14x3xf32>
    %5 = stablehlo.reshape %4 : (tensor<14x3xf32>) -> tensor<42xf32>
    %6 = stablehlo.slice %5 [0:42] : (tensor<42xf32>) -> tensor<42xf32>
    %7 = stablehlo.reshape %6 : (tensor<42xf32>) -> tensor<6x7xf32>
    %8 = stablehlo.dot_general %arg0, %7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<7x6xf32>, tensor<6x7xf32>) -> tensor<7x7xf32>
    %cst_3 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<7x7xf32>
    %11 = stablehlo.tanh %10 : tensor<7x7xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<7x7xf32>, tensor<f32>) -> tensor<7xf32>
    %cst_5 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %14 = stablehlo.multiply %12, %13 : tensor<7xf32>
    %15 = stablehlo.tanh %14 : tensor<7xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<7xf32>) -> tensor<7x4xf32>
    %17 = stablehlo.minimum %11, %11 : tensor<7x7xf32>
    %18 = stablehlo.maximum %11, %11 : tensor<7x7xf32>
    %19 = stablehlo.clamp %17, %11, %18 : tensor<7x7xf32>
    %20 = stablehlo.broadcast_in_dim %11, dims = [0, 2] : (tensor<7x7xf32>) -> tensor<7x4x7xf32>
    %21 = call @cumsum_0(%c) : (tensor<4xi32>) -> tensor<4xi32>
    %c_6 = stablehlo.constant dense<7> : tensor<i32>
    %22 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %23 = stablehlo.remainder %21, %22 : tensor<4xi32>
    %24 = stablehlo.reshape %19 : (tensor<7x7xf32>) -> tensor<49xf32>
    %25 = stablehlo.slice %24 [28:49] : (tensor<49xf32>) -> tensor<21xf32>
    %26 = stablehlo.reshape %25 : (tensor<21xf32>) -> tensor<3x7xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %28 = stablehlo.compare LT, %c_0, %27, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_8 = stablehlo.constant dense<7> : tensor<i32>
    %29 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %30 = stablehlo.add %c_0, %29 : tensor<3xi32>
    %31 = stablehlo.select %28, %30, %c_0 : tensor<3xi1>, tensor<3xi32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %33 = "stablehlo.scatter"(%19, %32, %26) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %178 = stablehlo.maximum %arg3, %arg4 : tensor<f32>
      stablehlo.return %178 : tensor<f32>
    }) : (tensor<7x7xf32>, tensor<3x1xi32>, tensor<3x7xf32>) -> tensor<7x7xf32>
    %cst_9 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %35 = stablehlo.multiply %33, %34 : tensor<7x7xf32>
    %36 = stablehlo.tanh %35 : tensor<7x7xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<f32>
    %38 = "stablehlo.reduce_window"(%20, %37) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<0> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 2>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %178 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %178 : tensor<f32>
    }) : (tensor<7x4x7xf32>, tensor<f32>) -> tensor<7x4x3xf32>
    %cst_11 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<7x4x3xf32>
    %40 = stablehlo.multiply %38, %39 : tensor<7x4x3xf32>
    %41 = stablehlo.tanh %40 : tensor<7x4x3xf32>
    %42 = stablehlo.multiply %19, %11 : tensor<7x7xf32>
    %cst_12 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %44 = stablehlo.multiply %42, %43 : tensor<7x7xf32>
    %45 = stablehlo.tanh %44 : tensor<7x7xf32>
    %46 = stablehlo.reshape %45 : (tensor<7x7xf32>) -> tensor<49xf32>
    %47 = stablehlo.slice %46 [35:49] : (tensor<49xf32>) -> tensor<14xf32>
    %48 = stablehlo.reshape %47 : (tensor<14xf32>) -> tensor<2x7x1xf32>
    %49 = stablehlo.convolution(%20, %48) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<7x4x7xf32>, tensor<2x7x1xf32>) -> tensor<7x2x1xf32>
    %cst_13 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<7x2x1xf32>
    %51 = stablehlo.multiply %49, %50 : tensor<7x2x1xf32>
    %52 = stablehlo.tanh %51 : tensor<7x2x1xf32>
    %53 = stablehlo.reshape %52 : (tensor<7x2x1xf32>) -> tensor<14xf32>
    %54 = stablehlo.slice %53 [0:14] : (tensor<14xf32>) -> tensor<14xf32>
    %55 = stablehlo.reshape %54 : (tensor<14xf32>) -> tensor<2x7xf32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %56 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %57 = stablehlo.compare LT, %c_1, %56, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_15 = stablehlo.constant dense<7> : tensor<i32>
    %58 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %59 = stablehlo.add %c_1, %58 : tensor<2xi32>
    %60 = stablehlo.select %57, %59, %c_1 : tensor<2xi1>, tensor<2xi32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %62 = "stablehlo.scatter"(%19, %61, %55) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %178 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %178 : tensor<f32>
    }) : (tensor<7x7xf32>, tensor<2x1xi32>, tensor<2x7xf32>) -> tensor<7x7xf32>
    %cst_16 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %64 = stablehlo.multiply %62, %63 : tensor<7x7xf32>
    %65 = stablehlo.tanh %64 : tensor<7x7xf32>
    %66 = stablehlo.slice %23 [0:1] : (tensor<4xi32>) -> tensor<1xi32>
    %67 = stablehlo.abs %66 : tensor<1xi32>
    %c_17 = stablehlo.constant dense<7> : tensor<i32>
    %68 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %69 = stablehlo.remainder %67, %68 : tensor<1xi32>
    %70 = stablehlo.reshape %52 : (tensor<7x2x1xf32>) -> tensor<14xf32>
    %71 = stablehlo.slice %70 [7:14] : (tensor<14xf32>) -> tensor<7xf32>
    %72 = stablehlo.reshape %71 : (tensor<7xf32>) -> tensor<1x7xf32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %73 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %74 = stablehlo.compare LT, %69, %73, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %c_19 = stablehlo.constant dense<7> : tensor<i32>
    %75 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %76 = stablehlo.add %69, %75 : tensor<1xi32>
    %77 = stablehlo.select %74, %76, %69 : tensor<1xi1>, tensor<1xi32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0] : (tensor<1xi32>) -> tensor<1x1xi32>
    %79 = "stablehlo.scatter"(%65, %78, %72) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %178 = stablehlo.minimum %arg3, %arg4 : tensor<f32>
      stablehlo.return %178 : tensor<f32>
    }) : (tensor<7x7xf32>, tensor<1x1xi32>, tensor<1x7xf32>) -> tensor<7x7xf32>
    %cst_20 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %81 = stablehlo.multiply %79, %80 : tensor<7x7xf32>
    %82 = stablehlo.tanh %81 : tensor<7x7xf32>
    %83 = stablehlo.reshape %11 : (tensor<7x7xf32>) -> tensor<49xf32>
    %84 = stablehlo.slice %83 [0:49] : (tensor<49xf32>) -> tensor<49xf32>
    %85 = stablehlo.reshape %84 : (tensor<49xf32>) -> tensor<7x7xf32>
    %86 = stablehlo.iota dim = 0 : tensor<2xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x7x7xf32>
    %c_22 = stablehlo.constant dense<0> : tensor<i64>
    %88:5 = stablehlo.while(%iterArg = %86, %iterArg_62 = %85, %iterArg_63 = %c_22, %iterArg_64 = %45, %iterArg_65 = %87) : tensor<2xf32>, tensor<7x7xf32>, tensor<i64>, tensor<7x7xf32>, tensor<2x7x7xf32>
    cond {
      %c_66 = stablehlo.constant dense<2> : tensor<i64>
      %178 = stablehlo.compare LT, %iterArg_63, %c_66, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %178 : tensor<i1>
    } do {
      %178 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_63) : (tensor<2xf32>, tensor<i64>) -> tensor<f32>
      %179:2 = func.call @closed_call(%iterArg_62, %iterArg_64, %178) : (tensor<7x7xf32>, tensor<7x7xf32>, tensor<f32>) -> (tensor<7x7xf32>, tensor<7x7xf32>)
      %180 = func.call @dynamic_update_index_in_dim(%iterArg_65, %179#1, %iterArg_63) : (tensor<2x7x7xf32>, tensor<7x7xf32>, tensor<i64>) -> tensor<2x7x7xf32>
      %c_66 = stablehlo.constant dense<1> : tensor<i64>
      %181 = stablehlo.add %iterArg_63, %c_66 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_62, %181, %179#0, %180 : tensor<2xf32>, tensor<7x7xf32>, tensor<i64>, tensor<7x7xf32>, tensor<2x7x7xf32>
    }
    %cst_23 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x7x7xf32>
    %90 = stablehlo.multiply %88#4, %89 : tensor<2x7x7xf32>
    %91 = stablehlo.tanh %90 : tensor<2x7x7xf32>
    %92 = stablehlo.slice %23 [0:1] : (tensor<4xi32>) -> tensor<1xi32>
    %93 = stablehlo.abs %92 : tensor<1xi32>
    %c_24 = stablehlo.constant dense<2> : tensor<i32>
    %94 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %95 = stablehlo.remainder %93, %94 : tensor<1xi32>
    %96 = call @_take(%91, %95) : (tensor<2x7x7xf32>, tensor<1xi32>) -> tensor<1x7x7xf32>
    %97 = stablehlo.reshape %96 : (tensor<1x7x7xf32>) -> tensor<49xf32>
    %98 = stablehlo.slice %97 [0:49] : (tensor<49xf32>) -> tensor<49xf32>
    %99 = stablehlo.reshape %98 : (tensor<49xf32>) -> tensor<1x7x7xf32>
    %100 = stablehlo.concatenate %96, %99, dim = 0 : (tensor<1x7x7xf32>, tensor<1x7x7xf32>) -> tensor<2x7x7xf32>
    %101 = stablehlo.slice %c_2 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    %102 = stablehlo.reshape %101 : (tensor<1xi32>) -> tensor<i32>
    %103 = stablehlo.slice %c_2 [1:2] : (tensor<3xi32>) -> tensor<1xi32>
    %104 = stablehlo.reshape %103 : (tensor<1xi32>) -> tensor<i32>
    %105 = stablehlo.slice %c_2 [2:3] : (tensor<3xi32>) -> tensor<1xi32>
    %106 = stablehlo.reshape %105 : (tensor<1xi32>) -> tensor<i32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %107 = stablehlo.compare LT, %102, %c_25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_26 = stablehlo.constant dense<2> : tensor<i32>
    %108 = stablehlo.add %102, %c_26 : tensor<i32>
    %109 = stablehlo.select %107, %108, %102 : tensor<i1>, tensor<i32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %110 = stablehlo.compare LT, %104, %c_27, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_28 = stablehlo.constant dense<7> : tensor<i32>
    %111 = stablehlo.add %104, %c_28 : tensor<i32>
    %112 = stablehlo.select %110, %111, %104 : tensor<i1>, tensor<i32>
    %c_29 = stablehlo.constant dense<0> : tensor<i32>
    %113 = stablehlo.compare LT, %106, %c_29, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_30 = stablehlo.constant dense<7> : tensor<i32>
    %114 = stablehlo.add %106, %c_30 : tensor<i32>
    %115 = stablehlo.select %113, %114, %106 : tensor<i1>, tensor<i32>
    %116 = stablehlo.dynamic_slice %100, %109, %112, %115, sizes = [2, 3, 6] : (tensor<2x7x7xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x3x6xf32>
    %117 = stablehlo.reshape %91 : (tensor<2x7x7xf32>) -> tensor<98xf32>
    %118 = stablehlo.slice %117 [62:98] : (tensor<98xf32>) -> tensor<36xf32>
    %119 = stablehlo.reshape %118 : (tensor<36xf32>) -> tensor<2x3x6xf32>
    %c_31 = stablehlo.constant dense<0> : tensor<i32>
    %120 = stablehlo.compare LT, %106, %c_31, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_32 = stablehlo.constant dense<2> : tensor<i32>
    %121 = stablehlo.add %106, %c_32 : tensor<i32>
    %122 = stablehlo.select %120, %121, %106 : tensor<i1>, tensor<i32>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %123 = stablehlo.compare LT, %104, %c_33, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_34 = stablehlo.constant dense<7> : tensor<i32>
    %124 = stablehlo.add %104, %c_34 : tensor<i32>
    %125 = stablehlo.select %123, %124, %104 : tensor<i1>, tensor<i32>
    %c_35 = stablehlo.constant dense<0> : tensor<i32>
    %126 = stablehlo.compare LT, %102, %c_35, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_36 = stablehlo.constant dense<7> : tensor<i32>
    %127 = stablehlo.add %102, %c_36 : tensor<i32>
    %128 = stablehlo.select %126, %127, %102 : tensor<i1>, tensor<i32>
    %129 = stablehlo.dynamic_update_slice %100, %119, %122, %125, %128 : (tensor<2x7x7xf32>, tensor<2x3x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x7x7xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %130 = stablehlo.reduce(%3 init: %cst_37) applies stablehlo.add across dimensions = [0, 1] : (tensor<33x7xf32>, tensor<f32>) -> tensor<f32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %131 = stablehlo.add %cst_38, %130 : tensor<f32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %132 = stablehlo.reduce(%4 init: %cst_39) applies stablehlo.add across dimensions = [0, 1] : (tensor<14x3xf32>, tensor<f32>) -> tensor<f32>
    %133 = stablehlo.add %131, %132 : tensor<f32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %134 = stablehlo.reduce(%11 init: %cst_40) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x7xf32>, tensor<f32>) -> tensor<f32>
    %135 = stablehlo.add %133, %134 : tensor<f32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %136 = stablehlo.reduce(%15 init: %cst_41) applies stablehlo.add across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
    %137 = stablehlo.add %135, %136 : tensor<f32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %138 = stablehlo.reduce(%16 init: %cst_42) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x4xf32>, tensor<f32>) -> tensor<f32>
    %139 = stablehlo.add %137, %138 : tensor<f32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %140 = stablehlo.reduce(%19 init: %cst_43) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x7xf32>, tensor<f32>) -> tensor<f32>
    %141 = stablehlo.add %139, %140 : tensor<f32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %142 = stablehlo.reduce(%20 init: %cst_44) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<7x4x7xf32>, tensor<f32>) -> tensor<f32>
    %143 = stablehlo.add %141, %142 : tensor<f32>
    %144 = stablehlo.convert %23 : (tensor<4xi32>) -> tensor<4xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %145 = stablehlo.reduce(%144 init: %cst_45) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %146 = stablehlo.add %143, %145 : tensor<f32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %147 = stablehlo.reduce(%36 init: %cst_46) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x7xf32>, tensor<f32>) -> tensor<f32>
    %148 = stablehlo.add %146, %147 : tensor<f32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %149 = stablehlo.reduce(%41 init: %cst_47) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<7x4x3xf32>, tensor<f32>) -> tensor<f32>
    %150 = stablehlo.add %148, %149 : tensor<f32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %151 = stablehlo.reduce(%45 init: %cst_48) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x7xf32>, tensor<f32>) -> tensor<f32>
    %152 = stablehlo.add %150, %151 : tensor<f32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %153 = stablehlo.reduce(%52 init: %cst_49) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<7x2x1xf32>, tensor<f32>) -> tensor<f32>
    %154 = stablehlo.add %152, %153 : tensor<f32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %155 = stablehlo.reduce(%65 init: %cst_50) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x7xf32>, tensor<f32>) -> tensor<f32>
    %156 = stablehlo.add %154, %155 : tensor<f32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %157 = stablehlo.reduce(%82 init: %cst_51) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x7xf32>, tensor<f32>) -> tensor<f32>
    %158 = stablehlo.add %156, %157 : tensor<f32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %159 = stablehlo.reduce(%88#3 init: %cst_52) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x7xf32>, tensor<f32>) -> tensor<f32>
    %160 = stablehlo.add %158, %159 : tensor<f32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %161 = stablehlo.reduce(%91 init: %cst_53) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x7x7xf32>, tensor<f32>) -> tensor<f32>
    %162 = stablehlo.add %160, %161 : tensor<f32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %163 = stablehlo.reduce(%96 init: %cst_54) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x7x7xf32>, tensor<f32>) -> tensor<f32>
    %164 = stablehlo.add %162, %163 : tensor<f32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %165 = stablehlo.reduce(%100 init: %cst_55) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x7x7xf32>, tensor<f32>) -> tensor<f32>
    %166 = stablehlo.add %164, %165 : tensor<f32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %167 = stablehlo.reduce(%116 init: %cst_56) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x3x6xf32>, tensor<f32>) -> tensor<f32>
    %168 = stablehlo.add %166, %167 : tensor<f32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %169 = stablehlo.reduce(%129 init: %cst_57) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x7x7xf32>, tensor<f32>) -> tensor<f32>
    %170 = stablehlo.add %168, %169 : tensor<f32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %171 = stablehlo.reduce(%arg0 init: %cst_58) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %172 = stablehlo.add %cst_59, %171 : tensor<f32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %173 = stablehlo.reduce(%arg1 init: %cst_60) applies stablehlo.add across dimensions = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %174 = stablehlo.add %172, %173 : tensor<f32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %175 = stablehlo.reduce(%arg2 init: %cst_61) applies stablehlo.add across dimensions = [0, 1] : (tensor<33x7xf32>, tensor<f32>) -> tensor<f32>
    %176 = stablehlo.add %174, %175 : tensor<f32>
    %177 = stablehlo.add %170, %176 : tensor<f32>
    return %96, %100, %116, %129, %177 : tensor<1x7x7xf32>, tensor<2x7x7xf32>, tensor<2x3x6xf32>, tensor<2x7x7xf32>, tensor<f32>
  }
  func.func private @cumsum(%arg0: tensor<33x7xf32>) -> tensor<33x7xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 6]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 7>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<33x7xf32>, tensor<f32>) -> tensor<33x7xf32>
    return %1 : tensor<33x7xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<4xi32>) -> tensor<4xi32> {
    %0 = call @cumsum_1(%arg0) : (tensor<4xi32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
  func.func private @cumsum_1(%arg0: tensor<4xi32>) -> tensor<4xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 4>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2xf32>, %arg1: tensor<i64>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<2xf32>, tensor<i64>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<7x7xf32>, %arg1: tensor<7x7xf32>, %arg2: tensor<f32>) -> (tensor<7x7xf32>, tensor<7x7xf32>) {
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %1 = stablehlo.multiply %arg1, %0 : tensor<7x7xf32>
    %2 = stablehlo.subtract %1, %arg0 : tensor<7x7xf32>
    %cst_0 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<7x7xf32>
    %5 = stablehlo.tanh %4 : tensor<7x7xf32>
    %6 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<7x7xf32>
    %7 = stablehlo.add %arg1, %6 : tensor<7x7xf32>
    return %5, %7 : tensor<7x7xf32>, tensor<7x7xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x7x7xf32>, %arg1: tensor<7x7xf32>, %arg2: tensor<i64>) -> tensor<2x7x7xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<7x7xf32>) -> tensor<1x7x7xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x7x7xf32>, tensor<1x7x7xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<2x7x7xf32>
    return %1 : tensor<2x7x7xf32>
  }
  func.func private @_take(%arg0: tensor<2x7x7xf32>, %arg1: tensor<1xi32>) -> tensor<1x7x7xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<1xi32>) -> tensor<1x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 7, 7>}> : (tensor<2x7x7xf32>, tensor<1x1xi32>) -> tensor<1x7x7xf32>
    return %1 : tensor<1x7x7xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x72EAB93F9BFFB73E5128E53DE91E8B3FE93394BF7733CABF6A37D4BF2713CABD135AFCBE3305A4BF53C21ABF20212D3F0806573F1BBC753F84C347BF8357F5BF5D28863FD4FF153F83A412BECED9F3BE7B8B523F3A48C53FFC83B1BF4C187FBFD6AD1ABF3350E73F2202DBBFF91F14BEDAC95CBF161BB63F9514D03F4414C23F79169FBE126DD1BF6F52B73E96C4D93EA9FE5EBFD778C2BFE6E623BF0193E1BFC342FA3F0ED5F2BF"> : tensor<7x6xf32>
    %a1 = stablehlo.constant dense<"0xC156F0BE"> : tensor<f32>
    %a2 = stablehlo.constant dense<"0x48E0D13E1B4EA1BF4B8D02BF7A36EA3FE249C83E5E74FB3F8D7BE33F16439F3FD4EDF9BF76C2BDBF284A6BBF0DCFB7BE4339D53F8459423F94A9A43EB11497BF730F513FD226F0BF12782C3FD9B5AC3E133CDFBFE262973F03638EBFF01A81BDD047DDBFE17FD0BFBCACAB3E21E532BE2B36F23E47DAF83FAE2D39BEAF0ABDBF71AB993A105733BF39C6E9BE596AC93FC340ECBFE00128BF691E2CBEC40E4C3F633D32BF86C11BBECDEB273F5F78F13FE90582BF44AB673F3939C43F3B21D93FB4EC853F7621EBBFFEAE233E4C6CC2BF3F8033BFF3DBB03F536C3ABE7727923FCE43F2BF3617A7BE30720B3F098A9D3F2D0EBE3FB6E40E3F08AAB13F636E7ABF2BBF7D3FBFF23ABFBD5A09BF97610ABFBA40103E833E943F1654A63F552EC3BFD0DDD4BED633DABFDF62A73E9E47E1BFC932993FBC158CBF8874183E6D880A3F8CC88ABFDCB7E43FE363CABF253248BF50025E3F3D30AABF32AAF1BEBD8BBEBF3C5E053F50D9FFBF2E6CA8BF5AE6CC3F6B9E523FF583A73C9A2BB4BF3FDF52BED150FFBF435B9D3E98D6DD3F9C9C8CBDC857733F3F582C3F829DE93E4A5149BF0211DD3FA3D83B3F8B00D73FC96827BDD3D0D23EE0B53E3FED358CBFEC2BD63F9F552FBE5D8704BFE4222C3FE0527ABF57BC8FBEE03F36BFA9B0AC3FA10BF63F54BE1DBFE1A2CC3F8755D1BF7146A23ECC812ABF920DCD3FBE1BC83F261B98BE30AC223F8DCD4F3F9828A9BFE5618BBF59BAB2BF5C85073FEC69313ECEA8493E2F7EA53F5A95BE3FB9AFF03FA185A0BF516D6A3FDBDDBA3F3AB3AC3FC5BC723FFD0B3BBF587A36BE886595BF31B7B3BF9D34E4BF3E10493EE83FFE3FB74AEBBFA1BBCCBE1358833F13C8C2BF915BDFBF3D5DC2BFDC25D33E79FFA5BD731906BCAAA1BFBF91FDDCBF162997BECA98FA3E3D7431BF4E2D9ABF6574ADBF5022903F202D9FBE88AEADBE889F47BF4D3AF7BFC77125BFAB00A3BE1957FF3F26FBAE3FD41FC73F2E86973F071C903F303D743FF87AED3D8E4B65BFEA06F03F26969DBFEF219D3EFBC076BDFBDCBDBF475C3D3E46383C3FAB1075BE956741BF91EBEFBD1F0C52BF3078F23F3582E53F33795ABFB9DF843FE78DF53EC0544A3FDB6DE8BF710D8FBFF94CB1BF94B9B4BF4071723D4B0B17BF697BB9BFDBED7B3E2AE1E0BF49FAC1BF5FBFE83ED387E2BF9037053F257FA73EAE68AE3F26C1A8BFD968B9BF50D3B73E4381D9BF782788BF57D28DBF6CEC2BBF166DE9BE6F47853FB1112ABF99D4753FE95CADBF64F3CA3F813E4FBF786FC3BF8BEFFC3F5574ADBF"> : tensor<33x7xf32>
    %e0 = stablehlo.constant dense<"0xE31D053ED45A593D5A145C3CF12992374912FE3DD660113E7225A93B4097E73DDFD7503C77CC163D4967C23D22AC273DD1D1183EBC34A73C44DA823D3D5C103E5C73693C683BA53DE8E5103E81FABE3DF6474A3D9A93AD3D5E700D3EE76C833C82AB733D980D0E3E12B7D53D1548553DDA6F293DE3D86C398A2F193E3EB50F3EF5D8383B804F193ED53C5B3DD3B67F3A5AFCD23D3CD2DC3B06E6873D4A610D3E0129853D6ED9883D1451153E9DD9193E90071A3E30590F3E4DD8693BC0FEF63D1982053E"> : tensor<1x7x7xf32>
    %e1 = stablehlo.constant dense<"0xE31D053ED45A593D5A145C3CF12992374912FE3DD660113E7225A93B4097E73DDFD7503C77CC163D4967C23D22AC273DD1D1183EBC34A73C44DA823D3D5C103E5C73693C683BA53DE8E5103E81FABE3DF6474A3D9A93AD3D5E700D3EE76C833C82AB733D980D0E3E12B7D53D1548553DDA6F293DE3D86C398A2F193E3EB50F3EF5D8383B804F193ED53C5B3DD3B67F3A5AFCD23D3CD2DC3B06E6873D4A610D3E0129853D6ED9883D1451153E9DD9193E90071A3E30590F3E4DD8693BC0FEF63D1982053EE31D053ED45A593D5A145C3CF12992374912FE3DD660113E7225A93B4097E73DDFD7503C77CC163D4967C23D22AC273DD1D1183EBC34A73C44DA823D3D5C103E5C73693C683BA53DE8E5103E81FABE3DF6474A3D9A93AD3D5E700D3EE76C833C82AB733D980D0E3E12B7D53D1548553DDA6F293DE3D86C398A2F193E3EB50F3EF5D8383B804F193ED53C5B3DD3B67F3A5AFCD23D3CD2DC3B06E6873D4A610D3E0129853D6ED9883D1451153E9DD9193E90071A3E30590F3E4DD8693BC0FEF63D1982053E"> : tensor<2x7x7xf32>
    %e2 = stablehlo.constant dense<"0xE3D86C398A2F193E3EB50F3EF5D8383B804F193ED53C5B3D5AFCD23D3CD2DC3B06E6873D4A610D3E0129853D6ED9883D9DD9193E90071A3E30590F3E4DD8693BC0FEF63D1982053EE3D86C398A2F193E3EB50F3EF5D8383B804F193ED53C5B3D5AFCD23D3CD2DC3B06E6873D4A610D3E0129853D6ED9883D9DD9193E90071A3E30590F3E4DD8693BC0FEF63D1982053E"> : tensor<2x3x6xf32>
    %e3 = stablehlo.constant dense<"0xE31D053ED45A593D5A145C3CF12992374912FE3DD660113E7225A93B4097E73DDFD7503C77CC163D4967C23D22AC273DD1D1183EBC34A73C44DA823D3D5C103E5C73693C683BA53DE8E5103E81FABE3DF6474A3D9A93AD3D5E700D3EE76C833C82AB733D980D0E3E12B7D53D1548553DDA6F293DD79BAE3EF74AFA3E41E3A33E9D29B13E202FA53E6A250C3FD3B67F3AE295A43E56C6F23E9AF6A43EE99D0B3F6E24DC3ED91AF83E1451153E04E2A33E53CB053F24BCA73EF459A93E6938C53E3B610D3FE31D053ED45A593D5A145C3CF12992374912FE3DD660113E7225A93B4097E73DDFD7503C77CC163D4967C23D22AC273DD1D1183EBC34A73C44DA823D3D5C103E5C73693C683BA53DE8E5103E81FABE3DF6474A3D9A93AD3D5E700D3EE76C833C82AB733D980D0E3E12B7D53D1548553DDA6F293D0CF70B3F877BCC3EF8EDA33EB203F53E8D3BC83E0F45A43ED3B67F3A9F6AD23E7535A63E969B0B3FD353A63E2BB5FB3E51CF0C3F1451153EE2EEA33E34EFA33EA0E2A33E39CFCD3E58B9083FB8E3A33E"> : tensor<2x7x7xf32>
    %e4 = stablehlo.constant dense<"0x243A2C42"> : tensor<f32>
    %r:5 = call @main(%a0, %a1, %a2) : (tensor<7x6xf32>, tensor<f32>, tensor<33x7xf32>) -> (tensor<1x7x7xf32>, tensor<2x7x7xf32>, tensor<2x3x6xf32>, tensor<2x7x7xf32>, tensor<f32>)
    check.expect_almost_eq %r#0, %e0, tolerance = 5.000000e-04 : tensor<1x7x7xf32>
    check.expect_almost_eq %r#1, %e1, tolerance = 5.000000e-04 : tensor<2x7x7xf32>
    check.expect_almost_eq %r#2, %e2, tolerance = 5.000000e-04 : tensor<2x3x6xf32>
    check.expect_almost_eq %r#3, %e3, tolerance = 5.000000e-04 : tensor<2x7x7xf32>
    check.expect_almost_eq %r#4, %e4, tolerance = 2.152839e-02 : tensor<f32>
    return
  }
}
// -----
// f32 graph, seed 48, number 6
module @jit_results attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x7xf32>, %arg1: tensor<2xf32>, %arg2: tensor<4xf32>, %arg3: tensor<9x6x33xf32>) -> (tensor<2x1x6xf32> {jax.result_info = "result[0]"}, tensor<1x1x2xf32> {jax.result_info = "result[1]"}, tensor<2x1x6xf32> {jax.result_info = "result[2]"}, tensor<2x1x6xf32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<0> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<[2, 5, 7]> : tensor<3xi32>
    %c_1 = stablehlo.constant dense<[2, 3, 1]> : tensor<3xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<1xi32>
    %0 = stablehlo.reshape %arg3 : (tensor<9x6x33xf32>) -> tensor<1782xf32>
    %1 = stablehlo.slice %0 [1781:1782] : (tensor<1782xf32>) -> tensor<1xf32>
    %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
    %3 = stablehlo.pad %arg1, %2, low = [1], high = [0], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
    %4 = stablehlo.concatenate %arg1, %arg1, %arg1, %arg1, %arg1, %arg1, %arg1, %arg1, %arg1, %arg1, %arg1, %arg1, %arg1, %arg1, %arg1, %arg1, dim = 0 : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<32xf32>
    %5 = stablehlo.concatenate %arg1, %arg1, %arg1, %arg1, %arg1, dim = 0 : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<10xf32>
    %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<32xf32>, tensor<10xf32>) -> tensor<42xf32>
    %7 = stablehlo.slice %6 [0:42] : (tensor<42xf32>) -> tensor<42xf32>
    %8 = stablehlo.reshape %7 : (tensor<42xf32>) -> tensor<2x3x7xf32>
    %9 = stablehlo.minimum %8, %arg0 : tensor<2x3x7xf32>
    %10 = stablehlo.maximum %8, %arg0 : tensor<2x3x7xf32>
    %11 = stablehlo.clamp %9, %arg0, %10 : tensor<2x3x7xf32>
    %12 = stablehlo.reshape %arg0 : (tensor<2x3x7xf32>) -> tensor<42xf32>
    %13 = stablehlo.concatenate %12, %12, %12, %12, %12, %12, %12, %12, %12, %12, %12, %12, %12, %12, %12, %12, dim = 0 : (tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>) -> tensor<672xf32>
    %14 = stablehlo.concatenate %12, %12, %12, %12, %12, %12, %12, %12, %12, %12, %12, %12, %12, dim = 0 : (tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>, tensor<42xf32>) -> tensor<546xf32>
    %15 = stablehlo.concatenate %13, %14, dim = 0 : (tensor<672xf32>, tensor<546xf32>) -> tensor<1218xf32>
    %16 = stablehlo.slice %15 [0:1188] : (tensor<1218xf32>) -> tensor<1188xf32>
    %17 = stablehlo.reshape %16 : (tensor<1188xf32>) -> tensor<9x33x4xf32>
    %18 = stablehlo.dot_general %arg3, %17, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<9x6x33xf32>, tensor<9x33x4xf32>) -> tensor<9x6x4xf32>
    %cst = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9x6x4xf32>
    %20 = stablehlo.multiply %18, %19 : tensor<9x6x4xf32>
    %21 = stablehlo.tanh %20 : tensor<9x6x4xf32>
    %22 = call @cumsum(%arg3) : (tensor<9x6x33xf32>) -> tensor<9x6x33xf32>
    %cst_3 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<9x6x33xf32>
    %24 = stablehlo.multiply %22, %23 : tensor<9x6x33xf32>
    %25 = stablehlo.tanh %24 : tensor<9x6x33xf32>
    %26 = stablehlo.reshape %11 : (tensor<2x3x7xf32>) -> tensor<42xf32>
    %27 = stablehlo.concatenate %26, %26, dim = 0 : (tensor<42xf32>, tensor<42xf32>) -> tensor<84xf32>
    %28 = stablehlo.slice %27 [0:63] : (tensor<84xf32>) -> tensor<63xf32>
    %29 = stablehlo.reshape %28 : (tensor<63xf32>) -> tensor<3x7x3xf32>
    %30 = stablehlo.convolution(%arg0, %29) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x7xf32>, tensor<3x7x3xf32>) -> tensor<2x3x3xf32>
    %cst_4 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
    %32 = stablehlo.multiply %30, %31 : tensor<2x3x3xf32>
    %33 = stablehlo.tanh %32 : tensor<2x3x3xf32>
    %34 = stablehlo.concatenate %arg1, %arg1, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    %35 = stablehlo.iota dim = 0 : tensor<2xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2x3x3xf32>
    %c_6 = stablehlo.constant dense<0> : tensor<i64>
    %37:5 = stablehlo.while(%iterArg = %35, %iterArg_86 = %33, %iterArg_87 = %c_6, %iterArg_88 = %33, %iterArg_89 = %36) : tensor<2xf32>, tensor<2x3x3xf32>, tensor<i64>, tensor<2x3x3xf32>, tensor<2x2x3x3xf32>
    cond {
      %c_90 = stablehlo.constant dense<2> : tensor<i64>
      %255 = stablehlo.compare LT, %iterArg_87, %c_90, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %255 : tensor<i1>
    } do {
      %255 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_87) : (tensor<2xf32>, tensor<i64>) -> tensor<f32>
      %256:2 = func.call @closed_call(%iterArg_86, %iterArg_88, %255) : (tensor<2x3x3xf32>, tensor<2x3x3xf32>, tensor<f32>) -> (tensor<2x3x3xf32>, tensor<2x3x3xf32>)
      %257 = func.call @dynamic_update_index_in_dim(%iterArg_89, %256#1, %iterArg_87) : (tensor<2x2x3x3xf32>, tensor<2x3x3xf32>, tensor<i64>) -> tensor<2x2x3x3xf32>
      %c_90 = stablehlo.constant dense<1> : tensor<i64>
      %258 = stablehlo.add %iterArg_87, %c_90 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_86, %258, %256#0, %257 : tensor<2xf32>, tensor<2x3x3xf32>, tensor<i64>, tensor<2x3x3xf32>, tensor<2x2x3x3xf32>
    }
    %cst_7 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x2x3x3xf32>
    %39 = stablehlo.multiply %37#4, %38 : tensor<2x2x3x3xf32>
    %40 = stablehlo.tanh %39 : tensor<2x2x3x3xf32>
    %41 = stablehlo.reshape %21 : (tensor<9x6x4xf32>) -> tensor<216xf32>
    %42 = stablehlo.slice %41 [198:216] : (tensor<216xf32>) -> tensor<18xf32>
    %43 = stablehlo.reshape %42 : (tensor<18xf32>) -> tensor<2x3x3xf32>
    %44 = stablehlo.concatenate %33, %43, dim = 0 : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<4x3x3xf32>
    %45 = stablehlo.reshape %c : (tensor<1xi32>) -> tensor<i32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %c_9 = stablehlo.constant dense<2> : tensor<i32>
    %46 = stablehlo.clamp %c_8, %45, %c_9 : tensor<i32>
    %47 = "stablehlo.case"(%46) ({
      %255 = stablehlo.add %34, %34 : tensor<4xf32>
      stablehlo.return %255 : tensor<4xf32>
    }, {
      %255 = stablehlo.subtract %34, %34 : tensor<4xf32>
      stablehlo.return %255 : tensor<4xf32>
    }, {
      stablehlo.return %34 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    %48 = stablehlo.reshape %44 : (tensor<4x3x3xf32>) -> tensor<36xf32>
    %49 = stablehlo.slice %48 [35:36] : (tensor<36xf32>) -> tensor<1xf32>
    %50 = stablehlo.reshape %49 : (tensor<1xf32>) -> tensor<f32>
    %51 = stablehlo.pad %40, %50, low = [0, 1, 1, -1], high = [0, 0, -1, 2], interior = [0, 1, 0, 1] : (tensor<2x2x3x3xf32>, tensor<f32>) -> tensor<2x4x3x6xf32>
    %52 = call @cumsum_0(%44) : (tensor<4x3x3xf32>) -> tensor<4x3x3xf32>
    %cst_10 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x3x3xf32>
    %54 = stablehlo.multiply %52, %53 : tensor<4x3x3xf32>
    %55 = stablehlo.tanh %54 : tensor<4x3x3xf32>
    %56 = stablehlo.slice %47 [0:4] : (tensor<4xf32>) -> tensor<4xf32>
    %57 = stablehlo.minimum %56, %arg2 : tensor<4xf32>
    %58 = stablehlo.maximum %56, %arg2 : tensor<4xf32>
    %59 = stablehlo.clamp %57, %34, %58 : tensor<4xf32>
    %60 = stablehlo.concatenate %59, %59, %59, %59, %59, %59, %59, %59, %59, %59, %59, dim = 0 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<44xf32>
    %61 = stablehlo.slice %60 [0:42] : (tensor<44xf32>) -> tensor<42xf32>
    %62 = stablehlo.reshape %61 : (tensor<42xf32>) -> tensor<2x3x7xf32>
    %63 = stablehlo.dot_general %37#3, %62, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x3xf32>, tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
    %cst_11 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x3x7xf32>
    %65 = stablehlo.multiply %63, %64 : tensor<2x3x7xf32>
    %66 = stablehlo.tanh %65 : tensor<2x3x7xf32>
    %67 = stablehlo.concatenate %59, %59, %59, %59, dim = 0 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<16xf32>
    %68 = stablehlo.slice %67 [0:14] : (tensor<16xf32>) -> tensor<14xf32>
    %69 = stablehlo.reshape %68 : (tensor<14xf32>) -> tensor<2x7x1xf32>
    %70 = stablehlo.dot_general %66, %69, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x7xf32>, tensor<2x7x1xf32>) -> tensor<2x3x1xf32>
    %cst_12 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x3x1xf32>
    %72 = stablehlo.multiply %70, %71 : tensor<2x3x1xf32>
    %73 = stablehlo.tanh %72 : tensor<2x3x1xf32>
    %74 = stablehlo.broadcast_in_dim %66, dims = [1, 2, 3] : (tensor<2x3x7xf32>) -> tensor<4x2x3x7xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<f32>
    %76 = "stablehlo.reduce_window"(%66, %75) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<0> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 1, 3>, window_strides = array<i64: 1, 1, 2>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %255 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %255 : tensor<f32>
    }) : (tensor<2x3x7xf32>, tensor<f32>) -> tensor<2x3x3xf32>
    %cst_14 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
    %78 = stablehlo.multiply %76, %77 : tensor<2x3x3xf32>
    %79 = stablehlo.tanh %78 : tensor<2x3x3xf32>
    %80 = stablehlo.transpose %74, dims = [1, 3, 0, 2] : (tensor<4x2x3x7xf32>) -> tensor<2x7x4x3xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<f32>
    %82 = "stablehlo.reduce_window"(%66, %81) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [1, 1]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 1, 3>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %255 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %255 : tensor<f32>
    }) : (tensor<2x3x7xf32>, tensor<f32>) -> tensor<2x3x7xf32>
    %cst_16 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x3x7xf32>
    %84 = stablehlo.multiply %82, %83 : tensor<2x3x7xf32>
    %85 = stablehlo.tanh %84 : tensor<2x3x7xf32>
    %86 = stablehlo.slice %c_0 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    %87 = stablehlo.reshape %86 : (tensor<1xi32>) -> tensor<i32>
    %88 = stablehlo.slice %c_0 [1:2] : (tensor<3xi32>) -> tensor<1xi32>
    %89 = stablehlo.reshape %88 : (tensor<1xi32>) -> tensor<i32>
    %90 = stablehlo.slice %c_0 [2:3] : (tensor<3xi32>) -> tensor<1xi32>
    %91 = stablehlo.reshape %90 : (tensor<1xi32>) -> tensor<i32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %92 = stablehlo.compare LT, %87, %c_17, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_18 = stablehlo.constant dense<2> : tensor<i32>
    %93 = stablehlo.add %87, %c_18 : tensor<i32>
    %94 = stablehlo.select %92, %93, %87 : tensor<i1>, tensor<i32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %95 = stablehlo.compare LT, %89, %c_19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_20 = stablehlo.constant dense<3> : tensor<i32>
    %96 = stablehlo.add %89, %c_20 : tensor<i32>
    %97 = stablehlo.select %95, %96, %89 : tensor<i1>, tensor<i32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %98 = stablehlo.compare LT, %91, %c_21, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_22 = stablehlo.constant dense<7> : tensor<i32>
    %99 = stablehlo.add %91, %c_22 : tensor<i32>
    %100 = stablehlo.select %98, %99, %91 : tensor<i1>, tensor<i32>
    %101 = stablehlo.dynamic_slice %85, %94, %97, %100, sizes = [2, 2, 7] : (tensor<2x3x7xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x7xf32>
    %102 = stablehlo.reshape %85 : (tensor<2x3x7xf32>) -> tensor<42xf32>
    %103 = stablehlo.slice %102 [14:42] : (tensor<42xf32>) -> tensor<28xf32>
    %104 = stablehlo.reshape %103 : (tensor<28xf32>) -> tensor<2x2x7xf32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %105 = stablehlo.compare LT, %91, %c_23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_24 = stablehlo.constant dense<2> : tensor<i32>
    %106 = stablehlo.add %91, %c_24 : tensor<i32>
    %107 = stablehlo.select %105, %106, %91 : tensor<i1>, tensor<i32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %108 = stablehlo.compare LT, %89, %c_25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_26 = stablehlo.constant dense<3> : tensor<i32>
    %109 = stablehlo.add %89, %c_26 : tensor<i32>
    %110 = stablehlo.select %108, %109, %89 : tensor<i1>, tensor<i32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %111 = stablehlo.compare LT, %87, %c_27, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_28 = stablehlo.constant dense<7> : tensor<i32>
    %112 = stablehlo.add %87, %c_28 : tensor<i32>
    %113 = stablehlo.select %111, %112, %87 : tensor<i1>, tensor<i32>
    %114 = stablehlo.dynamic_update_slice %85, %104, %107, %110, %113 : (tensor<2x3x7xf32>, tensor<2x2x7xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x3x7xf32>
    %115 = stablehlo.slice %79 [0:2, 0:2:2, 0:1] : (tensor<2x3x3xf32>) -> tensor<2x1x1xf32>
    %116 = stablehlo.reshape %74 : (tensor<4x2x3x7xf32>) -> tensor<4x42xf32>
    %117 = stablehlo.slice %c_1 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    %118 = stablehlo.reshape %117 : (tensor<1xi32>) -> tensor<i32>
    %119 = stablehlo.slice %c_1 [1:2] : (tensor<3xi32>) -> tensor<1xi32>
    %120 = stablehlo.reshape %119 : (tensor<1xi32>) -> tensor<i32>
    %121 = stablehlo.slice %c_1 [2:3] : (tensor<3xi32>) -> tensor<1xi32>
    %122 = stablehlo.reshape %121 : (tensor<1xi32>) -> tensor<i32>
    %c_29 = stablehlo.constant dense<0> : tensor<i32>
    %123 = stablehlo.compare LT, %118, %c_29, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_30 = stablehlo.constant dense<2> : tensor<i32>
    %124 = stablehlo.add %118, %c_30 : tensor<i32>
    %125 = stablehlo.select %123, %124, %118 : tensor<i1>, tensor<i32>
    %c_31 = stablehlo.constant dense<0> : tensor<i32>
    %126 = stablehlo.compare LT, %120, %c_31, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_32 = stablehlo.constant dense<1> : tensor<i32>
    %127 = stablehlo.add %120, %c_32 : tensor<i32>
    %128 = stablehlo.select %126, %127, %120 : tensor<i1>, tensor<i32>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %129 = stablehlo.compare LT, %122, %c_33, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_34 = stablehlo.constant dense<1> : tensor<i32>
    %130 = stablehlo.add %122, %c_34 : tensor<i32>
    %131 = stablehlo.select %129, %130, %122 : tensor<i1>, tensor<i32>
    %132 = stablehlo.dynamic_slice %115, %125, %128, %131, sizes = [2, 1, 1] : (tensor<2x1x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x1xf32>
    %c_35 = stablehlo.constant dense<0> : tensor<i32>
    %133 = stablehlo.compare LT, %122, %c_35, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_36 = stablehlo.constant dense<2> : tensor<i32>
    %134 = stablehlo.add %122, %c_36 : tensor<i32>
    %135 = stablehlo.select %133, %134, %122 : tensor<i1>, tensor<i32>
    %c_37 = stablehlo.constant dense<0> : tensor<i32>
    %136 = stablehlo.compare LT, %120, %c_37, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_38 = stablehlo.constant dense<1> : tensor<i32>
    %137 = stablehlo.add %120, %c_38 : tensor<i32>
    %138 = stablehlo.select %136, %137, %120 : tensor<i1>, tensor<i32>
    %c_39 = stablehlo.constant dense<0> : tensor<i32>
    %139 = stablehlo.compare LT, %118, %c_39, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_40 = stablehlo.constant dense<1> : tensor<i32>
    %140 = stablehlo.add %118, %c_40 : tensor<i32>
    %141 = stablehlo.select %139, %140, %118 : tensor<i1>, tensor<i32>
    %142 = stablehlo.dynamic_update_slice %115, %115, %135, %138, %141 : (tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x1xf32>
    %143 = stablehlo.reshape %142 : (tensor<2x1x1xf32>) -> tensor<2xf32>
    %144 = stablehlo.slice %143 [0:2] : (tensor<2xf32>) -> tensor<2xf32>
    %145 = stablehlo.reshape %144 : (tensor<2xf32>) -> tensor<2x1x1xf32>
    %146 = stablehlo.concatenate %142, %145, dim = 2 : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x2xf32>
    %147 = stablehlo.transpose %142, dims = [1, 2, 0] : (tensor<2x1x1xf32>) -> tensor<1x1x2xf32>
    %148 = stablehlo.reshape %147 : (tensor<1x1x2xf32>) -> tensor<2xf32>
    %149 = stablehlo.concatenate %148, %148, %148, %148, %148, %148, %148, %148, %148, %148, %148, %148, %148, %148, %148, %148, dim = 0 : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<32xf32>
    %150 = stablehlo.concatenate %148, %148, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    %151 = stablehlo.concatenate %149, %150, dim = 0 : (tensor<32xf32>, tensor<4xf32>) -> tensor<36xf32>
    %152 = stablehlo.slice %151 [0:36] : (tensor<36xf32>) -> tensor<36xf32>
    %153 = stablehlo.reshape %152 : (tensor<36xf32>) -> tensor<2x2x9xf32>
    %154 = stablehlo.dot_general %146, %153, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x1x2xf32>, tensor<2x2x9xf32>) -> tensor<2x1x9xf32>
    %cst_41 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<2x1x9xf32>
    %156 = stablehlo.multiply %154, %155 : tensor<2x1x9xf32>
    %157 = stablehlo.tanh %156 : tensor<2x1x9xf32>
    %158 = stablehlo.reverse %157, dims = [1] : tensor<2x1x9xf32>
    %159 = stablehlo.reshape %158 : (tensor<2x1x9xf32>) -> tensor<18xf32>
    %160 = stablehlo.concatenate %159, %159, %159, %159, %159, %159, dim = 0 : (tensor<18xf32>, tensor<18xf32>, tensor<18xf32>, tensor<18xf32>, tensor<18xf32>, tensor<18xf32>) -> tensor<108xf32>
    %161 = stablehlo.slice %160 [0:108] : (tensor<108xf32>) -> tensor<108xf32>
    %162 = stablehlo.reshape %161 : (tensor<108xf32>) -> tensor<2x9x6xf32>
    %163 = stablehlo.dot_general %158, %162, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x1x9xf32>, tensor<2x9x6xf32>) -> tensor<2x1x6xf32>
    %cst_42 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<2x1x6xf32>
    %165 = stablehlo.multiply %163, %164 : tensor<2x1x6xf32>
    %166 = stablehlo.tanh %165 : tensor<2x1x6xf32>
    %167 = stablehlo.slice %158 [1:2, 0:1:2, 1:5:2] : (tensor<2x1x9xf32>) -> tensor<1x1x2xf32>
    %168 = stablehlo.reshape %c_2 : (tensor<1xi32>) -> tensor<i32>
    %c_43 = stablehlo.constant dense<0> : tensor<i32>
    %c_44 = stablehlo.constant dense<2> : tensor<i32>
    %169 = stablehlo.clamp %c_43, %168, %c_44 : tensor<i32>
    %170 = "stablehlo.case"(%169) ({
      %255 = stablehlo.add %166, %166 : tensor<2x1x6xf32>
      stablehlo.return %255 : tensor<2x1x6xf32>
    }, {
      %255 = stablehlo.subtract %166, %166 : tensor<2x1x6xf32>
      stablehlo.return %255 : tensor<2x1x6xf32>
    }, {
      stablehlo.return %166 : tensor<2x1x6xf32>
    }) : (tensor<i32>) -> tensor<2x1x6xf32>
    %171 = stablehlo.reshape %166 : (tensor<2x1x6xf32>) -> tensor<12xf32>
    %172 = stablehlo.slice %171 [0:12] : (tensor<12xf32>) -> tensor<12xf32>
    %173 = stablehlo.reshape %172 : (tensor<12xf32>) -> tensor<2x1x6xf32>
    %174 = stablehlo.add %170, %173 : tensor<2x1x6xf32>
    %cst_45 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<2x1x6xf32>
    %176 = stablehlo.multiply %174, %175 : tensor<2x1x6xf32>
    %177 = stablehlo.tanh %176 : tensor<2x1x6xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %178 = stablehlo.reduce(%3 init: %cst_46) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %179 = stablehlo.add %cst_47, %178 : tensor<f32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %180 = stablehlo.reduce(%11 init: %cst_48) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x3x7xf32>, tensor<f32>) -> tensor<f32>
    %181 = stablehlo.add %179, %180 : tensor<f32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %182 = stablehlo.reduce(%21 init: %cst_49) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<9x6x4xf32>, tensor<f32>) -> tensor<f32>
    %183 = stablehlo.add %181, %182 : tensor<f32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %184 = stablehlo.reduce(%25 init: %cst_50) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<9x6x33xf32>, tensor<f32>) -> tensor<f32>
    %185 = stablehlo.add %183, %184 : tensor<f32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %186 = stablehlo.reduce(%33 init: %cst_51) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<f32>
    %187 = stablehlo.add %185, %186 : tensor<f32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %188 = stablehlo.reduce(%34 init: %cst_52) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %189 = stablehlo.add %187, %188 : tensor<f32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %190 = stablehlo.reduce(%37#3 init: %cst_53) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<f32>
    %191 = stablehlo.add %189, %190 : tensor<f32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %192 = stablehlo.reduce(%40 init: %cst_54) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x2x3x3xf32>, tensor<f32>) -> tensor<f32>
    %193 = stablehlo.add %191, %192 : tensor<f32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %194 = stablehlo.reduce(%44 init: %cst_55) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x3x3xf32>, tensor<f32>) -> tensor<f32>
    %195 = stablehlo.add %193, %194 : tensor<f32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %196 = stablehlo.reduce(%47 init: %cst_56) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %197 = stablehlo.add %195, %196 : tensor<f32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %198 = stablehlo.reduce(%51 init: %cst_57) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x4x3x6xf32>, tensor<f32>) -> tensor<f32>
    %199 = stablehlo.add %197, %198 : tensor<f32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %200 = stablehlo.reduce(%55 init: %cst_58) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x3x3xf32>, tensor<f32>) -> tensor<f32>
    %201 = stablehlo.add %199, %200 : tensor<f32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %202 = stablehlo.reduce(%59 init: %cst_59) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %203 = stablehlo.add %201, %202 : tensor<f32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %204 = stablehlo.reduce(%66 init: %cst_60) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x3x7xf32>, tensor<f32>) -> tensor<f32>
    %205 = stablehlo.add %203, %204 : tensor<f32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %206 = stablehlo.reduce(%66 init: %cst_61) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x3x7xf32>, tensor<f32>) -> tensor<f32>
    %207 = stablehlo.add %205, %206 : tensor<f32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %208 = stablehlo.reduce(%73 init: %cst_62) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<f32>
    %209 = stablehlo.add %207, %208 : tensor<f32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %210 = stablehlo.reduce(%74 init: %cst_63) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<4x2x3x7xf32>, tensor<f32>) -> tensor<f32>
    %211 = stablehlo.add %209, %210 : tensor<f32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %212 = stablehlo.reduce(%79 init: %cst_64) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<f32>
    %213 = stablehlo.add %211, %212 : tensor<f32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %214 = stablehlo.reduce(%80 init: %cst_65) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x7x4x3xf32>, tensor<f32>) -> tensor<f32>
    %215 = stablehlo.add %213, %214 : tensor<f32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %216 = stablehlo.reduce(%85 init: %cst_66) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x3x7xf32>, tensor<f32>) -> tensor<f32>
    %217 = stablehlo.add %215, %216 : tensor<f32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %218 = stablehlo.reduce(%101 init: %cst_67) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x2x7xf32>, tensor<f32>) -> tensor<f32>
    %219 = stablehlo.add %217, %218 : tensor<f32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %220 = stablehlo.reduce(%114 init: %cst_68) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x3x7xf32>, tensor<f32>) -> tensor<f32>
    %221 = stablehlo.add %219, %220 : tensor<f32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %222 = stablehlo.reduce(%115 init: %cst_69) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<f32>
    %223 = stablehlo.add %221, %222 : tensor<f32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %224 = stablehlo.reduce(%116 init: %cst_70) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x42xf32>, tensor<f32>) -> tensor<f32>
    %225 = stablehlo.add %223, %224 : tensor<f32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %226 = stablehlo.reduce(%132 init: %cst_71) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<f32>
    %227 = stablehlo.add %225, %226 : tensor<f32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %228 = stablehlo.reduce(%142 init: %cst_72) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<f32>
    %229 = stablehlo.add %227, %228 : tensor<f32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %230 = stablehlo.reduce(%146 init: %cst_73) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x1x2xf32>, tensor<f32>) -> tensor<f32>
    %231 = stablehlo.add %229, %230 : tensor<f32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %232 = stablehlo.reduce(%147 init: %cst_74) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x2xf32>, tensor<f32>) -> tensor<f32>
    %233 = stablehlo.add %231, %232 : tensor<f32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %234 = stablehlo.reduce(%157 init: %cst_75) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x1x9xf32>, tensor<f32>) -> tensor<f32>
    %235 = stablehlo.add %233, %234 : tensor<f32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %236 = stablehlo.reduce(%158 init: %cst_76) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x1x9xf32>, tensor<f32>) -> tensor<f32>
    %237 = stablehlo.add %235, %236 : tensor<f32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %238 = stablehlo.reduce(%166 init: %cst_77) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x1x6xf32>, tensor<f32>) -> tensor<f32>
    %239 = stablehlo.add %237, %238 : tensor<f32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %240 = stablehlo.reduce(%167 init: %cst_78) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x2xf32>, tensor<f32>) -> tensor<f32>
    %241 = stablehlo.add %239, %240 : tensor<f32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %242 = stablehlo.reduce(%170 init: %cst_79) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x1x6xf32>, tensor<f32>) -> tensor<f32>
    %243 = stablehlo.add %241, %242 : tensor<f32>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %244 = stablehlo.reduce(%177 init: %cst_80) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x1x6xf32>, tensor<f32>) -> tensor<f32>
    %245 = stablehlo.add %243, %244 : tensor<f32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %246 = stablehlo.reduce(%arg0 init: %cst_81) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x3x7xf32>, tensor<f32>) -> tensor<f32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %247 = stablehlo.add %cst_82, %246 : tensor<f32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %248 = stablehlo.reduce(%arg1 init: %cst_83) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %249 = stablehlo.add %247, %248 : tensor<f32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %250 = stablehlo.reduce(%arg2 init: %cst_84) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %251 = stablehlo.add %249, %250 : tensor<f32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %252 = stablehlo.reduce(%arg3 init: %cst_85) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<9x6x33xf32>, tensor<f32>) -> tensor<f32>
    %253 = stablehlo.add %251, %252 : tensor<f32>
    %254 = stablehlo.add %245, %253 : tensor<f32>
    return %166, %167, %170, %177, %254 : tensor<2x1x6xf32>, tensor<1x1x2xf32>, tensor<2x1x6xf32>, tensor<2x1x6xf32>, tensor<f32>
  }
  func.func private @cumsum(%arg0: tensor<9x6x33xf32>) -> tensor<9x6x33xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[8, 0], [0, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 9, 1, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<9x6x33xf32>, tensor<f32>) -> tensor<9x6x33xf32>
    return %1 : tensor<9x6x33xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2xf32>, %arg1: tensor<i64>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<2xf32>, tensor<i64>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<2x3x3xf32>, %arg1: tensor<2x3x3xf32>, %arg2: tensor<f32>) -> (tensor<2x3x3xf32>, tensor<2x3x3xf32>) {
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
    %1 = stablehlo.multiply %arg1, %0 : tensor<2x3x3xf32>
    %2 = stablehlo.subtract %1, %arg0 : tensor<2x3x3xf32>
    %cst_0 = stablehlo.constant dense<4.000000e-01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x3x3xf32>
    %5 = stablehlo.tanh %4 : tensor<2x3x3xf32>
    %6 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
    %7 = stablehlo.add %arg1, %6 : tensor<2x3x3xf32>
    return %5, %7 : tensor<2x3x3xf32>, tensor<2x3x3xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x2x3x3xf32>, %arg1: tensor<2x3x3xf32>, %arg2: tensor<i64>) -> tensor<2x2x3x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<2x3x3xf32>) -> tensor<1x2x3x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x2x3x3xf32>, tensor<1x2x3x3xf32>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<2x2x3x3xf32>
    return %1 : tensor<2x2x3x3xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<4x3x3xf32>) -> tensor<4x3x3xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [0, 2], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 3, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x3x3xf32>, tensor<f32>) -> tensor<4x3x3xf32>
    return %1 : tensor<4x3x3xf32>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x843E803FDAF8F2BE2DECE5BFFF06D5BEA9DEB23F9CFBFC3EEC59DC3F40A7613DAB1CD7BFD9DF2DBFAAFC833FBDC2173FE8FFD83F66BCDF3ED7CB563F5BDE84BEDE6EA7BF77DF9EBF2714FFBD5A24153FB75EE23F4A7FCD3F27D5DA3FDC069ABF76A3AB3FE1E984BE9B16EABFE8C0BBBFF3EE3B3F48231CBF7AE13C3F27C371BE25A74CBF89B943BF198906BFF2D5D43FCF13423F67AF15BF751301BFDD8A9FBEA11B913F9469E33F"> : tensor<2x3x7xf32>
    %a1 = stablehlo.constant dense<"0xAB21EABF67D8A23F"> : tensor<2xf32>
    %a2 = stablehlo.constant dense<"0x6DC02C3F30ED97BECE1BAF3E401071BF"> : tensor<4xf32>
    %a3 = stablehlo.constant dense<"0x951093BF0B6E0ABF987CAEBFDF665C3FB061E03E20AAC23F58DD7DBEA3EDF93EC7A975BFC80FD3BD842FE43F01838E3F4C9A39BE2529CE3F4AF60F3FECB45EBFA522E43FC2603B3FD240B03F033261BE120E13BC0DEA9E3E20DAA93F81DE07BD175DCE3FBCB2F7BF2470F63FF1D3C03E4825BEBF2658F93F7D396A3F25E112BF18A2B83FD4D21B3FE6294E3F8D80F33F7236C73F1BAE88BFE40B143F7C8BEC3FE77E343F0EF1F63E4064B23F0331173FD0B9CF3FE5B0E83F566A60BF8FDE49BE17AB023F0971273FF851063F317DB73FAA42003F2E5DC63F6CD3B1BE7E208A3FD60B75BE5031F8BF32E3B83F1FA40ABE5825F33FF7021A3FFC5DC9BF24A5EE3EB591A4BF0C0E523FD24915BF7FBE22BD3C4523BEBE6B963E3D9293BF7F189EBF6B50CCBF6C1B55BE6F5B26BF1A2B72BE4746083F81817BBFF9CCD03FF5A5223F83448A3F742D9BBFD6B22EBFC7C347BF16EB183FD9DAF03D57BA353F836BE83DBB80FB3FF4E18D3E443CC7BF4559C0BFD9F1A13E5262C3BE335BF6BF76C2B03F87B671BF5CA4603D427A91BF160A793F6B731DBF18561DBF7E7CBCBFD919A83FABAD1B3E223CED3F0E12A1BEBC9CA63F1EB0BD3F6F5409BF2EBADE3C4FC9953F27ECA7BF9E4CE2BF52C5D2BE42F69ABFCF0CA03FA2CCBF3F713B58BE1A2BA23E2D4806BEA575E53F78C3303FD1DFE1BF2F74983FD125C8BFAEBB2C3FD1FBBD3FE183C0BF3207E7BF4B015F3F1D8840BF3369CA3F43B007BF58B76CBF3911F4BF2E96283E72E34ABE5F39A43DEC9AE93F04E0FB3F90158C3F851825BE172D93BD24663A3F72BB853F7215ACBE2D9533BE16F656BF66D4E13FA110DBBF3B5E99BF285798BFDB236BBF155546BFF87D923F10382FBF20C5BE3F753FDABE5645313FC5E880BF5CFA003FC1610DBF1AA9723FA7501B3FA54120BE0670853FCD8C163FA867EABE62CFD3BFE496A43E2BFB3A3F3D6188BECF67E33E7A2EC23E0D1C80BFFDFDFEBFCAC192BF0B2AF03F2A95C23E951687BF4E4046BF3D810A3F37958A3FBDAA813FDD71CFBFD52B793F5A0F1E3E130A49BFBFC4BFBF24CBDDBF7ED8B23E504DE2BEBC497EBEBB92AEBF0D481F3FD0A0F83FA49FDBBF93E0AF3D018CE23F1DEA8B3F14C153BF2A926ABE58EAFC3F36FF78BFB0BDEFBFA61F57BE88BB70BF60F8D93D86E9B8BE5564EDBED1DAE33F3C24CC3FE3EA843F459472BFC701FD3F08AE1EBFA3E0143E12AD083EC64B583E6C4890BF1BBF85BF4CA4EBBFE542A0BF8357C23E62FC443F5BF3CF3F5899A9BEE767B93FA3FAD03F0666A73F1218B2BF3B5FFD3E9649B73FB858D8BF103B3BBFE65CD9BF8BEFD5BC49BCDBBFDCECF83F817E983FD5F1DE3F5A6D54BFA630BF3EB8EFCFBEF9F5C5BFB84CDF3E6BAD733EBE4A95BE13E7DD3F6809C63F70CAFB3FF191893E083DD33FA0A5AFBF13A955BFC3CC563F5EF082BF49BDE6BF46AF9BBF25E5E0BE24A6823F608AAFBF40A0303FDCEE5C3F8FBEDABE5331EB3FB592A1BFD2DB1DBFCA70E03F0895E1BFB07B37BFD20E6F3F7C48FE3FD563DA3F2E3C863EEFFC8ABF04FBCF3F15BB8DBC7D6BD63F0259BABF6C642DBFAAD3E73F8FD2E63F6127A03EE9B2973F726027BEA902BCBFF09EBD3F6E64D73FBF7BE7BFBDF7E7BEA11523BF36FF1FBFEFBB5D3EA14747BFCF7288BF5C210DBF3759AFBFEE93B93F9315F3BF1F3E07BF118BCDBFCD10EF3DFDE3283E9A6AF8BECE1AFD3FB9396FBF93B8FBBFEB91C43FCC29F93E4CC5D3BFBA23D63F665492BEB26C44BE0ADE6E3F224CF3BFDB81853E569EB7BFC95B1C3F354E21BF4D4DD93EA4C31CBFE4AABE3E74B59B3F1390533F0E2571BFFA897CBF8BCAFC3CA04F3A3DEEBD753F72C7243F6442123EE2C1A6BFB17ACA3EE923C0BFA8D8C93F785CC33ECE7F8CBFCF0ED03F50FC92BF83039DBF800C493C2A894CBF8A9A97BFB3AFB4BF52219F3FD6D589BFC00DD4BEC7FD013E4D2EAE3F70912ABD01A1003F032384BD0D75FE3FB480A43FBB12C8BF0EF091BF799BA53F6330ABBF824E1B3E55A3D03FB2AB86BED9CDD63DB3A1563F28739C3FA95BE13ED0E07EBF01A1753F6BCCF1BFE8AD363FD98E553D7F9462BF4508AA3F784D293F199CDC3D72AA9D3EF78D68BF3249FA3F50CD293FB80220BF3B64793F97BC31BE005927BFF0A1AE3E08210F3D15755D3F938A86BD2B73C3BE5F0DA6BF53F793BF7A24C6BFE6A5EEBF0BF3C13F5C86D83FDE3651BFEEE5A5BFF74194BF26B0B93F94EDEF3F4866C13E17B824BE3E4BD4BEE994013FEC56D8BDA4BF903F14BB46BFB8EC733D88D7E4BF20689D3F653098BFA871A93FDC489C3F53C2D43EFCEBFABF7F2CAE3EEA34ECBFEBD9FCBE1435DFBFC83C7F3E8ABEAF3DB993803EBB32C23FA595A9BE9795853FC2A6F2BFD0765EBF87AD13BF48675BBF74BE8B3EDBCA7F3F59891C3F27119C3EEDD6693F8497353E5103943F6E59A73F6C76C5BE2878173F532BDA3FCFBB4DBD3D4BF13F57684CBF5B9489BFEF6477BF8D149F3E903FE9BF3F82243FF1F6CCBF40F97E3EA5B86BBE58FDC2BF0E53AD3E98FCECBE523FDE3FDD4CE53FBF89693D416EC13FC9CFECBF37A94EBFC0EBF43F8FF84ABF8046E4BFCE93C5BF909D42BFDB95A3BF4B9AD53F050B723F7719ED3E4B8E1A3FDACE33BFE8DBE93FC05C9C3E76A89A3FDE96ECBD598D1B3FAC55ADBFF1378F3F2BF061BD442EB6BFC4561ABFC40F0EBF5F67A3BD267AABBFDBEB34BF246F6F3FA4F9993F8C453F3F19F777BFEA4FA03FFE1F6D3C55C8813E52FA203FE510CE3F6FC429BF5C94FE3F2F277DBFCFFF86BF83E3D63D01DA693F01D5603F44A61EBFFC93D4BFC9D2A33ECD861E3F808C7D3F2A8AD5BB465BC7BE0BD1303F432E8BBF60D4923F4C3CF83E9B134C3F9067933FF3C1403F34EEA9BD778DA23D7FBE5A3E71F6EC3EC7CEB2BFEDC8B3BFB387483FCC06B6BE03D4F53F3357F73FE445AEBFCE51F93FC026E6BFFB22923FCCE1CB3F1518863F04FD9E3EEF0937BFF3AF943F1896D2BFF394EEBE0534CB3FB40D8CBF202240BF296C8CBE39A045BF1E4694BFAC6CAEBE3A3FD73FD730A93E2BD88A3FAC4CD0BFF2A23B3F21850B3D3630593FB9423DBE93EB27BE7B06ED3F9E60CB3F1E9D18BFB714C6BCA6DFE73F53B8993ED546A3BF3AC4D93F1845103E42E7843FBF9880BFE4FCDEBE6A7FD73FA985AF3EBD94DEBF55E8153F645391BED786413EF0AC023F2899EABE60D68C3F7179913E5E751EBFB1DA7FBF5FCC4D3F285584BFC549C73FCEB0ACBFA3ED7ABFB02F963FE94BD33FB6BF613FE424E6BF5C0FFEBFCA75F4BE019C333FBC408E3F25034ABE787AFEBF62A7D93FA900E0BF6A6FB7BF4A6782BE982760BE6A56BA3EBFE5D0BCB5F2EABF4A5A4DBFCCDCE33FBDAAD9BFBBEAF0BF34C7C23D4089643F4D1E153F6DCFC83F8732E6BF6E5FFE3FF62CBFBF854CC2BDC6CBD63F0608CABF1808B4BF3B4169BE091E773F48F1F23FBFBEF2BFAABE49BD829CD93E78A0A23FE059BEBF6E2FB03F7550D3BF5942FD3F9AD69F3D6D76B43D9238D03DC45CC2BFC9EB573ABC7BADBF113CEB3FD07B88BFA42C273F509AF5BE35F4853F24ED023FCA8D18BF5ED813BEA02918BDAEB2143B040325BF2064343F0CD36E3E54C542BF1293023F12329BBFB27092BF78FEB4BFB9D8F83FF7EEF83FE913933F4711B73F2EE1B3BF707DD63F078E883FD8C5F2BF78A3A53F1871743FB0B5423DA11A4D3F59925FBF1291E0BF1B06DDBE1825A2BED045AE3FA0D8E23FCDFE953F02F0A0BF37E7D23C9EB1253F4E4DD2BF76B807BF915F4E3FFB15C13F1E54AFBF9464DA3D5792A9BDC592823F60B299BFE393CB3F98FAAD3FE8ADF03FB431FE3F231F8B3F4FBDD2BFE710F3BF000EAB3F9A4DCBBFF96AC2BF4052623F75FC98BF4602BEBF332705BEE65776BFB5985A3FA27E38BED2BF263FE90F003E39C8C3BF720628BF52AADF3F7B66D1BF5A79C3BF677A8FBF6F16DFBEA70684BFB0DDDA3FE540B0BF3318103E011F083F9D662DBE7868483EA5AEB13FDEB432BF0612343F895FA4BFC1BF17BF8A602E3FDD5530BF7A4CACBF5FE3F1BF4552303E601BBD3E15C4583E256F7ABFACF2EE3F0758C4BF046BB4BF824CDFBF86143EBE2964F23EFE34373DC969BDBF890FD83F5119CCBCF92D463F6FD2873F86967A3BCD78FD3FA82EB03FB634503EA436FD3F6278C03E045B7CBFF6EDD93F256F88BF749DF3BF304BF73F016FF4BDD4F7493F53D4F1BFE0021C3E9676EF3F7E08C43FCA4117BFDAD73A3FBF38BABF5157B43F5361F13FAB27D13F8A77BB3E2EE9363F10A09D3FA59B923FC4BBD7BF0703C6BF71E9463F13C4A4BF859196BE5804CABEAB21003FD623F73E2C66823F75BA223F9A02053EB590AF3F10CDC53FADFA523FA1209E3A7AD8C23D7C9C5C3E72F2873F0CEBD93FF5423CBFEEC2F8BF6299A6BF172E6B3D397D9F3F3F3AD9BF4D129CBFC63E05BFB64B303FE3768A3E4BDC47BF7CA5803F2A00BEBF6F823ABF94DDA53D6116A6BE955904BF4263233F15EE5BBF69E5FC3FCE1F5D3FA56FDFBFA81311BF3F46BFBF50B4EB3E2AE479BE8C14AF3FA62EE2BFE38844BF6F604FBFC420A83E2A6C1D3F5BBC883FB0F7D33D161E3B3F72A0E23F302CE6BF0729EEBF52AA8BBF729FF33FBF0A89BFAA15D73FBF32C23FF3BF4D3EBBF4B8BF4F39C93F0841F13F5A1B303FBC59D43B15C97ABF4BDC163F366FB03BD798D93F18BE983FF517F9BF63A0CFBE8F47EBBFD39A09BE1DED39BF6D4347BFAB47BDBE91AC533F4E54663E831C9B3ECDBB15BFE7E1F13FF2FA853EEC5BA0BF6F4EA83F5F2AC13FBFC6373E475C9C3FEE66FF3E14548B3F84B18CBF551E16BFE4F39EBF762EA23FDD8E8BBFB192B0BFBDB4E2BF3221413F1210A9BFD12CB53F19D89E3FA573CF3F365492BF9660F0BDDFE834BD3798C53F17BF343FF08BAD3F2BF6ED3FD1240ABFEE33C9BDD9FF06BF05CD8B3ED6ABFFBD996E10BE2FE08ABF6C920A3F61156F3F4CE95CBF5FA1AEBE48BDBBBF5F80783F894208BE2CA3DFBE3646F73F45D4B4BF12FD723FE53FEABF346CC63FA6E1FDBFB8E8593FAB586DBDE878F6BF94D1BD3F09ECBD3D7D8AF6BF42A236BFB06C9A3FBA4D733F3D5BCABFAE44D93FF62FBEBF53FEDD3F9ADAC23F6E3025BFA104C9BFF14C1C3FDEC6003F1E0601BF64F7CF3F0DDEBDBF0A8FBE3FF0E481BF288B9FBE0DDCA6BD2421C93F1AE9663F44B2ECBE93DA703F85ACC13F1F7B5FBFB7F8AEBF6FDFF6BF0035D4BFA59ECABF6979BBBF8350E5BE5C786B3EC31043BFE59BF9BF8BCBEC3F49DBAEBE432FECBE4900863CA9158A3FB5D4713F1E6AA83EE90B22BF192DBA3F3B849C3EBA12EA3FC3AEF8BE3ED2AABE5B7D013FB319A3BF8C17AE3D8E966BBF80A9FEBEA6B884BF733CF0BEA5F0E5BEB907FABF3FF0F63F695168BFDB58FB3FF85BC83FD4D64FBE07AEC5BF210731BF4401133FAA5C643FF2DB37BF7954F3BF791AC5BEA9B8E7BF7025653FC734E53E1094B93FF3DDA23F6964CF3FC29D96BEFE9C6A3EA608BABFA2B8403F38AA843F7F2F9B3FB0F1813F208535BF92865A3F642FDF3E7F90553F1EB08F3F9ADF3D3F1BDD303F79146EBFEA6C573EA84CBE3B74D0C9BEA4ADB0BF62E0ACBEEE0166BEC36722BD2FDD683F952C893F02BADA3F5778B6BFE8895EBF4777DF3F1B3A5C3F8A2CD2BF5ACC0FBFD284E2BDDC3D92BD893FB63FEF4B7C3F6EADB2BFBCFAAABF7835FD3F0CC5F73D3D2117BE5853933FDF80EFBF58C277BF974AA0BE1AA02E3FE437EF3F212163BF665D60BEC4D886BFADEEC2BF7973D5BF66F9E7BFCA4B063CE761973ED939B93FEA21DEBF2796983F95A143BE1E0D983F25A1D33F965159BF668F4CBE6B872ABF1F47883FBB212EBECE4957BFF61407BFE3EE693E01E281BF29FB283FBA14E93F253FC23C8D22DABFAB2290BEE0B439BF63D9F93EAD297A3F77C990BF425520BF3A08EC3FB27223BFD4D7E9BF604B9ABF7A6BD4BE53CB2C3FA999AB3F73EAB6BFC6C9C8BE0330D93F8321F53F1129F73F9E1A95BE9519693EA13CAB3F49D500BFCBED983F46808FBFBD1BB93EE9AEF83E6930A03F51A5D3BEAE42C83F5C7AC03E50EB0F3D8D78F83FC60C3CBF39744A3E59D4C53FB8D1FEBFDD28313F38C61EBFB54FA53E739CA1BF24919E3E47CD84BDF334D4BF1C1B1D3FF121953E445EE3BE1737533F69A4DD3F1895393F871ED43DE379883FAB9EB8BE17A7883F0D9D993F2347A53EA6CF85BF7F8B0E3FEB1D8D3F5CC242BF1C36AC3F7FB06F3FA82D3A3F137A7B3F82F704BECF513EBFE71AA1BFD18D63BE2471ED3FDD2BA2BF56FE5C3E46F709BFA619AA3EEB70E03FB3CD8D3FF44B93BF0386D33F812A32BFE2D99EBD2E0D923FEE57ED3F2AACC8BF81ED27BE4D94003C90F683BF8FC1A7BF42C3963F1645AC3FFE73F93E7A7A893E80871DBF491D26BD832D1D3F5D94A2BF69F250BFECE42B3F1280D0BE322CD33F75D14DBED299DBBF647B323F5FD1C3BF8F839FBFBF87FE3E1336EB3FD1D0DD3FA8E8C23FB2B36C3F8D4F85BF32D08BBFC87B71BEE044A73FBCBCB1BE51B812BFCFD2C8BFC7644ABFC3C6D63F638CD2BFB0129EBD363A19BF4FF5EABF1CCF35BE52C843BF5FCA813F75D7C63F0F408D3FE7A851BEC0E1B13EB7F0A53D1E5ECEBFDDC5FFBF9EE1CC3F970A863F0430E4BFB659103FD141C93F018F4C3F226840BF81734DBFC26490BF1B3A093F1197503FD9A197BF5754CCBF7CE35C3FA82EAF3F6E81C73ED50AA7BF50739FBF0C6B6FBF79F6A23FA9FBB6BF135E1D3E263FDABF78AABE3F7ED98FBF6AE967BF0534D9BF74AB8E3F029080BF3462F23F9BCE923FA5AF8C3FE014EC3F7395913EED28AEBF7AE28A3FB30BA8BEEBFFFC3FC7F6733FB7EED93FE831053F89F9E53FEA38C0BFC3DD38BFCF8496BF97AC98BFE69EB3BF22A5773FF7D0B1BFEBA672BF82642D3E6B229C3E4DE3033F1324D1BFFD3BCABF355C733FE2E3EB3F9AA565BC22B9E1BE444DCE3F49AADE3FB877963FAEE2BD3E02A1DBBE7839A3BFF82A74BF298E85BF950333BEE3D88DBF09912CBFB138EDBFCBA02F3FC4D0F93ED13A0EBF805AC33F83E8F73F49258F3F50A5243F8D6737BFE1AE873E88D5883F11BD9DBF684BB43F1ACBABBE06E2E23E4B50A9BFB0B0743F9C5EFD3FA757CCBE5EA0533E12D0753F4414083F057B9ABF2E51BC3C6C497BBF3B11E2BF7250AB3FDBCD693FF240613FBD69AE3FAC3D17BF116BFDBFB669F4BEA30FD53EE0F4B9BF1515AD3F1A4BB63FC85E6BBFAD909CBF484B7FBF7CDF563F59D4163F26D73DBF02AFF9BF1843953DD60AAF3F8DAC9EBF1C9DBCBFAFD6A63D0B120B3F118889BEA706AC3FF1B0E93F393B8F3F85EBA0BFE6F09B3F5010C53F5987113F40D5373F43E9B0BD7446A7BE8B1F773F608F97BF526FDDBFEDD9BA3E89FBF33E88A0CDBF03EE8CBFE89D8E3F52FE07BFEEDCF6BFB01DFABECFEEA7BF9FF9AFBF4045FABEAC070F3EF85F863FD1B3413F47C8543F2289E23ED4AD343F9C3BB7BFE621BABF19CD05BF197EDA3F48053DBE77337DBF65C485BF5A5D4D3F95DBBB3F4951B3BF6ED7E5BCCA65CF3F1ED9083FA6E3D13FF6EBC1BF6339BEBF14EDD13D0D94853E47460ABFD9DBA3BE5AB313BF936F973F81F1193F99E0CB3F5185FB3D15C8E4BF85FF84BFB4F2C2BD246ECBBE33ABECBF0E1552BF61F1C83F03A3ADBF26D9CCBF2384903FFC88CE3F32689E3F6768963FE3DA1EBF20B2D5BFE711F3BD5BEA883FE3A7973F124FB53F3764C9BE09F626BF1E54A63F04D7DCBFDE1B52BFC9D9EF3FCF36EFBF847F0D3F0C42DA3F271CC9BE2C0C763F2BB430BFFB568D3F8B74973E8C24D83E5F0062BF52AE60BDD297BB3FD3E533BF76E4A63E2314073EC9C849BEAAE6E4BEF0FA63BDF3A521BF02464F3FAE1273BF28FD85BF0CDE5E3ED15E103E8B2EDF3D2DD97ABF64716FBEDA7EF9BF4510733D6B8DE43FDEC1903F66B9903F1521EE3F5F3F8A3F0AA4D1BE131B723FC338EABDC655FB3F4599CF3F684912BF95E982BFD612C8BF959E25BF72A062BF527551BFB411683F3FC13ABD8319683E12CFF3BE2D6093BF2160AD3F6CE6443F62DC193DABA77BBF874CD43E34A440BF674199BFE55866BFDE8A84BFD2EC513F1FF5603F907D48BFF3D0AE3FB5F4C1BF66CD653F199B6DBFD611E93EB04CFEBF3DAAABBFC4949BBFAE11AF3EFCF2C1BF49918ABF9D158A3FCFF8D03F8934E23F74C056BFAF18113F700C96BF994D573F4ABAEABF087689BFAEAE51BF092CE3BF077B8ABF576F37BF2234E33F3709BDBF68A62E3EA563D6BF22BDED3F92208B3E577120BF3E47913E58FB923F1C6724BF2960F43F9DE8D6BF31C9B83F3D31B93F1A790A3FFF67EABFD8D6AC3F9471D1BFD56102BFD7FC1E3EBFEDF93F403F0BBFBDB8783FD3FA83BF57BFFEBF6EB694BF9A27C13F500C903EBB07A2BF96395A3F8F8EE0BFA64ADDBF92CC473F4987E4BF309E1B3FA78468BF764783BF896749BEABD55ABDE0F2FFBD75823BBD3566933F52F1E03EB6A1A63F3DEE3CBC514ADFBFDE32DCBF93649CBF2935F5BF921DF0BF37248B3F0239ABBE9B167F3E93A1E43F57FC2BBF0B270B3FF03546BFFB6A533F74D0AE3DD8BBA13FB135FABF245E883F3A36233FF11B563F405DC7BF0951FABB7503FC3E28382ABDF152AB3F8660D33D2D6C003F87E9703ED7A9C4BFECF1E73F216823BFF7C64E3F07AAC83F72B1BDBE6337A5BFAD48D4BF390F6C3F030607BFE122893FB783413F7E8943BF22F46FBF3E05B7BF16D38F3FC82A1F3BDBFFC23FDF08EC3E10BF91BF9D6403BF0CCE3D3F54CECB3E72979BBF5EB05BBF4A971EBF4E5CCABF1A3A693FD62BA9BF4569273EEC37993F5EC0263FF40CF13F0C8EDC3FEA38D03F09AA1ABD858D8FBE372098BE83DA83BFA026B63FFB50883E1E14B0BFBFEC9B3F15B8BC3EB9B8DE3FC521ED3E949191BF7AC4B33F2F178A3F275936BF42D0A63EBE37413E375BE8BF9A33A93FE200F03B043DFA3F550D8BBF4AD7833E50565A3FFA77433F30CB8ABEF3E1AEBEB8818DBFCBF8CDBE369F003FB53D233F3D99A83E2C82813F3500683FE9A681BFE3D5A03E4BA1D93EF7DA89BE8151523C9C9AE33F6F38843F1A85A8BF56CE2C3F3228B03F8454DCBF4FF894BE3BB4673F6D64A73F1A0F663FE904F8BF468CB23C8A6FC63F9874FDBFFA878CBE5DC1E53F6061133F5EAC39BF9BC1B23FAD7E16BE37CBCC3BA0C9CDBF81AAF33FE0453D3F745D753F23F2C3BE9BBDE53F0C4543BF3C53A3BF8635363ED7AA77BF3B79D03F88B9CB3FC1E985BF2187DA3F6925DCBFEC2CA03FB75BCE3D0E1D91BFDAE99D3F22BEBFBFD8F251BE8F6607BF37A3D73FFBD7EABEB4582CBFBD6469BF869516BFB1D5853F0E93F6BE0448BF3F4446C93F323BDFBFBB00E0BFAF67B5BFD91B90BFF4F9F9BFC8464CBEBAA9AF3F3188DCBE976A183F5CD2CA3F2E81CE3FA9C9D5BE2A97863E8B56DEBF69DFE73F2C84113ED400CA3F83B22B3FE790A6BE82C98CBFD0D8CD3E38FD423F4FA1DDBFF1209A3FC53FEC3F76C1EC3F1BC71CBEA80D953F22C5583E74D23C3FED2FB9BF457C8DBF01E8BD3FF821D83F941FFD3F770BB2BF845784BF7C8BE6BF8DCFD2BE0D57D6BFE37299BFC299C33E01DBD73EAE3A89BE4470AA3F7B1137BF28EAE6BF1264A03F7253C0BEA15695BE5F9AA8BF16D2803F08D9C83F5853FF3F8A32C03F206B82BE018D00BF2BD56FBAC856BD3F589F87BFFE3BF3BEC137DFBE81F3223F0E1C02BD084628BF30F7D9BECE35AEBF2456DA3FA317AA3E7D8216BF0DB594BE1950CBBF0A4CA93FC74D6ABF5CA58A3F0DD3A53FE7CE6F3D2FD5BBBE855E3CBF80C93BBF834EFC3E79A373BF54BF3D3FFCED81BFF35C1ABF8F574BBF8D12A7BE8C22753EB150AABE81B99C3F4059F9BE653B48BFA0DFFF3FC164BBBE86FC63BF371B42BFE191D83F6C09463EA21C9C3E7B302BBF016F08BE0FF26D3E938D42BF0813C2BF657BCDBF9ED72EBFD864AEBF01AA3E3F5670ED3F2E18693F85B3D23FB9F9A83F3CA3A13FD22CA9BFD98A7C3F57397BBF"> : tensor<9x6x33xf32>
    %e0 = stablehlo.constant dense<"0xB3976339B3976339B39763392072BD382072BD382072BD382BAFC0B72BAFC0B72BAFC0B7736320B7736320B7736320B7"> : tensor<2x1x6xf32>
    %e1 = stablehlo.constant dense<"0xC88B87BAC88B87BA"> : tensor<1x1x2xf32>
    %e2 = stablehlo.constant dense<"0xB397E339B397E339B397E33920723D3920723D3920723D392BAF40B82BAF40B82BAF40B87363A0B77363A0B77363A0B7"> : tensor<2x1x6xf32>
    %e3 = stablehlo.constant dense<"0x388E8839388E8839388E8839C055E338C055E338C055E3389A38E7B79A38E7B79A38E7B7577740B7577740B7577740B7"> : tensor<2x1x6xf32>
    %e4 = stablehlo.constant dense<"0xA9378643"> : tensor<f32>
    %r:5 = call @main(%a0, %a1, %a2, %a3) : (tensor<2x3x7xf32>, tensor<2xf32>, tensor<4xf32>, tensor<9x6x33xf32>) -> (tensor<2x1x6xf32>, tensor<1x1x2xf32>, tensor<2x1x6xf32>, tensor<2x1x6xf32>, tensor<f32>)
    check.expect_almost_eq %r#0, %e0, tolerance = 5.000000e-04 : tensor<2x1x6xf32>
    check.expect_almost_eq %r#1, %e1, tolerance = 5.000000e-04 : tensor<1x1x2xf32>
    check.expect_almost_eq %r#2, %e2, tolerance = 5.000000e-04 : tensor<2x1x6xf32>
    check.expect_almost_eq %r#3, %e3, tolerance = 5.000000e-04 : tensor<2x1x6xf32>
    check.expect_almost_eq %r#4, %e4, tolerance = 1.342174e-01 : tensor<f32>
    return
  }
}
