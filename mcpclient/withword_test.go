package mcpclient_test

import (
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

func TestAWordComesBeforeWhatAResultSays(t *testing.T) {
	const word = `{"type":"text","text":"A \"word\""}`
	for result, want := range map[string]string{
		`{"content":[{"type":"text","text":"paid"}],"isError":true}`: `{"content":[` + word + `,{"type":"text","text":"paid"}],"isError":true}`,
		`{"content":[]}`: `{"content":[` + word + `]}`,
		`{"content":[],"structuredContent":{"n":9007199254740993}}`:         `{"content":[` + word + `,{"type":"text","text":"{\"n\":9007199254740993}"}],"structuredContent":{"n":9007199254740993}}`,
		`{"content":[{"type":"text","text":"1"}],"structuredContent":[1]}`:  `{"content":[` + word + `,{"type":"text","text":"1"}],"structuredContent":[1]}`,
		`{"structuredContent":null,"content":[{"type":"image","data":""}]}`: `{"structuredContent":null,"content":[` + word + `,{"type":"image","data":""}]}`,
		`[]`: `[]`,
	} {
		if got := string(mcpclient.WithWord([]byte(result), `A "word"`)); got != want {
			t.Errorf("%s:\n%s, want\n%s", result, got, want)
		}
	}
}
