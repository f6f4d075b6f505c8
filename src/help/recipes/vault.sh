#!/bin/sh
# Rotates the audit trail token of an organization into HashiCorp Vault (KV; -mount needs Vault 1.11).
#
#   sh vault.sh                          now: also the first time
#   sh vault.sh --if-expires-within 30d  for every day: does nothing before the last 30 days
#   sh vault.sh --dry-run                says what it would do
#
# Needs ORGCTL_TOKEN and ORGCTL_ORG; VAULT_ADDR and VAULT_TOKEN, or what else vault logs in with. `kv put` writes a new
# version that holds the token alone; where other keys lie beside it, write `kv patch`.
#
# orgctl remembers what it delivered in ORGCTL_STATE_DIR, or in your state folder. Keep that folder:
# without it --if-expires-within can't see what is in Vault, and ends with exit 13 until the token expires soon.
set -eu

rotate() {
  orgctl audit-token rotate --expires 90d --yes --lock-wait 5m "$@" \
    --to 'exec:vault kv put -mount=secret hcp-terraform/audit token=-'
}

status=0
rotate "$@" || status=$?
case $status in
  # Once more: it finds out what became of the request (11), or delivers the token that was kept (12).
  11 | 12) rotate "$@" ;;
  # 13: run it once without --if-expires-within. 14: another rotation is at work.
  *) exit "$status" ;;
esac
