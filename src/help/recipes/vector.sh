#!/bin/sh
# Passes the audit trail of an organization to Vector, which runs on this machine with the settings in vector.yaml.
#
#   sh vector.sh --once  what is new, and ends: for a timer. The first time everything that the service keeps
#   sh vector.sh         the same every minute, until it is stopped
#
# Needs ORGCTL_TOKEN, the audit trail token, and ORGCTL_ORG; AUDIT_CURSOR, a file that stays; curl 7.76. Vector answers
# once its sink has taken the events. Where it refuses, this ends with 1, and the next run sends the same events again.
set -eu

if [ "${1-}" != send ]; then
  exec orgctl audit-trail follow --cursor "$AUDIT_CURSOR" --to "exec:sh '$0' send" "$@"
fi

exec curl --silent --show-error --fail-with-body --max-time 45 \
  --header 'Content-Type: application/x-ndjson' --data-binary @- "${VECTOR_URL:-http://127.0.0.1:8087/}"
