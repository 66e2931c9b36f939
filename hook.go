package parley

import "context"

// Stage names a step of opening or answering a request.
type Stage[T any] string

// Step is what a stage does.
type Step[T any] func(ctx context.Context, state *T) error

// Hook wraps one stage. Before, After, Around and Replace make hooks.
type Hook interface{ hook() }

type wrap[T any] struct {
	stage Stage[T]
	with  func(next Step[T]) Step[T]
}

func (wrap[T]) hook() {}

// Filter says whether a hook applies. Where several are given all must agree.
type Filter[T any] func(state *T) bool

// Around runs fn instead of the stage; fn calls next to go on, or does not.
// Every other kind of hook is a case of this one.
func Around[T any](stage Stage[T], fn func(ctx context.Context, state *T, next Step[T]) error, when ...Filter[T]) Hook {
	return wrap[T]{stage, func(next Step[T]) Step[T] {
		return func(ctx context.Context, state *T) error {
			for _, applies := range when {
				if !applies(state) {
					return next(ctx, state)
				}
			}
			return fn(ctx, state, next)
		}
	}}
}

// Before runs fn, then the stage. An error of fn stops there.
func Before[T any](stage Stage[T], fn Step[T], when ...Filter[T]) Hook {
	return Around(stage, func(ctx context.Context, state *T, next Step[T]) error {
		if err := fn(ctx, state); err != nil {
			return err
		}
		return next(ctx, state)
	}, when...)
}

// After runs the stage and, when it succeeded, fn.
func After[T any](stage Stage[T], fn Step[T], when ...Filter[T]) Hook {
	return Around(stage, func(ctx context.Context, state *T, next Step[T]) error {
		if err := next(ctx, state); err != nil {
			return err
		}
		return fn(ctx, state)
	}, when...)
}

// Replace runs fn in place of the stage. Who replaces a stage takes over its
// promises.
func Replace[T any](stage Stage[T], fn Step[T], when ...Filter[T]) Hook {
	return Around(stage, func(ctx context.Context, state *T, _ Step[T]) error { return fn(ctx, state) }, when...)
}

// pipeline is the stages of one operation with their hooks around them.
type pipeline[T any] []stage[T]

type stage[T any] struct {
	name Stage[T]
	step Step[T]
}

// newPipeline wraps each stage with its hooks; the first hook is outermost.
func newPipeline[T any](stages []stage[T], hooks []Hook) pipeline[T] {
	for i := range stages {
		for j := len(hooks) - 1; j >= 0; j-- {
			if w, ok := hooks[j].(wrap[T]); ok && w.stage == stages[i].name {
				stages[i].step = w.with(stages[i].step)
			}
		}
	}
	return stages
}

// run takes state through the named stages, or through all of them.
func (p pipeline[T]) run(ctx context.Context, state *T, only ...Stage[T]) error {
	next := 0
	for _, s := range p {
		if len(only) > 0 && (next == len(only) || s.name != only[next]) {
			continue
		}
		next++
		if err := s.step(ctx, state); err != nil {
			return err
		}
	}
	return nil
}
