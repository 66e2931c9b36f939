package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// readers is how many queries run at once. More do not help a program with a
// handful of cores, and each keeps a page cache of its own.
const readers = 4

// Pauses between attempts to get a lock that another process has: a write
// takes a fraction of a millisecond.
const (
	firstPause = 100 * time.Microsecond
	lastPause  = 1 * time.Millisecond
)

// busy_timeout stays 0 because SQLite's own waiting sleeps in steps of up to
// 100 ms and does not hear of a context; see patiently.
const (
	writing = "_pragma=synchronous(full)&_pragma=temp_store(memory)&_txlock=immediate"
	reading = "_pragma=query_only(true)&_pragma=temp_store(memory)"
)

// pool is the connections that read, with their prepared statements.
type pool struct {
	db       *sql.DB
	patience time.Duration

	mu         sync.Mutex
	statements map[string]*sql.Stmt // nil once closed
}

func newPool(path string, patience time.Duration) (*pool, error) {
	db, err := connect(path, reading)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(readers)
	db.SetMaxIdleConns(readers)
	return &pool{db: db, patience: patience, statements: make(map[string]*sql.Stmt)}, nil
}

func (p *pool) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, statement := range p.statements {
		statement.Close() // what it could report, closing the connections reports too
	}
	p.statements = nil
	return p.db.Close()
}

func (p *pool) prepare(ctx context.Context, text string) (*sql.Stmt, error) {
	p.mu.Lock()
	statement, ok := p.statements[text]
	p.mu.Unlock()
	if ok {
		return statement, nil
	}
	statement, err := p.db.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.statements == nil {
		return nil, errors.Join(ErrClosed, statement.Close())
	}
	if first, ok := p.statements[text]; ok {
		return first, statement.Close()
	}
	p.statements[text] = statement
	return statement, nil
}

// reason returns what made a query fail with err.
func (p *pool) reason(ctx context.Context, err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case p.statements == nil:
		return ErrClosed
	}
	return err
}

// collect runs a query and returns its rows.
func collect[T any](ctx context.Context, p *pool, scan func(*sql.Rows) (T, error), text string, args ...any) (all []T, err error) {
	err = patiently(ctx, p.patience, func() error {
		all = nil
		statement, err := p.prepare(ctx, text)
		if err != nil {
			return err
		}
		rows, err := statement.QueryContext(ctx, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			one, err := scan(rows)
			if err != nil {
				return err
			}
			all = append(all, one)
		}
		return errors.Join(rows.Err(), rows.Close())
	})
	return all, p.reason(ctx, err)
}

// number is a scan function for queries of one integer.
func number(rows *sql.Rows) (n int64, err error) {
	err = rows.Scan(&n)
	return n, err
}

// patiently repeats do while another process has the file locked. A statement
// that met a lock has changed nothing.
func patiently(ctx context.Context, patience time.Duration, do func() error) error {
	begin := time.Now()
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := do()
		if !busy(err) {
			return err
		}
		if waited := time.Since(begin); waited > patience {
			return fmt.Errorf("another program has kept the file locked for %v: "+
				"look for one that holds a transaction open: %w", waited.Round(time.Millisecond), err)
		}
		// The random part keeps two processes from meeting again and again.
		timer := time.NewTimer(pause/2 + rand.N(pause))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}
