-- delete.lua removes a record.
--
-- KEYS[1]  the record
-- ARGV[2]  its tenant
-- ARGV[3]  its kind
-- ARGV[4]  its key
-- ARGV[5]  the version to remove, in eight bytes; empty: any
-- ARGV[6]  the caller's time, in milliseconds
--
-- Returns 1, or 0 when there is no such record or it has expired, or -1 when
-- its version is another.
--
-- Promise: one caller succeeds, and only with the version it has read.

local tenant, kind, key = ARGV[2], ARGV[3], ARGV[4]
local stored = redis.call('GET', KEYS[1])
if not stored then
	return 0
end
local ends = struct.unpack('>I8', stored, 10)
if ends ~= 0 and ends <= tonumber(ARGV[6]) then
	return 0
end
if ARGV[5] ~= '' and string.sub(stored, 2, 9) ~= ARGV[5] then
	return -1
end
redis.call('DEL', KEYS[1])
redis.call('ZREM', index(tenant, kind), key)
redis.call('ZREM', dying, dyingrecord(tenant, kind, key))
return 1
