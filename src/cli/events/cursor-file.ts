import { readFile } from 'node:fs/promises'
import { writePrivateFile } from '../../kit/private-file.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { readFault, writeFault } from '../errors/file-fault.js'

/** The id of the last event that a script has handled; undefined where there is no such file yet. */
export async function readCursorFile(path: string): Promise<string | undefined> {
  let text: string
  try {
    text = (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw wrongUsage(`--cursor-file cannot be read: ${readFault(error, path)}`)
  }
  if (/^[0-9]{1,15}$/.test(text)) return text
  throw wrongUsage(`--cursor-file ${path} holds no id of an event`)
}

export async function writeCursorFile(path: string, id: string): Promise<void> {
  try {
    await writePrivateFile(path, `${id}\n`)
  } catch (error) {
    throw new Failure('unexpected', `--cursor-file ${path} cannot be written: ${writeFault(error)}`)
  }
}
