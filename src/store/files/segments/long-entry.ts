import { crc32 } from 'node:zlib'
import { nextTurn } from '../../../kit/turns.js'
import type { Entry, Revive } from '../../entry.js'
import { DATA_MEMBER, decodeEntry, decodeHead, entryOf, isSealedWith, sealStart } from './journal-line.js'

/** A longer line is decoded in steps, in bytes. */
export const LONG_LINE_BYTES = 256 * 1024

/** Bytes that are checked, or made from Base64, before the event loop is given back: a whole number of fours. */
const STEP_BYTES = 1024 * 1024

const QUOTE = 0x22

/**
 * The same as `decodeEntry`. Where its kind has a member that is Base64, this takes steps of about a millisecond, and the
 * member is bytes: to make a text of them, to parse it and to decode that holds up the event loop for long.
 */
export async function decodeLongEntry(
  line: Buffer,
  base64In: Revive['base64In'],
): Promise<Entry | undefined> {
  const head = decodeHead(line)
  const member = head && base64In?.(head)
  if (member === undefined) return decodeEntry(line)
  const opening = `"${member}":"`
  const found = line.indexOf(opening, line.indexOf(DATA_MEMBER))
  if (found < 0) return decodeEntry(line)
  if (!(await isWholeInSteps(line))) return undefined
  const begin = found + opening.length
  const end = line.indexOf(QUOTE, begin)
  const bytes = await bytesInSteps(line.subarray(begin, end))
  const rest = `${line.toString('utf8', 0, begin)}${line.toString('utf8', end, sealStart(line))}}`
  const { data, ...entry } = entryOf(rest)
  return { ...entry, data: { ...data, [member]: bytes } as unknown as Entry['data'] }
}

async function isWholeInSteps(line: Buffer): Promise<boolean> {
  let crc = 0
  for (let at = 0; at < sealStart(line); at += STEP_BYTES) {
    crc = crc32(line.subarray(at, Math.min(at + STEP_BYTES, sealStart(line))), crc)
    await nextTurn()
  }
  return isSealedWith(line, crc)
}

async function bytesInSteps(text: Buffer): Promise<Buffer> {
  const end = text.toString('latin1', Math.max(0, text.length - 4))
  const bytes = Buffer.allocUnsafeSlow((text.length / 4) * 3 - (end.match(/=*$/)?.[0].length ?? 0))
  for (let at = 0; at < text.length; at += STEP_BYTES) {
    bytes.write(text.toString('latin1', at, at + STEP_BYTES), (at / 4) * 3, 'base64')
    await nextTurn()
  }
  return bytes
}
