#!/bin/sh
# Rotates the audit trail token of an organization into Azure Key Vault.
#
#   sh azure-key-vault.sh                          now: also the first time
#   sh azure-key-vault.sh --if-expires-within 30d  for every day: does nothing before the last 30 days
#   sh azure-key-vault.sh --dry-run                says what it would do
#
# Needs ORGCTL_TOKEN and ORGCTL_ORG; an az that is logged in as a user who can set secrets.
#
# orgctl remembers what it delivered in ORGCTL_STATE_DIR, or in your state folder. Keep that folder:
# without it --if-expires-within can't see what is in the vault, and ends with exit 13 until the token expires soon.
set -eu

# az opens /dev/stdin by its name, which takes a pipe: hence cat. Without --output none it prints the secret.
rotate() {
  orgctl audit-token rotate --expires 90d --yes --lock-wait 5m "$@" \
    --to "exec:sh -c 'cat | az keyvault secret set --vault-name acme-secrets --name audit-token --file /dev/stdin --encoding utf-8 --output none'"
}

status=0
rotate "$@" || status=$?
case $status in
  # Once more: it finds out what became of the request (11), or delivers the token that was kept (12).
  11 | 12) rotate "$@" ;;
  # 13: run it once without --if-expires-within. 14: another rotation is at work.
  *) exit "$status" ;;
esac
