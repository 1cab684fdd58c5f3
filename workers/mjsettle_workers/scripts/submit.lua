#!lua
-- Append rounds to the stream, as many as fit under its bound; works from any language.
--   KEYS[1] the rounds stream; KEYS[2] (optional) the order hash of a room that needs its rounds in order
--   ARGV[1] how many rounds may wait, ARGV[2] longest round in bytes, ARGV[3] name of the room's own results stream
--   or '', ARGV[4] name of the ordered room or '', ARGV[5..] the rounds, each one JSON text
-- Returns the entry ids of the rounds appended, in order. Fewer than were sent: the stream is full, send the rest later.
-- (XADD with MAXLEN would drop rounds that nobody has read yet.)
local free = tonumber(ARGV[1]) - redis.call('XLEN', KEYS[1])
local longest = tonumber(ARGV[2])
for i = 5, #ARGV do
  if #ARGV[i] > longest then
    return redis.error_reply('TOOLONG round ' .. (i - 4) .. ' has ' .. #ARGV[i] .. ' bytes, expected at most ' .. longest)
  end
end
local ids = {}
for i = 5, math.min(#ARGV, 4 + math.max(free, 0)) do
  local fields = { 'round', ARGV[i] }
  if ARGV[3] ~= '' then
    fields[#fields + 1] = 'to'
    fields[#fields + 1] = ARGV[3]
  end
  if ARGV[4] ~= '' then
    fields[#fields + 1] = 'room'
    fields[#fields + 1] = ARGV[4]
    fields[#fields + 1] = 'seq'
    fields[#fields + 1] = redis.call('HINCRBY', KEYS[2], 'last', 1)
  end
  ids[#ids + 1] = redis.call('XADD', KEYS[1], '*', unpack(fields))
end
if ARGV[4] ~= '' then redis.call('EXPIRE', KEYS[2], 86400) end
return ids
