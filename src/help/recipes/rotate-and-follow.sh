#!/bin/sh
# Follows the audit trail of an organization and rotates the token that it is read with: for a container, or another
# machine without timers.
#
#   sh rotate-and-follow.sh >> audit.ndjson
#   sh rotate-and-follow.sh --to exec:COMMAND
#
# Needs ORGCTL_ORG; ORGCTL_TOKEN_FILE, a file with a token that may make the audit trail token; AUDIT_STATE, a folder that
# stays. On another service than app.terraform.io, ORGCTL_BASE_URL. The token is looked at once a day (ROTATE_EVERY),
# and replaced in its last 30 days. The follower reads it from its file, and after a rotation reads it again: an event
# that happened meanwhile is read with the new one.
set -eu

secret=$AUDIT_STATE/audit-token
export ORGCTL_STATE_DIR="$AUDIT_STATE/state"
# Apart from the volume, which others may write to: orgctl uses a token-command only where they can't.
ORGCTL_CONFIG_DIR=$(mktemp -d)
export ORGCTL_CONFIG_DIR
trap 'rm -rf "$ORGCTL_CONFIG_DIR"' EXIT
unset ORGCTL_TOKEN

rotate() {
  status=0
  ORGCTL_TOKEN=$(cat "$ORGCTL_TOKEN_FILE") \
    orgctl audit-token rotate --expires 90d --yes --if-expires-within 30d --lock-wait 5m --to "file:$secret" >&2 || status=$?
  return "$status"
}

# 11: once more, it finds out what became of the request. 12: it delivers the token that was kept.
rotate_surely() {
  rotate || case $status in
    11 | 12) rotate ;;
    *) return "$status" ;;
  esac
}

# A stop ends the wait, and lets a rotation come to its end.
rotate_daily() {
  trap 'kill "$nap" 2> /dev/null; exit 0' TERM
  while :; do
    sleep "${ROTATE_EVERY:-1d}" &
    nap=$!
    wait "$nap"
    rotate_surely || echo 'the token was not rotated; it is looked at again tomorrow' >&2
  done
}

rotate_surely
[ -z "${ORGCTL_BASE_URL-}" ] || orgctl settings set base-url "$ORGCTL_BASE_URL"
orgctl settings set token-command "cat '$secret'"

rotate_daily &
rotator=$!
orgctl audit-trail follow --cursor "$AUDIT_STATE/cursor.json" -o ndjson "$@" &
follower=$!
trap 'kill "$follower"' HUP INT TERM
status=0
wait "$follower" || status=$?
# A signal ends the wait before the follower.
if kill -0 "$follower" 2> /dev/null; then
  status=0
  wait "$follower" || status=$?
fi
kill "$rotator"
wait "$rotator" || :
exit "$status"
