#include "framework/report/junit.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "framework/report/tally.hpp"

namespace warpcheck::report {

namespace {

/// Length of the valid UTF-8 sequence that `text` begins with; 0 if it begins with none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xc2 && lead < 0xe0 ? 2
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xf0 && lead < 0xf5 ? 4
                                                           : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0u) != 0x80u) return 0;
  }
  if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) >= 0xa0) ||
      (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) >= 0x90)) {
    return 0;
  }
  // XML allows every character but U+FFFE and U+FFFF here.
  if (lead == 0xef && byte(1) == 0xbf && byte(2) >= 0xbe) return 0;
  return length;
}

/// For text and attribute values alike.
std::string escaped(std::string_view text, bool attribute) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const char c = text.front();
    if (length == 0) {
      result += "\xef\xbf\xbd";
    } else if (length > 1) {
      result += text.substr(0, length);
    } else if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (attribute && (c == '\n' || c == '\t' || c == '\r')) {
      result += fmt::format("&#{};", static_cast<int>(c));
    } else if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') {
      result += "\xef\xbf\xbd";
    } else {
      result += c;
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string attribute(std::string_view text) {
  return escaped(text, true);
}

std::string counts(const Tally& sum) {
  return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\"", sum.checks(),
                     sum.falsified, sum.no_power + sum.inapplicable + sum.not_run, sum.seconds);
}

}  // namespace

std::string junit_xml(std::span<const engine::CheckResult> checks,
                      const std::function<std::string(const engine::CheckResult&)>& describe) {
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  xml += fmt::format("<testsuites name=\"warpcheck\" {}>\n", counts(tally(checks)));

  std::vector<std::string> kernels;
  for (const auto& check : checks) {
    if (std::find(kernels.begin(), kernels.end(), check.kernel) == kernels.end())
      kernels.push_back(check.kernel);
  }
  for (const std::string& kernel : kernels) {
    std::vector<engine::CheckResult> suite;
    std::copy_if(checks.begin(), checks.end(), std::back_inserter(suite),
                 [&](const engine::CheckResult& check) { return check.kernel == kernel; });
    xml += fmt::format("  <testsuite name=\"{}\" {}>\n", attribute(kernel), counts(tally(suite)));
    for (const engine::CheckResult& check : suite) {
      xml += fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\"",
                         attribute(check.property), attribute(check.kernel), check.seconds);
      switch (check.verdict) {
        case VerdictKind::holds:
          xml += "/>\n";
          break;
        case VerdictKind::falsified:
          xml += fmt::format(
              ">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
              attribute(name_of(check.failure)),
              attribute(check.counterexample ? check.counterexample->verdict.reason : check.reason),
              escaped(describe(check), false));
          break;
        case VerdictKind::no_power:
        case VerdictKind::inapplicable:
        case VerdictKind::not_run:
          xml += fmt::format(">\n      <skipped message=\"{}: {}\"/>\n    </testcase>\n",
                             name_of(check.verdict), attribute(check.reason));
          break;
      }
    }
    xml += "  </testsuite>\n";
  }
  return xml + "</testsuites>\n";
}

}  // namespace warpcheck::report
