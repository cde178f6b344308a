/// Tests assembly that g++ does not write for honest code: the pass handles it or refuses it.
#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "tools/coursework/confine/externals.hpp"
#include "tools/coursework/confine/guards.hpp"
#include "tools/coursework/confine/instruction.hpp"
#include "tools/coursework/confine/object_rules.hpp"
#include "tools/coursework/confine/stack_depth.hpp"
#include "tools/support/subprocess.hpp"

using namespace coursework::confine;

namespace {

/// Returns a kernel that contains these lines.
std::string kernel_with(const std::string& lines, const std::string& data = {}) {
  return "\t.file\t\"k.cu\"\n\t.text\n\t.globl\t_Z1kv\n\t.type\t_Z1kv, @function\n_Z1kv:\n" +
         lines +
         "\tret\n\t.size\t_Z1kv, .-_Z1kv\n\t.section\t.data.rel.ro.local,\"aw\"\n"
         "\t.type\tconfined_kernel_0, @object\nconfined_kernel_0:\n\t.quad\t_Z1kv\n" +
         data;
}

std::string guarded(const std::string& text) {
  try {
    return guard(read_assembly(text, "k.cu"), {0}).text;
  } catch (const Refused& refused) {
    return "refused: " + refused.refusal.rule + ": " + refused.refusal.message;
  }
}
std::string guarded_line(const std::string& line) {
  return guarded(kernel_with("\t" + line + "\n"));
}

bool is_refused(const std::string& line) { return guarded_line(line).starts_with("refused: "); }
bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("instructions that nobody knows are refused") {
  for (const char* const line : {"syscall",
                                 "int $0x80",
                                 "int3",
                                 "popfq",
                                 "pushfq",
                                 "std",
                                 "leave",
                                 "enter $8, $0",
                                 "rep movsb",
                                 "rep stosq",
                                 "movsb",
                                 "lodsl",
                                 "xlat",
                                 "maskmovdqu %xmm0, %xmm1",
                                 "ldmxcsr (%rax)",
                                 "fxrstor (%rax)",
                                 "wrfsbase %rax",
                                 "rdtsc",
                                 "cpuid",
                                 "lock addl $1, (%rax)",
                                 "xchgl %eax, (%rbx)",
                                 "cmpxchgl %eax, (%rbx)",
                                 "btsl %eax, (%rbx)",
                                 "movntiq %rax, (%rbx)",
                                 "vmovss (%rax), %xmm0",
                                 "fldt (%rax)",
                                 "hlt",
                                 "iretq",
                                 "ret $8",
                                 "retf",
                                 "nop (%rax)",
                                 "movl %ds:(%rax), %eax",
                                 "movq %gs:0, %rax",
                                 "movq %rax, %ds",
                                 "addr32 movl (%eax), %eax",
                                 "movl (%eax), %eax",
                                 "popq (%rax)",
                                 "movabsq 1234, %rax",
                                 "data16 ret",
                                 "notrack jmp *%rax",
                                 "xbegin .L1",
                                 "movups (%rax), %xmm0; syscall",
                                 "movl $1, %eax # \"",
                                 "call *%rax",
                                 "call *8(%rax)",
                                 "jmp *%rax",
                                 "call *f@GOTPCREL(%rip)",
                                 "jmp _Z1kv",
                                 "call .L1",
                                 "movq f@GOTPCREL(%rip), %rax",
                                 "loop .L1",
                                 "jrcxz .L1",
                                 "movb %ah, %spl"}) {
    CAPTURE(line);
    CHECK(is_refused(line));
  }
}

TEST_CASE("the stack pointer changes by constants, or not at all") {
  for (const char* const line :
       {"movq %rax, %rsp", "movl %eax, %esp", "andq $-32, %rsp", "subq %rax, %rsp", "popq %rsp",
        "xchgq %rax, %rsp", "leaq (%rsp,%rax), %rsp", "leaq 8(%rax), %rsp", "cmove %rax, %rsp",
        "imulq $3, %rax, %rsp", "addq $8, %rsp", "subq $8, %rsp", "pushq %rax", "incq %rsp",
        "movslq %eax, %rsp", "bswapq %rsp", "subq $4, %rsp"}) {
    CAPTURE(line);
    CHECK(is_refused(line));
  }
  CHECK_FALSE(
      is_refused("pushq %rax\n\tsubq $16, %rsp\n\tmovq %rsp, %rdi\n\taddq $16, %rsp\n\tpopq %rax"));
}

TEST_CASE("each access is settled by itself, or has a guard of its size and direction") {
  CHECK(has(guarded_line("movl (%rax,%rbx,4), %ecx"), "call confined_load_4\n"));
  CHECK(has(guarded_line("movss %xmm0, 8(%rdi)"), "call confined_store_4\n"));
  CHECK(has(guarded_line("movups %xmm0, (%rdi)"), "call confined_store_16\n"));
  CHECK(has(guarded_line("cmovle (%rdi), %rax"), "call confined_load_8\n"));
  CHECK(has(guarded_line("setne (%rdi)"), "call confined_store_1\n"));
  CHECK(has(guarded_line("movslq (%rdi), %rax"), "call confined_load_4\n"));
  const std::string changed = guarded_line("addl $1, (%rdi)");
  CHECK(has(changed, "call confined_load_4\n"));
  CHECK(has(changed, "call confined_store_4\n"));
  const std::string frame = guarded_line("subq $24, %rsp\n\tmovl %eax, 20(%rsp)\n\taddq $24, %rsp");
  CHECK_FALSE(has(frame, "confined_store"));
  const std::string beyond =
      guarded_line("subq $24, %rsp\n\tmovl %eax, 24(%rsp)\n\taddq $24, %rsp");
  CHECK(has(beyond, "confined_store_4"));
  CHECK(has(beyond, "leaq 32(%rsp), %rdi"));  // adjusted for the push
  CHECK(has(guarded_line("movl -8(%rsp), %eax"), "confined_load_4"));
}

TEST_CASE("thread-local data: threadIdx may be read, shared memory has guards, nothing else") {
  CHECK_FALSE(has(guarded_line("movl %fs:threadIdx@tpoff+8, %eax"), "confined_load"));
  CHECK(is_refused("movl %eax, %fs:threadIdx@tpoff"));
  CHECK(is_refused("movl %fs:emu_launch_is_pending@tpoff, %eax"));
  CHECK(is_refused("movl %fs:emu_lane_guard@tpoff, %eax"));
  CHECK(is_refused("movq %rax, %fs:emu_round_path@tpoff"));
  CHECK(is_refused("leaq emu_lane_guard@tpoff(%rax), %rbx"));
  CHECK(is_refused("addq $emu_lane_guard@tpoff, %rax"));
  CHECK(has(guarded_line("movl %fs:emu_dynamic_shared_memory@tpoff(,%rax,4), %ecx"),
            "confined_load_4"));
  CHECK(has(guarded_line("movl %fs:threadIdx@tpoff+12, %eax"), "confined_load_4"));
  CHECK(has(guarded_line("movl %fs:(%rax), %eax"), "confined_load_4"));
}

TEST_CASE("behind a hook of the same address there is no guard, until something may have changed") {
  const auto after = [](const std::string& between, const std::string& access) {
    return guarded_line("movq %rbx, %rdi\n\tcall __tsan_read4\n" + between + "\t" + access);
  };
  CHECK_FALSE(has(after("", "movl (%rbx), %eax"), "confined_load_4"));
  CHECK_FALSE(has(after("\taddq $4, %rbx\n", "movl -4(%rbx), %eax"), "confined_load_4"));
  CHECK(has(after("", "movq (%rbx), %rax"), "confined_load_8"));
  CHECK(has(after("", "movl 4(%rbx), %eax"), "confined_load_4"));
  CHECK(has(after("", "movl %eax, (%rbx)"), "confined_store_4"));
  CHECK(has(after("\taddq %rcx, %rbx\n", "movl (%rbx), %eax"), "confined_load_4"));
  CHECK(has(after("\taddl $4, %ebx\n", "movl -4(%rbx), %eax"), "confined_load_4"));
  CHECK(has(after("\tcall _ZN3emu10block_syncEv\n", "movl (%rbx), %eax"), "confined_load_4"));
  CHECK(has(after("\tjne .L7\n.L7:\n", "movl (%rbx), %eax"), "confined_load_4"));
  CHECK_FALSE(has(after(".LBE7:\n", "movl (%rbx), %eax"), "confined_load_4"));
  CHECK(has(after("\tmull (%rcx)\n\tmovq %rax, %rbx\n", "movl (%rbx), %eax"), "confined_load_4"));
  // A hook may change this register.
  CHECK(has(guarded_line("movq %rcx, %rdi\n\tcall __tsan_read4\n\tmovl (%rcx), %eax"),
            "confined_load_4"));
}

TEST_CASE("a slot of the stack is what was put there, until a store may have changed it") {
  const auto spilled = [](const std::string& between) {
    return guarded_line(
        "subq $24, %rsp\n\tmovq %rbx, 8(%rsp)\n\tmovq %rbx, %rdi\n"
        "\tcall __tsan_read4\n" +
        between + "\tmovq 8(%rsp), %rax\n\tmovl (%rax), %ecx\n\taddq $24, %rsp");
  };
  CHECK_FALSE(has(spilled(""), "confined_load_4"));
  CHECK(has(spilled("\tmovl %eax, 12(%rsp)\n"), "confined_load_4"));
  CHECK(has(spilled("\tmovq %rcx, 4(%rsp)\n"), "confined_load_4"));
  CHECK(has(spilled("\tmovl %eax, (%rsp,%rcx,4)\n"), "confined_load_4"));
  CHECK(has(spilled("\taddq $16, %rsp\n\tsubq $16, %rsp\n"), "confined_load_4"));
}

TEST_CASE("calls and returns") {
  CHECK(has(guarded_line("call __tsan_read4@PLT"), "call confined_tsan_read4\n"));
  CHECK(has(guarded_line("call memcpy@PLT"), "call confined_memcpy\n"));
  CHECK(has(guarded_line("call sinf@PLT"), "call sinf\n"));
  CHECK(has(guarded_line("call _ZN3emu6detail10atomic_addIiEET_PS2_S2_@PLT"),
            "call confined_argument_changed\n"));
  for (const char* const line :
       {"call system", "call _ZN3emu12set_countingEb", "call __tsan_init", "call __tsan_func_exit",
        "call _ZN3emu8copy_boxEPvPKvPKijPm", "call dlsym", "call confined_enter",
        "call _ZN3emu6detail6launchEPKcPFvPvRNS0_7LaneRunEES3_", "call __tsan_atomic32_load"}) {
    CAPTURE(line);
    CHECK(is_refused(line));
  }
  CHECK(has(guarded_line("nop"), "jmp confined_return\n"));
  CHECK(has(guarded_line("nop"), "call confined_begin\n"));
}

TEST_CASE("of a header's assembly, <iostream>'s wish of g++ 13 is known") {
  const std::string plain = kernel_with("");
  const auto with_wish = [&](const std::string& symbol) {
    return guarded("#APP\n\t.globl " + symbol + "\n#NO_APP\n" + plain);
  };
  CHECK(with_wish("_ZSt21ios_base_library_initv") == guarded(plain));
  CHECK(has(with_wish("_Z1kv"), "refused: "));
}

TEST_CASE("directives and sections that nobody knows are refused") {
  for (const char* const line : {".incbin \"/etc/passwd\"",
                                 ".byte 0x0f",
                                 ".symver a,b@c",
                                 ".weakref a,b",
                                 ".pushsection .init",
                                 ".include \"x\"",
                                 ".macro x",
                                 ".rept 3",
                                 ".irp a,b",
                                 ".reloc 0, R_X86_64_64, system",
                                 ".code32",
                                 ".intel_syntax noprefix",
                                 ".org 0",
                                 ".equ a, b",
                                 "a = system",
                                 ".type _Z1fv, @gnu_indirect_function",
                                 ".section .init_array,\"aw\"",
                                 ".section .text.x,\"ax\"\n.globl main\nmain:",
                                 ".loc 1 2 3; syscall",
                                 ".file 7 \"a\\\"",
                                 ".set _Z1fv, system"}) {
    CAPTURE(line);
    CHECK(is_refused(line));
  }
  // Data that a kernel mentions, and code that would run before it.
  const auto data = [](const std::string& lines) {
    return guarded(kernel_with("\tleaq x(%rip), %rax\n", lines));
  };
  CHECK(data("\t.bss\nx:\n\t.zero 4\n").starts_with("refused: variable"));
  CHECK(data("\t.comm x,4,4\n").starts_with("refused: variable"));
  CHECK(data("\t.section .ctors,\"aw\"\n\t.quad _Z1kv\n").starts_with("refused: constructor"));
  CHECK(data("\t.section .fini_array,\"aw\"\n\t.quad f\n").starts_with("refused: constructor"));
  CHECK(data("\t.section .plt,\"ax\"\n").starts_with("refused: assembly"));
  CHECK(data("\t.section .debug_x,\"ax\",@progbits\n").starts_with("refused: assembly"));
  CHECK(data("\t.section .rodata\nx:\n\t.quad system\n").starts_with("refused: call"));
  CHECK(data("\t.section .rodata\nx:\n\t.8byte system\n").starts_with("refused: call"));
  CHECK(
      data("\t.section .rodata\nx:\n\t.quad y\ny:\n\t.quad system\n").starts_with("refused: call"));
  CHECK(data("\t.section .rodata\nx:\n\t.quad _ZTVN10__cxxabiv117__class_type_infoE+16\n")
            .starts_with("refused: virtual"));
  CHECK(data("\t.section .rodata\nconfined_begin:\n\t.long 4\n")
            .starts_with("refused: reserved-name"));
  CHECK(
      data("\t.section .rodata\n__tsan_read4:\n\t.long 4\n").starts_with("refused: reserved-name"));
}

namespace {

std::string function(const std::string& name, const std::string& lines) {
  return "\t.text\n\t.type " + name + ", @function\n" + name + ":\n" + lines + "\tret\n\t.size " +
         name + ", .-" + name + "\n";
}

}  // namespace

TEST_CASE("what no kernel reaches is left out, whatever it is") {
  const auto beside = [](const std::string& more) { return guarded(kernel_with("\tnop\n", more)); };
  const std::string plain = beside("");
  CHECK(beside("\t.bss\nx:\n\t.zero 4\n") == plain);
  CHECK(beside("\t.comm x,4,4\n") == plain);
  CHECK(beside("\t.section .rodata\nx:\n\t.quad system\n") == plain);
  CHECK(beside("\t.section emu_device,\"aw\"\nx:\n\t.zero 4\n") == plain);
  CHECK(beside(function(
            "_Z1hv", "\tsyscall\n\tcall *%rax\n\tcall system\n\tmovl x(%rip), %eax\n")) == plain);
  CHECK(beside(function("_Z1hv", "\t.section .rodata\n")) == plain);
  // Its initialisers, too.
  const std::string initialised =
      function("_GLOBAL__sub_I_x", "\tcall _Z1fv\n\tmovl %eax, x(%rip)\n") +
      "\t.section .init_array,\"aw\"\n\t.quad _GLOBAL__sub_I_x\n";
  CHECK(beside(initialised + "\t.bss\nx:\n\t.zero 4\n") == plain);
  CHECK_FALSE(has(beside(initialised), ".init_array"));
  // The debug information may have named it.
  const std::string debug = beside(
      "\t.comm x,4,4\n\t.section .debug_info,\"\",@progbits\n"
      "\t.quad\tx\n\t.quad\tx+4\n\t.long\tx@dtpoff, 0\n\t.quad\t7\n");
  CHECK(has(debug, "\t.quad\t0\n\t.quad\t0\n\t.long\t0, 0\n\t.quad\t7\n"));
}

TEST_CASE("what a kernel reaches on any way is not left out") {
  const auto calls = [](const std::string& more) {
    return guarded(kernel_with("\tcall _Z1fv\n", more));
  };
  CHECK(calls(function("_Z1fv", "\tcall _Z1gv\n") + function("_Z1gv", "\tsyscall\n"))
            .starts_with("refused: assembly"));
  CHECK(calls(function("_Z1fv", "\tcall _Z1gv\n") + function("_Z1gv", "\tcall system\n"))
            .starts_with("refused: call"));
  CHECK(calls("\t.set _Z1fv, _Z1gv\n" + function("_Z1gv", "\tsyscall\n"))
            .starts_with("refused: assembly"));
  CHECK(calls(function("_Z1fv", "\tmovl x(%rip), %eax\n") + "\t.bss\nx:\n\t.zero 4\n")
            .starts_with("refused: variable"));
  CHECK(calls(function("_Z1fv", "\tleaq x(%rip), %rax\n") +
              "\t.section .data.rel.ro.local,\"aw\"\nx:\n\t.quad y\n\t.bss\ny:\n\t.zero 4\n")
            .starts_with("refused: variable"));
  CHECK(calls(function("_Z1fv", "\tleaq .LC1(%rip), %rax\n") +
              "\t.section .rodata\n\t.set .LC1,.LC0+8\n.LC0:\n\t.quad 1\n\t.quad system\n")
            .starts_with("refused: call"));
  CHECK(calls("").starts_with("refused: call"));
  // In every form of operand.
  for (const char* const line :
       {"movl %fs:x@tpoff+4, %eax", "movl %fs:x@tpoff(,%rax,4), %eax", "leaq x@tpoff(%rax), %rbx",
        "addq $x@tpoff, %rax", "addq $x@tpoff+8, %rax", "movl %fs:4+x@tpoff(%rax), %ecx"}) {
    CAPTURE(line);
    const std::string shared = "\t.section .tbss,\"awT\",@nobits\n";
    const std::string text = guarded(
        kernel_with(std::string("\t") + line + "\n", shared + "w:\n\t.zero 8\nx:\n\t.zero 64\n"));
    CHECK(has(text, "x:\n\t.zero 64\n"));
    CHECK_FALSE(has(text, "w:"));
  }
}

TEST_CASE("an initialiser is refused if a kernel would miss its work") {
  const auto initialised = [](const std::string& lines) {
    return guarded(kernel_with("\tleaq x(%rip), %rax\n",
                               "\t.section emu_device,\"aw\"\nx:\n\t.zero 4\ny:\n\t.zero 4\n" +
                                   function("_GLOBAL__sub_I_x", lines) +
                                   function("_Z1fv", "\tmovl $1, x(%rip)\n") +
                                   "\t.section .init_array,\"aw\"\n\t.quad _GLOBAL__sub_I_x\n"));
  };
  CHECK(initialised("\tmovl $1, x(%rip)\n").starts_with("refused: constructor"));
  CHECK(initialised("\tcall _Z1fv\n").starts_with("refused: constructor"));
  CHECK(initialised("\tsyscall x\n").starts_with("refused: constructor"));
  CHECK_FALSE(initialised("\tmovl $1, y(%rip)\n").starts_with("refused"));
  CHECK(guarded(kernel_with("\tnop\n", "\t.section .init_array,\"aw\"\n\t.quad _Z1kv\n"))
            .starts_with("refused: constructor"));
}

TEST_CASE("a kernel has the name that its caller knows") {
  const auto named = [](const std::string& name) {
    return guarded(function(name, "\tnop\n") +
                   "\t.section .data.rel.ro.local,\"aw\"\nconfined_kernel_0:\n\t.quad " + name +
                   "\n");
  };
  CHECK_FALSE(named("_Z5scaleiPf").starts_with("refused"));
  for (const char* const name :
       {"scale", "_ZL5scaleiPf", "_ZN12_GLOBAL__N_15scaleEiPf", "_Z5scaleIfEviPT_"}) {
    CAPTURE(name);
    CHECK(named(name).starts_with("refused: kernel-missing"));
  }
}

TEST_CASE("a constant is read without a guard only within its own bytes") {
  const std::string table = "\t.section .rodata\n_ZL5table:\n\t.long 1\n\t.long 2\n";
  const auto reads = [&](const std::string& line) {
    return guarded(kernel_with("\t" + line + "\n", table));
  };
  CHECK_FALSE(has(reads("movl 4+_ZL5table(%rip), %eax"), "confined_load"));
  CHECK(has(reads("movl 8+_ZL5table(%rip), %eax"), "confined_load_4"));
  CHECK(has(reads("movq 4+_ZL5table(%rip), %rax"), "confined_load_8"));
  CHECK(has(reads("movl %eax, _ZL5table(%rip)"), "confined_store_4"));
  CHECK(reads("movl stderr(%rip), %eax").starts_with("refused: call"));
}

TEST_CASE("text is as long as the assembler makes it, and nothing else counts as text") {
  // A read of four bytes at `offset` needs a guard unless all four belong to the text.
  const auto reads = [](const std::string& directive, int offset) {
    return guarded(kernel_with("\tmovl " + std::to_string(offset) + "+_ZL4text(%rip), %eax\n",
                               "\t.section .rodata\n_ZL4text:\n\t" + directive + "\n"));
  };
  struct Text {
    const char* directive;
    int bytes;
  };
  for (const Text& text :
       {Text{".ascii \"abcdef\"", 6}, Text{".string \"abcdef\"", 7},
        Text{".asciz \"a\\303def\"", 6}, Text{".base64 \"Z8Oyw7bDn2UA\"", 9},
        Text{".base64 \"Z8Oyw7bDn2U=\"", 8}, Text{".base64 \"Z8Oyw7bDnw==\"", 7},
        Text{".base64 \"+/+/\\x0a\"", 0}, Text{".base64 \"Z8Oyw7bDn2UA\", \"AAAA\"", 0},
        Text{".base64 \"Z8Oyw7bDn2U\"", 0}, Text{".base64 \"Z8Oyw7bDn===\"", 0},
        Text{".base64 \"Z8=yw7bDn2U=\"", 0}, Text{".base64 \"Z8Oyw7bDn2UA\"; syscall", 0},
        Text{".base64 Z8Oyw7bDn2UA", 0}, Text{".base64 \"\"", 0}}) {
    CAPTURE(text.directive);
    if (text.bytes == 0) {
      CHECK(reads(text.directive, 0).starts_with("refused: assembly"));
    } else {
      CHECK_FALSE(has(reads(text.directive, text.bytes - 4), "confined_load"));
      CHECK(has(reads(text.directive, text.bytes - 3), "confined_load_4"));
    }
  }
}

TEST_CASE("the object file is looked at again") {
  const tools::TemporaryFolder folder;
  const auto check = [&](const std::string& text) {
    folder.write("x.s", text);
    const std::string object = (folder.path() / "x.o").string();
    REQUIRE(tools::run_command({"as", (folder.path() / "x.s").string(), "-o", object}).status == 0);
    const auto refusal = check_object(object, {"_Z1kv"});
    return refusal ? refusal->message : "";
  };
  const std::string kernel = "\t.text\n\t.globl _Z1kv\n_Z1kv:\n\tret\n";
  CHECK(check(kernel) == "");
  CHECK(check(kernel + "\tcall system\n") == "a submission may not use `system`");
  CHECK(check(kernel + "\t.globl main\nmain:\n") == "the symbol main is shown");
  CHECK(has(check(kernel + "\t.section .init_array,\"aw\"\n\t.quad 0\n"), ".init_array"));
  CHECK(has(check(kernel + "\t.section .text.x,\"ax\"\n\tret\n"), ".text.x"));
  CHECK(has(check(kernel + "\t.data\n\t.quad 0\n"), ".data"));
  CHECK(has(check(kernel + "\t.type f, @gnu_indirect_function\nf:\n\tret\n"), "not allowed"));
  CHECK(check(kernel + "\t.comm x,4\n") == "the symbol x is shown");
  CHECK(has(check("\t.text\n\tret\n"), "not every kernel"));
  CHECK(has(check(kernel + "\t.section .a,\"axG\",@progbits,g,comdat\n\tret\n"), "not allowed"));
}

TEST_CASE("the assembler takes what the pass writes") {
  const tools::TemporaryFolder folder;
  folder.write("x.s", guarded_line("subq $8, %rsp\n\tmovl %fs:(%rax,%rdi,2), %ecx\n\taddss "
                                   "(%rdi,%rdi,8), %xmm0\n\taddq $8, %rsp"));
  const std::string object = (folder.path() / "x.o").string();
  REQUIRE(tools::run_command({"as", (folder.path() / "x.s").string(), "-o", object}).status == 0);
  CHECK_FALSE(check_object(object, {"_Z1kv"}).has_value());
}
