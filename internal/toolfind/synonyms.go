package toolfind

import (
	"strings"
	"sync"
)

// alike are words of which one may stand for another in what tools do and with
// what.
var alike = []string{
	"create add new make open insert register",
	"create start begin setup generate build compose draft",
	"delete remove drop erase discard trash purge destroy clear",
	"list show browse display view overview enumerate",
	"get fetch retrieve read show view load pull details info describe inspect check",
	"search find lookup query locate discover match filter look seek",
	"list find search", "get lookup find",
	"update edit change modify set alter adjust correct fix rename revise amend patch",
	"send post write message notify deliver tell text ping inform",
	"message chat dm post", "mail email e-mail inbox",
	"cancel abort stop revoke withdraw terminate", "stop halt kill end terminate shutdown pause suspend",
	"start run launch trigger execute begin resume invoke kick boot", "restart reboot reset cycle",
	"copy duplicate clone replicate", "move transfer relocate migrate shift", "upload attach import", "download export save",
	"share grant give invite permit", "invite add join", "assign delegate allocate owner responsible assignee",
	"approve accept confirm authorize sign", "reject decline deny refuse", "close resolve complete finish done finalize",
	"reopen restore undo undelete recover revert rollback", "archive hide shelve", "merge combine join unite consolidate", "split divide separate",
	"schedule book plan arrange reschedule", "book reserve reservation booking", "order purchase", "buy purchase", "pay charge settle", "refund reimburse repay money-back",
	"reply respond answer", "forward relay", "comment note remark annotate feedback", "tag label mark categorize flag",
	"count number total amount sum", "calculate compute estimate", "compare diff difference", "convert transform translate",
	"subscribe follow watch monitor track", "unsubscribe unfollow mute", "enable activate on", "disable deactivate off",
	"lock freeze block ban", "unlock unfreeze unblock", "connect link attach", "disconnect unlink detach", "verify validate check test", "report analytics statistics stats metrics insight",
	"ticket issue bug task case defect", "task todo reminder chore", "project board workspace", "sprint iteration cycle", "epic initiative",
	"event meeting appointment", "calendar agenda diary", "person user member people contact", "employee staff worker colleague person",
	"customer client account", "company organization organisation business firm account", "lead prospect", "deal opportunity",
	"file document doc", "folder directory", "picture image photo", "video clip movie footage", "page article wiki", "spreadsheet sheet table",
	"repository repo codebase", "pr pull-request merge-request", "branch ref", "commit revision change", "build pipeline workflow job ci", "deployment release rollout ship deploy",
	"server instance machine vm host box", "container docker pod", "database db", "query sql", "table relation", "column field attribute", "row record entry",
	"bucket storage", "log trace", "alert alarm incident page outage", "error exception crash failure fail", "metric measurement gauge",
	"invoice bill", "payment charge transaction", "price cost rate fee quote", "subscription plan membership", "discount coupon promo voucher", "card creditcard", "payout withdrawal disbursement",
	"salary pay wage payroll compensation", "leave vacation holiday pto absence time-off", "candidate applicant", "job position vacancy opening role", "interview screening", "review appraisal evaluation",
	"flight plane airline fly", "hotel room accommodation lodging stay", "car rental vehicle", "trip travel itinerary journey", "route directions navigation path way", "distance far",
	"place location poi venue spot", "address location", "weather forecast temperature rain", "map geocode coordinates",
	"channel room group conversation", "thread conversation discussion", "product item article goods", "stock inventory", "order purchase sale", "cart basket", "shipment delivery parcel package shipping",
	"secret password credential key token", "permission access right role privilege", "password passcode login", "dashboard chart graph panel", "campaign newsletter mailing", "audience segment recipients",
	"form survey questionnaire poll", "answer response submission", "video recording", "transcript transcription minutes", "domain dns hostname website", "site website", "webhook hook callback",
	"quick fast", "expense spending receipt reimbursement", "budget spending", "tax vat", "contract agreement", "signature sign", "template boilerplate", "version revision history",
	"employee hire onboard", "ban remove kick", "song track music", "playlist queue", "test check", "cheap price", "free available availability slot open", "busy availability",
	"suitcase luggage baggage bag", "vehicle car", "duty oncall shift", "boss manager head lead", "warehouse stock inventory", "store shop", "sell sale product", "earn income profit revenue",
	"money fund balance payment", "phone call ring", "remind reminder", "duplicate dedupe twice same", "changelog release notes", "rule policy", "layout template", "dollar euro amount", "advertising spam junk",
	"screenshot attachment image", "bottom append end", "restaurant venue place", "nearby near close around", "drive car route", "print log output", "damage break incident", "owe bill due", "travel trip expense",
	"jam traffic congestion", "eat restaurant food", "allow permission permit", "forbid protect restrict", "later schedule delay snooze", "hand assign route", "commit push",
	"due deadline", "overdue late", "latest recent newest last", "translate language", "summary summarize digest tldr", "attachment file", "priority urgency severity",
}

