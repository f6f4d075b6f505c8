#!/bin/sh
# Follows the audit trail and rotates the token that reads it, for a container or a machine without timers.
#
#   sh rotate-and-follow.sh >> audit.ndjson
#   sh rotate-and-follow.sh --to exec:COMMAND
#
# Set ORGCTL_ORG, ORGCTL_TOKEN_FILE (a file with a token that may create the audit trail token), AUDIT_STATE (a folder to
# keep) and, for another service than app.terraform.io, ORGCTL_BASE_URL. The token is replaced in its last 30 days; the script
# looks once a day (ROTATE_EVERY). The follower reads the token from its file before each reading.
set -eu

secret=$AUDIT_STATE/audit-token
export ORGCTL_STATE_DIR="$AUDIT_STATE/state"
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

# 11: unknown whether the token was replaced. 12: not delivered. The same command finishes both.
rotate_and_finish() {
  rotate || case $status in
    11 | 12) rotate ;;
    *) return "$status" ;;
  esac
}

# SIGTERM ends the wait, but not a rotation.
rotate_daily() {
  trap 'kill "$nap" 2> /dev/null; exit 0' TERM
  while :; do
    sleep "${ROTATE_EVERY:-1d}" &
    nap=$!
    wait "$nap"
    rotate_and_finish || echo 'the token was not rotated; trying again tomorrow' >&2
  done
}

rotate_and_finish
[ -z "${ORGCTL_BASE_URL-}" ] || orgctl settings set base-url "$ORGCTL_BASE_URL"
orgctl settings set token-command "cat '$secret'"

rotate_daily &
rotator=$!
orgctl audit-trail follow --cursor "$AUDIT_STATE/cursor.json" -o ndjson "$@" &
follower=$!
trap 'kill "$follower"' HUP INT TERM
status=0
wait "$follower" || status=$?
# A signal ends `wait` before the follower has ended.
if kill -0 "$follower" 2> /dev/null; then
  status=0
  wait "$follower" || status=$?
fi
kill "$rotator"
wait "$rotator" || :
exit "$status"
