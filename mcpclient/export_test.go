package mcpclient

// RequestBody is the body of a request.
var RequestBody = requestBody

// HearTime is how long a server is waited for that opens a stream of its own.
const HearTime = hearTime
