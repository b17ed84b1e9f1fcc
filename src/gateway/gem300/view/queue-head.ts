import { type BodyContent, type BodyName, readBody } from '../../../gem300/messages/bodies.js'
import { BodyError } from '../../../gem300/messages/body-error.js'
import type { Clock } from '../../../kit/clock.js'
import type { Entry } from '../../../store/entry.js'
import type { Journal } from '../../../store/journal.js'
import type { Ownership } from '../../../store/ownership.js'
import { MESSAGE_RECEIVED } from '../../records/journal-kinds.js'
import type { Reading } from '../../records/reading.js'
import { messageOf } from '../../records/recorded-message.js'
import { throwBug } from '../../store-problem.js'
import { untilStored } from '../../until-stored.js'
import { viewOf } from '../object-exchange.js'
import type { EquipmentObjects } from './equipment-objects.js'

/** The reply to a command of a control job. */
const REPLY = 'S16F28'
/** Of a command and its reply; longer ones are none. */
const MAX_BODY_BYTES = 64 * 1024

interface QueueHeadParts {
  readonly journal: Pick<Journal, 'appended' | 'get'>
  readonly clock: Clock
  readonly ownership: Pick<Ownership, 'owns'>
  readonly objects: EquipmentObjects
  readonly readingOf: (equipmentId: string) => Reading
}

/**
 * Control jobs that equipment has put at the head of its queue, whoever told it to: a caller with `control-jobs first` or
 * `send`, or the host of tapped equipment. No event tells it.
 */
export class QueueHead {
  constructor(private readonly parts: QueueHeadParts) {
    parts.journal.appended.on((entry) => this.#take(entry))
  }

  #take(entry: Entry): void {
    if (entry.topic !== REPLY || entry.name !== MESSAGE_RECEIVED.name) return
    const { ownership, objects, clock } = this.parts
    const isOwned = (): boolean => ownership.owns(entry.key)
    if (!isOwned()) return
    // Read when it is its turn, so that nothing that comes later is recorded before it.
    const work = () => objects.moveToHead(entry.key, () => this.#putFirst(entry), String(entry.seq))
    untilStored(clock, isOwned, work).catch(throwBug)
  }

  /** The job that an accepted command puts first; undefined for any other reply. */
  async #putFirst(reply: Entry): Promise<string | undefined> {
    const { replyTo } = messageOf(reply)
    if (replyTo === null || !this.#read('S16F28', reply)?.ACKA) return undefined
    const primary = await this.parts.journal.get(replyTo)
    const command = primary && this.#read('S16F27', primary)
    return command?.CTLJOBCMD === 'CJHOQ' ? command.CTLJOBID : undefined
  }

  /** Undefined for what cannot be understood, and for another message. */
  #read<Name extends BodyName>(name: Name, entry: Entry): BodyContent<Name> | undefined {
    const message = messageOf(entry)
    if (message.topic !== name || message.length > MAX_BODY_BYTES || message.fault !== undefined)
      return undefined
    try {
      return readBody(name, message.item, viewOf(this.parts.readingOf(entry.key)))
    } catch (error) {
      if (error instanceof BodyError) return undefined
      throw error
    }
  }
}
