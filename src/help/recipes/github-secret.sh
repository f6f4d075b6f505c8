#!/bin/sh
# Rotates the audit trail token of an organization into a secret of a GitHub repository.
#
#   sh github-secret.sh                          now: also the first time
#   sh github-secret.sh --if-expires-within 30d  for every day: does nothing before the last 30 days
#   sh github-secret.sh --dry-run                says what it would do
#
# Needs ORGCTL_TOKEN and ORGCTL_ORG; GH_TOKEN, or a gh that is logged in, which may write the repository's secrets.
# For a job on GitHub itself see github-actions.yml.
#
# orgctl remembers what it delivered in ORGCTL_STATE_DIR, or in your state folder. Keep that folder:
# without it --if-expires-within can't see what GitHub has, and ends with exit 13 until the token expires soon.
set -eu

rotate() {
  orgctl audit-token rotate --expires 90d --yes --lock-wait 5m "$@" \
    --to 'exec:gh secret set AUDIT_TOKEN --repo acme/siem'
}

status=0
rotate "$@" || status=$?
case $status in
  # Once more: it finds out what became of the request (11), or delivers the token that was kept (12).
  11 | 12) rotate "$@" ;;
  # 13: run it once without --if-expires-within. 14: another rotation is at work.
  *) exit "$status" ;;
esac
