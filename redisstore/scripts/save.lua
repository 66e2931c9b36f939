-- save.lua creates or replaces a record.
--
-- KEYS[1]  the record
-- ARGV[2]  its tenant
-- ARGV[3]  its kind
-- ARGV[4]  its key
-- ARGV[5]  the version to replace, in eight bytes; empty: create
-- ARGV[6]  the caller's time, in milliseconds
-- ARGV[7]  when it expires, in milliseconds; 0: never
-- ARGV[8]  its value behind format and version
--
-- Returns the new version, or 0 when there is one already, or -1 when the
-- stored version is another or there is none.
--
-- Promise: a version is replaced once. Versions come from one counter of the
-- whole store, so that none returns, even after the record was deleted.

local tenant, kind, key, expires = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[7])
local stored = redis.call('GET', KEYS[1])
if stored then
	local ends = struct.unpack('>I8', stored, 10)
	if ends ~= 0 and ends <= tonumber(ARGV[6]) then
		stored = false
	end
end
if ARGV[5] == '' then
	if stored then
		return 0
	end
elseif not stored or string.sub(stored, 2, 9) ~= ARGV[5] then
	return -1
end
local version = redis.call('INCR', tag .. ':version')
redis.call('ZADD', index(tenant, kind), 0, key)
redis.call('SET', KEYS[1], '\1' .. struct.pack('>I8', version) .. ARGV[8])
if expires == 0 then
	redis.call('ZREM', dying, dyingrecord(tenant, kind, key))
else
	redis.call('ZADD', dying, expires, dyingrecord(tenant, kind, key))
	redis.call('PEXPIREAT', KEYS[1], ARGV[7])
end
forget(milliseconds(), 4)
return version
