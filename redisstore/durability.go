package redisstore

import (
	"context"
	"log/slog"
	"maps"
	"strings"

	"github.com/gomodule/redigo/redis"
)

// checkDurability logs once if the server is set up in a way that can lose
// questions. It is an error only if the server does not answer.
func (s *Store) checkDurability(ctx context.Context, logger *slog.Logger) error {
	settings, err := s.settings(ctx)
	if isAnswer(err) { // not everybody may read the configuration, and not every provider has it
		logger.Debug("Redis durability unknown", "server", s.server.address(), "err", err)
		return nil
	}
	if err != nil {
		return s.server.explain("connect", err)
	}
	var reasons []string
	if settings["appendonly"] == "no" && settings["save"] == "" {
		reasons = append(reasons, "it writes nothing to disk: set appendonly yes")
	}
	if policy := settings["maxmemory-policy"]; policy != "" && policy != "noeviction" {
		reasons = append(reasons, "it drops keys when memory is short: set maxmemory-policy noeviction")
	}
	if len(reasons) > 0 {
		logger.Warn("Redis can lose questions", "server", s.server.address(), "because", strings.Join(reasons, "; "))
	}
	return nil
}

func (s *Store) settings(ctx context.Context) (map[string]string, error) {
	var commands []command
	for _, name := range []string{"appendonly", "save", "maxmemory-policy"} {
		commands = append(commands, command{"CONFIG", []any{"GET", name}})
	}
	replies := make([]any, len(commands))
	if err := s.link.do(ctx, commands, replies); err != nil {
		return nil, err
	}
	settings := map[string]string{}
	for _, reply := range replies {
		values, err := redis.StringMap(reply, nil)
		if err != nil {
			return nil, err
		}
		maps.Copy(settings, values)
	}
	return settings, nil
}
