#!/usr/bin/env bash
# Runs the tests of the site in real browsers: browser.sh SOURCES PACKAGES SITE
# Exit status 77: there is no Chromium, so the tests are left out. Those in Firefox are left out alone.
set -euo pipefail

sources=$1 packages=$2 site=$3
fail() { printf 'the tests of the site: %s\n' "$*" >&2; exit 1; }

# first_of NAME...: where the first of these programs is that there is; nothing if there is none.
first_of() {
  local name
  for name; do
    if command -v "$name"; then return; fi
  done
}

chromium=$(first_of chromium chromium-browser google-chrome google-chrome-stable)
firefox=$(first_of firefox-esr firefox)
if [[ -z $chromium ]]; then
  [[ -z ${CI:-} ]] || fail "there is no Chromium"
  echo "left out: there is no Chromium or Chrome on this machine"
  exit 77
fi
if [[ -z $firefox ]]; then
  [[ -z ${CI:-} ]] || fail "there is no Firefox"
  echo "there is no Firefox on this machine; its tests are left out"
fi
for tool in node npm; do
  command -v "$tool" >/dev/null || fail "$tool is missing; ./course test installs it"
done

mkdir -p "$packages"
if ! cmp -s "$sources/package-lock.json" "$packages/installed.json"; then
  cp "$sources/package.json" "$sources/package-lock.json" "$packages/"
  npm ci --prefix "$packages" --no-audit --no-fund --ignore-scripts >"$packages/npm.log" 2>&1 ||
    fail "npm could not fetch its two packages; is the registry within reach? See $packages/npm.log"
  cp "$sources/package-lock.json" "$packages/installed.json"
fi

# What measures pages is large, and only the long tests need it.
lighthouse=lighthouse@12.8.2
if [[ ${COURSE_LONG_TESTS:-} == 1 && ! -e $packages/measuring/$lighthouse ]]; then
  mkdir -p "$packages/measuring"
  if npm install --prefix "$packages/measuring" --no-audit --no-fund --ignore-scripts --no-save "$lighthouse" \
      >"$packages/measuring.log" 2>&1; then
    touch "$packages/measuring/$lighthouse"
  else
    echo "npm could not fetch $lighthouse; pages are not measured"
  fi
fi

explorer=no
if [[ -e $sources/../../../docs/explorer/index.html ]]; then explorer=yes; fi
SITE=$site EXPLORER=$explorer PACKAGES=$packages CHROMIUM=$chromium FIREFOX=$firefox \
  exec node --test "$sources/site.test.mjs"
