import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pcapOf } from './pcap.js'

/** What Wireshark's HSMS dissector can tell of a message, by its own names without the `hsms.` in front. */
const FIELDS = [
  'length',
  'header.sessionid',
  'header.wbit',
  'header.stream',
  'header.function',
  'header.statusbyte2',
  'header.statusbyte3',
  'header.ptype',
  'header.stype',
  'header.system',
  'data.item.format',
  'data.item.length_bytes',
  'data.item.length',
  'data.item.value.binary',
  'data.item.value.boolean',
  'data.item.value.string',
  'data.item.value.int8',
  'data.item.value.int16',
  'data.item.value.int32',
  'data.item.value.int64',
  'data.item.value.uint8',
  'data.item.value.uint16',
  'data.item.value.uint32',
  'data.item.value.uint64',
  'data.item.value.float',
  'data.item.value.double',
] as const

export type Field = (typeof FIELDS)[number]

/** Every value of each field, in the order of the message; none where the message has no such field. */
export type Dissected = ReadonlyMap<Field, readonly string[]>

/** Characters that no value has. */
const BETWEEN_FIELDS = '|'
const BETWEEN_VALUES = ';'

/** Wireshark's opinion of HSMS frames. A string field that is empty once cannot be told from none. */
export async function dissect(frames: readonly Uint8Array[]): Promise<Dissected[]> {
  const lines = await fieldsOf(
    pcapOf(frames),
    5000,
    FIELDS.map((field) => `hsms.${field}`),
    'hsms',
  )
  return lines.map(dissectedOf)
}

/** Packets whose checksums do not hold are complained of, and nothing is put together from them. */
export const CHECK_CHECKSUMS = ['-o', 'ip.check_checksum:TRUE', '-o', 'tcp.check_checksum:TRUE'] as const

/**
 * Fields of the packets of a capture that `filter` lets through, a line of texts each. What is on `port` is
 * taken for HSMS. Throws where the capture cannot be read to its end.
 */
export async function fieldsOf(
  capture: Uint8Array,
  port: number,
  fields: readonly string[],
  filter: string,
  preferences: readonly string[] = [],
): Promise<(readonly string[])[]> {
  const folder = await mkdtemp(join(tmpdir(), 'secsctl-test-'))
  try {
    const file = join(folder, 'capture')
    await writeFile(file, capture)
    const how = ['-n', '-r', file, '-d', `tcp.port==${port},hsms`, '-Y', filter, '-T', 'fields']
    const shape = ['-E', `separator=${BETWEEN_FIELDS}`, '-E', `aggregator=${BETWEEN_VALUES}`]
    const wanted = fields.flatMap((field) => ['-e', field])
    const { stdout } = await promisify(execFile)('tshark', [...how, ...preferences, ...shape, ...wanted], {
      maxBuffer: 64 * 1024 * 1024,
      // A user's own settings could turn reassembly off.
      env: { PATH: process.env['PATH'], HOME: folder },
    })
    return stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(BETWEEN_FIELDS))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function dissectedOf(texts: readonly string[]): Dissected {
  return new Map(
    FIELDS.map((field, at) => {
      const text = texts[at] ?? ''
      return [field, text === '' ? [] : text.split(BETWEEN_VALUES)]
    }),
  )
}
