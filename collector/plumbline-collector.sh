#!/bin/sh
# Sends the kernel files of this node to a Plumbline server, which reads them. For hosts that cannot run the collector
# itself: it needs a POSIX shell, tail and the other small tools of coreutils or busybox, and curl (7.29 of 2013 will do).
# It only reads; what it writes is its own spool. docs/operations.md says how to run it.
set -u
umask 077
# Messages of tail and ls are read here and on the server, in English.
LC_ALL=C
export LC_ALL

program=plumbline-collector.sh
version=1
newline='
'

usage() {
  cat <<USAGE
usage: $program --server URL --token-file FILE [options]
       $program --print

Reads how the kernel of this node uses its memory, and sends the files as they are. It changes nothing on the node.

  --server URL         where to send to, http or https              [PLUMBLINE_SERVER]
  --token-file FILE    file with the token; read again at each push [PLUMBLINE_TOKEN_FILE]
  --interval TIME      between samples, 15s                         [PLUMBLINE_INTERVAL]
  --push TIME          between pushes, 30s                          [PLUMBLINE_PUSH]
  --spool DIR          where samples wait for the server            [PLUMBLINE_SPOOL, STATE_DIRECTORY]
  --spool-mib N        most that may wait there, the oldest go first; 64
  --node NAME          name of this node; the host name             [PLUMBLINE_NODE]
  --watch DIR          count the entries of DIR, repeated; /run/crio/exits and /run/libpod/exits
                       are counted where they exist
  --once               take one sample, send what waits, and end: 0 when all was taken, 1 when some waits
  --print              print one sample and end
  --proc DIR --sys DIR --root DIR
                       where /proc, /sys and / of the node are mounted
  --version --help
USAGE
}

say() { printf '%s: %s\n' "$program" "$*" >&2; }

end_usage() {
  say "$* (see --help)"
  exit 64
}

# --- options -------------------------------------------------------------------------------------------------------

# parse_time OPTION TEXT: sets seconds
parse_time() {
  seconds=${2%[sm]}
  case $seconds in
    '' | *[!0-9]* | ??????*) end_usage "$1 $2: expected a time in whole seconds or minutes, such as 15s" ;;
  esac
  seconds=${seconds#"${seconds%%[!0]*}"}
  case $2 in *m) seconds=$((${seconds:-0} * 60)) ;; esac
  [ "${seconds:-0}" -ge 1 ] && [ "$seconds" -le 3600 ] || end_usage "$1 $2: expected 1s to 60m"
}

server=${PLUMBLINE_SERVER-}
token_file=${PLUMBLINE_TOKEN_FILE-}
interval_text=${PLUMBLINE_INTERVAL:-15s}
push_text=${PLUMBLINE_PUSH:-30s}
spool=${PLUMBLINE_SPOOL-}
spool_mib=64
node=${PLUMBLINE_NODE-}
watched=
mode=run
proc=/proc
sys=/sys
root=

