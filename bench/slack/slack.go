// Package slack measures what is asked in Slack while it takes no more than so much, and
// a node is killed.
package slack

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
	"github.com/parley-hq/parley/seal"
)

type options struct {
	store  string
	url    string // of a store that is there
	rate   int
	length time.Duration
	people int
	limit  time.Duration
	spare  float64
	spared bool
	parley string
}

func parse(args []string, out io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("slack", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.StringVar(&o.store, "store", "postgres", "the store: postgres or redis")
	flags.IntVar(&o.rate, "rate", 200, "how many approvals are asked for, a second")
	flags.DurationVar(&o.length, "for", time.Minute, "for how long")
	flags.IntVar(&o.people, "people", 400, "how many people they are spread over, each with a direct message of their own")
	flags.DurationVar(&o.limit, "limit", 5*time.Minute, "what is not posted, answered and updated so long after the last was asked is lost")
	flags.Float64Var(&o.spare, "spare", 1.5, "how many calls of each method the workspace takes, for each approval")
	flags.BoolVar(&o.spared, "alive", false, "kill no node")
	flags.StringVar(&o.parley, "parley", "", "the program that is measured; default: that of this tree, built for it")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.rate < 1 || o.length <= 0 || o.people < 1 || o.limit <= 0 || o.spare <= 0 {
		return o, errors.New("-rate, -for, -people, -limit and -spare are more than 0")
	}
	return o, nil
}

// errFound means that a message was posted or changed twice, or is missing.
var errFound = errors.New("not every message was posted once and updated once")

// Run asks people for approvals in direct messages of a Slack with limits. Half of them
// are given in Slack and half elsewhere, and in the middle one of the two nodes is
// killed. It fails unless each message was posted once and updated once.
func Run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args, out)
	if err != nil {
		return err
	}
	return measure(ctx, o, out)
}

func measure(ctx context.Context, o options, out io.Writer) error {
	dir, err := os.MkdirTemp("", "parley-slack-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.parley == "" {
		if o.parley, err = kit.Build(ctx, dir, "github.com/parley-hq/parley/cmd/parley"); err != nil {
			return err
		}
	}
	c, err := open(ctx, o, dir)
	if err != nil {
		return err
	}
	defer c.close()
	if err := c.join(ctx); err != nil {
		return fmt.Errorf("people link their accounts: %w", err)
	}
	c.slack.SetLimits(o.limits())
	took, err := c.run(ctx)
	if err != nil {
		return err
	}
	t, err := c.count(ctx)
	if err != nil {
		return err
	}
	kit.Progress("")
	t.print(out, o, took)
	if !t.clean() {
		return errFound
	}
	return nil
}

// limits are Slack's for a channel. For a workspace Slack takes far fewer than this
// asks, and nothing would be shown but that it waits.
func (o options) limits() fakeslack.Limits {
	each := fakeslack.Rate{Every: time.Duration(float64(time.Second) / (o.spare * float64(o.rate))), Burst: o.rate}
	l := fakeslack.Limits{Channel: fakeslack.SlackLimits().Channel, Methods: map[string]fakeslack.Rate{}}
	for name := range fakeslack.SlackLimits().Methods {
		l.Methods[name] = each
	}
	return l
}

// campaign is a Slack, a site of two nodes, and a process that asks: this one, over
// their store.
type campaign struct {
	options
	slack  *fakeslack.Slack
	team   *fakeslack.Workspace
	people []*person
	nodes  []*kit.Serving
	hub    *parley.Hub
	ends   []func() // what close calls, the last first

	pressing chan struct{} // a place for each who answers
}

const secret = "0123456789abcdef0123456789abcdef"

func open(ctx context.Context, o options, dir string) (c *campaign, err error) {
	c = &campaign{options: o, slack: fakeslack.New(nil), pressing: make(chan struct{}, hands)}
	c.ends = append(c.ends, c.slack.Close)
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	c.team = c.slack.AddWorkspace("Acme")
	token := c.team.Install().AccessToken
	if o.url == "" {
		site, err := kit.NewSite(ctx, o.store)
		if err != nil {
			return c, err
		}
		o.url, c.ends = site.URL("slack"), append(c.ends, site.Close)
	}
	public := ""
	for _, name := range []string{"stays", "dies"} {
		sub := filepath.Join(dir, name)
		if err := os.Mkdir(sub, 0o700); err != nil {
			return c, err
		}
		v, err := kit.StartServe(ctx, []string{o.parley, "serve"}, 4<<30, sub, func(listen string) string {
			if public == "" {
				public = "http://" + listen
			}
			return fmt.Sprintf("listen: %s\npublic_url: %s\nstore: %q\nsecrets: [%q]\ndev: true\nlimits: {sign_in: {per_second: -1}}\nslack: {bot_token: %s, signing_secret: %s, api_url: %q}\n",
				listen, public, o.url, secret, token, c.slack.SigningSecret(), c.slack.API())
		})
		if err != nil {
			return c, err
		}
		c.nodes, c.ends = append(c.nodes, v), append(c.ends, v.Stop)
	}
	return c, c.openHub(ctx, o.url)
}

func (c *campaign) openHub(ctx context.Context, url string) error {
	store, err := backend.Open(ctx, url, nil)
	if err != nil {
		return err
	}
	c.ends = append(c.ends, func() { _ = store.Close() })
	keys, err := seal.New([]byte(secret))
	if err != nil {
		return err
	}
	c.hub = parley.New(store, &parley.Options{Sealer: keys})
	c.ends = append(c.ends, kit.RunHub(ctx, c.hub))
	return nil
}

func (c *campaign) close() {
	for i := len(c.ends) - 1; i >= 0; i-- {
		c.ends[i]()
	}
}

// goTo lets Slack send to one node.
func (c *campaign) goTo(node *kit.Serving) {
	c.slack.SetURLs(node.URL+"/slack/events", node.URL+"/slack/interactions")
}
