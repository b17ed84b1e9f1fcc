import { PTYPE_SECS2 } from '../../hsms/frame/header.js'
import type { DataMessage } from '../../hsms/message.js'
import { ListenError } from '../../hsms/tcp/listener.js'
import type { Clock } from '../../kit/clock.js'
import { defined } from '../../kit/defined.js'
import { Signal } from '../../kit/signal.js'
import { type Copy, CopyRoom, FrameCopies } from '../frame-copies.js'
import {
  type Observation,
  observationsOf,
  type PassedFrames,
  type RunningTap,
  type TapEvent,
} from '../observation.js'
import { selectedAfter } from '../selected-after.js'
import type { Side } from '../side.js'
import { TapCounter } from '../tap-counter.js'
import type { TapCounts } from '../tap-counts.js'
import type { TapSettings } from '../tap-settings.js'
import { Tap, type TapEvents } from './tap.js'

/** Where the PType is in a header. */
const PTYPE_AT = 4
/** Milliseconds in which connections that are refused for the same reason are told together. */
const REFUSED_MS = 1000

/** What is told without the time. */
type Untimed<E> = E extends TapEvent ? Omit<E, 'at'> : never

/** What all taps of a process share. */
export interface SharedByTaps {
  readonly room?: CopyRoom
  /** Where they listen. */
  readonly ports?: Set<number>
}

