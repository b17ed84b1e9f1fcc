import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import { wrongUsage } from '../errors/failure.js'
import { readFault } from '../errors/file-fault.js'

/** The default limit of standard input. */
const MAX_BYTES = 32 * 1024 * 1024

/** All of standard input, up to `limit` bytes. A terminal is not waited for. */
async function standardInput(stdin: NodeJS.ReadStream, what: string, limit: number): Promise<Buffer> {
  if (stdin.isTTY) throw wrongUsage(`${what} is read from standard input: pipe it in`)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > limit) throw wrongUsage(`standard input has more than ${limit} bytes`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/** The bytes of a file, up to `limit`; `-` is standard input. */
export async function readBytes(
  stdin: NodeJS.ReadStream,
  path: string,
  what: string,
  limit: number,
): Promise<Buffer> {
  if (path === '-') return standardInput(stdin, what, limit)
  try {
    const { size } = await stat(path)
    if (size > limit) throw new RangeError(`it has more than ${limit} bytes`)
    return await readFile(path)
  } catch (error) {
    const why = readFault(error, path === what ? undefined : path)
    throw wrongUsage(`${what} cannot be read: ${why}`)
  }
}

/** A secret from standard input: its first line. */
export async function readSecret(stdin: NodeJS.ReadStream, what: string): Promise<string> {
  const [line = ''] = (await standardInput(stdin, what, 4096)).toString().split(/\r?\n/)
  if (line === '') throw wrongUsage(`${what} is empty on standard input`)
  return line
}

/** The text of a file; `-` is standard input. */
export async function readText(stdin: NodeJS.ReadStream, path: string, what: string): Promise<string> {
  const limit = path === '-' ? MAX_BYTES : Number.POSITIVE_INFINITY
  return (await readBytes(stdin, path, what, limit)).toString('utf8')
}

const BYTE_ORDER_MARKS: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/**
 * The text of a file: UTF-8, or the encoding of its byte order mark. `what` names it for a person. Throws a `Failure`
 * for bytes that are none.
 */
export function textOf(bytes: Uint8Array, what: string, hint?: string): string {
  // Latin letters of UTF-16 have a zero each, which text in UTF-8 does not begin with.
  if (bytes.length > 1 && (bytes[0] === 0) !== (bytes[1] === 0))
    throw wrongUsage(`${what} is in UTF-16 without a byte order mark: save it as UTF-8`, hint)
  const marked = BYTE_ORDER_MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))
  try {
    return new TextDecoder(marked?.[1] ?? 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    const line = marked ? '' : `: see line ${lineOfFault(bytes)}`
    throw wrongUsage(`${what} is not ${(marked?.[1] ?? 'utf-8').toUpperCase()}${line}`, hint)
  }
}

/** The first line with bytes that are not UTF-8. */
function lineOfFault(bytes: Uint8Array): number {
  for (let line = 1, from = 0; ; line++) {
    const end = bytes.indexOf(0x0a, from)
    if (end === -1 || !isUtf8(bytes.subarray(from, end))) return line
    from = end + 1
  }
}
