import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { wrongUsage } from '../errors/failure.js'
import { writeFault } from '../errors/file-fault.js'

/** Whether `{equipment}` in it names another file for each equipment. */
export const isForEach = (file: string): boolean => file.includes('{equipment}')

/** Characters that some file system gives a meaning; `%`, so that two names never become one. */
const UNSAFE = /[/\\:*?"<>|%\p{Cc}]|^\.+$/gu

const escaped = (text: string): string =>
  text.replace(UNSAFE, (found) =>
    [...Buffer.from(found)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )

/** The file that `pattern` names, with `{equipment}` and other `values` put in; its folder is made if a value is in it. */
export function fileFor(pattern: string, values: Readonly<Record<string, string>>): string {
  const file = pattern.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? escaped(values[name] ?? '') : whole,
  )
  if (file === pattern) return file
  try {
    mkdirSync(dirname(file), { recursive: true })
  } catch (error) {
    throw wrongUsage(`the folder of ${file} cannot be made: ${writeFault(error)}`)
  }
  return file
}
