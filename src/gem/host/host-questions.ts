import type { Cancel } from '../../kit/clock.js'
import { type Deferred, deferred } from '../../kit/deferred.js'
import { Signal } from '../../kit/signal.js'
import type { Conversation, Exchange, SecsMessage } from '../conversation.js'
import { AskingRound, type QuestionsWorld } from './asking-round.js'
import { askControlState, askForSpool, askReports, startUp } from './host-startup.js'
import type { EventReport } from './peer-names.js'
import { UnknownReports } from './unknown-reports.js'

/** Between two rounds that something in the equipment's behaviour gives rise to, in milliseconds. */
const ROUND_INTERVAL = 10_000
/** Rounds on one link that ask for the rest of the spool. */
const SPOOL_ROUNDS = 500
/** How often equipment that sends, but does not answer S1F1, is asked once more. */
const MAX_RETRIES = 3

/** The equipment communicates and, where it may be asked, is online. */
export interface Start {
  /** What has to be done first: the host asks nothing more before it has ended. */
  waitFor(work: Promise<unknown>): void
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
  /** While communicating. One that another has taken the place of changes nothing any more. */
  #round: AskingRound | undefined
  #communicating = false
  /** The questions of `startUp` have not been asked since communication was established. */
  #isPending = false
  /** The equipment has sent S1F13 on this link. */
  #greeted = false
  /** It sent another S1F13 soon after the last: everything is asked again when the interval is over. */
  #again = false
  #lastRestart = Number.NEGATIVE_INFINITY
  #retries = 0
  #wanted = false
  /** Rounds that may still ask for the spool; 0 when it is empty. */
  #spoolRounds = 0
  #lastRound = Number.NEGATIVE_INFINITY
  #cancelTimer: Cancel = () => {}
  #received = 0
  #settled: Deferred<void> | undefined
  #software: string | undefined
  readonly #refused = new Set<string>()
  readonly #unknown = new UnknownReports()

  /** `learn` takes each transaction that has ended. */
  constructor(
    private readonly conversation: Conversation,
    private readonly world: QuestionsWorld,
    private readonly learn: (sent: SecsMessage, exchange: Exchange) => void,
  ) {}

  /** Spooled messages are on their way: they describe the past. */
  get isUnloading(): boolean {
    return this.#round?.isUnloading ?? false
  }

  /** Communication is established. */
  begin(): void {
    this.#communicating = true
    this.#isPending = true
    this.#greeted = false
    this.#again = false
    this.#retries = 0
    this.#spoolRounds = SPOOL_ROUNDS
    this.#lastRound = Number.NEGATIVE_INFINITY
    this.#lastRestart = Number.NEGATIVE_INFINITY
    this.#want()
  }

  /** Communication has ended, or is not wanted any more. */
  end(): void {
    this.#communicating = false
    this.#wanted = false
    this.#cancelTimer()
    this.#dropRound()
    this.#unknown.clear()
    this.#settle()
  }

