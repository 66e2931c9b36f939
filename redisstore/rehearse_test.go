package redisstore_test

import (
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/redisstore"
)

// allRights are what a user needs who may do nothing else.
var allRights = []string{
	"+del", "+incr", "+set", "+get", "+mget", "+getrange", "+exists", "+pexpireat", "+zadd", "+zrem", "+zcard", "+zrange", "+zrangebyscore", "+zrangebylex",
	"+zrevrangebylex", "+eval", "+evalsha", "+time", "+publish", "+subscribe", "~{parley}:*", "&{parley}:*",
}

// wantedRights are those without which a store goes on.
var wantedRights = []string{"+pubsub|numsub", "+info"}

// as makes a user with these rights alone, and returns its URL.
func as(t *testing.T, at string, rights ...string) string {
	t.Helper()
	if _, err := ask(t, raw(t, at), "ACL", append([]string{"SETUSER", "guest", "reset", "on", ">" + password}, rights...)...); err != nil {
		t.Fatal(err)
	}
	return strings.Replace(at, "redis://", "redis://guest:"+password+"@", 1)
}

func rehearse(t *testing.T, at string) (string, error) {
	t.Helper()
	return redisstore.Rehearse(t.Context(), at, &redisstore.Options{Logger: slog.New(slog.DiscardHandler)})
}

func TestWhatAUserMayNotDoIsTold(t *testing.T) {
	own := servers.OwnRedis(t, nil)
	lacking := func(rights, words, remedy string) {
		t.Helper()
		u, err := url.Parse(own.URL)
		if err != nil {
			t.Fatal(err)
		}
		want := "redisstore: the user guest of Redis at " + u.Host + " lacks " + words + ": run ACL SETUSER guest " + remedy + " as an administrator of it"
		if _, err := rehearse(t, as(t, own.URL, strings.Fields(rights)...)); err == nil || err.Error() != want {
			t.Errorf("with %s\n%v\nwant\n%s", rights, err, want)
		}
	}
	lacking("~* &* +@read +@connection", "the right to run DEL, SET, PEXPIREAT, ZADD, ZREM, EVAL, EVALSHA, TIME, PUBLISH, SUBSCRIBE",
		"+del +set +pexpireat +zadd +zrem +eval +evalsha +time +publish +subscribe +pubsub|numsub +info")
	lacking("~{parley_other}:* &* +@all", "full access to the keys {parley}:*", "~{parley}:*")
	lacking("%R~{parley}:* &* +@all", "full access to the keys {parley}:*", "~{parley}:*")
	lacking("~{parley}:* +@all", "access to the channels {parley}:*", "&{parley}:*")
	lacking("~{parley}:* &{parley}:node:* +@all", "access to the channels {parley}:*", "&{parley}:*")
	lacking("~{parley}:* &{parley}:* +@all -@scripting", "the right to run EVAL, EVALSHA", "+eval +evalsha")
	everything := slices.Concat(allRights, wantedRights)
	for i, right := range everything {
		if right[0] != '+' {
			continue
		}
		without, err := rehearse(t, as(t, own.URL, slices.Delete(slices.Clone(everything), i, i+1)...))
		switch wanted := slices.Contains(wantedRights, right); {
		case wanted && (err != nil || without != right):
			t.Errorf("without %s: %q, %v", right, without, err)
		case !wanted && (err == nil || !strings.Contains(err.Error(), "lacks the right to run "+strings.ToUpper(right[1:])+": ")):
			t.Errorf("without %s: %v", right, err)
		}
	}
	if n, err := redis.Int64(ask(t, raw(t, own.URL), "DBSIZE")); n != 0 || err != nil {
		t.Errorf("%d keys are left behind, %v", n, err)
	}
}

// A user with the rights that a rehearsal asks for can do all that the store does.
func TestWhoMayDoAllThatIsRehearsedCanUseTheStore(t *testing.T) {
	own := servers.OwnRedis(t, nil)
	theirs := as(t, own.URL, slices.Concat(allRights, wantedRights)...)
	if without, err := rehearse(t, theirs); without != "" || err != nil {
		t.Errorf("%q, %v", without, err)
	}
	s := open(t, theirs, &redisstore.Options{})
	useAll(t, s)
	documented := as(t, own.URL, strings.Fields("~{parley}:* &{parley}:* +@read +@write +@scripting +@pubsub +@connection +time +info")...) // docs/configuration.md
	if without, err := rehearse(t, documented); without != "" || err != nil {
		t.Errorf("as it is documented: %q, %v", without, err)
	}
	if absent, err := s.Absent(t.Context(), "nobody"); err == nil && !absent {
		t.Error("a node that is not there attends")
	} else if err != nil && strings.Contains(err.Error(), "NOPERM") {
		t.Error(err)
	}
	scripts, err := filepath.Glob("scripts/*.lua")
	if err != nil || len(scripts) == 0 {
		t.Fatal(scripts, err)
	}
	for _, name := range scripts {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range regexp.MustCompile(`redis\.p?call\('([A-Z]+)'`).FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(allRights, "+"+strings.ToLower(call[1])) {
				t.Errorf("%s runs %s, and nobody rehearses it", name, call[1])
			}
		}
	}
}

func TestARedisThatTakesNoWritesIsTold(t *testing.T) {
	own := servers.OwnRedis(t, nil)
	client := raw(t, own.URL)
	if _, err := ask(t, client, "CONFIG", "SET", "maxmemory", "1"); err != nil {
		t.Fatal(err)
	}
	if _, err := rehearse(t, own.URL); err == nil || !strings.Contains(err.Error(), "maxmemory") {
		t.Errorf("without memory: %v", err)
	}
	if _, err := ask(t, client, "CONFIG", "SET", "maxmemory", "0"); err != nil {
		t.Fatal(err)
	}
	if _, err := ask(t, client, "REPLICAOF", "127.0.0.1", "1"); err != nil {
		t.Fatal(err)
	}
	if _, err := rehearse(t, own.URL); err == nil || !strings.Contains(err.Error(), "takes no writes: it is a replica. Name the primary") {
		t.Errorf("a replica: %v", err)
	}
}
