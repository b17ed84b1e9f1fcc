import type { DataMessage } from '../../hsms/message.js'
import { ListenError } from '../../hsms/tcp/listener.js'
import type { Clock } from '../../kit/clock.js'
import { Signal } from '../../kit/signal.js'
import { FrameCopies } from '../frame-copies.js'
import type { Observation, RunningTap } from '../observation.js'
import type { TapSettings } from '../tap-settings.js'
import { Tap } from './tap.js'

/** What is told without the time. */
type Untimed<O> = O extends Observation ? Omit<O, 'at'> : never

/** A tap in this process. */
export class LocalTap implements RunningTap {
  readonly observed = new Signal<Observation>()
  readonly #tap: Tap
  readonly #copies = new FrameCopies()
  /** Of our primaries that are open: their numbers by their system bytes. */
  readonly #requests = new Map<number, number>()

  constructor(
    settings: TapSettings,
    private readonly clock: Clock,
  ) {
    this.#tap = new Tap(settings, clock, {
      paired: (endpoints) => this.#tell({ kind: 'paired', endpoints }),
      over: (first, how) => {
        this.#copies.clear()
        this.#requests.clear()
        this.#tell({ kind: 'over', first, how })
      },
      notDialled: (detail) => this.#tell({ kind: 'not_dialled', detail }),
      refused: (address, why) => this.#tell({ kind: 'refused', address, why }),
      begun: (passed) => this.#copies.begin(passed),
      body: (from, bytes) => this.#copies.add(from, bytes),
      ended: (from, isSwallowed) => this.#ended(from, isSwallowed),
      unreadable: (from) => this.#tell({ kind: 'unreadable', from }),
      sent: (frame, request) => this.#tell({ kind: 'sent', request, frame }),
      replied: (systemBytes, frame) => {
        const request = this.#requests.get(systemBytes) ?? null
        this.#requests.delete(systemBytes)
        this.#tell({ kind: 'replied', request, frame })
      },
    })
  }

  /** Listens, or tells why it cannot. */
  async start(): Promise<void> {
    try {
      this.#tell({ kind: 'listening', port: await this.#tap.start() })
    } catch (error) {
      if (!(error instanceof ListenError)) throw error
      this.#tell({ kind: 'not_listening', detail: error.message })
    }
  }

  stop(): void {
    this.#tap.stop()
  }

  leave(): void {
    this.stop()
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

  /** Nobody waits for a reply any more: who asked has ended. */
  giveUpAll(): void {
    for (const request of [...this.#requests.values()]) this.giveUp(request)
  }

  /** Who looks is in this process, and ends with it. */
  recorded(): void {}

  #ended(from: 'host' | 'equipment', isSwallowed: boolean): void {
    const copy = this.#copies.end(from)
    if (isSwallowed) return
    const at = this.clock.date().getTime()
    const mapped = copy?.mapped === undefined ? undefined : { mapped: copy.mapped }
    if (copy) this.observed.emit({ kind: 'frame', from, frame: copy.frame, ...mapped, at })
    else this.observed.emit({ kind: 'gap', messages: 1, since: at, at })
  }

  #tell(observation: Untimed<Observation>): void {
    this.observed.emit({ ...observation, at: this.clock.date().getTime() } as Observation)
  }
}
