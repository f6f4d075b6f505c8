#!/bin/sh
# Rotates the audit trail token of an organization into a Kubernetes secret.
#
#   sh kubernetes.sh                          now: also the first time
#   sh kubernetes.sh --if-expires-within 30d  for every day: does nothing before the last 30 days
#   sh kubernetes.sh --dry-run                says what it would do
#
# Needs ORGCTL_TOKEN and ORGCTL_ORG; a kubectl that may create and patch secrets in the namespace.
#
# orgctl remembers what it delivered in ORGCTL_STATE_DIR, or in your state folder. Keep that folder,
# in a CronJob as a persistent volume: without it --if-expires-within can't see what is in the cluster, and ends with
# exit 13 until the token expires soon. In a CronJob set concurrencyPolicy to Forbid and restartPolicy to Never.
set -eu

# kubectl opens /dev/stdin by its name, which takes a pipe: hence cat. Applied by the server, the secret is not copied
# into the annotation that kubectl apply leaves otherwise.
rotate() {
  orgctl audit-token rotate --expires 90d --yes --lock-wait 5m "$@" \
    --to "exec:sh -c 'cat | kubectl create secret generic audit-token --namespace siem --from-file=token=/dev/stdin --dry-run=client --output yaml | kubectl apply --server-side --force-conflicts --field-manager orgctl --filename -'"
}

status=0
rotate "$@" || status=$?
case $status in
  # Once more: it finds out what became of the request (11), or delivers the token that was kept (12).
  11 | 12) rotate "$@" ;;
  # 13: run it once without --if-expires-within. 14: another rotation is at work.
  *) exit "$status" ;;
esac
