import type { Fault } from '../hsms/fault.js'
import type { LinkDriver } from '../hsms/link-driver.js'
import { type Clock, delay } from '../kit/clock.js'
import { deferred } from '../kit/deferred.js'
import { Dialogue } from './dialogue.js'
import { faultVerdict } from './fault-verdict.js'
import type { Finding, Verdict } from './finding.js'
import type { ProbeTarget } from './target.js'
import type { Exchange } from './verdict.js'

/** Longer than the test: there is one attempt. */
export const T5_MS = 3_600_000

/** A test over one connection, from the dial or the accept to its end. */
export abstract class Session {
  protected readonly ended = deferred<Verdict>()
  readonly #selected = deferred<'selected'>()
  readonly #over = new AbortController()
  #began = 0
  #remote: string | undefined
  #connectMs: number | undefined

  constructor(
    protected readonly where: ProbeTarget,
    protected readonly clock: Clock,
    private readonly driver: LinkDriver,
  ) {
    driver.wire.on((record) => {
      if (record.kind !== 'opened') return
      this.#remote = record.remote
      if (where.role === 'active') this.#connectMs = clock.now() - this.#began
    })
    driver.attemptFailed.on(({ fault }) => this.ended.resolve(this.failed(fault)))
    driver.changed.on(({ from, to, fault }) => {
      if (to === 'SELECTED') this.#selected.resolve('selected')
      if (fault) this.ended.resolve(this.lost(fault, from === 'SELECTED'))
    })
  }

  /** No connection came about. */
  protected failed(fault: Fault): Verdict {
    return faultVerdict(fault)
  }

  /** The connection ended, in a session or before it. */
  protected abstract lost(fault: Fault, inSession: boolean): Verdict
  /** Both questions were asked. */
  protected abstract judged(asked: Exchange): Promise<Verdict>
  /** What was seen beside the verdict. */
  protected abstract seen(verdict: Verdict): Partial<Finding> & Pick<Finding, 'remarks'>

  async run(): Promise<Finding> {
    const { where, clock, driver } = this
    this.#began = clock.now()
    const dialogue = new Dialogue(driver, clock)
    try {
      await driver.start()
      if (where.role === 'passive') where.listening?.()
      const reached = await Promise.race([this.#selected.promise, this.ended.promise, this.#timedOut()])
      const verdict = reached === 'selected' ? await this.#talk(dialogue) : reached
      const { remarks, ...seen } = this.seen(verdict)
      const { unanswered } = dialogue
      return {
        ...verdict,
        ...seen,
        remarks:
          unanswered.length > 0
            ? [`it sent ${unanswered.join(', ')}, which a test does not acknowledge`, ...remarks]
            : remarks,
        remote: this.#remote,
        connectMs: this.#connectMs,
      }
    } finally {
      this.#over.abort()
      await driver.stop()
    }
  }

  async #talk(dialogue: Dialogue): Promise<Verdict> {
    const s1f13 = await dialogue.ask('S1F13')
    const s1f1 = s1f13.kind === 'lost' ? s1f13 : await dialogue.ask('S1F1')
    return this.judged({ s1f13, s1f1, deviceId: this.where.deviceId, otherId: dialogue.deviceId })
  }

  /** No peer; once it is there, the timers of the link decide. */
  async #timedOut(): Promise<Verdict> {
    const { role, host, port, timeoutMs, waitMs = timeoutMs, line } = this.where
    // The operating system opens a serial port, or says why not.
    if (line?.serialPort !== undefined) return this.ended.promise
    await delay(this.clock, role === 'active' ? timeoutMs : waitMs, this.#over.signal)
    if (this.#remote !== undefined) return this.ended.promise
    return role === 'active'
      ? { found: 'nothing', detail: `${host}:${port} did not respond within ${timeoutMs / 1000} s` }
      : { found: 'nobody', detail: `nobody dialled port ${port} within ${waitMs / 1000} s` }
  }
}
