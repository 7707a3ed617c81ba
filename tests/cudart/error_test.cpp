// Faults of kernels, and errors that stay.

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

#include "framework/ptx/module.hpp"
#include "tests/cudart/fatbin_image.hpp"
#include "tests/cudart/loaded_plugin.hpp"

extern "C" {
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaUnregisterFatBinary(void**);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*);
struct GridOrBlock {
  unsigned x, y, z;
};
int cudaLaunchKernel(const void*, GridOrBlock, GridOrBlock, void**, std::size_t, void*);
int cudaPeekAtLastError();
const char* cudaGetErrorName(int);
const char* cudaGetErrorString(int);
}

namespace warpcheck::cudart {
namespace {

using testing::HasSubstr;

using Fault = PluginTest;

struct Expected {
  int kind;
  int code;
  FindingKind finding;
};

TEST_F(Fault, has_the_devices_code_and_a_finding) {
  const Expected cases[] = {
      {1, 700, FindingKind::out_of_bounds},    {2, 716, FindingKind::misaligned},
      {3, 710, FindingKind::assertion_failed}, {4, 719, FindingKind::trap},
      {5, 700, FindingKind::null_pointer},     {6, 702, FindingKind::time_out},
      {7, 700, FindingKind::use_after_free},   {8, 700, FindingKind::host_pointer},
  };
  for (const Expected& expected : cases) {
    runtime().begin_case(settings());
    EXPECT_EQ(basics<int(int)>("fault", expected.kind), expected.code) << "fault " << expected.kind;
    const CaseReport report = runtime().end_case();
    EXPECT_EQ(report.sticky_error, expected.code);
    ASSERT_EQ(report.findings.size(), 1u) << "fault " << expected.kind;
    EXPECT_EQ(report.findings[0].kind, expected.finding) << report.findings[0].message;
    EXPECT_EQ(report.launches, 1u);
    EXPECT_TRUE(report.failed_launches.empty());
  }
  runtime().begin_case(settings());
  EXPECT_EQ(basics<int(int)>("fault", 0), 0);
  EXPECT_TRUE(runtime().end_case().findings.empty());
}

TEST_F(Fault, stays_until_the_next_case) {
  EXPECT_EQ(basics<int(int)>("fault", 4), 719);
  EXPECT_EQ(basics<int()>("get_last_error"), 719);
  EXPECT_EQ(basics<int()>("get_last_error"), 719);
  EXPECT_EQ(basics<int()>("peek_last_error"), 719);
  void* p = nullptr;
  EXPECT_EQ(basics<int(std::size_t, void**)>("malloc_and_leak", std::size_t{16}, &p), 719);
  EXPECT_EQ(basics<int(int)>("fault", 0), 719);
  const CaseReport report = runtime().end_case();
  EXPECT_EQ(report.launches, 1u);
  EXPECT_EQ(report.sticky_error, 719);
  runtime().begin_case(settings());
  EXPECT_EQ(basics<int()>("get_last_error"), 0);
  EXPECT_EQ(basics<int(int)>("fault", 0), 0);
}

TEST_F(Fault, does_not_spoil_a_kernel_that_is_first_launched_after_it) {
  EXPECT_EQ(basics<int(int)>("fault", 4), 719);
  EXPECT_EQ(basics<int(int*)>("launch_first_after_fault", nullptr), 719);
  runtime().begin_case(settings());
  auto* const p = reinterpret_cast<int*>(runtime().memory().allocate(4, simt::AllocationKind::managed, "p"));
  EXPECT_EQ(basics<int(int*)>("launch_first_after_fault", p), 0);
  EXPECT_EQ(*p, 9);
}

TEST_F(Fault, is_not_what_a_wrong_argument_is) {
  EXPECT_EQ(basics<int(void*)>("free_device", reinterpret_cast<void*>(64)), 1);
  EXPECT_EQ(basics<int()>("peek_last_error"), 1);
  EXPECT_EQ(basics<int()>("get_last_error"), 1);
  EXPECT_EQ(basics<int()>("get_last_error"), 0);
  EXPECT_EQ(basics<int(int)>("fault", 0), 0);
  const CaseReport report = runtime().end_case();
  EXPECT_EQ(report.sticky_error, 0);
  ASSERT_EQ(report.api_errors.size(), 1u);
  EXPECT_EQ(report.api_errors[0].function, "cudaFree");
  EXPECT_EQ(report.api_errors[0].message, "0x40 is not an allocation");
}

TEST_F(Fault, counts_equal_errors_of_one_function) {
  for (int i = 0; i < 3; ++i) basics<int(void*)>("free_device", reinterpret_cast<void*>(64));
  const CaseReport report = runtime().end_case();
  ASSERT_EQ(report.api_errors.size(), 1u);
  EXPECT_EQ(report.api_errors[0].count, 3u);
}

TEST(ErrorName, is_cudas_identifier) {
  EXPECT_STREQ(cudaGetErrorName(0), "cudaSuccess");
  EXPECT_STREQ(cudaGetErrorName(1), "cudaErrorInvalidValue");
  EXPECT_STREQ(cudaGetErrorName(700), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorName(999), "cudaErrorUnknown");
  EXPECT_STREQ(cudaGetErrorName(12345), "unrecognized error code");
  EXPECT_STRNE(cudaGetErrorString(700), "");
  EXPECT_STREQ(cudaGetErrorString(-1), "unrecognized error code");
}

/// A binary registered by hand, as the code that nvcc generates does it. Needs no nvcc.
class HandMadeBinary {
 public:
  explicit HandMadeBinary(const std::vector<EntryToWrite>& entries, const char* kernel = "k")
      : image_(fatbin_of(entries)) {
    wrapper_.data = image_.data();
    handle_ = __cudaRegisterFatBinary(&wrapper_);
    __cudaRegisterFunction(handle_, &host_function_, nullptr, kernel, -1, nullptr, nullptr, nullptr, nullptr,
                           nullptr);
    __cudaRegisterFatBinaryEnd(handle_);
  }
  ~HandMadeBinary() { __cudaUnregisterFatBinary(handle_); }
  HandMadeBinary(const HandMadeBinary&) = delete;
  HandMadeBinary& operator=(const HandMadeBinary&) = delete;

