package mcpbridge_test

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestOpenCallsHaveTwoSecondsWhenTheClientHasGone(t *testing.T) {
	for _, test := range []struct {
		needs, ends time.Duration
		answered    bool
	}{
		{time.Second, time.Second, true},
		{time.Minute, 2 * time.Second, false},
	} {
		t.Run(test.needs.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{post: func(w http.ResponseWriter, r *http.Request, m wireMessage) {
					select {
					case <-time.After(test.needs):
						respond(w, m, `{}`)
					case <-r.Context().Done():
					}
				}}
				k := newTalk(t, inProcess(t, s))
				k.begin()
				k.say(request("1", "slow"))
				synctest.Wait()
				began := time.Now()
				k.in.Close()
				answered := k.out.Scan()
				if answered != test.answered {
					t.Errorf("answered: %v", answered)
				}
				if err := k.end(); err != nil {
					t.Error(err)
				}
				if took := time.Since(began); took != test.ends {
					t.Errorf("it took %v", took)
				}
				if diff := cmp.Diff([]string{"notifications/initialized", "DELETE"}, s.noted()); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func TestTheRunEndsAtOnceWhenNothingIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listening := make(chan struct{})
		s := &script{get: func(w http.ResponseWriter, r *http.Request) {
			stream(w)
			close(listening)
			<-r.Context().Done()
		}}
		k := newTalk(t, inProcess(t, s))
		k.begin()
		<-listening
		began := time.Now()
		if err := k.end(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("it took %v", took)
		}
	})
}

func TestARunEndsAlthoughNobodyTakesItsLastLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newTalk(t, inProcess(t, &script{}))
		k.say(initialize) // whose answer is not read
		synctest.Wait()
		k.in.Close()
		if err := <-k.ended; err != nil {
			t.Error(err)
		}
	})
}

// visit is an attempt to open the stream of a session.
type visit struct {
	After       time.Duration
	LastEventID string
}

func TestTheStreamOfASessionIsOpenedAgainWhereItEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var visits []visit
		done := make(chan struct{})
		s := &script{get: func(w http.ResponseWriter, r *http.Request) {
			visits = append(visits, visit{time.Since(began), r.Header.Get("Last-Event-Id")})
			switch len(visits) {
			case 1:
				stream(w)("id: a\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/one\"}\n\n")
			case 2, 3:
				w.WriteHeader(http.StatusBadGateway)
			case 4:
				stream(w)("retry: 7000\nid: b\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/two\"}\n\n")
			case 5:
				http.Error(w, "stream replay unsupported", http.StatusBadRequest)
			default:
				w.WriteHeader(http.StatusMethodNotAllowed)
				close(done)
			}
		}}
		k := newTalk(t, inProcess(t, s))
		k.begin()
		for _, want := range []string{"notifications/one", "notifications/two"} {
			if a := k.hear(); a.Method != want {
				t.Errorf("got %s, want %s", a.Method, want)
			}
		}
		<-done
		time.Sleep(time.Hour) // nobody comes any more
		want := []visit{
			{0, ""}, {time.Second, "a"}, {3 * time.Second, "a"}, {7 * time.Second, "a"},
			{14 * time.Second, "b"}, {16 * time.Second, ""},
		}
		if diff := cmp.Diff(want, visits); diff != "" {
			t.Error(diff)
		}
	})
}

func TestAStreamThatEndsAtOnceIsOpenedLessAndLessOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		visits := 0
		s := &script{get: func(w http.ResponseWriter, _ *http.Request) {
			visits++
			stream(w)
		}}
		k := newTalk(t, inProcess(t, s))
		k.begin()
		time.Sleep(61*time.Second + time.Millisecond) // 1, 2, 4, 8, 16 and 30 seconds
		synctest.Wait()
		if visits != 7 {
			t.Errorf("%d visits", visits)
		}
	})
}

