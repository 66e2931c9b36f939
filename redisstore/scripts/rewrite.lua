-- rewrite.lua replaces a value that is still what it was.
--
-- KEYS[1]  the request or the record
-- ARGV[2]  its value
-- ARGV[3]  the value that takes its place
--
-- Returns 1, or 0 when it is another by now, or gone.
--
-- Promise: nothing is lost that was written meanwhile, and the time to live stays.

if redis.call('GET', KEYS[1]) ~= ARGV[2] then
	return 0
end
redis.call('SET', KEYS[1], ARGV[3], 'KEEPTTL')
return 1
