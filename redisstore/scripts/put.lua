-- put.lua stores a new, pending request.
--
-- KEYS[1]  the request
-- ARGV[2]  its id
-- ARGV[3]  its value, pending
-- ARGV[4]  how many its owner may have pending; 0: any number
-- ARGV[5]  when it expires, in milliseconds
--
-- Returns 1, or 0 when the id is taken, or -1 when its owner has that many
-- pending or more.
--
-- Promise: one id is stored once, and the limit holds whoever else puts. The
-- request has no time to live: the server never drops what is pending.

local id, value, most = ARGV[2], ARGV[3], tonumber(ARGV[4])
if redis.call('EXISTS', KEYS[1]) == 1 then
	return 0
end
local tenant, user, session = struct.unpack(header, value, 3)
local open = indexes('open', tenant, user, session)
if most > 0 and redis.call('ZCARD', open[2]) >= most then
	return -1
end
for _, name in ipairs(open) do
	redis.call('ZADD', name, 0, id)
end
redis.call('ZADD', due, ARGV[5], id)
redis.call('ZADD', tenants, 0, tenant)
redis.call('SET', KEYS[1], value)
forget(milliseconds(), 4)
return 1