  /**
   * The equipment sent S1F13 while communicating. It may have started again, and everything is asked anew: at once,
   * or as early as the interval allows. False for an S1F13 that crossed ours, which needs no new questions.
   */
  reestablished(): boolean {
    if (!this.#communicating) return false
    const crossed = !this.#greeted && this.#isPending && this.#round !== undefined
    this.#greeted = true
    if (crossed) return false
    this.#unknown.clear()
    const now = this.world.clock.now()
    if (now - this.#lastRestart < ROUND_INTERVAL) {
      // The round continues: equipment that sends S1F13 all the time would never be asked everything.
      this.#again = true
      if (!this.#round) this.#restart()
    } else {
      this.#lastRestart = now
      this.#lastRound = Number.NEGATIVE_INFINITY
      this.#dropRound()
      this.#restart()
    }
    return true
  }

  /** The S1F13 of the equipment established communication. */
  greeted(): void {
    this.#greeted = true
  }

  /** A primary came. */
  receive(): void {
    this.#received += 1
  }

  /** An event came. Reports in it that are not known are asked for, after all other questions. */
  receiveEvent(report: EventReport): void {
    if (!this.#communicating || !this.world.mayAsk()) return
    const isNew = this.#unknown.add(report, this.world.peerNames())
    if (isNew && !this.#round && !this.#isPending) void this.#runForReports()
  }

  /** The equipment answered a primary with this secondary, to any caller and however late: it supports the message. */
  answered(stream: number, fn: number): void {
    this.#refused.delete(`S${stream}F${fn - 1}`)
  }

  /** The equipment reports MDLN and SOFTREV. Software that has changed may know other messages. */
  meet(software: string): void {
    if (this.#software !== software) this.#refused.clear()
    this.#software = software
  }

  /** The equipment seems to be online: what could not be asked before can be now. */
  inquireIfPending(): void {
    if (this.#isPending && !this.#round) this.inquire()
  }

  /** A primary came from equipment that did not answer S1F1: it is asked again, a few times on one link. */
  retryIfPending(): void {
    if (!this.#isPending || this.#round || this.#wanted || this.#retries >= MAX_RETRIES) return
    this.#retries += 1
    this.inquire()
  }

  /** Whether the equipment is online, and in which state: at once, or as early as the interval allows. */
  inquire(atOnce = false): void {
    if (!this.#communicating || !this.world.mayAsk()) return
    if (atOnce) this.#lastRound = Number.NEGATIVE_INFINITY
    this.#want()
  }

  /** Resolves once the control state has been asked for, or will not be; at once when no question is open. */
  settled(): Promise<void> {
    if (!this.#wanted && !this.#round) return Promise.resolve()
    this.#settled ??= deferred()
    return this.#settled.promise
  }

  #want(): void {
    this.#wanted = true
    if (!this.#round) this.#schedule()
  }

  /** Everything is asked from the beginning. */
  #restart(): void {
    this.#again = false
    this.#isPending = true
    this.#spoolRounds = SPOOL_ROUNDS
    this.#want()
  }

  #isCurrent(round: AskingRound): boolean {
    return this.#round === round
  }

  #dropRound(): void {
    this.#round?.stop()
    this.#round = undefined
  }

  #schedule(): void {
    const { clock } = this.world
    const at = this.#lastRound + ROUND_INTERVAL
    this.#cancelTimer()
    if (at <= clock.now()) void this.#run()
    else this.#cancelTimer = clock.at(at, () => void this.#run())
  }

  async #run(): Promise<void> {
    // Unknown reports are being asked for, and make way.
    if (this.#round) {
      this.#wanted = true
      return
    }
    const { clock } = this.world
    const round = this.#begun()
    this.#wanted = false
    this.#lastRound = clock.now()
    await Promise.resolve() // a reply that gave rise to it leaves first
    if (!this.world.mayAsk()) await this.#start()
    else if (await round.isOnline()) await this.#askAll(round)
    if (!this.#isCurrent(round)) return
    if (!this.#wanted) this.#settle()
    await this.#askReports(round)
    if (!this.#isCurrent(round)) return
    this.#round = undefined
    const goesOn = this.#spoolRounds > 0 && !this.#isPending
    // Equipment that went offline in the middle of it is asked for the rest when it is back.
    if (round.isOver) this.#isPending ||= goesOn
    else if (goesOn) this.#lastRound = clock.now()
    if (this.#again) return this.#restart()
    if (!this.#wanted) this.#settle()
    if (this.#wanted || (goesOn && !round.isOver)) this.#schedule()
  }

  async #askAll(round: AskingRound): Promise<void> {
    const isStart = this.#isPending
    const more = isStart
      ? await startUp(round, async () => round.isOver || this.#start())
      : await this.#goOn(round)
    if (!this.#isCurrent(round)) return
    this.#spoolRounds = more ? this.#spoolRounds - 1 : 0
    if (isStart && !round.isOver) this.#isPending = false
  }

  /** Resolves once what is to be done first has been done. */
  async #start(): Promise<void> {
    const first: Promise<unknown>[] = []
    this.started.emit({ waitFor: (work) => first.push(work) })
    await Promise.all(first)
  }

  async #runForReports(): Promise<void> {
    const round = this.#begun()
    await Promise.resolve() // the reply to the event leaves first
    await this.#askReports(round)
    if (!this.#isCurrent(round)) return
    this.#round = undefined
    if (this.#again) return this.#restart()
    if (this.#wanted) this.#schedule()
  }

  #begun(): AskingRound {
    this.#round = new AskingRound({
      ...this.world,
      conversation: this.conversation,
      refused: this.#refused,
      received: () => this.#received,
      learn: (sent, exchange) => {
        this.learn(sent, exchange)
        if (sent.stream === 1 && sent.function === 3) this.#settle()
      },
    })
    return this.#round
  }

  #askReports(round: AskingRound): Promise<void> {
    const { clock } = this.world
    const isDue = (): boolean => this.#wanted && this.#lastRound + ROUND_INTERVAL <= clock.now()
    return askReports(round, this.#unknown, () => !round.isOver && !isDue())
  }

  async #goOn(round: AskingRound): Promise<boolean> {
    await askControlState(round)
    return this.#spoolRounds > 0 && (await askForSpool(round))
  }

  #settle(): void {
    this.#settled?.resolve()
    this.#settled = undefined
  }
}