  int launch(void** arguments = nullptr) {
    return cudaLaunchKernel(&host_function_, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr);
  }

 private:
  std::vector<std::byte> image_;
  FatbinWrapper wrapper_;
  char host_function_{};
  void** handle_{};
};

constexpr const char* kEmptyKernel =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n ret;\n}\n";

/// Launches the binary's kernel in a case of its own: the code, and the report.
std::pair<int, CaseReport> launch_alone(HandMadeBinary& binary) {
  Runtime& runtime = Runtime::instance();
  runtime.begin_case({});
  const int code = binary.launch();
  return {code, runtime.end_case()};
}

TEST(Binary, runs_ptx_that_was_written_by_hand) {
  HandMadeBinary binary({{1, 80, kEmptyKernel}});
  const auto [code, report] = launch_alone(binary);
  EXPECT_EQ(code, 0);
  EXPECT_EQ(report.launches, 1u);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.warp_instructions, 1u);
}

TEST(Binary, with_damaged_ptx_is_an_error_and_a_finding_in_every_case) {
  HandMadeBinary binary(
      {{1, 80, ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n ret\n}\n"}});
  for (int i = 0; i < 2; ++i) {
    const auto [code, report] = launch_alone(binary);
    EXPECT_EQ(code, 218);
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].kind, FindingKind::invalid_program);
    EXPECT_THAT(report.findings[0].message, HasSubstr("PTX line 7"));
    ASSERT_EQ(report.failed_launches.size(), 1u);
    EXPECT_EQ(report.failed_launches[0].error, 218);
    EXPECT_EQ(report.sticky_error, 0);
  }
}

TEST(Binary, of_a_later_ptx_version_is_told_apart_from_a_damaged_one) {
  HandMadeBinary binary({{1, 80, ".version 99.0\n.target sm_80\n.address_size 64\n.hologram x;\n"}});
  EXPECT_EQ(launch_alone(binary).first, 222);
}

TEST(Binary, without_ptx_for_the_device_says_what_it_has) {
  HandMadeBinary binary({{1, 90, kEmptyKernel}, {2, 80, "ELF"}});
  const auto [code, report] = launch_alone(binary);
  EXPECT_EQ(code, 209);
  ASSERT_EQ(report.failed_launches.size(), 1u);
  EXPECT_THAT(report.failed_launches[0].message,
              HasSubstr("no PTX for sm_80 or lower (there is: PTX for sm_90, machine code for sm_80)"));
}

TEST(Binary, without_the_registered_kernel_is_an_error) {
  HandMadeBinary binary({{1, 80, kEmptyKernel}}, "other");
  const auto [code, report] = launch_alone(binary);
  EXPECT_EQ(code, 98);
  EXPECT_EQ(report.failed_launches.at(0).message, "other is not in the binary's PTX");
}

TEST(Binary, with_an_unknown_instruction_is_listed_and_not_run) {
  HandMadeBinary binary({{1, 80,
                          ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n .reg .b32 "
                          "%r<2>;\n frobnicate.b32 %r1, "
                          "%r1;\n ret;\n}\n"}});
  Runtime& runtime = Runtime::instance();
  runtime.begin_case({});
  const std::vector<std::string> lines = runtime.unsupported();
  ASSERT_EQ(
      std::count_if(lines.begin(), lines.end(),
                    [](const std::string& line) { return line.find("frobnicate.b32") != std::string::npos; }),
      1);
  EXPECT_EQ(binary.launch(), 801);
  const CaseReport report = runtime.end_case();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, FindingKind::unsupported);
  EXPECT_EQ(report.sticky_error, 0);
  EXPECT_EQ(report.failed_launches.size(), 1u);
}

TEST(Binary, needs_all_its_arguments) {
  HandMadeBinary binary(
      {{1, 80,
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n ret;\n}\n"}});
  Runtime& runtime = Runtime::instance();
  runtime.begin_case({});
  EXPECT_EQ(binary.launch(nullptr), 1);
  std::uint64_t value = 0;
  void* arguments[] = {&value};
  EXPECT_EQ(binary.launch(arguments), 0);
  EXPECT_EQ(runtime.end_case().failed_launches.at(0).message, "argument 1 of k is missing");
}

TEST(Binary, is_forgotten_when_it_is_unregistered) {
  Runtime& runtime = Runtime::instance();
  const std::size_t before = runtime.kernels().size();
  const std::size_t live = runtime.memory().live_count();
  {
    HandMadeBinary binary({{1, 80, std::string(kEmptyKernel) + ".visible .global .b32 v[100];\n"}});
    EXPECT_EQ(runtime.kernels().size(), before + 1);
    EXPECT_EQ(runtime.kernels().back(), "k");
    EXPECT_EQ(binary.launch(), 0);
    EXPECT_GT(runtime.memory().live_count(), live);
  }
  EXPECT_EQ(runtime.kernels().size(), before);
  EXPECT_EQ(runtime.memory().live_count(), live);
}

}  // namespace
}  // namespace warpcheck::cudart
