#include "framework/record/counterexample.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "tests/engine/example.hpp"

namespace warpcheck::engine::testing {
namespace {

using record::counterexample_from_json;

using nlohmann::ordered_json;
using ::testing::HasSubstr;

/// The error, or nothing if the text was accepted.
std::optional<std::string> rejection(std::string_view text) {
  try {
    counterexample_from_json(text);
    return std::nullopt;
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

/// The error after a change to a good file.
std::string error_after(const std::function<void(ordered_json&)>& change) {
  ordered_json document = ordered_json::parse(to_json(full_counterexample()));
  change(document);
  return rejection(document.dump()).value_or("accepted");
}

TEST(CounterexampleFile, gives_back_every_field_and_bit) {
  const Counterexample example = full_counterexample();
  EXPECT_TRUE(same(example, counterexample_from_json(to_json(example))));
  const Counterexample plain = plain_counterexample();
  EXPECT_TRUE(same(plain, counterexample_from_json(to_json(plain))));
}

TEST(CounterexampleFile, gives_back_every_kind_of_bit_pattern) {
  Numbers numbers(3);
  for (const numeric::Format format : numeric::all_formats()) {
    std::vector<std::byte> bytes(4096 * numeric::size_in_bytes(format));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(numbers.bits() >> 32);
    // Whole exponents of NaN, infinity, subnormals and zeros, which random bits would seldom hit.
    for (std::uint64_t i = 0; i < 1024; ++i) {
      numeric::Value value = numeric::load(format, bytes, i);
      const std::uint64_t exponent_field = numeric::infinity(format).bits;
      if (i % 2 == 0) value.bits |= exponent_field;
      if (i % 2 == 1) value.bits &= ~exponent_field;
      if (i % 16 < 2) value.bits &= exponent_field;
      numeric::store(value, bytes, i);
    }
    Counterexample example = plain_counterexample();
    example.reduced.input = std::make_shared<const InputArray>(format, bytes);
    EXPECT_TRUE(same(example, counterexample_from_json(to_json(example))));
  }
}

TEST(CounterexampleFile, keeps_an_empty_array) {
  Counterexample example = plain_counterexample();
  example.reduced = case_of({});
  EXPECT_TRUE(same(example, counterexample_from_json(to_json(example))));
}

TEST(CounterexampleFile, stores_a_million_equal_elements_in_a_few_bytes) {
  Counterexample example = plain_counterexample();
  example.original = case_of(std::vector<float>(1'000'000, 0.5f));
  const std::string text = to_json(example);
  EXPECT_LT(text.size(), 5000u);
  EXPECT_THAT(text, HasSubstr(R"([["0x1p-1",1000000]])"));
  EXPECT_TRUE(same(example, counterexample_from_json(text)));
}

TEST(CounterexampleFile, holds_hex_floats_and_payloads_that_a_person_can_read) {
  const std::string text = to_json(full_counterexample());
  EXPECT_THAT(text, HasSubstr(R"([["0x1p+0",3],"0x1.99999ap-4","-0x0p+0","0x0p+0",["nan:0x7fc00001",2],)"
                              R"("nan:0xff800123","-inf","0x1p-149","-0x1.fffffep+127"])"));
  EXPECT_THAT(text, HasSubstr(R"(["0x1.999999999999ap-4","-0x1.7e43c8800759cp+996","0x1p-1074"])"));
}

TEST(CounterexampleFile, is_refused_wherever_it_is_truncated) {
  const std::string text = to_json(full_counterexample());
  const std::size_t last_brace = text.rfind('}');
  for (std::size_t size = 0; size <= last_brace; ++size) {
    const auto error = rejection(std::string_view(text).substr(0, size));
    ASSERT_TRUE(error) << "accepted after " << size << " bytes";
    ASSERT_EQ(error->find('\n'), std::string::npos) << *error;
    ASSERT_FALSE(error->empty());
  }
  EXPECT_EQ(rejection(""), "the file is empty");
  EXPECT_EQ(rejection(" \n"), "the file is empty");
  EXPECT_EQ(rejection(text.substr(0, 100)), "truncated: the JSON is not complete after 100 bytes");
}

TEST(CounterexampleFile, survives_random_damage_with_one_line_or_a_whole_counterexample) {
  const std::string text = to_json(full_counterexample());
  Numbers numbers(11);
  int accepted = 0;
  for (int round = 0; round < 8000; ++round) {
    std::string damaged = text;
    for (std::uint64_t flips = 1 + numbers.below(3); flips > 0; --flips) {
      damaged[numbers.below(damaged.size())] ^= static_cast<char>(1u << numbers.below(8));
    }
    try {
      const Counterexample read = counterexample_from_json(damaged);
      // What is accepted is whole: it can be written and read again.
      ASSERT_TRUE(same(read, counterexample_from_json(to_json(read))));
      ++accepted;
    } catch (const std::invalid_argument& error) {
      const std::string line = error.what();
      ASSERT_FALSE(line.empty());
      ASSERT_EQ(line.find('\n'), std::string::npos) << line;
      ASSERT_LT(line.size(), 400u) << line;
    }
  }
  // Damage inside a text or a digit goes unnoticed, damage to the structure does not.
  EXPECT_GT(accepted, 100);
  EXPECT_LT(accepted, 7000);
}

/// Every value of the document, by its JSON pointer.
void each_value(const ordered_json& value, const ordered_json::json_pointer& place,
                const std::function<void(const ordered_json::json_pointer&)>& visit) {
  if (!place.empty()) visit(place);
  if (value.is_object()) {
    for (const auto& [key, item] : value.items()) each_value(item, place / key, visit);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) each_value(value[i], place / i, visit);
  }
}

TEST(CounterexampleFile, refuses_a_value_of_another_type_everywhere) {
  const ordered_json document = ordered_json::parse(to_json(full_counterexample()));
  int changed = 0;
  each_value(document, ordered_json::json_pointer(), [&](const ordered_json::json_pointer& place) {
    const ordered_json& before = document.at(place);
    // A null is allowed where a measure is missing, and elements may repeat or not.
    for (const ordered_json& other :
         {ordered_json(true), ordered_json(-1), ordered_json(1.5), ordered_json("§"),
          ordered_json::array({1}), ordered_json::object({{"a", 1}})}) {
      const bool text_for_text = before.is_string() && other.is_string();
      const bool number_for_measure =
          before.is_number() && other.is_number() && place.to_string().find("measures") != std::string::npos;
      const bool number_for_word =
          place.to_string().find("measures") != std::string::npos && other.is_number();
      if (before.type() == other.type() || text_for_text || number_for_measure || number_for_word) continue;
      ordered_json damaged = document;
      damaged[place] = other;
      const auto error = rejection(damaged.dump());
      EXPECT_TRUE(error) << place << " accepts " << other;
      ++changed;
    }
  });
  EXPECT_GT(changed, 500);
}

TEST(CounterexampleFile, refuses_a_missing_and_an_unknown_field_in_every_object) {
  const ordered_json document = ordered_json::parse(to_json(full_counterexample()));
  int objects = 0;
  each_value(document, ordered_json::json_pointer(), [&](const ordered_json::json_pointer& place) {
    const ordered_json& value = document.at(place);
    if (!value.is_object()) return;
    ++objects;
    for (const auto& [key, item] : value.items()) {
      ordered_json damaged = document;
      damaged[place].erase(key);
      const auto error = rejection(damaged.dump());
      ASSERT_TRUE(error) << place << " without " << key;
      EXPECT_THAT(*error, HasSubstr(key + ": is missing"));
    }
    ordered_json damaged = document;
    damaged[place]["surprise"] = 1;
    EXPECT_THAT(rejection(damaged.dump()).value_or("accepted"), HasSubstr("unknown field \"surprise\""));
  });
  EXPECT_GE(objects, 10);
}

TEST(CounterexampleFile, names_the_field_the_value_and_what_would_be_right) {
  EXPECT_EQ(error_after([](ordered_json& file) { file["version"] = 2; }),
            "version: is 2, and this program knows only version 1");
  EXPECT_EQ(error_after([](ordered_json& file) { file["file"] = "notes"; }),
            "not a counterexample: the field \"file\" should be \"warpcheck counterexample\"");
  EXPECT_EQ(error_after([](ordered_json& file) { file["seed"] = -4; }),
            "seed: is -4, should be a whole number of at least 0");
  EXPECT_EQ(error_after([](ordered_json& file) { file["reduced"]["grid"] = 0; }),
            "reduced.grid: is 0, should be a whole number from 1 to 4294967295");
  EXPECT_EQ(error_after([](ordered_json& file) { file["reduced"]["format"] = "fp8"; }),
            "reduced.format: is \"fp8\", should be \"fp32\" or \"fp64\"");
  EXPECT_EQ(error_after([](ordered_json& file) { file["reduced"]["n"] = 11; }),
            "reduced.elements: holds more than n = 11 elements");
  EXPECT_EQ(error_after([](ordered_json& file) { file["reduced"]["n"] = 13; }),
            "reduced.elements: holds 12 elements, should hold n = 13");
  EXPECT_EQ(error_after([](ordered_json& file) { file["reduced"]["n"] = std::uint64_t{1} << 40; }),
            "reduced.n: is 1099511627776, should be a whole number from 0 to 1073741824");
  EXPECT_EQ(
      error_after([](ordered_json& file) { file["reduced"]["elements"][0][1] = 0; }),
      "reduced.elements[0]: should be a value, or a pair of a value and how often it repeats (at least 1)");
  EXPECT_EQ(error_after([](ordered_json& file) { file["reduced"]["elements"][0][1] = UINT64_MAX; }),
            "reduced.elements: holds more than n = 12 elements");
  EXPECT_EQ(error_after([](ordered_json& file) { file["reduced"]["elements"][1] = 1; }),
            "reduced.elements[1]: is 1, should be text such as \"0x1.8p+3\"");
  EXPECT_EQ(error_after([](ordered_json& file) { file["reduced"]["elements"][1] = "nan"; }),
            "reduced.elements[1]: 'nan' lacks the bits of the NaN; write nan:0x7fc00000");
  EXPECT_EQ(error_after([](ordered_json& file) { file["reduced"]["elements"][1] = "nan:0x7f800000"; }),
            "reduced.elements[1]: 'nan:0x7f800000' holds bits that are no NaN of fp32; write a number as a "
            "hex float");
  EXPECT_EQ(error_after([](ordered_json& file) { file["reduced"]["elements"][1] = "nan:0x7fc0"; }),
            "reduced.elements[1]: 'nan:0x7fc0' should hold the 8 hex digits of a NaN of fp32");
  EXPECT_THAT(error_after([](ordered_json& file) { file["reduced"]["elements"][1] = "0x1.0000001p0"; }),
              HasSubstr("reduced.elements[1]: 0x1.0000001p0 is not a value of fp32"));
  EXPECT_EQ(
      error_after([](ordered_json& file) { file["reduced"]["schedule"]["order"] = "any"; }),
      "reduced.schedule.order: is \"any\", should be \"lowest first\", \"highest first\" or \"random\"");
  EXPECT_EQ(error_after([](ordered_json& file) { file["verdict"]["kind"] = "holds"; }),
            "verdict.kind: is \"holds\", should be \"falsified\"");
  EXPECT_EQ(error_after([](ordered_json& file) { file["verdict"]["class"] = "none"; }),
            "verdict.class: is \"none\", should be a class such as \"over the bound\"");
  EXPECT_EQ(error_after([](ordered_json& file) { file["verdict"]["measures"]["abs_error"] = "huge"; }),
            "verdict.measures.abs_error: is \"huge\", should be a number, \"inf\", \"-inf\" or \"nan\"");
  EXPECT_EQ(error_after([](ordered_json& file) { file["verdict"]["findings"][0]["kind"] = "bad luck"; }),
            "verdict.findings[0].kind: is \"bad luck\", should be the name of a kind of finding");
  EXPECT_EQ(
      error_after([](ordered_json& file) { file["verdict"]["findings"][0]["parties"][0]["block"][2] = 1.5; }),
      "verdict.findings[0].parties[0].block: should be three whole numbers below 2^32");
}

TEST(CounterexampleFile, refuses_what_is_no_json_or_another_programs) {
  EXPECT_EQ(rejection("[1, 2]"),
            "not a counterexample: the field \"file\" should be \"warpcheck counterexample\"");
  EXPECT_EQ(rejection("{}"),
            "not a counterexample: the field \"file\" should be \"warpcheck counterexample\"");
  EXPECT_EQ(rejection("\x7f"
                      "ELF binary"),
            "not JSON: unexpected text at byte 1 of 11");
  EXPECT_EQ(rejection("{\"a\": 1e999}"), "not JSON: a number is beyond the range of a double");
  EXPECT_EQ(rejection("{\"a\": 1, \"a\": 2}"), "the field \"a\" is there twice");
  EXPECT_EQ(rejection("{\"a\": \"\xff\"}").value_or("").substr(0, 8), "not JSON");
  // A nest of brackets must not exhaust the stack.
  EXPECT_EQ(rejection(std::string(1'000'000, '[')).value_or("").substr(0, 9), "truncated");
}

TEST(CounterexampleFile, is_written_even_if_a_text_is_not_utf8) {
  Counterexample example = plain_counterexample();
  example.built_with = "caf\xe9";
  EXPECT_EQ(counterexample_from_json(to_json(example)).built_with, "caf\xef\xbf\xbd");
}

}  // namespace
}  // namespace warpcheck::engine::testing
