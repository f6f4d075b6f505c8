#!/bin/sh
# Passes the audit trail of an organization to Splunk's HTTP event collector, every event once.
#
#   sh splunk.sh --once  what is new, and ends: for a timer. The first time everything that the service keeps
#   sh splunk.sh         the same every minute, until it is stopped
#
# Needs ORGCTL_TOKEN, the audit trail token, and ORGCTL_ORG; AUDIT_CURSOR, a file that stays; SPLUNK_URL, such as
# https://splunk.example.com:8088; SPLUNK_HEADER_FILE, a file for you alone with the line
#   Authorization: Splunk 00000000-0000-0000-0000-000000000000
# Needs curl 7.76 and jq. Where Splunk refuses, it ends with 1, and the same events are sent again by the next run.
set -eu

if [ "${1-}" != send ]; then
  exec orgctl audit-trail follow --cursor "$AUDIT_CURSOR" --to "exec:sh '$0' send" "$@"
fi

events=$(jq -c '{source: "orgctl", sourcetype: "hcp_terraform:audit", event: .}
  + (try {time: (.timestamp | sub("\\.[0-9]+"; "") | fromdate)} catch {})')
answer=$(printf '%s\n' "$events" | curl --silent --show-error --fail-with-body --max-time 45 \
  --header "@$SPLUNK_HEADER_FILE" --data-binary @- "$SPLUNK_URL/services/collector/event") && sent=yes || sent=no
if [ "$sent" = no ] || ! printf '%s' "$answer" | jq -e '.code == 0' > /dev/null; then
  echo "Splunk did not take them: $answer" >&2
  exit 1
fi
