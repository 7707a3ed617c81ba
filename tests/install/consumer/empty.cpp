// The main function comes with warpcheck::gtest_main.
