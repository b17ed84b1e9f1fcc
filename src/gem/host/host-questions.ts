import type { Cancel } from '../../kit/clock.js'
import { type Deferred, deferred } from '../../kit/deferred.js'
import { Signal } from '../../kit/signal.js'
import { nextState, type StateTable } from '../../kit/state-table.js'
import { AskingRound, type AskingWorld } from './asking-round.js'
import {
  askControlState,
  askForAlarms,
  askForSpool,
  askReports,
  type SpoolOutcome,
  startUp,
} from './host-startup.js'
import type { EventReport } from './peer-names.js'
import { UnknownReports } from './unknown-reports.js'

/** Between two rounds that something in the equipment's behaviour gives rise to, in milliseconds. */
const ROUND_INTERVAL = 10_000
/** Rounds on one link that ask for the rest of the spool. */
const SPOOL_ROUNDS = 500
/** Milliseconds until equipment that was too busy for its spool is asked again: twice as many each time. */
const BUSY_PAUSE = { first: 60_000, most: 600_000 } as const
/** Rounds that ask for alarms after one that could not be recorded. */
const ALARM_ROUNDS = 60
/** How often equipment that sends, but does not answer S1F1, is asked once more. */
const MAX_RETRIES = 3

/** The equipment communicates and, where it may be asked, is online. */
export interface Start {
  /** What has to be done first: the host asks nothing more before it has ended. */
  waitFor(work: Promise<unknown>): void
}

/**
 * What the next round asks. `SPOOL` is the rest of the spool, with the control state, and nobody waits for it. `ALL` is
 * everything of `startUp`; `ALL_WHEN_ONLINE` waits until the equipment seems to be online.
 */
type Due = 'NOTHING' | 'SPOOL' | 'CONTROL_STATE' | 'ALL_WHEN_ONLINE' | 'ALL'

/**
 * `doubted`: there is reason to ask for the control state. `restarted`: communication is established, once more perhaps.
 * `incomplete`: the equipment went offline before it was asked everything. `more_spool`: the round ended before the spool.
 */
const DUE: StateTable<Due, 'doubted' | 'restarted' | 'incomplete' | 'more_spool'> = {
  NOTHING: {
    doubted: 'CONTROL_STATE',
    restarted: 'ALL',
    incomplete: 'ALL_WHEN_ONLINE',
    more_spool: 'SPOOL',
  },
  SPOOL: { doubted: 'CONTROL_STATE', restarted: 'ALL' },
  CONTROL_STATE: { restarted: 'ALL', incomplete: 'ALL' },
  ALL_WHEN_ONLINE: { doubted: 'ALL', restarted: 'ALL' },
  ALL: {},
}

/** What one round of questions is about; all of them end with `REPORTS`. */
type Subject = 'REPORTS' | 'CONTROL_STATE' | 'ALL'

/** From the time that communication is established until it ends. */
interface Link {
  due: Due
  /** The round under way. One that another has taken the place of changes nothing any more. */
  round: { readonly asker: AskingRound; subject: Subject } | undefined
  /** The earliest times of the next round, and of a round that an S1F13 of the equipment starts at once. */
  nextRound: number
  nextRestart: number
  cancelTimer: Cancel
  /** The equipment has sent S1F13. */
  greeted: boolean
  retries: number
  /** Rounds that may still ask for the spool; 0 when it is empty. */
  spoolRounds: number
  /** The earliest time of the next one, and the pause before it where the equipment was busy, else 0. */
  nextSpool: number
  busyPause: number
  /** An alarm that the equipment has reported is not recorded, or alarms could not be asked for; rounds that may still ask for all of them. */
  missesAlarm: boolean
  alarmRounds: number
  readonly unknown: UnknownReports
}

/**
 * What a host asks by itself, one transaction at a time: everything of `startUp` once for every time that
 * communication is established, as soon as the equipment is online; the control state whenever there is
 * reason to doubt it; and the content of reports whose definition is not known. Never rejects, and stops
 * with the link. It owns one timer.
 */
export class HostQuestions {
  /** Once for every time that communication is established, before the questions of `startUp`. */
  readonly started = new Signal<Start>()
  readonly #world: AskingWorld
  /** While communicating. */
  #link: Link | undefined
  #settled: Deferred<void> | undefined

  constructor(world: AskingWorld) {
    const learn: AskingWorld['learn'] = (sent, exchange) => {
      world.learn(sent, exchange)
      if (sent.stream === 1 && sent.function === 3) this.#settle()
    }
    this.#world = { ...world, learn }
  }

