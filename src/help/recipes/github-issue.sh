#!/bin/sh
# Keeps one GitHub issue open while tokens of your organizations and their teams expire within 30 days.
#
#   sh github-issue.sh acme/platform
#
# Needs ORGCTL_TOKEN, of an owner of these organizations; GH_TOKEN, or a gh that is logged in, which may write issues of that
# repository. Run it from a timer, such as every day: it opens the issue, keeps its table up to date, and closes it when all
# is well. It ends as orgctl does: 13 where a token expires soon, 10 where it is unknown whether one does.
set -eu

repository=$1
title='Tokens expire soon'
status=0
rows=$(orgctl tokens list --all-orgs --expires-within 30d --fail-if-expires-within 30d -o markdown) || status=$?
case $status in
  0 | 10 | 13) ;;
  # Nothing is known: what the issue says stays.
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
