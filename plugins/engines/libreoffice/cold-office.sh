#!/bin/sh
# The office as libreoffice-convert starts it, but with our profile and confined. The first argument names a profile it
# made up; the quotes it puts around filters with spaces would be taken for part of the name.
# In: PLATEN_OFFICE (the words of the command that starts it, one a line), PLATEN_PROFILE (file URL). It is replaced by
# the office: the process id stays, a kill hits it.
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
set -- "-env:UserInstallation=$PLATEN_PROFILE" --norestore --nolockcheck --nologo "$@"
# Words end with lines, and no word is a pattern.
IFS='
'
set -f
exec $PLATEN_OFFICE "$@"
