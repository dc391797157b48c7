#!/bin/sh
# Makes a folder the root of this process and of what it starts, and runs a command there. Every mount made here belongs
# to this process's own mount namespace and vanishes with it.
#   enter.sh ROOT with|without CACHE SOURCE command arguments...
# with: as root of a virtual machine. without: with the capabilities that a container has by default, so that no
# namespace can be made. CACHE: a folder for downloaded packages. SOURCE: a Git folder to clone from. The variable LENT
# names files of this machine, divided by colons, that stand at the same paths there.
set -eu
root=$1 namespaces=$2 cache=$3 source=$4
shift 4

mkdir -p "$cache/apt" "$cache/npm" "$root/root/.npm" "$root/mnt/source" "$root/mnt/before"
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount --rbind /dev "$root/dev"
mount --bind "$cache/apt" "$root/var/cache/apt/archives"
mount --bind "$cache/npm" "$root/root/.npm"
mount --bind -o ro "$source" "$root/mnt/source"
# How this machine reaches the network and what it trusts there: lent, never written into the root.
IFS=:
for file in $LENT; do
  [ -e "$file" ] || continue
  [ -e "$root$file" ] || { mkdir -p "$root$(dirname "$file")" && : >"$root$file"; }
  mount --bind -o ro "$file" "$root$file"
done
unset IFS LENT

cd "$root"
if [ "$namespaces" = with ]; then
  # The kernel lets no process make a user namespace whose root is not that of its mounts (chroot): they change places.
  pivot_root . mnt/before
  exec chroot . /bin/sh -c 'umount -l /mnt/before && cd /root && exec "$@"' sh "$@"
fi
kept=chown,dac_override,fowner,fsetid,kill,setgid,setuid,setpcap,net_bind_service,net_raw,sys_chroot,mknod,audit_write,setfcap
exec chroot . setpriv --inh-caps=-all --bounding-set="-all,+$(echo $kept | sed 's/,/,+/g')" \
  /bin/sh -c 'cd /root && exec "$@"' sh "$@"
