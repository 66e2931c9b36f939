package redisstore

import (
	"context"
	"errors"

	"github.com/redis/rueidis"

	"github.com/parley-hq/parley"
)

// Watch implements parley.Store. It has a connection of its own and returns
// when that breaks, so no gap goes unnoticed.
func (s *Store) Watch(ctx context.Context, settled func(parley.ID)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-s.closed:
			cancel(errClosed)
		case <-ctx.Done():
		}
	}()
	err := foreign(s.receive(ctx, settled))
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return s.server.explain("watch", err)
}

func (s *Store) receive(ctx context.Context, settled func(parley.ID)) error {
	option := s.server.option
	option.PipelineMultiplex = -1 // one connection
	client, err := connect(ctx, option)
	if err != nil {
		return err
	}
	defer func() { go client.Close() }() // which gives a silent server a second
	// The library calls this in the order of the server's messages, so it comes
	// after the confirmation and before every hint.
	ctx = rueidis.WithOnSubscriptionHook(ctx, func(change rueidis.PubSubSubscription) {
		if change.Kind == "subscribe" {
			settled("")
		}
	})
	subscribe := client.B().Subscribe().Channel(s.keys.channel()).Build()
	err = client.Receive(ctx, subscribe, func(m rueidis.PubSubMessage) { settled(parley.ID(m.Message)) })
	if err == nil {
		err = errors.New("the server ended the subscription")
	}
	return err
}
