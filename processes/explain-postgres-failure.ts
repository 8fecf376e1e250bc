const explanations: { pattern: RegExp; advice: string }[] = [
  {
    pattern: /No space left on device|disk quota exceeded/i,
    advice: "The disk is full: free space, or move the data folder with PLUMBLINE_DATA_DIR.",
  },
  {
    pattern: /Read-only file system|EROFS/i,
    advice: "The file system is read-only: point PLUMBLINE_DATA_DIR at one that can be written.",
  },
  {
    pattern: /error while loading shared libraries: (\S+?):/,
    advice:
      "A system library that PostgreSQL needs is missing (libstdc++ on slim images): install it, or set DATABASE_URL.",
  },
  {
    pattern: /version `?GLIBC|spawn \S+ ENOENT|Exec format error|ENOEXEC/,
    advice:
      "The bundled PostgreSQL does not run on this system (it needs glibc on a matching processor). Set DATABASE_URL to a PostgreSQL 15 or later.",
  },
  {
    pattern: /spawn \S+ EACCES|EPERM/,
    advice:
      "The user may not run the binaries: the folder is closed to it or mounted noexec. Choose another PLUMBLINE_DATA_DIR.",
  },
  {
    pattern: /could not create shared memory segment|could not resize shared memory/i,
    advice: "The system gives too little shared memory (kernel.shmmax, or /dev/shm of a container).",
  },
  {
    pattern: /Permission denied|EACCES/i,
    advice:
      "A file belongs to another user: start as the user that made the data folder, or choose another PLUMBLINE_DATA_DIR.",
  },
  {
    pattern: /database files are incompatible|initialized by PostgreSQL version/i,
    advice:
      "The data folder was made by another version of PostgreSQL: dump it with that version, or choose another PLUMBLINE_DATA_DIR.",
  },
  {
    pattern: /could not locate a valid checkpoint record|invalid page|checksum/i,
    advice: "The data folder is damaged: restore a backup, or start anew with another PLUMBLINE_DATA_DIR.",
  },
  { pattern: /Cannot allocate memory|out of memory/i, advice: "The machine is out of memory." },
  {
    pattern: /Too many open files|EMFILE|ENFILE/i,
    advice: "The limit of open files is too low (ulimit -n).",
  },
];

/** What an operator can do about a failed start, from what PostgreSQL or the system said; undefined when unknown. */
export function explainPostgresFailure(output: string): string | undefined {
  return explanations.find(({ pattern }) => pattern.test(output))?.advice;
}