  /** Spooled messages are on their way: they describe the past. */
  get isUnloading(): boolean {
    return this.#link?.round?.asker.isUnloading ?? false
  }

  /** A round of questions is under way. */
  get isAsking(): boolean {
    return this.#link?.round !== undefined
  }

  /** Communication is established. */
  begin(): void {
    this.#link = {
      due: 'NOTHING',
      round: undefined,
      nextRound: 0,
      nextRestart: 0,
      cancelTimer: () => {},
      greeted: false,
      retries: 0,
      spoolRounds: 0,
      nextSpool: 0,
      busyPause: 0,
      missesAlarm: false,
      alarmRounds: 0,
      unknown: new UnknownReports(),
    }
    this.#take(this.#link, 'restarted')
  }

  /** Communication has ended, or is not wanted any more. */
  end(): void {
    this.#link?.cancelTimer()
    if (this.#link) dropRound(this.#link)
    this.#link = undefined
    this.#settle()
  }

  /**
   * The equipment sent S1F13 while communicating. It may have started again, and everything is asked anew: at once,
   * or as early as the interval allows. False for an S1F13 that crossed ours, which needs no new questions.
   */
  reestablished(): boolean {
    const link = this.#link
    if (!link) return false
    const crossed = !link.greeted && link.round?.subject === 'ALL'
    link.greeted = true
    if (crossed) return false
    link.unknown.clear()
    const now = this.#world.clock.now()
    // Else the round continues: equipment that sends S1F13 all the time would never be asked everything.
    if (now >= link.nextRestart) {
      link.nextRestart = now + ROUND_INTERVAL
      link.nextRound = now
      dropRound(link)
    }
    this.#take(link, 'restarted')
    return true
  }

  /** The S1F13 of the equipment established communication. */
  greeted(): void {
    if (this.#link) this.#link.greeted = true
  }

  /** A primary came. */
  receive(): void {
    this.#link?.round?.asker.receive()
  }

  /** An event came. Reports in it that are not known are asked for, after all other questions. */
  receiveEvent(report: EventReport): void {
    const link = this.#link
    if (!link || !this.#world.mayAsk() || !link.unknown.add(report, this.#world.peerNames())) return
    if (!link.round && !asksAll(link)) void this.#run(link, 'REPORTS')
  }

  /** The equipment seems to be online: what could not be asked before can be now. */
  inquireIfPending(): void {
    if (this.#link?.due === 'ALL_WHEN_ONLINE' && !this.#link.round) this.inquire()
  }

  /** A primary came from equipment that did not answer S1F1: it is asked again, a few times on one link. */
  retryIfPending(): void {
    if (this.#link?.due !== 'ALL_WHEN_ONLINE' || this.#link.round) return
    if (this.#link.retries++ < MAX_RETRIES) this.inquire()
  }

  /** Whether the equipment is online, and in which state: at once, or as early as the interval allows. */
  inquire(atOnce = false): void {
    const link = this.#link
    if (!link || !this.#world.mayAsk()) return
    if (atOnce) link.nextRound = 0
    this.#take(link, 'doubted')
  }

  /** The equipment has reported an alarm that is not recorded, and may not send it again: all its alarms are asked for. */
  missedAlarm(): void {
    const link = this.#link
    if (!link || !this.#world.mayAsk()) return
    link.missesAlarm = true
    link.alarmRounds = ALARM_ROUNDS
    this.#take(link, 'doubted')
  }

  /** Resolves once the control state has been asked for, or will not be; at once when no question is open. */
  settled(): Promise<void> {
    if (!this.#link || (!isWanted(this.#link) && !this.#link.round)) return Promise.resolve()
    this.#settled ??= deferred()
    return this.#settled.promise
  }

  #take(link: Link, trigger: 'doubted' | 'restarted'): void {
    link.due = nextState(DUE, link.due, trigger) ?? link.due
    if (!link.round) this.#schedule(link)
  }

  #schedule(link: Link): void {
    link.cancelTimer()
    if (link.due === 'NOTHING' || link.due === 'ALL_WHEN_ONLINE') return
    const run = (): void => {
      // Unknown reports that are being asked for make way.
      if (!link.round) void this.#run(link, asksAll(link) ? 'ALL' : 'CONTROL_STATE')
    }
    const next = link.due === 'SPOOL' ? link.nextSpool : link.nextRound
    if (this.#isTime(next)) run()
    else link.cancelTimer = this.#world.clock.at(next, run)
  }

  #isTime(time: number): boolean {
    return time <= this.#world.clock.now()
  }

  async #run(link: Link, subject: Subject): Promise<void> {
    const asker = new AskingRound(this.#world)
    const round = { asker, subject }
    link.round = round
    if (subject !== 'REPORTS') {
      link.due = 'NOTHING'
      link.nextRound = this.#world.clock.now() + ROUND_INTERVAL
      if (subject === 'ALL') {
        link.spoolRounds = SPOOL_ROUNDS
        link.busyPause = 0
        link.missesAlarm = false
      } else link.alarmRounds -= 1
    }
    await Promise.resolve() // a reply that gave rise to it leaves first
    const isComplete = await this.#ask(link, asker, subject)
    if (link.round !== round) return
    if (!isComplete) link.due = nextState(DUE, link.due, 'incomplete') ?? link.due
    round.subject = 'REPORTS'
    if (!isWanted(link)) this.#settle()
    const isDue = (): boolean => isWanted(link) && this.#isTime(link.nextRound)
    await askReports(asker, link.unknown, () => !asker.isOver && !isDue())
    if (link.round !== round) return
    link.round = undefined
    // The spool has not ended. Equipment that went offline in the middle of it is asked for the rest when it is back.
    const rest = asker.isOver ? 'incomplete' : 'more_spool'
    if (subject !== 'REPORTS' && link.spoolRounds > 0) link.due = nextState(DUE, link.due, rest) ?? link.due
    if (link.missesAlarm && link.alarmRounds > 0) link.due = nextState(DUE, link.due, 'doubted') ?? link.due
    if (!isWanted(link)) this.#settle()
    this.#schedule(link)
  }

  /** False where not everything was asked that is asked when communication is established. */
  async #ask(link: Link, asker: AskingRound, subject: Subject): Promise<boolean> {
    if (subject === 'REPORTS') return true
    const isStart = subject === 'ALL'
    if (!this.#world.mayAsk()) {
      if (isStart) await this.#start()
      return !isStart
    }
    if (!(await asker.isOnline())) return !isStart
    const spool = isStart
      ? await this.#startUp(link, asker)
      : await askForMore(link, asker, this.#isTime(link.nextSpool))
    // Where the round is over, nothing is known of the spool.
    if (spool && !asker.isOver) this.#afterSpool(link, spool)
    return !(isStart && asker.isOver)
  }

  async #startUp(link: Link, asker: AskingRound): Promise<SpoolOutcome> {
    const { spool, isAskedForAlarms } = await startUp(asker, async () => asker.isOver || this.#start())
    if (!isAskedForAlarms && !asker.isOver) {
      link.missesAlarm = true
      link.alarmRounds = ALARM_ROUNDS
    }
    return spool
  }

  /** Equipment that is busy may be so for hours: it is asked less and less often. */
  #afterSpool(link: Link, outcome: SpoolOutcome): void {
    const { first, most } = BUSY_PAUSE
    link.spoolRounds = outcome === 'ended' ? 0 : link.spoolRounds - 1
    link.busyPause = outcome === 'busy' ? Math.min(most, link.busyPause * 2 || first) : 0
    link.nextSpool = this.#world.clock.now() + (link.busyPause || ROUND_INTERVAL)
  }

  /** Resolves once what is to be done first has been done. */
  async #start(): Promise<void> {
    const first: Promise<unknown>[] = []
    this.started.emit({ waitFor: (work) => first.push(work) })
    await Promise.all(first)
  }

  #settle(): void {
    this.#settled?.resolve()
    this.#settled = undefined
  }
}

const asksAll = ({ due }: Link): boolean => due === 'ALL' || due === 'ALL_WHEN_ONLINE'

/** Somebody waits for the control state. */
const isWanted = ({ due }: Link): boolean => due === 'ALL' || due === 'CONTROL_STATE'

function dropRound(link: Link): void {
  link.round?.asker.stop()
  link.round = undefined
}

/** What became of the spool; undefined where it was not asked for. */
async function askForMore(
  link: Link,
  asker: AskingRound,
  isTimeForSpool: boolean,
): Promise<SpoolOutcome | undefined> {
  await askControlState(asker)
  if (link.missesAlarm) {
    link.missesAlarm = false
    if (!(await askForAlarms(asker))) link.missesAlarm = true
  }
  if (link.spoolRounds <= 0 || !isTimeForSpool) return undefined
  return askForSpool(asker, link.busyPause > 0 ? 1 : undefined)
}
