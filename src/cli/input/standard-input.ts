import { readFile, stat } from 'node:fs/promises'
import { Failure } from '../errors/failure.js'
import { readFault } from '../errors/file-fault.js'

/** The default limit of standard input. */
const MAX_BYTES = 32 * 1024 * 1024

/** All of standard input, up to `limit` bytes. A terminal is not waited for. */
async function standardInput(stdin: NodeJS.ReadStream, what: string, limit: number): Promise<Buffer> {
  if (stdin.isTTY) throw new Failure('usage', `${what} is read from standard input: pipe it in`)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > limit) throw new Failure('usage', `standard input has more than ${limit} bytes`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/** All of standard input as text, up to `limit` bytes. */
const readStandardInput = async (
  stdin: NodeJS.ReadStream,
  what: string,
  limit = MAX_BYTES,
): Promise<string> => (await standardInput(stdin, what, limit)).toString('utf8')

const unreadable = (error: unknown, path: string, what: string): Failure =>
  new Failure('usage', `${what} cannot be read: ${readFault(error, path === what ? undefined : path)}`)

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
    throw unreadable(error, path, what)
  }
}

/** A secret from standard input: its first line. */
export async function readSecret(stdin: NodeJS.ReadStream, what: string): Promise<string> {
  const [line = ''] = (await readStandardInput(stdin, what, 4096)).split(/\r?\n/)
  if (line === '') throw new Failure('usage', `${what} is empty on standard input`)
  return line
}

/** The text of a file; `-` is standard input. */
export async function readText(stdin: NodeJS.ReadStream, path: string, what: string): Promise<string> {
  if (path === '-') return readStandardInput(stdin, what)
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw unreadable(error, path, what)
  }
}
