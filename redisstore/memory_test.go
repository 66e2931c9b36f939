package redisstore_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/redisstore"
)

// A parked question costs its row and little else. The limit is generous; the
// log tells the number.
func TestMemoryOfAPendingRequest(t *testing.T) {
	const requests, most = 10_000, 1500
	server := servers.OwnRedis(t, nil)
	client := raw(t, server.URL)
	s := open(t, server.URL, &redisstore.Options{})
	put(t, s, question("somebody")) // the scripts are loaded now
	before := usedMemory(t, client)
	fill(t, s, requests, func(i int, r *parley.Request) { r.Session = fmt.Sprint("session-", i) })
	each := (usedMemory(t, client) - before) / requests

	one := put(t, s, question("somebody else"))
	value, err := redis.Int64(ask(t, client, "MEMORY", "USAGE", "{parley}:req:"+string(one.ID)))
	if err != nil {
		t.Fatal(err)
	}
	size, err := redis.Int64(ask(t, client, "STRLEN", "{parley}:req:"+string(one.ID)))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes for each of %d pending requests, all indexes included; %d of them its value with its key, %d the value alone",
		each, requests, value, size)
	if each > most {
		t.Errorf("%d bytes for each pending request, want %d at most", each, most)
	}
}

func usedMemory(t *testing.T, client redis.Conn) int64 {
	t.Helper()
	info, err := redis.String(ask(t, client, "INFO", "memory"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(info) {
		if value, ok := strings.CutPrefix(line, "used_memory_dataset:"); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatal("INFO does not tell the memory")
	return 0
}
