#include "framework/report/junit.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/report/samples.hpp"

namespace warpcheck::report {
namespace {

std::string describe(const engine::CheckResult& check) {
  return check.counterexample ? check.counterexample->text : "nothing";
}

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::vector<Element> children;
  std::string text;
};

/// A reader of well-formed XML without comments, processing instructions (but the first) and CDATA; anything
/// else throws.
class XmlReader {
 public:
  explicit XmlReader(std::string text) : text_(std::move(text)) {}

  Element document() {
    demand("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    Element root = element();
    demand("\n");
    if (at_ != text_.size()) throw std::runtime_error("text after the root");
    return root;
  }

 private:
  void demand(std::string_view what) {
    if (text_.compare(at_, what.size(), what) != 0) {
      throw std::runtime_error("expected " + std::string(what) + " at " + text_.substr(at_, 40));
    }
    at_ += what.size();
  }

  std::string name() {
    std::string result;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0))
      result += text_[at_++];
    if (result.empty()) throw std::runtime_error("no name at " + text_.substr(at_, 40));
    return result;
  }

  std::string characters(char end) {
    static const std::map<std::string, std::string> entities{
        {"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}, {"#10", "\n"}, {"#9", "\t"}, {"#13", "\r"}};
    std::string result;
    while (at_ < text_.size() && text_[at_] != end) {
      const char c = text_[at_++];
      if (c == '<') throw std::runtime_error("a bare <");
      if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
        throw std::runtime_error("a control character");
      if (c != '&') {
        result += c;
        continue;
      }
      const std::size_t semicolon = text_.find(';', at_);
      result += entities.at(text_.substr(at_, semicolon - at_));
      at_ = semicolon + 1;
    }
    return result;
  }

  Element element() {
    demand("<");
    Element result;
    result.name = name();
    while (text_.at(at_) == ' ') {
      ++at_;
      const std::string key = name();
      demand("=\"");
      if (!result.attributes.emplace(key, characters('"')).second) throw std::runtime_error("twice: " + key);
      demand("\"");
    }
    if (text_.compare(at_, 2, "/>") == 0) {
      at_ += 2;
      return result;
    }
    demand(">");
    for (;;) {
      result.text += characters('<');
      if (text_.compare(at_, 2, "</") == 0) break;
      result.children.push_back(element());
    }
    demand("</");
    demand(result.name);
    demand(">");
    return result;
  }

  std::string text_;
  std::size_t at_ = 0;
};

TEST(Junit, is_well_formed_with_one_test_case_a_check) {
  const auto checks = sample_checks();
  const Element root = XmlReader(junit_xml(checks, describe)).document();
  EXPECT_EQ(root.name, "testsuites");
  EXPECT_EQ(root.attributes.at("tests"), "20");
  EXPECT_EQ(root.attributes.at("failures"), "1");
  EXPECT_EQ(root.attributes.at("skipped"), "3");
  ASSERT_EQ(root.children.size(), 5u);
  std::size_t cases = 0;
  for (const Element& suite : root.children) {
    EXPECT_EQ(suite.name, "testsuite");
    EXPECT_EQ(suite.attributes.at("tests"), std::to_string(suite.children.size()));
    for (const Element& test : suite.children) {
      EXPECT_EQ(test.name, "testcase");
      EXPECT_EQ(test.attributes.at("classname"), suite.attributes.at("name"));
      ++cases;
    }
  }
  EXPECT_EQ(cases, checks.size());
}

TEST(Junit, falsified_fails_with_its_message_and_what_was_not_judged_is_skipped_with_its_reason) {
  const Element root = XmlReader(junit_xml(sample_checks(), describe)).document();
  const Element& failed = root.children[1].children[1];
  ASSERT_EQ(failed.children.size(), 1u);
  EXPECT_EQ(failed.children[0].name, "failure");
  EXPECT_EQ(failed.children[0].attributes.at("type"), "wrong value");
  EXPECT_EQ(failed.children[0].attributes.at("message"), "the last element is missing: 2 < 2.1 & \"wrong\"");
  EXPECT_EQ(failed.children[0].text, "exact_window fails for tree_two_pass on cpu\n  input [1, 1, 0.1]\n");
  const auto skipped = [&](std::size_t kernel, std::size_t property) {
    return root.children[kernel].children[property].children.at(0);
  };
  EXPECT_EQ(skipped(3, 1).name, "skipped");
  EXPECT_EQ(skipped(3, 1).attributes.at("message"), "not run: the budget was used up");
  EXPECT_EQ(skipped(4, 2).attributes.at("message"),
            "inapplicable: the contract does not promise that runs are equal");
  EXPECT_EQ(skipped(4, 3).attributes.at("message"),
            "no power: no case had a tolerance below the sum of magnitudes");
  EXPECT_TRUE(root.children[0].children[0].children.empty());
}

TEST(Junit, any_bytes_give_well_formed_text) {
  auto check = sample_checks()[5];
  std::string bytes;
  for (int c = 0; c < 256; ++c) bytes += static_cast<char>(c);
  bytes += "κ\xef\xbf\xbf\xed\xa0\x80\xf0\x9f\x98\x80]]>";
  check.kernel = bytes;
  check.counterexample->text = bytes;
  check.counterexample->verdict.reason = bytes;
  const std::string xml = junit_xml({&check, 1}, describe);
  const Element root = XmlReader(xml).document();
  EXPECT_NE(root.children[0].children[0].children[0].text.find("κ"), std::string::npos);
  EXPECT_NE(xml.find("\xf0\x9f\x98\x80"), std::string::npos);
  EXPECT_EQ(xml.find("\xef\xbf\xbf"), std::string::npos);
  EXPECT_EQ(xml.find("\xed\xa0\x80"), std::string::npos);
}

}  // namespace
}  // namespace warpcheck::report
