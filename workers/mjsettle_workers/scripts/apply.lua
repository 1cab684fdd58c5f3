#!lua
-- Apply judged entries, each wholly or not at all, in one atomic step.
-- The gate is XACK: only an entry that was still pending is applied, so however often a round was delivered, judged or
-- sent to this script, it has one effect. The script starts with its checks, for Redis does not undo what ran before
-- an error; without memory or disk the server refuses the whole script before its first line.
--   KEYS 1 rounds, 2 parts, 3 results, 4 dead letters, 5 shards, 6 floor, 7 counters, 8 parked, 9 condemned,
--   10 suspects
--   ARGV[1] msgpack {prefix, group, reply_keep_s, entries, keep_days}, where an entry is {stream (1 rounds, 2 parts), entry id,
--   rounds, extra} and a round {id or '', day, answer, status, what to
--   store (body, newline, answer) or nothing, the body's length, whether it is compared but not stored}; see store.py
--   ARGV[2..] the bytes of dead letters, one for each entry, where the entries are dead
-- Returns what could not be applied: {entry no, round no, 'gone' | 'wait' | 'old' | 'differs', what is stored}. An entry
-- that is named there was left as it was.
local job = cmsgpack.unpack(ARGV[1])
local prefix, group, reply_keep_s, entries = job[1], job[2], job[3], job[4]
local RESULTS, DEAD, SHARDS, COUNTERS, PARKED = KEYS[3], KEYS[4], KEYS[5], KEYS[7], KEYS[8]
local CHUNK = 500

local function expect(key, kind)
  local found = redis.call('TYPE', key).ok
  if found ~= kind and found ~= 'none' then
    error('key ' .. key .. ' holds a ' .. found .. ', expected a ' .. kind .. '; choose another prefix')
  end
end
expect(RESULTS, 'stream')
expect(DEAD, 'stream')
expect(SHARDS, 'zset')
expect(COUNTERS, 'hash')
expect(PARKED, 'hash')
expect(KEYS[9], 'set')

-- What the store already holds of these ids, whatever day it was filed under.
local ids, asked, stored = {}, {}, {}
for _, entry in ipairs(entries) do
  for _, round in ipairs(entry[3]) do
    if round[5] and not asked[round[1]] then
      asked[round[1]] = true
      ids[#ids + 1] = round[1]
    end
  end
end
for _, day in ipairs(redis.call('ZRANGE', SHARDS, 0, -1)) do
  for first = 1, #ids, CHUNK do
    local found = redis.call('HMGET', prefix .. ':seen:' .. day, unpack(ids, first, math.min(first + CHUNK - 1, #ids)))
    for k, value in ipairs(found) do
      if value then stored[ids[first + k - 1]] = value end
    end
  end
end
local floor = tonumber(redis.call('GET', KEYS[6]) or '-1')
if floor < 0 then
  -- A server that lost its data, or its first second, under workers that go on: without a floor it would settle what
  -- it paid weeks ago.
  floor = math.floor(redis.call('TIME')[1] / 86400) - job[5]
  redis.call('SET', KEYS[6], floor)
end

local counts, puts, acked, problems = {}, {}, { {}, {} }, {}
local function count(name) counts[name] = (counts[name] or 0) + 1 end

local function order_key(room) return prefix .. ':order:' .. room end

-- Why the entry cannot be applied now: round no, reason and detail, or nothing.
local function obstacle(entry, extra)
  if extra.room and not extra.overdue then
    local turn = redis.call('HGET', order_key(extra.room), 'turn') or 1
    if tonumber(turn) < extra.seq and redis.call('EXISTS', order_key(extra.room)) == 1 then return 0, 'wait', '' end
  end
  local within = {}
  for j, round in ipairs(entry[3]) do
    local id, value = round[1], round[5]
    if value then
      local known = stored[id] or within[id]
      if not known then
        if round[2] < floor then return j, 'old', '' end
        if not round[7] then within[id] = value end
      elseif string.sub(known, 1, round[6] + 1) ~= string.sub(value, 1, round[6] + 1) then
        return j, 'differs', known
      end
    end
  end
end

-- Store the round unless it is stored, and send out its answer; returns the answer.
local function answer(round, extra)
  local id, day, text, value = round[1], round[2], round[3], round[5]
  local fields = { 'id', id, 'result', text }
  if value then
    local known = stored[id]
    if known then
      text = string.sub(known, round[6] + 2)
      fields[4], fields[5], fields[6] = text, 'again', '1'
      count('repeated')
    elseif round[7] then
      count(round[4])
    else
      stored[id] = value
      local put = puts[day]
      if not put then
        put = {}
        puts[day] = put
      end
      put[#put + 1] = id
      put[#put + 1] = value
      count(round[4])
    end
  else
    count(round[4])
  end
  if not extra.unrecorded then
    redis.call('XADD', RESULTS, '*', unpack(fields))
    if extra.to then
      local reply = prefix .. ':results:' .. extra.to
      redis.call('XADD', reply, 'MAXLEN', '~', 100000, '*', unpack(fields))
      redis.call('EXPIRE', reply, reply_keep_s)
    end
  end
  return text
end

local function finish_part(extra, answers)
  local key = prefix .. ':batch:' .. extra.batch
  -- A part may have been sent twice, by a sender that lost its connection: it is done once, whole or cut.
  if redis.call('HEXISTS', key, 'cut:' .. extra.part) == 0
      and redis.call('HSETNX', key, 'out:' .. extra.part, extra.at .. '\n' .. table.concat(answers, '\n')) == 1 then
    redis.call('HINCRBY', key, 'done', 1)
  end
  redis.call('EXPIRE', key, reply_keep_s)
end

for i, entry in ipairs(entries) do
  local extra = entry[4] or {}
  local j, what, detail = obstacle(entry, extra)
  if what then
    problems[#problems + 1] = { i, j, what, detail }
  elseif redis.call('XACK', KEYS[entry[1]], group, entry[2]) ~= 1 then
    problems[#problems + 1] = { i, 0, 'gone', '' }
  else
    local gone = acked[entry[1]]
    gone[#gone + 1] = entry[2]
    local answers = {}
    -- A copy of a round that is among the dead letters already is only answered.
    local buried = extra.dead and stored[entry[3][1][1]]
    for k, round in ipairs(entry[3]) do answers[k] = answer(round, extra) end
    if extra.dead and not buried then
      redis.call('XADD', DEAD, '*', 'entry', entry[2], 'id', entry[3][1][1], 'reason', extra.dead, 'deliveries',
        extra.deliveries, 'round', ARGV[1 + i])
      if entry[3][1][1] ~= '' then redis.call('SADD', KEYS[9], entry[3][1][1]) end
      count('dead')
    end
    if extra.suspect then redis.call('HDEL', KEYS[10], extra.suspect) end
    if extra.parked then redis.call('HDEL', PARKED, entry[2]) end
    if extra.batch then finish_part(extra, answers) end
    if extra.room then
      local turn = redis.call('HGET', order_key(extra.room), 'turn') or 1
      if tonumber(turn) <= extra.seq then redis.call('HSET', order_key(extra.room), 'turn', extra.seq + 1) end
      redis.call('EXPIRE', order_key(extra.room), 86400)
    end
  end
end

for day, put in pairs(puts) do
  redis.call('ZADD', SHARDS, day, day)
  for first = 1, #put, 2 * CHUNK do
    redis.call('HSET', prefix .. ':seen:' .. day, unpack(put, first, math.min(first + 2 * CHUNK - 1, #put)))
  end
end
for stream = 1, 2 do
  for first = 1, #acked[stream], CHUNK do
    redis.call('XDEL', KEYS[stream], unpack(acked[stream], first, math.min(first + CHUNK - 1, #acked[stream])))
  end
end
for name, times in pairs(counts) do redis.call('HINCRBY', COUNTERS, name, times) end
return problems
