// The checks that the assembly pass inserts before loads, stores, calls and returns of a
// submission. Offsets are those of lane_guard.hpp. A check preserves all registers and flags of the
// code around it.

#define LIMIT 0
#define LOWEST 8
#define CONSTANTS 16
#define CONSTANTS_END 24
#define CALLS_TOP 32
#define CALLS_END 40
#define TRUSTED_STACK 48
#define LOADS 56
#define STORES 120

#define MODE_LOAD 0
#define MODE_STORE 1

        .text

.macro begin_function name
        .globl  \name
        .type   \name, @function
        .p2align 4
\name:
.endm

// Saves the registers that a C++ function may change, except %rcx, %rdx, %rsi: 56 bytes, pointed to
// by %rbp.
.macro keep_registers
        pushq   %rax
        pushq   %rdi
        pushq   %r8
        pushq   %r9
        pushq   %r10
        pushq   %r11
        pushq   %rbp
        movq    %rsp, %rbp
        subq    $256, %rsp
        andq    $-16, %rsp
.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movups  %xmm\n, 16*\n(%rsp)
.endr
.endm

.macro give_registers_back
.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movups  16*\n(%rsp), %xmm\n
.endr
        movq    %rbp, %rsp
        popq    %rbp
        popq    %r11
        popq    %r10
        popq    %r9
        popq    %r8
        popq    %rdi
        popq    %rax
.endm

// confined_load_N, confined_store_N: checks whether the running lane may touch N bytes at %rdi. The
// pass has pushed %rdi, so the lane's own stack begins 16 bytes above.
.macro define_check name, bytes, mode, tickets
        begin_function confined_\name\()_\bytes
        pushq   %rax
        pushq   %rcx
        pushq   %rdx
        pushq   %rsi
        lahf
        seto    %al
        movq    %fs:emu_lane_guard@tpoff, %rsi
        leaq    \bytes(%rdi), %rdx
        leaq    48(%rsp), %rcx
        cmpq    %rcx, %rdi
        jb      1f
        cmpq    LIMIT(%rsi), %rdx
        jbe     9f
1:
.irp ticket, 0, 16, 32, 48
        cmpq    \tickets+\ticket(%rsi), %rdi
        jb      2f
        cmpq    \tickets+\ticket+8(%rsi), %rdx
        jbe     9f
2:
.endr
.if \mode == MODE_LOAD
        cmpq    CONSTANTS(%rsi), %rdi
        jb      3f
        cmpq    CONSTANTS_END(%rsi), %rdx
        jbe     9f
3:
.endif
        movl    $\bytes, %esi
        movl    $\mode, %edx
        call    check_slowly
9:
        addb    $0x7f, %al              // overflows if the flag was set
        sahf
        popq    %rsi
        popq    %rdx
        popq    %rcx
        popq    %rax
        ret
.endm

// Arguments: %rdi: address, %esi: bytes, %edx: mode, %rcx: the lane's stack pointer. The check's
// return address is above four saved registers.
check_slowly:
        keep_registers
        movq    96(%rbp), %r8
        call    confined_check_slowly
        give_registers_back
        ret

.irp bytes, 1, 2, 4, 8, 16
        define_check load, \bytes, MODE_LOAD, LOADS
        define_check store, \bytes, MODE_STORE, STORES
.endr

// Checks a pointer argument of an emulator function: %rdi points to %rsi bytes. The pass has pushed
// both.
.macro define_argument name, mode
        begin_function confined_\name
        pushq   %rcx
        pushq   %rdx
        keep_registers
        movl    $\mode, %edx
        leaq    96(%rbp), %rcx          // 56 + two registers, the return address, two more
        movq    72(%rbp), %r8
        call    confined_check_argument
        give_registers_back
        popq    %rdx
        popq    %rcx
        ret
.endm

        define_argument argument_read, 0
        define_argument argument_changed, 1
        define_argument argument_read_later, 2
        define_argument argument_changed_later, 3

