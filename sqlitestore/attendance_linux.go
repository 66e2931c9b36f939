package sqlitestore

// F_OFD_GETLK and F_OFD_SETLK.
const getLock, setLock = 36, 37
