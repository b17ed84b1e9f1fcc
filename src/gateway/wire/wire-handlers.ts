import type { WireRecord, wireEndpoints } from '../../contract/topics/wire.js'
import { wireLines } from '../../contract/wire-text.js'
import type { Handlers } from '../handler.js'

export const wireHandlers: Handlers<typeof wireEndpoints> = {
  async followWire({ params, query, media, program, signal }, { wires }) {
    const { count = Number.POSITIVE_INFINITY, hex = false } = query
    if (media === 'application/x-pcapng') return { parts: wires.capture(params.id, program, count, signal) }
    const records = wires.follow(params.id, count, signal)
    return { parts: media === 'text/plain' ? textOf(records, hex) : inGroups(records) }
  },
}

async function* textOf(records: AsyncIterable<WireRecord>, hex: boolean): AsyncGenerator<string> {
  for await (const record of records) yield `${wireLines(record, { hex }).join('\n')}\n`
}

async function* inGroups(records: AsyncIterable<WireRecord>): AsyncGenerator<readonly WireRecord[]> {
  for await (const record of records) yield [record]
}
