#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

#include "framework/simt/engine.hpp"

// The functions that nvcc leaves to the runtime: printf, assert, malloc and free in kernels.
namespace warpcheck::simt {
namespace {

constexpr std::size_t kLongestText = 4096;
constexpr std::size_t kLongestRun = 4;  ///< of flags or of digits in a conversion: more is no sensible width

/// One conversion of a format: "%-8.3lld".
struct Conversion {
  std::string spelling;  ///< without length modifiers, the type letter last
  char type{};
  bool is_long{};  ///< 8 bytes for an integer
  int stars{};     ///< widths and precisions taken from arguments
};

/// Reads a conversion that starts at text[at] == '%'; false if it is not one.
bool read_conversion(const std::string& text, std::size_t& at, Conversion& conversion) {
  std::size_t i = at + 1;
  conversion.spelling = "%";
  std::size_t longest = 0;  // run of digits
  const auto take_while = [&](const char* set) {
    const std::size_t begin = i;
    while (i < text.size() && text[i] != '\0' && std::strchr(set, text[i]) != nullptr) {
      if (text[i] == '*') ++conversion.stars;
      conversion.spelling += text[i++];
    }
    longest = std::max(longest, i - begin);
  };
  take_while("-+ #0");
  take_while("0123456789*");
  if (i < text.size() && text[i] == '.') {
    conversion.spelling += text[i++];
    take_while("0123456789*");
  }
  while (i < text.size() && std::strchr("hljztL", text[i]) != nullptr && text[i] != '\0') {
    if (text[i] != 'h' && text[i] != 'L') conversion.is_long = true;
    ++i;
  }
  if (longest > kLongestRun || i >= text.size() || std::strchr("diouxXcfFeEgGaAsp%", text[i]) == nullptr)
    return false;
  conversion.type = text[i];
  at = i + 1;
  return true;
}

}  // namespace

bool Engine::read_bytes(Warp& warp, Group& group, int lane, std::uint64_t address, std::span<std::byte> to) {
  MemoryOp op;
  op.element_bytes = 1;
  op.type = ptx::Type::u8;
  op.site = program_->memory_sites;  // one more than the instructions have
  for (std::size_t i = 0; i < to.size(); ++i) {
    std::byte* bytes = nullptr;
    ptx::Space space{};
    if (!resolve_lane(warp, group, op, false, lane, address + i, bytes, space)) {
      std::uint64_t all[kWarpSize];
      for (auto& one : all) one = address + i;
      report_access(warp, group, op, false, LaneMask{1} << lane, all);
      return false;
    }
    to[i] = *bytes;
  }
  return true;
}

bool Engine::read_text(Warp& warp, Group& group, int lane, std::uint64_t address, std::string& text) {
  text.clear();
  while (text.size() < kLongestText) {
    std::byte byte{};
    if (!read_bytes(warp, group, lane, address + text.size(), std::span(&byte, 1))) return false;
    if (byte == std::byte{0}) break;
    text += static_cast<char>(byte);
  }
  return true;
}

/// What printf writes. The argument buffer holds the promoted arguments one after another, each at a multiple
/// of its size: 4 bytes for int and unsigned, 8 for long, double and pointers.
bool Engine::print(Warp& warp, Group& group, int lane, std::uint64_t format_address, std::uint64_t arguments,
                   std::uint32_t& count) {
  std::string format, out;
  count = 0;
  if (!read_text(warp, group, lane, format_address, format)) return false;
  const auto next = [&](std::uint32_t bytes, std::uint64_t& value) {
    arguments = (arguments + bytes - 1) / bytes * bytes;
    value = 0;
    std::byte buffer[8]{};
    if (!read_bytes(warp, group, lane, arguments, std::span(buffer).first(bytes))) return false;
    std::memcpy(&value, buffer, sizeof value);
    arguments += bytes;
    return true;
  };
  for (std::size_t at = 0; at < format.size();) {
    Conversion conversion;
    if (format[at] != '%' || !read_conversion(format, at, conversion)) {
      out += format[at++];
      continue;
    }
    if (conversion.type == '%') {
      out += '%';
      continue;
    }
    int stars[2]{};
    for (int i = 0; i < conversion.stars && i < 2; ++i) {
      std::uint64_t value = 0;
      if (!next(4, value)) return false;
      stars[i] = static_cast<int>(static_cast<std::uint32_t>(value));
      // A width that fills the memory helps nobody.
      stars[i] =
          std::min(std::max(stars[i], -static_cast<int>(kLongestText)), static_cast<int>(kLongestText));
    }
    std::string piece;
    const auto put = [&](const char* length, auto value) {
      std::string spelling = conversion.spelling + length + conversion.type;
      const auto write = [&](char* to, std::size_t room) {
        switch (conversion.stars) {
          case 0:
            return std::snprintf(to, room, spelling.c_str(), value);
          case 1:
            return std::snprintf(to, room, spelling.c_str(), stars[0], value);
          default:
            return std::snprintf(to, room, spelling.c_str(), stars[0], stars[1], value);
        }
      };
      const int length_needed = write(nullptr, 0);
      if (length_needed < 0) return;
      piece.resize(static_cast<std::size_t>(length_needed) + 1);
      write(piece.data(), piece.size());
      piece.pop_back();
    };
    std::uint64_t value = 0;
    switch (conversion.type) {
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        if (!next(8, value)) return false;
        put("", std::bit_cast<double>(value));
        break;
      case 's': {
        if (!next(8, value)) return false;
        std::string text;
        if (value == 0) {
          text = "(null)";
        } else if (!read_text(warp, group, lane, value, text)) {
          return false;
        }
        put("", text.c_str());
        break;
      }
      case 'p':
        if (!next(8, value)) return false;
        put("", reinterpret_cast<void*>(value));
        break;
      case 'c':
        if (!next(4, value)) return false;
        put("", static_cast<int>(static_cast<std::uint32_t>(value)));
        break;
      default:
        if (!next(conversion.is_long ? 8 : 4, value)) return false;
        if (conversion.is_long) {
          put("ll", static_cast<long long>(value));
        } else {
          put("", static_cast<int>(static_cast<std::uint32_t>(value)));
        }
        break;
    }
    out += piece;
    ++count;
  }
  if (output_ != nullptr) output_->write(out);
  return true;
}

Engine::Step Engine::call_builtin(Warp& warp, Group& group, const Instr& instr, LaneMask mask) {
  Frame& frame = *group.frame;
  const CallSite& site = frame.code->calls[instr.aux];
  const auto argument = [&](std::size_t i, int lane) {
    const std::uint64_t value = read_value(warp, frame, site.arguments[i], lane);
    return site.arguments[i].bytes >= 8 ? value
                                        : value & ((std::uint64_t{1} << 8 * site.arguments[i].bytes) - 1);
  };
  const auto result = [&](int lane, std::uint64_t value) {
    if (!site.results.empty()) write_value(warp, frame, site.results[0], lane, value);
  };
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    switch (site.builtin) {
      case Builtin::vprintf: {
        std::uint32_t count = 0;
        if (!print(warp, group, lane, argument(0, lane), argument(1, lane), count)) return Step::stopped;
        result(lane, count);
        break;
      }
      case Builtin::assert_fail: {
        std::string message, file, function;
        if (!read_text(warp, group, lane, argument(0, lane), message) ||
            !read_text(warp, group, lane, argument(1, lane), file) ||
            !read_text(warp, group, lane, argument(3, lane), function)) {
          return Step::stopped;
        }
        Finding finding = begin_finding(FindingKind::assertion_failed);
        finding.parties.push_back(party(warp, group, lane));
        finding.message = "assertion `" + message + "` failed in " + thread_text(finding.parties.front()) +
                          ", " + file + ":" + std::to_string(argument(2, lane)) + ", " + function;
        finding.advice = "the kernel's own check says that its input or its state is not what it expects";
        finding.count = static_cast<std::uint64_t>(std::popcount(mask));
        if (output_ != nullptr) {
          const Party& who = finding.parties.front();
          const auto triple = [](const std::uint32_t* v) {
            std::string text = "[";
            text.append(std::to_string(v[0])).append(",").append(std::to_string(v[1]));
            return text.append(",").append(std::to_string(v[2])).append("]");
          };
          output_->write(file + ":" + std::to_string(argument(2, lane)) + ": " + function +
                         ": block: " + triple(who.block) + ", thread: " + triple(who.thread) +
                         " Assertion `" + message + "` failed.\n");
        }
        report(std::move(finding));
        return Step::stopped;
      }
      case Builtin::malloc:
        result(lane, memory_.allocate(argument(0, lane), AllocationKind::device,
                                      "malloc in " + frame.code->demangled));
        break;
      case Builtin::free: {
        const std::uint64_t address = argument(0, lane);
        if (address == 0) break;
        const Allocation* const allocation = memory_.find(address);
        const bool freed_before = allocation != nullptr && !allocation->live;
        const bool ours = allocation != nullptr && allocation->live && allocation->begin == address &&
                          allocation->kind == AllocationKind::device;
        if (!ours || !memory_.free(address)) {
          Finding finding =
              begin_finding(freed_before ? FindingKind::use_after_free : FindingKind::out_of_bounds);
          finding.parties.push_back(party(warp, group, lane));
          if (allocation != nullptr) finding.object = allocation->name;
          char text[24];
          std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
          finding.message =
              thread_text(finding.parties.front()) + " frees address " + text +
              (freed_before ? ", which has been freed before" : ", which malloc did not return");
          finding.advice = "free what malloc returned, once";
          report(std::move(finding));
          return Step::stopped;
        }
        forget_sites();
        break;
      }
      case Builtin::none:
        break;
    }
  }
  return Step::advance;
}

}  // namespace warpcheck::simt
