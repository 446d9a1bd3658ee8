/* Answers each `cpuid` that older_processor.py has replaced by `ud2`, without what KIND says that the processor lacks. */
#define _GNU_SOURCE
#include <cpuid.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define BIT(number) (1u << (number))

static int without_avx;

static void answer(int signal, siginfo_t *info, void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    const unsigned char *code = (const unsigned char *)registers[REG_RIP];
    if (code[0] != 0x0f || code[1] != 0x0b) abort();
    unsigned leaf = registers[REG_RAX], part = registers[REG_RCX], a, b, c, d;
    __cpuid_count(leaf, part, a, b, c, d);
    if (leaf == 1 && without_avx) c &= ~(BIT(12) | BIT(28) | BIT(29)); /* FMA, AVX, F16C */
    if (leaf == 7 && part == 0) { /* all of AVX-512 and AMX */
        b &= ~(BIT(16) | BIT(17) | BIT(21) | BIT(26) | BIT(27) | BIT(28) | BIT(30) | BIT(31));
        c &= ~(BIT(1) | BIT(6) | BIT(11) | BIT(12) | BIT(14));
        d &= ~(BIT(2) | BIT(3) | BIT(8) | BIT(22) | BIT(23) | BIT(24) | BIT(25));
        if (without_avx) b &= ~BIT(5); /* AVX2 */
    }
    if (leaf == 7 && part == 1) { /* AVX-VNNI and its like */
        a &= ~(BIT(4) | BIT(5));
        d &= ~(BIT(4) | BIT(5));
    }
    registers[REG_RAX] = a;
    registers[REG_RBX] = b;
    registers[REG_RCX] = c;
    registers[REG_RDX] = d;
    registers[REG_RIP] += 2;
}

__attribute__((constructor)) static void install(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = answer;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGILL, &action, 0);
    const char *kind = getenv("KIND");
    without_avx = kind && !strcmp(kind, "sse");
}
