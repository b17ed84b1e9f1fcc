import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateFile } from '../kit/private-file.js'

/** The last copy of the data folder that was whole. */
export interface LastBackup {
  readonly at: string
  readonly folder: string
}

const pathOf = (stateFolder: string): string => join(stateFolder, 'last-backup.json')

export const noteBackup = (stateFolder: string, backup: LastBackup): Promise<void> =>
  writePrivateFile(pathOf(stateFolder), `${JSON.stringify(backup)}\n`)

/** Milliseconds since 1970 of the last good backup; undefined where none was made, or the note cannot be read. */
export async function lastBackup(stateFolder: string): Promise<number | undefined> {
  try {
    const { at } = JSON.parse(await readFile(pathOf(stateFolder), 'utf8')) as Partial<LastBackup>
    const time = Date.parse(at ?? '')
    return Number.isNaN(time) ? undefined : time
  } catch {
    return undefined
  }
}
