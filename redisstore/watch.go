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
	return s.subscribe(ctx, "watch", s.keys.channel(), func() { settled("") }, func(m rueidis.PubSubMessage) { settled(parley.ID(m.Message)) })
}

// subscribe hands on what is said on a channel until ctx ends, the store is closed
// or the connection breaks, and returns the reason. It calls begun first.
func (s *Store) subscribe(ctx context.Context, what, channel string, begun func(), heard func(rueidis.PubSubMessage)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-s.closed:
			cancel(errClosed)
		case <-ctx.Done():
		}
	}()
	err := foreign(s.receive(ctx, channel, begun, heard))
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return s.server.explain(what, err)
}

func (s *Store) receive(ctx context.Context, channel string, begun func(), heard func(rueidis.PubSubMessage)) error {
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
			begun()
		}
	})
	err = client.Receive(ctx, client.B().Subscribe().Channel(channel).Build(), heard)
	if err == nil {
		err = errors.New("the server ended the subscription")
	}
	return err
}