while [ $# -gt 0 ]; do
  option=$1
  shift
  case $option in
    --*=*)
      set -- "${option#*=}" "$@"
      option=${option%%=*}
      ;;
  esac
  case $option in
    --help | -h) usage && exit 0 ;;
    --version) printf '%s\n' "$version" && exit 0 ;;
    --once | --print)
      mode=${option#--}
      continue
      ;;
    --server | --token-file | --interval | --push | --spool | --spool-mib | --node | --watch | --proc | --sys | --root) ;;
    *) end_usage "unknown option: $option" ;;
  esac
  [ $# -gt 0 ] || end_usage "$option needs a value"
  case $option in
    --server) server=$1 ;;
    --token-file) token_file=$1 ;;
    --interval) interval_text=$1 ;;
    --push) push_text=$1 ;;
    --spool) spool=$1 ;;
    --spool-mib) spool_mib=$1 ;;
    --node) node=$1 ;;
    --watch)
      case $1 in
        *"$newline"*) end_usage "--watch: no line ends in a name" ;;
        /*) watched=$watched$1$newline ;;
        *) end_usage "--watch $1: expected an absolute path" ;;
      esac
      ;;
    --proc) proc=$1 ;;
    --sys) sys=$1 ;;
    --root) root=${1%/} ;;
  esac
  shift
done

parse_time --interval "$interval_text"
interval=$seconds
parse_time --push "$push_text"
push_every=$seconds
case $spool_mib in
  '' | *[!0-9]* | ???????* | 0*) end_usage "--spool-mib $spool_mib: expected a number of MiB, 1 or more" ;;
esac
[ -n "$node" ] || { read -r node <"$proc/sys/kernel/hostname"; } 2>/dev/null || :
case $node in
  '') [ "$mode" = print ] || end_usage "the host name cannot be read; say --node NAME" ;;
  *[!A-Za-z0-9._-]*) end_usage "--node $node: expected letters, digits, dots, hyphens and underscores" ;;
esac
if [ ! -r "$proc/meminfo" ]; then
  say "$proc/meminfo cannot be read: this is no Linux /proc"
  exit 1
fi

# --- one sample ----------------------------------------------------------------------------------------------------

# Sets now_cs: hundredths of a second since boot, a clock that nobody sets.
read_clock() {
  read -r now_cs _ </proc/uptime
  clock_fraction=${now_cs#*.}
  now_cs=$((${now_cs%.*} * 100 + ${clock_fraction#0}))
}

# read_number FILE: sets number to the first line of FILE; 0 when that is none, as after a crash
read_number() {
  number=
  { read -r number <"$1"; } 2>/dev/null
  case $number in '' | *[!0-9]* | ????????????*) number=0 ;; esac
}

# The first KernelPageSize of this very process; the hundreds of lines after it are not read.
page_size=
{
  while read -r key rest; do
    if [ "$key" = KernelPageSize: ]; then
      page_size="$key $rest"
      break
    fi
  done <"$proc/self/smaps"
} 2>/dev/null

ls_flags=-1A
for flag in U q; do
  ls "$ls_flags$flag" / >/dev/null 2>&1 && ls_flags=$ls_flags$flag
done

# count_entries DIR: a line of the part `plumbline watch`
count_entries() {
  if [ -d "$root$1" ] && [ -r "$root$1" ] && [ -x "$root$1" ]; then
    printf '%d %s\n' "$(ls "$ls_flags" "$root$1/" 2>/dev/null | wc -l)" "$1"
    return
  fi
  case $(ls -d "$root$1/." 2>&1) in
    *"ermission denied"* | *"not permitted"*) printf 'denied %s\n' "$1" ;;
    *"o such file"* | *"ot a directory"*) printf 'absent %s\n' "$1" ;;
    *) printf 'denied %s\n' "$1" ;;
  esac
}

watch_due_cs=0
write_watch() {
  read_clock
  [ "$now_cs" -ge "$watch_due_cs" ] || return 0
  watch_from_cs=$now_cs
  printf '\n==> plumbline watch <==\n'
  printf '%s' "$watched" | while IFS= read -r directory; do
    count_entries "$directory"
  done
  for directory in /run/crio/exits /run/libpod/exits; do
    case $newline$watched in *"$newline$directory$newline"*) continue ;; esac
    if [ -d "$root$directory" ]; then
      count_entries "$directory"
    elif [ -d "$root${directory%/*}" ] && [ ! -x "$root${directory%/*}" ]; then
      # Behind a directory that may not be searched: whether it is there is not known.
      printf 'denied %s\n' "$directory"
    fi
  done
  # A two-thousandth of the time at most, once it is more than starting a program costs.
  read_clock
  cost_cs=$((now_cs - watch_from_cs))
  [ "$cost_cs" -le 5 ] || watch_due_cs=$((now_cs + cost_cs * 2000))
}

# Sets memory_count: cgroups of the memory hierarchy of v1, dying ones included; empty on v2.
read_memory_count() {
  memory_count=
  {
    while read -r controller hierarchy count _; do
      if [ "$controller" = memory ] && [ "$hierarchy" != 0 ]; then memory_count=$count; fi
    done <"$proc/cgroups"
  } 2>/dev/null
}

# count_kmem DIR: whether the kernel memory of a container of v1 is accounted to it: some was counted, or it has caches of
# its own. That memory.kmem.slabinfo exists means nothing: on kernels of today it is there and empty.
count_kmem() {
  kmem_bytes=
  { read -r kmem_bytes <"$1/memory.kmem.usage_in_bytes"; } 2>/dev/null
  case $kmem_bytes in '' | *[!0-9]*) return ;; esac
  walk_kmem=$((walk_kmem + 1))
  if [ "$kmem_bytes" != 0 ] || { read -r _ && read -r _ && read -r _; } 2>/dev/null <"$1/memory.kmem.slabinfo"; then
    walk_accounted=$((walk_accounted + 1))
  fi
}

walk_below() {
  for walk_path in "$1"/*/ "$1"/.[!.]*/; do
    [ -d "$walk_path" ] || continue
    walk_path=${walk_path%/}
    walk_live=$((walk_live + 1))
    walk_name=${walk_path##*/}
    if [ ${#walk_name} -ge 64 ]; then
      walk_id=${walk_name%.scope}
      walk_id=${walk_id##*[-:]}
      case $walk_name in
        conmon-* | *[-:]conmon-*) walk_id= ;;
      esac
      case $walk_id in
        *[!0-9a-f]*) ;;
        *)
          if [ ${#walk_id} -eq 64 ]; then
            walk_containers=$((walk_containers + 1))
            [ -z "$memory_count" ] || count_kmem "$walk_path"
          fi
          ;;
      esac
    fi
    if [ -r "$walk_path" ] && [ -x "$walk_path" ]; then walk_below "$walk_path"; else walk_denied=$((walk_denied + 1)); fi
  done
}

walk_due_cs=0
walk_status=absent
kmem_status=absent
write_walk() {
  read_clock
  [ "$now_cs" -ge "$walk_due_cs" ] || return 0
  read_memory_count
  hierarchy_path=
  if [ -n "$memory_count" ]; then
    [ ! -e "$sys/fs/cgroup/memory/memory.usage_in_bytes" ] || hierarchy_path=$sys/fs/cgroup/memory
  else
    for candidate in "$sys/fs/cgroup" "$sys/fs/cgroup/unified"; do
      if [ -e "$candidate/cgroup.controllers" ]; then
        hierarchy_path=$candidate
        break
      fi
    done
  fi
  walk_status=absent
  [ -n "$hierarchy_path" ] || return 0
  walk_status=ok
  walk_from_cs=$now_cs
  attempt=0
  # Dying cgroups are what the kernel counts beyond the directories, when its count holds still meanwhile.
  while :; do
    read_memory_count
    count_before=$memory_count
    walk_live=1 walk_containers=0 walk_denied=0 walk_kmem=0 walk_accounted=0
    walk_below "$hierarchy_path"
    read_memory_count
    attempt=$((attempt + 1))
    [ "$count_before" != "$memory_count" ] && [ "$attempt" -lt 3 ] || break
  done
  printf '\n==> plumbline cgroup-walk <==\nlive %d\ncontainers %d\ndenied %d\n' "$walk_live" "$walk_containers" "$walk_denied"
  kmem_status=ok
  kmem_bytes=
  if [ -n "$memory_count" ]; then
    printf 'before %s\nafter %s\n' "$count_before" "$memory_count"
    { read -r kmem_bytes <"$hierarchy_path/memory.kmem.usage_in_bytes"; } 2>/dev/null || kmem_status=absent
    [ -z "$kmem_bytes" ] || printf 'kmem-bytes %s\n' "$kmem_bytes"
  else
    walk_kmem=$walk_containers
    walk_accounted=$walk_containers
    case $(cat "$proc/cmdline" 2>/dev/null) in *cgroup.memory=*nokmem*) walk_accounted=0 ;; esac
  fi
  [ "$kmem_status" != ok ] || printf 'kmem-containers %d\nkmem-accounted %d\n' "$walk_kmem" "$walk_accounted"
  read_clock
  walk_due_cs=$((now_cs + (now_cs - walk_from_cs) * 2000))
  [ "$walk_due_cs" -gt $((walk_from_cs + 5950)) ] || walk_due_cs=$((walk_from_cs + 5950))
}

# Sets due_cs of a part that began at from_cs: after EVERY hundredths of a second, or after 2000 times what it cost.
next_due() {
  read_clock
  due_cs=$((now_cs + (now_cs - from_cs) * 2000))
  [ "$due_cs" -gt $((from_cs + $1)) ] || due_cs=$((from_cs + $1))
}

# Processes by state, as `uniq -c` counts them.
processes_due_cs=0
processes_status=absent
write_processes() {
  read_clock
  from_cs=$now_cs
  [ "$now_cs" -ge "$processes_due_cs" ] || return 0
  states=$(cat "$proc"/[0-9]*/stat 2>/dev/null | sed -n 's/^.*) \([A-Za-z]\) .*$/\1/p' | sort | uniq -c)
  processes_status=absent
  if [ -n "$states" ]; then
    processes_status=ok
    printf '\n==> plumbline processes <==\n%s\n' "$states"
  fi
  next_due 5950
  processes_due_cs=$due_cs
}

loop_due_cs=0
loop_status=absent
write_loop() {
  read_clock
  from_cs=$now_cs
  [ "$now_cs" -ge "$loop_due_cs" ] || return 0
  loop_status=absent
  if [ -d "$sys/block" ]; then
    loop_status=ok
    loop_devices=0 loop_attached=0 loop_deleted=0
    for device in "$sys"/block/loop[0-9]*; do
      [ -d "$device" ] || continue
      loop_devices=$((loop_devices + 1))
      backing_file=
      { read -r backing_file <"$device/loop/backing_file"; } 2>/dev/null || continue
      loop_attached=$((loop_attached + 1))
      case $backing_file in *"(deleted)") loop_deleted=$((loop_deleted + 1)) ;; esac
    done
    printf '\n==> plumbline loop <==\ndevices %d\nattached %d\ndeleted %d\n' "$loop_devices" "$loop_attached" "$loop_deleted"
  fi
  next_due 29950
  loop_due_cs=$due_cs
}

