#!/bin/sh
# Print the server's users with least rights from *_PASSWORD variables; the file holds digests, not passwords.
#   sh make-acl.sh > users.acl && redis-server redis.conf --aclfile "$PWD/users.acl" --dir /var/lib/mjsettle
# A user without a password is left out; without any password nobody could get in, so that is refused. PREFIX and QUEUE follow MJSETTLE_PREFIX and MJSETTLE_QUEUE.
# For an old server name its version, `make-acl.sh 7.0`: Redis 7.0 and 7.1 refuse a file
# with commands that they do not know. Make the file anew when the server is upgraded.
set -eu
prefix=${MJSETTLE_PREFIX:-mjsettle}
case ${1:-} in
7.0* | 7.1*) leave_out='s/ +client|setinfo//; s/ +waitaof//' ;;
*) leave_out= ;;
esac

passwords=${WORKER_PASSWORD:-}${ROOM_PASSWORD:-}${LEDGER_PASSWORD:-}${METRICS_PASSWORD:-}${DESK_PASSWORD:-}
passwords=$passwords${REPLICA_PASSWORD:-}${SENTINEL_PASSWORD:-}${ADMIN_PASSWORD:-}
if [ -z "$passwords" ]; then
    echo 'make-acl.sh: found no *_PASSWORD, expected WORKER_PASSWORD, ROOM_PASSWORD, ADMIN_PASSWORD, …:' \
        'export one for each user that is to get in' >&2
    exit 2
fi

user() { # name, password, rights
    [ -n "$2" ] || return 0
    digest=$(printf %s "$2" | sha256sum | cut -d' ' -f1)
    rights=$(printf %s "$3" | sed "$leave_out")
    printf 'user %s on #%s resetchannels %s\n' "$1" "$digest" "$rights"
}

# Nobody without a name: `off` lets nobody in. Its rights stay whole, since Redis 7.0 reads the append-only file
# as this user: with fewer rights it would skip every transaction in the file, that is every settlement.
echo 'user default off resetpass ~* &* +@all'

# Workers: their own keys and RQ's. No configuration, no other keys, no key listing.
user worker "${WORKER_PASSWORD:-}" "~$prefix:* ~rq:* &rq:* -@all \
+ping +hello +auth +select +client|setname +client|setinfo +client|id +client|info +client|list +time +info \
+config|get +subscribe +unsubscribe +psubscribe +punsubscribe +publish +multi +exec +discard +watch +unwatch \
+eval +evalsha +script|load +script|exists \
+get +getdel +set +setex +exists +type +ttl +expire +expireat +persist +del +unlink \
+hget +hmget +hgetall +hset +hsetnx +hdel +hexists +hlen +hkeys +hvals +hscan +hincrby +hincrbyfloat \
+sadd +srem +smembers +sismember +scard \
+zadd +zrem +zrange +zrevrange +zrangebyscore +zrevrangebyscore +zremrangebyscore +zcard +zcount +zscore +zpopmin \
+llen +lrange +lrem +lpush +rpush +lpop +rpop +lmove +blmove +brpop +blpop +lpos \
+xadd +xack +xdel +xlen +xrange +xrevrange +xread +xreadgroup +xclaim +xautoclaim +xpending +xtrim \
+xgroup|create +xgroup|delconsumer +xgroup|createconsumer +xinfo|stream +xinfo|groups +xinfo|consumers +waitaof"

# Rooms: append rounds by the submit script; read (and remove) their own results streams. Nothing else, least of all
# RQ's keys. Rooms that do not trust each other get a user each, with ROOM's name instead of the stars.
user room "${ROOM_PASSWORD:-}" "~$prefix:rounds ~$prefix:order:* -@all \
+ping +hello +auth +select +client|setname +client|setinfo +evalsha +script|load +script|exists \
+xlen +xadd +hincrby +expire +waitaof (~$prefix:results:* -@all +xread +xrange +expire +xinfo|stream +del)"

# Ledgers: read the common results stream as a group.
user ledger "${LEDGER_PASSWORD:-}" "~$prefix:results -@all \
+ping +hello +auth +select +client|setname +client|setinfo \
+xreadgroup +xack +xautoclaim +xclaim +xpending +xrange +xlen +xgroup|create +xinfo|stream +xinfo|groups"

# The exporter, probes and rq-exporter: read only.
user metrics "${METRICS_PASSWORD:-}" "%R~$prefix:* %R~rq:* -@all \
+ping +hello +auth +select +client|setname +client|setinfo +time +info +config|get \
+get +hgetall +hlen +hmget +hget +exists +type +xlen +xinfo|stream +xinfo|groups +zcount +zcard +smembers +llen"

# The settlement desk: read only, stored answers and dead letters.
user desk "${DESK_PASSWORD:-}" "%R~$prefix:* -@all \
+ping +hello +auth +select +client|setname +client|setinfo +time \
+get +hget +hmget +hexists +hlen +hgetall +exists +type +zrange +zcard +smembers +xlen +xrange +xrevrange +xread"

# Replicas, and the sentinels that choose among them (masteruser and masterauth; sentinel auth-user and auth-pass).
user replica "${REPLICA_PASSWORD:-}" "-@all +psync +replconf +ping"
user sentinel "${SENTINEL_PASSWORD:-}" "&* -@all \
+ping +info +role +slaveof +config|rewrite +multi +exec +client|setname +client|kill +subscribe +publish +script|kill"

# People, from the machine itself.
user admin "${ADMIN_PASSWORD:-}" "~* &* +@all"
