package notify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parley-hq/parley"
)

// ErrUnreached says that a push service did not take a message.
var ErrUnreached = errors.New("the push service did not take it")

// testLife is how long a test waits for a device that is away.
const testLife = time.Minute

// Test has one browser of a person's show a notification, so that they see whether
// any arrives there. It is sent once, at once, and says nothing of any question.
// parley.ErrNotFound when the browser is not theirs, or no longer subscribed: it is
// forgotten then. ErrUnreached with the reason; ErrNoChannel.
func (o *Outbox) Test(ctx context.Context, who parley.Principal, browser string) error {
	if o.push == nil {
		return ErrNoChannel
	}
	if !who.IsPerson() || who.Validate() != nil {
		return parley.ErrNoOwner
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	err := o.sendPush(ctx, cmp.Or(who.Tenant, parley.DefaultTenant), who.User, browser, message{
		Event: EventTest, Question: EventTest, From: "Notifications arrive here", Title: "You asked for this test.",
		URL: o.opts.PublicURL + "/inbox#notifications", Expires: now().Add(testLife),
	})
	if err != nil {
		o.opts.Logger.InfoContext(ctx, "test notification failed", "user", who.User, "err", err)
	}
	if errors.Is(err, errUnsubscribed) {
		return fmt.Errorf("browser %.40s: %w", browser, parley.ErrNotFound)
	}
	return err
}
