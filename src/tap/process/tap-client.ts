import { connect, type Socket } from 'node:net'
import type { DataMessage } from '../../hsms/message.js'
import type { Cancel, Clock } from '../../kit/clock.js'
import { deferred } from '../../kit/deferred.js'
import { Fifo } from '../../kit/fifo.js'
import { Signal } from '../../kit/signal.js'
import { type Observation, observationsOf, type RunningTap, type TapEvent } from '../observation.js'
import type { TapCounts } from '../tap-counts.js'
import type { TapSettings } from '../tap-settings.js'
import {
  type Counted,
  encodePacket,
  type Hello,
  type Left,
  type Order,
  type Packet,
  PacketReader,
  readFrames,
  TAP_VERSION,
  type ToldEvent,
} from './tap-messages.js'

/** Milliseconds between two attempts to reach the process. */
const RETRY_MS = 200
/** Milliseconds in which the process has to say what it has counted. */
const COUNT_MS = 2_000
/** Milliseconds in which a process that was launched has to be there, before another one is. */
const LAUNCH_MS = 5_000
/** Milliseconds that what is recorded waits for more, which is said together. */
const TOGETHER_MS = 10
/** Milliseconds in which the process has to tell the last of a tap. */
const LAST_MS = 2_000
/** Milliseconds in which the process ends with its links: 10 s for the last bytes of each. */
const END_MS = 12_000
const NOTHING = new Uint8Array()

export interface TapClientWorld {
  readonly clock: Clock
  /** The local socket of the process. Throws where there can be none. */
  readonly path: () => string
  /** Starts the process, which outlives this one. */
  readonly launch: () => void
  /** A fault of the process or on the way to it, for the log. */
  readonly failed: (detail: string) => void
  /** The process goes on without taps: a service manager runs it. */
  readonly isService?: boolean
  /** Milliseconds in which no other daemon takes the equipment of this one; undefined where this one is alone. */
  readonly leaseMs: () => number | undefined
}

/** The daemon's side of the process of the taps: reaches it, starts it where it is not there, and tells each tap's link. */
export class TapClient {
  readonly #taps = new Map<string, RemoteTap>()
  #socket: Socket | undefined
  /** Hello has come: orders are understood. */
  #isUnderstood = false
  /** Others than those that run here are to end. */
  #isSettled = false
  /** Taps that were stopped while the process could not be told. */
  readonly #stopped = new Set<string>()
  /** Of each tap, so many more observations are recorded, which the process is told together. */
  readonly #recorded = new Map<string, number>()
  #launchedAt: number | undefined
  /** What the process was asked for, by the number of the query. */
  readonly #queries = new Map<number, (counts: TapCounts | null) => void>()
  #lastQuery = 0
  /** Taps of which the process tells the last. */
  readonly #last = new Map<string, () => void>()
  #cancel: Cancel = () => {}
  #isClosed = false

  constructor(private readonly world: TapClientWorld) {}