/** A tap in this process. */
export class LocalTap implements RunningTap {
  /** What happens on the link, with frames as they came. */
  readonly told = new Signal<TapEvent>()
  readonly observed = new Signal<Observation>((isObserved) => {
    this.#isObserved = isObserved
  })
  #isObserved = false
  readonly #tap: Tap
  readonly #copies: FrameCopies
  readonly #counter: TapCounter
  /** Of our primaries that are open: their numbers by their system bytes. */
  readonly #requests = new Map<number, number>()
  /** What the control messages since the last frames that were told have made of the session. */
  #isSelected: boolean | undefined
  /** Data messages since the last frames of a side that were told. */
  readonly #data = { host: 0, equipment: 0 }
  /** Connections that were refused and are not told yet, by the reason. */
  readonly #refused = {
    stranger: { connections: 0, address: '', isTold: false },
    in_use: { connections: 0, address: '', isTold: false },
  }

  constructor(
    settings: TapSettings,
    private readonly clock: Clock,
    { room = new CopyRoom(), ports = new Set<number>() }: SharedByTaps = {},
  ) {
    this.#copies = new FrameCopies(room)
    const counter = new TapCounter(clock)
    this.#counter = counter
    const events: TapEvents = {
      paired: (endpoints) => {
        counter.paired(endpoints)
        this.#tell({ kind: 'paired', endpoints })
      },
      over: (first, how, isReplaced) => {
        counter.over(first, how)
        this.#copies.clear()
        this.#requests.clear()
        Object.assign(this.#data, { host: 0, equipment: 0 })
        this.#tell({ kind: 'over', first, how, ...(isReplaced && { isReplaced }) })
      },
      notDialled: (detail) => {
        counter.notDialled(detail)
        this.#tell({ kind: 'not_dialled', detail })
      },
      refused: (address, why) => {
        counter.refused(address, why)
        this.#tellRefused(address, why)
      },
      took: (from, bytes, ms) => counter.took(from, bytes, ms),
      held: (by, ms) => counter.held(by, ms),
      data: (from, bytes, at) => {
        counter.data(from, bytes, at)
        if (bytes[at + PTYPE_AT] === PTYPE_SECS2) this.#data[from]++
      },
      control: (from, header) => {
        counter.control(from, header)
        this.#isSelected = selectedAfter(header) ?? this.#isSelected
      },
      whole: (from, bytes, count) => {
        const messages = this.#dataOf(from)
        this.#copied(messages, () => this.#frames(from, { bytes: bytes.slice(), count, messages }))
      },
      begun: (...frame) => {
        if (frame[3] !== undefined) counter.mapped()
        this.#copied(0, () => this.#copies.begin(...frame))
      },
      body: (from, bytes) => this.#copied(0, () => this.#copies.add(from, bytes)),
      ended: (from) => {
        const messages = this.#dataOf(from)
        this.#copied(messages, () => {
          const copy = this.#copies.end(from)
          if (copy) this.#frames(from, { ...copy, count: 1, messages })
          else this.#missed(messages)
        })
      },
      unreadable: (from) => {
        counter.unreadable(from)
        this.#tell({ kind: 'unreadable', from })
      },
      sent: (frame, request) => {
        counter.sent()
        this.#tell({ kind: 'sent', request, frame })
      },
      replied: (systemBytes, frame) => {
        counter.replied()
        const request = this.#requests.get(systemBytes) ?? null
        this.#requests.delete(systemBytes)
        this.#tell({ kind: 'replied', request, frame })
      },
    }
    this.#tap = new Tap(settings, clock, events, ports)
  }

  /** Listens, or tells why it cannot. */
  async start(): Promise<void> {
    try {
      const port = await this.#tap.start()
      this.#counter.listens(port)
      this.#tell({ kind: 'listening', port })
    } catch (error) {
      if (!(error instanceof ListenError)) throw error
      this.#counter.cannotListen(error.message)
      this.#tell({ kind: 'not_listening', detail: error.message })
    }
  }

  async stop(): Promise<void> {
    void this.end()
  }

  /** Ends the link. Resolves once both connections have ended, which takes 10 s at most. */
  end(): Promise<void> {
    return this.#tap.stop()
  }

  leave(): Promise<void> {
    return this.stop()
  }

  ask(request: number, message: Omit<DataMessage, 'systemBytes'>): void {
    const systemBytes = this.#tap.line?.send(message, request)
    if (systemBytes === undefined) this.#tell({ kind: 'not_sent', request })
    else this.#requests.set(systemBytes, request)
  }

  giveUp(request: number): void {
    for (const [systemBytes, one] of this.#requests) {
      if (one !== request) continue
      this.#requests.delete(systemBytes)
      if (this.#tap.line?.giveUp(systemBytes)) this.#tell({ kind: 'not_sent', request })
    }
  }

  /** Host and equipment are both connected. */
  get isPaired(): boolean {
    return this.#tap.line !== undefined
  }

  /** Nobody waits for a reply any more: who asked has ended. */
  giveUpAll(): void {
    for (const request of [...this.#requests.values()]) this.giveUp(request)
  }

  get counts(): TapCounts {
    return this.#counter.counts
  }

  async count(): Promise<TapCounts> {
    return this.counts
  }

  /** Who looks is in this process, and ends with it. */
  recorded(): void {}

  /** A fault of a copy, such as no memory for it, is no fault of the line. */
  #copied(messages: number, copy: () => void): void {
    try {
      copy()
    } catch {
      this.#missed(messages)
    }
  }

  /** Data messages of a side that are told now. */
  #dataOf(from: Side): number {
    const messages = this.#data[from]
    this.#data[from] = 0
    return messages
  }

  #frames(
    from: Side,
    { mapped, ...frames }: Pick<PassedFrames, 'bytes' | 'count' | 'messages'> & Partial<Pick<Copy, 'mapped'>>,
  ): void {
    const isSelected = this.#isSelected
    this.#isSelected = undefined
    this.#tell({ kind: 'frames', from, ...frames, ...defined({ mapped, isSelected }) })
  }

  #missed(messages: number): void {
    if (messages > 0) this.#tell({ kind: 'gap', messages, since: this.clock.date().getTime() })
  }

  /** Whoever calls again and again does not make others wait who are told of it. */
  #tellRefused(address: string, why: 'stranger' | 'in_use'): void {
    const refused = this.#refused[why]
    refused.connections++
    refused.address = address
    if (refused.isTold) return
    const tell = (): void => {
      if (refused.connections === 0) return
      this.#tell({ kind: 'refused', address: refused.address, why, connections: refused.connections })
      refused.connections = 0
      refused.isTold = true
      this.clock.at(this.clock.now() + REFUSED_MS, () => {
        refused.isTold = false
        tell()
      })
    }
    tell()
  }

  #tell(untimed: Untimed<TapEvent>): void {
    const event = { ...untimed, at: this.clock.date().getTime() } as TapEvent
    this.told.emit(event)
    if (this.#isObserved) for (const observation of observationsOf(event)) this.observed.emit(observation)
  }
}
