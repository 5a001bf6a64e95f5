// gradient graph, seed 48, number 5
module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<33x7x3xf64>, %arg1: tensor<9x7x2xf64>, %arg2: tensor<33x6xf64>, %arg3: tensor<33xf64>) -> (tensor<33x7x3xf64> {jax.result_info = "result[0]"}, tensor<9x7x2xf64> {jax.result_info = "result[1]"}, tensor<33x6xf64> {jax.result_info = "result[2]"}, tensor<33xf64> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<[0, 6, 6]> : tensor<3xi32>
    %c_0 = stablehlo.constant dense<[24, 9, 23, 4, 17]> : tensor<5xi32>
    %c_1 = stablehlo.constant dense<[29, 31, 7, 28, 16]> : tensor<5xi32>
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<33x7x3xf64>
    %1 = stablehlo.reshape %arg1 : (tensor<9x7x2xf64>) -> tensor<126xf64>
    %2 = stablehlo.slice %1 [90:126] : (tensor<126xf64>) -> tensor<36xf64>
    %3 = stablehlo.reshape %2 : (tensor<36xf64>) -> tensor<6x6xf64>
    %4 = stablehlo.dot_general %arg2, %3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<33x6xf64>, tensor<6x6xf64>) -> tensor<33x6xf64>
    %cst = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<33x6xf64>
    %6 = stablehlo.multiply %4, %5 : tensor<33x6xf64>
    %7 = stablehlo.tanh %6 : tensor<33x6xf64>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<33x6xf64>
    %9 = stablehlo.subtract %8, %7 : tensor<33x6xf64>
    %10 = stablehlo.reshape %7 : (tensor<33x6xf64>) -> tensor<66x3xf64>
    %11 = stablehlo.reshape %0 : (tensor<33x7x3xf64>) -> tensor<693xf64>
    %12 = stablehlo.slice %11 [692:693] : (tensor<693xf64>) -> tensor<1xf64>
    %13 = stablehlo.reshape %12 : (tensor<1xf64>) -> tensor<f64>
    %14 = stablehlo.pad %arg3, %13, low = [-1], high = [1], interior = [1] : (tensor<33xf64>, tensor<f64>) -> tensor<65xf64>
    %15 = stablehlo.reshape %10 : (tensor<66x3xf64>) -> tensor<198xf64>
    %16 = stablehlo.slice %15 [171:198] : (tensor<198xf64>) -> tensor<27xf64>
    %17 = stablehlo.reshape %16 : (tensor<27xf64>) -> tensor<3x3x3xf64>
    %18 = stablehlo.convolution(%0, %17) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 2]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<33x7x3xf64>, tensor<3x3x3xf64>) -> tensor<33x8x3xf64>
    %cst_3 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<33x8x3xf64>
    %20 = stablehlo.multiply %18, %19 : tensor<33x8x3xf64>
    %21 = stablehlo.tanh %20 : tensor<33x8x3xf64>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<33x8x3xf64>
    %23 = stablehlo.subtract %22, %21 : tensor<33x8x3xf64>
    %24 = stablehlo.slice %c [0:1] : (tensor<3xi32>) -> tensor<1xi32>
    %25 = stablehlo.reshape %24 : (tensor<1xi32>) -> tensor<i32>
    %26 = stablehlo.slice %c [1:2] : (tensor<3xi32>) -> tensor<1xi32>
    %27 = stablehlo.reshape %26 : (tensor<1xi32>) -> tensor<i32>
    %28 = stablehlo.slice %c [2:3] : (tensor<3xi32>) -> tensor<1xi32>
    %29 = stablehlo.reshape %28 : (tensor<1xi32>) -> tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %30 = stablehlo.compare LT, %25, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<33> : tensor<i32>
    %31 = stablehlo.add %25, %c_6 : tensor<i32>
    %32 = stablehlo.select %30, %31, %25 : tensor<i1>, tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %33 = stablehlo.compare LT, %27, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_8 = stablehlo.constant dense<8> : tensor<i32>
    %34 = stablehlo.add %27, %c_8 : tensor<i32>
    %35 = stablehlo.select %33, %34, %27 : tensor<i1>, tensor<i32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %36 = stablehlo.compare LT, %29, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_10 = stablehlo.constant dense<3> : tensor<i32>
    %37 = stablehlo.add %29, %c_10 : tensor<i32>
    %38 = stablehlo.select %36, %37, %29 : tensor<i1>, tensor<i32>
    %39 = stablehlo.dynamic_slice %21, %32, %35, %38, sizes = [2, 5, 3] : (tensor<33x8x3xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x5x3xf64>
    %40 = stablehlo.reshape %arg0 : (tensor<33x7x3xf64>) -> tensor<693xf64>
    %41 = stablehlo.slice %40 [663:693] : (tensor<693xf64>) -> tensor<30xf64>
    %42 = stablehlo.reshape %41 : (tensor<30xf64>) -> tensor<2x5x3xf64>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %43 = stablehlo.compare LT, %29, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_12 = stablehlo.constant dense<33> : tensor<i32>
    %44 = stablehlo.add %29, %c_12 : tensor<i32>
    %45 = stablehlo.select %43, %44, %29 : tensor<i1>, tensor<i32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %46 = stablehlo.compare LT, %27, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_14 = stablehlo.constant dense<8> : tensor<i32>
    %47 = stablehlo.add %27, %c_14 : tensor<i32>
    %48 = stablehlo.select %46, %47, %27 : tensor<i1>, tensor<i32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %49 = stablehlo.compare LT, %25, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_16 = stablehlo.constant dense<3> : tensor<i32>
    %50 = stablehlo.add %25, %c_16 : tensor<i32>
    %51 = stablehlo.select %49, %50, %25 : tensor<i1>, tensor<i32>
    %52 = stablehlo.dynamic_update_slice %21, %42, %45, %48, %51 : (tensor<33x8x3xf64>, tensor<2x5x3xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<33x8x3xf64>
    %53 = stablehlo.reshape %21 : (tensor<33x8x3xf64>) -> tensor<792xf64>
    %54 = stablehlo.slice %53 [762:792] : (tensor<792xf64>) -> tensor<30xf64>
    %55 = stablehlo.reshape %54 : (tensor<30xf64>) -> tensor<5x6xf64>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %56 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %57 = stablehlo.compare LT, %c_0, %56, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_18 = stablehlo.constant dense<33> : tensor<i32>
    %58 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %59 = stablehlo.add %c_0, %58 : tensor<5xi32>
    %60 = stablehlo.select %57, %59, %c_0 : tensor<5xi1>, tensor<5xi32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %62 = "stablehlo.scatter"(%7, %61, %55) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
      %582 = stablehlo.maximum %arg4, %arg5 : tensor<f64>
      stablehlo.return %582 : tensor<f64>
    }) : (tensor<33x6xf64>, tensor<5x1xi32>, tensor<5x6xf64>) -> tensor<33x6xf64>
    %63 = "stablehlo.gather"(%7, %61) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<33x6xf64>, tensor<5x1xi32>) -> tensor<5x6xf64>
    %64 = "stablehlo.gather"(%62, %61) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<33x6xf64>, tensor<5x1xi32>) -> tensor<5x6xf64>
    %65 = stablehlo.compare EQ, %55, %64, FLOAT : (tensor<5x6xf64>, tensor<5x6xf64>) -> tensor<5x6xi1>
    %66 = stablehlo.compare EQ, %63, %64, FLOAT : (tensor<5x6xf64>, tensor<5x6xf64>) -> tensor<5x6xi1>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %67 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f64>) -> tensor<33x6xf64>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %68 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<5x6xf64>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %69 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f64>) -> tensor<5x6xf64>
    %70 = stablehlo.select %65, %68, %69 : tensor<5x6xi1>, tensor<5x6xf64>
    %71 = "stablehlo.scatter"(%67, %61, %70) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
      %582 = stablehlo.add %arg4, %arg5 : tensor<f64>
      stablehlo.return %582 : tensor<f64>
    }) : (tensor<33x6xf64>, tensor<5x1xi32>, tensor<5x6xf64>) -> tensor<33x6xf64>
    %72 = "stablehlo.gather"(%71, %61) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<33x6xf64>, tensor<5x1xi32>) -> tensor<5x6xf64>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %73 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f64>) -> tensor<33x6xf64>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %74 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f64>) -> tensor<5x6xf64>
    %75 = "stablehlo.scatter"(%73, %61, %74) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
      %582 = stablehlo.add %arg4, %arg5 : tensor<f64>
      stablehlo.return %582 : tensor<f64>
    }) : (tensor<33x6xf64>, tensor<5x1xi32>, tensor<5x6xf64>) -> tensor<33x6xf64>
    %76 = "stablehlo.gather"(%75, %61) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<33x6xf64>, tensor<5x1xi32>) -> tensor<5x6xf64>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %77 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f64>) -> tensor<5x6xf64>
    %78 = stablehlo.add %72, %77 : tensor<5x6xf64>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %79 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f64>) -> tensor<5x6xf64>
    %80 = stablehlo.divide %79, %78 : tensor<5x6xf64>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %81 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f64>) -> tensor<5x6xf64>
    %82 = stablehlo.divide %81, %72 : tensor<5x6xf64>
    %83 = stablehlo.select %66, %80, %82 : tensor<5x6xi1>, tensor<5x6xf64>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %84 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f64>) -> tensor<5x6xf64>
    %85 = stablehlo.select %65, %83, %84 : tensor<5x6xi1>, tensor<5x6xf64>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %86 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f64>) -> tensor<5x6xf64>
    %87 = stablehlo.add %72, %86 : tensor<5x6xf64>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %88 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f64>) -> tensor<5x6xf64>
    %89 = stablehlo.divide %88, %87 : tensor<5x6xf64>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %90 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f64>) -> tensor<5x6xf64>
    %91 = stablehlo.select %66, %89, %90 : tensor<5x6xi1>, tensor<5x6xf64>
    %cst_31 = stablehlo.constant dense<-1.000000e+00> : tensor<f64>
    %92 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f64>) -> tensor<5x6xf64>
    %93 = stablehlo.add %92, %91 : tensor<5x6xf64>
    %94 = stablehlo.divide %93, %76 : tensor<5x6xf64>
    %cst_32 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %95 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f64>) -> tensor<33x6xf64>
    %96 = stablehlo.multiply %62, %95 : tensor<33x6xf64>
    %97 = stablehlo.tanh %96 : tensor<33x6xf64>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %98 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f64>) -> tensor<33x6xf64>
    %99 = stablehlo.subtract %98, %97 : tensor<33x6xf64>
    %100 = stablehlo.reshape %52 : (tensor<33x8x3xf64>) -> tensor<792xf64>
    %101 = stablehlo.slice %100 [762:792] : (tensor<792xf64>) -> tensor<30xf64>
    %102 = stablehlo.reshape %101 : (tensor<30xf64>) -> tensor<2x5x3xf64>
    %103 = stablehlo.minimum %102, %39 : tensor<2x5x3xf64>
    %104 = stablehlo.compare EQ, %102, %103, FLOAT : (tensor<2x5x3xf64>, tensor<2x5x3xf64>) -> tensor<2x5x3xi1>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %105 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %106 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %107 = stablehlo.select %104, %105, %106 : tensor<2x5x3xi1>, tensor<2x5x3xf64>
    %108 = stablehlo.compare EQ, %39, %103, FLOAT : (tensor<2x5x3xf64>, tensor<2x5x3xf64>) -> tensor<2x5x3xi1>
    %cst_36 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %109 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %110 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %111 = stablehlo.select %108, %109, %110 : tensor<2x5x3xi1>, tensor<2x5x3xf64>
    %112 = stablehlo.divide %107, %111 : tensor<2x5x3xf64>
    %113 = stablehlo.compare EQ, %39, %103, FLOAT : (tensor<2x5x3xf64>, tensor<2x5x3xf64>) -> tensor<2x5x3xi1>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %114 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %115 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %116 = stablehlo.select %113, %114, %115 : tensor<2x5x3xi1>, tensor<2x5x3xf64>
    %117 = stablehlo.compare EQ, %102, %103, FLOAT : (tensor<2x5x3xf64>, tensor<2x5x3xf64>) -> tensor<2x5x3xi1>
    %cst_40 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %118 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %119 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %120 = stablehlo.select %117, %118, %119 : tensor<2x5x3xi1>, tensor<2x5x3xf64>
    %121 = stablehlo.divide %116, %120 : tensor<2x5x3xf64>
    %122 = stablehlo.maximum %102, %39 : tensor<2x5x3xf64>
    %123 = stablehlo.compare EQ, %102, %122, FLOAT : (tensor<2x5x3xf64>, tensor<2x5x3xf64>) -> tensor<2x5x3xi1>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %124 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %125 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %126 = stablehlo.select %123, %124, %125 : tensor<2x5x3xi1>, tensor<2x5x3xf64>
    %127 = stablehlo.compare EQ, %39, %122, FLOAT : (tensor<2x5x3xf64>, tensor<2x5x3xf64>) -> tensor<2x5x3xi1>
    %cst_44 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %128 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %129 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %130 = stablehlo.select %127, %128, %129 : tensor<2x5x3xi1>, tensor<2x5x3xf64>
    %131 = stablehlo.divide %126, %130 : tensor<2x5x3xf64>
    %132 = stablehlo.compare EQ, %39, %122, FLOAT : (tensor<2x5x3xf64>, tensor<2x5x3xf64>) -> tensor<2x5x3xi1>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %133 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %134 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %135 = stablehlo.select %132, %133, %134 : tensor<2x5x3xi1>, tensor<2x5x3xf64>
    %136 = stablehlo.compare EQ, %102, %122, FLOAT : (tensor<2x5x3xf64>, tensor<2x5x3xf64>) -> tensor<2x5x3xi1>
    %cst_48 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %137 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %138 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %139 = stablehlo.select %136, %137, %138 : tensor<2x5x3xi1>, tensor<2x5x3xf64>
    %140 = stablehlo.divide %135, %139 : tensor<2x5x3xf64>
    %141 = stablehlo.clamp %103, %39, %122 : tensor<2x5x3xf64>
    %142 = stablehlo.compare GT, %103, %39, FLOAT : (tensor<2x5x3xf64>, tensor<2x5x3xf64>) -> tensor<2x5x3xi1>
    %143 = stablehlo.compare LT, %103, %122, FLOAT : (tensor<2x5x3xf64>, tensor<2x5x3xf64>) -> tensor<2x5x3xi1>
    %144 = stablehlo.and %142, %143 : tensor<2x5x3xi1>
    %145 = stablehlo.compare GT, %39, %103, FLOAT : (tensor<2x5x3xf64>, tensor<2x5x3xf64>) -> tensor<2x5x3xi1>
    %146 = stablehlo.compare LT, %39, %122, FLOAT : (tensor<2x5x3xf64>, tensor<2x5x3xf64>) -> tensor<2x5x3xi1>
    %147 = stablehlo.and %145, %146 : tensor<2x5x3xi1>
    %148 = stablehlo.compare LT, %122, %39, FLOAT : (tensor<2x5x3xf64>, tensor<2x5x3xf64>) -> tensor<2x5x3xi1>
    %149 = stablehlo.reshape %141 : (tensor<2x5x3xf64>) -> tensor<30xf64>
    %150 = stablehlo.slice %149 [12:30] : (tensor<30xf64>) -> tensor<18xf64>
    %151 = stablehlo.reshape %150 : (tensor<18xf64>) -> tensor<3x3x2xf64>
    %152 = stablehlo.convolution(%39, %151) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x5x3xf64>, tensor<3x3x2xf64>) -> tensor<2x3x2xf64>
    %cst_50 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %153 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f64>) -> tensor<2x3x2xf64>
    %154 = stablehlo.multiply %152, %153 : tensor<2x3x2xf64>
    %155 = stablehlo.tanh %154 : tensor<2x3x2xf64>
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %156 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f64>) -> tensor<2x3x2xf64>
    %157 = stablehlo.subtract %156, %155 : tensor<2x3x2xf64>
    %158 = stablehlo.transpose %52, dims = [2, 1, 0] : (tensor<33x8x3xf64>) -> tensor<3x8x33xf64>
    %159 = stablehlo.concatenate %158, %158, dim = 1 : (tensor<3x8x33xf64>, tensor<3x8x33xf64>) -> tensor<3x16x33xf64>
    %160 = stablehlo.reshape %158 : (tensor<3x8x33xf64>) -> tensor<24x33xf64>
    %161 = stablehlo.slice %160 [0:12, 0:33] : (tensor<24x33xf64>) -> tensor<12x33xf64>
    %162 = stablehlo.slice %160 [12:24, 0:33] : (tensor<24x33xf64>) -> tensor<12x33xf64>
    %163 = stablehlo.multiply %161, %162 : tensor<12x33xf64>
    %164 = stablehlo.slice %163 [0:6, 0:33] : (tensor<12x33xf64>) -> tensor<6x33xf64>
    %165 = stablehlo.slice %163 [6:12, 0:33] : (tensor<12x33xf64>) -> tensor<6x33xf64>
    %166 = stablehlo.multiply %164, %165 : tensor<6x33xf64>
    %167 = stablehlo.slice %166 [0:3, 0:33] : (tensor<6x33xf64>) -> tensor<3x33xf64>
    %168 = stablehlo.slice %166 [3:6, 0:33] : (tensor<6x33xf64>) -> tensor<3x33xf64>
    %169 = stablehlo.multiply %167, %168 : tensor<3x33xf64>
    %170 = stablehlo.slice %169 [0:2, 0:33] : (tensor<3x33xf64>) -> tensor<2x33xf64>
    %171 = stablehlo.slice %169 [2:3, 0:33] : (tensor<3x33xf64>) -> tensor<1x33xf64>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %172 = stablehlo.pad %171, %cst_52, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<1x33xf64>, tensor<f64>) -> tensor<2x33xf64>
    %173 = stablehlo.multiply %170, %172 : tensor<2x33xf64>
    %174 = stablehlo.slice %173 [0:1, 0:33] : (tensor<2x33xf64>) -> tensor<1x33xf64>
    %175 = stablehlo.slice %173 [1:2, 0:33] : (tensor<2x33xf64>) -> tensor<1x33xf64>
    %176 = stablehlo.multiply %174, %175 : tensor<1x33xf64>
    %177 = stablehlo.reshape %176 : (tensor<1x33xf64>) -> tensor<33xf64>
    %cst_53 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %178 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f64>) -> tensor<33xf64>
    %179 = stablehlo.multiply %177, %178 : tensor<33xf64>
    %180 = stablehlo.tanh %179 : tensor<33xf64>
    %cst_54 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %181 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f64>) -> tensor<33xf64>
    %182 = stablehlo.subtract %181, %180 : tensor<33xf64>
    %183 = stablehlo.reverse %180, dims = [0] : tensor<33xf64>
    %184 = stablehlo.concatenate %183, %183, %183, %183, %183, %183, %183, %183, %183, %183, %183, %183, %183, %183, %183, %183, dim = 0 : (tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>) -> tensor<528xf64>
    %185 = stablehlo.concatenate %183, %183, %183, %183, %183, %183, %183, %183, %183, %183, %183, dim = 0 : (tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>, tensor<33xf64>) -> tensor<363xf64>
    %186 = stablehlo.concatenate %184, %185, dim = 0 : (tensor<528xf64>, tensor<363xf64>) -> tensor<891xf64>
    %187 = stablehlo.slice %186 [0:891] : (tensor<891xf64>) -> tensor<891xf64>
    %188 = stablehlo.reshape %187 : (tensor<891xf64>) -> tensor<3x33x9xf64>
    %189 = stablehlo.dot_general %158, %188, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x8x33xf64>, tensor<3x33x9xf64>) -> tensor<3x8x9xf64>
    %cst_55 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %190 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f64>) -> tensor<3x8x9xf64>
    %191 = stablehlo.multiply %189, %190 : tensor<3x8x9xf64>
    %192 = stablehlo.tanh %191 : tensor<3x8x9xf64>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %193 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f64>) -> tensor<3x8x9xf64>
    %194 = stablehlo.subtract %193, %192 : tensor<3x8x9xf64>
    %195 = stablehlo.broadcast_in_dim %180, dims = [1] : (tensor<33xf64>) -> tensor<4x33xf64>
    %196 = stablehlo.broadcast_in_dim %183, dims = [0] : (tensor<33xf64>) -> tensor<33x2xf64>
    %197 = stablehlo.reshape %195 : (tensor<4x33xf64>) -> tensor<132xf64>
    %198 = stablehlo.slice %197 [122:132] : (tensor<132xf64>) -> tensor<10xf64>
    %199 = stablehlo.reshape %198 : (tensor<10xf64>) -> tensor<5x2xf64>
    %c_57 = stablehlo.constant dense<0> : tensor<i32>
    %200 = stablehlo.broadcast_in_dim %c_57, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %201 = stablehlo.compare LT, %c_1, %200, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_58 = stablehlo.constant dense<33> : tensor<i32>
    %202 = stablehlo.broadcast_in_dim %c_58, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %203 = stablehlo.add %c_1, %202 : tensor<5xi32>
    %204 = stablehlo.select %201, %203, %c_1 : tensor<5xi1>, tensor<5xi32>
    %205 = stablehlo.broadcast_in_dim %204, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %206 = "stablehlo.scatter"(%196, %205, %199) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
      %582 = stablehlo.maximum %arg4, %arg5 : tensor<f64>
      stablehlo.return %582 : tensor<f64>
    }) : (tensor<33x2xf64>, tensor<5x1xi32>, tensor<5x2xf64>) -> tensor<33x2xf64>
    %207 = "stablehlo.gather"(%196, %205) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<33x2xf64>, tensor<5x1xi32>) -> tensor<5x2xf64>
    %208 = "stablehlo.gather"(%206, %205) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<33x2xf64>, tensor<5x1xi32>) -> tensor<5x2xf64>
    %209 = stablehlo.compare EQ, %199, %208, FLOAT : (tensor<5x2xf64>, tensor<5x2xf64>) -> tensor<5x2xi1>
    %210 = stablehlo.compare EQ, %207, %208, FLOAT : (tensor<5x2xf64>, tensor<5x2xf64>) -> tensor<5x2xi1>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %211 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f64>) -> tensor<33x2xf64>
    %cst_60 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %212 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f64>) -> tensor<5x2xf64>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %213 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f64>) -> tensor<5x2xf64>
    %214 = stablehlo.select %209, %212, %213 : tensor<5x2xi1>, tensor<5x2xf64>
    %215 = "stablehlo.scatter"(%211, %205, %214) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
      %582 = stablehlo.add %arg4, %arg5 : tensor<f64>
      stablehlo.return %582 : tensor<f64>
    }) : (tensor<33x2xf64>, tensor<5x1xi32>, tensor<5x2xf64>) -> tensor<33x2xf64>
    %216 = "stablehlo.gather"(%215, %205) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<33x2xf64>, tensor<5x1xi32>) -> tensor<5x2xf64>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %217 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f64>) -> tensor<33x2xf64>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %218 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f64>) -> tensor<5x2xf64>
    %219 = "stablehlo.scatter"(%217, %205, %218) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
      %582 = stablehlo.add %arg4, %arg5 : tensor<f64>
      stablehlo.return %582 : tensor<f64>
    }) : (tensor<33x2xf64>, tensor<5x1xi32>, tensor<5x2xf64>) -> tensor<33x2xf64>
    %220 = "stablehlo.gather"(%219, %205) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<33x2xf64>, tensor<5x1xi32>) -> tensor<5x2xf64>
    %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %221 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f64>) -> tensor<5x2xf64>
    %222 = stablehlo.add %216, %221 : tensor<5x2xf64>
    %cst_65 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %223 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f64>) -> tensor<5x2xf64>
    %224 = stablehlo.divide %223, %222 : tensor<5x2xf64>
    %cst_66 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %225 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f64>) -> tensor<5x2xf64>
    %226 = stablehlo.divide %225, %216 : tensor<5x2xf64>
    %227 = stablehlo.select %210, %224, %226 : tensor<5x2xi1>, tensor<5x2xf64>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %228 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f64>) -> tensor<5x2xf64>
    %229 = stablehlo.select %209, %227, %228 : tensor<5x2xi1>, tensor<5x2xf64>
    %cst_68 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %230 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f64>) -> tensor<5x2xf64>
    %231 = stablehlo.add %216, %230 : tensor<5x2xf64>
    %cst_69 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %232 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f64>) -> tensor<5x2xf64>
    %233 = stablehlo.divide %232, %231 : tensor<5x2xf64>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %234 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f64>) -> tensor<5x2xf64>
    %235 = stablehlo.select %210, %233, %234 : tensor<5x2xi1>, tensor<5x2xf64>
    %cst_71 = stablehlo.constant dense<-1.000000e+00> : tensor<f64>
    %236 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f64>) -> tensor<5x2xf64>
    %237 = stablehlo.add %236, %235 : tensor<5x2xf64>
    %238 = stablehlo.divide %237, %220 : tensor<5x2xf64>
    %cst_72 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %239 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f64>) -> tensor<33x2xf64>
    %240 = stablehlo.multiply %206, %239 : tensor<33x2xf64>
    %241 = stablehlo.tanh %240 : tensor<33x2xf64>
    %cst_73 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %242 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f64>) -> tensor<33x2xf64>
    %243 = stablehlo.subtract %242, %241 : tensor<33x2xf64>
    %cst_74 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_75 = stablehlo.constant dense<6.600000e+01> : tensor<f64>
    %244 = stablehlo.divide %cst_74, %cst_75 : tensor<f64>
    %245 = stablehlo.broadcast_in_dim %244, dims = [] : (tensor<f64>) -> tensor<33x2xf64>
    %246 = stablehlo.multiply %241, %245 : tensor<33x2xf64>
    %247 = stablehlo.multiply %245, %241 : tensor<33x2xf64>
    %248 = stablehlo.add %246, %247 : tensor<33x2xf64>
    %cst_76 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_77 = stablehlo.constant dense<6.600000e+01> : tensor<f64>
    %249 = stablehlo.divide %cst_76, %cst_77 : tensor<f64>
    %250 = stablehlo.broadcast_in_dim %249, dims = [] : (tensor<f64>) -> tensor<33x2xf64>
    %251 = stablehlo.multiply %196, %250 : tensor<33x2xf64>
    %252 = stablehlo.multiply %250, %196 : tensor<33x2xf64>
    %253 = stablehlo.add %251, %252 : tensor<33x2xf64>
    %cst_78 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_79 = stablehlo.constant dense<6.600000e+01> : tensor<f64>
    %254 = stablehlo.divide %cst_78, %cst_79 : tensor<f64>
    %255 = stablehlo.broadcast_in_dim %254, dims = [] : (tensor<f64>) -> tensor<33x2xf64>
    %256 = stablehlo.multiply %196, %255 : tensor<33x2xf64>
    %257 = stablehlo.add %253, %256 : tensor<33x2xf64>
    %258 = stablehlo.multiply %255, %196 : tensor<33x2xf64>
    %259 = stablehlo.add %257, %258 : tensor<33x2xf64>
    %cst_80 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_81 = stablehlo.constant dense<1.320000e+02> : tensor<f64>
    %260 = stablehlo.divide %cst_80, %cst_81 : tensor<f64>
    %261 = stablehlo.broadcast_in_dim %260, dims = [] : (tensor<f64>) -> tensor<4x33xf64>
    %262 = stablehlo.multiply %195, %261 : tensor<4x33xf64>
    %263 = stablehlo.multiply %261, %195 : tensor<4x33xf64>
    %264 = stablehlo.add %262, %263 : tensor<4x33xf64>
    %cst_82 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_83 = stablehlo.constant dense<2.160000e+02> : tensor<f64>
    %265 = stablehlo.divide %cst_82, %cst_83 : tensor<f64>
    %266 = stablehlo.broadcast_in_dim %265, dims = [] : (tensor<f64>) -> tensor<3x8x9xf64>
    %267 = stablehlo.multiply %192, %266 : tensor<3x8x9xf64>
    %268 = stablehlo.multiply %266, %192 : tensor<3x8x9xf64>
    %269 = stablehlo.add %267, %268 : tensor<3x8x9xf64>
    %cst_84 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_85 = stablehlo.constant dense<3.300000e+01> : tensor<f64>
    %270 = stablehlo.divide %cst_84, %cst_85 : tensor<f64>
    %271 = stablehlo.broadcast_in_dim %270, dims = [] : (tensor<f64>) -> tensor<33xf64>
    %272 = stablehlo.multiply %183, %271 : tensor<33xf64>
    %273 = stablehlo.multiply %271, %183 : tensor<33xf64>
    %274 = stablehlo.add %272, %273 : tensor<33xf64>
    %cst_86 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_87 = stablehlo.constant dense<3.300000e+01> : tensor<f64>
    %275 = stablehlo.divide %cst_86, %cst_87 : tensor<f64>
    %276 = stablehlo.broadcast_in_dim %275, dims = [] : (tensor<f64>) -> tensor<33xf64>
    %277 = stablehlo.multiply %180, %276 : tensor<33xf64>
    %278 = stablehlo.multiply %276, %180 : tensor<33xf64>
    %279 = stablehlo.add %277, %278 : tensor<33xf64>
    %cst_88 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_89 = stablehlo.constant dense<1.584000e+03> : tensor<f64>
    %280 = stablehlo.divide %cst_88, %cst_89 : tensor<f64>
    %281 = stablehlo.broadcast_in_dim %280, dims = [] : (tensor<f64>) -> tensor<3x16x33xf64>
    %282 = stablehlo.multiply %159, %281 : tensor<3x16x33xf64>
    %283 = stablehlo.multiply %281, %159 : tensor<3x16x33xf64>
    %284 = stablehlo.add %282, %283 : tensor<3x16x33xf64>
    %cst_90 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_91 = stablehlo.constant dense<7.920000e+02> : tensor<f64>
    %285 = stablehlo.divide %cst_90, %cst_91 : tensor<f64>
    %286 = stablehlo.broadcast_in_dim %285, dims = [] : (tensor<f64>) -> tensor<3x8x33xf64>
    %287 = stablehlo.multiply %158, %286 : tensor<3x8x33xf64>
    %288 = stablehlo.multiply %286, %158 : tensor<3x8x33xf64>
    %289 = stablehlo.add %287, %288 : tensor<3x8x33xf64>
    %cst_92 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_93 = stablehlo.constant dense<1.200000e+01> : tensor<f64>
    %290 = stablehlo.divide %cst_92, %cst_93 : tensor<f64>
    %291 = stablehlo.broadcast_in_dim %290, dims = [] : (tensor<f64>) -> tensor<2x3x2xf64>
    %292 = stablehlo.multiply %155, %291 : tensor<2x3x2xf64>
    %293 = stablehlo.multiply %291, %155 : tensor<2x3x2xf64>
    %294 = stablehlo.add %292, %293 : tensor<2x3x2xf64>
    %cst_94 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_95 = stablehlo.constant dense<3.000000e+01> : tensor<f64>
    %295 = stablehlo.divide %cst_94, %cst_95 : tensor<f64>
    %296 = stablehlo.broadcast_in_dim %295, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %297 = stablehlo.multiply %141, %296 : tensor<2x5x3xf64>
    %298 = stablehlo.multiply %296, %141 : tensor<2x5x3xf64>
    %299 = stablehlo.add %297, %298 : tensor<2x5x3xf64>
    %cst_96 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_97 = stablehlo.constant dense<1.980000e+02> : tensor<f64>
    %300 = stablehlo.divide %cst_96, %cst_97 : tensor<f64>
    %301 = stablehlo.broadcast_in_dim %300, dims = [] : (tensor<f64>) -> tensor<33x6xf64>
    %302 = stablehlo.multiply %97, %301 : tensor<33x6xf64>
    %303 = stablehlo.multiply %301, %97 : tensor<33x6xf64>
    %304 = stablehlo.add %302, %303 : tensor<33x6xf64>
    %cst_98 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_99 = stablehlo.constant dense<7.920000e+02> : tensor<f64>
    %305 = stablehlo.divide %cst_98, %cst_99 : tensor<f64>
    %306 = stablehlo.broadcast_in_dim %305, dims = [] : (tensor<f64>) -> tensor<33x8x3xf64>
    %307 = stablehlo.multiply %52, %306 : tensor<33x8x3xf64>
    %308 = stablehlo.multiply %306, %52 : tensor<33x8x3xf64>
    %309 = stablehlo.add %307, %308 : tensor<33x8x3xf64>
    %cst_100 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_101 = stablehlo.constant dense<3.000000e+01> : tensor<f64>
    %310 = stablehlo.divide %cst_100, %cst_101 : tensor<f64>
    %311 = stablehlo.broadcast_in_dim %310, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %312 = stablehlo.multiply %39, %311 : tensor<2x5x3xf64>
    %313 = stablehlo.multiply %311, %39 : tensor<2x5x3xf64>
    %314 = stablehlo.add %312, %313 : tensor<2x5x3xf64>
    %cst_102 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_103 = stablehlo.constant dense<7.920000e+02> : tensor<f64>
    %315 = stablehlo.divide %cst_102, %cst_103 : tensor<f64>
    %316 = stablehlo.broadcast_in_dim %315, dims = [] : (tensor<f64>) -> tensor<33x8x3xf64>
    %317 = stablehlo.multiply %21, %316 : tensor<33x8x3xf64>
    %318 = stablehlo.multiply %316, %21 : tensor<33x8x3xf64>
    %319 = stablehlo.add %317, %318 : tensor<33x8x3xf64>
    %cst_104 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_105 = stablehlo.constant dense<6.500000e+01> : tensor<f64>
    %320 = stablehlo.divide %cst_104, %cst_105 : tensor<f64>
    %321 = stablehlo.broadcast_in_dim %320, dims = [] : (tensor<f64>) -> tensor<65xf64>
    %322 = stablehlo.multiply %14, %321 : tensor<65xf64>
    %323 = stablehlo.multiply %321, %14 : tensor<65xf64>
    %324 = stablehlo.add %322, %323 : tensor<65xf64>
    %cst_106 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_107 = stablehlo.constant dense<1.980000e+02> : tensor<f64>
    %325 = stablehlo.divide %cst_106, %cst_107 : tensor<f64>
    %326 = stablehlo.broadcast_in_dim %325, dims = [] : (tensor<f64>) -> tensor<66x3xf64>
    %327 = stablehlo.multiply %10, %326 : tensor<66x3xf64>
    %328 = stablehlo.multiply %326, %10 : tensor<66x3xf64>
    %329 = stablehlo.add %327, %328 : tensor<66x3xf64>
    %cst_108 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_109 = stablehlo.constant dense<1.980000e+02> : tensor<f64>
    %330 = stablehlo.divide %cst_108, %cst_109 : tensor<f64>
    %331 = stablehlo.broadcast_in_dim %330, dims = [] : (tensor<f64>) -> tensor<33x6xf64>
    %332 = stablehlo.multiply %7, %331 : tensor<33x6xf64>
    %333 = stablehlo.multiply %331, %7 : tensor<33x6xf64>
    %334 = stablehlo.add %332, %333 : tensor<33x6xf64>
    %cst_110 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_111 = stablehlo.constant dense<6.930000e+02> : tensor<f64>
    %335 = stablehlo.divide %cst_110, %cst_111 : tensor<f64>
    %336 = stablehlo.broadcast_in_dim %335, dims = [] : (tensor<f64>) -> tensor<33x7x3xf64>
    %337 = stablehlo.multiply %0, %336 : tensor<33x7x3xf64>
    %338 = stablehlo.multiply %336, %0 : tensor<33x7x3xf64>
    %339 = stablehlo.add %337, %338 : tensor<33x7x3xf64>
    %340 = stablehlo.multiply %248, %243 : tensor<33x2xf64>
    %341 = stablehlo.multiply %340, %241 : tensor<33x2xf64>
    %342 = stablehlo.add %340, %341 : tensor<33x2xf64>
    %cst_112 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %343 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f64>) -> tensor<33x2xf64>
    %344 = stablehlo.multiply %342, %343 : tensor<33x2xf64>
    %c_113 = stablehlo.constant dense<32> : tensor<1xi32>
    %c_114 = stablehlo.constant dense<0> : tensor<i32>
    %345 = stablehlo.broadcast_in_dim %c_114, dims = [] : (tensor<i32>) -> tensor<5x1xi32>
    %346 = stablehlo.compare GE, %205, %345, SIGNED : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x1xi1>
    %347 = stablehlo.broadcast_in_dim %c_113, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %348 = stablehlo.broadcast_in_dim %347, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<5x1xi32>
    %349 = stablehlo.compare LE, %205, %348, SIGNED : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x1xi1>
    %350 = stablehlo.and %346, %349 : tensor<5x1xi1>
    %c_115 = stablehlo.constant dense<true> : tensor<i1>
    %351 = stablehlo.reduce(%350 init: %c_115) applies stablehlo.and across dimensions = [1] : (tensor<5x1xi1>, tensor<i1>) -> tensor<5xi1>
    %352 = "stablehlo.gather"(%344, %205) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<33x2xf64>, tensor<5x1xi32>) -> tensor<5x2xf64>
    %353 = stablehlo.broadcast_in_dim %351, dims = [0] : (tensor<5xi1>) -> tensor<5x2xi1>
    %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %354 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f64>) -> tensor<5x2xf64>
    %355 = stablehlo.select %353, %352, %354 : tensor<5x2xi1>, tensor<5x2xf64>
    %356 = stablehlo.add %259, %344 : tensor<33x2xf64>
    %357 = stablehlo.multiply %355, %229 : tensor<5x2xf64>
    %358 = stablehlo.multiply %355, %238 : tensor<5x2xf64>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %359 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f64>) -> tensor<33x2xf64>
    %360 = "stablehlo.scatter"(%359, %205, %358) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
      %582 = stablehlo.add %arg4, %arg5 : tensor<f64>
      stablehlo.return %582 : tensor<f64>
    }) : (tensor<33x2xf64>, tensor<5x1xi32>, tensor<5x2xf64>) -> tensor<33x2xf64>
    %361 = stablehlo.add %356, %360 : tensor<33x2xf64>
    %362 = stablehlo.reshape %357 : (tensor<5x2xf64>) -> tensor<10xf64>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %363 = stablehlo.pad %362, %cst_118, low = [122], high = [0], interior = [0] : (tensor<10xf64>, tensor<f64>) -> tensor<132xf64>
    %364 = stablehlo.reshape %363 : (tensor<132xf64>) -> tensor<4x33xf64>
    %365 = stablehlo.add %264, %364 : tensor<4x33xf64>
    %cst_119 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %366 = stablehlo.reduce(%361 init: %cst_119) applies stablehlo.add across dimensions = [1] : (tensor<33x2xf64>, tensor<f64>) -> tensor<33xf64>
    %367 = stablehlo.add %274, %366 : tensor<33xf64>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %368 = stablehlo.reduce(%365 init: %cst_120) applies stablehlo.add across dimensions = [0] : (tensor<4x33xf64>, tensor<f64>) -> tensor<33xf64>
    %369 = stablehlo.add %279, %368 : tensor<33xf64>
    %370 = stablehlo.multiply %269, %194 : tensor<3x8x9xf64>
    %371 = stablehlo.multiply %370, %192 : tensor<3x8x9xf64>
    %372 = stablehlo.add %370, %371 : tensor<3x8x9xf64>
    %cst_121 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %373 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f64>) -> tensor<3x8x9xf64>
    %374 = stablehlo.multiply %372, %373 : tensor<3x8x9xf64>
    %375 = stablehlo.dot_general %374, %158, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x8x9xf64>, tensor<3x8x33xf64>) -> tensor<3x9x33xf64>
    %376 = stablehlo.transpose %375, dims = [0, 2, 1] : (tensor<3x9x33xf64>) -> tensor<3x33x9xf64>
    %377 = stablehlo.dot_general %374, %188, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<3x8x9xf64>, tensor<3x33x9xf64>) -> tensor<3x8x33xf64>
    %378 = stablehlo.add %289, %377 : tensor<3x8x33xf64>
    %379 = stablehlo.reshape %376 : (tensor<3x33x9xf64>) -> tensor<891xf64>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %380 = stablehlo.pad %379, %cst_122, low = [0], high = [0], interior = [0] : (tensor<891xf64>, tensor<f64>) -> tensor<891xf64>
    %381 = stablehlo.slice %380 [0:33] : (tensor<891xf64>) -> tensor<33xf64>
    %382 = stablehlo.slice %380 [33:66] : (tensor<891xf64>) -> tensor<33xf64>
    %383 = stablehlo.slice %380 [66:99] : (tensor<891xf64>) -> tensor<33xf64>
    %384 = stablehlo.slice %380 [99:132] : (tensor<891xf64>) -> tensor<33xf64>
    %385 = stablehlo.slice %380 [132:165] : (tensor<891xf64>) -> tensor<33xf64>
    %386 = stablehlo.slice %380 [165:198] : (tensor<891xf64>) -> tensor<33xf64>
    %387 = stablehlo.slice %380 [198:231] : (tensor<891xf64>) -> tensor<33xf64>
    %388 = stablehlo.slice %380 [231:264] : (tensor<891xf64>) -> tensor<33xf64>
    %389 = stablehlo.slice %380 [264:297] : (tensor<891xf64>) -> tensor<33xf64>
    %390 = stablehlo.slice %380 [297:330] : (tensor<891xf64>) -> tensor<33xf64>
    %391 = stablehlo.slice %380 [330:363] : (tensor<891xf64>) -> tensor<33xf64>
    %392 = stablehlo.slice %380 [363:396] : (tensor<891xf64>) -> tensor<33xf64>
    %393 = stablehlo.slice %380 [396:429] : (tensor<891xf64>) -> tensor<33xf64>
    %394 = stablehlo.slice %380 [429:462] : (tensor<891xf64>) -> tensor<33xf64>
    %395 = stablehlo.slice %380 [462:495] : (tensor<891xf64>) -> tensor<33xf64>
    %396 = stablehlo.slice %380 [495:528] : (tensor<891xf64>) -> tensor<33xf64>
    %397 = stablehlo.slice %380 [528:561] : (tensor<891xf64>) -> tensor<33xf64>
    %398 = stablehlo.slice %380 [561:594] : (tensor<891xf64>) -> tensor<33xf64>
    %399 = stablehlo.slice %380 [594:627] : (tensor<891xf64>) -> tensor<33xf64>
    %400 = stablehlo.slice %380 [627:660] : (tensor<891xf64>) -> tensor<33xf64>
    %401 = stablehlo.slice %380 [660:693] : (tensor<891xf64>) -> tensor<33xf64>
    %402 = stablehlo.slice %380 [693:726] : (tensor<891xf64>) -> tensor<33xf64>
    %403 = stablehlo.slice %380 [726:759] : (tensor<891xf64>) -> tensor<33xf64>
    %404 = stablehlo.slice %380 [759:792] : (tensor<891xf64>) -> tensor<33xf64>
    %405 = stablehlo.slice %380 [792:825] : (tensor<891xf64>) -> tensor<33xf64>
    %406 = stablehlo.slice %380 [825:858] : (tensor<891xf64>) -> tensor<33xf64>
    %407 = stablehlo.slice %380 [858:891] : (tensor<891xf64>) -> tensor<33xf64>
    %408 = stablehlo.add %367, %381 : tensor<33xf64>
    %409 = stablehlo.add %408, %382 : tensor<33xf64>
    %410 = stablehlo.add %409, %383 : tensor<33xf64>
    %411 = stablehlo.add %410, %384 : tensor<33xf64>
    %412 = stablehlo.add %411, %385 : tensor<33xf64>
    %413 = stablehlo.add %412, %386 : tensor<33xf64>
    %414 = stablehlo.add %413, %387 : tensor<33xf64>
    %415 = stablehlo.add %414, %388 : tensor<33xf64>
    %416 = stablehlo.add %415, %389 : tensor<33xf64>
    %417 = stablehlo.add %416, %390 : tensor<33xf64>
    %418 = stablehlo.add %417, %391 : tensor<33xf64>
    %419 = stablehlo.add %418, %392 : tensor<33xf64>
    %420 = stablehlo.add %419, %393 : tensor<33xf64>
    %421 = stablehlo.add %420, %394 : tensor<33xf64>
    %422 = stablehlo.add %421, %395 : tensor<33xf64>
    %423 = stablehlo.add %422, %396 : tensor<33xf64>
    %424 = stablehlo.add %423, %397 : tensor<33xf64>
    %425 = stablehlo.add %424, %398 : tensor<33xf64>
    %426 = stablehlo.add %425, %399 : tensor<33xf64>
    %427 = stablehlo.add %426, %400 : tensor<33xf64>
    %428 = stablehlo.add %427, %401 : tensor<33xf64>
    %429 = stablehlo.add %428, %402 : tensor<33xf64>
    %430 = stablehlo.add %429, %403 : tensor<33xf64>
    %431 = stablehlo.add %430, %404 : tensor<33xf64>
    %432 = stablehlo.add %431, %405 : tensor<33xf64>
    %433 = stablehlo.add %432, %406 : tensor<33xf64>
    %434 = stablehlo.add %433, %407 : tensor<33xf64>
    %435 = stablehlo.reverse %434, dims = [0] : tensor<33xf64>
    %436 = stablehlo.add %369, %435 : tensor<33xf64>
    %437 = stablehlo.multiply %436, %182 : tensor<33xf64>
    %438 = stablehlo.multiply %437, %180 : tensor<33xf64>
    %439 = stablehlo.add %437, %438 : tensor<33xf64>
    %cst_123 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %440 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f64>) -> tensor<33xf64>
    %441 = stablehlo.multiply %439, %440 : tensor<33xf64>
    %442 = stablehlo.broadcast_in_dim %441, dims = [1] : (tensor<33xf64>) -> tensor<1x33xf64>
    %443 = stablehlo.multiply %174, %442 : tensor<1x33xf64>
    %444 = stablehlo.multiply %442, %175 : tensor<1x33xf64>
    %cst_124 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %445 = stablehlo.pad %443, %cst_124, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<1x33xf64>, tensor<f64>) -> tensor<2x33xf64>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %446 = stablehlo.pad %444, %cst_125, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<1x33xf64>, tensor<f64>) -> tensor<2x33xf64>
    %447 = stablehlo.add %445, %446 : tensor<2x33xf64>
    %448 = stablehlo.multiply %170, %447 : tensor<2x33xf64>
    %449 = stablehlo.multiply %447, %172 : tensor<2x33xf64>
    %cst_126 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %450 = stablehlo.pad %448, %cst_126, low = [0, 0], high = [-1, 0], interior = [0, 0] : (tensor<2x33xf64>, tensor<f64>) -> tensor<1x33xf64>
    %451 = stablehlo.slice %450 [0:1, 0:33] : (tensor<1x33xf64>) -> tensor<1x33xf64>
    %cst_127 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %452 = stablehlo.pad %451, %cst_127, low = [2, 0], high = [0, 0], interior = [0, 0] : (tensor<1x33xf64>, tensor<f64>) -> tensor<3x33xf64>
    %cst_128 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %453 = stablehlo.pad %449, %cst_128, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<2x33xf64>, tensor<f64>) -> tensor<3x33xf64>
    %454 = stablehlo.add %452, %453 : tensor<3x33xf64>
    %455 = stablehlo.multiply %167, %454 : tensor<3x33xf64>
    %456 = stablehlo.multiply %454, %168 : tensor<3x33xf64>
    %cst_129 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %457 = stablehlo.pad %455, %cst_129, low = [3, 0], high = [0, 0], interior = [0, 0] : (tensor<3x33xf64>, tensor<f64>) -> tensor<6x33xf64>
    %cst_130 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %458 = stablehlo.pad %456, %cst_130, low = [0, 0], high = [3, 0], interior = [0, 0] : (tensor<3x33xf64>, tensor<f64>) -> tensor<6x33xf64>
    %459 = stablehlo.add %457, %458 : tensor<6x33xf64>
    %460 = stablehlo.multiply %164, %459 : tensor<6x33xf64>
    %461 = stablehlo.multiply %459, %165 : tensor<6x33xf64>
    %cst_131 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %462 = stablehlo.pad %460, %cst_131, low = [6, 0], high = [0, 0], interior = [0, 0] : (tensor<6x33xf64>, tensor<f64>) -> tensor<12x33xf64>
    %cst_132 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %463 = stablehlo.pad %461, %cst_132, low = [0, 0], high = [6, 0], interior = [0, 0] : (tensor<6x33xf64>, tensor<f64>) -> tensor<12x33xf64>
    %464 = stablehlo.add %462, %463 : tensor<12x33xf64>
    %465 = stablehlo.multiply %161, %464 : tensor<12x33xf64>
    %466 = stablehlo.multiply %464, %162 : tensor<12x33xf64>
    %cst_133 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %467 = stablehlo.pad %465, %cst_133, low = [12, 0], high = [0, 0], interior = [0, 0] : (tensor<12x33xf64>, tensor<f64>) -> tensor<24x33xf64>
    %cst_134 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %468 = stablehlo.pad %466, %cst_134, low = [0, 0], high = [12, 0], interior = [0, 0] : (tensor<12x33xf64>, tensor<f64>) -> tensor<24x33xf64>
    %469 = stablehlo.add %467, %468 : tensor<24x33xf64>
    %470 = stablehlo.reshape %469 : (tensor<24x33xf64>) -> tensor<3x8x33xf64>
    %471 = stablehlo.add %378, %470 : tensor<3x8x33xf64>
    %472 = stablehlo.slice %284 [0:3, 0:8, 0:33] : (tensor<3x16x33xf64>) -> tensor<3x8x33xf64>
    %473 = stablehlo.slice %284 [0:3, 8:16, 0:33] : (tensor<3x16x33xf64>) -> tensor<3x8x33xf64>
    %474 = stablehlo.add %471, %472 : tensor<3x8x33xf64>
    %475 = stablehlo.add %474, %473 : tensor<3x8x33xf64>
    %476 = stablehlo.transpose %475, dims = [2, 1, 0] : (tensor<3x8x33xf64>) -> tensor<33x8x3xf64>
    %477 = stablehlo.add %309, %476 : tensor<33x8x3xf64>
    %478 = stablehlo.multiply %294, %157 : tensor<2x3x2xf64>
    %479 = stablehlo.multiply %478, %155 : tensor<2x3x2xf64>
    %480 = stablehlo.add %478, %479 : tensor<2x3x2xf64>
    %cst_135 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %481 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f64>) -> tensor<2x3x2xf64>
    %482 = stablehlo.multiply %480, %481 : tensor<2x3x2xf64>
    %483 = stablehlo.convolution(%39, %482) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [2], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x5x3xf64>, tensor<2x3x2xf64>) -> tensor<3x3x2xf64>
    %484 = stablehlo.reverse %151, dims = [0] : tensor<3x3x2xf64>
    %485 = stablehlo.convolution(%482, %484) dim_numbers = [b, 0, f]x[0, o, i]->[b, 0, f], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [2], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x2xf64>, tensor<3x3x2xf64>) -> tensor<2x5x3xf64>
    %486 = stablehlo.add %314, %485 : tensor<2x5x3xf64>
    %487 = stablehlo.reshape %483 : (tensor<3x3x2xf64>) -> tensor<18xf64>
    %cst_136 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %488 = stablehlo.pad %487, %cst_136, low = [12], high = [0], interior = [0] : (tensor<18xf64>, tensor<f64>) -> tensor<30xf64>
    %489 = stablehlo.reshape %488 : (tensor<30xf64>) -> tensor<2x5x3xf64>
    %490 = stablehlo.add %299, %489 : tensor<2x5x3xf64>
    %cst_137 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %491 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %492 = stablehlo.select %148, %490, %491 : tensor<2x5x3xi1>, tensor<2x5x3xf64>
    %cst_138 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %493 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %494 = stablehlo.select %147, %490, %493 : tensor<2x5x3xi1>, tensor<2x5x3xf64>
    %495 = stablehlo.add %486, %494 : tensor<2x5x3xf64>
    %cst_139 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %496 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %497 = stablehlo.select %144, %490, %496 : tensor<2x5x3xi1>, tensor<2x5x3xf64>
    %498 = stablehlo.multiply %492, %140 : tensor<2x5x3xf64>
    %499 = stablehlo.add %495, %498 : tensor<2x5x3xf64>
    %500 = stablehlo.multiply %492, %131 : tensor<2x5x3xf64>
    %501 = stablehlo.multiply %497, %121 : tensor<2x5x3xf64>
    %502 = stablehlo.add %499, %501 : tensor<2x5x3xf64>
    %503 = stablehlo.multiply %497, %112 : tensor<2x5x3xf64>
    %504 = stablehlo.add %500, %503 : tensor<2x5x3xf64>
    %505 = stablehlo.reshape %504 : (tensor<2x5x3xf64>) -> tensor<30xf64>
    %cst_140 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %506 = stablehlo.pad %505, %cst_140, low = [762], high = [0], interior = [0] : (tensor<30xf64>, tensor<f64>) -> tensor<792xf64>
    %507 = stablehlo.reshape %506 : (tensor<792xf64>) -> tensor<33x8x3xf64>
    %508 = stablehlo.add %477, %507 : tensor<33x8x3xf64>
    %509 = stablehlo.multiply %304, %99 : tensor<33x6xf64>
    %510 = stablehlo.multiply %509, %97 : tensor<33x6xf64>
    %511 = stablehlo.add %509, %510 : tensor<33x6xf64>
    %cst_141 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %512 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f64>) -> tensor<33x6xf64>
    %513 = stablehlo.multiply %511, %512 : tensor<33x6xf64>
    %c_142 = stablehlo.constant dense<32> : tensor<1xi32>
    %c_143 = stablehlo.constant dense<0> : tensor<i32>
    %514 = stablehlo.broadcast_in_dim %c_143, dims = [] : (tensor<i32>) -> tensor<5x1xi32>
    %515 = stablehlo.compare GE, %61, %514, SIGNED : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x1xi1>
    %516 = stablehlo.broadcast_in_dim %c_142, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %517 = stablehlo.broadcast_in_dim %516, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<5x1xi32>
    %518 = stablehlo.compare LE, %61, %517, SIGNED : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x1xi1>
    %519 = stablehlo.and %515, %518 : tensor<5x1xi1>
    %c_144 = stablehlo.constant dense<true> : tensor<i1>
    %520 = stablehlo.reduce(%519 init: %c_144) applies stablehlo.and across dimensions = [1] : (tensor<5x1xi1>, tensor<i1>) -> tensor<5xi1>
    %521 = "stablehlo.gather"(%513, %61) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<33x6xf64>, tensor<5x1xi32>) -> tensor<5x6xf64>
    %522 = stablehlo.broadcast_in_dim %520, dims = [0] : (tensor<5xi1>) -> tensor<5x6xi1>
    %cst_145 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %523 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f64>) -> tensor<5x6xf64>
    %524 = stablehlo.select %522, %521, %523 : tensor<5x6xi1>, tensor<5x6xf64>
    %525 = stablehlo.add %334, %513 : tensor<33x6xf64>
    %526 = stablehlo.multiply %524, %85 : tensor<5x6xf64>
    %527 = stablehlo.multiply %524, %94 : tensor<5x6xf64>
    %cst_146 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %528 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f64>) -> tensor<33x6xf64>
    %529 = "stablehlo.scatter"(%528, %61, %527) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
      %582 = stablehlo.add %arg4, %arg5 : tensor<f64>
      stablehlo.return %582 : tensor<f64>
    }) : (tensor<33x6xf64>, tensor<5x1xi32>, tensor<5x6xf64>) -> tensor<33x6xf64>
    %530 = stablehlo.add %525, %529 : tensor<33x6xf64>
    %531 = stablehlo.reshape %526 : (tensor<5x6xf64>) -> tensor<30xf64>
    %cst_147 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %532 = stablehlo.pad %531, %cst_147, low = [762], high = [0], interior = [0] : (tensor<30xf64>, tensor<f64>) -> tensor<792xf64>
    %533 = stablehlo.reshape %532 : (tensor<792xf64>) -> tensor<33x8x3xf64>
    %534 = stablehlo.add %319, %533 : tensor<33x8x3xf64>
    %cst_148 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %535 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
    %536 = stablehlo.dynamic_update_slice %508, %535, %45, %48, %51 : (tensor<33x8x3xf64>, tensor<2x5x3xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<33x8x3xf64>
    %537 = stablehlo.dynamic_slice %508, %45, %48, %51, sizes = [2, 5, 3] : (tensor<33x8x3xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x5x3xf64>
    %538 = stablehlo.add %534, %536 : tensor<33x8x3xf64>
    %539 = stablehlo.reshape %537 : (tensor<2x5x3xf64>) -> tensor<30xf64>
    %cst_149 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %540 = stablehlo.pad %539, %cst_149, low = [663], high = [0], interior = [0] : (tensor<30xf64>, tensor<f64>) -> tensor<693xf64>
    %541 = stablehlo.reshape %540 : (tensor<693xf64>) -> tensor<33x7x3xf64>
    %cst_150 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %542 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f64>) -> tensor<33x8x3xf64>
    %543 = stablehlo.dynamic_update_slice %542, %502, %32, %35, %38 : (tensor<33x8x3xf64>, tensor<2x5x3xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<33x8x3xf64>
    %544 = stablehlo.add %538, %543 : tensor<33x8x3xf64>
    %545 = stablehlo.multiply %544, %23 : tensor<33x8x3xf64>
    %546 = stablehlo.multiply %545, %21 : tensor<33x8x3xf64>
    %547 = stablehlo.add %545, %546 : tensor<33x8x3xf64>
    %cst_151 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %548 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f64>) -> tensor<33x8x3xf64>
    %549 = stablehlo.multiply %547, %548 : tensor<33x8x3xf64>
    %550 = stablehlo.convolution(%0, %549) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[1, 2]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<33x7x3xf64>, tensor<33x8x3xf64>) -> tensor<3x3x3xf64>
    %551 = stablehlo.reverse %17, dims = [0] : tensor<3x3x3xf64>
    %552 = stablehlo.convolution(%549, %551) dim_numbers = [b, 0, f]x[0, o, i]->[b, 0, f], window = {stride = [1], pad = [[1, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<33x8x3xf64>, tensor<3x3x3xf64>) -> tensor<33x7x3xf64>
    %553 = stablehlo.add %339, %552 : tensor<33x7x3xf64>
    %554 = stablehlo.reshape %550 : (tensor<3x3x3xf64>) -> tensor<27xf64>
    %cst_152 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %555 = stablehlo.pad %554, %cst_152, low = [171], high = [0], interior = [0] : (tensor<27xf64>, tensor<f64>) -> tensor<198xf64>
    %556 = stablehlo.reshape %555 : (tensor<198xf64>) -> tensor<66x3xf64>
    %557 = stablehlo.add %329, %556 : tensor<66x3xf64>
    %cst_153 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %558 = stablehlo.pad %324, %cst_153, low = [1], high = [-1], interior = [0] : (tensor<65xf64>, tensor<f64>) -> tensor<65xf64>
    %559 = stablehlo.slice %558 [0:65:2] : (tensor<65xf64>) -> tensor<33xf64>
    %cst_154 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %560 = stablehlo.reduce(%324 init: %cst_154) applies stablehlo.add across dimensions = [0] : (tensor<65xf64>, tensor<f64>) -> tensor<f64>
    %cst_155 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %561 = stablehlo.reduce(%559 init: %cst_155) applies stablehlo.add across dimensions = [0] : (tensor<33xf64>, tensor<f64>) -> tensor<f64>
    %562 = stablehlo.subtract %560, %561 : tensor<f64>
    %563 = stablehlo.reshape %562 : (tensor<f64>) -> tensor<1xf64>
    %cst_156 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %564 = stablehlo.pad %563, %cst_156, low = [692], high = [0], interior = [0] : (tensor<1xf64>, tensor<f64>) -> tensor<693xf64>
    %565 = stablehlo.reshape %564 : (tensor<693xf64>) -> tensor<33x7x3xf64>
    %566 = stablehlo.add %553, %565 : tensor<33x7x3xf64>
    %567 = stablehlo.reshape %557 : (tensor<66x3xf64>) -> tensor<33x6xf64>
    %568 = stablehlo.add %530, %567 : tensor<33x6xf64>
    %569 = stablehlo.multiply %568, %9 : tensor<33x6xf64>
    %570 = stablehlo.multiply %569, %7 : tensor<33x6xf64>
    %571 = stablehlo.add %569, %570 : tensor<33x6xf64>
    %cst_157 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %572 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f64>) -> tensor<33x6xf64>
    %573 = stablehlo.multiply %571, %572 : tensor<33x6xf64>
    %574 = stablehlo.dot_general %573, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<33x6xf64>, tensor<33x6xf64>) -> tensor<6x6xf64>
    %575 = stablehlo.transpose %574, dims = [1, 0] : (tensor<6x6xf64>) -> tensor<6x6xf64>
    %576 = stablehlo.dot_general %573, %3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<33x6xf64>, tensor<6x6xf64>) -> tensor<33x6xf64>
    %577 = stablehlo.reshape %575 : (tensor<6x6xf64>) -> tensor<36xf64>
    %cst_158 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %578 = stablehlo.pad %577, %cst_158, low = [90], high = [0], interior = [0] : (tensor<36xf64>, tensor<f64>) -> tensor<126xf64>
    %579 = stablehlo.reshape %578 : (tensor<126xf64>) -> tensor<9x7x2xf64>
    %580 = stablehlo.reverse %566, dims = [1] : tensor<33x7x3xf64>
    %581 = stablehlo.add %541, %580 : tensor<33x7x3xf64>
    return %581, %579, %576, %559 : tensor<33x7x3xf64>, tensor<9x7x2xf64>, tensor<33x6xf64>, tensor<33xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0xF47AB7357199E53F008FAFA51928A3BFE013FC17C03CD93FFCFEEB044C26FABFB43F046F52DEF3BF6477E28AFB0AF9BFC4FAE4DB81E3EE3FC63F54A73D69F3BF109863857D06C0BFC26B67119FCFF23FC066944C60B0A73F10E9106F5B24F4BF18A541157283EABF68F832D2E52DD63F548BC459EFD5EFBFF4684C6B336FF43FE44B19B9E5F5FDBFC07F31C56D10D7BF20FD86419ED4F33F42FBCF4A295FFC3FCEB66F91F45EF53F481E1A801A51FD3F3411E1B0D48BF6BF340AC9271B8FF03F88B95B18DA75F9BF38D4DA016723D13F50FF081A341EC13F1A1A67553B1AF9BFF06C4E747EFEC63F60296667FCF9EA3F40603045BAC6CEBFC62C98996AE1FA3F64B076591A99E83FAC5021A91736ECBF40C5F42F2A0EFB3FE8E45DD21092EDBF2465FCB61B74E3BFA497D40FEBDBF03FAAAAEDA9D080F43FCAE3CA3A3214F7BFCA7BE645A713FC3FC059A6033D69CD3FE02A2FF0E03DBF3F985A58E3AB3DDD3FC077A762D382F1BFB066AE9CAB0BEFBF221426ADA2DDFFBF64D37DC7300CE93F1AD2C52A04F1F1BFFC5125B10407EA3F0816B816B63EDFBF72B2A32F0BFEF23FE85E7E27B297F63FC0AC325DE89AD1BF08B6F15C1669E2BF40088DD43378A73F7C78CC2AD28CEEBF54DD0E91694EFF3F342139873513E3BF8E9F8CCF4A07FE3F945624493640ED3FF0FF1CC7D834DD3F40C3B12FBA99A53F00BFFF413E6E943F006AECB746E3F83F380C09479BB9FE3F80E4F6FBB510A03FEC495DD66314FABFD830D669AD22F4BF2C41FF7FE92FE2BF301910D3F639CBBF045FE1DAD001E43F26754F074F2BF2BF98B7E140C09BD03FA07D73449E3CC93F1A2DCE0ECC6EFF3F6C79E1D0F020E83F702A616275ECE93FFC226690ADD8FBBF28C816CB230EE8BF60E3D4965438D13FBAEE1421729DF3BF4EA70979FABCF93F68E0FCAC2FB5D73FBC19CB2CDA22FBBFA0C690B5EB39C3BF88C8C2161785D5BF089956696650D9BFB67933E9ECFFF9BF400685601F17B5BF78C41C5F86A6DE3F6430F38AD5FEE9BF44BC032D769AEEBFFC0721D03D3EFFBF201E57F5DB3DE4BFB8E6DFDB3935D83F48276D19E0A9FABF147BC21676DFE1BFD0C8F95B1984DE3F782F6F2C7746DB3F1CE3C633E9A7F6BFF892F5C460CBDE3F3CC2D6EB8FF2F73FC4A5D89FFE8FEEBF808BD6ECB15FE63F60563D7FB323D63F12460D452BD3FCBFC489B4A3D7E6FABF4C0E9B81719BEFBF1862958BF7FDED3FFCBC1A16D329EF3F004EB4D29C3AC23FC08CC0E61276F93FF44E6F3454DEF53F14CA3C0206D0E4BF0A280CD8271FF8BF804B517225ABE43F345F32CC4428F43FE0E73EC044FEB73FE0C44CF2F643BDBF2CF779C5E649F73F800062118A2CF03FD82727D9F7C6F63FEC13E754414DFBBF2C2561A3C479EC3FA65D606C8068F63F58CBA312CDECFFBF8EE13A6508CEF93FC07C00AD3D78E3BFE4263429D228FABF2CA12255E6B6F13F7EB602B9AA82F1BF585021F48951D3BF9ACF6C1E7E4CFABFC8D03305B1ACDE3F383EAACFD9B6DB3F987DA95AF69AEEBF40AFA5C942C1B43F782EDACA0D34EA3FC04A2BEBA449AF3F1A2FFBCDD00AFD3F082D99F4A18EEF3FBC2593958CD4EFBF8A5AAD1C8C74FA3F1A2428E575B9F0BFE4F00B52A88AEEBF06EB41F51BD6F7BF2CA230D88884E93F3238F3B329A0F63F9C5C1D428C00E9BFA8FC4364E724D53FA8D312BA3EF0E53F80654627E2A7E1BF9262BD0B19E9FFBFA057C074E495D5BF2C8B5E90A32CFB3F300A329B878AE8BF38952D675B96D1BF28C56FE4394BDA3FB6D0674EEB9DFE3F105DF57769D7E13F486BCA2C78F0E33FF49A472FE313E73F7AB7EB59F832F03FAC62087852EDEEBFF03051FEE09DDB3F02543E2592DDF33FE09196721161EBBF547281A961B3FDBF223D8EB69565F0BFD49808D833E4FF3F9A2A78451213F3BFDA2006898A5FFFBFE86C00554628D93F480275E0C0E0F33F70F7F050BB2EF6BFB08F737D4B9BDD3FE4492B9CAB90F33F84C284D344E1F63FCC6387D469D0FEBF40066BA754F7DB3FFE6541C985B4FE3FDA099E6D9561F93F203585BAD374D8BF8EE7D8398329F53F7CBA12407AECE1BFAC9CD190B4CEE5BFC8FEC300C18DD53F40AB9605C7A2E4BFC2AFFA6424C2F9BFEE1C51C07B05F9BF7441695469C7E93F40CF5D97C76AD33F6A6AB6EC999AF13F4AC5129C4FE8FFBF48D3BE2FFBDCF1BF568CCCD09539F53FA0B838774775F4BFBA3219D8C7C5FB3F64CFD6565A15E03FC0BDCC41311AA1BFE86BD611C506F33F72770D060BB9F0BFD4E6B813DD14F23FC8E4CC11EC93E8BF0074F18736E4D93F16C2BDF99207F43F185FC818B27BEA3F6E0378AEDD1CF13F50C5E77A91EFDD3F347587B0BF4DE03FF85FB9CC69E8F3BFFCC3950575FBE4BF32A102181FEEFEBF14EA19FF86C9ED3F78974C2DE75BFBBFE0BF71044C64BDBFBCB828065878FA3FD626A97BAB19FD3FC0B6E79D6F8BA13F7A04A9C13558FFBF389DE1050B01E73FAA9C0CCA25F0F63FB693F26A5683F53F6823520F181AD03F1015090148EEDCBFAA5FB106BBE1F33FC03E532D49C0FC3FF6086B756E8DFDBF003D52F9BD7C943FAC68B649020DE6BF705293C8A49FE53FB814AE7A4A03D8BF0EB36577D833F03F80E5CAA1C18C923F7CE6246C8EC4FE3F947FD21269F8E83F9CEFB776176AF53F56B759452422F9BFB0B2FE8B71DDF8BF6656B248E355F53FF02DFCECDEB7CD3F2C77DCA489BBF7BF586B3D0FC3E3F1BFF24590CADBADFCBFB09C8D0849CAEABF64EC8F3AED8EFE3F585C85AA200CFEBFE82E8E079E28DE3F2A666F87EF05FE3F20AFC0AF80D1FA3FF01301C3E263EDBFF60BD7982F98F83F5AC2F7ED1C38F0BF78CCE70D8EEAE4BF48EE478011C0DE3FD04C32E9B24AF43F00208FAAA1C13FBF0217C0CEBAD3F23FA2DB4A9DEACFFF3FE457FA7E08CAF93F086439CD0EBCDABF3AEF17C416C7FFBF800E85953344C3BFC6018449EEF2FB3F50F0606DF216D33F568E1FF02B39F53F204F74E542D8E43FF825A8FDF5A4FE3F14792B4ABDC7F03FD81AAAFDA391EABF305EFEBAA6EBFABF7080F24F3DA7F9BF4696D5255349F0BF4AE1E1864662FC3F8046FE1FD7089EBFE4D418308C08F5BFB83582B2D243ED3F4AA63F54B9F5F33FEC61AC922C25E2BF6438C7EC8790FA3FE84584D03518D7BF08711C4AE60CF8BF40B214191AF2C63F98EF85296FEFEC3FCA87FE71CFDCFB3F8C025B708DF7F33FA83D913676B0ED3F4805E4FD7C95D33F008AC62EB8A5ACBF2E014D61376AF53F24BB110BF199E83FB00EA51BC8D8D03F6E49DB9A9226F03F7C58050E083AE4BFC41C871BD906F5BFEC2FE06E9828EABF3E398F225FD5F03F00CDF37C7E12E6BF90EB2BEFE16EFA3FE813A88AE76DE83F60CA24FD8D94F83F80541F5A65ACCCBFDC8737FFE80BF23FB0BA663CFB3FC1BFB0DC9FAF150AF43F408546578654D7BFBA101CD63101F23F30015DC46206C3BF1C5BC6FA2DEEE9BF40E468E0A5FABB3FEC147211F877F43FEADDA55F79FAF83F34924601F304ECBF9031D07EDB78E6BF022EED421694F83F4841EEF51C3AEBBF36F91CD3C781F1BFE007B3135664C33F68DB0A926945EEBF40EEB08B9CC8AEBF9849F5BF5652D73F48B2F2C945B1DABFE00845ABA8BFD3BF08F7C3CD4142E53FE0CFA9401C51F7BF4892A23DD2D5D73FAEE988C5B9C2FEBF4C8510D6D25BF63F8C85B82D229AFE3FB2A1DAF24A88FB3FA0530482D9E4B93FEA30F847E2DAF0BFC027A0BA40E3DC3F0247241A64E6F9BF4A18284F8EFCFBBF507728499BB3E2BFC430BA9532C1EEBF286F4C4D6AEDDDBF644901E0C9A1E7BF628F569FCE1FF0BF5A8342423CDBF0BF445800289C79F73F7C6952C683EDF8BFC81A281FF822FA3F94F65B0A9AC8F13F88C1A4935334EB3F7EEB7F5C14D6FF3F10A18913351ED63FC2D67624B56DFA3F7847716E386BF1BF5A72FC2CA952F53F7050071232A3F9BF5CBC2F364C99F2BF28DE2531D06BE7BF58B9B73A7ED7E43FA25CD876759DFE3F108173B2832BFCBF00F95CC8087ADF3F5094E643F038F2BF90E7F3D5FF2CCDBF10BC193187D2C9BF08A0E7FA120CFEBFB01FE3532C59FBBFD6A9027A9015FCBF5A64BE5F2003F43F28A04A1D7F10FBBF98C3D402E360FC3FEAFCFDAB09F6FF3F208F25EDCFE6B5BF8070998CBD67C2BFCC55F8C74B04EBBF06BE13F00514F3BF6A8842E2D26BFBBFBE6EAE003802F53F48A78A87AB18E6BFF8F69362AF90FDBF48A38B46ADB9E4BFB0EDF5AE8BB0DABF2E32DE2CCDBCF93F982D752518C4E4BF3291A019FC2BFA3F4649DC92DCAAFABF7003FB645971D83F689AB1F8EE78E03F52901CA5FC0DFF3F1A8B739B0349FE3F3625F934DC2AF0BFA8720AEA8A3BDABF2897320E8E72E13FF4F9885698EFF93F8888C89CBA4EF6BFB0C13FF23741E0BF9005CA0639F6C53F1C9321A20433E23FC06C29C507D9B43F88D6FF535DB0EF3F144C829D801DFBBFF48E279EA754E8BFD0E092D8C5F7D0BF448816330DE4EE3FBED07A332F80FCBF000861E9E0FCDBBF0C48385F173BFDBFB87DC3502C0BFDBF9A567CE48DE2F1BF86FFC1961594FEBF80FB3C66994CDC3FD8EB71D8F5EEE3BF90351498BCC7D0BF94FCDA8AF7EFF53F5A08C1B3F172F73F4A6240840AC5FB3F9453F10D9FD8F9BF000007B97EE3943FCC3075861878F4BFF06D2F94467EF2BF9E8A3A792CB4F33F702985349C79D0BF70C327E43CD3FC3F2098A8121A11DF3FAC7CF866B3D3EBBF2C3B966B9A95FC3FF03FC77E4CFEEC3FC0F9E23D391BDE3F5807048292A1D5BF5AABFC8E18A8F13F00C98457895FA1BFC02310D0306AFE3FEE21A3649C6AFA3FD8B5D75FA5B0EDBF74B38CC7729EF0BFE0295CCADAA4B63F205086E813E2FBBF52782C712CC4F73FC0F00198932CCB3F1EF86BB887B3FABFEEB6BC3A8705F0BF6C2D6220650CF9BFFC002B21D592E1BF4067CEBA80E6E7BF9A2B7CCD8A1DFFBF00EA4BEAD5E493BFD827FE6DC0B7E33FA86073C4612EFBBF0C00682A3342F0BF9033CA4D7C0DDCBF727262C42ADBFA3F7C8F8250FD0CFBBF003620AC67F0A63F0297A1D9C466F83F00565592274B903F0039A88B1635B23FCE99989519C6F73FBE608F52D590FFBFD8335478F8A6FF3F9C2D09B7D16AEF3F58BDD9F6F050DF3F00CB7BE5964A943FC846D4CC202EE03FF82AF2468B25EB3F764C1A16F7BAF83F60CEBFD8ECC1E5BF92927939EEFAFABF5087756A9994C73F968EC35C672FFA3F1202B5031105F6BF6C5CDF711D92E2BF5EC705DD525DF43FBC9C267497CFF0BF60EFAABC7F3CECBF22AABC873325F23FBA38E8509C78F73FB2784734EB28FC3F72149E91C47AF73FCE5CDFAFE72BF1BF601F96DB3BB5B53F1A645BAD1C07FC3FC00ECA479EB0F93F88B98DADB992D83F84D7FEBF1E13E2BF0A1B889A8D88F23FB0131FB35089F93FC037E12666BDE1BF7A7FAE3A308FF13F426100F2B4A2FA3FFADB91EF95F9FBBF88BBC5FE7FF0FD3F8C74393F1D32FFBF782180204918E93FFCF7952DB04CEABF80A6CD731AA3F43FE49DF8322F8CF8BF2A3E5DB4D1C1F7BF4EADA35D3FBFFF3FE8D6B7611609DDBFF04F12C61249FE3F58BD38C4C249E43F80D31B9F13AEAD3FF29497C0CDE0F1BF001D9CA31208C93FBCF7FEA45F97F1BF0E3B07BE7DC2F83F2C3DF02CBE93EE3F5C918269567BF3BFC85CBE6636B9E23FE05068E82DC4B5BF70314706B9EACBBF18C8D77A41DDD43F263CEAFE4C18FE3F6EE4C1DF3FBDF4BF00294062FEBDBD3F4C3F62F50052E5BFA090008AF2F3D93FC4BECE023996F1BF985B00DDDE09D0BFCCE12097F364E23F7430417DAD89EA3F58DC808AE762DFBF084008F0AFB1F8BF2A858AA9125CF63F18F9C538BC99EEBF78A9A069B7E1F5BFE84C6F0599A1FFBF781865EE731AF3BFF8C78D418932DD3FACA67D9F0AD8FA3F729A72A3EA34F03F98610C341B5CF73F80EA368A217DB8BFB03FD2DCA1C5D0BF9C87BDDD255CE93F0844FA4630B2DDBF902AF686D822DE3FA8062C5D61C3D2BFB6B130F31600FDBF884F660CB8FAD2BFD412188AFB32E9BFE84E52ED6E22EABFE069A52B626DE83F244FE08ACAEFEE3F9C2C2377CC90E03FBAB45B175DF8FCBF78415D7EA14FD53FB40CFE1A7605E1BF604A87BDD5F4B0BF36A96F0C9CDEF2BF0004C611B431BEBF34809B89E6A5F7BFF02E098C407FCCBF044D3E8885FDFFBF32F62F342949FB3F70CCA9DE8927FBBF2801C2A52B42D83F80A1F9CF2C15F4BFF2E3E1AC4554F43F3ABADA5EF7B3F0BF6CA4D23FC373E33F30B4A4AF7B25E1BF58A70ACC25B1FD3FE6D6566ED820F53FC0D3C0F5AA7FCEBF4203B0C8C958F63FC8AAF506DDCBD43F50C7FF95E256EE3FE8A138FF1084E63F380E96F49AB1DD3F8836105380B6D33FB00660A2F98CCF3F143AD8C80D4EE13FF437935E0B22E13FE6853F80713DFE3FA0E38AADCC02DBBF0846F2B55EB1EA3F00356B22C01DDDBFB4DB031435CCE5BFF4A54A2B8F27E3BFF29045A3E22AFEBF6024D1C04FE6E2BF2AE7219B5AFFF3BF1082297856A1F7BFAC70F25F5C15E73F54BBAA0213B0E0BF36A6AC022CA2F5BFDA52D24B86E2FFBF80B4EDB8E9F6D63F0086B4C429F2A33F10DBC9212E62C33FF0281CAB18CBE3BF7E9497F38043F3BF606277DCC0EDB83F0207B86E8219F9BFEC65C7CF3D3EFEBF8C95F6A88BE4F6BF1628F2AB9FEDFC3F64A217828A48FBBF9890939C83F2DCBF04210095D6ABEABF941036E515C7F6BF4C2B70D3D8DFF93F307141AFB392EDBF88FEBC3F4AA0DF3F32BF446329C6F8BF6C88BDB264B5F7BF323781920BD2F5BF083E1C0CF7A6DB3FD82DC6975562ECBFB83C1EBAE65CD13F5232E0140465F7BF804F3CED5424B93F8079CC85B927D73F40D08DB3FE52D1BFFC731585B2A5EC3FA63B5A1EA14FFE3FF06A9C39C1D8E73F42A4428E4AE7FF3F20126B38475BBEBFC0F2E554E347BD3F08F705594749E7BF9267E4776D4EF3BF3E976C4E7FBBF23F3CC0E7DA6470FA3F3072B6BFAE30D33F944CA4D54B59EA3FDA70EE790BB1F13FDE6A44301DE1FB3FBC413FCF255FE5BF549779AE0461EF3FE2A6A6FA226BF9BF40CD95728A13F93FB67C6ECEBD4FFCBF30F6C8C843FBE23FE897180A855CDD3F14AF9C17BEB8F6BF3C50DFE8068FFABF00A8B972231050BF00CE469317ABD6BF0CF025BB9B67F83FBA8B02A605F5FE3F4070EA7F39EFC1BFBCAE1CB59F6DF5BF0C9C43010D21FFBF38A6A254DCBAF03FD0783225F4A1F3BF76D967EE4E97F9BF66E840D0A716FDBFC03BF4527FDFBEBFE0E2178D26CDE83F7C510A03A2D9ECBF8892653C7A76E03FF6BE4364AC5DF0BFF677495D4A2CF9BF8ABD1F96EEC5F93F5439D3072857FEBF907CDDBA4F00C43F80A7C3F8CBD4D03FE6C29F0F4033F73F80E904552236B93FD4A6E3551EA0E63F322193BA996DF1BF7000623D9DDDEE3FE85EC923E048EE3FCC14F9E367ABE0BF668EE3ED59DCF13FBCC633833E48FC3FB0FC42B1871DFFBF4E91AC18C255F2BF4E27E5F53039FC3F6C5859627B3FE73F28CCD7168A1DF9BF345E151322FBFD3F7603C5A30587F63F922D8BFA4F62FB3F5085A74F4242FCBF8015BC4B4F79F7BF080403D23F36E2BFC2C4E80FE85FF7BF020F170A5B52FDBFF08B07053838EBBF4812E8669184FCBFFC3401A5ACBEF5BF4CE3615D83E6F6BF98F0CC91C522D0BF2A27311F65BFFABF7CC2350A2275F8BF12C12DCBABBEF4BF5672F018B101F9BFFCABC78B1D41E9BF4CC49B87EA8AFDBFF0F16C6E0C7AE9BF22E3EDD1311CF4BF80562FBC2EE0F63F20E1BF230A2ECC3F"> : tensor<33x7x3xf64>
    %a1 = stablehlo.constant dense<"0x629A4ED7EDB7FA3FC6085BCC697CF0BF28A61CAD91CFEC3FD292967DF1B6F8BFC023F4CB3110B3BF0C7799AB2723F83FE2B179F1D8C9F2BFC47D4BD3C4FCF6BF50AD3A46B64AF8BF06EF791E0D12FC3FA04C9FC5065FC53F50E4199CAABAD83FC0DE721D179FDDBF7070D7E26F5BD7BF8820861D40EED43FC288E5DCCEBCF6BF48899CF3253FE73F524E4E3A00A4F7BFE492D29DF5B4F43FD009C0C05B07F2BF86D525835F98F63F701D8EAC0C6BE23FB29E6E054508FC3FE4435647CCCAE9BF643653DB183BF8BF94388E19FF49EDBFA00BF54969A9FB3F50ED69B94C4EEC3F645FB81AD29BE6BFECB83D4352CDFABF1CC61C996844ECBF227D4C0114CAFABF80889C3324E7B83F1868A12EE801FD3FD0EFC7C5FAB1E13F0E64D41E22D6FF3F90C48AF3F25BDDBF80D753312D1BB0BF9897C8711193F93F24D94EF8966EE7BFA0CA1375E749B13F488D6D60B41DDB3F1435C40D1F12F33F80CDBB84BCFCE7BF5015EA5A9DCDC4BFCC3DF0D2E291E93FFC75D1C39BA5EE3FD6AA8C0264FFF93FE4BA871A4DD2ED3F1036A6127A1AED3FD8E0875729C9F33FDC606FB3ACB3F13FD0EAC229CDE3F4BF62C45FC2EF0DF63F50A3AAB0DD1BC7BF4445E8DC418EEE3FC085DD7915CCAEBF2EB1D2E45593F23F98DCEA5FBAE3D6BF90F5C2B75097EE3F32813AC73209FF3F289F4DD0063BDDBF10FD2C90D9D4F6BFE4E5238BB887E0BF649B3865619DFE3F68B97AF48D36EE3F8A00A7BA1A23FDBFB015040749BBF0BFEE9393085D33FABFA0B24F0D6B29E3BFE83F23FA2A6ED93F460096052F0AF5BF16F6D9F659F3FEBFEC6E26ABF89AE13F483530BBEE32EB3F4C4A89CFED03EDBFF409F4B7D3CCF03F0073DE48657BDA3FD89C0436D5F3D03FD6F954DA6435F93FF8D7798C9427D33F10A06C741A6BFBBF4AFCB766110AF73FA0A8C3E9BC2FDABF96F543014137FA3FC0E27A9509C5EDBF10F8A1F5A5CDF9BF3ECB4C1FD75AF3BF546C590C701EFABF4C0CD02C7D55F7BF18FD91E33AD5F3BF386E48A318F0E03F8C762A00EDE6FB3F605050135B6CBFBF16B3CA7DB509F63FB655FC22988EF53F841899222DD6EC3F9005426FC709C3BFFE08358DAD0BFB3F14335D23DB47E63FEA733910C387F3BFBA0F38D622F3F9BF34E995B863F6FCBF42ECC1F7186FFD3FEE3A2DA797E3F0BFE0F03B15E825FA3F06C1143AD10CFF3F5CAED2595898EEBF001A7C5008BD83BF847F15DDFBA2EB3FF0BE0B09C99AD53F0613CA446EAAFBBFA4BE1046F6D1E13F0C817F531D2AE6BFAC7AF785BFF8FE3F202B8111A7C1D9BF30D4BF07EB1EC93F9AF56C30FE01F63F940F86619D36E3BF72199058E1BDFE3FE8540CC9FD19FC3F288E92868C5BD83F281FF29EE6C9FE3F507CBA9F4494C03FF8834DED8ED3DABF10FA928FEA9CD4BF"> : tensor<9x7x2xf64>
    %a2 = stablehlo.constant dense<"0xA0A77AFF1672F33F5AC6E33DA6D8F73FF44B6D2AC4C3FDBF3050C190514EE73F32B141948C03F33F6C2E6571018BF63F80D137480BC3A3BFD406B17B167EF5BF802985DA93E6EA3F0C37F3706136F23F1CABD88A5B1FF1BFA0E641D5EDD8DB3F50E4C0C4BBDDC73F4051D13415B8F2BF5E831B5D1C8DF93F3A84BF48AEB6FDBFE0E6180409A4F7BF98A88E01F09EF13FC8B65DD77C9CDC3FA05511DE94DFD2BFF0A5893CA8A4F0BFC0F02347E5BDF43F5C0D75528F4BFA3F54A10D0587D3E23F368E65AF2B5FFDBF0CB00EFC0234E0BF047AA6FD617DEE3FF6DC2BE1515CF63F0019B8B0DAE98DBFA2D909D0C343F3BF94C20E6AD7F7E6BFF68C557AC4F4F43F887F10EF031EEBBFE8DBE76F185AE73F681DAE51ED39EC3F44AFEF73C45FE93F8018357EA9F3AF3FC462311A5A3DEA3F0E4A33FB4D4EF83F20D5A000852ED83F40AFBF6108B0BF3FBAEF3DF2CDB6F13F80D47A3D6EECCC3F769FB8273577F03F20EA9E49CD64CB3F9C850A7B91C8E5BFC0EFA04A4024A73F10477FEB2E74D83F98127B43725CECBF0ABECEE8828CFCBF408586EFD22AC03F6E2F20391AAAF8BF52ECF70C70D8F13FCA5A9EA84DB6F63FA0D310134A7CE63FFC55739FA942FB3F300C59889F7AFF3F68CCA438ADB1DEBFEA23F2F9C775FDBF6CA46B43F785EFBF2C687ACCDCE4F6BFBC95A69DFCFAE93FB2E35978BEAFF1BF4C7EAC3962B6FC3F08F0CB512DDCD23F0000C1537DBEACBFD0A5B6038195F83F80C7EC5951C2EABFA419AC983EC5EBBF88E1DB642CE1FC3FE022A25669F5BBBF80BD93C278D2FABF58B459014BAAD6BF42091748D59EF83F702CA385FE97F93F5CBFE1D13C52FBBF18F7A1DBBCBBFC3F02EBD6D88654FFBF822A0A25F9DEFABF680CE5D899BBF43F6CE261834E03E93F0091D09FF67BDA3F3A8784D95EB6F43FF0A82FC0E132E13F5ED5D3D5F4BCF53F00B82D3D2E23A7BF70AFD7960E1AE8BF5EE69014B315F6BF04E16C033A16F13FBAD962FB1FEAF6BF807750396975E0BFD8A65E6A3134F2BF6CA5DA331EADE23FA050E04A8D67EABF5066075D4A0AE1BF2492C137EEF9FBBF4076C26E233AD7BF3843D5E4CB98D43FDCDF6023A987FBBF2C7441CF5FA0EEBF8888C7EA623FDCBFB235443EAF3BF9BF2E545416B1ECF7BF8000BEC2BE62983F58B10273CEA3DC3FCE5C898AB187F23FBC162DDD2A0FEDBF96FD0FA80BF1FDBFFC4673D9CEA9F33FD03F79DA4DA5DA3FBCCABED03166EABF744BC72B11B7E43FB8BF996B05CAD6BFC057D80340B4D8BFB0461CBB9D09D43F30FA88864A7CD9BF50E70A3F91E0E63FB0F60896EC02E4BF2C60187AE52BFFBFEC24343330B4F4BFD00211875F74CCBFE06BBC09BA87BFBF309F5AF190F7DFBFBEF417686859F1BF6059A9531297F73FCA5E368A56D3FFBFA09E5B422229CA3F2C98A28059D9F2BFC6635FD179FAFBBF18AD0AD66ECDE73F487592CF608FF73F989496A6366FE0BF680451BC4758DCBF284F604BBA6DD73F883D2C799F53FB3FB08C2004360CD7BFE0A752420EEBD63F1890B37107E3D43F02F233984C6DFABFE0E817AC2E0BEABFA0716BA9142ABC3FA88B64D8F60EFC3FB0002A98F8BFED3F602A12BCB74BF23F40A00C702E19A0BFD44ECA1E70ABE5BF801D54D62635BDBF80F3F7FA0A09D93F8003143691E7B63F50B92D251FE5E4BFC005B1AA5903C03FFAD430F68A47F6BFDE6BA0EFAD79F73F8C55A5E2D776F13F424947161DF1F2BFC0196E8830E8BEBF1C29A2F66E7DF73F78FE455F6929F7BF1407F144D779E93FBC1198831EE2E13F16608D3C259CF13F729D57631D50FEBF007ECA42B199B83F549570E4F8A6EDBF04BAE141C611FDBFEA009BA07B33F5BF6CE1756206CCF53F1C5D2AA44CE8EA3F843CB694ABF8E73F803B0C965392CCBF32B381E45340F2BFA4163CD313A3E53FB47DC388E0DBFD3F7C2031AFCB5CF9BFECF8908DC285E43FBC798897589BE03FD06BEC23AE61F43FDC2FD1F0FDF3F43F0A908CA20285F7BF106A17963060CEBF063D4C9AAEC4F6BF8095142C2ED8B2BF0A1728871053FC3F0EE051C70885FFBFC4CC660FBC85E33F1A40BF175721F7BF70B2705F2987FEBF6880E2653B8DE5BF50985A6D08ADF43F68D199906B04DB3F5082AEE12F17C13F3217B488ECCFF73FA02995EC7D48B7BFAC81CCEDAE48E73FF296C4FA8691F13FECD3F3A8B06CF0BF829A36EA6AEDFF3FB80C90178988E9BF"> : tensor<33x6xf64>
    %a3 = stablehlo.constant dense<"0xB8BD5BC1D40FE63F4869B92D5A9FF63FA0FB885CBF59F23F0A614EAEC469FD3FD00B83256995DCBFACAD3514F14FE93FB4A841DAC89FFABF94C8B494C4D9F6BFE2FB0CAC04AFF2BFE0B5A1263D96E8BF04F22AB3B37BE13F80F3C1FE51E8E5BFC80D0DCAD918F93FD0CC4040C319CC3F6EB679DB3885FABFB02A0B7C62D1E1BFE8AA6965716BF13FBC73B41810C6E53F3A803E1EB41FFF3F0C54FCAC629BEEBFB858161B239EDC3FB05E7D9B4C49C23F480FA4061F82FBBF9C92C5673D41F0BF6E5B915B5AD3F63F925B0CA20ABBF5BF60AB2A65AD9FE33FE80874A5DFEFFE3F10F41A4E1A5CE1BF80D3D63D8B11F03FF874366302C7E6BFC28D82F08262F53F68C2DC8F5CF3ECBF"> : tensor<33xf64>
    %e0 = stablehlo.constant dense<"0x373BB9A85247943F509131BE8E197A3FCF41E27E092E863FEDFE5A19FD9AA2BFA971C7F5A1B9A3BFD01C42BE88E58BBF54CF5E7E09D982BF3E55E8120A939FBFBF03DFDF2BCFA8BF3641A12DDA499D3F66E099FD084DA1BF1929CBF52739A9BF55C13E820CB6883F46C38225EECE813FB0C3DFC4899883BF43684A5A483A7F3F6BD112CC866178BF8FBC3AA7D1995EBF73392FC5C2645F3F23B731D50878813F741A3BF1A60F833F7B8592F40B45A83F98E3094247108FBF1BBB84F7710190BF1A2595D4178099BF0F1CE0AB7D22933F611D0C337911AD3F023D4E1E5564A4BF987BAEB10736773FE80B42351FA8A03FE4E2ACB317C46CBF2055837F72C2A43FF6424797BC4D873FCE00683BD56073BF3CF4692A534D7B3F3683F43F332773BF13035E72277471BF85EF4A14D1BD6A3F693972E0050C813F523A1EDB24317FBF814793F3EBF9743F793C896D215F563F7C62325D90DE653FA6EE66C55EF7593F0752DCB5DD797DBF85A28481150964BF77E1B308769485BFBE10111CE04F4D3F7E7D6DEEDC6764BF4F03F07AF39B723F74C2AA5AF4C0523F42EB593657FA733F5AFE626F4DD97A3FB04D98E4C28839BF500B06F561803DBF24EC3D6498FF5CBF3E305267213B74BFDE9C4F68507B823F4CB9979852613DBFC824DB6358D7803F8F5106E512DB573FF63AEDB613BE753FEB99A3C010FE763FD7BF98215F7E55BF2AD07A308C3B783F09EB379FC53E843F8FBBF2CEAD9653BFA03F1588A00C7BBFDF5647E6EEE480BF62FDBD337BC4573F8FCD3E4015C66CBFD808E41E1459433F3CBEBE19CD4C70BFC360A12C15C26D3FFEA8778A59B4713FB8BCB11CB345813F5277B3B911F87B3F06B2EEA61BD8753F76EAA40AA6EB79BF806010EB7028293F578B7E0511BE7E3F73CC39669D4181BFC274BED0C57A773FE8E1CA5867B36C3F8F79A9F235BE86BF4254930B061F63BF1C4D4001362B63BF609023E98B964F3FF811504C62CE82BF00FB7D31A74682BF406108907AF67E3F4073A1E1E74661BF2A3C507CDBEF71BF56167421D43277BF30518413ABEF523FD544E9E408457F3F1F7AD6D63EC986BFC78654028EB964BFA3227221E870613F1E84CB2F79CF613FF2F215EBA9B681BFBE836C5FA6187EBF5004B6A0082C833FA7F5EDBBC1CC6CBF867A0D482016473FE952B2DDDB91703F6D867653CFB87BBFC94D2D398CE383BF4840FFC8A441443F667BC4290F6C6E3F66CFA8B516DC703FE134F91CF01831BFFC0415B84CA47C3F4ECD58FCD6FF873F7A3C11021E0680BF03F4954D206571BF2AFE06DCDEC7693F665E97908AFA723F01576705FC0961BF314A214747236EBF69BAFA903546763FA442D06D9AA4783F3299091725A5743FBDF5F5EA2CF573BF3C1F2ED7F6346A3FA2934AE3D9EE773FE6D02A31337C7CBF550EFA951DFD753FE8185D88F0D227BFF2F6E3A5D2DC76BF60B2BDE2EBB2693F43ECDEE4FB8A70BF9BE07D98BBAD40BFC20F6E4BFA0D79BF1C7D763B4E543DBF248E91FBB888723F5A760B8327794DBF63A6DA29E2D95D3F15F15F118A5D673F686C8A0D8D60773FFD9140BD386E833F26D4460C14CC513FC4FFEBEDE65E6DBF4D4E267D116A813F0CD0898C15007ABF8050B8D79DC971BFF4CFB74CA2BF76BF87923F98C7B4663F3D30BB43535F723F30FF5237FFE064BF8D96E41773D05B3F596101A7A917653FF3E5BED627DB57BFC5962036498078BFA85D8F7C065339BF92D10AAAFB15783F1542C573F48270BF2AC1D68C317760BF5EB2B9D3AAEC403F24E5B01CEB327D3FE233DC9226F8523FFFE94F67EFF55A3F596177927C8A6F3F3C951C66F8B57C3F1C0A73A55D8D5FBFAB28A34A797B5F3FDC0360A2DDB8653FDAE391B4C7405FBF325BB5CF160277BFE04D53F75E4D4FBF0A41FAD456F0843F08BA8BED71E97BBFC7093E2935747ABF12675D6A4F68593F9C8858ADBA99733F9BC26E29A98A7CBF1582D2CC7D3D71BF20EAF02C8CB37E3F4E7004AAC22E713F0895ACF04AE271BF21718F14738D53BFA5436CA448F8823FE87ECAC3815A853FE13BEC882F2E6CBF83153DA839096D3F992BD79F0FB34CBF8A842802468F62BF106FCEB928592D3FFF7282EA337A6EBF2CF0EF71B37682BF58C0B99774C47CBF6CAF16EF2C413C3FC1F913A606633C3F3E441C807BAD5EBF3BF426B7237C85BF6D573725DD8C5EBF7BF0368BF02C643FDF11FD0E7C2883BF00134C32C7D9823F48923B2201053A3F6945EE3CB0266BBF896081F0678F713FB20EBD35FA5668BFEAF90E11AF4C7D3F335153662CA36DBFBD660D0D33F6783F6518D2281ED5813F888C48E5191B503F424E21F9C676733FCC68AE839902643F7738041DB8BD5E3F3A6DC27D97C383BFF67CCAE9415C80BFC014986C312168BFDB51F7099C63693F15570C1574B678BFE2711EC2A1CC4BBF345241F74825803FE08CB5159725813F3EAB105FB1F85FBF9F163128A12F7FBF2EF9DE663C2D50BF677B0D1EE27D823FBC6E335A5764763F06C68D0FBE42523F44CB36FC733863BF48DCFBE704B1793F86B9FAE470A0873FE60B22FEBB7980BF12E289A3AF865C3F60DA6EF9D72150BF1C9D563730EC653FAFD63072483454BF8A613CD1D7A97C3F9D6C3EE648A074BF8C28235B2BA8763F0CBEB0BC5B86673FF1713686DBC4793F6972EF1EF1367EBFA4A58FC993BB88BFF05A5883F1E5793F4C5538F4348A4BBF22D3CC1DEF4479BFCA21CE9122BB74BF9C083E6EC2CF80BFC389CF42E77F6BBF7ADC5537FBEE7F3F4203A581FF6171BF9AA21A11BB7A61BF3F13AB05D2D3803FBE9DD8559659763F9182EC9D537365BFA290B4D017717E3FB4BC23C5F5DF75BF084006A13B607FBF165DCC41C253703F0081A0E3AB48713FD6E937F92F435E3FBC45C455C732553F77566538D4337C3F96436B3B2B13803F7C08AA340BD348BF07C82EC391BD79BFA910FA49FDA469BF1A35F026CE96823FEFA2D0BB2970643F38C2163CDC75703FF01F6CD4A12F353F91A9A3534C06773F6BB9C0656E387D3FDAB6D306A18A74BFC2004A7686F27CBFFE8F1158A35C7CBF7AFCDFF85C4E66BFB0C17786A3A0853F74106512F5D07F3F9C16135AFBF079BF50A14DBB5E77723F0755E76BA649803FE0AF80D8C7BA72BFA520EDC3D196753F77FAE1C6E66B5F3FD02D811E554076BFEEC0007E84EB4E3F92E3CD000F9C583F843C4C16C9C6833FD2C0EE43B31F7D3FC02680894377773F1CE786ED79D5453FD15C0E7BF636743F14852C71DCBA853F8084846C614B0C3F83633E51473D653FDF78DB03F4387D3FCB89C7FFC8F558BF8272E0FA849C81BF4C4806CADFAD81BF72A3C4F705BF7E3F74346BC44AF732BF55D5B89A4DE0783F3E08ACE56D15503F400920AB1764813F22876A2D4F8D6A3F470D054A5ADF733F48DEE5EF93D24B3F6F644E4F4885763FFE322612222564BF51635B5A14017B3F8D685FF1E7287F3F8CD2EB29E72983BF917ED99BFC4040BF4ECB77AF06836F3FFE9967ECAAA8793F5CB0502471877CBF34D410EF9EA481BFC1E2B490C40C803F9E09820E00A37ABFE405BF24EB8F85BF80C9BABD605D633FDC290F4665C073BF8A425C35A5CB48BF02099E21EED4443FAA8E728CB94E62BFB7E691E041CD66BF8FB9B9D4CFD66E3FFA61D4BAF4D776BF596B566CDE15493F8F20E03ACC297DBFDE7DF492EAAA773FEE135B3D6186823F5F3319DEB11B703FEDF0B1D64743613FA9C6A024527175BF1CE6C6B3EF336F3FF9C7171641547EBF7B74D3C3691D80BFA94FB55F490F7CBF2C4A5E8C63B579BF0CE99FC59F7772BF00947A8908B7EDBEAE2F2721BE237CBFB6B8B42762AF86BFA9DFA1D0696B833FECA624FFAD6269BF1D00870D57AE743F0093F59EE5B3233F8CFC789FCA56733FF55F5146701F883FE80177CAC54A5EBFEBE9CDB0E4E1713F6A722207054571BFCAA0150E9EA7803FFBF6B831254E6DBFFB9FFEB94E0C70BF08266D6F5C8066BFC6FB5544716D773F0AD751359453863FCFA40448BBEF7FBF2E19AE93591E513F22ECBB98554778BF11650B67FE36673FAF56C612152072BF5DED1966211885BFF09810CA8DAD70BF30C8D1F9365377BF2CCE30B213CF763F2CBEE0956BA078BF9A4BD57D578D7C3FFAB5407C3B33833F01948861021D30BF73D3AA91A7F6633F60BCF326EC5450BF74E1561915A775BF7ED44F527E3B7DBFA4E274AB83744C3FE741D5CCCBBA5ABF59075AF8CA3785BF713B54B21DCB79BF8C7C1EFD33D065BF56AC0EC786E1803FFAE6C85E318264BF330EE117706B803F5AC0B2D529177BBF4A0CFBEC7C5E58BFEEEFA016D2E044BFC8686E7EBEBC7C3F944EFF53720D853F6722D297E7667CBF98C71655F8AC5FBF53E42DEA2714543F87BB34B2AAC9793F09729701692277BFF58E87AAD49570BFE7D83EFCC873353FA0B09CA96DCC663F0D3187EC98B565BF01441A3AB98B733F84FD4D6DDEB982BF6C19A49796C778BFEF7861482AC648BFB0ED0BCA4C0A643F93F607FF752C86BF67E5AE561AF3693F41072932067D7FBF6EE6C57F624B84BF55A980D5D00068BF53FFB499454B79BF9E954E5D0663673F2509B6C3BBD268BFCCEF6D43CD0C2BBFD2E319583BFB813FA2655EF54BA3653FF6688333F878803F47098DD7441678BF432198054F696B3F8FEDE3A16B5C7ABF0A672D05BBD081BFC696A82369EC743F84C38A1907764FBF7D593D210CD37F3F151EC3EE5316503F70D0417522885CBFC47554BDC84D803F688CBDAECC39723F09D50F4D773B723F599F6B1DD81B643FE27AF31B1534723FA0CB9A215737723FD2F2FE9F8373803F26BAD7C700387A3F74CAE05FBA2470BF614CD6BE53E369BFF015D3F35A925FBFA2420DDCADA97BBFC0ECA32AEEF1783F4E78D94FFD8A70BF4C905857441785BF3EA985C249607BBF6E654D83F45664BF881FEE33CCFC71BF5A247378F3DB7EBFDDB5EF25FD2980BF3163417DB85A593FAF9AAF8E85CB753FBC19CB81AF1E7EBFA505695E333471BF4FB3E24646EB53BFD9CC5E30A933703F24747153B39A7EBFA034CA87615E78BFBB6C0D53200B823FA5DAF887D99760BF555F33E0D2D674BFD6CAB61E8F037B3F55C95168CEE877BF1A8E463184527A3F9C18DC96A6F0743F5C258A1085F0743F9DB7D0DEFEFD743F5035AC8D42FE223FCA6C41C8CBF7793F6B3184B9E3BE843FD7E896BB37007ABF6A11EBDB30F882BFE878B825902661BF00811F9A95B17D3F9E387334307F78BF13739B496A3980BFD8E0B396A2B0823F38D085ED934A4BBFB41EB4F51E5851BFBCC3625DA996453FD0282B5803757C3FA6730C2739EB813FA27BFF856E1D6C3F180323E4EA8377BFC7478CE7A82446BF2CBF057985947E3F587F70EBFB167B3F93DC6F50B124653F3D1F8F7C577C4EBFC513CE841798793F8FB8D20C22A5813FD21F63B22D796BBFCAC350FE2E937D3F8F11B5352E94893F4F201D91A94982BFEDBC0B545FCD743F1991D860FE8E7CBF2EEAA0DE53B2733FD429F4CD5DD575BFF2A83855D37B603FD9A3F07FEEBB78BF8448B39BF3934CBF84074356A069853FFF342805831B64BFDE3B05D925F3773F7534A723EE2B5CBF9ABB2F97D4AC6E3FB6F07862543C74BFDC29256D45F55B3F2C9CBEFCB2FF7ABFE24A86169212813FB15B7B7CCE9E7E3F26C1119FD1E95FBFFA91B773B522743F57ADACFAC122723FFA74FE96A4EF62BFD7236B50E529713F4FD70695BFAB893FB93E88CD7F1783BFA407D5BAAACC4DBF800B6AD4CB4543BFA0B1BEB3F88C593F42DE16B014E379BF1646DDE44C617EBF2CC10EB9626B753F90AB8D5F7A6C613F50238C3CAAAE57BF7223EC4F8D4080BFF53D8875D3C3733FF2C0C58715EC4BBF706BB8FEF85B6DBF4BD23B3D6AE281BF4C7BA6DCAA7080BFA6F3E6ADBDC1503F7060E80F41E9843F2E836FDA56AA7A3F1C18FD7FF6D2793F0C684686D9404B3FCE48C84882C53C3F167818DD9823553F21C6EC7F023B58BF3242625AEA6A4C3FF842042BCA5854BF14796AD6D8DF83BF23BA1336277D65BFBEDE08D56A7073BF7E0EDD39E2AD74BF8213A788C0474C3FBE5B93A3D72A713F6AF9715EE22151BF904CA1922DE488BF3544FA051DBA773F1638E410CC3365BFA3A866F5FA0F60BF9C6D138248546FBF774EB5D4898064BFCA6431BFC53685BF409639C69F9F6A3F05B85A54A63D81BFC7CF1488797E743F8EEB435EEED57ABFCB6FFFABD7F9733F0222B2D4F8075ABFAC297F958F3E7D3FC44E695E966171BF944CFBB6278B443FC556BDC8609F64BF287CCEACFA26803F26B6ED727985853FA894E0ECECDE67BF10A67C2348357A3F02E8070850D26D3F9C3ECB6B17116A3F07958FD9BF2D703F0CB0CDF007476C3F8F1F2146ACFF483F8E413F013402563FE07015532D8A753FFD89913886A65D3F52E28DB514D8853F58B92CFB23A3263F38AEEB2200E9713F6D0F712970985EBFB74B92C502F078BF76745DB902E44ABFB75BDECCA3F882BF4043188DF3794CBFBCDDADF315177DBFFA8A6B7F571071BF5CEC74C65FA7603FD01862DE67942D3FE77D28DF419C7EBF78AAC61AC69C89BF84511477BDDE703FECAD87E02BBA50BF10787D4F4FF00ABFCAC53152474E76BF0B24EB6E4AF878BFDF7EAD77979A62BF1E35A3CA41DB5EBF61E43136893881BF26A87317187D82BFCE64394B1F34823F357A34F761B767BF0E22ED4711A8423FCD4D5BC1CFA271BF742F911F808C65BF679597F59E5C853FA68A5ABB273281BFB891743D2ECE2B3F81A383283B2073BF9CD7F4C56B8E74BF63B59936AA5F82BF10513B9935E077BF50DCC51159F2353F096D84911ED64EBF1AA9F839B14C81BF1AB16E38A252663FFCC50946C4C1593FE7B94D32A4AA4CBFDEA6AA2015E06F3FCCA1B8EEF692853FD882C25CF3F07B3F39801DC92CD1713F1265A22AD0E5483FCE9589177DC6533F6CD21D4FB41270BF54E15D4E554D77BF5897B61D2E6D713FD06209E9E462733F95F295CCA06E603FD84635350F726F3F805E7EED5522743FB8E51ED4820F833FC055FA9F8F9C48BF102D2A8FBBC2633FCC42D73D39697CBF8DB2A8197E4E743F06BF06AC422E81BF54B9613AF76A633F4DC6749D3F6A733FF423DEF00A227ABFCD834AE183F37DBFCC6EB2B44D0F343F49AD87B1A1A64DBF29583700C16B7C3FB4E575192B4C773FD84114B73B6C4C3FF555085A12606CBFA4D52436977282BFB88B78A8EF1F743FC86691B61A0073BF449CAB57250371BF28A9ACFCE1B67FBF68734E0852A3523FD05BFD1A5DE1793F76738168020A72BF347A05A65C8A543F08A8E9BA13BD6EBFF8B017B1B6E676BF540C2FCCA029763F63574E07A9C281BF4A129AE931806C3F08D73C2CCBD94A3FAA9C7819B95A783FEA329B694D3574BF012CA8FF8A4C673FB601CF43E8B056BFCEE2CA78A13A6F3F2A1A1735C93855BFA9BFAECD673183BF6846DE6FB970913FC8AB8E8F6C87933F14C0BDD113E294BF1A02498597208DBFC6EC612F4D5F963F48C97D8D94B48A3F01FC33D0E8B992BF6BB4D9D3FC40943FDD60C00D2F988F3F9E94A4E8908E913F26BA0BD788D998BF6823B8D0982CF8BF58D470B773B47CBFDA9AC0B8C25591BF5D6A2F7CC29896BFE8D8C222EC7981BFEE906CD0548694BF74569FD0351792BF11D6692153638FBF82FFD2AA469B72BFCD9D838B80F695BFA7C1F8C36B9890BF7CCB0DD5E47291BF60C8C43BCE0594BFF9230D9DFBFE81BF2CF7208BC59D93BF2D9DACEB39947FBFB28F12E208708DBF7C7E2BCBA9E1913FF0ECB3FE5130603F"> : tensor<33x7x3xf64>
    %e1 = stablehlo.constant dense<"0x0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003232A790274E8BBF4E02D5626046A8BF6BEC41F6313CA73F63D3825AAB559FBFE4D134C634D4BFBF98EA5591C13CB03FDC18F8207CA2673F3C6B3539A93997BF99E18C9796D7A33FA4E2D826544F3CBF82F5ACE04903693F72ABFCEB7DD5933F309E0E8B4E1177BF4A60F2F68A30BA3FBD2F607A7C369BBF9EEAC55711B0A43F2A4754ACC424CB3F2F3CB48F6F0CB0BF778E267159CE933F596F9B621409B13F004DC5717882953F5F25F8B513A5B3BFB738B7401730BCBFD99B527FC83F97BF7BC5C22A5553A63FF7F5AD79AD35A9BF648F1D5282F393BFCCE56E9D1DA567BF5A437DD8C719B1BF0E7D9022FC9AA43FAC10ECCC84F3AA3FD797BF8D86E7AE3F2BBC208FF30077BF8CA824327964A73FEF4E69AD56C48DBF1B5B66F1B860AABF"> : tensor<9x7x2xf64>
    %e2 = stablehlo.constant dense<"0x83D4E90429505C3F0CEEADC55F3B77BF35CD22045C5C8FBF11BA22EBE3D3483F5F51E7F6563A673F1D88DB583AE960BFD2D69C59469577BFFA559BD527896FBF66A04DBAD0D0843F8B458642AC1D7E3FBD12AC9F73358CBFA59F514A98377CBF562E6C77DA767ABFD0CDB59DC5F24ABF967ABCB1F516923F74371AE405553B3F9F939B133F317BBFC1361F72C2F274BF407356E0743958BFBEBA49BC43A2703FBF096E029A4D95BF46EF904FF511563F9AE10A48FA16603FFB63DD5ECDA4703FD7222BA7F4487F3F68F7C9B1D3037ABFADD507F17F438F3F6AB207488635863F9741546EB65391BF6995E9F6FA1177BF9F061969AEC973BFAEA4E070320A813FA25C73B3EE7580BF8F7310D5A056563F5221C56A583376BFCDF491992A4A673F88B7E4CC2C277E3FE6299F84A70B7A3F45F17580DA9B883F1C8A97DC574F583FAE5402F9D7B560BF746D4AD93FC77B3F93A1BDB83DFC7DBF089EC3D8B27E923FFFF4653C0E577CBFBC102898F57A70BF85546CDA3DB9793FEF3B630469A18A3FE4347841B4B186BFA8769447B39C42BFB148E302EBC880BF476B4C8F2F0C82BF8A553D345F2A823FBDC116BA00906EBF8C099A1FE75925BF7A79160305985ABF42C8672606DE863F69C427C1C9E669BF190FFE2EE6745E3FC13FE2FD242F60BF9694ABCB0DF06CBF6D22EF2AFF3C813F7409F40060ED86BFE8CB3595B1E5543FCAA96BCD388068BFF609F9DB588E723FD4D05707B7A9713F801B0FEFE6D782BF51951205DFD47B3F5C7394D204184B3FE758F1E2E4624ABFEEF6B6295C7D77BFB9612E0764B3543FB76B3ABF93837BBF079465AB870F52BFC1A6B218004C71BF8A7F8E964A782F3F06BFEA92E45281BF1ABF2D8AC6B77ABF47F57CB2236A7A3FBFCFFBA90B4C673F4D4AD7EDBA8F58BF70F7FC7452DB32BFD4265D10D8D3613F63A3228E775B423FE1EC7ED07B7F5C3FEA39AC555989613F77B50F14BD6F80BFB2EBE680D9685B3F8588810C57B76FBF18F6E34453127B3F488BA0F6099F78BF67DA6AE4A30E7B3F6CC46C1BBBB571BF9CF20E94889A743F74D26C0732CD66BF510B9695B54874BF3D931B0E4C6184BFC5E7C8E8688F84BF7B81E282EDDE553FDFC716E98A88663FFF89D75A34A778BF5DB024F0F6E7723F498162BE011074BFD5CCE589145A7E3FB6C97235567B803FC63D2804019583BF1744536D23E764BFE609F96FBB6D873FDF015216386177BF88A81054B3AF6ABF1DF3A075B3E1653F47D40EC28B8070BF662D92685A5F69BF1E14729BDA1B5CBF801D99672F755DBF8AD9BCA9FC40813F85ED52CF86E4833FB001FC5E1A8E87BF7E8926323C8655BF3D9F3EBB45EC81BFD1022671A68B703FE1ECED962B5080BF99344C6173C681BFBE96FF0EAFFC843F78E1BA5A0549503F35AB8927BDC380BFAD9C27202DD7623F51D7157BE8DD8FBF84BAA67694C335BFF4999F1E2E67663F8F9720FCF945513FE132D147C6C747BF346BB7B575C27ABF988A04147439993F4AE1E0CD0AEC6D3FAB06D1E27B5D8CBF93B8AF81F30485BFC746B3BAC26387BFFB0A74047C752D3FB088002D49B056BF46EE8AF155607B3F6B1FEA8E2B167EBF2087196D2FE060BFD34FB4B34B507D3F982CBEF0FAA892BFE87A7651F716773F837DA75AAB966B3FCD145B246B6D78BF0DC9A8BFFEA48BBF8E3295C274CD75BFAC0ADC430107203FED33993A4E3D603FD1A4FE3C90B2803FB4D6B06325E987BF9F31D5588C0961BF8CB1AD24CA3F473FEB19F11D8E9C66BFD134E8A31EC4853FA47E1E3A1B5AF73EFC553F136059153FFD24C9C7E1145CBFE9AC445075906C3FFC6D56D3C3E4803FA9609C4281F970BF41551BABED0070BF6369D3DC6614753F8E36D0A5305D7C3FD345FA98FE0FACBF32CDBEE0E682A03F75FE85CC5E46BDBFBAAE6F3E47DA733F94D4911357B5843F08EAC913D9F38F3F796BF1FA2D02A63FF9E8DBF6FA93703F9784BB8A7D818D3F3E62C073673EA93F58A51575DBE7A2BF095CCD2D7B98993FE2BB44061628B33F587F78282401B1BF0DEBAFA01FB6BB3F43F1D075A49F903F2D4CF5E24F6BB1BFCE951F4BB0A4ADBF266F439BB6CEA0BFABDA19C26B7C4B3FDB74AB59002EBD3F1330B1483D5AA03F2A4235EBEAC288BF065B5317DF97923FCFBA5354FA56743F18B2091AD32792BF9167838357193A3F9A6B5A1CECF9773F502B46529EF0A73FFE4B535330389A3F"> : tensor<33x6xf64>
    %e3 = stablehlo.constant dense<"0x0000000000000000F51415294146A63F9642AE767911A23FD3CD64FAECF5AC3F3FE449CED5248CBF5715E61340EC983FC1FCAA25ED36AABF10E1B97EC57FA6BFB0CC4BF06E65A2BF04B77F88673598BF7264E351D836913FF86164D7099295BFA20901C301B6A83F7E14AEE416AB7B3F161668C4C51CAABF5B5575A5358B91BF8AD7340DD626A13FE5753FDD4E70953F3282BF9F1FA5AE3F925EBD4FD7229EBF5B5780656D2D8C3FAA41877D4701723F8AEF07E7C715ABBF3FD7AE853801A0BFBBAC6B897479A63F3617D1CE7465A5BFE95DD3D56352933F30AE56870776AE3FC9919860BB1791BFBE90056A84A49F3FED827C2E4D6D96BF5D195DC9490EA53F6780103357819CBF"> : tensor<33xf64>
    %r:4 = call @main(%a0, %a1, %a2, %a3) : (tensor<33x7x3xf64>, tensor<9x7x2xf64>, tensor<33x6xf64>, tensor<33xf64>) -> (tensor<33x7x3xf64>, tensor<9x7x2xf64>, tensor<33x6xf64>, tensor<33xf64>)
    check.expect_almost_eq %r#0, %e0, tolerance = 1.510888e-07 : tensor<33x7x3xf64>
    check.expect_almost_eq %r#1, %e1, tolerance = 1.000000e-07 : tensor<9x7x2xf64>
    check.expect_almost_eq %r#2, %e2, tolerance = 1.000000e-07 : tensor<33x6xf64>
    check.expect_almost_eq %r#3, %e3, tolerance = 1.000000e-07 : tensor<33xf64>
    return
  }
}
// -----
// gradient graph, seed 48, number 11
module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f64>, %arg1: tensor<1x7x2xf64>, %arg2: tensor<1xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}, tensor<1x7x2xf64> {jax.result_info = "result[1]"}, tensor<1xf64> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<0> : tensor<2xi32>
    %c_0 = stablehlo.constant dense<[4, 1, 3, 0]> : tensor<4xi32>
    %c_1 = stablehlo.constant dense<[0, 3, 2, 3]> : tensor<4xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<f64>) -> tensor<f64>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<1x2x5xf64>
    %2 = stablehlo.convolution(%arg1, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x2xf64>, tensor<1x2x5xf64>) -> tensor<1x4x5xf64>
    %cst = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %4 = stablehlo.multiply %2, %3 : tensor<1x4x5xf64>
    %5 = stablehlo.tanh %4 : tensor<1x4x5xf64>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %7 = stablehlo.subtract %6, %5 : tensor<1x4x5xf64>
    %8 = call @cumsum(%arg1) : (tensor<1x7x2xf64>) -> tensor<1x7x2xf64>
    %cst_3 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<1x7x2xf64>
    %10 = stablehlo.multiply %8, %9 : tensor<1x7x2xf64>
    %11 = stablehlo.tanh %10 : tensor<1x7x2xf64>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %12 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<1x7x2xf64>
    %13 = stablehlo.subtract %12, %11 : tensor<1x7x2xf64>
    %14 = stablehlo.reshape %arg0 : (tensor<f64>) -> tensor<f64>
    %15 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %16 = stablehlo.maximum %5, %15 : tensor<1x4x5xf64>
    %17 = stablehlo.compare EQ, %5, %16, FLOAT : (tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> tensor<1x4x5xi1>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %18 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %19 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %20 = stablehlo.select %17, %18, %19 : tensor<1x4x5xi1>, tensor<1x4x5xf64>
    %21 = stablehlo.compare EQ, %15, %16, FLOAT : (tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> tensor<1x4x5xi1>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %22 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %23 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %24 = stablehlo.select %21, %22, %23 : tensor<1x4x5xi1>, tensor<1x4x5xf64>
    %25 = stablehlo.divide %20, %24 : tensor<1x4x5xf64>
    %26 = stablehlo.compare EQ, %15, %16, FLOAT : (tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> tensor<1x4x5xi1>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %27 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %28 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %29 = stablehlo.select %26, %27, %28 : tensor<1x4x5xi1>, tensor<1x4x5xf64>
    %30 = stablehlo.compare EQ, %5, %16, FLOAT : (tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> tensor<1x4x5xi1>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %31 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %32 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %33 = stablehlo.select %30, %31, %32 : tensor<1x4x5xi1>, tensor<1x4x5xf64>
    %34 = stablehlo.divide %29, %33 : tensor<1x4x5xf64>
    %cst_13 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %35 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %36 = stablehlo.multiply %16, %35 : tensor<1x4x5xf64>
    %37 = stablehlo.tanh %36 : tensor<1x4x5xf64>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %38 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %39 = stablehlo.subtract %38, %37 : tensor<1x4x5xf64>
    %40 = stablehlo.slice %37 [0:1, 0:1, 4:5:2] : (tensor<1x4x5xf64>) -> tensor<1x1x1xf64>
    %41 = stablehlo.reshape %40 : (tensor<1x1x1xf64>) -> tensor<1xf64>
    %42 = stablehlo.concatenate %41, %41, dim = 0 : (tensor<1xf64>, tensor<1xf64>) -> tensor<2xf64>
    %43 = stablehlo.slice %42 [0:2] : (tensor<2xf64>) -> tensor<2xf64>
    %44 = stablehlo.reshape %43 : (tensor<2xf64>) -> tensor<2x1x1xf64>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %45 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %46 = stablehlo.compare LT, %c, %45, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_16 = stablehlo.constant dense<1> : tensor<i32>
    %47 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %48 = stablehlo.add %c, %47 : tensor<2xi32>
    %49 = stablehlo.select %46, %48, %c : tensor<2xi1>, tensor<2xi32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %51 = "stablehlo.scatter"(%40, %50, %44) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %1185 = stablehlo.minimum %arg3, %arg4 : tensor<f64>
      stablehlo.return %1185 : tensor<f64>
    }) : (tensor<1x1x1xf64>, tensor<2x1xi32>, tensor<2x1x1xf64>) -> tensor<1x1x1xf64>
    %52 = "stablehlo.gather"(%40, %50) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<1x1x1xf64>, tensor<2x1xi32>) -> tensor<2x1x1xf64>
    %53 = "stablehlo.gather"(%51, %50) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<1x1x1xf64>, tensor<2x1xi32>) -> tensor<2x1x1xf64>
    %54 = stablehlo.compare EQ, %44, %53, FLOAT : (tensor<2x1x1xf64>, tensor<2x1x1xf64>) -> tensor<2x1x1xi1>
    %55 = stablehlo.compare EQ, %52, %53, FLOAT : (tensor<2x1x1xf64>, tensor<2x1x1xf64>) -> tensor<2x1x1xi1>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %56 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %57 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f64>) -> tensor<2x1x1xf64>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %58 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f64>) -> tensor<2x1x1xf64>
    %59 = stablehlo.select %54, %57, %58 : tensor<2x1x1xi1>, tensor<2x1x1xf64>
    %60 = "stablehlo.scatter"(%56, %50, %59) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %1185 = stablehlo.add %arg3, %arg4 : tensor<f64>
      stablehlo.return %1185 : tensor<f64>
    }) : (tensor<1x1x1xf64>, tensor<2x1xi32>, tensor<2x1x1xf64>) -> tensor<1x1x1xf64>
    %61 = "stablehlo.gather"(%60, %50) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<1x1x1xf64>, tensor<2x1xi32>) -> tensor<2x1x1xf64>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %62 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %63 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f64>) -> tensor<2x1x1xf64>
    %64 = "stablehlo.scatter"(%62, %50, %63) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %1185 = stablehlo.add %arg3, %arg4 : tensor<f64>
      stablehlo.return %1185 : tensor<f64>
    }) : (tensor<1x1x1xf64>, tensor<2x1xi32>, tensor<2x1x1xf64>) -> tensor<1x1x1xf64>
    %65 = "stablehlo.gather"(%64, %50) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<1x1x1xf64>, tensor<2x1xi32>) -> tensor<2x1x1xf64>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %66 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f64>) -> tensor<2x1x1xf64>
    %67 = stablehlo.add %61, %66 : tensor<2x1x1xf64>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %68 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f64>) -> tensor<2x1x1xf64>
    %69 = stablehlo.divide %68, %67 : tensor<2x1x1xf64>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %70 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f64>) -> tensor<2x1x1xf64>
    %71 = stablehlo.divide %70, %61 : tensor<2x1x1xf64>
    %72 = stablehlo.select %55, %69, %71 : tensor<2x1x1xi1>, tensor<2x1x1xf64>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %73 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f64>) -> tensor<2x1x1xf64>
    %74 = stablehlo.select %54, %72, %73 : tensor<2x1x1xi1>, tensor<2x1x1xf64>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %75 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f64>) -> tensor<2x1x1xf64>
    %76 = stablehlo.add %61, %75 : tensor<2x1x1xf64>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %77 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f64>) -> tensor<2x1x1xf64>
    %78 = stablehlo.divide %77, %76 : tensor<2x1x1xf64>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %79 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f64>) -> tensor<2x1x1xf64>
    %80 = stablehlo.select %55, %78, %79 : tensor<2x1x1xi1>, tensor<2x1x1xf64>
    %cst_29 = stablehlo.constant dense<-1.000000e+00> : tensor<f64>
    %81 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f64>) -> tensor<2x1x1xf64>
    %82 = stablehlo.add %81, %80 : tensor<2x1x1xf64>
    %83 = stablehlo.divide %82, %65 : tensor<2x1x1xf64>
    %cst_30 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %84 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %85 = stablehlo.multiply %51, %84 : tensor<1x1x1xf64>
    %86 = stablehlo.tanh %85 : tensor<1x1x1xf64>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %87 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %88 = stablehlo.subtract %87, %86 : tensor<1x1x1xf64>
    %89 = call @cumsum_0(%c_0) : (tensor<4xi32>) -> tensor<4xi32>
    %c_32 = stablehlo.constant dense<7> : tensor<i32>
    %90 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %91 = stablehlo.remainder %89, %90 : tensor<4xi32>
    %92 = stablehlo.reshape %11 : (tensor<1x7x2xf64>) -> tensor<14xf64>
    %93 = stablehlo.concatenate %92, %92, dim = 0 : (tensor<14xf64>, tensor<14xf64>) -> tensor<28xf64>
    %94 = stablehlo.slice %93 [0:20] : (tensor<28xf64>) -> tensor<20xf64>
    %95 = stablehlo.reshape %94 : (tensor<20xf64>) -> tensor<1x4x5xf64>
    %96 = stablehlo.minimum %95, %37 : tensor<1x4x5xf64>
    %97 = stablehlo.compare EQ, %95, %96, FLOAT : (tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> tensor<1x4x5xi1>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %98 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %99 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %100 = stablehlo.select %97, %98, %99 : tensor<1x4x5xi1>, tensor<1x4x5xf64>
    %101 = stablehlo.compare EQ, %37, %96, FLOAT : (tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> tensor<1x4x5xi1>
    %cst_35 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %102 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %103 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %104 = stablehlo.select %101, %102, %103 : tensor<1x4x5xi1>, tensor<1x4x5xf64>
    %105 = stablehlo.divide %100, %104 : tensor<1x4x5xf64>
    %106 = stablehlo.compare EQ, %37, %96, FLOAT : (tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> tensor<1x4x5xi1>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %107 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %108 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %109 = stablehlo.select %106, %107, %108 : tensor<1x4x5xi1>, tensor<1x4x5xf64>
    %110 = stablehlo.compare EQ, %95, %96, FLOAT : (tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> tensor<1x4x5xi1>
    %cst_39 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %111 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %112 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %113 = stablehlo.select %110, %111, %112 : tensor<1x4x5xi1>, tensor<1x4x5xf64>
    %114 = stablehlo.divide %109, %113 : tensor<1x4x5xf64>
    %115 = stablehlo.maximum %95, %37 : tensor<1x4x5xf64>
    %116 = stablehlo.compare EQ, %95, %115, FLOAT : (tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> tensor<1x4x5xi1>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %117 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %118 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %119 = stablehlo.select %116, %117, %118 : tensor<1x4x5xi1>, tensor<1x4x5xf64>
    %120 = stablehlo.compare EQ, %37, %115, FLOAT : (tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> tensor<1x4x5xi1>
    %cst_43 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %121 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %122 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %123 = stablehlo.select %120, %121, %122 : tensor<1x4x5xi1>, tensor<1x4x5xf64>
    %124 = stablehlo.divide %119, %123 : tensor<1x4x5xf64>
    %125 = stablehlo.compare EQ, %37, %115, FLOAT : (tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> tensor<1x4x5xi1>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %126 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %127 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %128 = stablehlo.select %125, %126, %127 : tensor<1x4x5xi1>, tensor<1x4x5xf64>
    %129 = stablehlo.compare EQ, %95, %115, FLOAT : (tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> tensor<1x4x5xi1>
    %cst_47 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %130 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %cst_48 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %131 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %132 = stablehlo.select %129, %130, %131 : tensor<1x4x5xi1>, tensor<1x4x5xf64>
    %133 = stablehlo.divide %128, %132 : tensor<1x4x5xf64>
    %134 = stablehlo.clamp %96, %37, %115 : tensor<1x4x5xf64>
    %135 = stablehlo.compare GT, %96, %37, FLOAT : (tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> tensor<1x4x5xi1>
    %136 = stablehlo.compare LT, %96, %115, FLOAT : (tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> tensor<1x4x5xi1>
    %137 = stablehlo.and %135, %136 : tensor<1x4x5xi1>
    %138 = stablehlo.compare GT, %37, %96, FLOAT : (tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> tensor<1x4x5xi1>
    %139 = stablehlo.compare LT, %37, %115, FLOAT : (tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> tensor<1x4x5xi1>
    %140 = stablehlo.and %138, %139 : tensor<1x4x5xi1>
    %141 = stablehlo.compare LT, %115, %37, FLOAT : (tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> tensor<1x4x5xi1>
    %142 = stablehlo.reshape %5 : (tensor<1x4x5xf64>) -> tensor<20xf64>
    %143 = stablehlo.concatenate %142, %142, dim = 0 : (tensor<20xf64>, tensor<20xf64>) -> tensor<40xf64>
    %144 = stablehlo.slice %143 [0:35] : (tensor<40xf64>) -> tensor<35xf64>
    %145 = stablehlo.reshape %144 : (tensor<35xf64>) -> tensor<1x5x7xf64>
    %146 = stablehlo.dot_general %37, %145, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x4x5xf64>, tensor<1x5x7xf64>) -> tensor<1x4x7xf64>
    %cst_49 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %147 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f64>) -> tensor<1x4x7xf64>
    %148 = stablehlo.multiply %146, %147 : tensor<1x4x7xf64>
    %149 = stablehlo.tanh %148 : tensor<1x4x7xf64>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %150 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f64>) -> tensor<1x4x7xf64>
    %151 = stablehlo.subtract %150, %149 : tensor<1x4x7xf64>
    %152 = stablehlo.multiply %arg2, %arg2 : tensor<1xf64>
    %cst_51 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %153 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %154 = stablehlo.multiply %152, %153 : tensor<1xf64>
    %155 = stablehlo.tanh %154 : tensor<1xf64>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %156 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %157 = stablehlo.subtract %156, %155 : tensor<1xf64>
    %158 = stablehlo.reshape %134 : (tensor<1x4x5xf64>) -> tensor<20xf64>
    %159 = stablehlo.concatenate %158, %158, dim = 0 : (tensor<20xf64>, tensor<20xf64>) -> tensor<40xf64>
    %160 = stablehlo.slice %159 [0:32] : (tensor<40xf64>) -> tensor<32xf64>
    %161 = stablehlo.reshape %160 : (tensor<32xf64>) -> tensor<1x2x16xf64>
    %162 = stablehlo.dot_general %11, %161, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x7x2xf64>, tensor<1x2x16xf64>) -> tensor<1x7x16xf64>
    %cst_53 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %163 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f64>) -> tensor<1x7x16xf64>
    %164 = stablehlo.multiply %162, %163 : tensor<1x7x16xf64>
    %165 = stablehlo.tanh %164 : tensor<1x7x16xf64>
    %cst_54 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %166 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f64>) -> tensor<1x7x16xf64>
    %167 = stablehlo.subtract %166, %165 : tensor<1x7x16xf64>
    %168 = stablehlo.reshape %165 : (tensor<1x7x16xf64>) -> tensor<112xf64>
    %169 = stablehlo.slice %168 [111:112] : (tensor<112xf64>) -> tensor<1xf64>
    %170 = stablehlo.reshape %169 : (tensor<1xf64>) -> tensor<1x1x1xf64>
    %171 = stablehlo.minimum %86, %170 : tensor<1x1x1xf64>
    %172 = stablehlo.compare EQ, %86, %171, FLOAT : (tensor<1x1x1xf64>, tensor<1x1x1xf64>) -> tensor<1x1x1xi1>
    %cst_55 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %173 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %174 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %175 = stablehlo.select %172, %173, %174 : tensor<1x1x1xi1>, tensor<1x1x1xf64>
    %176 = stablehlo.compare EQ, %170, %171, FLOAT : (tensor<1x1x1xf64>, tensor<1x1x1xf64>) -> tensor<1x1x1xi1>
    %cst_57 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %177 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %178 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %179 = stablehlo.select %176, %177, %178 : tensor<1x1x1xi1>, tensor<1x1x1xf64>
    %180 = stablehlo.divide %175, %179 : tensor<1x1x1xf64>
    %181 = stablehlo.compare EQ, %170, %171, FLOAT : (tensor<1x1x1xf64>, tensor<1x1x1xf64>) -> tensor<1x1x1xi1>
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %182 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %183 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %184 = stablehlo.select %181, %182, %183 : tensor<1x1x1xi1>, tensor<1x1x1xf64>
    %185 = stablehlo.compare EQ, %86, %171, FLOAT : (tensor<1x1x1xf64>, tensor<1x1x1xf64>) -> tensor<1x1x1xi1>
    %cst_61 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %186 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %187 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %188 = stablehlo.select %185, %186, %187 : tensor<1x1x1xi1>, tensor<1x1x1xf64>
    %189 = stablehlo.divide %184, %188 : tensor<1x1x1xf64>
    %190 = stablehlo.maximum %86, %170 : tensor<1x1x1xf64>
    %191 = stablehlo.compare EQ, %86, %190, FLOAT : (tensor<1x1x1xf64>, tensor<1x1x1xf64>) -> tensor<1x1x1xi1>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %192 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %193 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %194 = stablehlo.select %191, %192, %193 : tensor<1x1x1xi1>, tensor<1x1x1xf64>
    %195 = stablehlo.compare EQ, %170, %190, FLOAT : (tensor<1x1x1xf64>, tensor<1x1x1xf64>) -> tensor<1x1x1xi1>
    %cst_65 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %196 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %cst_66 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %197 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %198 = stablehlo.select %195, %196, %197 : tensor<1x1x1xi1>, tensor<1x1x1xf64>
    %199 = stablehlo.divide %194, %198 : tensor<1x1x1xf64>
    %200 = stablehlo.compare EQ, %170, %190, FLOAT : (tensor<1x1x1xf64>, tensor<1x1x1xf64>) -> tensor<1x1x1xi1>
    %cst_67 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %201 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %202 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %203 = stablehlo.select %200, %201, %202 : tensor<1x1x1xi1>, tensor<1x1x1xf64>
    %204 = stablehlo.compare EQ, %86, %190, FLOAT : (tensor<1x1x1xf64>, tensor<1x1x1xf64>) -> tensor<1x1x1xi1>
    %cst_69 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %205 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %cst_70 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %206 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %207 = stablehlo.select %204, %205, %206 : tensor<1x1x1xi1>, tensor<1x1x1xf64>
    %208 = stablehlo.divide %203, %207 : tensor<1x1x1xf64>
    %209 = stablehlo.clamp %171, %40, %190 : tensor<1x1x1xf64>
    %210 = stablehlo.compare GT, %171, %40, FLOAT : (tensor<1x1x1xf64>, tensor<1x1x1xf64>) -> tensor<1x1x1xi1>
    %211 = stablehlo.compare LT, %171, %190, FLOAT : (tensor<1x1x1xf64>, tensor<1x1x1xf64>) -> tensor<1x1x1xi1>
    %212 = stablehlo.and %210, %211 : tensor<1x1x1xi1>
    %213 = stablehlo.compare GT, %40, %171, FLOAT : (tensor<1x1x1xf64>, tensor<1x1x1xf64>) -> tensor<1x1x1xi1>
    %214 = stablehlo.compare LT, %40, %190, FLOAT : (tensor<1x1x1xf64>, tensor<1x1x1xf64>) -> tensor<1x1x1xi1>
    %215 = stablehlo.and %213, %214 : tensor<1x1x1xi1>
    %216 = stablehlo.compare LT, %190, %40, FLOAT : (tensor<1x1x1xf64>, tensor<1x1x1xf64>) -> tensor<1x1x1xi1>
    %217 = stablehlo.reshape %209 : (tensor<1x1x1xf64>) -> tensor<1xf64>
    %218 = stablehlo.slice %217 [0:1] : (tensor<1xf64>) -> tensor<1xf64>
    %219 = stablehlo.reshape %218 : (tensor<1xf64>) -> tensor<1x1x1xf64>
    %220 = stablehlo.concatenate %86, %219, dim = 1 : (tensor<1x1x1xf64>, tensor<1x1x1xf64>) -> tensor<1x2x1xf64>
    %221 = stablehlo.slice %134 [0:1:2, 0:2, 4:5:2] : (tensor<1x4x5xf64>) -> tensor<1x2x1xf64>
    %222 = stablehlo.reshape %209 : (tensor<1x1x1xf64>) -> tensor<1xf64>
    %223 = stablehlo.concatenate %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, dim = 0 : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> tensor<16xf64>
    %224 = stablehlo.concatenate %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, dim = 0 : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> tensor<16xf64>
    %225 = stablehlo.concatenate %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, dim = 0 : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> tensor<16xf64>
    %226 = stablehlo.concatenate %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, dim = 0 : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> tensor<16xf64>
    %227 = stablehlo.concatenate %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, %222, dim = 0 : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> tensor<16xf64>
    %228 = stablehlo.concatenate %223, %224, %225, %226, %227, dim = 0 : (tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>) -> tensor<80xf64>
    %229 = stablehlo.slice %228 [0:80] : (tensor<80xf64>) -> tensor<80xf64>
    %230 = stablehlo.reshape %229 : (tensor<80xf64>) -> tensor<1x5x16xf64>
    %231 = stablehlo.dot_general %5, %230, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x4x5xf64>, tensor<1x5x16xf64>) -> tensor<1x4x16xf64>
    %cst_71 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %232 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %233 = stablehlo.multiply %231, %232 : tensor<1x4x16xf64>
    %234 = stablehlo.tanh %233 : tensor<1x4x16xf64>
    %cst_72 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %235 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %236 = stablehlo.subtract %235, %234 : tensor<1x4x16xf64>
    %237 = stablehlo.broadcast_in_dim %220, dims = [0, 1, 3] : (tensor<1x2x1xf64>) -> tensor<1x2x1x1xf64>
    %238 = call @cumsum_2(%237) : (tensor<1x2x1x1xf64>) -> tensor<1x2x1x1xf64>
    %cst_73 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %239 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f64>) -> tensor<1x2x1x1xf64>
    %240 = stablehlo.multiply %238, %239 : tensor<1x2x1x1xf64>
    %241 = stablehlo.tanh %240 : tensor<1x2x1x1xf64>
    %cst_74 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %242 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f64>) -> tensor<1x2x1x1xf64>
    %243 = stablehlo.subtract %242, %241 : tensor<1x2x1x1xf64>
    %244 = stablehlo.reshape %221 : (tensor<1x2x1xf64>) -> tensor<2xf64>
    %245 = stablehlo.concatenate %244, %244, %244, %244, %244, %244, %244, %244, %244, %244, %244, %244, %244, %244, %244, %244, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %246 = stablehlo.concatenate %244, %244, %244, %244, %244, %244, %244, %244, %244, %244, %244, %244, %244, %244, %244, %244, dim = 0 : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<32xf64>
    %247 = stablehlo.concatenate %245, %246, dim = 0 : (tensor<32xf64>, tensor<32xf64>) -> tensor<64xf64>
    %248 = stablehlo.slice %247 [0:64] : (tensor<64xf64>) -> tensor<64xf64>
    %249 = stablehlo.reshape %248 : (tensor<64xf64>) -> tensor<1x4x16xf64>
    %250 = stablehlo.minimum %249, %234 : tensor<1x4x16xf64>
    %251 = stablehlo.compare EQ, %249, %250, FLOAT : (tensor<1x4x16xf64>, tensor<1x4x16xf64>) -> tensor<1x4x16xi1>
    %cst_75 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %252 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %253 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %254 = stablehlo.select %251, %252, %253 : tensor<1x4x16xi1>, tensor<1x4x16xf64>
    %255 = stablehlo.compare EQ, %234, %250, FLOAT : (tensor<1x4x16xf64>, tensor<1x4x16xf64>) -> tensor<1x4x16xi1>
    %cst_77 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %256 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %cst_78 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %257 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %258 = stablehlo.select %255, %256, %257 : tensor<1x4x16xi1>, tensor<1x4x16xf64>
    %259 = stablehlo.divide %254, %258 : tensor<1x4x16xf64>
    %260 = stablehlo.compare EQ, %234, %250, FLOAT : (tensor<1x4x16xf64>, tensor<1x4x16xf64>) -> tensor<1x4x16xi1>
    %cst_79 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %261 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %262 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %263 = stablehlo.select %260, %261, %262 : tensor<1x4x16xi1>, tensor<1x4x16xf64>
    %264 = stablehlo.compare EQ, %249, %250, FLOAT : (tensor<1x4x16xf64>, tensor<1x4x16xf64>) -> tensor<1x4x16xi1>
    %cst_81 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %265 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %cst_82 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %266 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %267 = stablehlo.select %264, %265, %266 : tensor<1x4x16xi1>, tensor<1x4x16xf64>
    %268 = stablehlo.divide %263, %267 : tensor<1x4x16xf64>
    %269 = stablehlo.maximum %249, %234 : tensor<1x4x16xf64>
    %270 = stablehlo.compare EQ, %249, %269, FLOAT : (tensor<1x4x16xf64>, tensor<1x4x16xf64>) -> tensor<1x4x16xi1>
    %cst_83 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %271 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %272 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %273 = stablehlo.select %270, %271, %272 : tensor<1x4x16xi1>, tensor<1x4x16xf64>
    %274 = stablehlo.compare EQ, %234, %269, FLOAT : (tensor<1x4x16xf64>, tensor<1x4x16xf64>) -> tensor<1x4x16xi1>
    %cst_85 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %275 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %cst_86 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %276 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %277 = stablehlo.select %274, %275, %276 : tensor<1x4x16xi1>, tensor<1x4x16xf64>
    %278 = stablehlo.divide %273, %277 : tensor<1x4x16xf64>
    %279 = stablehlo.compare EQ, %234, %269, FLOAT : (tensor<1x4x16xf64>, tensor<1x4x16xf64>) -> tensor<1x4x16xi1>
    %cst_87 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %280 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %281 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %282 = stablehlo.select %279, %280, %281 : tensor<1x4x16xi1>, tensor<1x4x16xf64>
    %283 = stablehlo.compare EQ, %249, %269, FLOAT : (tensor<1x4x16xf64>, tensor<1x4x16xf64>) -> tensor<1x4x16xi1>
    %cst_89 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %284 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %cst_90 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %285 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %286 = stablehlo.select %283, %284, %285 : tensor<1x4x16xi1>, tensor<1x4x16xf64>
    %287 = stablehlo.divide %282, %286 : tensor<1x4x16xf64>
    %288 = stablehlo.clamp %250, %234, %269 : tensor<1x4x16xf64>
    %289 = stablehlo.compare GT, %250, %234, FLOAT : (tensor<1x4x16xf64>, tensor<1x4x16xf64>) -> tensor<1x4x16xi1>
    %290 = stablehlo.compare LT, %250, %269, FLOAT : (tensor<1x4x16xf64>, tensor<1x4x16xf64>) -> tensor<1x4x16xi1>
    %291 = stablehlo.and %289, %290 : tensor<1x4x16xi1>
    %292 = stablehlo.compare GT, %234, %250, FLOAT : (tensor<1x4x16xf64>, tensor<1x4x16xf64>) -> tensor<1x4x16xi1>
    %293 = stablehlo.compare LT, %234, %269, FLOAT : (tensor<1x4x16xf64>, tensor<1x4x16xf64>) -> tensor<1x4x16xi1>
    %294 = stablehlo.and %292, %293 : tensor<1x4x16xi1>
    %295 = stablehlo.compare LT, %269, %234, FLOAT : (tensor<1x4x16xf64>, tensor<1x4x16xf64>) -> tensor<1x4x16xi1>
    %296 = stablehlo.iota dim = 0 : tensor<2xf64>
    %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %297 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f64>) -> tensor<2x1x4x5xf64>
    %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %298 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f64>) -> tensor<2x1x4x5xf64>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %299 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f64>) -> tensor<2x1x4x5xf64>
    %c_94 = stablehlo.constant dense<0> : tensor<i64>
    %300:7 = stablehlo.while(%iterArg = %296, %iterArg_282 = %37, %iterArg_283 = %c_94, %iterArg_284 = %5, %iterArg_285 = %297, %iterArg_286 = %298, %iterArg_287 = %299) : tensor<2xf64>, tensor<1x4x5xf64>, tensor<i64>, tensor<1x4x5xf64>, tensor<2x1x4x5xf64>, tensor<2x1x4x5xf64>, tensor<2x1x4x5xf64>
    cond {
      %c_288 = stablehlo.constant dense<2> : tensor<i64>
      %1185 = stablehlo.compare LT, %iterArg_283, %c_288, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %1185 : tensor<i1>
    } do {
      %1185 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_283) : (tensor<2xf64>, tensor<i64>) -> tensor<f64>
      %1186:4 = func.call @closed_call(%iterArg_282, %iterArg_284, %1185) : (tensor<1x4x5xf64>, tensor<1x4x5xf64>, tensor<f64>) -> (tensor<1x4x5xf64>, tensor<1x4x5xf64>, tensor<1x4x5xf64>, tensor<1x4x5xf64>)
      %1187 = func.call @dynamic_update_index_in_dim(%iterArg_285, %1186#1, %iterArg_283) : (tensor<2x1x4x5xf64>, tensor<1x4x5xf64>, tensor<i64>) -> tensor<2x1x4x5xf64>
      %1188 = func.call @dynamic_update_index_in_dim(%iterArg_286, %1186#2, %iterArg_283) : (tensor<2x1x4x5xf64>, tensor<1x4x5xf64>, tensor<i64>) -> tensor<2x1x4x5xf64>
      %1189 = func.call @dynamic_update_index_in_dim(%iterArg_287, %1186#3, %iterArg_283) : (tensor<2x1x4x5xf64>, tensor<1x4x5xf64>, tensor<i64>) -> tensor<2x1x4x5xf64>
      %c_288 = stablehlo.constant dense<1> : tensor<i64>
      %1190 = stablehlo.add %iterArg_283, %c_288 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_282, %1190, %1186#0, %1187, %1188, %1189 : tensor<2xf64>, tensor<1x4x5xf64>, tensor<i64>, tensor<1x4x5xf64>, tensor<2x1x4x5xf64>, tensor<2x1x4x5xf64>, tensor<2x1x4x5xf64>
    }
    %cst_95 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %301 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f64>) -> tensor<2x1x4x5xf64>
    %302 = stablehlo.multiply %300#4, %301 : tensor<2x1x4x5xf64>
    %303 = stablehlo.tanh %302 : tensor<2x1x4x5xf64>
    %cst_96 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %304 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f64>) -> tensor<2x1x4x5xf64>
    %305 = stablehlo.subtract %304, %303 : tensor<2x1x4x5xf64>
    %306 = stablehlo.iota dim = 0 : tensor<4xf64>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %307 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f64>) -> tensor<4x1x2x1x1xf64>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %308 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f64>) -> tensor<4x1x2x1x1xf64>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %309 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f64>) -> tensor<4x1x2x1x1xf64>
    %c_100 = stablehlo.constant dense<0> : tensor<i64>
    %310:7 = stablehlo.while(%iterArg = %306, %iterArg_282 = %241, %iterArg_283 = %c_100, %iterArg_284 = %241, %iterArg_285 = %307, %iterArg_286 = %308, %iterArg_287 = %309) : tensor<4xf64>, tensor<1x2x1x1xf64>, tensor<i64>, tensor<1x2x1x1xf64>, tensor<4x1x2x1x1xf64>, tensor<4x1x2x1x1xf64>, tensor<4x1x2x1x1xf64>
    cond {
      %c_288 = stablehlo.constant dense<4> : tensor<i64>
      %1185 = stablehlo.compare LT, %iterArg_283, %c_288, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %1185 : tensor<i1>
    } do {
      %1185 = func.call @dynamic_index_in_dim_3(%iterArg, %iterArg_283) : (tensor<4xf64>, tensor<i64>) -> tensor<f64>
      %1186:4 = func.call @closed_call_4(%iterArg_282, %iterArg_284, %1185) : (tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>, tensor<f64>) -> (tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>)
      %1187 = func.call @dynamic_update_index_in_dim_5(%iterArg_285, %1186#1, %iterArg_283) : (tensor<4x1x2x1x1xf64>, tensor<1x2x1x1xf64>, tensor<i64>) -> tensor<4x1x2x1x1xf64>
      %1188 = func.call @dynamic_update_index_in_dim_5(%iterArg_286, %1186#2, %iterArg_283) : (tensor<4x1x2x1x1xf64>, tensor<1x2x1x1xf64>, tensor<i64>) -> tensor<4x1x2x1x1xf64>
      %1189 = func.call @dynamic_update_index_in_dim_5(%iterArg_287, %1186#3, %iterArg_283) : (tensor<4x1x2x1x1xf64>, tensor<1x2x1x1xf64>, tensor<i64>) -> tensor<4x1x2x1x1xf64>
      %c_288 = stablehlo.constant dense<1> : tensor<i64>
      %1190 = stablehlo.add %iterArg_283, %c_288 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_282, %1190, %1186#0, %1187, %1188, %1189 : tensor<4xf64>, tensor<1x2x1x1xf64>, tensor<i64>, tensor<1x2x1x1xf64>, tensor<4x1x2x1x1xf64>, tensor<4x1x2x1x1xf64>, tensor<4x1x2x1x1xf64>
    }
    %cst_101 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %311 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f64>) -> tensor<4x1x2x1x1xf64>
    %312 = stablehlo.multiply %310#4, %311 : tensor<4x1x2x1x1xf64>
    %313 = stablehlo.tanh %312 : tensor<4x1x2x1x1xf64>
    %cst_102 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %314 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f64>) -> tensor<4x1x2x1x1xf64>
    %315 = stablehlo.subtract %314, %313 : tensor<4x1x2x1x1xf64>
    %316 = stablehlo.reshape %310#3 : (tensor<1x2x1x1xf64>) -> tensor<1x2xf64>
    %317 = stablehlo.slice %316 [0:1:2, 1:2:2] : (tensor<1x2xf64>) -> tensor<1x1xf64>
    %318 = stablehlo.slice %91 [0:4] : (tensor<4xi32>) -> tensor<4xi32>
    %319 = stablehlo.abs %318 : tensor<4xi32>
    %c_103 = stablehlo.constant dense<5> : tensor<i32>
    %320 = stablehlo.broadcast_in_dim %c_103, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %321 = stablehlo.remainder %319, %320 : tensor<4xi32>
    %322 = call @cumsum_0(%321) : (tensor<4xi32>) -> tensor<4xi32>
    %c_104 = stablehlo.constant dense<7> : tensor<i32>
    %323 = stablehlo.broadcast_in_dim %c_104, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %324 = stablehlo.remainder %322, %323 : tensor<4xi32>
    %325 = stablehlo.reshape %303 : (tensor<2x1x4x5xf64>) -> tensor<40xf64>
    %326 = stablehlo.slice %325 [39:40] : (tensor<40xf64>) -> tensor<1xf64>
    %327 = stablehlo.reshape %326 : (tensor<1xf64>) -> tensor<1x1xf64>
    %328 = stablehlo.reshape %303 : (tensor<2x1x4x5xf64>) -> tensor<40xf64>
    %329 = stablehlo.slice %328 [39:40] : (tensor<40xf64>) -> tensor<1xf64>
    %330 = stablehlo.reshape %329 : (tensor<1xf64>) -> tensor<1x1xf64>
    %331 = stablehlo.minimum %327, %330 : tensor<1x1xf64>
    %332 = stablehlo.compare EQ, %327, %331, FLOAT : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xi1>
    %cst_105 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %333 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %334 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %335 = stablehlo.select %332, %333, %334 : tensor<1x1xi1>, tensor<1x1xf64>
    %336 = stablehlo.compare EQ, %330, %331, FLOAT : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xi1>
    %cst_107 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %337 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %cst_108 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %338 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %339 = stablehlo.select %336, %337, %338 : tensor<1x1xi1>, tensor<1x1xf64>
    %340 = stablehlo.divide %335, %339 : tensor<1x1xf64>
    %341 = stablehlo.compare EQ, %330, %331, FLOAT : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xi1>
    %cst_109 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %342 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %343 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %344 = stablehlo.select %341, %342, %343 : tensor<1x1xi1>, tensor<1x1xf64>
    %345 = stablehlo.compare EQ, %327, %331, FLOAT : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xi1>
    %cst_111 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %346 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %cst_112 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %347 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %348 = stablehlo.select %345, %346, %347 : tensor<1x1xi1>, tensor<1x1xf64>
    %349 = stablehlo.divide %344, %348 : tensor<1x1xf64>
    %350 = stablehlo.maximum %327, %330 : tensor<1x1xf64>
    %351 = stablehlo.compare EQ, %327, %350, FLOAT : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xi1>
    %cst_113 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %352 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %cst_114 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %353 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %354 = stablehlo.select %351, %352, %353 : tensor<1x1xi1>, tensor<1x1xf64>
    %355 = stablehlo.compare EQ, %330, %350, FLOAT : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xi1>
    %cst_115 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %356 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %cst_116 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %357 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %358 = stablehlo.select %355, %356, %357 : tensor<1x1xi1>, tensor<1x1xf64>
    %359 = stablehlo.divide %354, %358 : tensor<1x1xf64>
    %360 = stablehlo.compare EQ, %330, %350, FLOAT : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xi1>
    %cst_117 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %361 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %362 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %363 = stablehlo.select %360, %361, %362 : tensor<1x1xi1>, tensor<1x1xf64>
    %364 = stablehlo.compare EQ, %327, %350, FLOAT : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xi1>
    %cst_119 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %365 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %cst_120 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %366 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %367 = stablehlo.select %364, %365, %366 : tensor<1x1xi1>, tensor<1x1xf64>
    %368 = stablehlo.divide %363, %367 : tensor<1x1xf64>
    %369 = stablehlo.clamp %331, %317, %350 : tensor<1x1xf64>
    %370 = stablehlo.compare GT, %331, %317, FLOAT : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xi1>
    %371 = stablehlo.compare LT, %331, %350, FLOAT : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xi1>
    %372 = stablehlo.and %370, %371 : tensor<1x1xi1>
    %373 = stablehlo.compare GT, %317, %331, FLOAT : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xi1>
    %374 = stablehlo.compare LT, %317, %350, FLOAT : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xi1>
    %375 = stablehlo.and %373, %374 : tensor<1x1xi1>
    %376 = stablehlo.compare LT, %350, %317, FLOAT : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xi1>
    %377 = stablehlo.slice %c_1 [0:1] : (tensor<4xi32>) -> tensor<1xi32>
    %378 = stablehlo.reshape %377 : (tensor<1xi32>) -> tensor<i32>
    %379 = stablehlo.slice %c_1 [1:2] : (tensor<4xi32>) -> tensor<1xi32>
    %380 = stablehlo.reshape %379 : (tensor<1xi32>) -> tensor<i32>
    %381 = stablehlo.slice %c_1 [2:3] : (tensor<4xi32>) -> tensor<1xi32>
    %382 = stablehlo.reshape %381 : (tensor<1xi32>) -> tensor<i32>
    %383 = stablehlo.slice %c_1 [3:4] : (tensor<4xi32>) -> tensor<1xi32>
    %384 = stablehlo.reshape %383 : (tensor<1xi32>) -> tensor<i32>
    %c_121 = stablehlo.constant dense<0> : tensor<i32>
    %385 = stablehlo.compare LT, %378, %c_121, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_122 = stablehlo.constant dense<2> : tensor<i32>
    %386 = stablehlo.add %378, %c_122 : tensor<i32>
    %387 = stablehlo.select %385, %386, %378 : tensor<i1>, tensor<i32>
    %c_123 = stablehlo.constant dense<0> : tensor<i32>
    %388 = stablehlo.compare LT, %380, %c_123, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_124 = stablehlo.constant dense<1> : tensor<i32>
    %389 = stablehlo.add %380, %c_124 : tensor<i32>
    %390 = stablehlo.select %388, %389, %380 : tensor<i1>, tensor<i32>
    %c_125 = stablehlo.constant dense<0> : tensor<i32>
    %391 = stablehlo.compare LT, %382, %c_125, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_126 = stablehlo.constant dense<4> : tensor<i32>
    %392 = stablehlo.add %382, %c_126 : tensor<i32>
    %393 = stablehlo.select %391, %392, %382 : tensor<i1>, tensor<i32>
    %c_127 = stablehlo.constant dense<0> : tensor<i32>
    %394 = stablehlo.compare LT, %384, %c_127, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_128 = stablehlo.constant dense<5> : tensor<i32>
    %395 = stablehlo.add %384, %c_128 : tensor<i32>
    %396 = stablehlo.select %394, %395, %384 : tensor<i1>, tensor<i32>
    %397 = stablehlo.dynamic_slice %303, %387, %390, %393, %396, sizes = [2, 1, 1, 5] : (tensor<2x1x4x5xf64>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x1x5xf64>
    %398 = stablehlo.reshape %369 : (tensor<1x1xf64>) -> tensor<1xf64>
    %399 = stablehlo.concatenate %398, %398, %398, %398, %398, %398, %398, %398, %398, %398, dim = 0 : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> tensor<10xf64>
    %400 = stablehlo.slice %399 [0:10] : (tensor<10xf64>) -> tensor<10xf64>
    %401 = stablehlo.reshape %400 : (tensor<10xf64>) -> tensor<2x1x1x5xf64>
    %c_129 = stablehlo.constant dense<0> : tensor<i32>
    %402 = stablehlo.compare LT, %384, %c_129, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_130 = stablehlo.constant dense<2> : tensor<i32>
    %403 = stablehlo.add %384, %c_130 : tensor<i32>
    %404 = stablehlo.select %402, %403, %384 : tensor<i1>, tensor<i32>
    %c_131 = stablehlo.constant dense<0> : tensor<i32>
    %405 = stablehlo.compare LT, %382, %c_131, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_132 = stablehlo.constant dense<1> : tensor<i32>
    %406 = stablehlo.add %382, %c_132 : tensor<i32>
    %407 = stablehlo.select %405, %406, %382 : tensor<i1>, tensor<i32>
    %c_133 = stablehlo.constant dense<0> : tensor<i32>
    %408 = stablehlo.compare LT, %380, %c_133, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_134 = stablehlo.constant dense<4> : tensor<i32>
    %409 = stablehlo.add %380, %c_134 : tensor<i32>
    %410 = stablehlo.select %408, %409, %380 : tensor<i1>, tensor<i32>
    %c_135 = stablehlo.constant dense<0> : tensor<i32>
    %411 = stablehlo.compare LT, %378, %c_135, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_136 = stablehlo.constant dense<5> : tensor<i32>
    %412 = stablehlo.add %378, %c_136 : tensor<i32>
    %413 = stablehlo.select %411, %412, %378 : tensor<i1>, tensor<i32>
    %414 = stablehlo.dynamic_update_slice %303, %401, %404, %407, %410, %413 : (tensor<2x1x4x5xf64>, tensor<2x1x1x5xf64>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x4x5xf64>
    %415 = stablehlo.transpose %414, dims = [1, 0, 2, 3] : (tensor<2x1x4x5xf64>) -> tensor<1x2x4x5xf64>
    %cst_137 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %416 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f64>) -> tensor<f64>
    %417 = "stablehlo.reduce_window"(%300#3, %416) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 1]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %1185 = stablehlo.maximum %arg3, %arg4 : tensor<f64>
      stablehlo.return %1185 : tensor<f64>
    }) : (tensor<1x4x5xf64>, tensor<f64>) -> tensor<1x4x5xf64>
    %418 = stablehlo.reshape %369 : (tensor<1x1xf64>) -> tensor<1xf64>
    %419 = stablehlo.concatenate %418, %418, dim = 0 : (tensor<1xf64>, tensor<1xf64>) -> tensor<2xf64>
    %420 = stablehlo.slice %419 [0:2] : (tensor<2xf64>) -> tensor<2xf64>
    %421 = stablehlo.reshape %420 : (tensor<2xf64>) -> tensor<1x2x1x1xf64>
    %422 = stablehlo.concatenate %310#3, %421, dim = 3 : (tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>) -> tensor<1x2x1x2xf64>
    %423 = stablehlo.reshape %417 : (tensor<1x4x5xf64>) -> tensor<20xf64>
    %cst_138 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %424 = stablehlo.reduce(%423 init: %cst_138) applies stablehlo.maximum across dimensions = [0] : (tensor<20xf64>, tensor<f64>) -> tensor<f64>
    %425 = stablehlo.reshape %424 : (tensor<f64>) -> tensor<1xf64>
    %426 = stablehlo.broadcast_in_dim %425, dims = [0] : (tensor<1xf64>) -> tensor<20xf64>
    %427 = stablehlo.compare EQ, %423, %426, FLOAT : (tensor<20xf64>, tensor<20xf64>) -> tensor<20xi1>
    %428 = stablehlo.convert %427 : (tensor<20xi1>) -> tensor<20xf64>
    %cst_139 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %429 = stablehlo.reduce(%428 init: %cst_139) applies stablehlo.add across dimensions = [0] : (tensor<20xf64>, tensor<f64>) -> tensor<f64>
    %cst_140 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %430 = stablehlo.multiply %424, %cst_140 : tensor<f64>
    %431 = stablehlo.tanh %430 : tensor<f64>
    %cst_141 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %432 = stablehlo.subtract %cst_141, %431 : tensor<f64>
    %433 = stablehlo.reshape %415 : (tensor<1x2x4x5xf64>) -> tensor<40xf64>
    %434 = stablehlo.slice %433 [25:40] : (tensor<40xf64>) -> tensor<15xf64>
    %435 = stablehlo.reshape %434 : (tensor<15xf64>) -> tensor<1x5x3xf64>
    %436 = stablehlo.dot_general %417, %435, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x4x5xf64>, tensor<1x5x3xf64>) -> tensor<1x4x3xf64>
    %cst_142 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %437 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f64>) -> tensor<1x4x3xf64>
    %438 = stablehlo.multiply %436, %437 : tensor<1x4x3xf64>
    %439 = stablehlo.tanh %438 : tensor<1x4x3xf64>
    %cst_143 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %440 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f64>) -> tensor<1x4x3xf64>
    %441 = stablehlo.subtract %440, %439 : tensor<1x4x3xf64>
    %442 = stablehlo.negate %439 : tensor<1x4x3xf64>
    %443 = stablehlo.transpose %439, dims = [0, 2, 1] : (tensor<1x4x3xf64>) -> tensor<1x3x4xf64>
    %444 = stablehlo.reshape %442 : (tensor<1x4x3xf64>) -> tensor<3x4xf64>
    %445 = stablehlo.reshape %444 : (tensor<3x4xf64>) -> tensor<12xf64>
    %446 = stablehlo.reshape %445 : (tensor<12xf64>) -> tensor<3x4xf64>
    %447 = stablehlo.reshape %446 : (tensor<3x4xf64>) -> tensor<12xf64>
    %448 = stablehlo.slice %447 [0:12] : (tensor<12xf64>) -> tensor<12xf64>
    %449 = stablehlo.slice %324 [0:1] : (tensor<4xi32>) -> tensor<1xi32>
    %450 = stablehlo.abs %449 : tensor<1xi32>
    %c_144 = stablehlo.constant dense<3> : tensor<i32>
    %451 = stablehlo.broadcast_in_dim %c_144, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %452 = stablehlo.remainder %450, %451 : tensor<1xi32>
    %453 = stablehlo.reshape %452 : (tensor<1xi32>) -> tensor<i32>
    %c_145 = stablehlo.constant dense<0> : tensor<i32>
    %c_146 = stablehlo.constant dense<2> : tensor<i32>
    %454 = stablehlo.clamp %c_145, %453, %c_146 : tensor<i32>
    %455 = "stablehlo.case"(%454) ({
      %1185 = stablehlo.add %445, %448 : tensor<12xf64>
      stablehlo.return %1185 : tensor<12xf64>
    }, {
      %1185 = stablehlo.subtract %445, %448 : tensor<12xf64>
      stablehlo.return %1185 : tensor<12xf64>
    }, {
      stablehlo.return %448 : tensor<12xf64>
    }) : (tensor<i32>) -> tensor<12xf64>
    %456 = stablehlo.broadcast_in_dim %455, dims = [1] : (tensor<12xf64>) -> tensor<3x12xf64>
    %cst_147 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_148 = stablehlo.constant dense<3.600000e+01> : tensor<f64>
    %457 = stablehlo.divide %cst_147, %cst_148 : tensor<f64>
    %458 = stablehlo.broadcast_in_dim %457, dims = [] : (tensor<f64>) -> tensor<3x12xf64>
    %459 = stablehlo.multiply %456, %458 : tensor<3x12xf64>
    %460 = stablehlo.multiply %458, %456 : tensor<3x12xf64>
    %461 = stablehlo.add %459, %460 : tensor<3x12xf64>
    %cst_149 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_150 = stablehlo.constant dense<1.200000e+01> : tensor<f64>
    %462 = stablehlo.divide %cst_149, %cst_150 : tensor<f64>
    %463 = stablehlo.broadcast_in_dim %462, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %464 = stablehlo.multiply %455, %463 : tensor<12xf64>
    %465 = stablehlo.multiply %463, %455 : tensor<12xf64>
    %466 = stablehlo.add %464, %465 : tensor<12xf64>
    %cst_151 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_152 = stablehlo.constant dense<1.200000e+01> : tensor<f64>
    %467 = stablehlo.divide %cst_151, %cst_152 : tensor<f64>
    %468 = stablehlo.broadcast_in_dim %467, dims = [] : (tensor<f64>) -> tensor<3x4xf64>
    %469 = stablehlo.multiply %446, %468 : tensor<3x4xf64>
    %470 = stablehlo.multiply %468, %446 : tensor<3x4xf64>
    %471 = stablehlo.add %469, %470 : tensor<3x4xf64>
    %cst_153 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_154 = stablehlo.constant dense<1.200000e+01> : tensor<f64>
    %472 = stablehlo.divide %cst_153, %cst_154 : tensor<f64>
    %473 = stablehlo.broadcast_in_dim %472, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %474 = stablehlo.multiply %445, %473 : tensor<12xf64>
    %475 = stablehlo.multiply %473, %445 : tensor<12xf64>
    %476 = stablehlo.add %474, %475 : tensor<12xf64>
    %cst_155 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_156 = stablehlo.constant dense<1.200000e+01> : tensor<f64>
    %477 = stablehlo.divide %cst_155, %cst_156 : tensor<f64>
    %478 = stablehlo.broadcast_in_dim %477, dims = [] : (tensor<f64>) -> tensor<3x4xf64>
    %479 = stablehlo.multiply %444, %478 : tensor<3x4xf64>
    %480 = stablehlo.multiply %478, %444 : tensor<3x4xf64>
    %481 = stablehlo.add %479, %480 : tensor<3x4xf64>
    %cst_157 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_158 = stablehlo.constant dense<1.200000e+01> : tensor<f64>
    %482 = stablehlo.divide %cst_157, %cst_158 : tensor<f64>
    %483 = stablehlo.broadcast_in_dim %482, dims = [] : (tensor<f64>) -> tensor<1x3x4xf64>
    %484 = stablehlo.multiply %443, %483 : tensor<1x3x4xf64>
    %485 = stablehlo.multiply %483, %443 : tensor<1x3x4xf64>
    %486 = stablehlo.add %484, %485 : tensor<1x3x4xf64>
    %cst_159 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_160 = stablehlo.constant dense<1.200000e+01> : tensor<f64>
    %487 = stablehlo.divide %cst_159, %cst_160 : tensor<f64>
    %488 = stablehlo.broadcast_in_dim %487, dims = [] : (tensor<f64>) -> tensor<1x4x3xf64>
    %489 = stablehlo.multiply %442, %488 : tensor<1x4x3xf64>
    %490 = stablehlo.multiply %488, %442 : tensor<1x4x3xf64>
    %491 = stablehlo.add %489, %490 : tensor<1x4x3xf64>
    %cst_161 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_162 = stablehlo.constant dense<1.200000e+01> : tensor<f64>
    %492 = stablehlo.divide %cst_161, %cst_162 : tensor<f64>
    %493 = stablehlo.broadcast_in_dim %492, dims = [] : (tensor<f64>) -> tensor<1x4x3xf64>
    %494 = stablehlo.multiply %439, %493 : tensor<1x4x3xf64>
    %495 = stablehlo.multiply %493, %439 : tensor<1x4x3xf64>
    %496 = stablehlo.add %494, %495 : tensor<1x4x3xf64>
    %cst_163 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_164 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %497 = stablehlo.divide %cst_163, %cst_164 : tensor<f64>
    %498 = stablehlo.multiply %431, %497 : tensor<f64>
    %499 = stablehlo.multiply %497, %431 : tensor<f64>
    %500 = stablehlo.add %498, %499 : tensor<f64>
    %cst_165 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_166 = stablehlo.constant dense<2.000000e+01> : tensor<f64>
    %501 = stablehlo.divide %cst_165, %cst_166 : tensor<f64>
    %502 = stablehlo.broadcast_in_dim %501, dims = [] : (tensor<f64>) -> tensor<20xf64>
    %503 = stablehlo.multiply %423, %502 : tensor<20xf64>
    %504 = stablehlo.multiply %502, %423 : tensor<20xf64>
    %505 = stablehlo.add %503, %504 : tensor<20xf64>
    %cst_167 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_168 = stablehlo.constant dense<4.000000e+00> : tensor<f64>
    %506 = stablehlo.divide %cst_167, %cst_168 : tensor<f64>
    %507 = stablehlo.broadcast_in_dim %506, dims = [] : (tensor<f64>) -> tensor<1x2x1x2xf64>
    %508 = stablehlo.multiply %422, %507 : tensor<1x2x1x2xf64>
    %509 = stablehlo.multiply %507, %422 : tensor<1x2x1x2xf64>
    %510 = stablehlo.add %508, %509 : tensor<1x2x1x2xf64>
    %cst_169 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_170 = stablehlo.constant dense<2.000000e+01> : tensor<f64>
    %511 = stablehlo.divide %cst_169, %cst_170 : tensor<f64>
    %512 = stablehlo.broadcast_in_dim %511, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %513 = stablehlo.multiply %417, %512 : tensor<1x4x5xf64>
    %514 = stablehlo.multiply %512, %417 : tensor<1x4x5xf64>
    %515 = stablehlo.add %513, %514 : tensor<1x4x5xf64>
    %cst_171 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_172 = stablehlo.constant dense<4.000000e+01> : tensor<f64>
    %516 = stablehlo.divide %cst_171, %cst_172 : tensor<f64>
    %517 = stablehlo.broadcast_in_dim %516, dims = [] : (tensor<f64>) -> tensor<1x2x4x5xf64>
    %518 = stablehlo.multiply %415, %517 : tensor<1x2x4x5xf64>
    %519 = stablehlo.multiply %517, %415 : tensor<1x2x4x5xf64>
    %520 = stablehlo.add %518, %519 : tensor<1x2x4x5xf64>
    %cst_173 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_174 = stablehlo.constant dense<4.000000e+01> : tensor<f64>
    %521 = stablehlo.divide %cst_173, %cst_174 : tensor<f64>
    %522 = stablehlo.broadcast_in_dim %521, dims = [] : (tensor<f64>) -> tensor<2x1x4x5xf64>
    %523 = stablehlo.multiply %414, %522 : tensor<2x1x4x5xf64>
    %524 = stablehlo.multiply %522, %414 : tensor<2x1x4x5xf64>
    %525 = stablehlo.add %523, %524 : tensor<2x1x4x5xf64>
    %cst_175 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_176 = stablehlo.constant dense<1.000000e+01> : tensor<f64>
    %526 = stablehlo.divide %cst_175, %cst_176 : tensor<f64>
    %527 = stablehlo.broadcast_in_dim %526, dims = [] : (tensor<f64>) -> tensor<2x1x1x5xf64>
    %528 = stablehlo.multiply %397, %527 : tensor<2x1x1x5xf64>
    %529 = stablehlo.multiply %527, %397 : tensor<2x1x1x5xf64>
    %530 = stablehlo.add %528, %529 : tensor<2x1x1x5xf64>
    %cst_177 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_178 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %531 = stablehlo.divide %cst_177, %cst_178 : tensor<f64>
    %532 = stablehlo.broadcast_in_dim %531, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %533 = stablehlo.multiply %369, %532 : tensor<1x1xf64>
    %534 = stablehlo.multiply %532, %369 : tensor<1x1xf64>
    %535 = stablehlo.add %533, %534 : tensor<1x1xf64>
    %cst_179 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_180 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %536 = stablehlo.divide %cst_179, %cst_180 : tensor<f64>
    %537 = stablehlo.broadcast_in_dim %536, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %538 = stablehlo.multiply %317, %537 : tensor<1x1xf64>
    %539 = stablehlo.multiply %537, %317 : tensor<1x1xf64>
    %540 = stablehlo.add %538, %539 : tensor<1x1xf64>
    %cst_181 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_182 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %541 = stablehlo.divide %cst_181, %cst_182 : tensor<f64>
    %542 = stablehlo.broadcast_in_dim %541, dims = [] : (tensor<f64>) -> tensor<1x2xf64>
    %543 = stablehlo.multiply %316, %542 : tensor<1x2xf64>
    %544 = stablehlo.multiply %542, %316 : tensor<1x2xf64>
    %545 = stablehlo.add %543, %544 : tensor<1x2xf64>
    %cst_183 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_184 = stablehlo.constant dense<8.000000e+00> : tensor<f64>
    %546 = stablehlo.divide %cst_183, %cst_184 : tensor<f64>
    %547 = stablehlo.broadcast_in_dim %546, dims = [] : (tensor<f64>) -> tensor<4x1x2x1x1xf64>
    %548 = stablehlo.multiply %313, %547 : tensor<4x1x2x1x1xf64>
    %549 = stablehlo.multiply %547, %313 : tensor<4x1x2x1x1xf64>
    %550 = stablehlo.add %548, %549 : tensor<4x1x2x1x1xf64>
    %cst_185 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_186 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %551 = stablehlo.divide %cst_185, %cst_186 : tensor<f64>
    %552 = stablehlo.broadcast_in_dim %551, dims = [] : (tensor<f64>) -> tensor<1x2x1x1xf64>
    %553 = stablehlo.multiply %310#3, %552 : tensor<1x2x1x1xf64>
    %554 = stablehlo.multiply %552, %310#3 : tensor<1x2x1x1xf64>
    %555 = stablehlo.add %553, %554 : tensor<1x2x1x1xf64>
    %cst_187 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_188 = stablehlo.constant dense<4.000000e+01> : tensor<f64>
    %556 = stablehlo.divide %cst_187, %cst_188 : tensor<f64>
    %557 = stablehlo.broadcast_in_dim %556, dims = [] : (tensor<f64>) -> tensor<2x1x4x5xf64>
    %558 = stablehlo.multiply %303, %557 : tensor<2x1x4x5xf64>
    %559 = stablehlo.multiply %557, %303 : tensor<2x1x4x5xf64>
    %560 = stablehlo.add %558, %559 : tensor<2x1x4x5xf64>
    %cst_189 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_190 = stablehlo.constant dense<2.000000e+01> : tensor<f64>
    %561 = stablehlo.divide %cst_189, %cst_190 : tensor<f64>
    %562 = stablehlo.broadcast_in_dim %561, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %563 = stablehlo.multiply %300#3, %562 : tensor<1x4x5xf64>
    %564 = stablehlo.multiply %562, %300#3 : tensor<1x4x5xf64>
    %565 = stablehlo.add %563, %564 : tensor<1x4x5xf64>
    %cst_191 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_192 = stablehlo.constant dense<6.400000e+01> : tensor<f64>
    %566 = stablehlo.divide %cst_191, %cst_192 : tensor<f64>
    %567 = stablehlo.broadcast_in_dim %566, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %568 = stablehlo.multiply %288, %567 : tensor<1x4x16xf64>
    %569 = stablehlo.multiply %567, %288 : tensor<1x4x16xf64>
    %570 = stablehlo.add %568, %569 : tensor<1x4x16xf64>
    %cst_193 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_194 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %571 = stablehlo.divide %cst_193, %cst_194 : tensor<f64>
    %572 = stablehlo.broadcast_in_dim %571, dims = [] : (tensor<f64>) -> tensor<1x2x1x1xf64>
    %573 = stablehlo.multiply %241, %572 : tensor<1x2x1x1xf64>
    %574 = stablehlo.multiply %572, %241 : tensor<1x2x1x1xf64>
    %575 = stablehlo.add %573, %574 : tensor<1x2x1x1xf64>
    %cst_195 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_196 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %576 = stablehlo.divide %cst_195, %cst_196 : tensor<f64>
    %577 = stablehlo.broadcast_in_dim %576, dims = [] : (tensor<f64>) -> tensor<1x2x1x1xf64>
    %578 = stablehlo.multiply %237, %577 : tensor<1x2x1x1xf64>
    %579 = stablehlo.multiply %577, %237 : tensor<1x2x1x1xf64>
    %580 = stablehlo.add %578, %579 : tensor<1x2x1x1xf64>
    %cst_197 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_198 = stablehlo.constant dense<6.400000e+01> : tensor<f64>
    %581 = stablehlo.divide %cst_197, %cst_198 : tensor<f64>
    %582 = stablehlo.broadcast_in_dim %581, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %583 = stablehlo.multiply %234, %582 : tensor<1x4x16xf64>
    %584 = stablehlo.multiply %582, %234 : tensor<1x4x16xf64>
    %585 = stablehlo.add %583, %584 : tensor<1x4x16xf64>
    %cst_199 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_200 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %586 = stablehlo.divide %cst_199, %cst_200 : tensor<f64>
    %587 = stablehlo.broadcast_in_dim %586, dims = [] : (tensor<f64>) -> tensor<1x2x1xf64>
    %588 = stablehlo.multiply %221, %587 : tensor<1x2x1xf64>
    %589 = stablehlo.multiply %587, %221 : tensor<1x2x1xf64>
    %590 = stablehlo.add %588, %589 : tensor<1x2x1xf64>
    %cst_201 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_202 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %591 = stablehlo.divide %cst_201, %cst_202 : tensor<f64>
    %592 = stablehlo.broadcast_in_dim %591, dims = [] : (tensor<f64>) -> tensor<1x2x1xf64>
    %593 = stablehlo.multiply %220, %592 : tensor<1x2x1xf64>
    %594 = stablehlo.multiply %592, %220 : tensor<1x2x1xf64>
    %595 = stablehlo.add %593, %594 : tensor<1x2x1xf64>
    %cst_203 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_204 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %596 = stablehlo.divide %cst_203, %cst_204 : tensor<f64>
    %597 = stablehlo.broadcast_in_dim %596, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %598 = stablehlo.multiply %209, %597 : tensor<1x1x1xf64>
    %599 = stablehlo.multiply %597, %209 : tensor<1x1x1xf64>
    %600 = stablehlo.add %598, %599 : tensor<1x1x1xf64>
    %cst_205 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_206 = stablehlo.constant dense<1.120000e+02> : tensor<f64>
    %601 = stablehlo.divide %cst_205, %cst_206 : tensor<f64>
    %602 = stablehlo.broadcast_in_dim %601, dims = [] : (tensor<f64>) -> tensor<1x7x16xf64>
    %603 = stablehlo.multiply %165, %602 : tensor<1x7x16xf64>
    %604 = stablehlo.multiply %602, %165 : tensor<1x7x16xf64>
    %605 = stablehlo.add %603, %604 : tensor<1x7x16xf64>
    %cst_207 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_208 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %606 = stablehlo.divide %cst_207, %cst_208 : tensor<f64>
    %607 = stablehlo.broadcast_in_dim %606, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %608 = stablehlo.multiply %155, %607 : tensor<1xf64>
    %609 = stablehlo.multiply %607, %155 : tensor<1xf64>
    %610 = stablehlo.add %608, %609 : tensor<1xf64>
    %cst_209 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_210 = stablehlo.constant dense<2.800000e+01> : tensor<f64>
    %611 = stablehlo.divide %cst_209, %cst_210 : tensor<f64>
    %612 = stablehlo.broadcast_in_dim %611, dims = [] : (tensor<f64>) -> tensor<1x4x7xf64>
    %613 = stablehlo.multiply %149, %612 : tensor<1x4x7xf64>
    %614 = stablehlo.multiply %612, %149 : tensor<1x4x7xf64>
    %615 = stablehlo.add %613, %614 : tensor<1x4x7xf64>
    %cst_211 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_212 = stablehlo.constant dense<2.000000e+01> : tensor<f64>
    %616 = stablehlo.divide %cst_211, %cst_212 : tensor<f64>
    %617 = stablehlo.broadcast_in_dim %616, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %618 = stablehlo.multiply %134, %617 : tensor<1x4x5xf64>
    %619 = stablehlo.multiply %617, %134 : tensor<1x4x5xf64>
    %620 = stablehlo.add %618, %619 : tensor<1x4x5xf64>
    %cst_213 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_214 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %621 = stablehlo.divide %cst_213, %cst_214 : tensor<f64>
    %622 = stablehlo.broadcast_in_dim %621, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %623 = stablehlo.multiply %86, %622 : tensor<1x1x1xf64>
    %624 = stablehlo.multiply %622, %86 : tensor<1x1x1xf64>
    %625 = stablehlo.add %623, %624 : tensor<1x1x1xf64>
    %cst_215 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_216 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %626 = stablehlo.divide %cst_215, %cst_216 : tensor<f64>
    %627 = stablehlo.broadcast_in_dim %626, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %628 = stablehlo.multiply %40, %627 : tensor<1x1x1xf64>
    %629 = stablehlo.multiply %627, %40 : tensor<1x1x1xf64>
    %630 = stablehlo.add %628, %629 : tensor<1x1x1xf64>
    %cst_217 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_218 = stablehlo.constant dense<2.000000e+01> : tensor<f64>
    %631 = stablehlo.divide %cst_217, %cst_218 : tensor<f64>
    %632 = stablehlo.broadcast_in_dim %631, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %633 = stablehlo.multiply %37, %632 : tensor<1x4x5xf64>
    %634 = stablehlo.multiply %632, %37 : tensor<1x4x5xf64>
    %635 = stablehlo.add %633, %634 : tensor<1x4x5xf64>
    %cst_219 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_220 = stablehlo.constant dense<1.400000e+01> : tensor<f64>
    %636 = stablehlo.divide %cst_219, %cst_220 : tensor<f64>
    %637 = stablehlo.broadcast_in_dim %636, dims = [] : (tensor<f64>) -> tensor<1x7x2xf64>
    %638 = stablehlo.multiply %11, %637 : tensor<1x7x2xf64>
    %639 = stablehlo.multiply %637, %11 : tensor<1x7x2xf64>
    %640 = stablehlo.add %638, %639 : tensor<1x7x2xf64>
    %cst_221 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_222 = stablehlo.constant dense<2.000000e+01> : tensor<f64>
    %641 = stablehlo.divide %cst_221, %cst_222 : tensor<f64>
    %642 = stablehlo.broadcast_in_dim %641, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %643 = stablehlo.multiply %5, %642 : tensor<1x4x5xf64>
    %644 = stablehlo.multiply %642, %5 : tensor<1x4x5xf64>
    %645 = stablehlo.add %643, %644 : tensor<1x4x5xf64>
    %cst_223 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %646 = stablehlo.reduce(%461 init: %cst_223) applies stablehlo.add across dimensions = [0] : (tensor<3x12xf64>, tensor<f64>) -> tensor<12xf64>
    %647 = stablehlo.add %466, %646 : tensor<12xf64>
    %648:2 = "stablehlo.case"(%454) ({
      stablehlo.return %647, %647 : tensor<12xf64>, tensor<12xf64>
    }, {
      %1185 = stablehlo.negate %647 : tensor<12xf64>
      stablehlo.return %647, %1185 : tensor<12xf64>, tensor<12xf64>
    }, {
      %cst_282 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %1185 = stablehlo.broadcast_in_dim %cst_282, dims = [] : (tensor<f64>) -> tensor<12xf64>
      stablehlo.return %1185, %647 : tensor<12xf64>, tensor<12xf64>
    }) : (tensor<i32>) -> (tensor<12xf64>, tensor<12xf64>)
    %649 = stablehlo.add %476, %648#0 : tensor<12xf64>
    %cst_224 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %650 = stablehlo.pad %648#1, %cst_224, low = [0], high = [0], interior = [0] : (tensor<12xf64>, tensor<f64>) -> tensor<12xf64>
    %651 = stablehlo.reshape %650 : (tensor<12xf64>) -> tensor<3x4xf64>
    %652 = stablehlo.add %471, %651 : tensor<3x4xf64>
    %653 = stablehlo.reshape %652 : (tensor<3x4xf64>) -> tensor<12xf64>
    %654 = stablehlo.add %649, %653 : tensor<12xf64>
    %655 = stablehlo.reshape %654 : (tensor<12xf64>) -> tensor<3x4xf64>
    %656 = stablehlo.add %481, %655 : tensor<3x4xf64>
    %657 = stablehlo.reshape %656 : (tensor<3x4xf64>) -> tensor<1x4x3xf64>
    %658 = stablehlo.add %491, %657 : tensor<1x4x3xf64>
    %659 = stablehlo.transpose %486, dims = [0, 2, 1] : (tensor<1x3x4xf64>) -> tensor<1x4x3xf64>
    %660 = stablehlo.add %496, %659 : tensor<1x4x3xf64>
    %661 = stablehlo.negate %658 : tensor<1x4x3xf64>
    %662 = stablehlo.add %660, %661 : tensor<1x4x3xf64>
    %663 = stablehlo.multiply %662, %441 : tensor<1x4x3xf64>
    %664 = stablehlo.multiply %663, %439 : tensor<1x4x3xf64>
    %665 = stablehlo.add %663, %664 : tensor<1x4x3xf64>
    %cst_225 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %666 = stablehlo.broadcast_in_dim %cst_225, dims = [] : (tensor<f64>) -> tensor<1x4x3xf64>
    %667 = stablehlo.multiply %665, %666 : tensor<1x4x3xf64>
    %668 = stablehlo.dot_general %667, %417, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x4x3xf64>, tensor<1x4x5xf64>) -> tensor<1x3x5xf64>
    %669 = stablehlo.transpose %668, dims = [0, 2, 1] : (tensor<1x3x5xf64>) -> tensor<1x5x3xf64>
    %670 = stablehlo.dot_general %667, %435, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x4x3xf64>, tensor<1x5x3xf64>) -> tensor<1x4x5xf64>
    %671 = stablehlo.add %515, %670 : tensor<1x4x5xf64>
    %672 = stablehlo.reshape %669 : (tensor<1x5x3xf64>) -> tensor<15xf64>
    %cst_226 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %673 = stablehlo.pad %672, %cst_226, low = [25], high = [0], interior = [0] : (tensor<15xf64>, tensor<f64>) -> tensor<40xf64>
    %674 = stablehlo.reshape %673 : (tensor<40xf64>) -> tensor<1x2x4x5xf64>
    %675 = stablehlo.add %520, %674 : tensor<1x2x4x5xf64>
    %676 = stablehlo.multiply %500, %432 : tensor<f64>
    %677 = stablehlo.multiply %676, %431 : tensor<f64>
    %678 = stablehlo.add %676, %677 : tensor<f64>
    %cst_227 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %679 = stablehlo.multiply %678, %cst_227 : tensor<f64>
    %680 = stablehlo.divide %679, %429 : tensor<f64>
    %681 = stablehlo.broadcast_in_dim %680, dims = [] : (tensor<f64>) -> tensor<20xf64>
    %682 = stablehlo.multiply %681, %428 : tensor<20xf64>
    %683 = stablehlo.add %505, %682 : tensor<20xf64>
    %684 = stablehlo.reshape %683 : (tensor<20xf64>) -> tensor<1x4x5xf64>
    %685 = stablehlo.add %671, %684 : tensor<1x4x5xf64>
    %686 = stablehlo.slice %510 [0:1, 0:2, 0:1, 0:1] : (tensor<1x2x1x2xf64>) -> tensor<1x2x1x1xf64>
    %687 = stablehlo.slice %510 [0:1, 0:2, 0:1, 1:2] : (tensor<1x2x1x2xf64>) -> tensor<1x2x1x1xf64>
    %688 = stablehlo.add %555, %686 : tensor<1x2x1x1xf64>
    %689 = stablehlo.reshape %687 : (tensor<1x2x1x1xf64>) -> tensor<2xf64>
    %cst_228 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %690 = stablehlo.pad %689, %cst_228, low = [0], high = [0], interior = [0] : (tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
    %691 = stablehlo.slice %690 [0:1] : (tensor<2xf64>) -> tensor<1xf64>
    %692 = stablehlo.slice %690 [1:2] : (tensor<2xf64>) -> tensor<1xf64>
    %693 = stablehlo.add %691, %692 : tensor<1xf64>
    %694 = stablehlo.reshape %693 : (tensor<1xf64>) -> tensor<1x1xf64>
    %695 = stablehlo.add %535, %694 : tensor<1x1xf64>
    %cst_229 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %696 = stablehlo.pad %300#3, %cst_229, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<1x4x5xf64>, tensor<f64>) -> tensor<1x4x6xf64>
    %cst_230 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %697 = "stablehlo.select_and_scatter"(%696, %685, %cst_230) <{padding = dense<0> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %1185 = stablehlo.compare GE, %arg3, %arg4, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %1185 : tensor<i1>
    }, {
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %1185 = stablehlo.add %arg3, %arg4 : tensor<f64>
      stablehlo.return %1185 : tensor<f64>
    }) : (tensor<1x4x6xf64>, tensor<1x4x5xf64>, tensor<f64>) -> tensor<1x4x6xf64>
    %698 = stablehlo.slice %697 [0:1, 0:4, 0:5] : (tensor<1x4x6xf64>) -> tensor<1x4x5xf64>
    %699 = stablehlo.add %565, %698 : tensor<1x4x5xf64>
    %700 = stablehlo.transpose %675, dims = [1, 0, 2, 3] : (tensor<1x2x4x5xf64>) -> tensor<2x1x4x5xf64>
    %701 = stablehlo.add %525, %700 : tensor<2x1x4x5xf64>
    %cst_231 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %702 = stablehlo.broadcast_in_dim %cst_231, dims = [] : (tensor<f64>) -> tensor<2x1x1x5xf64>
    %703 = stablehlo.dynamic_update_slice %701, %702, %404, %407, %410, %413 : (tensor<2x1x4x5xf64>, tensor<2x1x1x5xf64>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x4x5xf64>
    %704 = stablehlo.dynamic_slice %701, %404, %407, %410, %413, sizes = [2, 1, 1, 5] : (tensor<2x1x4x5xf64>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x1x5xf64>
    %705 = stablehlo.add %560, %703 : tensor<2x1x4x5xf64>
    %706 = stablehlo.reshape %704 : (tensor<2x1x1x5xf64>) -> tensor<10xf64>
    %cst_232 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %707 = stablehlo.pad %706, %cst_232, low = [0], high = [0], interior = [0] : (tensor<10xf64>, tensor<f64>) -> tensor<10xf64>
    %708 = stablehlo.slice %707 [0:1] : (tensor<10xf64>) -> tensor<1xf64>
    %709 = stablehlo.slice %707 [1:2] : (tensor<10xf64>) -> tensor<1xf64>
    %710 = stablehlo.slice %707 [2:3] : (tensor<10xf64>) -> tensor<1xf64>
    %711 = stablehlo.slice %707 [3:4] : (tensor<10xf64>) -> tensor<1xf64>
    %712 = stablehlo.slice %707 [4:5] : (tensor<10xf64>) -> tensor<1xf64>
    %713 = stablehlo.slice %707 [5:6] : (tensor<10xf64>) -> tensor<1xf64>
    %714 = stablehlo.slice %707 [6:7] : (tensor<10xf64>) -> tensor<1xf64>
    %715 = stablehlo.slice %707 [7:8] : (tensor<10xf64>) -> tensor<1xf64>
    %716 = stablehlo.slice %707 [8:9] : (tensor<10xf64>) -> tensor<1xf64>
    %717 = stablehlo.slice %707 [9:10] : (tensor<10xf64>) -> tensor<1xf64>
    %718 = stablehlo.add %708, %709 : tensor<1xf64>
    %719 = stablehlo.add %718, %710 : tensor<1xf64>
    %720 = stablehlo.add %719, %711 : tensor<1xf64>
    %721 = stablehlo.add %720, %712 : tensor<1xf64>
    %722 = stablehlo.add %721, %713 : tensor<1xf64>
    %723 = stablehlo.add %722, %714 : tensor<1xf64>
    %724 = stablehlo.add %723, %715 : tensor<1xf64>
    %725 = stablehlo.add %724, %716 : tensor<1xf64>
    %726 = stablehlo.add %725, %717 : tensor<1xf64>
    %727 = stablehlo.reshape %726 : (tensor<1xf64>) -> tensor<1x1xf64>
    %728 = stablehlo.add %695, %727 : tensor<1x1xf64>
    %cst_233 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %729 = stablehlo.broadcast_in_dim %cst_233, dims = [] : (tensor<f64>) -> tensor<2x1x4x5xf64>
    %730 = stablehlo.dynamic_update_slice %729, %530, %387, %390, %393, %396 : (tensor<2x1x4x5xf64>, tensor<2x1x1x5xf64>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x1x4x5xf64>
    %731 = stablehlo.add %705, %730 : tensor<2x1x4x5xf64>
    %cst_234 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %732 = stablehlo.broadcast_in_dim %cst_234, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %733 = stablehlo.select %376, %728, %732 : tensor<1x1xi1>, tensor<1x1xf64>
    %cst_235 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %734 = stablehlo.broadcast_in_dim %cst_235, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %735 = stablehlo.select %375, %728, %734 : tensor<1x1xi1>, tensor<1x1xf64>
    %736 = stablehlo.add %540, %735 : tensor<1x1xf64>
    %cst_236 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %737 = stablehlo.broadcast_in_dim %cst_236, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %738 = stablehlo.select %372, %728, %737 : tensor<1x1xi1>, tensor<1x1xf64>
    %739 = stablehlo.multiply %733, %368 : tensor<1x1xf64>
    %740 = stablehlo.multiply %733, %359 : tensor<1x1xf64>
    %741 = stablehlo.multiply %738, %349 : tensor<1x1xf64>
    %742 = stablehlo.add %739, %741 : tensor<1x1xf64>
    %743 = stablehlo.multiply %738, %340 : tensor<1x1xf64>
    %744 = stablehlo.add %740, %743 : tensor<1x1xf64>
    %745 = stablehlo.reshape %742 : (tensor<1x1xf64>) -> tensor<1xf64>
    %cst_237 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %746 = stablehlo.pad %745, %cst_237, low = [39], high = [0], interior = [0] : (tensor<1xf64>, tensor<f64>) -> tensor<40xf64>
    %747 = stablehlo.reshape %746 : (tensor<40xf64>) -> tensor<2x1x4x5xf64>
    %748 = stablehlo.add %731, %747 : tensor<2x1x4x5xf64>
    %749 = stablehlo.reshape %744 : (tensor<1x1xf64>) -> tensor<1xf64>
    %cst_238 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %750 = stablehlo.pad %749, %cst_238, low = [39], high = [0], interior = [0] : (tensor<1xf64>, tensor<f64>) -> tensor<40xf64>
    %751 = stablehlo.reshape %750 : (tensor<40xf64>) -> tensor<2x1x4x5xf64>
    %752 = stablehlo.add %748, %751 : tensor<2x1x4x5xf64>
    %cst_239 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %753 = stablehlo.pad %736, %cst_239, low = [0, 1], high = [0, 0], interior = [1, 1] : (tensor<1x1xf64>, tensor<f64>) -> tensor<1x2xf64>
    %754 = stablehlo.add %545, %753 : tensor<1x2xf64>
    %755 = stablehlo.reshape %754 : (tensor<1x2xf64>) -> tensor<1x2x1x1xf64>
    %756 = stablehlo.add %688, %755 : tensor<1x2x1x1xf64>
    %757 = stablehlo.multiply %550, %315 : tensor<4x1x2x1x1xf64>
    %758 = stablehlo.multiply %757, %313 : tensor<4x1x2x1x1xf64>
    %759 = stablehlo.add %757, %758 : tensor<4x1x2x1x1xf64>
    %cst_240 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %760 = stablehlo.broadcast_in_dim %cst_240, dims = [] : (tensor<f64>) -> tensor<4x1x2x1x1xf64>
    %761 = stablehlo.multiply %759, %760 : tensor<4x1x2x1x1xf64>
    %cst_241 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %762 = stablehlo.broadcast_in_dim %cst_241, dims = [] : (tensor<f64>) -> tensor<1x2x1x1xf64>
    %c_242 = stablehlo.constant dense<0> : tensor<i64>
    %763:6 = stablehlo.while(%iterArg = %761, %iterArg_282 = %310#5, %iterArg_283 = %310#6, %iterArg_284 = %c_242, %iterArg_285 = %762, %iterArg_286 = %756) : tensor<4x1x2x1x1xf64>, tensor<4x1x2x1x1xf64>, tensor<4x1x2x1x1xf64>, tensor<i64>, tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>
    cond {
      %c_287 = stablehlo.constant dense<4> : tensor<i64>
      %1185 = stablehlo.compare LT, %iterArg_284, %c_287, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %1185 : tensor<i1>
    } do {
      %c_287 = stablehlo.constant dense<4> : tensor<i64>
      %1185 = stablehlo.subtract %c_287, %iterArg_284 : tensor<i64>
      %c_288 = stablehlo.constant dense<1> : tensor<i64>
      %1186 = stablehlo.subtract %1185, %c_288 : tensor<i64>
      %1187 = func.call @dynamic_index_in_dim_6(%iterArg, %1186) : (tensor<4x1x2x1x1xf64>, tensor<i64>) -> tensor<1x2x1x1xf64>
      %1188 = func.call @dynamic_index_in_dim_6(%iterArg_282, %1186) : (tensor<4x1x2x1x1xf64>, tensor<i64>) -> tensor<1x2x1x1xf64>
      %1189 = func.call @dynamic_index_in_dim_6(%iterArg_283, %1186) : (tensor<4x1x2x1x1xf64>, tensor<i64>) -> tensor<1x2x1x1xf64>
      %1190:2 = func.call @closed_call_7(%iterArg_285, %iterArg_286, %1187, %1188, %1189) : (tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>) -> (tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>)
      %c_289 = stablehlo.constant dense<1> : tensor<i64>
      %1191 = stablehlo.add %iterArg_284, %c_289 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_282, %iterArg_283, %1191, %1190#0, %1190#1 : tensor<4x1x2x1x1xf64>, tensor<4x1x2x1x1xf64>, tensor<4x1x2x1x1xf64>, tensor<i64>, tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>
    }
    %764 = stablehlo.add %575, %763#4 : tensor<1x2x1x1xf64>
    %765 = stablehlo.add %764, %763#5 : tensor<1x2x1x1xf64>
    %766 = stablehlo.multiply %752, %305 : tensor<2x1x4x5xf64>
    %767 = stablehlo.multiply %766, %303 : tensor<2x1x4x5xf64>
    %768 = stablehlo.add %766, %767 : tensor<2x1x4x5xf64>
    %cst_243 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %769 = stablehlo.broadcast_in_dim %cst_243, dims = [] : (tensor<f64>) -> tensor<2x1x4x5xf64>
    %770 = stablehlo.multiply %768, %769 : tensor<2x1x4x5xf64>
    %cst_244 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %771 = stablehlo.broadcast_in_dim %cst_244, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %c_245 = stablehlo.constant dense<0> : tensor<i64>
    %772:6 = stablehlo.while(%iterArg = %770, %iterArg_282 = %300#5, %iterArg_283 = %300#6, %iterArg_284 = %c_245, %iterArg_285 = %771, %iterArg_286 = %699) : tensor<2x1x4x5xf64>, tensor<2x1x4x5xf64>, tensor<2x1x4x5xf64>, tensor<i64>, tensor<1x4x5xf64>, tensor<1x4x5xf64>
    cond {
      %c_287 = stablehlo.constant dense<2> : tensor<i64>
      %1185 = stablehlo.compare LT, %iterArg_284, %c_287, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %1185 : tensor<i1>
    } do {
      %c_287 = stablehlo.constant dense<2> : tensor<i64>
      %1185 = stablehlo.subtract %c_287, %iterArg_284 : tensor<i64>
      %c_288 = stablehlo.constant dense<1> : tensor<i64>
      %1186 = stablehlo.subtract %1185, %c_288 : tensor<i64>
      %1187 = func.call @dynamic_index_in_dim_8(%iterArg, %1186) : (tensor<2x1x4x5xf64>, tensor<i64>) -> tensor<1x4x5xf64>
      %1188 = func.call @dynamic_index_in_dim_8(%iterArg_282, %1186) : (tensor<2x1x4x5xf64>, tensor<i64>) -> tensor<1x4x5xf64>
      %1189 = func.call @dynamic_index_in_dim_8(%iterArg_283, %1186) : (tensor<2x1x4x5xf64>, tensor<i64>) -> tensor<1x4x5xf64>
      %1190:2 = func.call @closed_call_9(%iterArg_285, %iterArg_286, %1187, %1188, %1189) : (tensor<1x4x5xf64>, tensor<1x4x5xf64>, tensor<1x4x5xf64>, tensor<1x4x5xf64>, tensor<1x4x5xf64>) -> (tensor<1x4x5xf64>, tensor<1x4x5xf64>)
      %c_289 = stablehlo.constant dense<1> : tensor<i64>
      %1191 = stablehlo.add %iterArg_284, %c_289 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_282, %iterArg_283, %1191, %1190#0, %1190#1 : tensor<2x1x4x5xf64>, tensor<2x1x4x5xf64>, tensor<2x1x4x5xf64>, tensor<i64>, tensor<1x4x5xf64>, tensor<1x4x5xf64>
    }
    %773 = stablehlo.add %635, %772#4 : tensor<1x4x5xf64>
    %774 = stablehlo.add %645, %772#5 : tensor<1x4x5xf64>
    %cst_246 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %775 = stablehlo.broadcast_in_dim %cst_246, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %776 = stablehlo.select %295, %570, %775 : tensor<1x4x16xi1>, tensor<1x4x16xf64>
    %cst_247 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %777 = stablehlo.broadcast_in_dim %cst_247, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %778 = stablehlo.select %294, %570, %777 : tensor<1x4x16xi1>, tensor<1x4x16xf64>
    %779 = stablehlo.add %585, %778 : tensor<1x4x16xf64>
    %cst_248 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %780 = stablehlo.broadcast_in_dim %cst_248, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %781 = stablehlo.select %291, %570, %780 : tensor<1x4x16xi1>, tensor<1x4x16xf64>
    %782 = stablehlo.multiply %776, %287 : tensor<1x4x16xf64>
    %783 = stablehlo.add %779, %782 : tensor<1x4x16xf64>
    %784 = stablehlo.multiply %776, %278 : tensor<1x4x16xf64>
    %785 = stablehlo.multiply %781, %268 : tensor<1x4x16xf64>
    %786 = stablehlo.add %783, %785 : tensor<1x4x16xf64>
    %787 = stablehlo.multiply %781, %259 : tensor<1x4x16xf64>
    %788 = stablehlo.add %784, %787 : tensor<1x4x16xf64>
    %789 = stablehlo.reshape %788 : (tensor<1x4x16xf64>) -> tensor<64xf64>
    %cst_249 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %790 = stablehlo.pad %789, %cst_249, low = [0], high = [0], interior = [0] : (tensor<64xf64>, tensor<f64>) -> tensor<64xf64>
    %791 = stablehlo.slice %790 [0:2] : (tensor<64xf64>) -> tensor<2xf64>
    %792 = stablehlo.slice %790 [2:4] : (tensor<64xf64>) -> tensor<2xf64>
    %793 = stablehlo.slice %790 [4:6] : (tensor<64xf64>) -> tensor<2xf64>
    %794 = stablehlo.slice %790 [6:8] : (tensor<64xf64>) -> tensor<2xf64>
    %795 = stablehlo.slice %790 [8:10] : (tensor<64xf64>) -> tensor<2xf64>
    %796 = stablehlo.slice %790 [10:12] : (tensor<64xf64>) -> tensor<2xf64>
    %797 = stablehlo.slice %790 [12:14] : (tensor<64xf64>) -> tensor<2xf64>
    %798 = stablehlo.slice %790 [14:16] : (tensor<64xf64>) -> tensor<2xf64>
    %799 = stablehlo.slice %790 [16:18] : (tensor<64xf64>) -> tensor<2xf64>
    %800 = stablehlo.slice %790 [18:20] : (tensor<64xf64>) -> tensor<2xf64>
    %801 = stablehlo.slice %790 [20:22] : (tensor<64xf64>) -> tensor<2xf64>
    %802 = stablehlo.slice %790 [22:24] : (tensor<64xf64>) -> tensor<2xf64>
    %803 = stablehlo.slice %790 [24:26] : (tensor<64xf64>) -> tensor<2xf64>
    %804 = stablehlo.slice %790 [26:28] : (tensor<64xf64>) -> tensor<2xf64>
    %805 = stablehlo.slice %790 [28:30] : (tensor<64xf64>) -> tensor<2xf64>
    %806 = stablehlo.slice %790 [30:32] : (tensor<64xf64>) -> tensor<2xf64>
    %807 = stablehlo.slice %790 [32:34] : (tensor<64xf64>) -> tensor<2xf64>
    %808 = stablehlo.slice %790 [34:36] : (tensor<64xf64>) -> tensor<2xf64>
    %809 = stablehlo.slice %790 [36:38] : (tensor<64xf64>) -> tensor<2xf64>
    %810 = stablehlo.slice %790 [38:40] : (tensor<64xf64>) -> tensor<2xf64>
    %811 = stablehlo.slice %790 [40:42] : (tensor<64xf64>) -> tensor<2xf64>
    %812 = stablehlo.slice %790 [42:44] : (tensor<64xf64>) -> tensor<2xf64>
    %813 = stablehlo.slice %790 [44:46] : (tensor<64xf64>) -> tensor<2xf64>
    %814 = stablehlo.slice %790 [46:48] : (tensor<64xf64>) -> tensor<2xf64>
    %815 = stablehlo.slice %790 [48:50] : (tensor<64xf64>) -> tensor<2xf64>
    %816 = stablehlo.slice %790 [50:52] : (tensor<64xf64>) -> tensor<2xf64>
    %817 = stablehlo.slice %790 [52:54] : (tensor<64xf64>) -> tensor<2xf64>
    %818 = stablehlo.slice %790 [54:56] : (tensor<64xf64>) -> tensor<2xf64>
    %819 = stablehlo.slice %790 [56:58] : (tensor<64xf64>) -> tensor<2xf64>
    %820 = stablehlo.slice %790 [58:60] : (tensor<64xf64>) -> tensor<2xf64>
    %821 = stablehlo.slice %790 [60:62] : (tensor<64xf64>) -> tensor<2xf64>
    %822 = stablehlo.slice %790 [62:64] : (tensor<64xf64>) -> tensor<2xf64>
    %823 = stablehlo.add %791, %792 : tensor<2xf64>
    %824 = stablehlo.add %823, %793 : tensor<2xf64>
    %825 = stablehlo.add %824, %794 : tensor<2xf64>
    %826 = stablehlo.add %825, %795 : tensor<2xf64>
    %827 = stablehlo.add %826, %796 : tensor<2xf64>
    %828 = stablehlo.add %827, %797 : tensor<2xf64>
    %829 = stablehlo.add %828, %798 : tensor<2xf64>
    %830 = stablehlo.add %829, %799 : tensor<2xf64>
    %831 = stablehlo.add %830, %800 : tensor<2xf64>
    %832 = stablehlo.add %831, %801 : tensor<2xf64>
    %833 = stablehlo.add %832, %802 : tensor<2xf64>
    %834 = stablehlo.add %833, %803 : tensor<2xf64>
    %835 = stablehlo.add %834, %804 : tensor<2xf64>
    %836 = stablehlo.add %835, %805 : tensor<2xf64>
    %837 = stablehlo.add %836, %806 : tensor<2xf64>
    %838 = stablehlo.add %837, %807 : tensor<2xf64>
    %839 = stablehlo.add %838, %808 : tensor<2xf64>
    %840 = stablehlo.add %839, %809 : tensor<2xf64>
    %841 = stablehlo.add %840, %810 : tensor<2xf64>
    %842 = stablehlo.add %841, %811 : tensor<2xf64>
    %843 = stablehlo.add %842, %812 : tensor<2xf64>
    %844 = stablehlo.add %843, %813 : tensor<2xf64>
    %845 = stablehlo.add %844, %814 : tensor<2xf64>
    %846 = stablehlo.add %845, %815 : tensor<2xf64>
    %847 = stablehlo.add %846, %816 : tensor<2xf64>
    %848 = stablehlo.add %847, %817 : tensor<2xf64>
    %849 = stablehlo.add %848, %818 : tensor<2xf64>
    %850 = stablehlo.add %849, %819 : tensor<2xf64>
    %851 = stablehlo.add %850, %820 : tensor<2xf64>
    %852 = stablehlo.add %851, %821 : tensor<2xf64>
    %853 = stablehlo.add %852, %822 : tensor<2xf64>
    %854 = stablehlo.reshape %853 : (tensor<2xf64>) -> tensor<1x2x1xf64>
    %855 = stablehlo.add %590, %854 : tensor<1x2x1xf64>
    %856 = stablehlo.multiply %765, %243 : tensor<1x2x1x1xf64>
    %857 = stablehlo.multiply %856, %241 : tensor<1x2x1x1xf64>
    %858 = stablehlo.add %856, %857 : tensor<1x2x1x1xf64>
    %cst_250 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %859 = stablehlo.broadcast_in_dim %cst_250, dims = [] : (tensor<f64>) -> tensor<1x2x1x1xf64>
    %860 = stablehlo.multiply %858, %859 : tensor<1x2x1x1xf64>
    %861 = call @cumsum_10(%860) : (tensor<1x2x1x1xf64>) -> tensor<1x2x1x1xf64>
    %862 = stablehlo.add %580, %861 : tensor<1x2x1x1xf64>
    %cst_251 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %863 = stablehlo.reduce(%862 init: %cst_251) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<1x2x1x1xf64>, tensor<f64>) -> tensor<2xf64>
    %864 = stablehlo.broadcast_in_dim %863, dims = [1] : (tensor<2xf64>) -> tensor<1x2x1xf64>
    %865 = stablehlo.add %595, %864 : tensor<1x2x1xf64>
    %866 = stablehlo.multiply %786, %236 : tensor<1x4x16xf64>
    %867 = stablehlo.multiply %866, %234 : tensor<1x4x16xf64>
    %868 = stablehlo.add %866, %867 : tensor<1x4x16xf64>
    %cst_252 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %869 = stablehlo.broadcast_in_dim %cst_252, dims = [] : (tensor<f64>) -> tensor<1x4x16xf64>
    %870 = stablehlo.multiply %868, %869 : tensor<1x4x16xf64>
    %871 = stablehlo.dot_general %870, %5, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x4x16xf64>, tensor<1x4x5xf64>) -> tensor<1x16x5xf64>
    %872 = stablehlo.transpose %871, dims = [0, 2, 1] : (tensor<1x16x5xf64>) -> tensor<1x5x16xf64>
    %873 = stablehlo.dot_general %870, %230, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x4x16xf64>, tensor<1x5x16xf64>) -> tensor<1x4x5xf64>
    %874 = stablehlo.add %774, %873 : tensor<1x4x5xf64>
    %875 = stablehlo.reshape %872 : (tensor<1x5x16xf64>) -> tensor<80xf64>
    %cst_253 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %876 = stablehlo.pad %875, %cst_253, low = [0], high = [0], interior = [0] : (tensor<80xf64>, tensor<f64>) -> tensor<80xf64>
    %877 = stablehlo.slice %876 [0:1] : (tensor<80xf64>) -> tensor<1xf64>
    %878 = stablehlo.slice %876 [1:2] : (tensor<80xf64>) -> tensor<1xf64>
    %879 = stablehlo.slice %876 [2:3] : (tensor<80xf64>) -> tensor<1xf64>
    %880 = stablehlo.slice %876 [3:4] : (tensor<80xf64>) -> tensor<1xf64>
    %881 = stablehlo.slice %876 [4:5] : (tensor<80xf64>) -> tensor<1xf64>
    %882 = stablehlo.slice %876 [5:6] : (tensor<80xf64>) -> tensor<1xf64>
    %883 = stablehlo.slice %876 [6:7] : (tensor<80xf64>) -> tensor<1xf64>
    %884 = stablehlo.slice %876 [7:8] : (tensor<80xf64>) -> tensor<1xf64>
    %885 = stablehlo.slice %876 [8:9] : (tensor<80xf64>) -> tensor<1xf64>
    %886 = stablehlo.slice %876 [9:10] : (tensor<80xf64>) -> tensor<1xf64>
    %887 = stablehlo.slice %876 [10:11] : (tensor<80xf64>) -> tensor<1xf64>
    %888 = stablehlo.slice %876 [11:12] : (tensor<80xf64>) -> tensor<1xf64>
    %889 = stablehlo.slice %876 [12:13] : (tensor<80xf64>) -> tensor<1xf64>
    %890 = stablehlo.slice %876 [13:14] : (tensor<80xf64>) -> tensor<1xf64>
    %891 = stablehlo.slice %876 [14:15] : (tensor<80xf64>) -> tensor<1xf64>
    %892 = stablehlo.slice %876 [15:16] : (tensor<80xf64>) -> tensor<1xf64>
    %893 = stablehlo.slice %876 [16:17] : (tensor<80xf64>) -> tensor<1xf64>
    %894 = stablehlo.slice %876 [17:18] : (tensor<80xf64>) -> tensor<1xf64>
    %895 = stablehlo.slice %876 [18:19] : (tensor<80xf64>) -> tensor<1xf64>
    %896 = stablehlo.slice %876 [19:20] : (tensor<80xf64>) -> tensor<1xf64>
    %897 = stablehlo.slice %876 [20:21] : (tensor<80xf64>) -> tensor<1xf64>
    %898 = stablehlo.slice %876 [21:22] : (tensor<80xf64>) -> tensor<1xf64>
    %899 = stablehlo.slice %876 [22:23] : (tensor<80xf64>) -> tensor<1xf64>
    %900 = stablehlo.slice %876 [23:24] : (tensor<80xf64>) -> tensor<1xf64>
    %901 = stablehlo.slice %876 [24:25] : (tensor<80xf64>) -> tensor<1xf64>
    %902 = stablehlo.slice %876 [25:26] : (tensor<80xf64>) -> tensor<1xf64>
    %903 = stablehlo.slice %876 [26:27] : (tensor<80xf64>) -> tensor<1xf64>
    %904 = stablehlo.slice %876 [27:28] : (tensor<80xf64>) -> tensor<1xf64>
    %905 = stablehlo.slice %876 [28:29] : (tensor<80xf64>) -> tensor<1xf64>
    %906 = stablehlo.slice %876 [29:30] : (tensor<80xf64>) -> tensor<1xf64>
    %907 = stablehlo.slice %876 [30:31] : (tensor<80xf64>) -> tensor<1xf64>
    %908 = stablehlo.slice %876 [31:32] : (tensor<80xf64>) -> tensor<1xf64>
    %909 = stablehlo.slice %876 [32:33] : (tensor<80xf64>) -> tensor<1xf64>
    %910 = stablehlo.slice %876 [33:34] : (tensor<80xf64>) -> tensor<1xf64>
    %911 = stablehlo.slice %876 [34:35] : (tensor<80xf64>) -> tensor<1xf64>
    %912 = stablehlo.slice %876 [35:36] : (tensor<80xf64>) -> tensor<1xf64>
    %913 = stablehlo.slice %876 [36:37] : (tensor<80xf64>) -> tensor<1xf64>
    %914 = stablehlo.slice %876 [37:38] : (tensor<80xf64>) -> tensor<1xf64>
    %915 = stablehlo.slice %876 [38:39] : (tensor<80xf64>) -> tensor<1xf64>
    %916 = stablehlo.slice %876 [39:40] : (tensor<80xf64>) -> tensor<1xf64>
    %917 = stablehlo.slice %876 [40:41] : (tensor<80xf64>) -> tensor<1xf64>
    %918 = stablehlo.slice %876 [41:42] : (tensor<80xf64>) -> tensor<1xf64>
    %919 = stablehlo.slice %876 [42:43] : (tensor<80xf64>) -> tensor<1xf64>
    %920 = stablehlo.slice %876 [43:44] : (tensor<80xf64>) -> tensor<1xf64>
    %921 = stablehlo.slice %876 [44:45] : (tensor<80xf64>) -> tensor<1xf64>
    %922 = stablehlo.slice %876 [45:46] : (tensor<80xf64>) -> tensor<1xf64>
    %923 = stablehlo.slice %876 [46:47] : (tensor<80xf64>) -> tensor<1xf64>
    %924 = stablehlo.slice %876 [47:48] : (tensor<80xf64>) -> tensor<1xf64>
    %925 = stablehlo.slice %876 [48:49] : (tensor<80xf64>) -> tensor<1xf64>
    %926 = stablehlo.slice %876 [49:50] : (tensor<80xf64>) -> tensor<1xf64>
    %927 = stablehlo.slice %876 [50:51] : (tensor<80xf64>) -> tensor<1xf64>
    %928 = stablehlo.slice %876 [51:52] : (tensor<80xf64>) -> tensor<1xf64>
    %929 = stablehlo.slice %876 [52:53] : (tensor<80xf64>) -> tensor<1xf64>
    %930 = stablehlo.slice %876 [53:54] : (tensor<80xf64>) -> tensor<1xf64>
    %931 = stablehlo.slice %876 [54:55] : (tensor<80xf64>) -> tensor<1xf64>
    %932 = stablehlo.slice %876 [55:56] : (tensor<80xf64>) -> tensor<1xf64>
    %933 = stablehlo.slice %876 [56:57] : (tensor<80xf64>) -> tensor<1xf64>
    %934 = stablehlo.slice %876 [57:58] : (tensor<80xf64>) -> tensor<1xf64>
    %935 = stablehlo.slice %876 [58:59] : (tensor<80xf64>) -> tensor<1xf64>
    %936 = stablehlo.slice %876 [59:60] : (tensor<80xf64>) -> tensor<1xf64>
    %937 = stablehlo.slice %876 [60:61] : (tensor<80xf64>) -> tensor<1xf64>
    %938 = stablehlo.slice %876 [61:62] : (tensor<80xf64>) -> tensor<1xf64>
    %939 = stablehlo.slice %876 [62:63] : (tensor<80xf64>) -> tensor<1xf64>
    %940 = stablehlo.slice %876 [63:64] : (tensor<80xf64>) -> tensor<1xf64>
    %941 = stablehlo.slice %876 [64:65] : (tensor<80xf64>) -> tensor<1xf64>
    %942 = stablehlo.slice %876 [65:66] : (tensor<80xf64>) -> tensor<1xf64>
    %943 = stablehlo.slice %876 [66:67] : (tensor<80xf64>) -> tensor<1xf64>
    %944 = stablehlo.slice %876 [67:68] : (tensor<80xf64>) -> tensor<1xf64>
    %945 = stablehlo.slice %876 [68:69] : (tensor<80xf64>) -> tensor<1xf64>
    %946 = stablehlo.slice %876 [69:70] : (tensor<80xf64>) -> tensor<1xf64>
    %947 = stablehlo.slice %876 [70:71] : (tensor<80xf64>) -> tensor<1xf64>
    %948 = stablehlo.slice %876 [71:72] : (tensor<80xf64>) -> tensor<1xf64>
    %949 = stablehlo.slice %876 [72:73] : (tensor<80xf64>) -> tensor<1xf64>
    %950 = stablehlo.slice %876 [73:74] : (tensor<80xf64>) -> tensor<1xf64>
    %951 = stablehlo.slice %876 [74:75] : (tensor<80xf64>) -> tensor<1xf64>
    %952 = stablehlo.slice %876 [75:76] : (tensor<80xf64>) -> tensor<1xf64>
    %953 = stablehlo.slice %876 [76:77] : (tensor<80xf64>) -> tensor<1xf64>
    %954 = stablehlo.slice %876 [77:78] : (tensor<80xf64>) -> tensor<1xf64>
    %955 = stablehlo.slice %876 [78:79] : (tensor<80xf64>) -> tensor<1xf64>
    %956 = stablehlo.slice %876 [79:80] : (tensor<80xf64>) -> tensor<1xf64>
    %957 = stablehlo.add %877, %878 : tensor<1xf64>
    %958 = stablehlo.add %957, %879 : tensor<1xf64>
    %959 = stablehlo.add %958, %880 : tensor<1xf64>
    %960 = stablehlo.add %959, %881 : tensor<1xf64>
    %961 = stablehlo.add %960, %882 : tensor<1xf64>
    %962 = stablehlo.add %961, %883 : tensor<1xf64>
    %963 = stablehlo.add %962, %884 : tensor<1xf64>
    %964 = stablehlo.add %963, %885 : tensor<1xf64>
    %965 = stablehlo.add %964, %886 : tensor<1xf64>
    %966 = stablehlo.add %965, %887 : tensor<1xf64>
    %967 = stablehlo.add %966, %888 : tensor<1xf64>
    %968 = stablehlo.add %967, %889 : tensor<1xf64>
    %969 = stablehlo.add %968, %890 : tensor<1xf64>
    %970 = stablehlo.add %969, %891 : tensor<1xf64>
    %971 = stablehlo.add %970, %892 : tensor<1xf64>
    %972 = stablehlo.add %971, %893 : tensor<1xf64>
    %973 = stablehlo.add %972, %894 : tensor<1xf64>
    %974 = stablehlo.add %973, %895 : tensor<1xf64>
    %975 = stablehlo.add %974, %896 : tensor<1xf64>
    %976 = stablehlo.add %975, %897 : tensor<1xf64>
    %977 = stablehlo.add %976, %898 : tensor<1xf64>
    %978 = stablehlo.add %977, %899 : tensor<1xf64>
    %979 = stablehlo.add %978, %900 : tensor<1xf64>
    %980 = stablehlo.add %979, %901 : tensor<1xf64>
    %981 = stablehlo.add %980, %902 : tensor<1xf64>
    %982 = stablehlo.add %981, %903 : tensor<1xf64>
    %983 = stablehlo.add %982, %904 : tensor<1xf64>
    %984 = stablehlo.add %983, %905 : tensor<1xf64>
    %985 = stablehlo.add %984, %906 : tensor<1xf64>
    %986 = stablehlo.add %985, %907 : tensor<1xf64>
    %987 = stablehlo.add %986, %908 : tensor<1xf64>
    %988 = stablehlo.add %987, %909 : tensor<1xf64>
    %989 = stablehlo.add %988, %910 : tensor<1xf64>
    %990 = stablehlo.add %989, %911 : tensor<1xf64>
    %991 = stablehlo.add %990, %912 : tensor<1xf64>
    %992 = stablehlo.add %991, %913 : tensor<1xf64>
    %993 = stablehlo.add %992, %914 : tensor<1xf64>
    %994 = stablehlo.add %993, %915 : tensor<1xf64>
    %995 = stablehlo.add %994, %916 : tensor<1xf64>
    %996 = stablehlo.add %995, %917 : tensor<1xf64>
    %997 = stablehlo.add %996, %918 : tensor<1xf64>
    %998 = stablehlo.add %997, %919 : tensor<1xf64>
    %999 = stablehlo.add %998, %920 : tensor<1xf64>
    %1000 = stablehlo.add %999, %921 : tensor<1xf64>
    %1001 = stablehlo.add %1000, %922 : tensor<1xf64>
    %1002 = stablehlo.add %1001, %923 : tensor<1xf64>
    %1003 = stablehlo.add %1002, %924 : tensor<1xf64>
    %1004 = stablehlo.add %1003, %925 : tensor<1xf64>
    %1005 = stablehlo.add %1004, %926 : tensor<1xf64>
    %1006 = stablehlo.add %1005, %927 : tensor<1xf64>
    %1007 = stablehlo.add %1006, %928 : tensor<1xf64>
    %1008 = stablehlo.add %1007, %929 : tensor<1xf64>
    %1009 = stablehlo.add %1008, %930 : tensor<1xf64>
    %1010 = stablehlo.add %1009, %931 : tensor<1xf64>
    %1011 = stablehlo.add %1010, %932 : tensor<1xf64>
    %1012 = stablehlo.add %1011, %933 : tensor<1xf64>
    %1013 = stablehlo.add %1012, %934 : tensor<1xf64>
    %1014 = stablehlo.add %1013, %935 : tensor<1xf64>
    %1015 = stablehlo.add %1014, %936 : tensor<1xf64>
    %1016 = stablehlo.add %1015, %937 : tensor<1xf64>
    %1017 = stablehlo.add %1016, %938 : tensor<1xf64>
    %1018 = stablehlo.add %1017, %939 : tensor<1xf64>
    %1019 = stablehlo.add %1018, %940 : tensor<1xf64>
    %1020 = stablehlo.add %1019, %941 : tensor<1xf64>
    %1021 = stablehlo.add %1020, %942 : tensor<1xf64>
    %1022 = stablehlo.add %1021, %943 : tensor<1xf64>
    %1023 = stablehlo.add %1022, %944 : tensor<1xf64>
    %1024 = stablehlo.add %1023, %945 : tensor<1xf64>
    %1025 = stablehlo.add %1024, %946 : tensor<1xf64>
    %1026 = stablehlo.add %1025, %947 : tensor<1xf64>
    %1027 = stablehlo.add %1026, %948 : tensor<1xf64>
    %1028 = stablehlo.add %1027, %949 : tensor<1xf64>
    %1029 = stablehlo.add %1028, %950 : tensor<1xf64>
    %1030 = stablehlo.add %1029, %951 : tensor<1xf64>
    %1031 = stablehlo.add %1030, %952 : tensor<1xf64>
    %1032 = stablehlo.add %1031, %953 : tensor<1xf64>
    %1033 = stablehlo.add %1032, %954 : tensor<1xf64>
    %1034 = stablehlo.add %1033, %955 : tensor<1xf64>
    %1035 = stablehlo.add %1034, %956 : tensor<1xf64>
    %1036 = stablehlo.reshape %1035 : (tensor<1xf64>) -> tensor<1x1x1xf64>
    %1037 = stablehlo.add %600, %1036 : tensor<1x1x1xf64>
    %cst_254 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1038 = stablehlo.pad %855, %cst_254, low = [0, 0, 4], high = [0, 2, 0], interior = [1, 0, 1] : (tensor<1x2x1xf64>, tensor<f64>) -> tensor<1x4x5xf64>
    %1039 = stablehlo.add %620, %1038 : tensor<1x4x5xf64>
    %1040 = stablehlo.slice %865 [0:1, 0:1, 0:1] : (tensor<1x2x1xf64>) -> tensor<1x1x1xf64>
    %1041 = stablehlo.slice %865 [0:1, 1:2, 0:1] : (tensor<1x2x1xf64>) -> tensor<1x1x1xf64>
    %1042 = stablehlo.add %625, %1040 : tensor<1x1x1xf64>
    %1043 = stablehlo.reshape %1041 : (tensor<1x1x1xf64>) -> tensor<1xf64>
    %cst_255 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1044 = stablehlo.pad %1043, %cst_255, low = [0], high = [0], interior = [0] : (tensor<1xf64>, tensor<f64>) -> tensor<1xf64>
    %1045 = stablehlo.reshape %1044 : (tensor<1xf64>) -> tensor<1x1x1xf64>
    %1046 = stablehlo.add %1037, %1045 : tensor<1x1x1xf64>
    %cst_256 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1047 = stablehlo.broadcast_in_dim %cst_256, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %1048 = stablehlo.select %216, %1046, %1047 : tensor<1x1x1xi1>, tensor<1x1x1xf64>
    %cst_257 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1049 = stablehlo.broadcast_in_dim %cst_257, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %1050 = stablehlo.select %215, %1046, %1049 : tensor<1x1x1xi1>, tensor<1x1x1xf64>
    %1051 = stablehlo.add %630, %1050 : tensor<1x1x1xf64>
    %cst_258 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1052 = stablehlo.broadcast_in_dim %cst_258, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %1053 = stablehlo.select %212, %1046, %1052 : tensor<1x1x1xi1>, tensor<1x1x1xf64>
    %1054 = stablehlo.multiply %1048, %208 : tensor<1x1x1xf64>
    %1055 = stablehlo.multiply %1048, %199 : tensor<1x1x1xf64>
    %1056 = stablehlo.add %1042, %1055 : tensor<1x1x1xf64>
    %1057 = stablehlo.multiply %1053, %189 : tensor<1x1x1xf64>
    %1058 = stablehlo.add %1054, %1057 : tensor<1x1x1xf64>
    %1059 = stablehlo.multiply %1053, %180 : tensor<1x1x1xf64>
    %1060 = stablehlo.add %1056, %1059 : tensor<1x1x1xf64>
    %1061 = stablehlo.reshape %1058 : (tensor<1x1x1xf64>) -> tensor<1xf64>
    %cst_259 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1062 = stablehlo.pad %1061, %cst_259, low = [111], high = [0], interior = [0] : (tensor<1xf64>, tensor<f64>) -> tensor<112xf64>
    %1063 = stablehlo.reshape %1062 : (tensor<112xf64>) -> tensor<1x7x16xf64>
    %1064 = stablehlo.add %605, %1063 : tensor<1x7x16xf64>
    %1065 = stablehlo.multiply %1064, %167 : tensor<1x7x16xf64>
    %1066 = stablehlo.multiply %1065, %165 : tensor<1x7x16xf64>
    %1067 = stablehlo.add %1065, %1066 : tensor<1x7x16xf64>
    %cst_260 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %1068 = stablehlo.broadcast_in_dim %cst_260, dims = [] : (tensor<f64>) -> tensor<1x7x16xf64>
    %1069 = stablehlo.multiply %1067, %1068 : tensor<1x7x16xf64>
    %1070 = stablehlo.dot_general %1069, %11, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x7x16xf64>, tensor<1x7x2xf64>) -> tensor<1x16x2xf64>
    %1071 = stablehlo.transpose %1070, dims = [0, 2, 1] : (tensor<1x16x2xf64>) -> tensor<1x2x16xf64>
    %1072 = stablehlo.dot_general %1069, %161, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x7x16xf64>, tensor<1x2x16xf64>) -> tensor<1x7x2xf64>
    %1073 = stablehlo.add %640, %1072 : tensor<1x7x2xf64>
    %1074 = stablehlo.reshape %1071 : (tensor<1x2x16xf64>) -> tensor<32xf64>
    %cst_261 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1075 = stablehlo.pad %1074, %cst_261, low = [0], high = [8], interior = [0] : (tensor<32xf64>, tensor<f64>) -> tensor<40xf64>
    %1076 = stablehlo.slice %1075 [0:20] : (tensor<40xf64>) -> tensor<20xf64>
    %1077 = stablehlo.slice %1075 [20:40] : (tensor<40xf64>) -> tensor<20xf64>
    %1078 = stablehlo.add %1076, %1077 : tensor<20xf64>
    %1079 = stablehlo.reshape %1078 : (tensor<20xf64>) -> tensor<1x4x5xf64>
    %1080 = stablehlo.add %1039, %1079 : tensor<1x4x5xf64>
    %1081 = stablehlo.multiply %610, %157 : tensor<1xf64>
    %1082 = stablehlo.multiply %1081, %155 : tensor<1xf64>
    %1083 = stablehlo.add %1081, %1082 : tensor<1xf64>
    %cst_262 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %1084 = stablehlo.broadcast_in_dim %cst_262, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %1085 = stablehlo.multiply %1083, %1084 : tensor<1xf64>
    %1086 = stablehlo.multiply %arg2, %1085 : tensor<1xf64>
    %1087 = stablehlo.multiply %1085, %arg2 : tensor<1xf64>
    %1088 = stablehlo.add %1086, %1087 : tensor<1xf64>
    %1089 = stablehlo.multiply %615, %151 : tensor<1x4x7xf64>
    %1090 = stablehlo.multiply %1089, %149 : tensor<1x4x7xf64>
    %1091 = stablehlo.add %1089, %1090 : tensor<1x4x7xf64>
    %cst_263 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %1092 = stablehlo.broadcast_in_dim %cst_263, dims = [] : (tensor<f64>) -> tensor<1x4x7xf64>
    %1093 = stablehlo.multiply %1091, %1092 : tensor<1x4x7xf64>
    %1094 = stablehlo.dot_general %1093, %37, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x4x7xf64>, tensor<1x4x5xf64>) -> tensor<1x7x5xf64>
    %1095 = stablehlo.transpose %1094, dims = [0, 2, 1] : (tensor<1x7x5xf64>) -> tensor<1x5x7xf64>
    %1096 = stablehlo.dot_general %1093, %145, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x4x7xf64>, tensor<1x5x7xf64>) -> tensor<1x4x5xf64>
    %1097 = stablehlo.add %773, %1096 : tensor<1x4x5xf64>
    %1098 = stablehlo.reshape %1095 : (tensor<1x5x7xf64>) -> tensor<35xf64>
    %cst_264 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1099 = stablehlo.pad %1098, %cst_264, low = [0], high = [5], interior = [0] : (tensor<35xf64>, tensor<f64>) -> tensor<40xf64>
    %1100 = stablehlo.slice %1099 [0:20] : (tensor<40xf64>) -> tensor<20xf64>
    %1101 = stablehlo.slice %1099 [20:40] : (tensor<40xf64>) -> tensor<20xf64>
    %1102 = stablehlo.add %1100, %1101 : tensor<20xf64>
    %1103 = stablehlo.reshape %1102 : (tensor<20xf64>) -> tensor<1x4x5xf64>
    %1104 = stablehlo.add %874, %1103 : tensor<1x4x5xf64>
    %cst_265 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1105 = stablehlo.broadcast_in_dim %cst_265, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %1106 = stablehlo.select %141, %1080, %1105 : tensor<1x4x5xi1>, tensor<1x4x5xf64>
    %cst_266 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1107 = stablehlo.broadcast_in_dim %cst_266, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %1108 = stablehlo.select %140, %1080, %1107 : tensor<1x4x5xi1>, tensor<1x4x5xf64>
    %1109 = stablehlo.add %1097, %1108 : tensor<1x4x5xf64>
    %cst_267 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1110 = stablehlo.broadcast_in_dim %cst_267, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %1111 = stablehlo.select %137, %1080, %1110 : tensor<1x4x5xi1>, tensor<1x4x5xf64>
    %1112 = stablehlo.multiply %1106, %133 : tensor<1x4x5xf64>
    %1113 = stablehlo.add %1109, %1112 : tensor<1x4x5xf64>
    %1114 = stablehlo.multiply %1106, %124 : tensor<1x4x5xf64>
    %1115 = stablehlo.multiply %1111, %114 : tensor<1x4x5xf64>
    %1116 = stablehlo.add %1113, %1115 : tensor<1x4x5xf64>
    %1117 = stablehlo.multiply %1111, %105 : tensor<1x4x5xf64>
    %1118 = stablehlo.add %1114, %1117 : tensor<1x4x5xf64>
    %1119 = stablehlo.reshape %1118 : (tensor<1x4x5xf64>) -> tensor<20xf64>
    %cst_268 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1120 = stablehlo.pad %1119, %cst_268, low = [0], high = [8], interior = [0] : (tensor<20xf64>, tensor<f64>) -> tensor<28xf64>
    %1121 = stablehlo.slice %1120 [0:14] : (tensor<28xf64>) -> tensor<14xf64>
    %1122 = stablehlo.slice %1120 [14:28] : (tensor<28xf64>) -> tensor<14xf64>
    %1123 = stablehlo.add %1121, %1122 : tensor<14xf64>
    %1124 = stablehlo.reshape %1123 : (tensor<14xf64>) -> tensor<1x7x2xf64>
    %1125 = stablehlo.add %1073, %1124 : tensor<1x7x2xf64>
    %1126 = stablehlo.multiply %1060, %88 : tensor<1x1x1xf64>
    %1127 = stablehlo.multiply %1126, %86 : tensor<1x1x1xf64>
    %1128 = stablehlo.add %1126, %1127 : tensor<1x1x1xf64>
    %cst_269 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %1129 = stablehlo.broadcast_in_dim %cst_269, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %1130 = stablehlo.multiply %1128, %1129 : tensor<1x1x1xf64>
    %c_270 = stablehlo.constant dense<0> : tensor<1xi32>
    %c_271 = stablehlo.constant dense<0> : tensor<i32>
    %1131 = stablehlo.broadcast_in_dim %c_271, dims = [] : (tensor<i32>) -> tensor<2x1xi32>
    %1132 = stablehlo.compare GE, %50, %1131, SIGNED : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi1>
    %1133 = stablehlo.broadcast_in_dim %c_270, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %1134 = stablehlo.broadcast_in_dim %1133, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<2x1xi32>
    %1135 = stablehlo.compare LE, %50, %1134, SIGNED : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi1>
    %1136 = stablehlo.and %1132, %1135 : tensor<2x1xi1>
    %c_272 = stablehlo.constant dense<true> : tensor<i1>
    %1137 = stablehlo.reduce(%1136 init: %c_272) applies stablehlo.and across dimensions = [1] : (tensor<2x1xi1>, tensor<i1>) -> tensor<2xi1>
    %1138 = "stablehlo.gather"(%1130, %50) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<1x1x1xf64>, tensor<2x1xi32>) -> tensor<2x1x1xf64>
    %1139 = stablehlo.broadcast_in_dim %1137, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %cst_273 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1140 = stablehlo.broadcast_in_dim %cst_273, dims = [] : (tensor<f64>) -> tensor<2x1x1xf64>
    %1141 = stablehlo.select %1139, %1138, %1140 : tensor<2x1x1xi1>, tensor<2x1x1xf64>
    %1142 = stablehlo.add %1051, %1130 : tensor<1x1x1xf64>
    %1143 = stablehlo.multiply %1141, %74 : tensor<2x1x1xf64>
    %1144 = stablehlo.multiply %1141, %83 : tensor<2x1x1xf64>
    %cst_274 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1145 = stablehlo.broadcast_in_dim %cst_274, dims = [] : (tensor<f64>) -> tensor<1x1x1xf64>
    %1146 = "stablehlo.scatter"(%1145, %50, %1144) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %1185 = stablehlo.add %arg3, %arg4 : tensor<f64>
      stablehlo.return %1185 : tensor<f64>
    }) : (tensor<1x1x1xf64>, tensor<2x1xi32>, tensor<2x1x1xf64>) -> tensor<1x1x1xf64>
    %1147 = stablehlo.add %1142, %1146 : tensor<1x1x1xf64>
    %1148 = stablehlo.reshape %1143 : (tensor<2x1x1xf64>) -> tensor<2xf64>
    %cst_275 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1149 = stablehlo.pad %1148, %cst_275, low = [0], high = [0], interior = [0] : (tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
    %1150 = stablehlo.slice %1149 [0:1] : (tensor<2xf64>) -> tensor<1xf64>
    %1151 = stablehlo.slice %1149 [1:2] : (tensor<2xf64>) -> tensor<1xf64>
    %1152 = stablehlo.add %1150, %1151 : tensor<1xf64>
    %1153 = stablehlo.reshape %1152 : (tensor<1xf64>) -> tensor<1x1x1xf64>
    %1154 = stablehlo.add %1147, %1153 : tensor<1x1x1xf64>
    %cst_276 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1155 = stablehlo.pad %1154, %cst_276, low = [0, 0, 4], high = [0, 3, 0], interior = [0, 0, 1] : (tensor<1x1x1xf64>, tensor<f64>) -> tensor<1x4x5xf64>
    %1156 = stablehlo.add %1116, %1155 : tensor<1x4x5xf64>
    %1157 = stablehlo.multiply %1156, %39 : tensor<1x4x5xf64>
    %1158 = stablehlo.multiply %1157, %37 : tensor<1x4x5xf64>
    %1159 = stablehlo.add %1157, %1158 : tensor<1x4x5xf64>
    %cst_277 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %1160 = stablehlo.broadcast_in_dim %cst_277, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %1161 = stablehlo.multiply %1159, %1160 : tensor<1x4x5xf64>
    %1162 = stablehlo.multiply %1161, %34 : tensor<1x4x5xf64>
    %1163 = stablehlo.multiply %1161, %25 : tensor<1x4x5xf64>
    %1164 = stablehlo.add %1104, %1163 : tensor<1x4x5xf64>
    %cst_278 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1165 = stablehlo.reduce(%1162 init: %cst_278) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x4x5xf64>, tensor<f64>) -> tensor<f64>
    %1166 = stablehlo.reshape %1165 : (tensor<f64>) -> tensor<f64>
    %1167 = stablehlo.multiply %1125, %13 : tensor<1x7x2xf64>
    %1168 = stablehlo.multiply %1167, %11 : tensor<1x7x2xf64>
    %1169 = stablehlo.add %1167, %1168 : tensor<1x7x2xf64>
    %cst_279 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %1170 = stablehlo.broadcast_in_dim %cst_279, dims = [] : (tensor<f64>) -> tensor<1x7x2xf64>
    %1171 = stablehlo.multiply %1169, %1170 : tensor<1x7x2xf64>
    %1172 = call @cumsum_11(%1171) : (tensor<1x7x2xf64>) -> tensor<1x7x2xf64>
    %1173 = stablehlo.multiply %1164, %7 : tensor<1x4x5xf64>
    %1174 = stablehlo.multiply %1173, %5 : tensor<1x4x5xf64>
    %1175 = stablehlo.add %1173, %1174 : tensor<1x4x5xf64>
    %cst_280 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %1176 = stablehlo.broadcast_in_dim %cst_280, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %1177 = stablehlo.multiply %1175, %1176 : tensor<1x4x5xf64>
    %1178 = stablehlo.convolution(%arg1, %1177) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [2], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x2xf64>, tensor<1x4x5xf64>) -> tensor<1x2x5xf64>
    %1179 = stablehlo.reverse %1, dims = [0] : tensor<1x2x5xf64>
    %1180 = stablehlo.convolution(%1177, %1179) dim_numbers = [b, 0, f]x[0, o, i]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [2], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x5xf64>, tensor<1x2x5xf64>) -> tensor<1x7x2xf64>
    %1181 = stablehlo.add %1172, %1180 : tensor<1x7x2xf64>
    %cst_281 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1182 = stablehlo.reduce(%1178 init: %cst_281) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x2x5xf64>, tensor<f64>) -> tensor<f64>
    %1183 = stablehlo.reshape %1182 : (tensor<f64>) -> tensor<f64>
    %1184 = stablehlo.add %1166, %1183 : tensor<f64>
    return %1184, %1181, %1088 : tensor<f64>, tensor<1x7x2xf64>, tensor<1xf64>
  }
  func.func private @cumsum(%arg0: tensor<1x7x2xf64>) -> tensor<1x7x2xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<f64>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [1, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f64>
      stablehlo.return %2 : tensor<f64>
    }) : (tensor<1x7x2xf64>, tensor<f64>) -> tensor<1x7x2xf64>
    return %1 : tensor<1x7x2xf64>
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
  func.func private @cumsum_2(%arg0: tensor<1x2x1x1xf64>) -> tensor<1x2x1x1xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<f64>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 1, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f64>
      stablehlo.return %2 : tensor<f64>
    }) : (tensor<1x2x1x1xf64>, tensor<f64>) -> tensor<1x2x1x1xf64>
    return %1 : tensor<1x2x1x1xf64>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2xf64>, %arg1: tensor<i64>) -> tensor<f64> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<2xf64>, tensor<i64>) -> tensor<1xf64>
    %1 = stablehlo.reshape %0 : (tensor<1xf64>) -> tensor<f64>
    return %1 : tensor<f64>
  }
  func.func private @closed_call(%arg0: tensor<1x4x5xf64>, %arg1: tensor<1x4x5xf64>, %arg2: tensor<f64>) -> (tensor<1x4x5xf64>, tensor<1x4x5xf64>, tensor<1x4x5xf64>, tensor<1x4x5xf64>) {
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %1 = stablehlo.multiply %arg1, %0 : tensor<1x4x5xf64>
    %2 = stablehlo.subtract %1, %arg0 : tensor<1x4x5xf64>
    %cst_0 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %4 = stablehlo.multiply %2, %3 : tensor<1x4x5xf64>
    %5 = stablehlo.tanh %4 : tensor<1x4x5xf64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %7 = stablehlo.subtract %6, %5 : tensor<1x4x5xf64>
    %8 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %9 = stablehlo.add %arg1, %8 : tensor<1x4x5xf64>
    return %5, %9, %5, %7 : tensor<1x4x5xf64>, tensor<1x4x5xf64>, tensor<1x4x5xf64>, tensor<1x4x5xf64>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x1x4x5xf64>, %arg1: tensor<1x4x5xf64>, %arg2: tensor<i64>) -> tensor<2x1x4x5xf64> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<1x4x5xf64>) -> tensor<1x1x4x5xf64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x1x4x5xf64>, tensor<1x1x4x5xf64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<2x1x4x5xf64>
    return %1 : tensor<2x1x4x5xf64>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<4xf64>, %arg1: tensor<i64>) -> tensor<f64> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<4xf64>, tensor<i64>) -> tensor<1xf64>
    %1 = stablehlo.reshape %0 : (tensor<1xf64>) -> tensor<f64>
    return %1 : tensor<f64>
  }
  func.func private @closed_call_4(%arg0: tensor<1x2x1x1xf64>, %arg1: tensor<1x2x1x1xf64>, %arg2: tensor<f64>) -> (tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>) {
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<1x2x1x1xf64>
    %1 = stablehlo.multiply %arg1, %0 : tensor<1x2x1x1xf64>
    %2 = stablehlo.subtract %1, %arg0 : tensor<1x2x1x1xf64>
    %cst_0 = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<1x2x1x1xf64>
    %4 = stablehlo.multiply %2, %3 : tensor<1x2x1x1xf64>
    %5 = stablehlo.tanh %4 : tensor<1x2x1x1xf64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<1x2x1x1xf64>
    %7 = stablehlo.subtract %6, %5 : tensor<1x2x1x1xf64>
    %8 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<1x2x1x1xf64>
    %9 = stablehlo.add %arg1, %8 : tensor<1x2x1x1xf64>
    return %5, %9, %5, %7 : tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<4x1x2x1x1xf64>, %arg1: tensor<1x2x1x1xf64>, %arg2: tensor<i64>) -> tensor<4x1x2x1x1xf64> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<1x2x1x1xf64>) -> tensor<1x1x2x1x1xf64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<4x1x2x1x1xf64>, tensor<1x1x2x1x1xf64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<4x1x2x1x1xf64>
    return %1 : tensor<4x1x2x1x1xf64>
  }
  func.func private @dynamic_index_in_dim_6(%arg0: tensor<4x1x2x1x1xf64>, %arg1: tensor<i64>) -> tensor<1x2x1x1xf64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 1, 2, 1, 1] : (tensor<4x1x2x1x1xf64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x1x2x1x1xf64>
    %1 = stablehlo.reshape %0 : (tensor<1x1x2x1x1xf64>) -> tensor<1x2x1x1xf64>
    return %1 : tensor<1x2x1x1xf64>
  }
  func.func private @closed_call_7(%arg0: tensor<1x2x1x1xf64>, %arg1: tensor<1x2x1x1xf64>, %arg2: tensor<1x2x1x1xf64>, %arg3: tensor<1x2x1x1xf64>, %arg4: tensor<1x2x1x1xf64>) -> (tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>) {
    %0 = stablehlo.multiply %arg1, %arg4 : tensor<1x2x1x1xf64>
    %1 = stablehlo.multiply %0, %arg3 : tensor<1x2x1x1xf64>
    %2 = stablehlo.add %0, %1 : tensor<1x2x1x1xf64>
    %cst = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<1x2x1x1xf64>
    %4 = stablehlo.multiply %2, %3 : tensor<1x2x1x1xf64>
    %5 = stablehlo.negate %4 : tensor<1x2x1x1xf64>
    %6 = stablehlo.add %arg0, %5 : tensor<1x2x1x1xf64>
    %cst_0 = stablehlo.constant dense<1.500000e+00> : tensor<f64>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<1x2x1x1xf64>
    %8 = stablehlo.multiply %4, %7 : tensor<1x2x1x1xf64>
    %9 = stablehlo.add %arg2, %8 : tensor<1x2x1x1xf64>
    return %6, %9 : tensor<1x2x1x1xf64>, tensor<1x2x1x1xf64>
  }
  func.func private @dynamic_index_in_dim_8(%arg0: tensor<2x1x4x5xf64>, %arg1: tensor<i64>) -> tensor<1x4x5xf64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 1, 4, 5] : (tensor<2x1x4x5xf64>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x1x4x5xf64>
    %1 = stablehlo.reshape %0 : (tensor<1x1x4x5xf64>) -> tensor<1x4x5xf64>
    return %1 : tensor<1x4x5xf64>
  }
  func.func private @closed_call_9(%arg0: tensor<1x4x5xf64>, %arg1: tensor<1x4x5xf64>, %arg2: tensor<1x4x5xf64>, %arg3: tensor<1x4x5xf64>, %arg4: tensor<1x4x5xf64>) -> (tensor<1x4x5xf64>, tensor<1x4x5xf64>) {
    %0 = stablehlo.multiply %arg1, %arg4 : tensor<1x4x5xf64>
    %1 = stablehlo.multiply %0, %arg3 : tensor<1x4x5xf64>
    %2 = stablehlo.add %0, %1 : tensor<1x4x5xf64>
    %cst = stablehlo.constant dense<4.000000e-01> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %4 = stablehlo.multiply %2, %3 : tensor<1x4x5xf64>
    %5 = stablehlo.negate %4 : tensor<1x4x5xf64>
    %6 = stablehlo.add %arg0, %5 : tensor<1x4x5xf64>
    %cst_0 = stablehlo.constant dense<1.500000e+00> : tensor<f64>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<1x4x5xf64>
    %8 = stablehlo.multiply %4, %7 : tensor<1x4x5xf64>
    %9 = stablehlo.add %arg2, %8 : tensor<1x4x5xf64>
    return %6, %9 : tensor<1x4x5xf64>, tensor<1x4x5xf64>
  }
  func.func private @cumsum_10(%arg0: tensor<1x2x1x1xf64>) -> tensor<1x2x1x1xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<f64>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 1, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f64>
      stablehlo.return %2 : tensor<f64>
    }) : (tensor<1x2x1x1xf64>, tensor<f64>) -> tensor<1x2x1x1xf64>
    return %1 : tensor<1x2x1x1xf64>
  }
  func.func private @cumsum_11(%arg0: tensor<1x7x2xf64>) -> tensor<1x7x2xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<f64>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 1]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f64>
      stablehlo.return %2 : tensor<f64>
    }) : (tensor<1x7x2xf64>, tensor<f64>) -> tensor<1x7x2xf64>
    return %1 : tensor<1x7x2xf64>
  }
  func.func public @check() {
    %a0 = stablehlo.constant dense<"0x74FF155D3B54FE3F"> : tensor<f64>
    %a1 = stablehlo.constant dense<"0xC83AE38769B5E7BF60A7BB6FDAA8DE3FB07B0604487ED43FC41CE9068625FCBFD03A5683B092EFBFD8C162ADD8F3D4BF804C5C1F0F43C93F7821D96AA48EF43F5CE1D82A40EFFEBFD6A7AFF87058FCBFD263E69EFB21F2BFEC1F95B0D2F9FBBF7A28065EDCB4F2BFD4E6E7D3A877E13F"> : tensor<1x7x2xf64>
    %a2 = stablehlo.constant dense<"0x7030348BDCEFE3BF"> : tensor<1xf64>
    %e0 = stablehlo.constant dense<"0x02EA87330ECEFC3F"> : tensor<f64>
    %e1 = stablehlo.constant dense<"0xC84F4504B084DEBF5B11553ADE61DDBF46875FBD3EF293BFC80832253A5C98BFD25EE8525166D4BFFBE32CE294E3D2BFD1C2A9CF4854A13F61EEF66E0B92993F688EA61F14C1A9BF4063A3C399E997BFD29E293803E2A6BF262893DEA38D92BFC5E4419C7A27DABF90DDCB89CC9BD8BF"> : tensor<1x7x2xf64>
    %e2 = stablehlo.constant dense<"0x12A626A2FF2FC3BF"> : tensor<1xf64>
    %r:3 = call @main(%a0, %a1, %a2) : (tensor<f64>, tensor<1x7x2xf64>, tensor<1xf64>) -> (tensor<f64>, tensor<1x7x2xf64>, tensor<1xf64>)
    check.expect_almost_eq %r#0, %e0, tolerance = 1.800307e-07 : tensor<f64>
    check.expect_almost_eq %r#1, %e1, tolerance = 1.000000e-07 : tensor<1x7x2xf64>
    check.expect_almost_eq %r#2, %e2, tolerance = 1.000000e-07 : tensor<1xf64>
    return
  }
}
