#!/bin/sh
# Keeps a GitHub issue open while tokens of your organizations and their teams expire within 30 days.
#
#   sh github-issue.sh acme/platform
#
# Set ORGCTL_TOKEN (of an owner of the organizations) and GH_TOKEN (may write issues). Run it from a daily timer: it opens the
# issue, updates its table, and closes it when no token expires soon. It exits as orgctl does: 13 if a token expires soon, 10
# if some tokens can't be read.
set -eu

repository=$1
title='Tokens expire soon'
status=0
rows=$(orgctl tokens list --all-orgs --expires-within 30d --fail-if-expires-within 30d -o markdown) || status=$?
case $status in
  0 | 10 | 13) ;;
  # Nothing is known, so the issue stays as it is.
  *) exit "$status" ;;
esac

issue=$(gh issue list --repo "$repository" --state open --search "in:title \"$title\"" --json number --jq '.[0].number')
if [ "$status" -eq 0 ]; then
  [ -z "$issue" ] || gh issue close "$issue" --repo "$repository"
elif [ -z "$issue" ]; then
  printf '%s\n' "$rows" | gh issue create --repo "$repository" --title "$title" --body-file -
else
  printf '%s\n' "$rows" | gh issue edit "$issue" --repo "$repository" --body-file -
fi
exit "$status"
