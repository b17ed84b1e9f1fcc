import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A backup of a series is named after the time of its beginning, so that names sort by age. */
const NAME = /^secsctl-\d{8}T\d{6}Z(-\d+)?$/
const DRAFT = /^(secsctl-\d{8}T\d{6}Z(?:-\d+)?)\.partial$/

/** The name of a backup that begins now; with a number where one of this second is there already. */
export async function backupName(folder: string, now: Date): Promise<string> {
  const name = `secsctl-${now.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
  const present = await readdir(folder).catch(() => [])
  const same = present.filter((one) => one.startsWith(name)).length
  return same === 0 ? name : `${name}-${same + 1}`
}

/**
 * Removes the oldest backups of a series, and drafts that were cut off before the oldest that stays. Called once `newest` is
 * verified and in its place, and never removes it. Resolves with the names of the backups that are gone.
 */
export async function thinOut(folder: string, newest: string, keep: number): Promise<readonly string[]> {
  const names = (await readdir(folder)).sort()
  const others = names.filter((name) => NAME.test(name) && name !== newest)
  const surplus = others.slice(0, Math.max(0, others.length - (keep - 1)))
  const oldest = [...others.slice(surplus.length), newest].sort()[0] ?? newest
  const cutOff = names.filter((name) => (DRAFT.exec(name)?.[1] ?? newest) < oldest)
  for (const name of [...surplus, ...cutOff]) await rm(join(folder, name), { recursive: true, force: true })
  return surplus
}
