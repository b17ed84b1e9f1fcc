import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'

/** A message as it arrived at a target. */
export interface Arrival {
  /** Of the CloudEvent. */
  readonly id: string
  /** Sequence number of the event; null for a gap or a test. */
  readonly seq: number | null
  readonly equipment: string | null
  readonly name: string
  /** Of a gap: the first and the last entry that are missing. */
  readonly gap: readonly [from: number, to: number] | null
  /** Of the message, without the names of variables: those are as they are known when it is sent. */
  readonly hash: string
}

interface Received {
  readonly id: string
  readonly type: string
  readonly data: {
    readonly id?: string
    readonly equipment_id?: string
    readonly name?: string
    readonly from?: string
    readonly to?: string
    readonly data?: { readonly collection_event?: unknown }
  }
}

/** What a message says of itself. */
export function arrivalOf(text: string): Arrival {
  const { id, type, data } = JSON.parse(text) as Received
  const { collection_event, ...recorded } = data.data ?? {}
  const lasting = JSON.stringify([id, type, { ...data, data: recorded }])
  return {
    id,
    seq: data.id === undefined ? null : Number(data.id),
    equipment: data.equipment_id ?? null,
    name: data.name ?? type,
    gap: type === 'secsctl.gap' ? [Number(data.from), Number(data.to)] : null,
    hash: createHash('sha1').update(lasting).digest('base64'),
  }
}

/** Where a target writes what it has received, before it answers: in the page cache it outlives a kill -9. */
export class ArrivalLog {
  readonly #file: number

  constructor(readonly path: string) {
    const isTorn = existsSync(path) && !readFileSync(path).subarray(-1).equals(Buffer.from('\n'))
    this.#file = openSync(path, 'a')
    if (isTorn) writeSync(this.#file, '\n')
  }

  write(arrivals: readonly Arrival[]): void {
    writeSync(this.#file, arrivals.map((one) => `${JSON.stringify(one)}\n`).join(''))
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** All arrivals of a log, in their order, without a line that a kill cut short. */
export function arrivalsIn(path: string): Arrival[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as Arrival] : []))
}
