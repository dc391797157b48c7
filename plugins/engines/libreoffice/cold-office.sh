#!/bin/sh
# The office as libreoffice-convert starts it, but with our profile and without network. The first argument names a
# profile it made up; the quotes it puts around filters with spaces would be taken for part of the name.
# In: PLATEN_OFFICE (program), PLATEN_PROFILE (file URL). Every step is an exec: the process id stays, a kill hits it.
shift
for argument in "$@"; do
  shift
  case "$argument" in
    \"*\")
      argument=${argument#\"}
      argument=${argument%\"}
      ;;
  esac
  set -- "$@" "$argument"
done
set -- "$PLATEN_OFFICE" "-env:UserInstallation=$PLATEN_PROFILE" --norestore --nolockcheck --nologo "$@"
for isolate in "unshare --net" "unshare --user --map-root-user --net"; do
  if $isolate true 2>/dev/null; then
    exec $isolate "$@"
  fi
done
exec "$@"
