#!lua
-- Drop results that every reader group has acknowledged, and those past their time; looked at and dropped in one step:
-- a crash in between may take back what a group was said to have read.
--   KEYS[1] the results stream; ARGV[1] milliseconds since 1970 before which a result is past its time
-- Returns the number dropped: a hundred nodes of the stream at most, so as not to hold up the server; 0 when all is done.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end

local function is_before(a, b)
  local a_ms, a_number = string.match(a, '^(%d+)-(%d+)$')
  local b_ms, b_number = string.match(b, '^(%d+)-(%d+)$')
  if a_ms ~= b_ms then return tonumber(a_ms) < tonumber(b_ms) end
  return tonumber(a_number) < tonumber(b_number)
end

local read
for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
  local fact = {}
  for i = 1, #group, 2 do fact[group[i]] = group[i + 1] end
  local pending = redis.call('XPENDING', KEYS[1], fact.name)
  -- The first entry that the group has not acknowledged yet, or the last one it was given.
  local first = pending[1] > 0 and pending[2] or fact['last-delivered-id']
  if not read or is_before(first, read) then read = first end
end
local cutoff = ARGV[1] .. '-0'
if read and is_before(cutoff, read) then cutoff = read end
return redis.call('XTRIM', KEYS[1], 'MINID', '~', cutoff)
