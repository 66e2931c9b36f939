package remote

import "encoding/json"

// plainScopes rewrites what a card says of credentials so that a2a-go reads it. The
// protocol writes the scopes of a scheme as {"list":[…]}, which may be empty; a2a-go
// knows them as a list only. What is in neither form stays as it is, and is refused.
func plainScopes(body []byte) ([]byte, error) {
	var card map[string]json.RawMessage
	if err := json.Unmarshal(body, &card); err != nil {
		return nil, err
	}
	var skills []map[string]json.RawMessage
	if json.Unmarshal(card["skills"], &skills) == nil && len(skills) > 0 {
		for _, skill := range skills {
			plainRequirements(skill)
		}
		raw, err := json.Marshal(skills)
		if err != nil {
			return nil, err
		}
		card["skills"] = raw
	}
	plainRequirements(card)
	return json.Marshal(card)
}

// plainRequirements does so for a card or a skill of one. Protocol buffers have two names
// for what is required, and a card of ours has the second.
func plainRequirements(of map[string]json.RawMessage) {
	const key, second = "securityRequirements", "security_requirements"
	if of[key] == nil && of[second] != nil {
		of[key] = of[second]
		delete(of, second)
	}
	var all []struct {
		Schemes map[string]json.RawMessage `json:"schemes"`
	}
	if json.Unmarshal(of[key], &all) != nil {
		return
	}
	for _, alternative := range all {
		for name, scopes := range alternative.Schemes {
			var listed struct {
				List []string `json:"list"`
			}
			if len(scopes) == 0 || scopes[0] != '{' || json.Unmarshal(scopes, &listed) != nil {
				continue
			}
			if raw, err := json.Marshal(listed.List); err == nil {
				alternative.Schemes[name] = raw
			}
		}
	}
	if raw, err := json.Marshal(all); err == nil {
		of[key] = raw
	}
}
