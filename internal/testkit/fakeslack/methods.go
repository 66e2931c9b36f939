package fakeslack

import (
	"maps"
	"slices"
)

// method is one of the Web API.
type method struct {
	scope string // that the token needs; empty: none
	tier  int    // of Slack's rate limits; 0: special
	open  bool   // no token is needed
	app   bool   // the app's token is needed, not the bot's
	run   func(*call) reply
}

// methods are all that there are.
var methods = map[string]method{
	"api.test":              {open: true, tier: 4, run: func(c *call) reply { return reply{"args": c.args} }},
	"auth.test":             {tier: 4, run: (*call).authTest},
	"auth.revoke":           {tier: 3, run: (*call).authRevoke},
	"apps.uninstall":        {tier: 1, run: (*call).appsUninstall},
	"apps.connections.open": {tier: 1, app: true, run: (*call).connectionsOpen},
	"oauth.v2.access":       {tier: 4, open: true, run: (*call).oauthAccess},
	"chat.postMessage":      {scope: "chat:write", run: (*call).postMessage},
	"chat.postEphemeral":    {scope: "chat:write", tier: 4, run: (*call).postEphemeral},
	"chat.update":           {scope: "chat:write", tier: 3, run: (*call).updateMessage},
	"chat.delete":           {scope: "chat:write", tier: 3, run: (*call).deleteMessage},
	"chat.startStream":      {scope: "chat:write", tier: 2, run: (*call).startStream},
	"chat.appendStream":     {scope: "chat:write", tier: 4, run: (*call).appendStream},
	"chat.stopStream":       {scope: "chat:write", tier: 2, run: (*call).stopStream},
	"chat.getPermalink":     {run: (*call).permalink},
	"views.open":            {tier: 4, run: (*call).viewsOpen},
	"views.push":            {tier: 4, run: (*call).viewsPush},
	"views.update":          {tier: 4, run: (*call).viewsUpdate},
	"conversations.open":    {scope: "im:write", tier: 3, run: (*call).conversationsOpen},
	"conversations.history": {tier: 3, run: (*call).conversationsHistory},
	"conversations.replies": {tier: 3, run: (*call).conversationsReplies},
	"conversations.info":    {tier: 3, run: (*call).conversationsInfo},
	"users.info":            {scope: "users:read", tier: 4, run: (*call).usersInfo},
	"team.info":             {scope: "team:read", tier: 3, run: (*call).teamInfo},
	"reactions.add":         {scope: "reactions:write", tier: 3, run: (*call).reactionsAdd},
}

// AllScopes are the scopes of all that the fake can do, with those to hear events.
func AllScopes() []string {
	all := map[string]bool{"app_mentions:read": true, "chat:write.public": false}
	for _, m := range methods {
		all[m.scope] = m.scope != ""
	}
	for _, kind := range []string{"channels", "groups", "im"} {
		all[kind+":history"], all[kind+":read"] = true, true
	}
	maps.DeleteFunc(all, func(_ string, needed bool) bool { return !needed })
	return slices.Sorted(maps.Keys(all))
}
