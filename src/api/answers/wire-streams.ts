import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WireMedia, WireQuery, WireRecord } from '../../contract/wire.js'
import { wireLines } from '../../contract/wire-text.js'
import type { WireLog } from '../../gateway/gateway.js'
import type { LongAnswers } from './long-answers.js'

const CONTENT_TYPES: Readonly<Record<WireMedia, string>> = {
  'application/x-ndjson': 'application/x-ndjson; charset=utf-8',
  'text/plain': 'text/plain; charset=utf-8',
  'application/x-pcapng': 'application/x-pcapng',
}

/** Watches the wires of equipment for callers. */
export class WireStreams {
  /** `version` of the program, for what it writes. */
  constructor(
    readonly wires: WireLog,
    readonly answers: LongAnswers,
    readonly version: string,
  ) {}

  /** Answers with what passes until the caller leaves, has `count` messages, stops taking them, or may no longer have them. */
  serve(
    equipmentId: string,
    query: WireQuery,
    media: WireMedia,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    return this.answers.serve(request, reply, async (answer) => {
      const parts = this.#parts(equipmentId, query, media, answer.signal)
      answer.begin(CONTENT_TYPES[media])
      for await (const part of parts) if (!(await answer.write(part))) return
    })
  }

  #parts(
    equipmentId: string,
    { count = Number.POSITIVE_INFINITY, hex = false }: WireQuery,
    media: WireMedia,
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array> {
    if (media === 'application/x-pcapng') {
      return this.wires.capture(equipmentId, `secsctl ${this.version}`, count, signal)
    }
    const records = this.wires.follow(equipmentId, count, signal)
    return media === 'text/plain'
      ? written(records, (record) => wireLines(record, { hex }).join('\n'))
      : written(records, (record) => JSON.stringify(record))
  }
}

async function* written(
  records: AsyncIterable<WireRecord>,
  textOf: (record: WireRecord) => string,
): AsyncGenerator<Uint8Array> {
  for await (const record of records) yield Buffer.from(`${textOf(record)}\n`)
}
