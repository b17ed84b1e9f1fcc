import type { Unsubscribe } from '../../kit/signal.js'
import { comparableEmail } from '../../kit/text/email.js'
import type { Entry, NewEntry } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'
import { CALLED } from '../records/journal-kinds.js'
import type { AuditedCall, AuditedEnd } from './audited-call.js'
import type { LateEntries } from './late-entries.js'

/** A call that was recorded in the journal, with the message that it sent, and is copied from there. */
export const SENT = 'audit_sent'

/** Entries that are copied at once. */
const COPIED_AT_ONCE = 1000

/** By what the calls of a user or an API key are found. */
export const topicOf = ({ user, api_key }: Pick<AuditedCall, 'user' | 'api_key'>): string | undefined =>
  api_key ? topicOfKey(api_key.name) : user === null ? undefined : comparableEmail(user)

/** No email: it has no @. */
export const topicOfKey = (name: string): string => `key:${name}`

export type RecordedCall = Omit<AuditedCall, 'action'> & {
  readonly end?: AuditedEnd
  readonly count?: number
  readonly message_id?: string
}

/** Copies the calls that are recorded in the journal into the audit. */
export class CallCopies {
  #stop: Unsubscribe = () => {}

  constructor(
    readonly audit: Journal,
    readonly late: LateEntries,
  ) {}

  /** Copies those that were not copied before, then those of now on. */
  async begin(journal: Journal): Promise<void> {
    this.#stop()
    this.late.drop(SENT)
    const end = journal.last
    const copy = (entry: Entry): void => this.late.add(copyOf(entry), String(entry.data['message_id']))
    const later: Entry[] = []
    let take = (entry: Entry): void => void later.push(entry)
    const stop = journal.appended.on((entry) => {
      if (entry.type === CALLED.type) take(entry)
    })
    this.#stop = stop
    const isEnded = (): boolean => this.#stop !== stop
    await this.#copyUpTo(end, journal, isEnded)
    if (isEnded()) return
    for (const entry of later) copy(entry)
    take = copy
  }

  /** `isLost`: another process copies already what is not written yet. */
  async end(isLost: boolean): Promise<void> {
    this.#stop()
    this.#stop = () => {}
    if (!isLost) await this.late.write()
    this.late.drop(SENT)
  }

  /** `isEnded`: whoever copies from now on reads the same entries. */
  async #copyUpTo(end: number, journal: Journal, isEnded: () => boolean): Promise<void> {
    const [last] = await this.audit.query({ kinds: [{ type: SENT }], order: 'desc', limit: 1 })
    let after = Math.min(Number(last?.data['seq'] ?? 0), end)
    for (;;) {
      const page = { after, before: end + 1, order: 'asc', limit: COPIED_AT_ONCE } as const
      const { entries, readTo } = await journal.read({ kinds: [CALLED], ...page })
      if (isEnded()) return
      await this.audit.appendAll(entries.map(copyOf))
      if (readTo >= end) return
      after = readTo
    }
  }
}

/** `seq`: of the entry in the journal. */
const copyOf = ({ name, key, at, data, seq }: Entry): NewEntry => {
  const topic = topicOf(data as unknown as RecordedCall)
  return {
    type: SENT,
    name: name ?? '',
    key,
    byAnyone: true,
    at,
    data: Object.assign({ seq }, data),
    ...(topic !== undefined && { topic }),
  }
}
