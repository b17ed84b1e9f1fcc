import { connect, type Socket } from 'node:net'
import type { DataMessage } from '../../hsms/message.js'
import type { Cancel, Clock } from '../../kit/clock.js'
import { Signal } from '../../kit/signal.js'
import type { Observation, RunningTap } from '../observation.js'
import type { TapSettings } from '../tap-settings.js'
import { encodePacket, type Hello, type Order, PacketReader, TAP_VERSION, type Told } from './tap-messages.js'

/** Milliseconds between two attempts to reach the process. */
const RETRY_MS = 200
/** Milliseconds in which a process that was launched has to be there, before another one is. */
const LAUNCH_MS = 5_000
const NOTHING = new Uint8Array()

export interface TapClientWorld {
  readonly clock: Clock
  /** The local socket of the process. Throws where there can be none. */
  readonly path: () => string
  /** Starts the process, which outlives this one. */
  readonly launch: () => void
  /** A fault of the process or on the way to it, for the log. */
  readonly failed: (detail: string) => void
}

/** The daemon's side of the process of the taps: reaches it, starts it where it is not there, and tells each tap's link. */
export class TapClient {
  readonly #taps = new Map<string, RemoteTap>()
  #socket: Socket | undefined
  /** Hello has come: orders are understood. */
  #isUnderstood = false
  #launchedAt: number | undefined
  #cancel: Cancel = () => {}
  #isClosed = false

  constructor(private readonly world: TapClientWorld) {}

  /** The tap of an equipment. It is not started. */
  open(id: string, settings: TapSettings): RunningTap {
    return new RemoteTap(id, settings, this.world.clock, {
      order: (order, body) => this.#order(order, body),
      start: (tap) => {
        this.#taps.set(id, tap)
        if (!this.#order({ kind: 'run', id, settings })) this.#reach()
      },
      stop: (tap) => {
        if (this.#forget(tap)) this.#order(this.#taps.size === 0 ? { kind: 'end' } : { kind: 'stop', id })
      },
      leave: (tap) => void this.#forget(tap),
    })
  }

  /** True where it was the tap of its equipment, and not replaced by another one. */
  #forget(tap: RemoteTap): boolean {
    return this.#taps.get(tap.id) === tap && this.#taps.delete(tap.id)
  }

  /** All taps that should run do: others that an earlier daemon has left end. */
  settle(): void {
    if (this.#taps.size > 0) this.#order({ kind: 'only', ids: [...this.#taps.keys()] })
  }

  /** Looks no more; the links go on. */
  close(): void {
    this.#isClosed = true
    this.#cancel()
    this.#socket?.end()
  }

  /** False where the process cannot be reached now. */
  #order(order: Order, body: Uint8Array = NOTHING): boolean {
    if (this.#isUnderstood) this.#socket?.write(encodePacket({ head: order, body }))
    return this.#isUnderstood
  }

  #reach(): void {
    if (this.#isClosed || this.#socket || this.#taps.size === 0) return
    let path: string
    try {
      path = this.world.path()
    } catch (error) {
      return this.world.failed((error as Error).message)
    }
    const socket = connect(path)
    const reader = new PacketReader()
    this.#socket = socket
    socket.on('error', () => this.#launch())
    socket.on('data', (chunk) => {
      try {
        for (const { head, body } of reader.read(chunk)) this.#take(head as Hello | Told, body)
      } catch (error) {
        this.world.failed((error as Error).message)
        socket.destroy()
      }
    })
    socket.on('close', () => this.#lost())
  }

  #lost(): void {
    const wasUnderstood = this.#isUnderstood
    this.#socket = undefined
    this.#isUnderstood = false
    if (this.#isClosed) return
    if (wasUnderstood && this.#taps.size > 0) {
      this.world.failed('the process of the taps has ended')
      for (const tap of this.#taps.values()) tap.lost()
    }
    const { clock } = this.world
    this.#cancel = clock.at(clock.now() + RETRY_MS, () => this.#reach())
  }

  #launch(): void {
    const now = this.world.clock.now()
    if (this.#isClosed || (this.#launchedAt !== undefined && now - this.#launchedAt < LAUNCH_MS)) return
    this.#launchedAt = now
    this.world.launch()
  }

  #take(head: Hello | Told, body: Uint8Array): void {
    if (!('kind' in head)) return this.#taps.get(head.id)?.told(head.observation, body)
    this.#isUnderstood = true
    if (head.version !== TAP_VERSION) {
      this.world.failed(
        `the process of the taps is of another version (${head.version}): its links are opened anew`,
      )
      this.#order({ kind: 'end' })
      return
    }
    for (const { id, settings } of this.#taps.values()) this.#order({ kind: 'run', id, settings })
  }
}

interface RemoteTapWorld {
  /** False where the process cannot be reached now. */
  readonly order: (order: Order, body?: Uint8Array) => boolean
  readonly start: (tap: RemoteTap) => void
  readonly stop: (tap: RemoteTap) => void
  readonly leave: (tap: RemoteTap) => void
}

/** The link of one tap in the process. */
class RemoteTap implements RunningTap {
  readonly observed = new Signal<Observation>()
  #isPaired = false
  /** So many are recorded that the process does not know of yet. */
  #recorded = 0

  constructor(
    readonly id: string,
    readonly settings: TapSettings,
    private readonly clock: Clock,
    private readonly world: RemoteTapWorld,
  ) {}

  async start(): Promise<void> {
    this.world.start(this)
  }

  stop(): void {
    this.world.stop(this)
  }

  leave(): void {
    this.world.leave(this)
  }

  ask(request: number, { body, ...message }: Omit<DataMessage, 'systemBytes'>): void {
    if (this.world.order({ kind: 'ask', id: this.id, request, message }, body)) return
    this.observed.emit({ kind: 'not_sent', request, at: this.#now })
  }

  giveUp(request: number): void {
    this.world.order({ kind: 'give_up', id: this.id, request })
  }

  recorded(count: number): void {
    if (this.#recorded === 0)
      setImmediate(() => {
        this.world.order({ kind: 'recorded', id: this.id, count: this.#recorded })
        this.#recorded = 0
      })
    this.#recorded += count
  }

  get #now(): number {
    return this.clock.date().getTime()
  }

  told(observation: Observation, body: Uint8Array): void {
    if (observation.kind === 'paired') this.#isPaired = true
    if (observation.kind === 'over') this.#isPaired = false
    this.observed.emit(
      'frame' in observation ? { ...observation, frame: { ...observation.frame, body } } : observation,
    )
  }

  /** The process has ended, and with it the link. */
  lost(): void {
    if (!this.#isPaired) return
    this.#isPaired = false
    this.observed.emit({ kind: 'over', first: 'host', how: 'broken', at: this.#now })
  }
}
