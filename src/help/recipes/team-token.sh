#!/bin/sh
# Rotates the token of a team that a CI job runs Terraform with, into a secret of a GitHub repository. The old token works
# until the new one is stored and was tried: jobs that run meanwhile go on.
#
#   sh team-token.sh                          now
#   sh team-token.sh --if-expires-within 30d  for every day: does nothing before the last 30 days
#   sh team-token.sh --dry-run                says what it would do
#
# Needs ORGCTL_TOKEN, of an owner or of someone who manages teams, and ORGCTL_ORG; GH_TOKEN, or a gh that is logged in, which
# may write the repository's secrets. The team platform has a token with the description ci; the first time also
# --create-missing, where it has none.
#
# Jobs that have read the old secret may run on: --keep-old 1d leaves the old token for a day, and the next run deletes it.
# orgctl remembers that in ORGCTL_STATE_DIR, or in your state folder. Keep that folder.
set -eu

rotate() {
  orgctl tokens rotate team:platform/ci --expires 90d --yes --lock-wait 5m "$@" \
    --to 'exec:gh secret set TF_API_TOKEN --repo acme/infrastructure'
}

status=0
rotate "$@" || status=$?
case $status in
  # Once more: it finds out what became of the request (11), or delivers the token that was kept (12).
  11 | 12) rotate "$@" ;;
  # 13: the old token could not be deleted, and is named. 14: another rotation is at work.
  *) exit "$status" ;;
esac
