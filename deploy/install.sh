#!/bin/sh
# Installs the service with systemd, or upgrades it in place. As root:
#
#   sh install.sh [TARBALL]             downloads the release, or takes a file with SHA256SUMS beside it
#   sh install.sh --uninstall [--purge] removes the program; --purge also the data and the settings
#
# PUBLIC_URL and PORT may be set for the first installation. Settings are in /etc/email-analytics.env.
set -eu
name=email-analytics version=0.1.0
from=https://github.com/example/email-analytics/releases/download/v$version
program=/opt/$name data=/var/lib/$name settings=/etc/$name.env unit=/etc/systemd/system/$name.service
fail() { echo "error: $*" >&2; exit 1; }
# A machine that is being built, such as an image or a chroot, has no running systemd.
systemd() { if [ -d /run/systemd/system ]; then systemctl "$@"; fi; }
[ "$(id -u)" = 0 ] || fail "run this as root"

if [ "${1:-}" = --uninstall ]; then
  systemd disable --now $name || true
  rm -rf "$program" "$program.old" "$unit"
  systemd daemon-reload
  if [ "${2:-}" = --purge ]; then rm -rf "$data" "$settings"; userdel $name; else echo "Kept $data and $settings"; fi
  exit 0
fi

case $(uname -m) in
  x86_64) machine=amd64 ;; aarch64) machine=arm64 ;; *) fail "no release for $(uname -m)" ;;
esac
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
tarball=${1:-$work/$name-$version-linux-$machine.tar.gz}
if [ $# = 0 ]; then
  for file in SHA256SUMS "${tarball##*/}"; do curl -fsSL -o "$work/$file" "$from/$file"; done
fi
expected=$(grep "  ${tarball##*/}\$" "$(dirname "$tarball")/SHA256SUMS") || fail "SHA256SUMS does not list ${tarball##*/}"
(cd "$(dirname "$tarball")" && echo "$expected" | sha256sum --check --quiet) || fail "$tarball is damaged"
tar -xzf "$tarball" -C "$work" --no-same-owner
new=$(echo "$work"/$name-*/)

id $name > /dev/null 2>&1 || useradd --system --home-dir "$data" --shell /usr/sbin/nologin $name
install -d -m 700 -o $name -g $name "$data"
if [ ! -f "$settings" ]; then
  (umask 077 && printf 'SETUP_TOKEN=%s\nPUBLIC_URL=%s\nPORT=%s\n' "$(od -An -tx1 -N24 /dev/urandom | tr -d ' \n')" \
    "${PUBLIC_URL:-}" "${PORT:-8080}" > "$settings")
fi
if [ -d "$program" ] && [ -f "$data/$name.db" ]; then
  echo "Backing up to $data/before-upgrade.db"
  (cd "$program" && set -a && . "$settings" && DATABASE_URL=${DATABASE_URL:-sqlite:$data/$name.db} \
    setpriv --reuid=$name --regid=$name --clear-groups bin/node bin/$name.js backup "$data/before-upgrade.db" --replace)
fi
rm -rf "$program.old"
if [ -d "$program" ]; then mv "$program" "$program.old"; fi
mv "$new" "$program" && chmod 755 "$program"
cp "$program/deploy/$name.service" "$unit"
systemd daemon-reload
systemd enable $name
systemd restart $name
. "$settings"
echo "Installed. To set up your organization, open ${PUBLIC_URL:-http://127.0.0.1:$PORT}/set-up/$SETUP_TOKEN"