// Begins a function whose frame extends %r11 bytes below its return address. Records the return
// address, and fills the frame with ones, so that it shows nothing of another lane.
        begin_function confined_begin
        movq    %fs:emu_lane_guard@tpoff, %r10
        negq    %r11
        leaq    8(%rsp,%r11), %r11
        cmpq    LOWEST(%r10), %r11
        jb      8f
        pushq   %rax
        movq    %rsp, %rax
        subq    %r11, %rax
        jle     3f
        testb   $8, %al
        je      1f
        movq    $-1, (%r11)
        addq    $8, %r11
1:
        pcmpeqd %xmm15, %xmm15
        jmp     2f
        .p2align 4
4:
        movups  %xmm15, (%r11)
        addq    $16, %r11
2:
        cmpq    %rsp, %r11
        jb      4b
3:
        movq    CALLS_TOP(%r10), %r11
        cmpq    CALLS_END(%r10), %r11
        jae     7f
        movq    16(%rsp), %rax
        movq    %rax, (%r11)
        addq    $8, %r11
        movq    %r11, CALLS_TOP(%r10)
        popq    %rax
        ret
7:
        popq    %rax
8:
        movq    (%rsp), %rdi
        andq    $-16, %rsp
        call    confined_too_deep
        ud2

// Replaces `ret`.
        begin_function confined_return
        movq    %fs:emu_lane_guard@tpoff, %r10
        movq    CALLS_TOP(%r10), %r11
        subq    $8, %r11
        movq    %r11, CALLS_TOP(%r10)
        movq    (%r11), %r11
        cmpq    %r11, (%rsp)
        jne     1f
        ret
1:
        movq    %r11, %rdi
        andq    $-16, %rsp
        call    confined_wrong_return
        ud2

// Called before a call of the emulator: bytes that were counted before it may not be touched after
// it.
        begin_function confined_forget
        movq    %fs:emu_lane_guard@tpoff, %r11
.irp ticket, 0, 16, 32, 48
        movq    $0, LOADS+\ticket+8(%r11)
        movq    $0, STORES+\ticket+8(%r11)
.endr
        ret

// void confined_enter(entry, const Arguments*, LaneGuard*, stack_words): calls the submission.
// Registers and the stack pointer are restored from memory that the submission cannot reach.
        begin_function confined_enter
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        subq    $8, %rsp
        movq    %rsp, TRUSTED_STACK(%rdx)
        leaq    8(,%rcx,8), %rax
        andq    $-16, %rax
        subq    %rax, %rsp
        movq    112(%rsi), %r8
        xorl    %eax, %eax
        jmp     2f
1:
        movq    (%r8,%rax,8), %r9
        movq    %r9, (%rsp,%rax,8)
        incq    %rax
2:
        cmpq    %rcx, %rax
        jne     1b
        leaq    (%rsp,%rcx,8), %rax
        movq    %rax, LIMIT(%rdx)
        movq    %rdi, %r11
.irp n, 0, 1, 2, 3, 4, 5, 6, 7
        movsd   48+8*\n(%rsi), %xmm\n
.endr
.irp n, 8, 9, 10, 11, 12, 13, 14, 15
        pxor    %xmm\n, %xmm\n
.endr
        movq    0(%rsi), %rdi
        movq    16(%rsi), %rdx
        movq    24(%rsi), %rcx
        movq    32(%rsi), %r8
        movq    40(%rsi), %r9
        movq    8(%rsi), %rsi
        xorl    %eax, %eax
        xorl    %ebx, %ebx
        xorl    %ebp, %ebp
        xorl    %r10d, %r10d
        xorl    %r12d, %r12d
        xorl    %r13d, %r13d
        xorl    %r14d, %r14d
        xorl    %r15d, %r15d
        cld
        call    *%r11
        movq    %fs:emu_lane_guard@tpoff, %rax
        movq    TRUSTED_STACK(%rax), %rsp
        addq    $8, %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        ret

        .section .note.GNU-stack,"",@progbits
