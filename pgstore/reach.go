package pgstore

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
)

// CheckURL says what Open would say of a URL without connecting. Its error has
// nothing of the password.
func CheckURL(url string) error {
	_, err := parseURL(url, Options{})
	return err
}

// Reach connects to the database and changes nothing there: tables are made, and
// brought up to date, by Open.
func Reach(ctx context.Context, url string) error {
	config, err := parseURL(url, Options{})
	if err != nil {
		return err
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("pgstore: %w", err)
	}
	defer pool.Close()
	if err := pool.Ping(ctx); err != nil {
		return explained("connect", err)
	}
	return nil
}
