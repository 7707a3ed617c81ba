warpcheck_test(test_alu
  SOURCES
    alu_driver.cpp
    alu_mutation_test.cpp
    alu_reference.cpp
    alu_reference_float.cpp
    alu_rows_test.cpp
    alu_special_cases_test.cpp
    alu_synonyms.cpp
  LINK warpcheck::alu)
target_compile_definitions(test_alu PRIVATE
  WARPCHECK_ALU_INVENTORY="${CMAKE_CURRENT_SOURCE_DIR}/alu_inventory.txt")
