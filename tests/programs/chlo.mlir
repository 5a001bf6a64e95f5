module @jit_chlo attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<40xf32>, %arg1: tensor<40xf32>, %arg2: tensor<40xf32>) -> (tensor<40xf32> {jax.result_info = "result[0]"}, tensor<40xf32> {jax.result_info = "result[1]"}, tensor<40xf32> {jax.result_info = "result[2]"}, tensor<40xf32> {jax.result_info = "result[3]"}, tensor<40xf32> {jax.result_info = "result[4]"}, tensor<40xf32> {jax.result_info = "result[5]"}, tensor<40xf32> {jax.result_info = "result[6]"}, tensor<40xf32> {jax.result_info = "result[7]"}, tensor<40xf32> {jax.result_info = "result[8]"}, tensor<40xf32> {jax.result_info = "result[9]"}, tensor<40xf32> {jax.result_info = "result[10]"}, tensor<40xf32> {jax.result_info = "result[11]"}, tensor<40xf32> {jax.result_info = "result[12]"}, tensor<40xf32> {jax.result_info = "result[13]"}, tensor<40xf32> {jax.result_info = "result[14]"}, tensor<40xf32> {jax.result_info = "result[15]"}, tensor<40xf32> {jax.result_info = "result[16]"}, tensor<40xf32> {jax.result_info = "result[17]"}, tensor<40xf32> {jax.result_info = "result[18]"}, tensor<40xf32> {jax.result_info = "result[19]"}, tensor<40xf32> {jax.result_info = "result[20]"}, tensor<40xf32> {jax.result_info = "result[21]"}, tensor<40xf32> {jax.result_info = "result[22]"}, tensor<40xf32> {jax.result_info = "result[23]"}, tensor<40xf32> {jax.result_info = "result[24]"}, tensor<40xf32> {jax.result_info = "result[25]"}, tensor<40xf32> {jax.result_info = "result[26]"}, tensor<40xf32> {jax.result_info = "result[27]"}, tensor<40xf32> {jax.result_info = "result[28]"}) {
    %0 = chlo.asin %arg0 : tensor<40xf32> -> tensor<40xf32>
    %1 = chlo.square %arg0 : tensor<40xf32> -> tensor<40xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<40xf32>
    %4 = stablehlo.rsqrt %3 : tensor<40xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %6 = stablehlo.multiply %5, %4 : tensor<40xf32>
    %7 = chlo.acos %arg0 : tensor<40xf32> -> tensor<40xf32>
    %8 = chlo.square %arg0 : tensor<40xf32> -> tensor<40xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %10 = stablehlo.subtract %9, %8 : tensor<40xf32>
    %11 = stablehlo.rsqrt %10 : tensor<40xf32>
    %12 = stablehlo.negate %11 : tensor<40xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %14 = stablehlo.multiply %13, %12 : tensor<40xf32>
    %15 = chlo.atan %arg0 : tensor<40xf32> -> tensor<40xf32>
    %16 = chlo.square %arg0 : tensor<40xf32> -> tensor<40xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %18 = stablehlo.add %17, %16 : tensor<40xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %20 = stablehlo.divide %19, %18 : tensor<40xf32>
    %21 = chlo.atanh %arg0 : tensor<40xf32> -> tensor<40xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %23 = stablehlo.add %22, %arg0 : tensor<40xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %25 = stablehlo.divide %24, %23 : tensor<40xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %27 = stablehlo.subtract %26, %arg0 : tensor<40xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %29 = stablehlo.multiply %25, %28 : tensor<40xf32>
    %30 = stablehlo.divide %29, %27 : tensor<40xf32>
    %31 = chlo.square %arg0 : tensor<40xf32> -> tensor<40xf32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %33 = stablehlo.multiply %32, %arg0 : tensor<40xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %35 = stablehlo.multiply %34, %33 : tensor<40xf32>
    %36 = chlo.sinh %arg2 : tensor<40xf32> -> tensor<40xf32>
    %37 = chlo.cosh %arg2 : tensor<40xf32> -> tensor<40xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %39 = stablehlo.multiply %38, %37 : tensor<40xf32>
    %40 = chlo.cosh %arg2 : tensor<40xf32> -> tensor<40xf32>
    %41 = chlo.sinh %arg2 : tensor<40xf32> -> tensor<40xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %43 = stablehlo.multiply %42, %41 : tensor<40xf32>
    %44 = chlo.asinh %arg2 : tensor<40xf32> -> tensor<40xf32>
    %45 = chlo.square %arg2 : tensor<40xf32> -> tensor<40xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %47 = stablehlo.add %45, %46 : tensor<40xf32>
    %48 = stablehlo.rsqrt %47 : tensor<40xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %50 = stablehlo.multiply %49, %48 : tensor<40xf32>
    %51 = chlo.bessel_i1e %arg2 : tensor<40xf32> -> tensor<40xf32>
    %52 = stablehlo.abs %arg2 : tensor<40xf32>
    %cst_15 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %54 = stablehlo.compare GT, %52, %53, FLOAT : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xi1>
    %cst_16 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %56 = stablehlo.select %54, %arg2, %55 : tensor<40xi1>, tensor<40xf32>
    %57 = stablehlo.abs %56 : tensor<40xf32>
    %cst_17 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %cst_18 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %cst_19 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %61 = stablehlo.multiply %58, %57 : tensor<40xf32>
    %62 = stablehlo.subtract %61, %59 : tensor<40xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %66 = stablehlo.multiply %62, %63 : tensor<40xf32>
    %67 = stablehlo.subtract %66, %64 : tensor<40xf32>
    %cst_23 = stablehlo.constant dense<-1.30002498E-8> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %69 = stablehlo.add %67, %68 : tensor<40xf32>
    %70 = stablehlo.multiply %62, %69 : tensor<40xf32>
    %71 = stablehlo.subtract %70, %63 : tensor<40xf32>
    %cst_24 = stablehlo.constant dense<6.04699508E-8> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %73 = stablehlo.add %71, %72 : tensor<40xf32>
    %74 = stablehlo.multiply %62, %73 : tensor<40xf32>
    %75 = stablehlo.subtract %74, %69 : tensor<40xf32>
    %cst_25 = stablehlo.constant dense<-2.67079372E-7> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %77 = stablehlo.add %75, %76 : tensor<40xf32>
    %78 = stablehlo.multiply %62, %77 : tensor<40xf32>
    %79 = stablehlo.subtract %78, %73 : tensor<40xf32>
    %cst_26 = stablehlo.constant dense<1.11738757E-6> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %81 = stablehlo.add %79, %80 : tensor<40xf32>
    %82 = stablehlo.multiply %62, %81 : tensor<40xf32>
    %83 = stablehlo.subtract %82, %77 : tensor<40xf32>
    %cst_27 = stablehlo.constant dense<-4.41673819E-6> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %85 = stablehlo.add %83, %84 : tensor<40xf32>
    %86 = stablehlo.multiply %62, %85 : tensor<40xf32>
    %87 = stablehlo.subtract %86, %81 : tensor<40xf32>
    %cst_28 = stablehlo.constant dense<1.64484482E-5> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %89 = stablehlo.add %87, %88 : tensor<40xf32>
    %90 = stablehlo.multiply %62, %89 : tensor<40xf32>
    %91 = stablehlo.subtract %90, %85 : tensor<40xf32>
    %cst_29 = stablehlo.constant dense<-5.75419508E-5> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %93 = stablehlo.add %91, %92 : tensor<40xf32>
    %94 = stablehlo.multiply %62, %93 : tensor<40xf32>
    %95 = stablehlo.subtract %94, %89 : tensor<40xf32>
    %cst_30 = stablehlo.constant dense<1.88502891E-4> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %97 = stablehlo.add %95, %96 : tensor<40xf32>
    %98 = stablehlo.multiply %62, %97 : tensor<40xf32>
    %99 = stablehlo.subtract %98, %93 : tensor<40xf32>
    %cst_31 = stablehlo.constant dense<-5.76375576E-4> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %101 = stablehlo.add %99, %100 : tensor<40xf32>
    %102 = stablehlo.multiply %62, %101 : tensor<40xf32>
    %103 = stablehlo.subtract %102, %97 : tensor<40xf32>
    %cst_32 = stablehlo.constant dense<0.00163947558> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %105 = stablehlo.add %103, %104 : tensor<40xf32>
    %106 = stablehlo.multiply %62, %105 : tensor<40xf32>
    %107 = stablehlo.subtract %106, %101 : tensor<40xf32>
    %cst_33 = stablehlo.constant dense<-4.324310e-03> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %109 = stablehlo.add %107, %108 : tensor<40xf32>
    %110 = stablehlo.multiply %62, %109 : tensor<40xf32>
    %111 = stablehlo.subtract %110, %105 : tensor<40xf32>
    %cst_34 = stablehlo.constant dense<0.0105464607> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %113 = stablehlo.add %111, %112 : tensor<40xf32>
    %114 = stablehlo.multiply %62, %113 : tensor<40xf32>
    %115 = stablehlo.subtract %114, %109 : tensor<40xf32>
    %cst_35 = stablehlo.constant dense<-0.0237374157> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %117 = stablehlo.add %115, %116 : tensor<40xf32>
    %118 = stablehlo.multiply %62, %117 : tensor<40xf32>
    %119 = stablehlo.subtract %118, %113 : tensor<40xf32>
    %cst_36 = stablehlo.constant dense<0.0493052825> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %121 = stablehlo.add %119, %120 : tensor<40xf32>
    %122 = stablehlo.multiply %62, %121 : tensor<40xf32>
    %123 = stablehlo.subtract %122, %117 : tensor<40xf32>
    %cst_37 = stablehlo.constant dense<-9.490110e-02> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %125 = stablehlo.add %123, %124 : tensor<40xf32>
    %126 = stablehlo.multiply %62, %125 : tensor<40xf32>
    %127 = stablehlo.subtract %126, %121 : tensor<40xf32>
    %cst_38 = stablehlo.constant dense<0.171620905> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %129 = stablehlo.add %127, %128 : tensor<40xf32>
    %130 = stablehlo.multiply %62, %129 : tensor<40xf32>
    %131 = stablehlo.subtract %130, %125 : tensor<40xf32>
    %cst_39 = stablehlo.constant dense<-0.304682672> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %133 = stablehlo.add %131, %132 : tensor<40xf32>
    %134 = stablehlo.multiply %62, %133 : tensor<40xf32>
    %135 = stablehlo.subtract %134, %129 : tensor<40xf32>
    %cst_40 = stablehlo.constant dense<0.676795303> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %137 = stablehlo.add %135, %136 : tensor<40xf32>
    %138 = stablehlo.subtract %137, %129 : tensor<40xf32>
    %cst_41 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %140 = stablehlo.multiply %139, %138 : tensor<40xf32>
    %141 = stablehlo.divide %60, %57 : tensor<40xf32>
    %142 = stablehlo.subtract %141, %59 : tensor<40xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %146 = stablehlo.multiply %142, %143 : tensor<40xf32>
    %147 = stablehlo.subtract %146, %144 : tensor<40xf32>
    %cst_45 = stablehlo.constant dense<3.39623196E-9> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %149 = stablehlo.add %147, %148 : tensor<40xf32>
    %150 = stablehlo.multiply %142, %149 : tensor<40xf32>
    %151 = stablehlo.subtract %150, %143 : tensor<40xf32>
    %cst_46 = stablehlo.constant dense<2.26666899E-8> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %153 = stablehlo.add %151, %152 : tensor<40xf32>
    %154 = stablehlo.multiply %142, %153 : tensor<40xf32>
    %155 = stablehlo.subtract %154, %149 : tensor<40xf32>
    %cst_47 = stablehlo.constant dense<2.04891862E-7> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %157 = stablehlo.add %155, %156 : tensor<40xf32>
    %158 = stablehlo.multiply %142, %157 : tensor<40xf32>
    %159 = stablehlo.subtract %158, %153 : tensor<40xf32>
    %cst_48 = stablehlo.constant dense<2.89137051E-6> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %161 = stablehlo.add %159, %160 : tensor<40xf32>
    %162 = stablehlo.multiply %142, %161 : tensor<40xf32>
    %163 = stablehlo.subtract %162, %157 : tensor<40xf32>
    %cst_49 = stablehlo.constant dense<6.88975852E-5> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %165 = stablehlo.add %163, %164 : tensor<40xf32>
    %166 = stablehlo.multiply %142, %165 : tensor<40xf32>
    %167 = stablehlo.subtract %166, %161 : tensor<40xf32>
    %cst_50 = stablehlo.constant dense<0.00336911646> : tensor<f32>
    %168 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %169 = stablehlo.add %167, %168 : tensor<40xf32>
    %170 = stablehlo.multiply %142, %169 : tensor<40xf32>
    %171 = stablehlo.subtract %170, %165 : tensor<40xf32>
    %cst_51 = stablehlo.constant dense<0.804490387> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %173 = stablehlo.add %171, %172 : tensor<40xf32>
    %174 = stablehlo.subtract %173, %165 : tensor<40xf32>
    %cst_52 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %176 = stablehlo.multiply %175, %174 : tensor<40xf32>
    %177 = stablehlo.sqrt %57 : tensor<40xf32>
    %178 = stablehlo.divide %176, %177 : tensor<40xf32>
    %cst_53 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %179 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %180 = stablehlo.compare LE, %57, %179, FLOAT : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xi1>
    %181 = stablehlo.select %180, %140, %178 : tensor<40xi1>, tensor<40xf32>
    %182 = stablehlo.sign %56 : tensor<40xf32>
    %cst_54 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %184 = stablehlo.divide %183, %56 : tensor<40xf32>
    %185 = stablehlo.add %182, %184 : tensor<40xf32>
    %186 = stablehlo.multiply %51, %185 : tensor<40xf32>
    %187 = stablehlo.subtract %181, %186 : tensor<40xf32>
    %cst_55 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %188 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %189 = stablehlo.select %54, %187, %188 : tensor<40xi1>, tensor<40xf32>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %191 = stablehlo.multiply %190, %189 : tensor<40xf32>
    %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %193 = stablehlo.add %arg1, %192 : tensor<40xf32>
    %194:2 = call @arccosh(%193) : (tensor<40xf32>) -> (tensor<40xf32>, tensor<40xf32>)
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %196 = call @arccosh_0(%194#1, %195) : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xf32>
    %197 = stablehlo.tan %193 : tensor<40xf32>
    %198 = chlo.square %197 : tensor<40xf32> -> tensor<40xf32>
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %200 = stablehlo.add %199, %198 : tensor<40xf32>
    %cst_60 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %202 = stablehlo.multiply %201, %200 : tensor<40xf32>
    %203 = chlo.next_after %arg0, %arg2 : tensor<40xf32>, tensor<40xf32> -> tensor<40xf32>
    %cst_61 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %205 = chlo.next_after %arg2, %204 : tensor<40xf32>, tensor<40xf32> -> tensor<40xf32>
    %206 = stablehlo.tan %arg0 : tensor<40xf32>
    %207 = chlo.square %206 : tensor<40xf32> -> tensor<40xf32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %209 = stablehlo.add %208, %207 : tensor<40xf32>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %210 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %211 = stablehlo.multiply %210, %209 : tensor<40xf32>
    %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %213 = stablehlo.add %arg1, %212 : tensor<40xf32>
    %214 = chlo.zeta %213, %arg1 : tensor<40xf32>, tensor<40xf32> -> tensor<40xf32>
    %cst_65 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %216 = chlo.polygamma %215, %arg1 : tensor<40xf32>, tensor<40xf32> -> tensor<40xf32>
    %cst_66 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %218 = stablehlo.add %215, %217 : tensor<40xf32>
    %219 = chlo.polygamma %218, %arg1 : tensor<40xf32>, tensor<40xf32> -> tensor<40xf32>
    %cst_67 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %221 = stablehlo.multiply %220, %219 : tensor<40xf32>
    return %0, %6, %7, %14, %15, %20, %21, %30, %31, %35, %36, %39, %40, %43, %44, %50, %51, %191, %194#0, %196, %197, %202, %203, %205, %206, %211, %214, %216, %221 : tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>
  }
  func.func private @arccosh(%arg0: tensor<40xf32>) -> (tensor<40xf32>, tensor<40xf32>) {
    %0 = chlo.acosh %arg0 : tensor<40xf32> -> tensor<40xf32>
    %1 = chlo.square %arg0 : tensor<40xf32> -> tensor<40xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %3 = stablehlo.subtract %1, %2 : tensor<40xf32>
    %4 = stablehlo.rsqrt %3 : tensor<40xf32>
    return %0, %4 : tensor<40xf32>, tensor<40xf32>
  }
  func.func private @arccosh_0(%arg0: tensor<40xf32>, %arg1: tensor<40xf32>) -> tensor<40xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<40xf32>
    return %0 : tensor<40xf32>
  }
}
