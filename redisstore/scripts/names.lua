-- names.lua stands in front of every other script.
--
-- ARGV[1] is always the tag: the prefix in braces, "{parley}". Every key begins
-- with it, so that all keys are in one slot of a cluster. KEYS[1] is the key
-- that a script is about; the others are derived from the tag here, and in
-- keys.go in the same way. Tenants, users, sessions, kinds and keys are any
-- bytes: where two of them meet, the length of the first stands in front.

local tag = ARGV[1]
local due = tag .. ':due'         -- pending ids by expiry
local dying = tag .. ':dying'     -- what is kept for a while, by the end of its time
local tenants = tag .. ':tenants' -- those that have requests

-- The beginning of a stored request, behind its state and format: tenant, user
-- and session, each with its length.
local header = '>I4c0I4c0I4c0'

-- indexes names the sets that hold a request's id: "open" while it is pending,
-- "past" afterwards. The first is its tenant's, the second its owner's.
local function indexes(set, tenant, user, session)
	local begin = tag .. ':' .. set
	local within = ':' .. #tenant .. ':' .. tenant .. ':'
	local names = { begin .. ':tenant:' .. tenant, begin .. ':user' .. within .. user }
	if session ~= '' then
		names[3] = begin .. ':session' .. within .. session
	end
	return names
end

-- index names the set of the keys of a tenant's records of one kind.
local function index(tenant, kind)
	return tag .. ':keys:' .. #tenant .. ':' .. tenant .. ':' .. kind
end

local function record(tenant, kind, key)
	return tag .. ':rec:' .. #tenant .. ':' .. tenant .. ':' .. #kind .. ':' .. kind .. ':' .. key
end

-- The members of dying say what to remove: a request or a record.
local function dyingrequest(head, id)
	return 'q' .. head .. id
end

local function dyingrecord(tenant, kind, key)
	return 'r' .. struct.pack('>I4c0I4c0', #tenant, tenant, #kind, kind) .. key
end

local function milliseconds()
	local time = redis.call('TIME')
	return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function forgetrequest(member)
	local tenant, user, session, rest = struct.unpack(header, member, 2)
	local id = string.sub(member, rest)
	local key = tag .. ':req:' .. id
	if redis.call('GETRANGE', key, 0, 0) ~= '?' then -- an id may have been put anew after its time
		redis.call('DEL', key)
	end
	for _, name in ipairs(indexes('past', tenant, user, session)) do
		redis.call('ZREM', name, id)
	end
	if redis.call('EXISTS', tag .. ':open:tenant:' .. tenant, tag .. ':past:tenant:' .. tenant) == 0 then
		redis.call('ZREM', tenants, tenant)
	end
end

local function forgetrecord(member)
	local tenant, kind, rest = struct.unpack('>I4c0I4c0', member, 2)
	local key = string.sub(member, rest)
	redis.call('DEL', record(tenant, kind, key))
	redis.call('ZREM', index(tenant, kind), key)
end

-- forget removes at most n things whose time ended at now or before, with
-- their index entries, and returns how many it removed. Scripts that add
-- something forget a few each time, so that nothing grows even if nobody sweeps.
local function forget(now, n)
	local over = redis.call('ZRANGEBYSCORE', dying, '-inf', now, 'LIMIT', 0, n)
	for _, member in ipairs(over) do
		if string.sub(member, 1, 1) == 'q' then
			forgetrequest(member)
		else
			forgetrecord(member)
		end
		redis.call('ZREM', dying, member)
	end
	return #over
end
