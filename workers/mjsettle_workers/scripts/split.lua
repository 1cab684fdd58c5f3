#!lua
-- Cut a part that was cut short into single rounds, so that only the round at fault is held up.
--   KEYS[1] the parts stream, KEYS[2] the batch's hash; ARGV[1] group, ARGV[2] entry id, ARGV[3] the part's name,
--   ARGV[4] values (names and contents) of one new part, ARGV[5..] the values of all new parts
-- Returns the number of new parts; 0 if the entry was no longer pending, or a copy of it was done or cut before.
if redis.call('XACK', KEYS[1], ARGV[1], ARGV[2]) ~= 1 then return 0 end
redis.call('XDEL', KEYS[1], ARGV[2])
if redis.call('HEXISTS', KEYS[2], 'out:' .. ARGV[3]) == 1 then return 0 end
if redis.call('HSETNX', KEYS[2], 'cut:' .. ARGV[3], 1) == 0 then return 0 end
local width = tonumber(ARGV[4])
for first = 5, #ARGV, width do redis.call('XADD', KEYS[1], '*', unpack(ARGV, first, first + width - 1)) end
local parts = (#ARGV - 4) / width
redis.call('HINCRBY', KEYS[2], 'total', parts - 1)
return parts
