#include "framework/report/text_table.hpp"

#include <gtest/gtest.h>

#include "tests/report/golden.hpp"

namespace warpcheck::report {
namespace {

TEST(TextTable, aligns_columns_and_leaves_no_trailing_space) {
  TextTable table({{{"name"}, Align::left}, {{"two", "lines"}, Align::right}, {{"v"}, Align::left}});
  table.add_row({{"a"}, {"1"}, {"x"}});
  table.add_row({{"bcdef"}, {"100000"}, {""}});
  EXPECT_EQ(table.to_string(Look{}),
            "          two\n"
            "name    lines  v\n"
            "----------------\n"
            "a           1  x\n"
            "bcdef  100000\n");
}

TEST(TextTable, colour_does_not_move_columns) {
  TextTable table({{{"a"}, Align::right}, {{"b"}, Align::left}});
  table.add_row({{"long"}, {"x"}});
  table.add_row({{"1", Tone::bad}, {"y"}});
  const std::string text = table.to_string(Look{true, false, 80});
  EXPECT_NE(text.find("   \x1b[1;31m1\x1b[0m  y\n"), std::string::npos) << text;
}

TEST(TextTable, too_many_columns_continue_below_with_the_first_one_repeated) {
  TextTable table({{{"key"}, Align::left}, {{"aaaa"}, Align::left}, {{"bbbb"}, Align::left}});
  table.add_row({{"k"}, {"1"}, {"2"}});
  EXPECT_EQ(table.to_string(Look{false, false, 10}),
            "key  aaaa\n---------\nk    1\n"
            "\n"
            "key  bbbb\n---------\nk    2\n");
}

TEST(TextTable, columns_that_belong_together_are_not_parted) {
  TextTable table(
      {{{"key"}, Align::left}, {{"aa"}, Align::left}, {{"bb"}, Align::left}, {{"cc"}, Align::left, true}});
  table.add_row({{"k"}, {"1"}, {"2"}, {"3"}});
  EXPECT_EQ(table.to_string(Look{false, false, 12}),
            "key  aa\n-------\nk    1\n"
            "\n"
            "key  bb  cc\n-----------\nk    2   3\n");
}

TEST(TextTable, a_first_column_that_may_be_shortened_keeps_the_table_whole) {
  const auto table_of = [](std::size_t shortest) {
    TextTable table(
        {{{"kernel"}, Align::left, false, shortest}, {{"aaaa"}, Align::left}, {{"bbbb"}, Align::left}});
    table.add_row({{"a_long_name"}, {"1"}, {"2"}});
    return table.to_string(Look{false, false, 20});
  };
  EXPECT_EQ(table_of(6), "kernel    aaaa  bbbb\n--------------------\na_l..ame  1     2\n");
  EXPECT_NE(table_of(9).find("\n\n"), std::string::npos);
  EXPECT_NE(table_of(0).find("\n\n"), std::string::npos);
}

TEST(TextTable, a_first_column_that_is_too_wide_is_shortened) {
  TextTable table({{{"kernel"}, Align::left}, {{"verdict"}, Align::left}});
  table.add_row({{std::string(100, 'k') + "end"}, {"holds"}});
  const std::string text = table.to_string(Look{});
  expect_plain_lines(text);
  EXPECT_NE(text.find("end  holds"), std::string::npos) << text;
}

}  // namespace
}  // namespace warpcheck::report
