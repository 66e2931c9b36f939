package pages

import (
	"slices"
	"strings"
)

// zones are the offsets from UTC that clocks are set to somewhere.
func zones() []string {
	return []string{
		"-12:00", "-11:00", "-10:00", "-09:30", "-09:00", "-08:00", "-07:00", "-06:00", "-05:00", "-04:00", "-03:30",
		"-03:00", "-02:30", "-02:00", "-01:00", "Z", "+01:00", "+02:00", "+03:00", "+03:30", "+04:00", "+04:30", "+05:00",
		"+05:30", "+05:45", "+06:00", "+06:30", "+07:00", "+08:00", "+08:45", "+09:00", "+09:30", "+10:00", "+10:30",
		"+11:00", "+12:00", "+12:45", "+13:00", "+13:45", "+14:00",
	}
}

// viewZones offers the offsets, and the one that was chosen if it is another.
func viewZones(chosen string) []optionView {
	all := zones()
	if chosen != "" && !slices.Contains(all, chosen) {
		all = append(all, chosen)
	}
	var views []optionView
	for _, zone := range all {
		label := "UTC" + strings.Replace(zone, "-", "\u2212", 1)
		if zone == "Z" {
			label = "UTC"
		}
		views = append(views, optionView{
			Value: zone, Label: label, Chosen: zone == chosen || chosen == "" && zone == "Z",
		})
	}
	return views
}
