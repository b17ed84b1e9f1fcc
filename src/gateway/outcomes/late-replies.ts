import type { PrimaryName } from '../../hsms/message.js'
import { keepNewest } from '../../kit/keep-newest.js'
import type { Entry } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'
import { MESSAGE_ENDED, MESSAGE_SENT } from '../records/journal-kinds.js'
import { messageOf } from '../records/recorded-message.js'

/** Most timed-out primaries to which a late reply can be assigned. */
const MAX_REMEMBERED = 1000

interface Asked {
  readonly seq: number
  readonly key: string
  readonly message: PrimaryName
}

/** Finds the primary to which a reply after T3 belongs, among the primaries that timed out last. */
export class LateReplies {
  /** Primaries without an end, by sequence number: as many as may be open. */
  readonly #open = new Map<number, Asked>()
  readonly #timedOut = new Map<string, Asked>()

  constructor({ appended }: Pick<Journal, 'appended'>) {
    appended.on((entry) => this.#see(entry))
  }

  /** The sequence number of the primary; null when none is known. */
  primaryOf(equipmentId: string, reply: PrimaryName): number | null {
    const asked = this.#timedOut.get(placeOf(equipmentId, reply.systemBytes))
    if (!asked) return null
    const { stream, function: fn } = asked.message
    return reply.stream === stream && (reply.function === fn + 1 || reply.function === 0) ? asked.seq : null
  }

  #see(entry: Entry): void {
    const { seq, key, name, data } = entry
    if (name === MESSAGE_SENT.name) {
      const { stream, function: fn, systemBytes, wait, isPrimary } = messageOf(entry)
      if (!wait || !isPrimary) return
      this.#open.set(seq, { seq, key, message: { stream, function: fn, systemBytes } })
    }
    if (name !== MESSAGE_ENDED.name) return
    const primary = Number(data['message_id'])
    const asked = this.#open.get(primary)
    this.#open.delete(primary)
    if (asked && data['outcome'] === 'timed_out') this.#keep(asked)
  }

  #keep(asked: Asked): void {
    const place = placeOf(asked.key, asked.message.systemBytes)
    this.#timedOut.delete(place)
    this.#timedOut.set(place, asked)
    keepNewest(this.#timedOut, MAX_REMEMBERED)
  }
}

const placeOf = (equipmentId: string, systemBytes: number): string => `${equipmentId} ${systemBytes}`
