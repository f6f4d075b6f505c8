#!/bin/sh
# Sends audit trail events to Elasticsearch.
#
#   sh elastic.sh --once    what is new, for a timer; the first time everything that the service keeps
#   sh elastic.sh           every minute, until it is stopped
#
# Set ORGCTL_TOKEN (the audit trail token), ORGCTL_ORG, AUDIT_CURSOR (a file to keep), ELASTIC_URL, ELASTIC_INDEX and
# ELASTIC_HEADER_FILE (a file that only you can read, with the line "Authorization: ApiKey BASE64"). Needs curl 7.76 and jq.
#
# Events keep their ids, so an event that is sent again replaces itself. If Elasticsearch refuses one, the script exits with
# 1, and the next run sends the batch again.
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
  echo "Elasticsearch refused the events: $answer" >&2
  exit 1
fi
