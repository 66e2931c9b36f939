package resources

import (
	"context"
	"fmt"
	"time"

	"github.com/parley-hq/parley/bench/kit"
)

// attackOnce makes one attack on a process of its own.
func attackOnce(ctx context.Context, o options, dir string, c attack) (m measured, err error) {
	ctx, stop := context.WithTimeout(ctx, o.wait)
	defer stop()
	s, err := openCounted(ctx, o.store, dir)
	if err != nil {
		return m, err
	}
	defer s.close()
	a, err := newAttacker(c)
	if err != nil {
		return m, err
	}
	defer a.close()
	v, err := kit.StartServe(ctx, []string{o.parley, "serve"}, o.limit, dir, func(listen string) string { return victimConfig(listen, s.url, a) })
	if err != nil {
		return m, err
	}
	defer v.Stop()
	began := time.Now()
	note, err := c.run(ctx, a, v.URL)
	if err != nil && !v.Over.Load() && ctx.Err() == nil {
		return m, fmt.Errorf("%w\n%s", err, v.Said())
	}
	select { // what it does after its answer counts as well
	case <-time.After(time.Second):
	case <-v.Ended:
		if !v.Over.Load() {
			return m, fmt.Errorf("it ended:\n%s", v.Said())
		}
	}
	m = measured{hostile: a.hostile.Load(), took: time.Since(began), over: v.Over.Load(), note: note}
	if v.Over.Load() {
		m.note = ""
	} else if ctx.Err() != nil {
		m.note = "still at it when time was up"
	}
	m.peak, m.written = v.MostMemory(), s.written(v.PID())
	return m, nil
}

// victimConfig is the configuration of a victim.
func victimConfig(listen, store string, a *attacker) string {
	text := fmt.Sprintf(`listen: %s
store: %q
secrets: ["0123456789abcdef0123456789abcdef"]
auth:
  jwt: {issuer: %q, audience: parley, jwks_url: %q}
  oidc: {issuer: %q, client_id: parley, client_secret: "0123456789abcdef"}
models: {fake: {kind: openai, base_url: %q, api_key: k, model: fake}}
servers: {attacker: {url: %q, approve: never}}
`, listen, store, a.helper, a.helper+"/jwks", a.helper, a.helper+"/model/v1", a.url)
	if a.attack.agent {
		return text + "agents: {assistant: {model: fake, servers: [attacker]}}\n"
	}
	return text + "gateway: {}\n"
}
