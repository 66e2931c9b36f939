-- sweep.lua removes what has been kept long enough.
--
-- KEYS[1]  the set of what is dying
-- ARGV[2]  the time, in milliseconds
-- ARGV[3]  how many to remove at most
--
-- Returns how many it removed.
--
-- Promise: settled requests and expired records go with their index entries;
-- nothing that is pending goes. It blocks the server only for that many.

return forget(ARGV[2], ARGV[3])
