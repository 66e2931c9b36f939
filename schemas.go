package parley

import (
	"container/list"
	"crypto/sha256"
	"sync"

	"github.com/parley-hq/parley/form"
)

// emptySchema is a form without fields: a plain confirmation.
const emptySchema = `{"type":"object","properties":{}}`

// maxSchemaBytes bounds the cache, in bytes of the schemas' texts: a parsed one
// takes up to twenty times as much. Programs ask few kinds of question, and small
// ones: thousands fit.
const maxSchemaBytes = 2 << 20

// schemaCache keeps parsed schemas by the hash of their text: parsing compiles
// them, which costs more than everything else an answer does. Those that were
// not used for longest make room for others.
type schemaCache struct {
	mu     sync.Mutex
	byHash map[[sha256.Size]byte]*list.Element
	recent list.List // of keptSchema, the one that was used last in front
	bytes  int       // of the texts of all
}

type keptSchema struct {
	hash   [sha256.Size]byte
	schema *form.Schema
	bytes  int
}

func (c *schemaCache) parse(raw []byte, limits *form.Limits) (*form.Schema, error) {
	if len(raw) == 0 {
		raw = []byte(emptySchema)
	}
	hash := sha256.Sum256(raw)
	if schema := c.get(hash); schema != nil {
		return schema, nil
	}
	schema, err := form.Parse(raw, limits)
	if err == nil {
		c.keep(keptSchema{hash, schema, len(raw)})
	}
	return schema, err
}

func (c *schemaCache) get(hash [sha256.Size]byte) *form.Schema {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.byHash[hash]
	if at == nil {
		return nil
	}
	c.recent.MoveToFront(at)
	return at.Value.(keptSchema).schema
}

func (c *schemaCache) keep(one keptSchema) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byHash[one.hash] != nil || one.bytes > maxSchemaBytes {
		return
	}
	if c.byHash == nil {
		c.byHash = map[[sha256.Size]byte]*list.Element{}
	}
	c.byHash[one.hash] = c.recent.PushFront(one)
	for c.bytes += one.bytes; c.bytes > maxSchemaBytes; {
		oldest := c.recent.Remove(c.recent.Back()).(keptSchema)
		delete(c.byHash, oldest.hash)
		c.bytes -= oldest.bytes
	}
}
