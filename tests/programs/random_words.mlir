module @jit_random_words attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xui32>) -> (tensor<4xui32> {jax.result_info = "result[0]"}, tensor<ui8> {jax.result_info = "result[1]"}, tensor<4xui32> {jax.result_info = "result[2]"}, tensor<ui8> {jax.result_info = "result[3]"}, tensor<4xui32> {jax.result_info = "result[4]"}, tensor<ui16> {jax.result_info = "result[5]"}, tensor<4xui32> {jax.result_info = "result[6]"}, tensor<ui16> {jax.result_info = "result[7]"}, tensor<4xui32> {jax.result_info = "result[8]"}, tensor<ui32> {jax.result_info = "result[9]"}, tensor<4xui32> {jax.result_info = "result[10]"}, tensor<ui32> {jax.result_info = "result[11]"}, tensor<4xui32> {jax.result_info = "result[12]"}, tensor<ui64> {jax.result_info = "result[13]"}, tensor<4xui32> {jax.result_info = "result[14]"}, tensor<ui64> {jax.result_info = "result[15]"}, tensor<4xui32> {jax.result_info = "result[16]"}, tensor<5xui8> {jax.result_info = "result[17]"}, tensor<4xui32> {jax.result_info = "result[18]"}, tensor<5xui8> {jax.result_info = "result[19]"}, tensor<4xui32> {jax.result_info = "result[20]"}, tensor<5xui16> {jax.result_info = "result[21]"}, tensor<4xui32> {jax.result_info = "result[22]"}, tensor<5xui16> {jax.result_info = "result[23]"}, tensor<4xui32> {jax.result_info = "result[24]"}, tensor<5xui32> {jax.result_info = "result[25]"}, tensor<4xui32> {jax.result_info = "result[26]"}, tensor<5xui32> {jax.result_info = "result[27]"}, tensor<4xui32> {jax.result_info = "result[28]"}, tensor<5xui64> {jax.result_info = "result[29]"}, tensor<4xui32> {jax.result_info = "result[30]"}, tensor<5xui64> {jax.result_info = "result[31]"}, tensor<4xui32> {jax.result_info = "result[32]"}, tensor<3x4xui8> {jax.result_info = "result[33]"}, tensor<4xui32> {jax.result_info = "result[34]"}, tensor<3x4xui8> {jax.result_info = "result[35]"}, tensor<4xui32> {jax.result_info = "result[36]"}, tensor<3x4xui16> {jax.result_info = "result[37]"}, tensor<4xui32> {jax.result_info = "result[38]"}, tensor<3x4xui16> {jax.result_info = "result[39]"}, tensor<4xui32> {jax.result_info = "result[40]"}, tensor<3x4xui32> {jax.result_info = "result[41]"}, tensor<4xui32> {jax.result_info = "result[42]"}, tensor<3x4xui32> {jax.result_info = "result[43]"}, tensor<4xui32> {jax.result_info = "result[44]"}, tensor<3x4xui64> {jax.result_info = "result[45]"}, tensor<4xui32> {jax.result_info = "result[46]"}, tensor<3x4xui64> {jax.result_info = "result[47]"}, tensor<4xui32> {jax.result_info = "result[48]"}, tensor<3x5x7xui8> {jax.result_info = "result[49]"}, tensor<4xui32> {jax.result_info = "result[50]"}, tensor<3x5x7xui8> {jax.result_info = "result[51]"}, tensor<4xui32> {jax.result_info = "result[52]"}, tensor<3x5x7xui16> {jax.result_info = "result[53]"}, tensor<4xui32> {jax.result_info = "result[54]"}, tensor<3x5x7xui16> {jax.result_info = "result[55]"}, tensor<4xui32> {jax.result_info = "result[56]"}, tensor<3x5x7xui32> {jax.result_info = "result[57]"}, tensor<4xui32> {jax.result_info = "result[58]"}, tensor<3x5x7xui32> {jax.result_info = "result[59]"}, tensor<4xui32> {jax.result_info = "result[60]"}, tensor<3x5x7xui64> {jax.result_info = "result[61]"}, tensor<4xui32> {jax.result_info = "result[62]"}, tensor<3x5x7xui64> {jax.result_info = "result[63]"}, tensor<4xui32> {jax.result_info = "result[64]"}, tensor<6xui32> {jax.result_info = "result[65]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %1 = stablehlo.bitcast_convert %0 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state, %output = stablehlo.rng_bit_generator %1, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui8>)
    %2 = stablehlo.bitcast_convert %output_state : (tensor<2xui64>) -> tensor<2x2xui32>
    %3 = stablehlo.reshape %2 : (tensor<2x2xui32>) -> tensor<4xui32>
    %4 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %5 = stablehlo.bitcast_convert %4 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_0, %output_1 = stablehlo.rng_bit_generator %5, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui8>)
    %6 = stablehlo.bitcast_convert %output_state_0 : (tensor<2xui64>) -> tensor<2x2xui32>
    %7 = stablehlo.reshape %6 : (tensor<2x2xui32>) -> tensor<4xui32>
    %8 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %9 = stablehlo.bitcast_convert %8 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_2, %output_3 = stablehlo.rng_bit_generator %9, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui16>)
    %10 = stablehlo.bitcast_convert %output_state_2 : (tensor<2xui64>) -> tensor<2x2xui32>
    %11 = stablehlo.reshape %10 : (tensor<2x2xui32>) -> tensor<4xui32>
    %12 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %13 = stablehlo.bitcast_convert %12 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_4, %output_5 = stablehlo.rng_bit_generator %13, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui16>)
    %14 = stablehlo.bitcast_convert %output_state_4 : (tensor<2xui64>) -> tensor<2x2xui32>
    %15 = stablehlo.reshape %14 : (tensor<2x2xui32>) -> tensor<4xui32>
    %16 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %17 = stablehlo.bitcast_convert %16 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_6, %output_7 = stablehlo.rng_bit_generator %17, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
    %18 = stablehlo.bitcast_convert %output_state_6 : (tensor<2xui64>) -> tensor<2x2xui32>
    %19 = stablehlo.reshape %18 : (tensor<2x2xui32>) -> tensor<4xui32>
    %20 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %21 = stablehlo.bitcast_convert %20 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_8, %output_9 = stablehlo.rng_bit_generator %21, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
    %22 = stablehlo.bitcast_convert %output_state_8 : (tensor<2xui64>) -> tensor<2x2xui32>
    %23 = stablehlo.reshape %22 : (tensor<2x2xui32>) -> tensor<4xui32>
    %24 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %25 = stablehlo.bitcast_convert %24 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_10, %output_11 = stablehlo.rng_bit_generator %25, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>)
    %26 = stablehlo.bitcast_convert %output_state_10 : (tensor<2xui64>) -> tensor<2x2xui32>
    %27 = stablehlo.reshape %26 : (tensor<2x2xui32>) -> tensor<4xui32>
    %28 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %29 = stablehlo.bitcast_convert %28 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_12, %output_13 = stablehlo.rng_bit_generator %29, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>)
    %30 = stablehlo.bitcast_convert %output_state_12 : (tensor<2xui64>) -> tensor<2x2xui32>
    %31 = stablehlo.reshape %30 : (tensor<2x2xui32>) -> tensor<4xui32>
    %32 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %33 = stablehlo.bitcast_convert %32 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_14, %output_15 = stablehlo.rng_bit_generator %33, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>)
    %34 = stablehlo.bitcast_convert %output_state_14 : (tensor<2xui64>) -> tensor<2x2xui32>
    %35 = stablehlo.reshape %34 : (tensor<2x2xui32>) -> tensor<4xui32>
    %36 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %37 = stablehlo.bitcast_convert %36 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_16, %output_17 = stablehlo.rng_bit_generator %37, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>)
    %38 = stablehlo.bitcast_convert %output_state_16 : (tensor<2xui64>) -> tensor<2x2xui32>
    %39 = stablehlo.reshape %38 : (tensor<2x2xui32>) -> tensor<4xui32>
    %40 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %41 = stablehlo.bitcast_convert %40 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_18, %output_19 = stablehlo.rng_bit_generator %41, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui16>)
    %42 = stablehlo.bitcast_convert %output_state_18 : (tensor<2xui64>) -> tensor<2x2xui32>
    %43 = stablehlo.reshape %42 : (tensor<2x2xui32>) -> tensor<4xui32>
    %44 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %45 = stablehlo.bitcast_convert %44 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_20, %output_21 = stablehlo.rng_bit_generator %45, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui16>)
    %46 = stablehlo.bitcast_convert %output_state_20 : (tensor<2xui64>) -> tensor<2x2xui32>
    %47 = stablehlo.reshape %46 : (tensor<2x2xui32>) -> tensor<4xui32>
    %48 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %49 = stablehlo.bitcast_convert %48 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_22, %output_23 = stablehlo.rng_bit_generator %49, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
    %50 = stablehlo.bitcast_convert %output_state_22 : (tensor<2xui64>) -> tensor<2x2xui32>
    %51 = stablehlo.reshape %50 : (tensor<2x2xui32>) -> tensor<4xui32>
    %52 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %53 = stablehlo.bitcast_convert %52 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_24, %output_25 = stablehlo.rng_bit_generator %53, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
    %54 = stablehlo.bitcast_convert %output_state_24 : (tensor<2xui64>) -> tensor<2x2xui32>
    %55 = stablehlo.reshape %54 : (tensor<2x2xui32>) -> tensor<4xui32>
    %56 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %57 = stablehlo.bitcast_convert %56 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_26, %output_27 = stablehlo.rng_bit_generator %57, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui64>)
    %58 = stablehlo.bitcast_convert %output_state_26 : (tensor<2xui64>) -> tensor<2x2xui32>
    %59 = stablehlo.reshape %58 : (tensor<2x2xui32>) -> tensor<4xui32>
    %60 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %61 = stablehlo.bitcast_convert %60 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_28, %output_29 = stablehlo.rng_bit_generator %61, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui64>)
    %62 = stablehlo.bitcast_convert %output_state_28 : (tensor<2xui64>) -> tensor<2x2xui32>
    %63 = stablehlo.reshape %62 : (tensor<2x2xui32>) -> tensor<4xui32>
    %64 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %65 = stablehlo.bitcast_convert %64 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_30, %output_31 = stablehlo.rng_bit_generator %65, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui8>)
    %66 = stablehlo.bitcast_convert %output_state_30 : (tensor<2xui64>) -> tensor<2x2xui32>
    %67 = stablehlo.reshape %66 : (tensor<2x2xui32>) -> tensor<4xui32>
    %68 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %69 = stablehlo.bitcast_convert %68 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_32, %output_33 = stablehlo.rng_bit_generator %69, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui8>)
    %70 = stablehlo.bitcast_convert %output_state_32 : (tensor<2xui64>) -> tensor<2x2xui32>
    %71 = stablehlo.reshape %70 : (tensor<2x2xui32>) -> tensor<4xui32>
    %72 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %73 = stablehlo.bitcast_convert %72 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_34, %output_35 = stablehlo.rng_bit_generator %73, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui16>)
    %74 = stablehlo.bitcast_convert %output_state_34 : (tensor<2xui64>) -> tensor<2x2xui32>
    %75 = stablehlo.reshape %74 : (tensor<2x2xui32>) -> tensor<4xui32>
    %76 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %77 = stablehlo.bitcast_convert %76 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_36, %output_37 = stablehlo.rng_bit_generator %77, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui16>)
    %78 = stablehlo.bitcast_convert %output_state_36 : (tensor<2xui64>) -> tensor<2x2xui32>
    %79 = stablehlo.reshape %78 : (tensor<2x2xui32>) -> tensor<4xui32>
    %80 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %81 = stablehlo.bitcast_convert %80 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_38, %output_39 = stablehlo.rng_bit_generator %81, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
    %82 = stablehlo.bitcast_convert %output_state_38 : (tensor<2xui64>) -> tensor<2x2xui32>
    %83 = stablehlo.reshape %82 : (tensor<2x2xui32>) -> tensor<4xui32>
    %84 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %85 = stablehlo.bitcast_convert %84 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_40, %output_41 = stablehlo.rng_bit_generator %85, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
    %86 = stablehlo.bitcast_convert %output_state_40 : (tensor<2xui64>) -> tensor<2x2xui32>
    %87 = stablehlo.reshape %86 : (tensor<2x2xui32>) -> tensor<4xui32>
    %88 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %89 = stablehlo.bitcast_convert %88 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_42, %output_43 = stablehlo.rng_bit_generator %89, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui64>)
    %90 = stablehlo.bitcast_convert %output_state_42 : (tensor<2xui64>) -> tensor<2x2xui32>
    %91 = stablehlo.reshape %90 : (tensor<2x2xui32>) -> tensor<4xui32>
    %92 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %93 = stablehlo.bitcast_convert %92 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_44, %output_45 = stablehlo.rng_bit_generator %93, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui64>)
    %94 = stablehlo.bitcast_convert %output_state_44 : (tensor<2xui64>) -> tensor<2x2xui32>
    %95 = stablehlo.reshape %94 : (tensor<2x2xui32>) -> tensor<4xui32>
    %96 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %97 = stablehlo.bitcast_convert %96 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_46, %output_47 = stablehlo.rng_bit_generator %97, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5x7xui8>)
    %98 = stablehlo.bitcast_convert %output_state_46 : (tensor<2xui64>) -> tensor<2x2xui32>
    %99 = stablehlo.reshape %98 : (tensor<2x2xui32>) -> tensor<4xui32>
    %100 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %101 = stablehlo.bitcast_convert %100 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_48, %output_49 = stablehlo.rng_bit_generator %101, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5x7xui8>)
    %102 = stablehlo.bitcast_convert %output_state_48 : (tensor<2xui64>) -> tensor<2x2xui32>
    %103 = stablehlo.reshape %102 : (tensor<2x2xui32>) -> tensor<4xui32>
    %104 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %105 = stablehlo.bitcast_convert %104 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_50, %output_51 = stablehlo.rng_bit_generator %105, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5x7xui16>)
    %106 = stablehlo.bitcast_convert %output_state_50 : (tensor<2xui64>) -> tensor<2x2xui32>
    %107 = stablehlo.reshape %106 : (tensor<2x2xui32>) -> tensor<4xui32>
    %108 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %109 = stablehlo.bitcast_convert %108 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_52, %output_53 = stablehlo.rng_bit_generator %109, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5x7xui16>)
    %110 = stablehlo.bitcast_convert %output_state_52 : (tensor<2xui64>) -> tensor<2x2xui32>
    %111 = stablehlo.reshape %110 : (tensor<2x2xui32>) -> tensor<4xui32>
    %112 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %113 = stablehlo.bitcast_convert %112 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_54, %output_55 = stablehlo.rng_bit_generator %113, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5x7xui32>)
    %114 = stablehlo.bitcast_convert %output_state_54 : (tensor<2xui64>) -> tensor<2x2xui32>
    %115 = stablehlo.reshape %114 : (tensor<2x2xui32>) -> tensor<4xui32>
    %116 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %117 = stablehlo.bitcast_convert %116 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_56, %output_57 = stablehlo.rng_bit_generator %117, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5x7xui32>)
    %118 = stablehlo.bitcast_convert %output_state_56 : (tensor<2xui64>) -> tensor<2x2xui32>
    %119 = stablehlo.reshape %118 : (tensor<2x2xui32>) -> tensor<4xui32>
    %120 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %121 = stablehlo.bitcast_convert %120 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_58, %output_59 = stablehlo.rng_bit_generator %121, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5x7xui64>)
    %122 = stablehlo.bitcast_convert %output_state_58 : (tensor<2xui64>) -> tensor<2x2xui32>
    %123 = stablehlo.reshape %122 : (tensor<2x2xui32>) -> tensor<4xui32>
    %124 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %125 = stablehlo.bitcast_convert %124 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_60, %output_61 = stablehlo.rng_bit_generator %125, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5x7xui64>)
    %126 = stablehlo.bitcast_convert %output_state_60 : (tensor<2xui64>) -> tensor<2x2xui32>
    %127 = stablehlo.reshape %126 : (tensor<2x2xui32>) -> tensor<4xui32>
    %128 = stablehlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %129 = stablehlo.bitcast_convert %128 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_62, %output_63 = stablehlo.rng_bit_generator %129, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6xui32>)
    %130 = stablehlo.bitcast_convert %output_state_62 : (tensor<2xui64>) -> tensor<2x2xui32>
    %131 = stablehlo.reshape %130 : (tensor<2x2xui32>) -> tensor<4xui32>
    return %3, %output, %7, %output_1, %11, %output_3, %15, %output_5, %19, %output_7, %23, %output_9, %27, %output_11, %31, %output_13, %35, %output_15, %39, %output_17, %43, %output_19, %47, %output_21, %51, %output_23, %55, %output_25, %59, %output_27, %63, %output_29, %67, %output_31, %71, %output_33, %75, %output_35, %79, %output_37, %83, %output_39, %87, %output_41, %91, %output_43, %95, %output_45, %99, %output_47, %103, %output_49, %107, %output_51, %111, %output_53, %115, %output_55, %119, %output_57, %123, %output_59, %127, %output_61, %131, %output_63 : tensor<4xui32>, tensor<ui8>, tensor<4xui32>, tensor<ui8>, tensor<4xui32>, tensor<ui16>, tensor<4xui32>, tensor<ui16>, tensor<4xui32>, tensor<ui32>, tensor<4xui32>, tensor<ui32>, tensor<4xui32>, tensor<ui64>, tensor<4xui32>, tensor<ui64>, tensor<4xui32>, tensor<5xui8>, tensor<4xui32>, tensor<5xui8>, tensor<4xui32>, tensor<5xui16>, tensor<4xui32>, tensor<5xui16>, tensor<4xui32>, tensor<5xui32>, tensor<4xui32>, tensor<5xui32>, tensor<4xui32>, tensor<5xui64>, tensor<4xui32>, tensor<5xui64>, tensor<4xui32>, tensor<3x4xui8>, tensor<4xui32>, tensor<3x4xui8>, tensor<4xui32>, tensor<3x4xui16>, tensor<4xui32>, tensor<3x4xui16>, tensor<4xui32>, tensor<3x4xui32>, tensor<4xui32>, tensor<3x4xui32>, tensor<4xui32>, tensor<3x4xui64>, tensor<4xui32>, tensor<3x4xui64>, tensor<4xui32>, tensor<3x5x7xui8>, tensor<4xui32>, tensor<3x5x7xui8>, tensor<4xui32>, tensor<3x5x7xui16>, tensor<4xui32>, tensor<3x5x7xui16>, tensor<4xui32>, tensor<3x5x7xui32>, tensor<4xui32>, tensor<3x5x7xui32>, tensor<4xui32>, tensor<3x5x7xui64>, tensor<4xui32>, tensor<3x5x7xui64>, tensor<4xui32>, tensor<6xui32>
  }
}
