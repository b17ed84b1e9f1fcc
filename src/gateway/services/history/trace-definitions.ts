import type { Journal } from '../../../store/journal.js'
import { MESSAGE_RECEIVED } from '../../records/journal-kinds.js'
import type { Reading } from '../../records/reading.js'
import { messageOf } from '../../records/recorded-message.js'
import { type AskedTrace, askedTrace, isAccepted } from '../traces/trace-messages.js'

/** Replies to S2F23 that are examined for one sample, the newest before it. */
const MAX_REPLIES = 200

interface Started {
  readonly from: number
  /** Undefined where it is not known. */
  readonly trace: AskedTrace | undefined
}

const NONE: Started = { from: 0, trace: undefined }

/** What an S2F23 in the journal asked for, of one equipment, for samples that come in the order of the journal or against it. */
export class TraceDefinitions {
  /** By TRID; `until`: the entry up to which it is this trace. */
  readonly #found = new Map<string, Started & { readonly until: number }>()

  constructor(
    private readonly journal: Pick<Journal, 'query' | 'get'>,
    private readonly equipmentId: string,
    private readonly reading: Reading,
  ) {}

  /** The trace that the sample in entry `seq` belongs to; undefined where its S2F23 is not in the journal. */
  async at(trid: string, seq: number): Promise<AskedTrace | undefined> {
    const known = this.#found.get(trid)
    if (known && seq >= known.from && seq <= known.until) return known.trace
    const isLater = known !== undefined && seq > known.until
    const started = await this.#startedBefore(trid, seq, isLater ? known.until : 0)
    const found = started === 'unchanged' ? (isLater ? known : NONE) : started
    this.#found.set(trid, { ...found, until: seq })
    return found.trace
  }

  async #startedBefore(trid: string, before: number, after: number): Promise<Started | 'unchanged'> {
    const replies = await this.journal.query({
      kinds: [MESSAGE_RECEIVED],
      topics: new Set(['S2F24']),
      key: this.equipmentId,
      before,
      after,
      order: 'desc',
      limit: MAX_REPLIES,
    })
    for (const reply of replies) {
      const message = messageOf(reply)
      if (message.replyTo === null || !isAccepted(message, this.reading)) continue
      const primary = await this.journal.get(message.replyTo)
      const trace = primary && askedTrace(messageOf(primary), this.reading)
      if (trace?.trid === trid && trace.samples > 0) return { from: reply.seq, trace }
    }
    // Before the oldest of so many replies it may have been another trace.
    return replies.length < MAX_REPLIES ? 'unchanged' : { from: replies.at(-1)?.seq ?? 0, trace: undefined }
  }
}