# Size and use of each tmpfs, where stat can tell it. A mount point with a blank in its name is left out.
tmpfs_status=absent
write_tmpfs() {
  tmpfs_status=denied
  { mountinfo=$(cat "$proc/1/mountinfo" 2>/dev/null || cat "$proc/self/mountinfo"); } 2>/dev/null || return 0
  set --
  while read -r _ _ _ _ mount rest; do
    case $rest in *" - tmpfs "*) ;; *) continue ;; esac
    case $mount in *\\*) continue ;; esac
    case " $* " in *" $root$mount "*) continue ;; esac
    [ $# -lt 64 ] || break
    set -- "$@" "$root$mount"
  done <<MOUNTS
$mountinfo
MOUNTS
  tmpfs_status=ok
  uses=
  [ $# -eq 0 ] || uses=$(stat -f -c '%t %S %b %f %c %d %n' "$@" 2>/dev/null)
  # Of what lies on another file system as seen from here nothing is said; the prefix of the root is taken off.
  printf '\n==> plumbline tmpfs <==\n'
  printf '%s\n' "$uses" | while read -r magic block blocks free inodes free_inodes mount; do
    [ "$magic" != 1021994 ] || printf '%s %s %s %s %s %s %s\n' "$magic" "$block" "$blocks" "$free" "$inodes" "$free_inodes" "${mount#"$root"}"
  done
}

slab_names_status=absent
write_slab_names() {
  if [ ! -d "$sys/kernel/slab" ]; then
    slab_names_status=absent
    return
  fi
  links=$(ls -l "$sys/kernel/slab" 2>/dev/null | sed -n 's/^l.* \([^ ]* -> [^ ]*\)$/\1/p')
  if [ -z "$links" ]; then
    slab_names_status=denied
    return
  fi
  slab_names_status=ok
  printf '\n==> plumbline slab-names <==\n%s\n' "$links"
}

# A program is asked for its version with 5 s of time and an empty environment, as the collector does.
ask_versions() {
  for asked in crio containerd dockerd podman runc crun conmon kubelet; do
    for folder in /usr/bin /usr/local/bin /usr/sbin /usr/local/sbin /usr/libexec/crio /usr/libexec/podman /opt/bin \
      /var/lib/rancher/rke2/bin; do
      [ -f "$root$folder/$asked" ] && [ -x "$root$folder/$asked" ] || continue
      answered=$(timeout 5 env -i "$root$folder/$asked" --version 2>/dev/null </dev/null)
      answered=${answered%%"$newline"*}
      [ -z "$answered" ] || printf '%s %s\n' "$asked" "$answered"
      break
    done
  done
}

versions=
versions_due_cs=0
write_versions() {
  read_clock
  if [ "$now_cs" -ge "$versions_due_cs" ]; then
    versions_due_cs=$((now_cs + 360000))
    if [ "$mode" != once ]; then
      versions=$(ask_versions)
    else
      # Runs that come and go each minute remember for each other.
      read_number "$spool/versions"
      age=$(($(date +%s) - number))
      if [ "$age" -ge 0 ] && [ "$age" -lt 3600 ]; then
        versions=$(tail -n +2 "$spool/versions")
      else
        versions=$(ask_versions)
        printf '%s\n%s\n' "$(date +%s)" "$versions" >"$spool/versions"
      fi
    fi
  fi
  printf '\n==> plumbline versions <==\ncollector sh %s\n%s\n' "$version" "$versions"
}

# status_of FILE: one word for a file that is not read this time
status_of() {
  if [ ! -e "$1" ]; then status=absent; elif [ -r "$1" ]; then status=ok; else status=denied; fi
}

# own_view FILE: sets file to it, or to the same of this very process where the first process is closed to us
own_view() {
  file=$1
  case $file in
    "$proc/1/"*) { true <"$file"; } 2>/dev/null || file=$proc/self/${file#"$proc/1/"} ;;
  esac
}

slab_due_cs=0
minute_due_cs=0
quarter_due_cs=0
hour_due_cs=0
# Prints one sample. Runs in this shell and not in one of its own, because it keeps what is due when.
write_sample() {
  printf '==> plumbline sample at=%s000 <==\n' "$1"
  read_clock
  put_off=
  # The first three are one picture: nothing may come between them.
  set -- "$proc/meminfo" "$proc/zoneinfo" "$proc/vmstat" "$proc/stat" "$proc/uptime" "$proc/cgroups" \
    "$proc/sys/kernel/random/boot_id" "$proc/sys/kernel/osrelease"
  for optional in "$sys/fs/cgroup/cgroup.stat" "$sys/fs/cgroup/unified/cgroup.stat" "$sys/devices/system/cpu/possible" \
    "$root/etc/os-release"; do
    [ ! -e "$optional" ] || set -- "$@" "$optional"
  done
  if [ "$now_cs" -ge "$slab_due_cs" ]; then
    set -- "$@" "$proc/slabinfo"
    slab_due_cs=$((now_cs + 5950))
  else
    status_of "$proc/slabinfo"
    put_off="${put_off}slabinfo $status$newline"
  fi
  # Runs that come and go remember for each other when they last read what is read rarely.
  if [ "$mode" = once ]; then
    read_number "$spool/quarter"
    age=$(($(date +%s) - number))
    if [ "$age" -ge 0 ] && [ "$age" -lt 895 ]; then quarter_due_cs=$((now_cs + 1)); fi
    if [ "$age" -ge 0 ] && [ "$age" -lt 2700 ]; then hour_due_cs=$((now_cs + 1)); fi
  fi
  is_minute=
  [ "$now_cs" -lt "$minute_due_cs" ] || is_minute=1
  is_quarter=
  [ "$now_cs" -lt "$quarter_due_cs" ] || is_quarter=1
  for each in \
    "1 pressure pressure/memory" "1 file-nr sys/fs/file-nr" "1 inode-nr sys/fs/inode-nr" \
    "1 dentry-state sys/fs/dentry-state" "1 key-users key-users" "1 sockstat 1/net/sockstat" "1 sockstat6 1/net/sockstat6" \
    "1 nf_conntrack_count sys/net/netfilter/nf_conntrack_count" "1 nf_conntrack_max sys/net/netfilter/nf_conntrack_max" \
    "$is_minute tcp_mem sys/net/ipv4/tcp_mem" "$is_minute protocols 1/net/protocols" "$is_minute buddyinfo buddyinfo" \
    "$is_minute mountinfo 1/mountinfo" "$is_minute arcstats spl/kstat/zfs/arcstats" "$is_minute loadavg loadavg" \
    "$is_quarter vmallocinfo vmallocinfo" "$is_quarter modules modules" "$is_quarter allocinfo allocinfo"; do
    is_due=${each%% *}
    each=${each#* }
    own_view "$proc/${each#* }"
    if [ -n "$is_due" ] && [ -e "$file" ]; then
      set -- "$@" "$file"
    else
      status_of "$file"
      [ "${each%% *}" = loadavg ] || put_off="$put_off${each%% *} $status$newline"
    fi
  done
  if [ -n "$is_minute" ]; then
    minute_due_cs=$((now_cs + 5950))
    for optional in "$sys"/block/zram[0-9]*/mm_stat "$sys"/kernel/mm/hugepages/hugepages-*/nr_hugepages \
      "$sys"/kernel/mm/hugepages/hugepages-*/free_hugepages "$sys"/kernel/mm/hugepages/hugepages-*/resv_hugepages \
      "$sys"/kernel/mm/hugepages/hugepages-*/surplus_hugepages; do
      [ ! -e "$optional" ] || set -- "$@" "$optional"
    done
  fi
  if [ -n "$is_quarter" ]; then
    quarter_due_cs=$((now_cs + 89950))
    [ "$mode" != once ] || date +%s >"$spool/quarter"
  fi
  { errors=$(tail -n +1 "$@" 2>&1 >&3); } 3>&1
  [ -z "$page_size" ] || printf '\n==> %s <==\n%s\n' "$proc/self/smaps" "$page_size"
  [ -z "$errors" ] || printf '\n==> plumbline errors <==\n%s\n' "$errors"
  write_watch
  write_walk
  write_processes
  write_loop
  [ -z "$is_minute" ] || write_tmpfs
  read_clock
  if [ "$now_cs" -ge "$hour_due_cs" ]; then
    write_slab_names
    hour_due_cs=$((now_cs + 359950))
  elif [ "$slab_names_status" = absent ] && [ -d "$sys/kernel/slab" ]; then
    slab_names_status=ok
  fi
  write_versions
  zram_status=absent
  for optional in "$sys"/block/zram[0-9]*/mm_stat; do [ ! -e "$optional" ] || zram_status=ok; done
  hugepages_status=absent
  [ ! -d "$sys/kernel/mm/hugepages" ] || hugepages_status=ok
  printf '\n==> plumbline sources <==\n%s' "$put_off"
  printf '%s %s\n' cgroup-walk "$walk_status" kmem "$kmem_status" tasks "$processes_status" loop "$loop_status" \
    tmpfs "$tmpfs_status" slab-names "$slab_names_status" zram "$zram_status" hugepages "$hugepages_status"
  printf '%s absent the shell collector does not %s; use the collector for Node.js\n' \
    kmsg "read the kernel log, so that the node has no events of it" \
    journal "read the journal, so that the node has no events of it" \
    logs "read log files, so that the node has no events of them" \
    netns "count the network namespaces that processes are in" \
    cgroup-trees "look for the largest trees of cgroups" \
    cgroup-directories "count cgroup directories that hold nothing" \
    cgroups-created "count the cgroups that were ever made"
  printf '\n'
}

if [ "$mode" = print ]; then
  write_sample "$(date +%s)"
  exit 0
fi

# --- spool ---------------------------------------------------------------------------------------------------------

case $server in
  http://?* | https://?*) server=${server%/} ;;
  '') end_usage "--server is needed" ;;
  *) end_usage "--server $server: expected http or https" ;;
