package slackapp

import (
	"context"
	"slices"

	"github.com/slack-go/slack"
)

// saysAlready reports whether a card carries that it says something: an update of which
// nobody saw how it went has come through.
func saysAlready(ctx context.Context, api *slack.Client, at spot, c told, says string) (bool, error) {
	page, _, _, err := messages(ctx, api, at, slack.GetConversationHistoryParameters{
		ChannelID: c.Channel, Oldest: c.TS, Latest: c.TS, Inclusive: true, Limit: 2, // a thread begins with its first message
		IncludeAllMetadata: true,
	})
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(page, func(m slack.Message) bool {
		return m.Timestamp == c.TS && m.Metadata.EventType == questionEvent && m.Metadata.EventPayload["says"] == says
	}), nil
}

// seekCard looks for a card of which nobody saw whether it was posted.
func (a *App) seekCard(ctx context.Context, api *slack.Client, at spot, c told, about string) (found told, err error) {
	w, err := a.workspace(ctx, at.Team)
	if err != nil {
		return c, err
	}
	const most = 200
	oldest, cursor := slackTimeOf(c.Began.Add(-seekBefore)), ""
	for {
		page, more, next, err := messages(ctx, api, at, slack.GetConversationHistoryParameters{
			ChannelID: c.Channel, Oldest: oldest, Limit: most, Cursor: cursor, IncludeAllMetadata: true,
		})
		if err != nil {
			return c, err
		}
		cursor = next
		for _, m := range page {
			if m.User == w.Bot && m.Metadata.EventType == questionEvent && m.Metadata.EventPayload["card"] == toldKey(about, at) {
				c.TS, c.Sure = m.Timestamp, true
				c.Says, _ = m.Metadata.EventPayload["says"].(string)
				return c, nil
			}
		}
		if !more || cursor == "" {
			return c, nil
		}
	}
}

// messages reads a page of the messages that are where a card is: of its thread, or of its
// channel.
func messages(ctx context.Context, api *slack.Client, at spot, q slack.GetConversationHistoryParameters) (page []slack.Message, more bool, next string, err error) {
	if at.Kind == inThread {
		return api.GetConversationRepliesContext(ctx, &slack.GetConversationRepliesParameters{
			ChannelID: q.ChannelID, Timestamp: at.Last, Oldest: q.Oldest, Latest: q.Latest, Inclusive: q.Inclusive, Limit: q.Limit, Cursor: q.Cursor,
			IncludeAllMetadata: q.IncludeAllMetadata,
		})
	}
	history, err := api.GetConversationHistoryContext(ctx, &q)
	if err != nil {
		return nil, false, "", err
	}
	return history.Messages, history.HasMore, history.ResponseMetaData.NextCursor, nil
}
