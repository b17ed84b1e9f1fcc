import { expect, test } from 'vitest'
import { Base64, type Kind } from '../../../src/store/entry.js'
import { type Batch, BatchWriter } from '../../../src/store/files/segments/batch-writer.js'
import {
  decodeEntry,
  isWhole,
  type LineText,
  lineContent,
  markOf,
} from '../../../src/store/files/segments/journal-line.js'
import { decodeLongEntry } from '../../../src/store/files/segments/long-entry.js'

const MEMBERS = '"key":"eq_1","type":"message","name":"message_received","data":'
const AT = '2026-01-01T00:00:00.000Z'

const lineOf = (data: LineText): LineText => lineContent(AT, MEMBERS, data)

interface Written extends Batch {
  readonly bytes: Buffer
  /** The bytes of each write. */
  readonly pieces: readonly number[]
}

async function written(
  lines: readonly LineText[],
  room?: (length: number) => number,
  writer = new BatchWriter(),
): Promise<Written> {
  const pieces: Buffer[] = []
  const batch = await writer.write(
    5,
    lines,
    async (bytes, at) => {
      expect(at).toBe(Buffer.concat(pieces).length)
      pieces.push(Buffer.from(bytes))
    },
    room,
  )
  return { ...batch, bytes: Buffer.concat(pieces), pieces: pieces.map(({ length }) => length) }
}

test.each([0, 1, 2, 3, 384 * 1024, 1_000_001, 5_000_001])(
  'a line in parts is byte for byte the line of one text: %i bytes',
  async (size) => {
    const body = Uint8Array.from({ length: size + 7 }, (_, at) => (at * 31) & 0xff).subarray(7)
    const text = `{"body":"${Buffer.from(body).toString('base64')}","reply_to":null}`
    const parts = ['{"body":"', new Base64(body), '","reply_to":null}']
    const [whole, inParts] = [
      await written([lineOf('{}'), lineOf(text)]),
      await written([lineOf('{}'), lineOf(parts)]),
    ]
    expect(inParts.bytes.equals(whole.bytes)).toBe(true)
    expect(inParts).toMatchObject({ starts: whole.starts, mark: whole.mark, length: whole.length })
    const line = inParts.bytes.subarray(inParts.starts[1], -1)
    expect(isWhole(line)).toBe(true)
    expect(inParts.mark).toBe(markOf(line))
    const { seq, data } = decodeEntry(line) ?? {}
    expect([seq, JSON.stringify(data) === text]).toEqual([6, true])
  },
)

test('a line of 22 MiB is written in pieces of 4 MiB at most, and so is a batch of many lines', async () => {
  const long = ['{"body":"', new Base64(new Uint8Array(16 * 1024 * 1024)), '"}']
  const many = Array.from({ length: 300 }, (_, at) => lineOf(`{"n":${at},"text":"${'x'.repeat(30_000)}"}`))
  for (const { pieces, bytes, starts } of [await written([lineOf(long)]), await written(many)]) {
    expect(pieces.length).toBeGreaterThan(1)
    expect(Math.max(...pieces)).toBeLessThanOrEqual(4 * 1024 * 1024)
    for (const [at, start] of starts.entries())
      expect(isWhole(bytes.subarray(start, (starts[at + 1] ?? bytes.length) - 1))).toBe(true)
  }
})

const base64In = ({ name }: Kind) => (name === 'message_received' ? 'body' : undefined)

test.each([1_000_001, 1_500_002, 786_432])(
  'a long line gives the bytes of its Base64, in steps: %i bytes',
  async (size) => {
    const body = Uint8Array.from({ length: size }, (_, at) => (at * 31) & 0xff)
    const data = ['{"n":1,"body":"', new Base64(body), '","reply_to":null,"by":"a\\"b\u00e9"}']
    const { bytes } = await written([lineOf(data)])
    const line = bytes.subarray(0, -1)
    const turns = turnsTaken()
    const { data: read, ...entry } = (await decodeLongEntry(line, base64In)) ?? {}
    expect(turns()).toBeGreaterThan(1)
    const { data: text, ...same } = decodeEntry(line) ?? {}
    expect(entry).toEqual(same)
    expect(Object.keys(read ?? {})).toEqual(Object.keys(text ?? {}))
    expect(read).toMatchObject({ n: 1, reply_to: null, by: 'a"b\u00e9' })
    expect(Buffer.compare(read?.['body'] as unknown as Uint8Array, body)).toBe(0)
    expect((await decodeLongEntry(line, () => undefined))?.data).toEqual(text)
    for (const at of [100, line.length >> 1, line.length - 3]) {
      const damaged = Buffer.from(line)
      damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at)
      expect(await decodeLongEntry(damaged, base64In)).toBeUndefined()
    }
  },
)

/** Counts turns of the event loop from now on. */
function turnsTaken(): () => number {
  let turns = 0
  let isOver = false
  const next = (): void => {
    turns += 1
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  return () => {
    isOver = true
    return turns
  }
}

test('a long text of characters of two units is not torn', async () => {
  const data = { text: `x${'\u{1f4bf}'.repeat(600_000)}` }
  const { bytes } = await written([lineOf(JSON.stringify(data))])
  expect(decodeEntry(bytes.subarray(0, -1))?.data).toEqual(data)
})

test('room after the lines is empty lines, also where the piece has none for it', async () => {
  const writer = new BatchWriter()
  for (const size of [1, 4 * 1024 * 1024 - 200]) {
    const line = lineOf(['{"body":"', new Base64(new Uint8Array((size * 3) / 4)), '"}'])
    const bare = await written([line], undefined, writer)
    const { bytes, length, allocated, mark } = await written([line], () => 100, writer)
    expect(allocated).toBe(length + 100)
    expect(bytes.subarray(0, length).equals(bare.bytes)).toBe(true)
    expect(bytes.subarray(length).equals(Buffer.alloc(100, '\n'))).toBe(true)
    expect(mark).toBe(bare.mark)
  }
})