esac
case $server in
  *[\ \"\\?#]* | *@*) end_usage "--server: expected an address such as https://plumbline.example:4400, without token or query" ;;
esac
command -v curl >/dev/null 2>&1 || {
  say "curl is not installed; it is needed to send"
  exit 1
}
if [ -z "$spool" ]; then
  if [ -n "${STATE_DIRECTORY-}" ]; then
    spool=${STATE_DIRECTORY%%:*}/spool
  elif [ -w /var/lib ]; then
    spool=/var/lib/plumbline-collector-sh
  else
    spool=${XDG_STATE_HOME:-${HOME:-/tmp}/.local/state}/plumbline-collector-sh
  fi
fi
case $spool in /*) ;; *) spool=$PWD/$spool ;; esac
if ! mkdir -p "$spool" 2>/dev/null || [ ! -w "$spool" ]; then
  say "cannot write to the spool $spool; say --spool DIR"
  exit 1
fi

# is_running PID: whether that is another run of this program, and not a later process with its number
is_running() {
  [ -r "/proc/$1/cmdline" ] || return 1
  case $(tail -n +1 "/proc/$1/cmdline" 2>/dev/null | tr '\0' ' ') in
    *"$program"*) return 0 ;;
  esac
  return 1
}

take_lock() {
  mkdir "$spool/lock" 2>/dev/null && return 0
  holder=
  { read -r holder <"$spool/lock/pid"; } 2>/dev/null
  if [ -n "$holder" ] && is_running "$holder"; then
    say "process $holder collects into $spool already"
    exit 1
  fi
  # Left behind by one that was killed.
  rm -rf "$spool/lock"
  mkdir "$spool/lock" 2>/dev/null || {
    say "cannot lock $spool"
    exit 1
  }
}
take_lock
printf '%s\n' "$$" >"$spool/lock/pid"

sleeper=
stopping=
on_signal() {
  stopping=1
  [ -z "$sleeper" ] || kill "$sleeper" 2>/dev/null
}
trap on_signal TERM INT HUP
trap 'rm -rf "$spool/lock" "$spool/batch" "$spool/answer" "$spool/headers" "$spool/curl-error" "$spool/new" "$spool/new.gz"' EXIT

gzip=
command -v gzip >/dev/null 2>&1 && gzip=1
most_bytes=$((spool_mib * 1024 * 1024))
dropped=0
spool_bytes=$(($(cat "$spool"/sample-* 2>/dev/null | wc -c)))

# Takes a sample into the spool, and makes room for it at the cost of the oldest.
spool_sample() {
  at=$(date +%s)
  sample_file=$spool/sample-$at
  new=$spool/new
  if ! write_sample "$at" >"$new" 2>/dev/null; then new=; fi
  if [ -n "$new" ] && [ -n "$gzip" ] && gzip -c "$new" >"$new.gz" 2>/dev/null; then
    new=$new.gz
    sample_file=$sample_file.gz
  fi
  if [ -z "$new" ] || ! mv -f "$new" "$sample_file" 2>/dev/null; then
    trouble "a sample cannot be written to $spool" "is the disk full?"
    return 1
  fi
  spool_bytes=$((spool_bytes + $(wc -c <"$sample_file")))
  [ "$spool_bytes" -gt "$most_bytes" ] || return 0
  before_dropping=$dropped
  for oldest in "$spool"/sample-*; do
    [ "$spool_bytes" -gt "$most_bytes" ] && [ "$oldest" != "$sample_file" ] || break
    spool_bytes=$((spool_bytes - $(wc -c <"$oldest")))
    rm -f "$oldest"
    dropped=$((dropped + 1))
  done
  [ "$before_dropping" -ne 0 ] || [ "$dropped" -eq 0 ] || say "the spool is full: the oldest samples are given up"
}

# --- sending -------------------------------------------------------------------------------------------------------

# trouble KIND REASON: the same trouble is said once, not every few seconds of an outage
said=
trouble() {
  [ "$said" != "$1" ] || return 0
  said=$1
  say "$1: $2"
}

# random_below N: sets random to 0 .. N-1
random_below() {
  uuid=
  { read -r uuid </proc/sys/kernel/random/uuid; } 2>/dev/null
  uuid=${uuid%%-*}
  random=$((0x${uuid:-0} % $1))
}

failures=0
# back_off SECONDS: nothing is sent before then; the part that is random keeps a fleet from coming back together
back_off() {
  span=2
  step=0
  while [ "$step" -lt "$failures" ] && [ "$span" -lt 300 ]; do
    span=$((span * 2))
    step=$((step + 1))
  done
  [ "$span" -le 300 ] || span=300
  failures=$((failures + 1))
  if [ "$1" -gt 0 ] && [ "$span" -gt "$1" ]; then span=$1; fi
  random_below "$((span + 1))"
  printf '%s\n' "$(($(date +%s) + $1 + random))" >"$spool/not-before"
}

# Whether the server asked for patience that has not passed. More than an hour is a clock that was set.
must_wait() {
  read_number "$spool/not-before"
  wait_seconds=$((number - $(date +%s)))
  [ "$wait_seconds" -gt 0 ] && [ "$wait_seconds" -le 3600 ]
}

token_fault=
carriage_return=$(printf '\r')
read_token() {
  token=
  [ -n "$token_file" ] || return 0
  { read -r token <"$token_file"; } 2>/dev/null
  # Of an editor that ends lines with CR and LF.
  token=${token%"$carriage_return"}
  fault=
  case $token in
    '') fault="cannot be read or is empty" ;;
    *[!A-Za-z0-9._~+/=-]*)
      token=
      fault="holds something else than a token"
      ;;
  esac
  [ -z "$fault" ] || [ "$fault" = "$token_fault" ] || say "the token file $token_file $fault"
  token_fault=$fault
}

# post SECONDS: sends the batch; sets status (000 without an answer), answer, detail and retry_after
post() {
  read_token
  rm -f "$spool/answer" "$spool/headers"
  if [ -n "$batch_gzip" ]; then encoding=gzip; else encoding=identity; fi
  # The token goes through a pipe: on the command line `ps` would show it to everybody.
  status=$({ [ -z "$token" ] || printf 'header = "Authorization: Bearer %s"\n' "$token"; } |
    curl -sS -K - --connect-timeout 5 --max-time "$1" -A "$program/$version" \
      -H 'Content-Type: text/plain' -H "Content-Encoding: $encoding" -H 'Accept: application/json' -H 'Expect:' \
      --data-binary "@$spool/batch" -D "$spool/headers" -o "$spool/answer" -w '%{http_code}' \
      "$server/api/v1/raw?node=$node" 2>"$spool/curl-error")
  answer=
  { read -r answer <"$spool/answer"; } 2>/dev/null
  detail=
  case $answer in
    *'"detail":"'*)
      detail=${answer#*'"detail":"'}
      detail=${detail%%'"'*}
      ;;
  esac
  retry_after=0
  {
    while IFS=': ' read -r header value; do
      case $header in
        [Rr][Ee][Tt][Rr][Yy]-[Aa][Ff][Tt][Ee][Rr])
          value=${value%%[!0-9]*}
          # A date, or more digits than an hour has, says nothing.
          case $value in '' | ?????*) ;; *) retry_after=${value#"${value%%[!0]*}"} ;; esac
          ;;
      esac
    done <"$spool/headers"
  } 2>/dev/null
  retry_after=${retry_after:-0}
  [ "$retry_after" -le 3600 ] || retry_after=3600
}

most_at_once=40
# send_batch SECONDS: sends the oldest samples. 0: more may follow; 1: nothing is left, or not now
send_batch() {
  seconds=$1
  set -- "$spool"/sample-*
  [ -e "$1" ] || return 1
  # Members of gzip may follow each other in one stream, but not plain text after them.
  case $1 in *.gz) batch_gzip=1 ;; *) batch_gzip= ;; esac
  taken=0
  open=1
  for file do
    shift
    case $batch_gzip$file in 1*.gz) ;; 1*) open= ;; *.gz) open= ;; esac
    if [ -n "$open" ] && [ "$taken" -lt "$most_at_once" ]; then
      set -- "$@" "$file"
      taken=$((taken + 1))
    fi
  done
  if ! cat "$@" >"$spool/batch" 2>/dev/null; then
    trouble "a batch cannot be written to $spool" "is the disk full?"
    return 1
  fi
  post "$seconds"
  case $status in
    2??)
      case $answer in
        *'"accepted":'*'"rejected":'*) ;;
        *)
          trouble "something that is no Plumbline server answers; keeping samples" "status $status"
          back_off 0
          return 1
          ;;
      esac
      case $answer in
        *'"code":"clock_ahead"'*)
          trouble "this node's clock runs ahead of the server's; holding samples back" "$detail"
          back_off 60
          return 1
          ;;
        *'"rejected":[]'*) [ -z "$said" ] || say "server takes samples again" ;;
        *) say "server refused samples for good: $detail" ;;
      esac
      said=
      failures=0
      most_at_once=40
      rm -f "$spool/not-before"
      ;;
    413 | 422)
      if [ "$taken" -gt 1 ]; then
        most_at_once=$((taken / 2))
        return 0
      fi
      say "server refused a sample for good: $detail (status $status)"
      ;;
    401 | 403)
      trouble "server does not take this token; keeping samples" "$detail (status $status)"
      back_off "$retry_after"
      return 1
      ;;
    '' | 000)
      reason=
      { read -r reason <"$spool/curl-error"; } 2>/dev/null
      trouble "server cannot be reached; keeping samples" "$reason"
      back_off 0
      return 1
      ;;
    *)
      trouble "server does not take samples now; keeping them" "${detail:-no reason given} (status $status)"
      back_off "$retry_after"
      return 1
      ;;
  esac
  spool_bytes=$((spool_bytes - $(wc -c <"$spool/batch")))
  rm -f "$@"
}

anything_waits() {
  set -- "$spool"/sample-*
  [ -e "$1" ]
}

# --- run -----------------------------------------------------------------------------------------------------------

if [ "$mode" = once ]; then
  spool_sample || exit 1
  if must_wait; then
    say "server asked for patience: $wait_seconds s more"
  else
    while send_batch 30; do :; done
  fi
  if anything_waits; then exit 1; else exit 0; fi
fi

# Shorter than an interval, so that a server that hangs costs no sample; but time enough for a slow one.
answer_within=$((interval - 2))
[ "$answer_within" -ge 5 ] || answer_within=5
[ "$answer_within" -le 30 ] || answer_within=30

say "collecting from $node for $server every $interval s, spool $spool"
# Nodes sample at the same moments; pushing at the same moment too would be a stampede.
random_below "$push_every"
push_at=$(($(date +%s) + random))
while [ -z "$stopping" ]; do
  spool_sample
  while [ -z "$stopping" ]; do
    now=$(date +%s)
    # A clock that was set back must not stop the pushes.
    [ "$push_at" -le $((now + push_every)) ] || push_at=$now
    [ "$now" -ge "$push_at" ] || break
    if must_wait || ! send_batch "$answer_within" || ! anything_waits; then
      push_at=$((now + push_every))
      break
    fi
    # What still waits is caught up with between two samples, a batch at a time.
    [ $(($(date +%s) % interval + answer_within)) -lt "$interval" ] || break
  done
  [ -z "$stopping" ] || break
  left=$((interval - $(date +%s) % interval))
  sleep "$left" &
  sleeper=$!
  wait "$sleeper"
  sleeper=
done
must_wait || send_batch 3
say "stopped"
exit 0
