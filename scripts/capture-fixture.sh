#!/bin/sh
# Copies the kernel files that Plumbline reads into a tree laid out as / is, ready for fixtures/trees/.
#
#   scripts/capture-fixture.sh DIR            # as root, and again as an ordinary user: what may be read differs
#
# Reads only. Host and user names, the boot id and kernel addresses are replaced, other boot parameters dropped. A file that cannot be read is left out and named on stderr: copy those names into fixtures/SOURCES.md.
set -eu

if [ "$#" -ne 1 ]; then
  echo "usage: $0 DIR" >&2
  exit 64
fi
target=$1
host=$(uname -n)

files='
proc/meminfo
proc/vmstat
proc/zoneinfo
proc/buddyinfo
proc/slabinfo
proc/vmallocinfo
proc/cgroups
proc/stat
proc/version
proc/cmdline
proc/uptime
proc/loadavg
proc/key-users
proc/allocinfo
proc/modules
proc/1/mountinfo
proc/pressure/memory
proc/1/net/sockstat
proc/1/net/sockstat6
proc/1/net/protocols
proc/spl/kstat/zfs/arcstats
proc/sys/net/ipv4/tcp_mem
proc/sys/net/netfilter/nf_conntrack_count
proc/sys/net/netfilter/nf_conntrack_max
proc/sys/fs/file-nr
proc/sys/fs/inode-nr
proc/sys/fs/dentry-state
proc/sys/kernel/osrelease
proc/sys/kernel/random/boot_id
sys/devices/system/cpu/possible
sys/fs/cgroup/cgroup.stat
sys/fs/cgroup/memory.stat
sys/fs/cgroup/memory/memory.stat
sys/fs/cgroup/memory/memory.kmem.usage_in_bytes
sys/fs/cgroup/memory/memory.kmem.slabinfo
sys/block/zram0/mm_stat
sys/fs/cgroup/unified/cgroup.stat
'

# Boot parameters name disks, consoles and sites: only those that change how memory is counted stay.
redact_cmdline() {
  tr ' ' '\n' | grep -E '^(cgroup[._a-z0-9]*|systemd\.unified_cgroup_hierarchy|slab_nomerge|slub_debug|psi|hugepages|hugepagesz|default_hugepagesz|mitigations|transparent_hugepage|page_reporting\.[a-z_]*|deferred_init|crashkernel|quiet|ro)(=|$)' |
    tr '\n' ' ' | sed 's/ $//'
  echo
}

# Counter files cannot hold a host name, and a host called "vm" or "memory" must not spoil them.
redact_host() {
  if [ -n "$host" ]; then sed "s/\\b$host\\b/host/g"; else cat; fi
}

redact() {
  case $1 in
  proc/cmdline) redact_cmdline ;;
  proc/version) sed -E 's/\([^()@ ]+@[^()]*\)/(builder@host)/' | redact_host ;;
  proc/sys/kernel/random/boot_id) echo 00000000-1111-4222-8333-444444444444 ;;
  proc/vmallocinfo) sed -E 's/^0x[0-9a-f]+-0x[0-9a-f]+/0x0000000000000000-0x0000000000000000/; s/phys=0x[0-9a-f]+/phys=0x0000000000000000/' ;;
  # Mount points below the kernel's own only, and no options but those that name a hierarchy of cgroups.
  proc/1/mountinfo)
    grep -E '^[0-9]+ [0-9]+ [0-9:]+ [^ ]+ (/|/(proc|sys|dev|run)(/[^ ]*)?) ' |
      sed -E '/ - cgroup /!s/ - ([^ ]+) [^ ]+ .*$/ - \1 \1 rw/'
    ;;
  proc/modules) sed -E 's/0x[0-9a-f]+/0x0000000000000000/' ;;
  *) cat ;;
  esac
}

mkdir -p "$target"
for file in $files; do
  if content=$(cat "/$file" 2>/dev/null; status=$?; printf .; exit "$status"); then
    mkdir -p "$target/$(dirname "$file")"
    printf '%s' "${content%.}" | redact "$file" >"$target/$file"
  else
    echo "left out: $file" >&2
  fi
done

# The page size, from the first mapping of this very process; its address and path say nothing and go.
mkdir -p "$target/proc/self"
sed -n '1,/^VmFlags/p' /proc/self/smaps | sed -E '1s/.*/00400000-00402000 r--p 00000000 00:00 0                                 \/bin\/sed/' \
  >"$target/proc/self/smaps"
