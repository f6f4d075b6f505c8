#!/bin/sh
# Rotates the audit trail token of an organization into AWS Secrets Manager.
#
#   sh aws-secrets-manager.sh                          now: also the first time
#   sh aws-secrets-manager.sh --if-expires-within 30d  for every day: does nothing before the last 30 days
#   sh aws-secrets-manager.sh --dry-run                says what it would do
#
# Needs ORGCTL_TOKEN and ORGCTL_ORG; AWS credentials with secretsmanager:PutSecretValue, and a region. The secret must be
# there already: aws secretsmanager create-secret --name hcp-terraform/audit
#
# orgctl remembers what it delivered in ORGCTL_STATE_DIR, or in your state folder. Keep that folder:
# without it --if-expires-within can't see what is in AWS, and ends with exit 13 until the token expires soon.
set -eu

# aws opens /dev/stdin by its name, which takes a pipe: hence cat. Its answer holds no secret.
rotate() {
  orgctl audit-token rotate --expires 90d --yes --lock-wait 5m "$@" \
    --to "exec:sh -c 'cat | aws secretsmanager put-secret-value --secret-id hcp-terraform/audit --secret-string file:///dev/stdin'"
}

status=0
rotate "$@" || status=$?
case $status in
  # Once more: it finds out what became of the request (11), or delivers the token that was kept (12).
  11 | 12) rotate "$@" ;;
  # 13: run it once without --if-expires-within. 14: another rotation is at work.
  *) exit "$status" ;;
esac
