#!/bin/sh
# Rotates the token of a team into a secret of a GitHub repository, for a job that runs Terraform. The old token works until
# the new one is stored and has worked, so running jobs go on.
#
#   sh team-token.sh
#   sh team-token.sh --if-expires-within 30d    for a daily timer
#   sh team-token.sh --keep-old 1d              for jobs that have read the old secret: the next run deletes it
#
# Set ORGCTL_TOKEN (of an owner, or of somebody who manages teams), ORGCTL_ORG and GH_TOKEN. The team platform has a token
# with the description ci; add --create-missing if it has none. Keep the state folder (ORGCTL_STATE_DIR).
set -eu

rotate() {
  orgctl tokens rotate team:platform/ci --expires 90d --yes --lock-wait 5m "$@" \
    --to 'exec:gh secret set TF_API_TOKEN --repo acme/infrastructure'
}

status=0
rotate "$@" || status=$?
case $status in
  # 11: unknown whether a token was created. 12: not delivered. The same command finishes both.
  11 | 12) rotate "$@" ;;
  *) exit "$status" ;;
esac
