import { Problem } from '../../contract/errors.js'
import type { RepliesRequest } from '../../contract/topics/leased-replies.js'
import type { Primary, PrimaryReply } from '../../gem/conversation.js'
import type { Clock } from '../../kit/clock.js'
import type { SmlMessage } from '../../secs2/sml/message.js'
import { parseSml } from '../../secs2/sml/parse.js'
import type { Reading } from '../records/reading.js'

/** Runs whose replies are held for one equipment: the oldest one ends for a further one. */
const MAX_RUNS = 8

interface Lease {
  readonly replies: ReadonlyMap<string, PrimaryReply>
  /** On the clock that never goes back. */
  readonly until: number
}

/** Replies to primaries of one equipment that callers give for a limited time. */
export class LeasedReplies {
  /** By run; the one that was set last stands last. */
  readonly #leases = new Map<string, Lease>()

  constructor(private readonly clock: Clock) {}

  /** Replaces those of the run. Resolves with the time when they end. Throws `invalid_message`. */
  set({ run, for_seconds: seconds, replies }: RepliesRequest, { text }: Pick<Reading, 'text'>): string {
    const read = new Map(
      Object.entries(replies).map(([primary, sml]) => [primary, replyIn(primary, sml, text)]),
    )
    this.#leases.delete(run)
    const ms = seconds * 1000
    if (read.size > 0) this.#leases.set(run, { replies: read, until: this.clock.now() + ms })
    const [oldest] = this.#leases.keys()
    if (this.#leases.size > MAX_RUNS && oldest !== undefined) this.#leases.delete(oldest)
    return new Date(this.clock.date().getTime() + (read.size > 0 ? ms : 0)).toISOString()
  }

  /** The reply that was given last for a primary; undefined where there is none, or where none is wanted. */
  replyTo({ stream, function: fn, wait }: Primary): PrimaryReply | undefined {
    if (this.#leases.size === 0 || !wait) return undefined
    const now = this.clock.now()
    for (const [run, { until }] of this.#leases) if (until <= now) this.#leases.delete(run)
    const given = [...this.#leases.values()].flatMap(({ replies }) => replies.get(`S${stream}F${fn}`) ?? [])
    return given.at(-1)
  }
}

function replyIn(primary: string, sml: string, text: Reading['text']): PrimaryReply {
  const pointer = `/replies/${primary}`
  const [stream = 0, fn = 0] = primary.slice(1).split('F').map(Number)
  const refuse = (detail: string): never => {
    throw new Problem('invalid_message', detail, { errors: [{ pointer, detail }] })
  }
  if (fn % 2 === 0 || stream === 9 || primary === 'S1F13')
    refuse(`${primary} is not a primary to which a reply can be given`)
  if (sml === 'none') return { kind: 'none' }
  const read = (): readonly SmlMessage[] => {
    try {
      return parseSml(sml, { text, maxMessages: 1 })
    } catch (error) {
      return refuse(`not SML: ${(error as Error).message}`)
    }
  }
  const [message] = read()
  if (message?.stream !== stream || ![0, fn + 1].includes(message.function) || message.wait)
    return refuse(`the reply to ${primary} is S${stream}F${fn + 1}, S${stream}F0 or none`)
  if (message.function === 0) return { kind: 'abort' }
  return { kind: 'reply', message: { stream, function: fn + 1, item: message.item } }
}
