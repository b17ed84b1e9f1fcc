import { Problem } from '../../contract/errors.js'
import type { EventOutcome } from '../../contract/topics/commands.js'
import type { Clock } from '../../kit/clock.js'
import { deferred } from '../../kit/deferred.js'
import type { Entry } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'
import type { Session } from '../link/session.js'
import { MESSAGE_RECEIVED } from '../records/journal-kinds.js'
import type { Reading } from '../records/reading.js'
import { messageOf } from '../records/recorded-message.js'

/** Reports that equipment sends by itself when an event occurs. */
const REPORTS: ReadonlySet<string> = new Set(['S6F11', 'S6F13'])
/** Commands that may wait for an event of one equipment at once: each reads every report that comes. */
const MAX_WAITS = 64

/** The end of a wait. */
export interface EventEnd {
  readonly outcome: EventOutcome
  /** The recorded report, where it has arrived. */
  readonly entry?: Entry
}

/** Parts of a session that a wait follows. */
type Watched = Pick<Session, 'connectionState' | 'changed' | 'recorded'>

interface WaitWorld {
  readonly journal: Pick<Journal, 'appended'>
  readonly clock: Clock
  readonly registry: { session(equipmentId: string): Watched }
  readonly readingOf: (equipmentId: string) => Reading
}

/** Waits for collection events that commands bring about. */
export class AwaitedEvents {
  readonly #waits = new Map<string, number>()

  constructor(private readonly world: WaitWorld) {}

  /** Begins a wait. Call before the command is sent, and `end` in any case. Throws `quota_exceeded`. */
  begin(equipmentId: string, ceid: string): AwaitedEvent {
    const others = this.#waits.get(equipmentId) ?? 0
    if (others >= MAX_WAITS)
      throw new Problem(
        'quota_exceeded',
        `${MAX_WAITS} commands wait for events of this equipment already. The command was not sent.`,
        { retry_after: 1 },
      )
    this.#waits.set(equipmentId, others + 1)
    const over = (): void => {
      const left = (this.#waits.get(equipmentId) ?? 1) - 1
      if (left > 0) this.#waits.set(equipmentId, left)
      else this.#waits.delete(equipmentId)
    }
    return new AwaitedEvent(this.world, equipmentId, ceid, over)
  }
}

/** One wait: for the first report of an event that is recorded after the command. */
export class AwaitedEvent {
  readonly #ended = deferred<EventEnd>()
  readonly #cleanups: (() => void)[] = []
  /** The first report since the wait began: whether it came after the command is known once that is recorded. */
  readonly #early: Entry[] = []
  #sent: number | undefined
  #isOver = false

  constructor(
    private readonly world: WaitWorld,
    private readonly equipmentId: string,
    private readonly ceid: string,
    onEnd: () => void,
  ) {
    const session = world.registry.session(equipmentId)
    this.#cleanups.push(
      onEnd,
      world.journal.appended.on((entry) => this.#take(entry)),
      session.changed.on(() => {
        // What came before the loss is recorded before it.
        if (session.connectionState !== 'SELECTED')
          void session.recorded().then(() => this.#finish({ outcome: 'connection_lost' }))
      }),
    )
  }

  /** The command has left as entry `sent`: the time begins. */
  within(ms: number, sent: number): void {
    this.#sent = sent
    const { clock } = this.world
    this.#cleanups.push(clock.at(clock.now() + ms, () => this.#finish({ outcome: 'not_in_time' })))
    const entry = this.#early.find(({ seq }) => seq > sent)
    if (entry) this.#finish({ outcome: 'arrived', entry })
  }

  get ended(): Promise<EventEnd> {
    return this.#ended.promise
  }

  /** Ends the wait, where it has not ended. */
  end(outcome: EventOutcome): void {
    this.#finish({ outcome })
  }

  #take(entry: Entry): void {
    if (entry.key !== this.equipmentId || entry.name !== MESSAGE_RECEIVED.name || !this.#isWanted(entry))
      return
    if (this.#sent === undefined) this.#early.push(entry)
    else if (entry.seq > this.#sent) this.#finish({ outcome: 'arrived', entry })
  }

  /** A report from the spool is about the past. */
  #isWanted(entry: Entry): boolean {
    const message = messageOf(entry)
    if (message.mayBeSpooled || !REPORTS.has(message.topic)) return false
    const reading = this.world.readingOf(this.equipmentId)
    const { stream, function: fn, item } = message
    const named = reading.catalogue.readAny(stream, fn, item, { ...reading, sender: 'equipment' })
    return named !== null && named !== undefined && String(named['CEID']) === this.ceid
  }

  #finish(end: EventEnd): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const clean of this.#cleanups) clean()
    this.#ended.resolve(end)
  }
}
