#!/bin/sh
# Puts the audit trail of an organization into an object store that speaks S3: an object of at most 1,000 lines for each
# reading that found something, such as 2026-11-22/20261122T010404Z-0123456789abcdef.ndjson.
#
#   sh s3.sh --once  what is new, and ends: for a timer. The first time everything that the service keeps
#   sh s3.sh         the same every minute, until it is stopped
#
# Needs ORGCTL_TOKEN, the audit trail token, and ORGCTL_ORG; AUDIT_CURSOR, a file that stays; S3_URL, of the bucket, such
# as https://s3.eu-central-1.amazonaws.com/acme-audit; S3_REGION; S3_CONFIG_FILE, a file for you alone with the line
#   user = "ACCESS-KEY-ID:SECRET-ACCESS-KEY"
# Needs curl 7.86, jq and sha256sum. Objects are named by their content: what is put again takes its own place. Where the
# store refuses, it ends with 1, and the same events are put again by the next run.
set -eu

if [ "${1-}" != send ]; then
  exec orgctl audit-trail follow --cursor "$AUDIT_CURSOR" --to "exec:sh '$0' send" "$@"
fi

events=$(cat)
sum=$(printf '%s\n' "$events" | sha256sum | cut -c 1-64)
name=$(printf '%s\n' "$events" | jq -rs --arg sum "$sum" '
  .[0].timestamp | .[0:10] + "/" + (sub("\\.[0-9]+"; "") | gsub("[-:]"; "")) + "-" + $sum[0:16] + ".ndjson"')
printf '%s\n' "$events" | curl --silent --show-error --fail-with-body --max-time 45 --request PUT \
  --config "$S3_CONFIG_FILE" --aws-sigv4 "aws:amz:$S3_REGION:s3" --header "x-amz-content-sha256: $sum" \
  --header 'Content-Type: application/x-ndjson' --data-binary @- "$S3_URL/$name"
