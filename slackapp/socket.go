package slackapp

import (
	"context"
	"fmt"
	"io"
	"log"
	"sync"
	"time"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"

	"github.com/parley-hq/parley/internal/patience"
)

// listen takes what Slack sends over a socket that this process opens (Socket Mode), until
// ctx ends. Slack gives each event to one of the processes that listen, and again where it
// was not acknowledged.
func (a *App) listen(ctx context.Context) {
	quiet, dial := log.New(io.Discard, "", 0), &redial{to: a.pace}
	for {
		api := slack.New("", slack.OptionAppLevelToken(a.opts.AppToken.Reveal()), slack.OptionAPIURL(a.opts.APIURL), slack.OptionHTTPClient(dial), slack.OptionLog(quiet))
		socket := socketmode.New(api, socketmode.OptionReadLimit(maxBody), socketmode.OptionLog(quiet))
		living, die := context.WithCancel(ctx)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			defer die()
			if err := socket.RunContext(living); ctx.Err() == nil { // it ends with an error only
				a.opts.Logger.WarnContext(ctx, "slack socket ended", "err", fmt.Errorf("slack.app_token: %w", err))
			}
		}()
		a.hear(living, socket)
		die()
		<-ended
		const pause = 5 * time.Second
		if !patience.Sleep(ctx, pause) {
			return
		}
	}
}

// hear takes what comes over a socket for as long as it is open.
func (a *App) hear(ctx context.Context, socket *socketmode.Client) {
	var all sync.WaitGroup
	defer all.Wait()
	for {
		var e socketmode.Event
		select {
		case <-ctx.Done():
			return
		case e = <-socket.Events:
		}
		if e.Type == socketmode.EventTypeConnectionError || e.Type == socketmode.EventTypeInvalidAuth {
			a.opts.Logger.WarnContext(ctx, "slack socket not opened", "type", string(e.Type))
		}
		if e.Request != nil && e.Request.EnvelopeID != "" {
			all.Go(func() { a.heard(ctx, socket, *e.Request) })
		}
	}
}

// heard saves what came, then acknowledges it. What could not be saved is not: Slack sends
// it again.
func (a *App) heard(ctx context.Context, socket *socketmode.Client, r socketmode.Request) {
	saving, stop := context.WithTimeout(ctx, answerTime)
	defer stop()
	var said *slack.ViewSubmissionResponse
	var err error
	switch r.Type {
	case socketmode.RequestTypeEventsAPI:
		_, err = a.saveEvent(saving, r.Payload)
	case socketmode.RequestTypeInteractive:
		said, err = a.saveInteraction(saving, r.Payload)
	}
	if err != nil {
		a.opts.Logger.WarnContext(ctx, "slack message refused", "type", r.Type, "err", err)
		return
	}
	var payload any // a pointer that is nil would be null
	if said != nil {
		payload = said
	}
	if err := socket.AckCtx(ctx, r.EnvelopeID, payload); err != nil && ctx.Err() == nil {
		a.opts.Logger.WarnContext(ctx, "slack message not acknowledged", "err", err)
	}
}
