package sqlitestore_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/sqlitestore"
)

// What is stored is still there when the program has been started again.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "parley")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "parley.db")

	store, err := sqlitestore.Open(ctx, path, nil)
	if err != nil {
		log.Fatal(err)
	}
	r := question("ann")
	if err := store.Put(ctx, r, 0); err != nil {
		log.Fatal(err)
	}
	if err := store.Close(); err != nil {
		log.Fatal(err)
	}

	store, err = sqlitestore.Open(ctx, path, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	pending, err := store.List(ctx, parley.Query{Tenant: r.Tenant, To: "ann", Pending: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pending[0].Message)
	// Output: Send it?
}
