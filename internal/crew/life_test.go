package crew_test

import (
	"context"
	"testing"

	"github.com/parley-hq/parley/internal/crew"
)

func TestALifeEndsWithTheOneThatItIsIn(t *testing.T) {
	outer := crew.Begin(context.Background())
	inner, other := crew.Begin(outer.Context()), crew.Begin(outer.Context())
	other.End()
	if !other.Over() || inner.Over() || outer.Over() {
		t.Fatalf("one ended: %v, another: %v, the outer: %v", other.Over(), inner.Over(), outer.Over())
	}
	outer.End()
	<-inner.Done()
	if !inner.Over() || !outer.Over() || inner.Context().Err() == nil {
		t.Errorf("the outer ended: %v, the inner: %v", outer.Over(), inner.Over())
	}
}
