-- The pace of all replicas, in one hash and one step. The only clock is that of
-- the server: those of the replicas differ. Times are microseconds.
--
-- KEYS[1]  the hash: since, seen, and by host "last" (newest start)
-- ARGV     operation, host, interval, argument of the operation, and "new" where
--          the server did not know this script
local key, op, host = KEYS[1], ARGV[1], ARGV[2]
local interval, argument, new = tonumber(ARGV[3]), ARGV[4], ARGV[5] == 'new'

local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local function text(n) return string.format('%.0f', n) end

local lastField = 'last ' .. host
local state = redis.call('HMGET', key, 'since', 'seen', lastField)
local since, seen, last = tonumber(state[1]), tonumber(state[2]), tonumber(state[3])

-- A server that was restarted, or that took over, does not know the script. It,
-- and one that was emptied, or whose clock went back, knows nothing of the
-- starts until now: there may have been one at any time.
if new or not since or seen > now then
  redis.call('DEL', key)
  redis.call('HSET', key, 'since', text(now))
  since, last = now, nil
end
redis.call('HSET', key, 'seen', text(now)) -- for every operation: a server that cannot write is found out

if op == 'start' then
  local free = math.max(last or 0, since) + interval
  if now < free then
    return {free - now, 0}
  end
  redis.call('HSET', key, lastField, text(now))
  return {0, now}
elseif op == 'spend' then -- one request of a day; the argument is their limit
  local field, today = 'day ' .. host, math.floor(now / 86400000000)
  local day, count = string.match(redis.call('HGET', key, field) or '', '^(%d+) (%d+)$')
  local used = (tonumber(day) == today and tonumber(count) or 0) + 1
  if used <= tonumber(argument) then
    redis.call('HSET', key, field, text(today) .. ' ' .. text(used))
  end
  return {used, 0}
elseif op == 'report' then -- a start that was made without this server, so long ago
  local at = now - tonumber(argument)
  if at > (last or 0) then
    redis.call('HSET', key, lastField, text(at))
  end
end
return {0, 0}
