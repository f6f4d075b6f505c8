#!/bin/sh
# Writes when audit trail tokens expire, for the textfile collector of node_exporter.
#
#   sh node-exporter.sh /var/lib/node_exporter/textfile_collector
#
# Set ORGCTL_TOKEN, and run it from an hourly timer. Alerts, for example:
#   orgctl_audit_token_expiry_timestamp_seconds - time() < 30 * 86400
#   orgctl_audit_token_status{status!~"ok|expiring"} == 1
#   time() - orgctl_audit_token_checked_timestamp_seconds > 7200
set -eu

file=$1/orgctl_audit_token.prom
status=0
rows=$(orgctl audit-token show --all-orgs --fail-if-expires-within 30d -q -o tsv \
  --fields organization.id,status,expires) || status=$?
case $status in
  # 10: one organization failed. 13: a token expires soon. The rows say so.
  0 | 10 | 13) ;;
  # The old file stays, and its time grows old.
  *) exit "$status" ;;
esac

{
  echo '# TYPE orgctl_audit_token_status gauge'
  printf '%s\n' "$rows" | awk -F '\t' '{ printf "orgctl_audit_token_status{organization=\"%s\",status=\"%s\"} 1\n", $1, $2 }'
  echo '# TYPE orgctl_audit_token_expiry_timestamp_seconds gauge'
  printf '%s\n' "$rows" | awk -F '\t' '$3 != ""' | while IFS="$(printf '\t')" read -r organization _ expires; do
    seconds=$(date -u -d "$(printf %s "$expires" | sed 's/T/ /; s/[.Z].*//')" +%s)
    echo "orgctl_audit_token_expiry_timestamp_seconds{organization=\"$organization\"} $seconds"
  done
  echo '# TYPE orgctl_audit_token_checked_timestamp_seconds gauge'
  echo "orgctl_audit_token_checked_timestamp_seconds $(date +%s)"
} > "$file.new"
mv "$file.new" "$file"
