import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Flags } from '@oclif/core'
import { Failure } from './failure.js'
import { foldersOf } from './folders.js'

export const DATA_FLAG = Flags.string({
  helpValue: 'FOLDER',
  summary: 'Data folder, such as a copy or a backup; that of the daemon on this machine without it.',
})

/** The data folder that is meant, once it is clear that there is a journal in it. */
export async function dataFolderGiven(given: string | undefined): Promise<string> {
  const folder = given === undefined ? foldersOf(process.env).data : resolve(given)
  const found = await stat(join(folder, 'journal')).catch(() => undefined)
  if (found?.isDirectory()) return folder
  const next = given === undefined ? 'secsctl daemon start' : undefined
  throw new Failure('missing', `there is no journal in ${folder}`, next)
}
