#!lua
-- Remove consumers that are long idle and hold nothing; checked and done in one step, so that nothing pending is lost.
--   KEYS[1] a stream; ARGV[1] group, ARGV[2] least idle milliseconds
-- Returns the number removed.
local removed = 0
for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local fact = {}
  for i = 1, #consumer, 2 do fact[consumer[i]] = consumer[i + 1] end
  if fact.pending == 0 and fact.idle > tonumber(ARGV[2]) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], fact.name)
    removed = removed + 1
  end
end
return removed
