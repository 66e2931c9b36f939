package terminal

import (
	"os"
	"os/exec"
	"runtime"
)

// openBrowser shows a page in the person's browser, where that is on this machine and
// somebody sits at it. It reports whether it was asked to.
func openBrowser(page string) bool {
	if info, err := os.Stdout.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 || os.Getenv("SSH_CONNECTION") != "" {
		return false
	}
	name, args := "xdg-open", []string{page}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", page}
	default:
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			return false
		}
	}
	command := exec.Command(name, args...)
	if command.Start() != nil {
		return false
	}
	go func() { _ = command.Wait() }()
	return true
}
