import { readFileSync } from 'node:fs'

/**
 * Whether this process may read from its terminal: one that a shell has put in the background is stopped when it
 * tries. Only Linux shows it here (proc(5): `pgrp` and `tpgid` of `/proc/self/stat`); elsewhere it is assumed.
 */
export function isInForeground(): boolean {
  let stat: string
  try {
    stat = readFileSync('/proc/self/stat', 'utf8')
  } catch {
    return true
  }
  // The name of the program stands in parentheses before them, and may hold anything.
  const [, , pgrp, , , tpgid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return pgrp === tpgid
}
