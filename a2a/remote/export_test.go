package remote

import "github.com/a2aproject/a2a-go/v2/a2a"

// Judge is where a card has the agent spoken to, as far as it is believed.
func (r *Remote) Judge(card []byte) (string, error) {
	k, err := r.judge(card)
	if err != nil {
		return "", err
	}
	return k.face.URL, nil
}

// Asks is how many questions a status makes, and how many of them it still asks.
func (r *Remote) Asks(s a2a.TaskStatus) (asked, standing int, err error) {
	wants, err := r.wants(s)
	for _, w := range wants {
		if stands(w.what, s) {
			standing++
		}
	}
	return len(wants), standing, err
}
