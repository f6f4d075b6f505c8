#!/bin/sh
# Passes the audit trail of an organization to Elasticsearch, every event once.
#
#   sh elastic.sh --once  what is new, and ends: for a timer. The first time everything that the service keeps
#   sh elastic.sh         the same every minute, until it is stopped
#
# Needs ORGCTL_TOKEN, the audit trail token, and ORGCTL_ORG; AUDIT_CURSOR, a file that stays; ELASTIC_URL and
# ELASTIC_INDEX; ELASTIC_HEADER_FILE, a file for you alone with the line
#   Authorization: ApiKey BASE64
# Needs curl 7.76 and jq. Events keep their ids: one that is sent again takes its own place. Where Elasticsearch refuses
# one, it ends with 1, and the same events are sent again by the next run.
set -eu

if [ "${1-}" != send ]; then
  exec orgctl audit-trail follow --cursor "$AUDIT_CURSOR" --to "exec:sh '$0' send" "$@"
fi

events=$(jq -c --arg index "$ELASTIC_INDEX" '
  {index: ({_index: $index} + if .id then {_id: .id} else {} end)}, . + {"@timestamp": .timestamp}')
answer=$(printf '%s\n' "$events" | curl --silent --show-error --fail-with-body --max-time 45 \
  --header "@$ELASTIC_HEADER_FILE" --header 'Content-Type: application/x-ndjson' --data-binary @- \
  "$ELASTIC_URL/_bulk?filter_path=errors,items.*.error") && sent=yes || sent=no
if [ "$sent" = no ] || ! printf '%s' "$answer" | jq -e '.errors == false' > /dev/null; then
  echo "Elasticsearch did not take them: $answer" >&2
  exit 1
fi
