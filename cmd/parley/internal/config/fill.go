package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/parley-hq/parley"
)

// filler fills in what the file of a configuration does not have itself: ${VAR} from
// the environment, wherever there is text, and file:/PATH where there is a secret. It
// does so after the file was read: what it fills in cannot change what the file means.
// Where a key takes no text, [shape.filled] asks it for a variable that stands alone.
// A variable that is not set or empty is an error: what it stands for would be left out,
// and a default that nobody wrote would do. ${VAR:-TEXT} names one, which may be empty;
// $${ is the text ${.
type filler struct {
	getenv   func(string) (string, bool)
	problems []error
	readable []string
	hidden   []filling
}

// secretField marks fields with secrets whose type is not parley.Secret.
const secretField = "secret"

// variable is ${NAME} or ${NAME:-TEXT}; what else begins like one is found too, and is none.
var variable = regexp.MustCompile(`\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\})?`)

// in fills in what is below v, which is at a key. secret: it may come from a file.
func (f *filler) in(v reflect.Value, at string, secret bool) {
	switch v.Kind() {
	case reflect.String:
		text, err := f.text(v.String(), at, secret || v.Type() == reflect.TypeFor[parley.Secret]())
		if err != nil {
			f.problems = append(f.problems, fmt.Errorf("%s: %w", at, err))
		} else if v.CanSet() {
			f.hide(at, v.String(), text)
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

// failedIn reports whether something in the list at a key, or in what it has itself, could not
// be filled in: what else is wrong with that follows from it.
func (f *filler) failedIn(at string) bool {
	return slices.ContainsFunc(f.problems, func(p error) bool {
		failed := keyOf(p)
		member, within := strings.CutPrefix(failed, at+".")
		return strings.HasPrefix(failed, at+"[") || within && !strings.ContainsAny(member, ".[")
	})
}

// text is what was written with its variables, or what the file has that it names. A
// variable's value names no file: where it looks like one in place of a secret, it is refused.
func (f *filler) text(written, at string, secret bool) (string, error) {
	named := strings.HasPrefix(written, filePrefix)
	text, err := f.variables(written, secret && !named)
	if err != nil || !secret || !named {
		return text, err
	}
	path := strings.TrimPrefix(text, filePrefix)
	value, open, err := readSecret(path)
	if open {
		f.readable = append(f.readable, fmt.Sprintf("%s: everybody on this machine can read %s: chmod o= it, or mount it so that only the server reads it", at, path))
	}
	return value, err
}

// variables fills in the variables of a text. secret: it is one, and no name of a file.
func (f *filler) variables(text string, secret bool) (string, error) {
	var missing, empty, paths []string
	broken := false
	text = variable.ReplaceAllStringFunc(text, func(found string) string {
		if found == "$${" {
			return "${"
		}
		if found == "${" {
			broken = true
			return ""
		}
		parts := variable.FindStringSubmatch(found)
		name, instead := parts[1], parts[2]
		value, ok := f.getenv(name)
		switch {
		case strings.TrimSpace(value) == "" && instead != "":
			return strings.TrimPrefix(instead, ":-")
		case !ok:
			missing = append(missing, name)
		case strings.TrimSpace(value) == "":
			empty = append(empty, name)
		case secret && strings.HasPrefix(value, filePrefix+"/"):
			paths = append(paths, name)
		}
		return value
	})
	switch {
	case broken:
		return "", errors.New("a variable is written ${NAME}, or ${NAME:-TEXT} with a text for where it is not set; for the characters themselves write $${")
	case len(missing) > 0:
		return "", fmt.Errorf("the environment has no %s", strings.Join(missing, ", "))
	case len(empty) > 0:
		return "", fmt.Errorf("the environment has %s, with nothing in it; where it may be empty write ${%s:-}", strings.Join(empty, ", "), empty[0])
	case len(paths) > 0:
		return "", fmt.Errorf("the variable %s holds file:/…, and what a variable holds is the secret itself: write the file:/… into the configuration", strings.Join(paths, ", "))
	}
	return text, nil
}

const (
	filePrefix    = "file:"
	mostOfASecret = 64 << 10
)

// readSecret is what a file has, without the line break at its end; open reports that
// it can be read by everybody. Its errors have nothing of the contents.
func readSecret(path string) (value string, open bool, err error) {
	if !filepath.IsAbs(path) {
		return "", false, fmt.Errorf("%s%.200s does not begin at the root: write the whole path, such as file:/run/secrets/name", filePrefix, path)
	}
	data, about, err := readFile(path, mostOfASecret)
	if err != nil {
		return "", false, err
	}
	value = strings.TrimRight(string(data), "\r\n")
	if strings.TrimSpace(value) == "" {
		return "", false, fmt.Errorf("%s is empty", path)
	}
	return value, about.Mode().Perm()&0o004 != 0, nil
}

// readFile is what a file has. Pipes, devices and directories are none, and one with more
// than most bytes is not what it was taken for. Its errors name the file.
func readFile(path string, most int) ([]byte, os.FileInfo, error) {
	about, err := os.Stat(path) // before it is opened: a pipe would wait for its other end
	if err != nil {
		return nil, nil, fmt.Errorf("%s cannot be read: %v", path, reasonOfPath(err))
	}
	if !about.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s is not a file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("%s cannot be read: %v", path, reasonOfPath(err))
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, int64(most)+1))
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("%s cannot be read: %v", path, reasonOfPath(err))
	case len(data) > most:
		return nil, nil, fmt.Errorf("%s has more than %d KiB: it is not what it should be", path, most>>10)
	}
	return data, about, nil
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