func TestAnAnswerIsTakenUpAgainWhereItsStreamEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var resumed []visit
		s := &script{
			post: func(w http.ResponseWriter, _ *http.Request, _ wireMessage) {
				stream(w)("retry: 500\nid: x\ndata: \n\n")
			},
		}
		s.get = func(w http.ResponseWriter, r *http.Request) {
			last := r.Header.Get("Last-Event-Id")
			if last == "" {
				w.WriteHeader(http.StatusMethodNotAllowed)
				return
			}
			resumed = append(resumed, visit{time.Since(began), last})
			switch len(resumed) {
			case 1:
				stream(w)("id: y\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")
			case 2:
				w.WriteHeader(http.StatusServiceUnavailable)
			default:
				stream(w)("id: z\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n")
			}
		}
		k := newTalk(t, inProcess(t, s))
		k.begin()
		k.say(request("1", "slow"))
		if a := k.hear(); a.Method != "notifications/progress" {
			t.Errorf("got %s", k.out.Text())
		}
		k.result(1.0)
		want := []visit{{500 * time.Millisecond, "x"}, {time.Second, "y"}, {3 * time.Second, "y"}}
		if diff := cmp.Diff(want, resumed); diff != "" {
			t.Error(diff)
		}
	})
}

func TestAnAnswerThatNeverComesIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		s := &script{
			post: func(w http.ResponseWriter, _ *http.Request, _ wireMessage) { stream(w)("id: x\ndata: \n\n") },
		}
		s.get = func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Last-Event-Id") == "" {
				w.WriteHeader(http.StatusMethodNotAllowed)
				return
			}
			tries++
			stream(w)
		}
		k := newTalk(t, inProcess(t, s))
		k.begin()
		k.say(request("1", "slow"))
		if got := k.failure(1.0, -32000); got != "the connection to http://parley.internal/mcp broke before the answer came" {
			t.Errorf("got %q", got)
		}
		if tries != 5 {
			t.Errorf("%d tries", tries)
		}
	})
}

func TestACallOfALostSessionWithoutASignOfLifeFailsInTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{post: func(w http.ResponseWriter, r *http.Request, m wireMessage) {
			if m.Method == "silent" {
				<-r.Context().Done()
				return
			}
			respond(w, m, `{}`)
		}}
		k := newTalk(t, inProcess(t, s))
		k.begin()
		k.say(request("1", "silent"))
		synctest.Wait()
		s.forget()
		k.say(request("2", "quick"))
		k.result(2.0)
		began := time.Now()
		if got := k.failure(1.0, -32000); got != "the session with http://parley.internal/mcp ended during the call: try again" {
			t.Errorf("got %q", got)
		}
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// What is left of a lost session is nothing to the calls of the next.
func TestACallOfANewSessionOutlivesThoseOfTheLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sign := make(chan struct{})
		s := &script{post: func(w http.ResponseWriter, r *http.Request, m wireMessage) {
			switch m.Method {
			case "silent":
				<-sign
				stream(w)(`data: {"jsonrpc":"2.0","method":"notifications/progress"}` + "\n\n")
				<-r.Context().Done()
				return
			case "long":
				time.Sleep(3 * time.Second) // longer than the lost one's calls have
			}
			respond(w, m, `{}`)
		}}
		k := newTalk(t, inProcess(t, s))
		k.begin()
		k.say(request("1", "silent"))
		synctest.Wait()
		s.forget()
		k.say(request("2", "quick")) // in the second session
		k.result(2.0)
		close(sign)
		k.hear() // the first is at work after all
		s.forget()
		k.say(request("3", "quick")) // and does not keep the third from being begun
		k.result(3.0)
		k.say(request("4", "long"))
		k.failure(1.0, -32000)
		k.result(4.0)
	})
}

func TestACancelledCallIsNotAnsweredAndTheServerHearsOfItAfterTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		s.post = func(w http.ResponseWriter, r *http.Request, m wireMessage) {
			s.note("call " + string(m.ID))
			<-r.Context().Done()
			respond(w, m, `{}`)
		}
		k := newTalk(t, inProcess(t, s))
		k.begin()
		for id := range 20 {
			k.say(request(fmt.Sprint(id), "slow"))
			k.say(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
			time.Sleep(time.Second)
		}
		if err := k.end(); err != nil {
			t.Error(err)
		}
		want := []string{"notifications/initialized"}
		for id := range 20 {
			want = append(want, fmt.Sprintf("call %d", id), fmt.Sprintf("notifications/cancelled%d", id))
		}
		if diff := cmp.Diff(append(want, "DELETE"), s.noted()); diff != "" {
			t.Error(diff)
		}
	})
}
