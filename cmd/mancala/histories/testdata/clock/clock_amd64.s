#include "textflag.h"

TEXT ·installClock(SB), NOSPLIT, $0-0
	MOVQ runtime·vdsoClockgettimeSym(SB), AX
	MOVQ AX, ·realClock(SB)
	TESTQ AX, AX
	JZ   none
	LEAQ ·clockGettime(SB), AX
	MOVQ AX, runtime·vdsoClockgettimeSym(SB)
none:
	RET

// int clockGettime(clockid_t DI, struct timespec *SI), called as C calls a function
TEXT ·clockGettime(SB), NOSPLIT|NOFRAME, $0-0
	PUSHQ DI
	PUSHQ SI
	SUBQ $8, SP // C wants a multiple of 16
	MOVQ ·realClock(SB), AX
	CALL AX
	ADDQ $8, SP
	POPQ SI
	POPQ DI
	CMPL DI, $0 // CLOCK_REALTIME
	JNE  done
	MOVQ ·ahead(SB), CX
	ADDQ CX, (SI)
done:
	RET