  /** The tap of an equipment. It is not started. */
  open(id: string, settings: TapSettings): RunningTap {
    return new RemoteTap(id, settings, this.world.clock, {
      order: (order, body) => this.#order(order, body),
      recorded: () => this.#noteRecorded(id),
      start: (tap) => {
        this.#taps.set(id, tap)
        this.#stopped.delete(id)
        if (!this.#run(id, settings)) this.#reach()
      },
      stop: async (tap) => {
        if (this.#taps.get(id) === tap) await this.#tellLast('stop', id)
        if (!this.#forget(tap)) return
        this.#recorded.delete(id)
        this.#stopped.add(id)
        this.#endStopped()
      },
      leave: async (tap) => {
        if (this.#taps.get(id) === tap) await this.#tellLast('leave', id)
        this.#forget(tap)
      },
      count: () => this.#count(id),
    })
  }

  async #count(id: string): Promise<TapCounts | null> {
    const { clock } = this.world
    this.#lastQuery += 1
    const query = this.#lastQuery
    const { promise, resolve } = deferred<TapCounts | null>()
    if (!this.#order({ kind: 'count', id, query })) return null
    this.#queries.set(query, resolve)
    const cancel = clock.at(clock.now() + COUNT_MS, () => resolve(null))
    const counts = await promise
    cancel()
    this.#queries.delete(query)
    return counts
  }

  /** Has the process tell the last of a tap. Resolves once it has, or cannot. */
  async #tellLast(kind: 'stop' | 'leave', id: string): Promise<void> {
    const { clock } = this.world
    if (!this.#order({ kind, id })) return
    const { promise, resolve } = deferred<void>()
    this.#last.set(id, resolve)
    const cancel = clock.at(clock.now() + LAST_MS, resolve)
    await promise
    cancel()
    this.#last.delete(id)
  }

  /** True where it was the tap of its equipment, and not replaced by another one. */
  #forget(tap: RemoteTap): boolean {
    return this.#taps.get(tap.id) === tap && this.#taps.delete(tap.id)
  }

  /** All taps that should run do: others that an earlier daemon has left end. */
  settle(): void {
    this.#isSettled = true
    if (!this.#endOthers()) this.#reach()
  }

  /** The equipment of this daemon is its own for longer. */
  leased(): void {
    const ms = this.world.leaseMs()
    if (ms !== undefined) this.#order({ kind: 'lease', ms })
  }

  #endStopped(): void {
    if (!this.#isUnderstood) return
    for (const id of this.#taps.size > 0 ? this.#stopped : []) this.#order({ kind: 'stop', id })
    if (this.#taps.size === 0 && this.#stopped.size > 0) this.#endAll()
    this.#stopped.clear()
  }

  #endOthers(): boolean {
    const ids = [...this.#taps.keys()]
    return ids.length === 0 ? this.#endAll() : this.#order({ kind: 'only', ids })
  }

  #endAll(): boolean {
    return this.#order(this.world.isService ? { kind: 'only', ids: [] } : { kind: 'end' })
  }

  #run(id: string, settings: TapSettings): boolean {
    const leaseMs = this.world.leaseMs()
    return this.#order({ kind: 'run', id, settings, ...(leaseMs !== undefined && { leaseMs }) })
  }

  /** Looks no more; the links go on. */
  close(): void {
    this.#tellRecorded()
    this.#isClosed = true
    this.#cancel()
    this.#socket?.end()
  }

  #noteRecorded(id: string): void {
    const { clock } = this.world
    if (this.#recorded.size === 0) clock.at(clock.now() + TOGETHER_MS, () => this.#tellRecorded())
    this.#recorded.set(id, (this.#recorded.get(id) ?? 0) + 1)
  }

  #tellRecorded(): void {
    for (const [id, count] of this.#recorded) this.#order({ kind: 'recorded', id, count })
    this.#recorded.clear()
  }

  /** False where the process cannot be reached now. */
  #order(order: Order, body: Uint8Array = NOTHING): boolean {
    if (this.#isUnderstood) this.#socket?.write(encodePacket({ head: order, body }))
    return this.#isUnderstood
  }

  #reach(): void {
    if (this.#isClosed || this.#socket || (this.#taps.size === 0 && !this.#isSettled)) return
    let path: string
    try {
      path = this.world.path()
    } catch (error) {
      return this.#unreachable((error as Error).message)
    }
    const socket = connect(path)
    const reader = new PacketReader()
    this.#socket = socket
    socket.on('error', () => this.#launch())
    socket.on('data', (chunk) => {
      try {
        for (const packet of reader.read(chunk)) this.#take(packet)
      } catch (error) {
        this.world.failed((error as Error).message)
        socket.destroy()
      }
    })
    socket.on('close', () => this.#lost())
  }

  /** No process can be reached, whenever it is tried. */
  #unreachable(detail: string): void {
    if (this.#taps.size > 0) this.world.failed(detail)
    for (const tap of [...this.#taps.values()]) tap.unreachable(detail)
  }

  #lost(): void {
    const wasUnderstood = this.#isUnderstood
    this.#socket = undefined
    this.#isUnderstood = false
    for (const end of this.#queries.values()) end(null)
    for (const end of this.#last.values()) end()
    if (this.#isClosed) return
    if (wasUnderstood && this.#taps.size > 0) {
      this.world.failed('the process of the taps has ended')
      for (const tap of [...this.#taps.values()]) tap.lost()
    }
    const { clock } = this.world
    if (this.#taps.size === 0) return
    this.#cancel = clock.at(clock.now() + RETRY_MS, () => this.#reach())
  }

  #launch(): void {
    const now = this.world.clock.now()
    if (
      this.#isClosed ||
      this.#taps.size === 0 ||
      (this.#launchedAt !== undefined && now - this.#launchedAt < LAUNCH_MS)
    )
      return
    this.#launchedAt = now
    this.world.launch()
  }

  #take({ head, body }: Packet): void {
    if (head === undefined) {
      const { id, frames } = readFrames(body)
      return this.#taps.get(id)?.told(frames)
    }
    const said = head as Hello | ToldEvent | Counted | Left
    if ('left' in said) return this.#last.get(said.left)?.()
    if ('query' in said) return this.#queries.get(said.query)?.(said.counts)
    if (!('kind' in said)) {
      const { event } = said
      const frame = 'frame' in event ? { ...event.frame, body: body.slice() } : undefined
      return this.#taps.get(said.id)?.told(frame ? ({ ...event, frame } as TapEvent) : event)
    }
    this.#isUnderstood = true
    if (said.version !== TAP_VERSION) {
      this.world.failed(
        `the process of the taps is of another version (${said.version}): its links are opened anew`,
      )
      this.#order({ kind: 'end' })
      return
    }
    this.#recorded.clear()
    for (const tap of this.#taps.values()) tap.connected()
    for (const { id, settings } of this.#taps.values()) this.#run(id, settings)
    this.#endStopped()
    if (this.#isSettled) this.#endOthers()
  }
}

interface RemoteTapWorld {
  /** False where the process cannot be reached now. */
  readonly order: (order: Order, body?: Uint8Array) => boolean
  /** One more observation of the process is recorded. */
  readonly recorded: () => void
  readonly start: (tap: RemoteTap) => void
  readonly stop: (tap: RemoteTap) => Promise<void>
  readonly leave: (tap: RemoteTap) => Promise<void>
  readonly count: () => Promise<TapCounts | null>
}

/** The link of one tap in the process. */
class RemoteTap implements RunningTap {
  readonly observed = new Signal<Observation>()
  #isPaired = false
  /** Of all that was told here: how much so far, how much of it is recorded, and what of it no process has told. */
  #told = 0
  #recorded = 0
  readonly #notOfProcess = new Fifo<number>()
  /** What was told before that was so over a connection to the process that is no more. */
  #since = 0
  /** Its process waits for nothing more. */
  #isStopped = false

  constructor(
    readonly id: string,
    readonly settings: TapSettings,
    private readonly clock: Clock,
    private readonly world: RemoteTapWorld,
  ) {}

  async start(): Promise<void> {
    this.world.start(this)
  }

  async stop(): Promise<void> {
    await this.world.stop(this)
    this.#isStopped = true
  }

  leave(): Promise<void> {
    return this.world.leave(this)
  }

  ask(request: number, { body, ...message }: Omit<DataMessage, 'systemBytes'>): void {
    if (this.world.order({ kind: 'ask', id: this.id, request, message }, body)) return
    this.#tellOwn({ kind: 'not_sent', request, at: this.#now })
  }

  giveUp(request: number): void {
    this.world.order({ kind: 'give_up', id: this.id, request })
  }

  recorded(count: number): void {
    if (this.#isStopped) return
    for (let left = count; left > 0; left--) {
      const at = this.#recorded++
      if (this.#notOfProcess.first === at) this.#notOfProcess.take()
      else if (at >= this.#since) this.world.recorded()
    }
  }

  /** There is a process to talk to: it waits for nothing that was told before. */
  connected(): void {
    this.#since = this.#told
  }

  count(): Promise<TapCounts | null> {
    return this.world.count()
  }

  get #now(): number {
    return this.clock.date().getTime()
  }

  told(event: TapEvent): void {
    if (event.kind === 'paired') this.#isPaired = true
    if (event.kind === 'over') this.#isPaired = false
    for (const observation of observationsOf(event)) {
      this.#told++
      this.observed.emit(observation)
    }
  }

  /** Tells what no process has said. */
  #tellOwn(observation: Observation): void {
    this.#notOfProcess.add(this.#told)
    this.#told++
    this.observed.emit(observation)
  }

  unreachable(detail: string): void {
    this.#tellOwn({ kind: 'not_listening', detail, at: this.#now })
  }

  /** The process has ended, and with it the link. */
  lost(): void {
    if (!this.#isPaired) return
    this.#isPaired = false
    this.#tellOwn({ kind: 'over', first: 'host', how: 'broken', at: this.#now })
  }
}

/** Ends a process of the taps, with all links. Resolves when it has ended, also where there is none, or does not. */
export async function endTapProcess(path: string, clock: Clock): Promise<void> {
  const ended = deferred<void>()
  const socket = connect(path, () =>
    socket.write(encodePacket({ head: { kind: 'end' } satisfies Order, body: NOTHING })),
  )
  socket.on('error', () => {}) // 'close' follows
  socket.on('close', () => ended.resolve())
  socket.resume()
  const cancel = clock.at(clock.now() + END_MS, () => socket.destroy())
  await ended.promise
  cancel()
}
