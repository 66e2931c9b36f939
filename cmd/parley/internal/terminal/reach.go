package terminal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
)

// unreachable says that nobody answered at an address, and why if that is known.
type unreachable struct {
	base  string
	cause error
}

func (u *unreachable) Error() string {
	why := ""
	var number syscall.Errno
	var name *net.DNSError
	switch {
	case errors.As(u.cause, &name):
		why = " (" + name.Err + ")"
	case errors.As(u.cause, &number):
		why = " (" + number.Error() + ")"
	}
	return "cannot reach " + u.base + why + ": start the server there, or name another with --server"
}

func (u *unreachable) Unwrap() error { return u.cause }

// send sends a request. Whoever cannot connect at all is *unreachable.
func (s *service) send(r *http.Request) (*http.Response, error) {
	answer, err := s.client.Do(r)
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" && r.Context().Err() == nil {
		return nil, &unreachable{base: s.base, cause: err}
	}
	return answer, err
}

// hasAgent returns an error that names the agents there are, if the one that was
// asked for is none of them. Of a server that does not list them nothing is known.
func (s *chatServer) hasAgent(ctx context.Context) error {
	if s.agent == "" {
		return nil
	}
	answer, err := s.do(ctx, http.MethodGet, "/run/v1/models", nil)
	if err != nil {
		return nil // what is wrong is said when something is sent
	}
	defer answer.Body.Close()
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if json.NewDecoder(io.LimitReader(answer.Body, 1<<20)).Decode(&list) != nil || len(list.Data) == 0 {
		return nil
	}
	var names []string
	for _, one := range list.Data {
		if one.ID == s.agent {
			return nil
		}
		names = append(names, word(one.ID))
	}
	slices.Sort(names)
	return fmt.Errorf("there is no agent %q at %s; --agent takes one of: %s", s.agent, s.base, strings.Join(names, ", "))
}
