-- settle.lua gives a pending request its outcome.
--
-- KEYS[1]  the request
-- ARGV[2]  its id
-- ARGV[3]  the outcome, to be appended to the request's value
-- ARGV[4]  how long it is kept from now on, in milliseconds
--
-- Returns 1, or 0 when there is no such request, or -1 when it is settled.
--
-- Promise: one caller succeeds, and the outcome never changes. The request
-- leaves the indexes of what is pending in the same instant, gets its time to
-- live, and its id is published to whoever watches.

local id = ARGV[2]
local value = redis.call('GET', KEYS[1])
if not value then
	return 0
end
if string.sub(value, 1, 1) ~= '?' then
	return -1
end
redis.call('SET', KEYS[1], '!' .. string.sub(value, 2) .. ARGV[3], 'PX', ARGV[4])
local tenant, user, session, rest = struct.unpack(header, value, 3)
for _, name in ipairs(indexes('open', tenant, user, session)) do
	redis.call('ZREM', name, id)
end
redis.call('ZREM', due, id)
for _, name in ipairs(indexes('past', tenant, user, session)) do
	redis.call('ZADD', name, 0, id)
end
local now = milliseconds()
redis.call('ZADD', dying, now + ARGV[4], dyingrequest(string.sub(value, 3, rest - 1), id))
forget(now, 4)
redis.call('PUBLISH', tag .. ':settled', id)
return 1
