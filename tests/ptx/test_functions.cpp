#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/ptx/parsed.hpp"

namespace warpcheck::ptx {
namespace {

using testing::ElementsAre;

/// Module and function of a body, and its instructions by position.
struct Body {
  explicit Body(std::string_view text) : module(parsed_body(text)) {}
  const Function& function() const { return module.functions.back(); }
  const Instruction& operator[](std::size_t i) const { return function().body.at(i); }
  const Operand& operand(std::size_t i, std::size_t j) const { return (*this)[i].operands.at(j); }
  std::string name(const Operand& operand) const { return function().registers.at(operand.reg).name; }
  Module module;
};

TEST(Instructions, keep_opcode_and_modifiers_in_order) {
  const Body body(
      "ld.global.L1::evict_first.L2::128B.v4.f32 {%f0,%f1,%f2,%f3}, [%rd1]; tex.1d.v4.f32.s32 "
      "{%f0,%f1,%f2,%f3}, [%rd1, {%r1}]; ret;");
  EXPECT_EQ(body[0].opcode, "ld");
  EXPECT_THAT(body[0].modifiers, ElementsAre("global", "L1::evict_first", "L2::128B", "v4", "f32"));
  EXPECT_EQ(body[0].full_name(), "ld.global.L1::evict_first.L2::128B.v4.f32");
  EXPECT_THAT(body[1].modifiers, ElementsAre("1d", "v4", "f32", "s32"));
  EXPECT_EQ(body[2].full_name(), "ret");
  EXPECT_TRUE(body[2].operands.empty());
}

TEST(Instructions, of_unknown_names_are_taken) {
  const Body body("frobnicate.x8.cta_group::2.b1024 {%r1, %r2}, [%rd1], 5;");
  EXPECT_EQ(body[0].full_name(), "frobnicate.x8.cta_group::2.b1024");
  EXPECT_EQ(body[0].operands.size(), 3u);
}

TEST(Instructions, carry_their_guard) {
  const Body body("@%p3 add.s32 %r1, %r2, 1; @!%p4 bra L; @ ! %p5 ret; L: ret;");
  EXPECT_EQ(body.function().registers[body[0].guard->reg].name, "%p3");
  EXPECT_FALSE(body[0].guard->negated);
  EXPECT_TRUE(body[1].guard->negated);
  EXPECT_TRUE(body[2].guard->negated);
  EXPECT_FALSE(body[3].guard.has_value());
}

TEST(Instructions, remember_their_line_in_the_text) {
  const Body body("\n\n@%p1\n ret; /* \n\n */ ret;\n// nothing\n ret;");
  EXPECT_EQ(body[0].source_line, 5u) << "where the guard stands";
  EXPECT_EQ(body[1].source_line, 8u);
  EXPECT_EQ(body[2].source_line, 10u);
}

TEST(Operands, literals_keep_their_bits) {
  const Body body(
      "op 0f3F800000, 0d3FF0000000000000, 1.5, -2, 0x3f80U, ~0, (1+2)*3, -1.5, 1 ? 2 : 3, WARP_SZ-1;");
  const std::vector<OperandKind> kinds = {OperandKind::f32,     OperandKind::f64,     OperandKind::f64,
                                          OperandKind::integer, OperandKind::integer, OperandKind::integer,
                                          OperandKind::integer, OperandKind::f64,     OperandKind::integer,
                                          OperandKind::integer};
  const std::vector<std::uint64_t> bits = {0x3f800000,
                                           0x3ff0000000000000,
                                           0x3ff8000000000000,
                                           ~std::uint64_t{0} - 1,
                                           0x3f80,
                                           ~std::uint64_t{0},
                                           9,
                                           0xbff8000000000000,
                                           2,
                                           31};
  ASSERT_EQ(body[0].operands.size(), kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    EXPECT_EQ(body.operand(0, i).kind, kinds[i]) << i;
    EXPECT_EQ(body.operand(0, i).bits, bits[i]) << i;
  }
}

TEST(Operands, special_registers_include_their_component) {
  const Body body("op %tid.x, %ctaid.b, %laneid, %envreg31, %pm7_64, WARP_SZ, %clusterid.w, %clock64, %tid;");
  std::vector<std::string> names;
  for (const Operand& operand : body[0].operands) {
    EXPECT_EQ(operand.kind, OperandKind::special);
    names.push_back(operand.name);
  }
  EXPECT_THAT(names, ElementsAre("%tid.x", "%ctaid.z", "%laneid", "%envreg31", "%pm7_64", "WARP_SZ",
                                 "%clusterid.w", "%clock64", "%tid"));
}

TEST(Operands, addresses_are_a_base_and_an_offset) {
  const Body body(".shared .u32 s[4]; op [%rd1], [%rd1+8], [%rd1+-4], [%rd1 - 4], [s+4*2+1], [64], [in+4];");
  const std::vector<std::int64_t> offsets = {0, 8, -4, -4, 9, 0, 4};
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    EXPECT_EQ(body.operand(0, i).kind, OperandKind::address) << i;
    EXPECT_EQ(static_cast<std::int64_t>(body.operand(0, i).bits), offsets[i]) << i;
    ASSERT_EQ(body.operand(0, i).elements.size(), 1u) << i;
  }
  EXPECT_EQ(body.name(body.operand(0, 1).elements[0]), "%rd1");
  const Operand& shared = body.operand(0, 4).elements[0];
  EXPECT_EQ(shared.kind, OperandKind::variable);
  EXPECT_EQ(shared.scope, VariableScope::function);
  EXPECT_EQ(body.function().variables[shared.variable].name, "s");
  EXPECT_EQ(body.operand(0, 5).elements[0].kind, OperandKind::integer);
  EXPECT_EQ(body.operand(0, 5).elements[0].bits, 64u);
  EXPECT_EQ(body.operand(0, 6).elements[0].variable, body.function().parameters[0]);
}

TEST(Operands, addresses_of_textures_and_tensors_carry_coordinates) {
  const Body body("tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd1, %rd2, {%f4, %f5}];");
  const Operand& address = body.operand(0, 1);
  ASSERT_EQ(address.elements.size(), 3u);
  EXPECT_EQ(address.elements[1].kind, OperandKind::reg);
  EXPECT_EQ(address.elements[2].kind, OperandKind::vector);
}

TEST(Operands, array_elements_are_addresses) {
  const Body body(
      ".shared .v2 .u32 s[4]; mov.u32 %r1, s[3]; ld.shared.v2.u32 {%r1, %r2}, s[2]; mov.u32 %r1, s+4;");
  EXPECT_EQ(body.operand(0, 1).kind, OperandKind::variable);
  EXPECT_EQ(body.operand(0, 1).bits, 24u);
  EXPECT_EQ(body.operand(1, 1).kind, OperandKind::address);
  EXPECT_EQ(body.operand(1, 1).bits, 16u);
  EXPECT_EQ(body.operand(1, 1).elements.at(0).kind, OperandKind::variable);
  EXPECT_EQ(body.operand(1, 1).elements.at(0).bits, 0u);
  EXPECT_EQ(body.operand(2, 1).bits, 4u);
}

TEST(Operands, pairs_vectors_and_sinks) {
  const Body body(
      "setp.eq.and.s32 %p1|%p2, %r1, %r2, !%p3; shfl.sync.idx.b32 %r1|_, %r2, 0, 31, -1; mov.b64 {_, %r3}, "
      "%rd1;");
  const Operand& pair = body.operand(0, 0);
  EXPECT_EQ(pair.kind, OperandKind::pair);
  EXPECT_EQ(body.name(pair.elements.at(0)), "%p1");
  EXPECT_EQ(body.name(pair.elements.at(1)), "%p2");
  EXPECT_TRUE(body.operand(0, 3).negated);
  EXPECT_EQ(body.operand(1, 0).elements.at(1).kind, OperandKind::sink);
  const Operand& vector = body.operand(2, 0);
  EXPECT_EQ(vector.kind, OperandKind::vector);
  EXPECT_EQ(vector.elements.at(0).kind, OperandKind::sink);
  EXPECT_EQ(body.name(vector.elements.at(1)), "%r3");
}

TEST(Operands, vector_registers_are_registers_in_a_row) {
  const Body body(".reg .v4 .f32 v, w<3>; mov.v4.f32 {%f1,%f2,%f3,%f4}, v; mov.f32 w2.g, v.w; ");
  const Operand& whole = body.operand(0, 1);
  ASSERT_EQ(whole.kind, OperandKind::vector);
  ASSERT_EQ(whole.elements.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(whole.elements[i].reg, whole.elements[0].reg + i);
  EXPECT_EQ(body.name(whole.elements[2]), "v.z");
  EXPECT_EQ(body.name(body.operand(1, 0)), "w2.y");
  EXPECT_EQ(body.name(body.operand(1, 1)), "v.w");
  EXPECT_EQ(body.operand(1, 1).component, 0xff);
}

TEST(Operands, video_instructions_select_and_negate_parts) {
  const Body body("vadd.u32.u32.u32 %r1, %r1.b3, %r2.h1; vmad.u32.u32.u32 %r1, %r1, %r2, -%r3;");
  EXPECT_EQ(body.operand(0, 1).component, 19);
  EXPECT_EQ(body.operand(0, 2).component, 21);
  EXPECT_TRUE(body.operand(1, 3).negated);
}

TEST(Scopes, inner_registers_are_distinct) {
  const Body body("mov.b32 %r1, 0; { .reg .b32 %r1; mov.b32 %r1, 1; { mov.b32 %r1, 2; } } mov.b32 %r1, 3;");
  const std::uint32_t outer = body.operand(0, 0).reg, inner = body.operand(1, 0).reg;
  EXPECT_NE(outer, inner);
  EXPECT_EQ(body.operand(2, 0).reg, inner);
  EXPECT_EQ(body.operand(3, 0).reg, outer);
  EXPECT_EQ(body.function().registers[inner].name, "%r1");
}

TEST(Scopes, numbered_registers_are_all_declared_and_no_others) {
  const Body body("op %r0, %r9;");
  EXPECT_EQ(body.operand(0, 1).reg, body.operand(0, 0).reg + 9);
  EXPECT_EQ(body.name(body.operand(0, 1)), "%r9");
  for (const std::string name : {"%r10", "%r", "%r00", "%r-1", "%rx", "%r99999999999999999999"})
    EXPECT_NE(error_of_body("op " + name + ";"), "none") << name;
}

TEST(Scopes, numbers_belong_to_the_prefix_that_declares_them) {
  const Body body(".reg .f64 %r1<5>; op %r1, %r14, %r10;");
  EXPECT_EQ(body.function().registers[body.operand(0, 0).reg].type, Type::b32);
  EXPECT_EQ(body.function().registers[body.operand(0, 1).reg].type, Type::f64);
  EXPECT_EQ(body.name(body.operand(0, 2)), "%r10");
}

TEST(Scopes, a_declared_name_hides_a_special_register) {
  const Body body(".reg .u32 %tid; mov.u32 %tid, 4;");
  EXPECT_EQ(body.operand(0, 0).kind, OperandKind::reg);
}

TEST(Labels, are_indices_of_instructions_forward_and_back) {
  const Body body("A: ret; bra B; bra A; B: C: ret; bra.uni END; END:");
  EXPECT_EQ(body.operand(1, 0).target, 3u);
  EXPECT_EQ(body.operand(2, 0).target, 0u);
  EXPECT_EQ(body.operand(4, 0).target, 5u) << "a label at the end is the size of the body";
}

TEST(Labels, of_inner_scopes_hide_outer_ones_wherever_they_stand) {
  const Body body("L: { bra L; L: ret; } { bra L; } { L: bra L; } bra M; { bra M; } M: ret;");
  EXPECT_EQ(body.operand(0, 0).target, 1u);
  EXPECT_EQ(body.operand(2, 0).target, 0u);
  EXPECT_EQ(body.operand(3, 0).target, 3u);
  EXPECT_EQ(body.operand(4, 0).target, 6u);
  EXPECT_EQ(body.operand(5, 0).target, 6u);
}

TEST(Labels, of_an_inner_scope_are_unknown_outside) {
  EXPECT_EQ(error_of_body("bra L;\n{ L: }"), "3:5: undefined label 'L' in function 'k'");
}

TEST(Labels, lists_of_branch_targets) {
  const Body body("ts: .branchtargets B, L<2>, A; A: ret; B: ret; L0: ret; L1: ret; @%p1 brx.idx %r1, ts;");
  EXPECT_THAT(body[4].branch_targets, ElementsAre(1u, 2u, 3u, 0u));
  EXPECT_EQ(body[4].operands.size(), 1u);
}

constexpr std::string_view callees =
    ".func (.param .b32 out) f(.param .b32 a, .param .align 8 .b8 b[16]); "
    ".func (.reg .f32 y) g(.reg .f32 x) { mov.f32 y, x; ret; } .func h();";

Module calling(std::string_view body) {
  return parsed(std::string(callees) + " .func caller() { .reg .b64 p; .reg .f32 x, y; " + std::string(body) +
                " }");
}

TEST(Calls, have_results_target_and_arguments) {
  const Module module = calling(
      "{ .param .b32 a; .param .align 8 .b8 b[16]; .param .b32 r; call.uni (r), f, (a, b); } call h; call "
      "(y), g, (1.0); call h, ();");
  const auto& body = module.functions.back().body;
  ASSERT_EQ(body.size(), 4u);
  ASSERT_EQ(body[0].operands.size(), 3u);
  EXPECT_EQ(body[0].operands[0].kind, OperandKind::list);
  EXPECT_EQ(body[0].operands[1].kind, OperandKind::function);
  EXPECT_EQ(body[0].operands[1].name, "f");
  const auto& arguments = body[0].operands[2].elements;
  ASSERT_EQ(arguments.size(), 2u);
  EXPECT_EQ(arguments[1].kind, OperandKind::variable);
  const Variable& b = module.functions.back().variables.at(arguments[1].variable);
  EXPECT_EQ(b.name, "b");
  EXPECT_EQ(b.size, 16u);
  EXPECT_EQ(b.space, Space::param);
  EXPECT_EQ(body[1].operands.size(), 1u);
  EXPECT_EQ(body[2].operands[2].elements.at(0).kind, OperandKind::f64);
  EXPECT_TRUE(body[3].operands.at(1).elements.empty());
  EXPECT_EQ(body[0].prototype, -1);
}

TEST(Calls, through_a_register_name_their_prototype) {
  const Module module = calling(
      "q: .callprototype _; pr : .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[16]) "
      ".noreturn;"
      "{ .param .b32 a, r; .param .align 8 .b8 b[16]; call (r), p, (a, b), pr; } call p, q;"
      "ts: .calltargets g; call (y), p, (x), ts;");
  const Function& f = module.functions.back();
  const Prototype& prototype = f.prototypes.at(f.body[0].prototype);
  EXPECT_EQ(f.body[0].operands.at(1).kind, OperandKind::reg);
  EXPECT_EQ(f.body[0].operands.size(), 3u);
  EXPECT_EQ(prototype.label, "pr");
  EXPECT_EQ(prototype.returns.size(), 1u);
  ASSERT_EQ(prototype.parameters.size(), 2u);
  EXPECT_EQ(prototype.parameters[1].size, 16u);
  EXPECT_EQ(f.prototypes.at(f.body[1].prototype).label, "q");
  const Prototype& targets = f.prototypes.at(f.body[2].prototype);
  EXPECT_EQ(targets.returns.at(0).type, Type::f32);
  EXPECT_EQ(targets.parameters.at(0).space, Space::reg);
}

TEST(Calls, need_what_they_name) {
  EXPECT_EQ(
      error_of_body("call nobody;"),
      "3:6: undefined name 'nobody': expected a register, variable or function declared before this place");
  EXPECT_EQ(error_of_body("call %rd1, (%r1);"),
            "3:17: expected ',' and the label of the prototype of an indirect call, found ';'");
  EXPECT_EQ(
      error_of_body("call %rd1, (%r1), pr;"),
      "3:19: undefined label 'pr': expected a label of .callprototype or .calltargets before this place");
}

TEST(Functions, keep_signature_and_launch_bounds) {
  const Module module = parsed(
      ".extern .func f(.param .b64 a) .noreturn; "
      ".visible .entry k(.param .u64 .ptr .global .align 16 p, .param .align 8 .b8 s[24]) .maxntid 128, 2 "
      ".minnctapersm 3 "
      ".maxnreg 64 .pragma \"nounroll\"; { ret; } "
      ".entry n .reqntid 32 { ret; } .weak .func (.param .b32 r) w(.reg .b32 x) { ret; }");
  ASSERT_EQ(module.functions.size(), 4u);
  EXPECT_TRUE(module.functions[0].is_noreturn);
  EXPECT_FALSE(module.functions[0].is_defined);
  EXPECT_FALSE(module.functions[0].is_entry);
  const Function& k = module.functions[1];
  EXPECT_TRUE(k.is_entry);
  EXPECT_TRUE(k.is_defined);
  EXPECT_THAT(k.max_threads, ElementsAre(128u, 2u, 1u));
  EXPECT_THAT(k.required_threads, ElementsAre(0u, 0u, 0u));
  EXPECT_EQ(k.min_blocks_per_sm, 3u);
  ASSERT_EQ(k.parameters.size(), 2u);
  EXPECT_EQ(k.variables[k.parameters[0]].alignment, 8u) << "not the alignment of what it points to";
  EXPECT_EQ(k.variables[k.parameters[1]].size, 24u);
  EXPECT_THAT(module.functions[2].required_threads, ElementsAre(32u, 1u, 1u));
  const Function& w = module.functions[3];
  EXPECT_THAT(w.parameter_is_reg, ElementsAre(true));
  EXPECT_THAT(w.return_is_reg, ElementsAre(false));
  EXPECT_EQ(w.registers[w.parameters[0]].name, "x");
  EXPECT_EQ(w.variables[w.returns[0]].name, "r");
}

TEST(Functions, definitions_win_over_declarations_and_aliases_name_them) {
  const Module module =
      parsed(".func f(); .func f() { ret; } .func f(); .func a(); .alias a, f; .func only();");
  ASSERT_NE(module.find("f"), nullptr);
  EXPECT_TRUE(module.find("f")->is_defined);
  EXPECT_EQ(module.find("a"), module.find("f"));
  ASSERT_NE(module.find("only"), nullptr);
  EXPECT_FALSE(module.find("only")->is_defined);
  EXPECT_EQ(module.find("g"), nullptr);
}

TEST(Functions, may_call_themselves_but_not_what_comes_later) {
  EXPECT_EQ(error_of(".func f() { call f; ret; }"), "none");
  EXPECT_EQ(error_of(".func f() { call g; ret; } .func g() { ret; }"),
            "2:18: undefined name 'g': expected a register, variable or function declared before this place");
}

TEST(Pragmas, mark_used_bytes_of_the_next_instruction_if_it_loads) {
  const Body body(
      ".pragma \"used_bytes_mask 0xfff\"; ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd1]; ld.global.u32 %r1, "
      "[%rd1];"
      ".pragma \"used_bytes_mask 7\"; add.s32 %r1, %r1, 1; ld.global.u32 %r1, [%rd1];"
      ".pragma \"nounroll\", \"used_bytes_mask 0x80000001\"; ld.global.u32 %r1, [%rd1];");
  EXPECT_EQ(body[0].used_bytes_mask, 0xfffu);
  EXPECT_EQ(body[1].used_bytes_mask, std::nullopt);
  EXPECT_EQ(body[2].used_bytes_mask, std::nullopt);
  EXPECT_EQ(body[3].used_bytes_mask, std::nullopt);
  EXPECT_EQ(body[4].used_bytes_mask, 0x80000001u);
}

}  // namespace
}  // namespace warpcheck::ptx
