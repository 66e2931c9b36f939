package redisstore

// CheckURL says what Open would say of a URL without connecting. Its error has
// nothing of the password.
func CheckURL(url string) error {
	_, err := parseURL(url, false)
	return err
}
