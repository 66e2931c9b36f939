package parley

import (
	"crypto/sha256"
	"sync"

	"github.com/parley-hq/parley/form"
)

// emptySchema is a form without fields: a plain confirmation.
const emptySchema = `{"type":"object","properties":{}}`

// maxSchemas bounds the cache; programs ask few kinds of question.
const maxSchemas = 1024

// schemaCache keeps parsed schemas by the hash of their text: parsing compiles
// them, which costs more than everything else an answer does.
type schemaCache struct {
	mu     sync.Mutex
	byHash map[[sha256.Size]byte]*form.Schema
}

func (c *schemaCache) parse(raw []byte, limits *form.Limits) (*form.Schema, error) {
	if len(raw) == 0 {
		raw = []byte(emptySchema)
	}
	key := sha256.Sum256(raw)
	c.mu.Lock()
	schema := c.byHash[key]
	c.mu.Unlock()
	if schema != nil {
		return schema, nil
	}
	schema, err := form.Parse(raw, limits)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byHash == nil || len(c.byHash) >= maxSchemas {
		c.byHash = map[[sha256.Size]byte]*form.Schema{}
	}
	c.byHash[key] = schema
	return schema, nil
}
