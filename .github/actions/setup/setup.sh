#!/usr/bin/env bash
# Fetches the executable of a release, compares its sum, and puts it on the path of the steps that follow.
set -euo pipefail

fail() {
  echo "::error::orgctl: $1"
  exit 1
}

version=${ORGCTL_VERSION#v}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] ||
  fail "'$ORGCTL_VERSION' is no version. Use this action by a tag such as v1.2.3, or name one with version: 1.2.3"
case $RUNNER_OS in
  Linux) system=linux ;;
  macOS) system=darwin ;;
  Windows) system=windows ;;
  *) fail "there is no executable for $RUNNER_OS" ;;
esac
case $RUNNER_ARCH in
  X64) processor=x64 ;;
  ARM64) processor=arm64 ;;
  *) fail "there is no executable for $RUNNER_ARCH" ;;
esac

name=orgctl-$version-$system-$processor
folder=$RUNNER_TEMP/$name
mkdir -p "$folder"
cd "$folder"
for file in SHA256SUMS "$name.tar.gz"; do
  curl --fail --silent --show-error --location --retry 3 --output "$file" "$ORGCTL_RELEASES/v$version/$file" ||
    fail "can't fetch $ORGCTL_RELEASES/v$version/$file"
done
wanted=$(awk -v name="$name.tar.gz" '$2 == name { print $1 }' SHA256SUMS)
# macOS has the one, the others have the other.
found=$({ sha256sum "$name.tar.gz" 2> /dev/null || shasum -a 256 "$name.tar.gz"; } | cut -d ' ' -f 1)
[[ -n $wanted && $wanted == "$found" ]] || fail "$name.tar.gz is not what SHA256SUMS says: $found, not ${wanted:-named there}"
tar -xzf "$name.tar.gz" --strip-components=1
rm "$name.tar.gz"
echo "$folder" >> "$GITHUB_PATH"
