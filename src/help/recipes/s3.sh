#!/bin/sh
# Writes audit trail events to an S3 bucket, at most 1,000 lines per object, such as
# 2026-11-22/20261122T010404Z-0123456789abcdef.ndjson.
#
#   sh s3.sh --once    what is new, for a timer; the first time everything that the service keeps
#   sh s3.sh           every minute, until it is stopped
#
# Set ORGCTL_TOKEN (the audit trail token), ORGCTL_ORG, AUDIT_CURSOR (a file to keep), S3_REGION, S3_URL (of the bucket, such
# as https://s3.eu-central-1.amazonaws.com/acme-audit) and S3_CONFIG_FILE (a file that only you can read, with the line
# user = "ACCESS-KEY-ID:SECRET-ACCESS-KEY"). Needs curl 7.86, jq and sha256sum.
#
# Objects are named by their content, so an object that is written again replaces itself. If the store refuses one, the
# script exits with 1, and the next run writes it again.
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
