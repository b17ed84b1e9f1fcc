import type { Clock } from '../kit/clock.js'
import { Latencies } from './latencies.js'
import type { Simulator } from './simulator.js'

/** The figures of a fleet. */
export type FleetFigures = Readonly<ReturnType<FleetCount['figures']>>

const rounded = (value: number): number => Math.round(value * 100) / 100
const roundedOrNull = (value: number | null): number | null => (value === null ? null : rounded(value))

/** Counts reports and how long their acknowledgements took. */
export class FleetCount {
  #overall = new Latencies()
  readonly #began: number
  #recent = new Latencies()
  #sent = 0
  #acknowledged = 0
  #unacknowledged = 0
  #before: { readonly at: number; readonly sent: number; readonly acknowledged: number }

  constructor(private readonly clock: Clock) {
    this.#began = clock.now()
    this.#before = { at: this.#began, sent: 0, acknowledged: 0 }
  }

  get open(): number {
    return this.#sent - this.#acknowledged - this.#unacknowledged
  }

  forgetLatencies(): void {
    this.#overall = new Latencies()
    this.#recent = new Latencies()
  }

  /** Counts a report that was sent now; resolves with its result. */
  async follow(report: Promise<boolean>): Promise<boolean> {
    const sentAt = this.clock.now()
    this.#sent += 1
    const acknowledged = await report
    if (!acknowledged) {
      this.#unacknowledged += 1
      return false
    }
    const took = this.clock.now() - sentAt
    this.#acknowledged += 1
    this.#overall.add(took)
    this.#recent.add(took)
    return true
  }

  /** Named as in their JSON. Times in milliseconds; null while there is no figure. */
  figures(simulators: readonly Simulator[]) {
    const now = this.clock.now()
    const { at, sent, acknowledged } = this.#before
    const seconds = Math.max(0.001, (now - at) / 1000)
    const recent = this.#recent
    const counts = { sent: this.#sent, acknowledged: this.#acknowledged }
    this.#recent = new Latencies()
    this.#before = { at: now, ...counts }
    return {
      // Since the start.
      elapsed_s: rounded((now - this.#began) / 1000),
      equipment: simulators.length,
      selected: simulators.filter(({ connectionState }) => connectionState === 'SELECTED').length,
      communicating: simulators.filter(({ equipment }) => equipment.communicationState === 'COMMUNICATING')
        .length,
      ...counts,
      // Reports that ended without an acknowledgement, and those without a reply so far.
      unacknowledged: this.#unacknowledged,
      open: this.open,
      // Since the previous figures.
      sent_per_second: rounded((counts.sent - sent) / seconds),
      acknowledged_per_second: rounded((counts.acknowledged - acknowledged) / seconds),
      p50_ms: roundedOrNull(recent.quantile(0.5)),
      p99_ms: roundedOrNull(recent.quantile(0.99)),
      // Since the start.
      overall_p50_ms: roundedOrNull(this.#overall.quantile(0.5)),
      overall_p99_ms: roundedOrNull(this.#overall.quantile(0.99)),
    }
  }
}
