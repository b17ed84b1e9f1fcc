import { nextState, type StateTable } from '../kit/state-table.js'
import type { Exchange } from './conversation.js'

/** E30's communication states as either side sees them. `NOT_COMMUNICATING`: communication is enabled, and there is no link. */
export type CommunicationState =
  | 'DISABLED'
  | 'NOT_COMMUNICATING'
  | 'WAIT_CRA' // our S1F13 waits for its reply
  | 'WAIT_DELAY' // our S1F13 failed; the establish-communications delay runs
  | 'COMMUNICATING'

export type CommunicationTrigger =
  | 'enable' // communication is enabled
  | 'disable'
  | 'assumed' // S1F13 is not used: a selected link is enough
  | 'ask' // the link is selected, or the delay is over: S1F13 goes out
  | 'asked' // the peer's S1F13 is accepted
  | 'accepted' // S1F14 with COMMACK 0
  | 'failed' // S1F14 with another COMMACK, no S1F14 within T3, or S1F13 could not be sent
  | 'link_lost'

/** The communication state machine (SEMI E30). The diagram in docs/state-machines.md is printed from this table. */
export const COMMUNICATION_STATES: StateTable<CommunicationState, CommunicationTrigger> = {
  DISABLED: { enable: 'NOT_COMMUNICATING' },
  NOT_COMMUNICATING: { assumed: 'COMMUNICATING', ask: 'WAIT_CRA', disable: 'DISABLED' },
  WAIT_CRA: {
    assumed: 'COMMUNICATING',
    asked: 'COMMUNICATING',
    accepted: 'COMMUNICATING',
    failed: 'WAIT_DELAY',
    link_lost: 'NOT_COMMUNICATING',
    disable: 'DISABLED',
  },
  WAIT_DELAY: {
    assumed: 'COMMUNICATING',
    ask: 'WAIT_CRA',
    asked: 'COMMUNICATING',
    accepted: 'COMMUNICATING',
    link_lost: 'NOT_COMMUNICATING',
    disable: 'DISABLED',
  },
  COMMUNICATING: { failed: 'WAIT_DELAY', link_lost: 'NOT_COMMUNICATING', disable: 'DISABLED' },
}

/** How an S1F13 of ours ended: `commack` is undefined when the S1F14 cannot be read. */
export type Establishment =
  | { readonly kind: 'replied'; readonly commack: number | undefined }
  | Exclude<Exchange, { kind: 'replied' }>

export type CommunicationInput =
  | { readonly kind: 'enable' }
  | { readonly kind: 'disable' }
  | { readonly kind: 'selected' }
  | { readonly kind: 'link_lost' }
  /** Whether S1F13 is wanted may have changed. */
  | { readonly kind: 'reconsider' }
  | { readonly kind: 'asked' }
  /** The peer does not know S1F13: a selected link is enough until it shows that it does. `cause` is for people. */
  | { readonly kind: 'assume'; readonly cause: string }
  /** An S1F14 came after its transaction had ended. */
  | { readonly kind: 'late_reply' }
  /** `attempt` as the `ask` had it; undefined for an S1F13 that a caller sent over the same link. */
  | { readonly kind: 'ended'; readonly attempt: number | undefined; readonly how: Establishment }
  /** The deadline has come. */
  | { readonly kind: 'tick' }

export type CommunicationOutput =
  /** Send S1F13, and report how it ended with the same number. */
  | { readonly kind: 'ask'; readonly attempt: number }
  | {
      readonly kind: 'change'
      readonly from: CommunicationState
      readonly to: CommunicationState
      readonly cause: string
    }
  | { readonly kind: 'denied'; readonly denial: Denial }

/** Why communication could not be established. */
export interface Denial {
  readonly code: 'communication_denied' | 'communication_timeout'
  readonly detail: string
  /** Whether the peer answered S1F13 as GEM requires it, even if it refused. */
  readonly knowsGem: boolean
  /** The peer answered with SxF0. */
  readonly isAborted: boolean
  /** The peer sent stream 9 about S1F13, or another function than S1F14. */
  readonly isError: boolean
}

/** Reject reason 4, "not selected". */
const REJECTED_NOT_SELECTED = 4
/** How often in a row such a Reject makes us ask again at once, for a peer that selects before it is ready. */
const RACES_FORGIVEN = 3

/** Establishes communication and tracks its state. No I/O: the owner carries out the actions that `handle` returns. */
export class CommunicationMachine {
  #state: CommunicationState = 'DISABLED'
  #linked = false
  /** The number of the S1F13 that WAIT_CRA waits for; answers to earlier ones are ignored. */
  #attempt = 0
  #races = 0
  #deadline: number | undefined

  /** The state was assumed, and no S1F13 was sent by either side. */
  #assumed = false
  /** Why the peer is taken to have no S1F13; undefined while it is not. */
  #unknown: string | undefined

  /**
   * `delay`: from a failed S1F13 to the next, in milliseconds; asked for whenever one begins. Where `establishes` is
   * false the peer has no GEM: a selected link is enough, and S1F13 is neither sent nor expected.
   */
  constructor(
    private readonly delay: () => number,
    private readonly establishes: () => boolean = () => true,
  ) {}

  get state(): CommunicationState {
    return this.#state
  }

  /** Why the peer is treated as one without S1F13, though it is not registered as such; undefined where it is not. */
  get withoutS1F13(): string | undefined {
    return this.#unknown
  }

  /** When `handle` wants a `tick`, in the time of its `now`. */
  get deadline(): number | undefined {
    return this.#deadline
  }

