package seal

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
)

const minSecret = 32

// ParseSecrets turns configured text into secrets for New. A value is taken as
// it stands, without white space around it; behind "base64:" (either alphabet,
// padded or not) or "hex:" it is decoded first. It returns ErrSecretFormat or
// ErrWeakSecret with the position, never with the value.
func ParseSecrets(values []string) ([][]byte, error) {
	secrets := make([][]byte, 0, len(values))
	for i, v := range values {
		s, err := parseSecret(strings.TrimSpace(v))
		if err != nil {
			// The decoders' own errors quote parts of the secret.
			return nil, fmt.Errorf("secret %d: %w", i+1, ErrSecretFormat)
		}
		if err := checkLength(i, s); err != nil {
			return nil, err
		}
		secrets = append(secrets, s)
	}
	return secrets, nil
}

func parseSecret(v string) ([]byte, error) {
	if text, ok := strings.CutPrefix(v, "base64:"); ok {
		text = strings.NewReplacer("-", "+", "_", "/").Replace(text)
		return base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	}
	if text, ok := strings.CutPrefix(v, "hex:"); ok {
		return hex.DecodeString(text)
	}
	return []byte(v), nil
}

func checkLength(i int, secret []byte) error {
	if len(secret) < minSecret {
		return fmt.Errorf("secret %d has %d bytes: %w", i+1, len(secret), ErrWeakSecret)
	}
	return nil
}

// SecretFromEnv returns the first of these variables that is set, and its name;
// both are empty when none is: PARLEY_SECRET, MCP_ELICITATION_SECRET,
// MCP_SESSION_SECRET, MCP_SERVER_SECRET. Pass os.Getenv.
func SecretFromEnv(getenv func(string) string) (secret, name string) {
	for _, name := range []string{
		"PARLEY_SECRET", "MCP_ELICITATION_SECRET", "MCP_SESSION_SECRET", "MCP_SERVER_SECRET",
	} {
		if secret := getenv(name); secret != "" {
			return secret, name
		}
	}
	return "", ""
}
