// Command witness says what a program finds in the image.
package main

import (
	"crypto/x509"
	"fmt"
	"os"
	"os/user"
	"time"
)

func main() {
	pool, err := x509.SystemCertPool()
	fmt.Println("authorities:", err == nil && len(pool.Subjects()) > 80) //nolint:staticcheck // of the file of the image, not of a system
	berlin, err := time.LoadLocation("Europe/Berlin")
	fmt.Println("Berlin:", err == nil && time.Unix(0, 0).In(berlin).Hour() == 1)
	me, err := user.Current()
	fmt.Println("user:", err == nil && me.Username == "nonroot" && me.Uid == "65532" && me.HomeDir == "/home/nonroot")
	fmt.Println("tmp:", os.WriteFile("/tmp/a", nil, 0o600) == nil)
	fmt.Println("home:", os.WriteFile("/home/nonroot/a", nil, 0o600) == nil)
	fmt.Println("root:", os.WriteFile("/a", nil, 0o600) != nil)
	_, err = os.Stat("/bin/sh")
	fmt.Println("shell:", os.IsNotExist(err))
}