  handle(input: CommunicationInput, now: number): CommunicationOutput[] {
    switch (input.kind) {
      case 'enable': {
        const enabled = this.#take('enable', 'communication is enabled')
        return this.#linked ? [...enabled, ...this.#begin('the link is selected')] : enabled
      }
      case 'disable':
        return this.#take('disable', 'communication is disabled')
      case 'selected':
        this.#linked = true
        this.#races = 0
        return this.#begin('the link is selected')
      case 'reconsider':
        return this.#reconsider()
      case 'link_lost':
        this.#linked = false
        return this.#take('link_lost', 'the link is lost')
      case 'asked':
        return this.#unknown === undefined
          ? this.#take('asked', 'the peer sent S1F13')
          : this.#regain('asked', 'the peer sent S1F13')
      case 'assume':
        return this.#assume(input.cause)
      case 'late_reply':
        if (this.#unknown === undefined) return []
        return [...this.#take('failed', 'the peer sent S1F14'), ...this.#ask('the peer sent S1F14')]
      case 'ended':
        return this.#ended(input.attempt, input.how, now)
      case 'tick':
        return this.#deadline !== undefined && this.#deadline <= now ? this.#begin('the delay is over') : []
    }
  }

  #begin(cause: string): CommunicationOutput[] {
    if (this.establishes()) return this.#ask(cause)
    return this.#take('assumed', 'the link is selected, and S1F13 is not used')
  }

  #assume(cause: string): CommunicationOutput[] {
    if (this.#state !== 'WAIT_DELAY') return []
    const change = this.#take('assumed', cause)
    this.#unknown = cause
    return change
  }

  /** A peer that was taken to have no S1F13 has it: communication begins anew. */
  #regain(trigger: 'asked' | 'accepted', cause: string): CommunicationOutput[] {
    return [...this.#take('failed', cause), ...this.#take(trigger, cause)]
  }

  #reconsider(): CommunicationOutput[] {
    if (!this.#linked) return []
    if (!this.establishes()) {
      // What the peer was taken for is what it is registered as now.
      this.#unknown = undefined
      return this.#begin('')
    }
    if (this.#unknown !== undefined) return []
    if (!this.#assumed) return []
    const cause = 'S1F13 is used from now on'
    return [...this.#take('failed', cause), ...this.#ask(cause)]
  }

  #take(trigger: CommunicationTrigger, cause: string): CommunicationOutput[] {
    const from = this.#state
    const to = nextState(COMMUNICATION_STATES, from, trigger)
    if (to === undefined) return []
    this.#state = to
    this.#deadline = undefined
    this.#assumed = trigger === 'assumed'
    this.#unknown = undefined
    return [{ kind: 'change', from, to, cause }]
  }

  #ask(cause: string): CommunicationOutput[] {
    const change = this.#take('ask', cause)
    return change.length === 0 ? [] : [...change, { kind: 'ask', attempt: ++this.#attempt }]
  }

  #ended(attempt: number | undefined, how: Establishment, now: number): CommunicationOutput[] {
    // Either side's success is enough: how our own S1F13 ends matters only while it is waited for.
    const stale = attempt !== undefined && (attempt !== this.#attempt || this.#state !== 'WAIT_CRA')
    if (stale || !this.establishes()) return []
    const isAccepted = how.kind === 'replied' && how.commack === 0
    if (this.#unknown !== undefined) return isAccepted ? this.#regain('accepted', 'S1F14 accepted') : []
    if (isAccepted) return this.#take('accepted', 'S1F14 accepted')
    // A caller's S1F13 that failed changes nothing while ours is still open.
    if (attempt === undefined && this.#state !== 'COMMUNICATING') return []
    if (attempt !== undefined && how.kind === 'rejected' && how.reason === REJECTED_NOT_SELECTED) {
      this.#races += 1
      if (this.#races <= RACES_FORGIVEN) return [{ kind: 'ask', attempt: ++this.#attempt }]
    }
    // A message that did not reach the peer does not show whether it still communicates.
    if (how.kind === 'lost' || how.kind === 'busy') {
      return attempt === undefined ? [] : this.#failed(UNSENT[how.kind], now)
    }
    const denial = denialOf(how)
    return [...this.#failed(denial.detail, now), { kind: 'denied', denial }]
  }

  #failed(cause: string, now: number): CommunicationOutput[] {
    const change = this.#take('failed', cause)
    if (change.length > 0) this.#deadline = now + this.delay()
    return change
  }
}

const UNSENT = {
  lost: 'S1F13 was lost with the connection',
  busy: 'S1F13 could not be sent: too many transactions are open',
} as const
const UNREADABLE = 'replied to S1F13 with an S1F14 that cannot be read'

function denialOf(how: Exclude<Establishment, { kind: keyof typeof UNSENT }>): Denial {
  const denied = (detail: string, knowsGem: boolean): Denial => ({
    code: how.kind === 'timed_out' ? 'communication_timeout' : 'communication_denied',
    detail: `the equipment ${detail}`,
    knowsGem,
    isAborted: how.kind === 'aborted',
    isError: how.kind === 'error' && !how.unreadable,
  })
  switch (how.kind) {
    case 'replied': {
      const { commack } = how
      return denied(commack === undefined ? UNREADABLE : `refused to communicate: COMMACK ${commack}`, true)
    }
    case 'aborted':
      return denied('replied to S1F13 with S1F0', false)
    case 'rejected':
      return denied(`rejected S1F13 with reason ${how.reason}`, false)
    case 'error':
      return how.unreadable ? denied(UNREADABLE, true) : denied('replied to S1F13 with an error', false)
    case 'timed_out':
      return denied('did not reply to S1F13 within T3', false)
  }
}
