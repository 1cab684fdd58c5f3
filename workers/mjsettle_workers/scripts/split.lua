#!lua
-- Cut a part that was cut short into single rounds, so that only the round at fault is held up.
--   KEYS[1] the parts stream, KEYS[2] the batch's hash; ARGV[1] group, ARGV[2] entry id, ARGV[3] values (names and
--   contents) of one new part, ARGV[4..] the values of all new parts
-- Returns the number of new parts, 0 if the entry was no longer pending.
local width = tonumber(ARGV[3])
if redis.call('XACK', KEYS[1], ARGV[1], ARGV[2]) ~= 1 then return 0 end
for first = 4, #ARGV, width do redis.call('XADD', KEYS[1], '*', unpack(ARGV, first, first + width - 1)) end
local parts = (#ARGV - 3) / width
redis.call('HINCRBY', KEYS[2], 'total', parts - 1)
redis.call('XDEL', KEYS[1], ARGV[2])
return parts
