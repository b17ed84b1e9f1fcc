import { CatalogueError } from '../../catalogue/catalogue.js'
import { type Given, type KnownMessage, type MessageFrom, numbersOf } from '../../catalogue/known-message.js'
import type { NamedValues } from '../../catalogue/values/read.js'
import type { Cancel, Clock } from '../../kit/clock.js'
import type { Conversation, Exchange, PeerView, SecsMessage } from '../conversation.js'
import { inUsualFormats } from '../role.js'
import type { PeerNames } from './peer-names.js'
import type { RefusedQuestions } from './refused-questions.js'

export interface AskingWorld {
  readonly conversation: Conversation
  readonly clock: Clock
  readonly view: () => PeerView
  readonly peerNames: () => PeerNames
  /** Whether anything may be asked at all. */
  readonly mayAsk: () => boolean
  /** Primaries have come that get their replies later: until then equipment sends no other one of its spool. */
  readonly isRecording: () => boolean
  readonly refused: RefusedQuestions
  /** Takes each transaction that has ended. */
  readonly learn: (sent: SecsMessage, exchange: Exchange) => void
}

/** After so many milliseconds without a primary the equipment has sent its spool, or as much as it may send at once. */
const QUIET_MS = 3000
const MAX_UNLOAD_MS = 60_000
/** When callers have all transactions open, a question waits for so many milliseconds, and so often. */
const BUSY_PAUSE = 1000
const BUSY_TRIES = 30
/** For a question that equipment need not answer, in milliseconds; T3 where that is shorter. */
const OPTIONAL_T3 = 10_000
const LOST: Exchange = { kind: 'lost' }
const REFUSED: Exchange = { kind: 'aborted' }

/** One round of questions over one link. It ends with the link, or when the equipment proves to be offline. */
export class AskingRound {
  #over = false
  #unloading = false
  #received = 0
  #receivedBefore = 0
  #endPause: () => void = () => {}

  constructor(private readonly world: AskingWorld) {}

  get names(): PeerNames {
    return this.world.peerNames()
  }

  get isOver(): boolean {
    return this.#over
  }

  /** Received messages may have been spooled, and then describe the past. */
  get isUnloading(): boolean {
    return this.#unloading
  }

  /** Asks nothing any more. */
  stop(): void {
    this.#over = true
    this.#endPause()
  }

  /** A primary came. */
  receive(): void {
    this.#received++
  }

  /** S1F1. When the equipment does not say that it is online, the round is over. */
  async isOnline(): Promise<boolean> {
    const { kind } = await this.#transact(this.#built('S1F1', {}))
    if (kind !== 'replied') this.#over = true
    return kind === 'replied'
  }

  /**
   * Asks for something that equipment need not answer. A question that the equipment refused once, or did not answer in
   * time while it answered S1F1, is not sent again until it has other software or has answered it to a caller. After the
   * end of the round nothing is sent, and every question ends as `lost`.
   */
  readonly ask = async <Name extends MessageFrom<'host'>>(
    message: Name & KnownMessage,
    data: Given<Name, 'host'>,
  ): Promise<Exchange> => {
    return this.#ask(message, () => this.#built(message, data as unknown as NamedValues))
  }

  /** The same with a body that is made already; `question` is its name in the list of refused questions. */
  readonly askBy = (question: string, message: SecsMessage): Promise<Exchange> =>
    this.#ask(question, () => message)

  /** The acknowledge code in a reply; undefined when there is none. */
  readonly codeOf = (stream: number, fn: number, exchange: Exchange): number | undefined =>
    exchange.kind === 'replied'
      ? this.world.view().catalogue.acknowledgement(stream, fn, exchange.item)?.code
      : undefined

  /**
   * Resolves when the equipment has sent no primary for a while, or after a minute at the latest (`never`): messages that
   * it sends all the time need not be its spool. `some`: a primary has come since the last question.
   */
  readonly untilQuiet = async (): Promise<'none' | 'some' | 'never'> => {
    const { clock } = this.world
    const latest = clock.now() + MAX_UNLOAD_MS
    const isQuiet = (before: number): boolean => before === this.#received && !this.world.isRecording()
    for (let before = -1; !isQuiet(before) && !this.#over; ) {
      if (clock.now() >= latest) return 'never'
      before = this.#received
      await this.#wait(QUIET_MS)
    }
    return this.#received > this.#receivedBefore ? 'some' : 'none'
  }

  readonly pause = (milliseconds: number): Promise<void> => {
    this.#unloading = false
    return this.#wait(milliseconds)
  }

  #wait(milliseconds: number): Promise<void> {
    if (this.#over) return Promise.resolve()
    const { clock } = this.world
    return new Promise((resolve) => {
      const cancel: Cancel = clock.at(clock.now() + milliseconds, resolve)
      this.#endPause = () => {
        cancel()
        resolve()
      }
    })
  }

  async #ask(question: string, built: () => SecsMessage | undefined): Promise<Exchange> {
    if (this.world.refused.has(question) || this.names.isRefused(question)) return this.#over ? LOST : REFUSED
    // Spooled messages may arrive together with S6F24.
    this.#unloading = question === 'S6F23'
    const exchange = await this.#transact(built(), OPTIONAL_T3)
    const { kind } = exchange
    // An abort means that it does not know the message, or that it has gone offline; no reply, that it does not know
    // the message, or that it answers nothing at all.
    const isUnclear = kind === 'aborted' || kind === 'timed_out'
    const isUnsupported = kind === 'error' || kind === 'rejected' || (isUnclear && (await this.isOnline()))
    if (isUnsupported) this.world.refused.add(question)
    return exchange
  }

  async #transact(sent: SecsMessage | undefined, t3?: number): Promise<Exchange> {
    if (!sent) return { kind: 'error' }
    for (let attempt = 1; !this.#over; attempt++) {
      this.#receivedBefore = this.#received
      const { conversation, learn } = this.world
      const exchange = await conversation.request(sent, (ended) => learn(sent, ended), t3)
      if (exchange.kind === 'lost') this.#over = true
      if (exchange.kind !== 'busy' || attempt === BUSY_TRIES) return exchange
      await this.#wait(BUSY_PAUSE)
    }
    return LOST
  }

  /** Undefined when the formats that were given for this equipment cannot hold it. */
  #built(message: KnownMessage, data: NamedValues): SecsMessage | undefined {
    const view = { ...this.world.view(), sender: 'host' } as const
    try {
      const item = inUsualFormats(view, (usual) => view.catalogue.buildKnown(message, data, usual))
      return { ...numbersOf(message), item }
    } catch (error) {
      if (error instanceof CatalogueError) return undefined
      throw error
    }
  }
}
