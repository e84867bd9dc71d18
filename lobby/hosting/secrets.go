package hosting

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// secrets prove that a person is a host. The key is in the host link, behind the "#", which
// browsers never send. The recovery code is for a host who has lost the link, and can be typed.
type secrets struct{ key, recovery string }

const (
	recoveryAlphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789" // without 0, O, 1, I, L
	recoveryLen      = 12                                // 59 bits: enough while guessing is slow
	maxSecret        = 64
)

func newSecrets() secrets {
	var b [recoveryLen]byte
	for i := range b {
		b[i] = recoveryAlphabet[pick(len(recoveryAlphabet))]
	}
	text := string(b[:])
	return secrets{rand.Text(), text[:4] + "-" + text[4:8] + "-" + text[8:]}
}

// pick returns a random number below n, which is at most 256. It draws again after bytes that
// would favour small numbers.
func pick(n int) int {
	var b [1]byte
	for {
		rand.Read(b[:]) // never fails, by its documentation
		if int(b[0]) < 256/n*n {
			return int(b[0]) % n
		}
	}
}

// readRecovery returns a recovery code as it was made. A person may type it in lower case, with
// spaces or without dashes.
func readRecovery(typed string) string {
	code := strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(typed))
	if len(code) != recoveryLen {
		return ""
	}
	return code[:4] + "-" + code[4:8] + "-" + code[8:]
}

// hash returns what is stored of a secret. Secrets are random and long, so they need no salt.
func hash(secret string) string {
	sum := sha256.Sum256([]byte("mancala host\n" + secret))
	return hex.EncodeToString(sum[:])
}
