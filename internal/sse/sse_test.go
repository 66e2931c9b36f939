package sse_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/internal/sse"
)

// readAll reads the data of all events. It returns how the stream ended, and the
// last event's id.
func readAll(r io.Reader, limit int64) (all [][]byte, last string, err error) {
	e := sse.NewEvents(r, limit)
	defer e.Free()
	for {
		data, err := e.Next()
		if data != nil {
			all = append(all, data)
		}
		if err != nil {
			return all, e.Last, err
		}
	}
}

func TestEventsAreReadAsTheyComeInTheWild(t *testing.T) {
	long, longer := strings.Repeat("x", 10_000), strings.Repeat("y", 200_000)
	for name, test := range map[string]struct {
		stream string
		want   []string
		last   string
	}{
		"plain":                       {"event: message\nid: 1\ndata: a\n\ndata: b\n\n", []string{"a", "b"}, "1"},
		"carriage returns":            {"data: a\r\nid: 1\r\n\r\ndata: b\r\n\r\n", []string{"a", "b"}, "1"},
		"several lines":               {"data: {\ndata:}\ndata\n\n", []string{"{\n}\n"}, ""},
		"comments, unknown fields":    {": hello\n:\nwhat: x\nnonsense\ndata: a\n\n", []string{"a"}, ""},
		"other events":                {"event: ping\ndata: a\nid: 4\n\nevent:\ndata: b\n\n", []string{"b"}, "4"},
		"without data":                {"id: 7\ndata:\n\nid: 8\n\n", nil, "8"},
		"an id is taken back":         {"id: 7\ndata: a\n\nid\ndata: b\n\n", []string{"a", "b"}, ""},
		"a NUL in the id":             {"id: 7\x00\ndata: a\n\n", []string{"a"}, ""},
		"an incomplete event":         {"id: 1\ndata: a\n\nid: 2\ndata: b\n", []string{"a", "b"}, "1"},
		"an incomplete line":          {"data: a", []string{"a"}, ""},
		"a byte order mark":           {"\xef\xbb\xbfdata: a\n\n", []string{"a"}, ""},
		"longer than the buffer":      {"data: " + long + "\r\ndata: " + long + "\n\n", []string{long + "\n" + long}, ""},
		"longer than any buffer":      {"data: " + longer + "\n\nid: 1\ndata: a\n\ndata: " + longer + "\n\ndata: b\n\n", []string{longer, "a", longer, "b"}, "1"},
		"a long line that is no data": {": " + long + "\nid: " + long + "\ndata: a\n\n", []string{"a"}, ""},
	} {
		for way, r := range map[string]io.Reader{"at once": strings.NewReader(test.stream), "by bytes": iotest.OneByteReader(strings.NewReader(test.stream))} {
			all, last, err := readAll(r, 1<<20)
			var got []string
			for _, data := range all {
				got = append(got, string(data))
			}
			if diff := cmp.Diff(test.want, got); diff != "" || last != test.last || !errors.Is(err, io.EOF) {
				t.Errorf("%s, %s: last %q, %v %s", name, way, last, err, diff)
			}
		}
	}
}

func TestAnEventOverTheLimitIsRefused(t *testing.T) {
	for _, stream := range []string{
		"data: " + strings.Repeat("x", 20_000) + "\n\n",
		strings.Repeat("data: "+strings.Repeat("x", 100)+"\n", 200) + "\n",
	} {
		if all, _, err := readAll(strings.NewReader(stream), 10_000); !errors.Is(err, sse.ErrTooLarge) || len(all) != 0 {
			t.Errorf("%d events, %v", len(all), err)
		}
	}
}

func TestWhoWantsEventsOfEveryNameGetsTheirNames(t *testing.T) {
	e := sse.NewEvents(strings.NewReader("event: ping\ndata: a\n\ndata: b\n\nevent: error\nevent: message\ndata: c\n\nevent: cut\ndata: d"), 100)
	defer e.Free()
	e.Named = true
	var got []string
	var err error
	for err == nil {
		var data []byte
		data, err = e.Next()
		got = append(got, e.Name+" "+string(data))
	}
	if diff := cmp.Diff([]string{"ping a", " b", "message c", "cut d"}, got); diff != "" || !errors.Is(err, io.EOF) {
		t.Errorf("%v %s", err, diff)
	}
}

func FuzzEvents(f *testing.F) {
	f.Add([]byte("event: message\nid: 1\nretry: 10\ndata: {}\n\n: c\ndata: a\ndata: b\r\n\r\n"))
	f.Add([]byte("data"))
	f.Add([]byte("\xef\xbb\xbf\n\n\ndata:\x00\n"))
	f.Add(append([]byte("data: "), bytes.Repeat([]byte("x"), 5000)...))
	f.Fuzz(func(t *testing.T, stream []byte) {
		const limit = 6000
		at, last, err := readAll(bytes.NewReader(stream), limit)
		one, lastOne, errOne := readAll(iotest.OneByteReader(bytes.NewReader(stream)), limit)
		if (err == io.EOF) != (errOne == io.EOF) || last != lastOne {
			t.Fatalf("%v %q at once, %v %q by bytes", err, last, errOne, lastOne)
		}
		if diff := cmp.Diff(at, one); diff != "" {
			t.Error(diff)
		}
		for _, data := range at {
			if len(data) > limit+2 {
				t.Errorf("an event of %d bytes", len(data))
			}
		}
	})
}
