package redisstore

import (
	"strconv"

	"github.com/parley-hq/parley"
)

// keys names everything the store keeps. Names begin with the tag, so that all
// of them are in one slot of a cluster. Tenants, users, sessions, kinds and keys
// are any bytes: where two of them meet, the length of the first stands in
// front, so no two things share a name. scripts/names.lua does the same.
type keys struct {
	tag string // "{parley}"
}

// The two sets that a request's id can be in.
const (
	openSet = "open" // pending
	pastSet = "past" // settled
)

func (k keys) request(id parley.ID) string { return k.tag + ":req:" + string(id) }

func (k keys) byTenant(set, tenant string) string { return k.tag + ":" + set + ":tenant:" + tenant }

func (k keys) byUser(set, tenant, user string) string {
	return k.tag + ":" + set + ":user:" + measured(tenant) + user
}

func (k keys) bySession(set, tenant, session string) string {
	return k.tag + ":" + set + ":session:" + measured(tenant) + session
}

func (k keys) record(at parley.Address) string {
	return k.tag + ":rec:" + measured(at.Tenant) + measured(at.Kind) + at.Key
}

// index is the set of the keys of a tenant's records of one kind.
func (k keys) index(tenant, kind string) string {
	return k.tag + ":keys:" + measured(tenant) + kind
}

func (k keys) due() string     { return k.tag + ":due" }
func (k keys) dying() string   { return k.tag + ":dying" }
func (k keys) tenants() string { return k.tag + ":tenants" }
func (k keys) channel() string { return k.tag + ":settled" }

// measured is part with its length, for something to follow.
func measured(part string) string { return strconv.Itoa(len(part)) + ":" + part + ":" }
