package api

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Whoever hangs up while they are looked up is no trouble of ours.
func TestACallerWhoIsGoneIsNotInTheLog(t *testing.T) {
	for there, told := range map[bool]int{true: 1, false: 0} {
		var log bytes.Buffer
		a := &API{opts: Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}}
		ctx, leave := context.WithCancel(t.Context())
		r := httptest.NewRequest(http.MethodGet, "/api/servers", nil).WithContext(ctx)
		if !there {
			leave()
		}
		w := httptest.NewRecorder()
		a.failCaller(w, r, errors.New("the store is away"))
		leave()
		if w.Code != http.StatusServiceUnavailable || strings.Count(log.String(), `level=ERROR msg="API caller not verified" path=/api/servers err="the store is away"`) != told {
			t.Errorf("there %v: %d %s", there, w.Code, log.String())
		}
	}
}
