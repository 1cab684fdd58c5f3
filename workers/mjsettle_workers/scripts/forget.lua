#!lua
-- Forget the oldest day once the lifetime no longer covers it: one day at a time and at most one an hour, so that a
-- server whose clock jumps ahead does not forget everything before somebody notices. The floor says what is remembered:
-- rounds that ended earlier are refused as too old. It never moves back.
--   KEYS[1] shards, KEYS[2] floor, KEYS[3] time of the last move; ARGV[1] first day to keep, ARGV[2] prefix,
--   ARGV[3] now in seconds, ARGV[4] least seconds between two moves
-- Returns the floor.
local keep, now = tonumber(ARGV[1]), tonumber(ARGV[3])
local floor = tonumber(redis.call('GET', KEYS[2]) or '-1')
if floor < 0 then
  redis.call('SET', KEYS[2], keep)
  redis.call('SET', KEYS[3], now)
  return keep
end
local moved = tonumber(redis.call('GET', KEYS[3]) or '0')
if keep <= floor or math.abs(now - moved) < tonumber(ARGV[4]) then return floor end
floor = floor + 1
redis.call('SET', KEYS[2], floor)
redis.call('SET', KEYS[3], now)
for _, day in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', floor - 1)) do
  redis.call('ZREM', KEYS[1], day)
  redis.call('UNLINK', ARGV[2] .. ':seen:' .. day)
end
return floor
