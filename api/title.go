package api

import "context"

// titles looks up how people know the servers of the caller's tenant, each once. It is
// empty where that is the name, and for servers that are gone.
func (a *API) titles(c Caller) func(ctx context.Context, server string) string {
	known := map[string]string{}
	return func(ctx context.Context, server string) string {
		title, looked := known[server]
		if looked || server == "" {
			return title
		}
		if one, err := a.servers.Get(ctx, c.tenant(), server); err == nil && one.Title != server {
			title = one.Title
		}
		known[server] = title
		return title
	}
}
