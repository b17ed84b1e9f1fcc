import { readFile } from 'node:fs/promises'
import { Failure } from './failure.js'

/** All of standard input as text, up to `limit` bytes. A terminal is not waited for. */
export async function readStandardInput(what: string, limit = 32 * 1024 * 1024): Promise<string> {
  if (process.stdin.isTTY) throw new Failure('usage', `${what} is read from standard input: pipe it in`)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > limit) throw new Failure('usage', `standard input has more than ${limit} bytes`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A secret from standard input: its first line. */
export async function readSecret(what: string): Promise<string> {
  const [line = ''] = (await readStandardInput(what, 4096)).split(/\r?\n/)
  if (line === '') throw new Failure('usage', `${what} is empty on standard input`)
  return line
}

/** The text of a file; `-` is standard input. */
export async function readText(path: string, what: string): Promise<string> {
  if (path === '-') return readStandardInput(what)
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new Failure('usage', `${what} cannot be read: ${(error as Error).message}`)
  }
}
