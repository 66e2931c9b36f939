package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"github.com/parley-hq/parley"
)

// filler fills in what the file of a configuration does not have itself: ${VAR} from
// the environment, wherever there is text, and file:/PATH where there is a secret. It
// does so after the file was read: what it fills in cannot change what the file means.
type filler struct {
	getenv   func(string) (string, bool)
	problems []error
	readable []string
}

// secretField marks fields with secrets whose type is not parley.Secret.
const secretField = "secret"

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// in fills in what is below v, which is at a key. secret: it may come from a file.
func (f *filler) in(v reflect.Value, at string, secret bool) {
	switch v.Kind() {
	case reflect.String:
		text, err := f.text(v.String(), at, secret || v.Type() == reflect.TypeFor[parley.Secret]())
		if err != nil {
			f.problems = append(f.problems, fmt.Errorf("%s: %w", at, err))
		} else if v.CanSet() {
			v.SetString(text)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				f.in(v.Field(i), join(at, tag(field)), field.Tag.Get(secretField) != "")
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			f.in(v.Elem(), at, secret)
		}
	case reflect.Slice:
		for i := range v.Len() {
			f.in(v.Index(i), fmt.Sprintf("%s[%d]", at, i), secret)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			copied := reflect.New(v.Type().Elem()).Elem()
			copied.Set(v.MapIndex(key))
			f.in(copied, join(at, key.String()), secret)
			v.SetMapIndex(key, copied)
		}
	}
}

// text is what was written with its variables, or what the file has that it names. A
// variable's value names no file: it is the secret.
func (f *filler) text(written, at string, secret bool) (string, error) {
	text, err := f.variables(written)
	if err != nil || !secret || !strings.HasPrefix(written, filePrefix) {
		return text, err
	}
	path := strings.TrimPrefix(text, filePrefix)
	value, open, err := readSecret(path)
	if open {
		f.readable = append(f.readable, fmt.Sprintf("%s: everybody on this machine can read %s: chmod o= it, or mount it so that only the server reads it", at, path))
	}
	return value, err
}

func (f *filler) variables(text string) (string, error) {
	var missing []string
	text = variable.ReplaceAllStringFunc(text, func(found string) string {
		name := found[2 : len(found)-1]
		value, ok := f.getenv(name)
		if !ok {
			missing = append(missing, name)
		}
		return value
	})
	if len(missing) > 0 {
		return "", fmt.Errorf("the environment has no %s", strings.Join(missing, ", "))
	}
	return text, nil
}

const (
	filePrefix  = "file:"
	mostOfAFile = 64 << 10
)

// readSecret is what a file has, without the line break at its end; open reports that
// it can be read by everybody. Its errors have nothing of the contents.
func readSecret(path string) (value string, open bool, err error) {
	if !filepath.IsAbs(path) {
		return "", false, fmt.Errorf("%s%.200s does not begin at the root: write the whole path, such as file:/run/secrets/name", filePrefix, path)
	}
	about, err := os.Stat(path) // before it is opened: a pipe would wait for its other end
	if err != nil {
		return "", false, fmt.Errorf("%s cannot be read: %v", path, reasonOfPath(err))
	}
	if !about.Mode().IsRegular() {
		return "", false, fmt.Errorf("%s is not a file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", false, fmt.Errorf("%s cannot be read: %v", path, reasonOfPath(err))
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, mostOfAFile+1))
	switch {
	case err != nil:
		return "", false, fmt.Errorf("%s cannot be read: %v", path, reasonOfPath(err))
	case len(data) > mostOfAFile:
		return "", false, fmt.Errorf("%s has more than %d KiB: it is no secret", path, mostOfAFile>>10)
	}
	value = strings.TrimRight(string(data), "\r\n")
	if strings.TrimSpace(value) == "" {
		return "", false, fmt.Errorf("%s is empty", path)
	}
	return value, about.Mode().Perm()&0o004 != 0, nil
}

// reasonOfPath is an error about a file without the name of it, which is said already. Nobody
// takes it for one about the configuration itself: it is not wrapped.
func reasonOfPath(err error) error {
	var of *os.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}
