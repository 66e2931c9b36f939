package redisstore_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/redisstore"
)

func TestRepliesOfAnyPlainKindAreWithinBounds(t *testing.T) {
	const deep = "*1\r\n*2\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n+second\r\n"
	long := "$100000\r\n" + strings.Repeat("*9\r\n$", 100000)[:100000] + "\r\n"
	list := "*70000\r\n" + strings.Repeat("*0\r\n", 70000)
	said := "+OK\r\n-ERR no\r\n:-5\r\n$0\r\n\r\n$-1\r\n*-1\r\n*0\r\n*2\r\n$3\r\n*9\n\r\n*1\r\n$-1\r\n" + strings.Repeat(deep, 100) + long + list
	want, _ := redisstore.Replies(strings.NewReader(said), false)
	if len(want) != 110 {
		t.Fatalf("%d replies", len(want))
	}
	got, err := redisstore.Replies(strings.NewReader(said), true)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// Whatever is within bounds is read as if there were none, in whatever pieces it comes.
func FuzzBounds(f *testing.F) {
	for _, said := range []string{
		"+OK\r\n-ERR no\r\n:5\r\n$-1\r\n*0\r\n", "$3\r\n*9\n\r\n", "*2\r\n$1\r\na\r\n*1\r\n:1\r\n+x\r\n",
		strings.Repeat("*1\r\n", 9) + ":1\r\n", strings.Repeat("*2\r\n:1\r\n", 9), "$-5\r\n", "*-1\r\n$1x\r\n", ">2\r\n+a\r\n+b\r\n",
	} {
		f.Add(said)
	}
	large := regexp.MustCompile(`\d{6}`) // is room that the library would make
	f.Fuzz(func(t *testing.T, said string) {
		if large.MatchString(said) {
			return
		}
		whole, _ := redisstore.Replies(strings.NewReader(said), true) // may look ahead
		pieces, err := redisstore.Replies(iotest.OneByteReader(strings.NewReader(said)), true)
		if len(whole) > len(pieces) {
			t.Errorf("%d replies, and %d in pieces", len(whole), len(pieces))
		}
		if errors.Is(err, redisstore.ErrBounds) {
			return
		}
		plain, errOfPlain := redisstore.Replies(strings.NewReader(said), false)
		if diff := cmp.Diff(plain, pieces); diff != "" || fmt.Sprint(err) != fmt.Sprint(errOfPlain) {
			t.Errorf("%v, without bounds %v (-without +with):\n%s", err, errOfPlain, diff)
		}
	})
}
