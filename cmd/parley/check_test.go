package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/parley-hq/parley/internal/testkit/fakeslack"
	"github.com/parley-hq/parley/internal/testkit/servers"
)

func checked(t *testing.T, text string, args ...string) (string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "parley.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := check(t.Context(), append([]string{"-c", file}, args...), &out)
	return out.String(), err
}

func TestCheckSaysWhatAConfigurationMeansAndRefusesWhatServeRefuses(t *testing.T) {
	said, err := checked(t, "dev: true\nstore: \"memory:\"\nmodels: {m: {kind: demo}}\n")
	if err != nil || !strings.Contains(said, "keeps its data in memory:") || strings.Contains(said, "ok  ") {
		t.Errorf("%s %v", said, err)
	}
	if said, err := checked(t, "dev: true\nstore: \"sqlite:/nowhere/at/all/parley.db\"\n"); err == nil || said != "" || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("%s %v", said, err)
	}
}

// TestCheckOnlineTriesSlack: the tokens, and whether the app is in the channels that are
// named.
func TestCheckOnlineTriesSlack(t *testing.T) {
	slack := fakeslack.New(&fakeslack.Options{SocketMode: true})
	defer slack.Close()
	acme := slack.AddWorkspace("Acme")
	in, out := acme.AddChannel("in"), acme.AddChannel("out")
	out.RemoveBot()
	written := func(bot, app string) string {
		return "dev: true\nstore: \"memory:\"\nmodels: {m: {kind: demo}}\nagents: {a: {model: m}}\nslack: {bot_token: " + bot + ", app_token: " + app + ", api_url: \"" + slack.API() + "\", channels: {" + in.ID + ": a}}\n" +
			"rules: [{name: money, tool: pay, approvers: \"1 of [bob]\", slack: " + out.ID + ", page: true}]\n"
	}
	said, err := checked(t, written(acme.Install().AccessToken, slack.AppToken()), "--online")
	for _, want := range []string{
		"ok      slack.app_token: ", `ok      slack.bot_token: it is of the workspace "Acme"`, "ok      slack.channels." + in.ID + ": the app is in it",
		"FAILED  the channel " + out.ID + " of the rule money: not_in_channel: invite the app",
		"decided on its page only; asked in Slack's channel " + out.ID,
	} {
		if err == nil || !strings.Contains(said, want) {
			t.Errorf("%q is missing: %s %v", want, said, err)
		}
	}
	said, err = checked(t, written("xoxb-later", "xapp-later"), "--online")
	for _, want := range []string{"FAILED  slack.app_token: invalid_auth", "FAILED  slack.bot_token: "} {
		if err == nil || !strings.Contains(said, want) {
			t.Errorf("%q is missing: %s %v", want, said, err)
		}
	}
}

func TestCheckOnlineHasALineForEachAndFailsIfOneDoes(t *testing.T) {
	said, err := checked(t, "dev: true\nstore: \"memory:\"\nmodels: {m: {kind: demo}}\n", "--online")
	if err != nil || !strings.Contains(said, "\nok      store: it is there\nok      models.m: it is part of this program\n") {
		t.Errorf("%s %v", said, err)
	}
	said, err = checked(t, "dev: true\nstore: \"redis://:hunter2@127.0.0.1:1\"\nservers: {gone: {url: \"http://127.0.0.1:1/mcp\"}}\n", "--online")
	if err == nil || err.Error() != "2 of 2 that were tried failed" || !strings.Contains(said, "\nFAILED  store: ") || !strings.Contains(said, "\nFAILED  servers.gone: ") || strings.Contains(said, "hunter2") {
		t.Errorf("%s %v", said, err)
	}
}

// What is read may never come, such as that of a pipe nobody writes to.
func TestCheckEndsWhenItIsToldTo(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "parley.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- check(ctx, []string{"-c", pipe}, io.Discard) }()
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	// Whoever still reads ends with the pipe, which is opened by both at once.
	other, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	other.Close()
}

func TestCheckSaysInWhichFileAndLineAStoreIsWrong(t *testing.T) {
	_, err := checked(t, "dev: true\nstore: \"postgres://parley:hunter2@Tr0ub4dor@db.acme.example/parley\"\n")
	if err == nil || !strings.HasPrefix(err.Error(), "parley.yaml: line 2: store: pgstore: the database URL seems to have an @") || strings.Contains(err.Error(), "ub4") || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
}

func TestCheckSaysInWhichFileAndLinesAgentsAreWrong(t *testing.T) {
	_, err := checked(t, "dev: true\nmodels: {m: {kind: demo}}\nagents:\n  odd name: {model: m}\n  sound: {model: m}\n  another odd: {model: m}\n")
	if err == nil || !strings.Contains(err.Error(), "parley.yaml: line 6: agents.another odd: a name has") || !strings.Contains(err.Error(), "parley.yaml: line 4: agents.odd name: a name has") || strings.Contains(err.Error(), "sound") {
		t.Error(err)
	}
}

// A store that could not be made at the first start is told under its key, and nothing is
// made of it.
func TestCheckOnlineSaysThatAStoreCannotBeMade(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(dir, "none")) // where the file's permissions come from
	said, err := checked(t, "dev: true\nstore: \"sqlite:"+filepath.Join(dir, "parley.db")+"\"\n", "--online")
	if err == nil || !strings.Contains(said, "\nFAILED  store: sqlitestore: ") || !strings.Contains(said, "cannot make files in the directory") {
		t.Errorf("%s %v", said, err)
	}
	if made, err := os.ReadDir(dir); err != nil || len(made) > 0 {
		t.Errorf("it made %v, %v", made, err)
	}
	url := servers.OwnPostgres(t, nil).URL
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "CREATE ROLE guest LOGIN"); err != nil {
		t.Fatal(err)
	}
	said, err = checked(t, "dev: true\nstore: \""+strings.Replace(url, "//parley@", "//guest@", 1)+"\"\n", "--online")
	if err == nil || !strings.Contains(said, "\nFAILED  store: pgstore: the role guest may not make the tables in schema parley: ") {
		t.Errorf("%s %v", said, err)
	}
}

// A user of Redis who may only read is told, with the place of the store's URL.
func TestCheckOnlineSaysWhatAUserOfRedisMayNotDo(t *testing.T) {
	url := servers.OwnRedis(t, nil).URL
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "redis://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "ACL SETUSER guest on >hunter2 ~* &* +@read +@connection +@pubsub\r\n")
	if said, err := bufio.NewReader(conn).ReadString('\n'); err != nil || said != "+OK\r\n" {
		t.Fatal(said, err)
	}
	said, err := checked(t, "dev: true\nstore: \""+strings.Replace(url, "//", "//guest:hunter2@", 1)+"\"\n", "--online")
	if err == nil || !strings.Contains(said, "\nFAILED  store: redisstore: the user guest of Redis at ") || !strings.Contains(said, " lacks the right to run DEL, SET, PEXPIREAT, ZADD, ZREM, EVAL, EVALSHA, TIME: run ACL SETUSER guest +del ") ||
		!strings.Contains(said, " as an administrator of it (parley.yaml: line 2)\n") || strings.Contains(said, "hunter2") {
		t.Errorf("%s %v", said, err)
	}
	if said, err := checked(t, "dev: true\nstore: \""+url+"\"\n", "--online"); err != nil || !strings.Contains(said, "\nok      store: it is there, and takes what is written\n") {
		t.Errorf("%s %v", said, err)
	}
}
