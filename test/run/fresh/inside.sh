#!/bin/sh
# Runs on the fresh machine: clones the project and does what its README says.
#   inside.sh COMMIT with|without PARTS PORT [filters of npm test]
set -eu
commit=$1 namespaces=$2 parts=$3 port=$4
shift 4
say() { printf '\n== %s\n' "$*"; }

unshare --net true 2>/dev/null && can=with || can=without
[ "$can" = "$namespaces" ] || { echo "This machine is $can namespaces, not $namespaces."; exit 1; }

[ -d platen ] || git -c safe.directory='*' clone --quiet --no-checkout /mnt/source platen
cd platen
git checkout --quiet --detach "$commit"

case $parts in *start*)
  say "npm start, $namespaces namespaces"
  SERVICE_PORT=$port npm start &
  service=$!
  until curl -sf -o status "http://127.0.0.1:$port/status"; do
    kill -0 $service 2>/dev/null || { echo 'npm start has ended before it answered.'; exit 1; }
    sleep 1
  done
  say 'The line of the README'
  # The first block of shell commands that calls the service.
  sed -n '/^```sh$/,/^```$/p' README.md | sed -n '/^curl/,/^```$/{/^```$/q;p}' |
    sed "s/127\.0\.0\.1:4000/127.0.0.1:$port/" >line.sh
  cat line.sh
  sh -eu line.sh
  [ "$(head -c 5 letter.pdf)" = '%PDF-' ] || { echo 'letter.pdf is no PDF:'; head -c 500 letter.pdf; exit 1; }
  pdftotext letter.pdf - | grep -q 'Kind regards' || { echo 'letter.pdf lacks its text.'; exit 1; }
  echo "letter.pdf is a PDF of $(wc -c <letter.pdf) bytes."
  rm -f status line.sh letter.pdf
  kill -TERM $service
  wait $service || echo "npm start ended with $?."
  ;;
esac

case $parts in *office-alt*)
  say "npm start -- --with-office-alt, $namespaces namespaces"
  SERVICE_PORT=$port npm start -- --with-office-alt &
  service=$!
  node test/run/fresh/image-renders.mjs "$port" ILCO || exit 1
  kill -TERM $service
  wait $service || echo "npm start ended with $?."
  ;;
esac

case $parts in *test*)
  say "npm test, $namespaces namespaces"
  npm test -- "$@"
  ;;
esac
# What the project asks of a machine it must not leave in its own folder.
[ -z "$(git status --porcelain)" ] || { echo 'The clone has changed:'; git status --short; exit 1; }
