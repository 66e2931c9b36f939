package redisstore

import (
	"context"
	"crypto/sha1"
	"embed"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/gomodule/redigo/redis"
)

//go:embed scripts/*.lua
var sources embed.FS

// scripts are the changes that the store makes.
type scripts struct {
	put, settle, save, delete, sweep, rewrite script
}

func newScripts() scripts {
	return scripts{
		put:    newScript("put"),
		settle: newScript("settle"),
		save:   newScript("save"),
		delete: newScript("delete"),
		sweep:  newScript("sweep"),

		rewrite: newScript("rewrite"),
	}
}

// script is sent by its hash, and whole when the server does not know it. It is never
// repeated otherwise: a settle whose reply was lost would find its own work and report
// that somebody else had been first.
type script struct{ text, hash any } // strings, as a command has them

func newScript(name string) script {
	text := source("names") + source(name)
	hash := sha1.Sum([]byte(text))
	return script{text, hex.EncodeToString(hash[:])}
}

func source(name string) string {
	text, err := sources.ReadFile("scripts/" + name + ".lua")
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(text)
}

// run runs a script about key.
func (s *Store) run(ctx context.Context, script script, key string, args ...any) (int64, error) {
	sent := append([]any{script.hash, "1", key, s.keys.tag}, args...)
	reply, err := s.link.one(ctx, "EVALSHA", sent...)
	if isRefusal(err, "NOSCRIPT") {
		sent[0] = script.text
		reply, err = s.link.one(ctx, "EVAL", sent...)
	}
	return redis.Int64(reply, err)
}

func milliseconds(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }
