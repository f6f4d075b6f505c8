#!/bin/sh
# Sends audit trail events to Splunk's HTTP event collector.
#
#   sh splunk.sh --once    what is new, for a timer; the first time everything that the service keeps
#   sh splunk.sh           every minute, until it is stopped
#
# Set ORGCTL_TOKEN (the audit trail token), ORGCTL_ORG, AUDIT_CURSOR (a file to keep), SPLUNK_URL, such as
# https://splunk.example.com:8088, and SPLUNK_HEADER_FILE (a file that only you can read, with the line
# "Authorization: Splunk 00000000-0000-0000-0000-000000000000"). Needs curl 7.76 and jq.
#
# If Splunk refuses a batch, the script exits with 1, and the next run sends the batch again.
set -eu

if [ "${1-}" != send ]; then
  exec orgctl audit-trail follow --cursor "$AUDIT_CURSOR" --to "exec:sh '$0' send" "$@"
fi

events=$(jq -c '{source: "orgctl", sourcetype: "hcp_terraform:audit", event: .}
  + (try {time: (.timestamp | sub("\\.[0-9]+"; "") | fromdate)} catch {})')
answer=$(printf '%s\n' "$events" | curl --silent --show-error --fail-with-body --max-time 45 \
  --header "@$SPLUNK_HEADER_FILE" --data-binary @- "$SPLUNK_URL/services/collector/event") && sent=yes || sent=no
if [ "$sent" = no ] || ! printf '%s' "$answer" | jq -e '.code == 0' > /dev/null; then
  echo "Splunk refused the events: $answer" >&2
  exit 1
fi
