package redisstore

import (
	"context"
	"errors"
	"net"
	"strconv"
	"strings"

	"github.com/gomodule/redigo/redis"
)

const slots = 16384 // of a cluster

// toOwner connects to the node of a cluster that has our slot. Any node tells which that is,
// and names the others, which are asked when it is away. One that does not tell (it is not in
// a cluster, or our user may not ask it) is taken for the right one: it sends us away if not.
func (l *link) toOwner(ctx context.Context) (*conn, error) {
	var last error
	tried := map[string]bool{}
	for _, place := range l.places.all() {
		owner, nodes := "", []string(nil)
		c, err := l.server.dial(ctx, place, func(c *conn) (err error) {
			if owner, nodes, err = ownerOf(c, l.slot); isAnswer(err) {
				err = nil
			}
			return err
		})
		if err == nil && owner != "" && owner != place {
			c.end()
			if tried[owner] {
				continue
			}
			tried[owner] = true
			c, err = l.server.dial(ctx, owner, nil)
		}
		if err == nil {
			l.places.prefer(c.address)
			l.places.know(nodes)
			return c, nil
		}
		last = both(last, err)
	}
	return nil, last
}

// ownerOf asks a node for the address of the one that has a slot, and those of all.
func ownerOf(c *conn, slot int) (owner string, nodes []string, err error) {
	ranges, err := redis.Values(c.Do("CLUSTER", "SLOTS"))
	if err != nil {
		return "", nil, err
	}
	for _, r := range ranges {
		fields, err := redis.Values(r, nil) // the first slot, the last one, the primary, the replicas
		if err != nil || len(fields) < 3 {
			return "", nil, errors.New("what the cluster says of its slots cannot be read")
		}
		first, _ := redis.Int(fields[0], nil)
		last, _ := redis.Int(fields[1], nil)
		for i, field := range fields[2:] {
			node, err := redis.Values(field, nil)
			if err != nil || len(node) < 2 {
				return "", nil, errors.New("what the cluster says of its nodes cannot be read")
			}
			host, _ := redis.String(node[0], nil)
			port, _ := redis.Int(node[1], nil)
			place := besides(c.address, host, strconv.Itoa(port))
			if nodes = append(nodes, place); i == 0 && first <= slot && slot <= last {
				owner = place
			}
		}
	}
	return owner, nodes, nil
}

// movedTo returns where a node sends a call: "MOVED 3999 127.0.0.1:6381".
func movedTo(answer redis.Error, asked string) (place string, moved bool) {
	fields := strings.Fields(string(answer))
	if len(fields) != 3 || fields[0] != "MOVED" {
		return "", false
	}
	colon := strings.LastIndexByte(fields[2], ':') // an IPv6 address has no brackets here
	if colon < 0 {
		return "", false
	}
	return besides(asked, fields[2][:colon], fields[2][colon+1:]), true
}

// besides is the address of a node as another one names it. One that does not know the
// other's host means its own.
func besides(asked, host, port string) string {
	if host == "" || host == "?" {
		host, _, _ = net.SplitHostPort(asked)
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), port)
}

// slotOf is the slot of all keys with a tag in braces.
func slotOf(tag string) int {
	crc := uint16(0) // CRC-16/XMODEM
	for _, b := range []byte(tag) {
		crc ^= uint16(b) << 8
		for range 8 {
			if carry := crc&0x8000 != 0; carry {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return int(crc) % slots
}