// phrases are words that say one thing together; it stands beside them.
var phrases = map[string]string{
	"get rid of": "delete", "call off": "cancel", "look up": "lookup", "look for": "search", "find out": "get", "set up": "create", "put in": "create", "put together": "create", "write up": "create", "note down": "create",
	"take down": "delete", "take off": "remove", "take away": "remove", "throw away": "delete", "wipe out": "delete", "turn off": "disable", "switch off": "disable", "turn on": "enable", "switch on": "enable",
	"shut down": "stop", "spin up": "create", "bring back": "restore", "roll back": "rollback", "go back": "revert", "undo": "revert", "hand over": "transfer", "pass on": "forward", "get back to": "reply",
	"pull request": "pr", "merge request": "pr", "time off": "leave", "day off": "leave", "days off": "leave", "sick day": "leave", "how much": "amount", "how many": "count", "how far": "distance", "how long": "duration",
	"how do i get": "directions", "sign up": "register", "sign off": "approve", "log in": "login", "fill in": "submit", "fill out": "submit", "send out": "send", "let know": "notify", "give access": "share", "all the": "list", "all my": "list", "all our": "list",
	"every": "list", "which": "list", "what are": "list", "details of": "get", "details on": "get", "status of": "get", "tell me about": "get", "that mention": "search", "mentioning": "search", "containing": "search", "anything about": "search", "matching": "search",
	"file a": "create", "file an": "create", "in one go": "bulk", "at once": "bulk", "on call": "oncall", "paid back": "reimburse", "pay back": "refund", "sign in": "login", "hold on": "pause", "no longer": "remove", "any more": "cancel", "get back": "restore", "put back": "restore", "as it was": "restore",
	"to do": "todo", "credit card": "card", "e mail": "email", "to-do": "todo", "money back": "refund", "put off": "reschedule", "push back": "reschedule", "bring forward": "reschedule", "make public": "publish", "go live": "deploy",
	"free time": "availability", "out sick": "leave", "keep an eye": "monitor", "split up": "split", "put up": "create", "hook up": "connect", "work out": "calculate", "figure out": "get", "chip in": "pay", "cut off": "block", "kick off": "start", "fire off": "send", "drop a line": "message",
}

// deed is a kind of what tools do, by verbs that leave no doubt. A tool that does
// another deed than what is asked for fits less.
type deed byte

const (
	reads deed = 1 << iota
	creates
	changes
	deletes
)

// deedsOf is the deed of a verb, by its stem.
var deedsOf = sync.OnceValue(func() map[string]deed {
	by := map[string]deed{}
	for d, words := range map[deed]string{
		reads:   "list show get fetch retrieve read view search find lookup query browse describe check see inspect locate display count",
		creates: "create add insert make new register compose draft generate",
		changes: "update edit change modify alter adjust correct rename revise amend patch",
		deletes: "delete remove drop erase discard trash purge destroy",
	} {
		for _, w := range strings.Fields(words) {
			by[stem(w)] = d
		}
	}
	return by
})

// weak are words that say little of what is needed: verbs that stand for any other, and
// times.
var weak = setOf(`put give get go come make take keep look know let tell say see work start back thing things lot way made got gave take new same
	today tomorrow yesterday tonight morning afternoon evening night week month day days hour hours monday tuesday wednesday thursday friday saturday
	sunday next last first second once everybody everyone everything anything anybody nobody nothing somewhere own other others only really right show
	me name bring done want nearly soon long time times`)

// asksToRead are words that begin a question: what is asked for changes nothing.
var asksToRead = setOf("what whats who whose when where which how why is are do does did any overview tell")

// synonymsOf is alike by stem.
var synonymsOf = sync.OnceValue(func() map[string][]string {
	by := map[string][]string{}
	seen := map[[2]string]bool{}
	for _, group := range alike {
		words := strings.Fields(group)
		for i, w := range words {
			words[i] = stem(strings.ReplaceAll(w, "-", ""))
		}
		for _, a := range words {
			for _, b := range words {
				if a != b && !seen[[2]string{a, b}] {
					seen[[2]string{a, b}] = true
					by[a] = append(by[a], b)
				}
			}
		}
	}
	return by
})
