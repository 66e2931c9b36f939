package pgstore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/parley-hq/parley"
)

const (
	// heartbeat is how long a watch stays silent before it asks whether the
	// connection is alive: a server that vanished sends nothing, and neither
	// does one where nothing happens.
	heartbeat = 30 * time.Second

	// answerTime is how long the answer to that may take.
	answerTime = 10 * time.Second

	// farewell is how long the end of a watch may take.
	farewell = time.Second
)

// Watch implements parley.Store. It takes a connection of its own beside the pool.
func (s *Store) Watch(ctx context.Context, settled func(parley.ID)) error {
	return s.whileOpen(ctx, func(ctx context.Context) error { return s.listen(ctx, settled) })
}

// whileOpen runs do until ctx ends or the store is closed, and says which it was.
func (s *Store) whileOpen(ctx context.Context, do func(context.Context) error) error {
	open, cancel := context.WithCancel(ctx)
	var closing sync.WaitGroup
	defer closing.Wait()
	defer cancel()
	closing.Go(func() {
		select {
		case <-s.closed:
			cancel()
		case <-open.Done():
		}
	})
	err := do(open)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case open.Err() != nil:
		return errClosed
	}
	return err
}

// hangUp closes a connection, which is given up either way.
func hangUp(ctx context.Context, conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	_ = conn.Close(ctx)
}

func (s *Store) listen(ctx context.Context, settled func(parley.ID)) error {
	conn, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig)
	if err != nil {
		return explained("watch", err)
	}
	defer hangUp(ctx, conn)
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{s.channel}.Sanitize()); err != nil {
		return explained("watch", err)
	}
	settled("")
	for {
		if err := s.hear(ctx, conn, settled); err != nil {
			return explained("watch", err)
		}
	}
}

// hear passes on the next hint. After a silence it makes sure that there is
// still somebody to hear from; hints that arrive meanwhile are not lost, the
// connection keeps them for the next call.
func (s *Store) hear(ctx context.Context, conn *pgx.Conn, settled func(parley.ID)) error {
	silence, cancel := context.WithTimeout(ctx, s.heartbeat)
	defer cancel()
	hint, err := conn.WaitForNotification(silence)
	if hint != nil {
		settled(parley.ID(hint.Payload))
	}
	if err == nil || ctx.Err() != nil || !errors.Is(silence.Err(), context.DeadlineExceeded) || conn.IsClosed() {
		return err
	}
	answer, cancel := context.WithTimeout(ctx, s.answer)
	defer cancel()
	if err := conn.Ping(answer); err != nil {
		return fmt.Errorf("the connection is dead: %w", err)
	}
	return nil
}
