package config

import (
	"fmt"
	"time"
)

const (
	noLogins  = "off"
	minLogins = time.Hour
	maxLogins = 366 * day
)

// LoginsFor is how long programs of a person stay logged in: zero for the default,
// negative: they cannot log in.
func (a Auth) LoginsFor() (time.Duration, error) {
	switch a.Logins {
	case "":
		return 0, nil
	case noLogins:
		return -1, nil
	}
	d, err := parseDays(a.Logins)
	if err != nil || d < minLogins || d > maxLogins {
		return 0, fmt.Errorf("%.40q is no time from an hour to 366 days, such as 30d or 12h, and not %s", a.Logins, noLogins)
	}
	return d, nil
}
