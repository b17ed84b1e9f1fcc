import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { shellWord } from '../../kit/shell-word.js'
import { isJsonObject } from '../../kit/text/json.js'
import { Failure } from '../errors/failure.js'
import { OTHER_HOME, readFault } from '../errors/file-fault.js'

/** The JSON object that a file holds; undefined when there is no file. A broken file is named, not replaced. */
export async function readJsonFile(path: string): Promise<Record<string, unknown> | undefined> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Failure(
      'unexpected',
      `${path} cannot be read: ${readFault(error)}. ${OTHER_HOME}`,
      `ls -ld ${shellWord(dirname(path))} ${shellWord(path)}`,
    )
  }
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return { ...value }
  } catch {
    // the error is thrown below
  }
  throw new Failure(
    'unexpected',
    `${path} is damaged: it does not hold a JSON object`,
    `mend or remove ${path}`,
  )
}
