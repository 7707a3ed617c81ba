# The lane-wise instructions. They know nothing of the machine beyond instr.hpp.
add_library(warpcheck_alu STATIC
  alu_approximate.cpp
  alu_approximation.cpp
  alu_bit_fields.cpp
  alu_bytes.cpp
  alu_carry.cpp
  alu_float_arithmetic.cpp
  alu_float_conversion.cpp
  alu_float_sign.cpp
  alu_float_to_integer.cpp
  alu_integer.cpp
  alu_integer_conversion.cpp
  alu_integer_to_float.cpp
  alu_logic.cpp
  alu_move.cpp
  alu_select.cpp
  alu_set.cpp
  alu_setp.cpp
  alu_shift.cpp
  lane_rows.cpp)
add_library(warpcheck::alu ALIAS warpcheck_alu)
warpcheck_options(warpcheck_alu)

# Loops over lanes vectorise only if arithmetic may be done for lanes that are masked out, whose exceptions nobody
# reads; neither option changes a result. -O3 for its vectoriser, where a configuration optimises at all. Clang would
# report each loop that it can't vectorise (those with directed rounding, calls or 64-bit division).
target_compile_options(warpcheck_alu PRIVATE -fno-math-errno -fno-trapping-math
  $<$<CONFIG:Release,RelWithDebInfo>:-O3>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
