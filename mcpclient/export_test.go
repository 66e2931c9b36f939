package mcpclient

// RequestBody is the body of a request.
var RequestBody = requestBody
