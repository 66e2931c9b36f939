// Command image makes the image of Parley without a daemon, a registry or a base image:
// the program, the certificate authorities of Mozilla, time zones, and a user who is not
// root. There is no shell in it, and no package manager.
//
//	image -o dist/image -version v1.2.3 dist/parley_linux_amd64 dist/parley_linux_arm64
//
// writes an OCI image layout, one image for each program, in one index; to a name that
// ends in .tar, the same as an archive. The same programs, the same Go and the same
// version of this module give the same digest: every time stamp is that of the commit,
// which the programs know.
package main
