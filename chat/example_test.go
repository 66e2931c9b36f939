package chat_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
)

func Example() {
	store := parley.NewMemoryStore()
	hub := parley.New(store, nil)
	runtime, err := agent.New(hub, store, nil, &agent.Options{Agents: []*agent.Agent{
		{Name: "greeter", Model: says("Good morning.")},
	}})
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = runtime.Run(ctx)
	}()

	surface, err := chat.New(runtime, hub, &chat.Options{
		Principal: func(r *http.Request) (parley.Principal, error) {
			if r.Header.Get("Authorization") != "Bearer alice's token" {
				return parley.Principal{}, chat.ErrUnauthenticated
			}
			return parley.Principal{User: "alice", Method: "jwt"}, nil
		},
	})
	if err != nil {
		panic(err)
	}
	server := httptest.NewServer(surface)

	body := `{"id":"c1","messages":[{"id":"m1","role":"user","parts":[{"type":"text","text":"Hello"}]}]}`
	request, _ := http.NewRequest(http.MethodPost, server.URL+"/run/api/chat", strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer alice's token")
	answer, err := server.Client().Do(request)
	if err != nil {
		panic(err)
	}
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if strings.Contains(lines.Text(), "delta") || strings.Contains(lines.Text(), "DONE") {
			_, text, _ := strings.Cut(lines.Text(), `"delta":`)
			fmt.Println(answer.StatusCode, text)
		}
	}
	answer.Body.Close()
	server.Close()
	cancel()
	<-done
	// Output:
	// 200 "Good morning."}
	// 200
}
