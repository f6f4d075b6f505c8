#!/bin/sh
# Rotates the audit trail token of an organization into a CI/CD variable of a GitLab project.
#
#   sh gitlab-variable.sh                          now: also the first time
#   sh gitlab-variable.sh --if-expires-within 30d  for every day: does nothing before the last 30 days
#   sh gitlab-variable.sh --dry-run                says what it would do
#
# Needs ORGCTL_TOKEN and ORGCTL_ORG; GITLAB_TOKEN, or a glab that is logged in, which may write the project's variables.
# The variable must be there already, with any value. For a job on GitLab itself see gitlab-ci.yml.
#
# orgctl remembers what it delivered in ORGCTL_STATE_DIR, or in your state folder. Keep that folder:
# without it --if-expires-within can't see what GitLab has, and ends with exit 13 until the token expires soon.
set -eu

# All three options are said each time, so that the variable stays as it has to be.
rotate() {
  orgctl audit-token rotate --expires 90d --yes --lock-wait 5m "$@" \
    --to 'exec:glab variable update AUDIT_TOKEN --repo acme/siem --masked --protected --raw'
}

status=0
rotate "$@" || status=$?
case $status in
  # Once more: it finds out what became of the request (11), or delivers the token that was kept (12).
  11 | 12) rotate "$@" ;;
  # 13: run it once without --if-expires-within. 14: another rotation is at work.
  *) exit "$status" ;;
esac
