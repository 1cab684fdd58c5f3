#!lua
-- Put a dead letter back into the queue once its cause is repaired: drop its stored refusal, append its bytes.
--   KEYS 1 dead letters, 2 rounds, 3 shards, 4 condemned; ARGV[1] the dead letter's entry id, ARGV[2] prefix
-- Returns the new entry id, or false if there is no such dead letter.
local letters = redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1])
if #letters == 0 then return false end
local fact = {}
for i = 1, #letters[1][2], 2 do fact[letters[1][2][i]] = letters[1][2][i + 1] end
if fact.id ~= '' then
  for _, day in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
    local key = ARGV[2] .. ':seen:' .. day
    local stored = redis.call('HGET', key, fact.id)
    -- Only the refusal that came with this dead letter: an answer given since then stands.
    if stored and string.find(stored, '"code":"judge_failed"', 1, true) then redis.call('HDEL', key, fact.id) end
  end
end
redis.call('SREM', KEYS[4], fact.id)
redis.call('XDEL', KEYS[1], ARGV[1])
return redis.call('XADD', KEYS[2], '*', 'round', fact.round)
