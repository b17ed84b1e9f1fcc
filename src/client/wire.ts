import { endpoints } from '../contract/endpoints.js'
import type { WireMedia, WireQuery, WireRecord } from '../contract/topics/wire.js'
import { wholeBlocks } from './capture-blocks.js'
import type { ClientOptions } from './client.js'
import { Unreachable, unreachable } from './failures.js'
import { openStream } from './open-stream.js'
import { type PersistentOptions, persistent } from './persistent.js'

/** The longest line and the longest block that are read, in characters and bytes; the gateway's are far shorter. */
const MAX_LINE_LENGTH = 4 * 1024 * 1024

/**
 * What passes on the wire of an equipment from now on. Ends with `count` messages, or when the equipment is
 * removed. Throws the problem of the gateway's response, or `Unreachable`.
 */
export async function* followWire(
  options: ClientOptions,
  equipmentId: string,
  query: WireQuery,
  signal: AbortSignal,
): AsyncGenerator<WireRecord> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks(options, equipmentId, query, 'application/x-ndjson', signal)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE_LENGTH)
      throw new Unreachable(options.url, 'A line of the wire log has no end.')
    for (const line of lines) yield JSON.parse(line) as WireRecord
  }
}

/**
 * The same over restarts of the gateway: what passes while it is away is not seen. Ends with `count` messages;
 * throws `equipment_not_found` when the equipment was removed.
 */
export function keepFollowingWire(
  options: PersistentOptions,
  equipmentId: string,
  { count = Number.POSITIVE_INFINITY }: WireQuery,
  signal: AbortSignal,
): AsyncGenerator<WireRecord> {
  let left = count
  return persistent(
    options,
    async function* (where, { opened, received }): AsyncGenerator<WireRecord> {
      const query = Number.isFinite(left) ? { count: left } : {}
      for await (const record of followWire(where, equipmentId, query, signal)) {
        opened()
        received()
        if (record.kind === 'frame') left -= 1
        yield record
      }
      if (left > 0) throw new Unreachable(where.url, 'The gateway ended the wire log.')
    },
    signal,
  )
}

/** The same as a capture (pcapng). Every part is made of whole blocks, so that what was given can be opened. */
export async function* captureWire(
  options: ClientOptions,
  equipmentId: string,
  query: WireQuery,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks(options, equipmentId, query, 'application/x-pcapng', signal)) {
    const bytes = Buffer.concat([rest, chunk])
    const whole = wholeBlocks(bytes)
    if (bytes.length - whole > MAX_LINE_LENGTH)
      throw new Unreachable(options.url, 'A block of the capture has no end.')
    if (whole > 0) yield bytes.subarray(0, whole)
    rest = bytes.subarray(whole)
  }
}

async function* chunks(
  options: ClientOptions,
  id: string,
  query: WireQuery,
  accept: WireMedia,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const given = { params: { id }, query }
  const body = await openStream(options, endpoints.followWire, { given, accept, idleTimeoutMs: 0, signal })
  try {
    yield* body
  } catch (error) {
    if (!signal.aborted) throw unreachable(options.url, error)
  }
}
