package keychain

// Wait is how a call of the system is waited for.
var Wait = wait
