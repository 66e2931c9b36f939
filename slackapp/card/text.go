package card

import (
	"strings"
	"unicode/utf16"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley/legible"
)

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// escape makes a text of others one in which Slack reads no link and no mention.
func escape(s string) string { return escapes.Replace(s) }

// one is a text of others on one line, in which nothing is hidden.
func one(s string) string { return strings.TrimSpace(legible.Line(s)) }

// plain is a text that Slack shows as it is, but for the three escapes.
func plain(s string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.PlainTextType, escape(s), false, false)
}

// markdown is a text of ours, with nothing of others.
func markdown(s string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.MarkdownType, s, false, true)
}

// rich is a line of texts and mentions, each of which is what it is: no markup is read
// in a text.
func rich(parts ...slack.RichTextSectionElement) slack.Block {
	return slack.NewRichTextBlock("", slack.NewRichTextSection(parts...))
}

func text(s string) slack.RichTextSectionElement { return slack.NewRichTextSectionTextElement(s, nil) }

func bold(s string) slack.RichTextSectionElement {
	return slack.NewRichTextSectionTextElement(s, &slack.RichTextSectionTextStyle{Bold: true})
}

// literal shows a text letter by letter, with its lines and its spaces. No markup is
// read in it.
func literal(s string) slack.Block {
	return slack.NewRichTextBlock("", &slack.RichTextPreformatted{
		Type: slack.RTEPreformatted, Elements: []slack.RichTextSectionElement{text(s)},
	})
}

// size is how long Slack takes a text to be.
func size(s string) int { return len(utf16.Encode([]rune(s))) }

// clip shortens a text that nobody decides by, and says so.
func clip(s string, most int) string {
	if size(s) <= most {
		return s
	}
	var kept strings.Builder
	left := most - 1
	for _, c := range s {
		if left -= utf16.RuneLen(c); left < 0 {
			break
		}
		kept.WriteRune(c)
	}
	return kept.String() + "…"
}

// chunks cuts a text into parts of a size at most, behind a line where there is one.
// Together they are the text.
func chunks(s string, most int) (parts []string) {
	for s != "" {
		end, line, left := len(s), 0, most
		for i, c := range s {
			if left -= max(1, utf16.RuneLen(c)); left < 0 {
				end = i
				break
			}
			if c == '\n' {
				line = i + 1
			}
		}
		if end < len(s) && line > 0 {
			end = line
		}
		parts, s = append(parts, s[:end]), s[end:]
	}
	return parts
}
