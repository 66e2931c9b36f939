package redisstore_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley/redisstore"
)

func TestAURLThatCannotBeReadIsRefusedWithoutThePassword(t *testing.T) {
	for url, want := range map[string]string{
		"redis://:hunter2@h/0?db=zero":                  "db of the URL is no number",
		"redis://:hunter2@h?db=":                        "db of the URL is no number",
		"redis://:hunter2@h?dial_timeout=5":             "dial_timeout of the URL is no time: write dial_timeout=5s",
		"redis://:hunter2@h?dial_timeout=hunter2":       "dial_timeout of the URL is no time",
		"redis://:hunter2@h?dial_timeout=-1s":           "dial_timeout of the URL is over before it begins",
		"redis://:hunter2@h?write_timeout=soon":         "write_timeout of the URL is no time: write write_timeout=5s",
		"rediss://:hunter2@h?skip_verify=hunter2":       "skip_verify of the URL is neither true nor false",
		"redis://:hunter2@h//":                          "percent-encoded",
		"redis://:hunter2@h/0/1":                        "percent-encoded",
		"redis://:hunter2@h:port":                       "percent-encoded",
		"redis+unix://:hunter2@/tmp/s":                  "percent-encoded",
		"http://:hunter2@h":                             "percent-encoded",
		"":                                              "percent-encoded",
		"redis://:hunter2@h?addr=%zz":                   "cannot be read",
		"unix://:hunter2@/tmp/s?path=hunter2":           `"path": there is no such`,
		"redis://:hunter2@h?" + strings.Repeat("a", 99): `"` + strings.Repeat("a", 40),
	} {
		err := redisstore.CheckURL(url)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), password) {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestAURLThatCanBeReadIsTaken(t *testing.T) {
	for url, want := range map[string]string{
		"redis://":                  "localhost:6379",
		"redis://h":                 "h:6379",
		"redis://h:":                "h:6379",
		"redis://h/":                "h:6379",
		"valkeys://[::1]":           "[::1]:6379",
		"rediss://u:p@[::1]:7000/3": "[::1]:7000",
		"redis://h?addr=other&addr=:7000&addr=::1":                        "h:6379, other:6379, h:7000, [::1]:6379",
		"redis://h?addr=a:1":                                              "h:6379, a:1",
		"unix:///tmp/redis.sock":                                          "/tmp/redis.sock",
		"unix://u:p@/tmp/redis.sock?db=1":                                 "/tmp/redis.sock",
		"redis://h?dial_timeout=0&write_timeout=0":                        "h:6379",
		"redis://h?write_timeout=-1s":                                     "h:6379",
		"redis://h?client_cache=x&max_retries=x&protocol=x&skip_verify=x": "h:6379",
	} {
		if got, err := redisstore.Addresses(url); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", url, got, err, want)
		}
	}
}
