package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Read returns the operations of all files. A last line that is cut off belongs to
// a process that was killed.
func Read(files ...string) ([]Op, error) {
	var all []Op
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		ops, err := read(file, filepath.Base(name))
		file.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, ops...)
	}
	return all, nil
}

func read(from io.Reader, process string) ([]Op, error) {
	begun := map[int64]int{} // by number: where it is in all
	var all []Op
	in := bufio.NewReader(from)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		var e entry
		if err := json.Unmarshal(bytes.TrimSpace(line), &e); err != nil {
			return nil, err
		}
		at, known := begun[e.N]
		switch {
		case e.Op != nil:
			e.Op.Process, e.Op.Call, e.Op.Return, e.Op.End = process, e.At, Never, Unknown
			begun[e.N] = len(all)
			all = append(all, *e.Op)
		case !known:
			return nil, fmt.Errorf("operation %d ends and has not begun", e.N)
		default:
			o := &all[at]
			o.End, o.Got, o.GotClaim = e.End, e.Got, e.GotClaim
			if o.End != Unknown { // what failed may be done later yet
				o.Return = e.At
			}
			delete(begun, e.N)
		}
	}
}
