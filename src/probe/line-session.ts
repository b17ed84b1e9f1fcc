import type { Fault } from '../hsms/fault.js'
import { Listeners } from '../hsms/tcp/listener.js'
import { type Clock, delay } from '../kit/clock.js'
import { deferred } from '../kit/deferred.js'
import { Secs1Driver } from '../secs1/driver.js'
import { serialDial } from '../secs1/serial/serial-dial.js'
import { byteTimeAt, SECS1_DEFAULTS } from '../secs1/settings.js'
import { Dialogue } from './dialogue.js'
import { bytesVerdict, faultVerdict } from './fault-verdict.js'
import type { Finding, Verdict } from './finding.js'
import { LineTrace } from './line-trace.js'
import type { ProbeTarget } from './target.js'
import { verdictOf } from './verdict.js'

/** Longer than the test: there is one attempt. */
const T5_MS = 3_600_000
/** T2 of the test is this part of the timeout. */
const T2_PART = 1 / 3
/**
 * How often the line is asked for again. With the usual timeout of 3 s this takes longer than 10 s, the T2 of most
 * equipment: a master that asked before the line was open asks again only then, and ignores what the slave asks.
 */
const RETRIES = 11
const MAX_T1_MS = 500
const DEFAULT_BAUD_RATE = 9600

/** The second question's system bytes end with 0xFF, so that Telnet's escapes show, and the first one's do not. */
const SYSTEM_BYTES = 0x0001_00fe
const SYSTEM_BYTES_END = 2 ** 32

/** A test of a SECS-I line, from its opening to its end. */
export class LineSession {
  readonly #driver: Secs1Driver
  readonly #trace = new LineTrace()
  readonly #selected = deferred<'selected'>()
  readonly #ended = deferred<Verdict>()
  readonly #over = new AbortController()
  readonly #isMaster: boolean
  #began = 0
  #remote: string | undefined
  #connectMs: number | undefined

  constructor(
    readonly where: ProbeTarget,
    readonly clock: Clock,
  ) {
    const { role, host, port, deviceId, timeoutMs, line = {} } = where
    const { serialPort, baudRate = DEFAULT_BAUD_RATE, isMaster = false } = line
    const isSerial = serialPort !== undefined
    const t2 = timeoutMs * T2_PART
    this.#isMaster = isMaster
    this.#driver = new Secs1Driver(
      {
        ...SECS1_DEFAULTS,
        ...{
          role: isSerial ? 'active' : role,
          host,
          port,
          deviceId,
          side: 'host',
          isMaster,
          retries: RETRIES,
        },
        timers: { t1: Math.min(MAX_T1_MS, t2), t2, t3: timeoutMs, t4: timeoutMs, t5: T5_MS },
        byteTime: isSerial ? byteTimeAt(baudRate) : 0,
      },
      {
        clock,
        listeners: new Listeners(),
        random: () => SYSTEM_BYTES / SYSTEM_BYTES_END,
        ...(isSerial && { dial: serialDial(serialPort, baudRate) }),
        outgoing: (bytes) => {
          this.#trace.add('out', bytes)
          return bytes
        },
        incoming: (bytes, pass) => {
          this.#trace.add('in', bytes)
          pass(bytes)
        },
      },
    )
    this.#driver.wire.on((record) => {
      if (record.kind !== 'opened') return
      this.#remote = record.remote
      if (role === 'active') this.#connectMs = this.clock.now() - this.#began
    })
    this.#driver.attemptFailed.on(({ fault }) =>
      this.#ended.resolve(isSerial ? { found: 'no_port', detail: fault.detail } : faultVerdict(fault)),
    )
    this.#driver.changed.on(({ to, fault }) => {
      if (to === 'SELECTED') this.#selected.resolve('selected')
      if (fault) this.#ended.resolve(this.#lost(fault))
    })
  }

  async run(): Promise<Finding> {
    const { where, clock } = this
    this.#began = clock.now()
    const dialogue = new Dialogue(this.#driver, clock)
    try {
      await this.#driver.start()
      if (where.role === 'passive') where.listening?.()
      const reached = await Promise.race([this.#selected.promise, this.#ended.promise, this.#timedOut()])
      const verdict = reached === 'selected' ? await this.#talk(dialogue) : reached
      const { unanswered } = dialogue
      const remarks = [
        ...(unanswered.length > 0
          ? [`it sent ${unanswered.join(', ')}, which a test does not acknowledge`]
          : []),
        ...(verdict.found !== 'garbled' && this.#isNoisy
          ? [`${this.#trace.refusals} blocks were refused (NAK): the line changes or loses bytes`]
          : []),
        ...(this.#trace.isFromHost ? ["its blocks have R-bit 0, as a host's have"] : []),
      ]
      const transport = where.line?.serialPort === undefined ? 'secs1-tcp' : 'secs1-serial'
      return { ...verdict, transport, remarks, remote: this.#remote, connectMs: this.#connectMs }
    } finally {
      this.#over.abort()
      await this.#driver.stop()
    }
  }

  async #talk(dialogue: Dialogue): Promise<Verdict> {
    const { deviceId } = this.where
    const s1f13 = await dialogue.ask('S1F13')
    const s1f1 = s1f13.kind === 'lost' ? s1f13 : await dialogue.ask('S1F1')
    if (s1f13.kind === 'lost' || s1f1.kind === 'lost') return this.#ended.promise
    const verdict = verdictOf({ s1f13, s1f1, deviceId, foreignId: dialogue.deviceId })
    if (verdict.found !== 'unanswered') return verdict
    return this.#trace.verdict(this.#isMaster) ?? (this.#isNoisy ? this.#noisy : verdict)
  }

  /** One refused block is no sign. */
  get #isNoisy(): boolean {
    return this.#trace.refusals > 1
  }

  get #noisy(): Verdict {
    const { refusals } = this.#trace
    return {
      found: 'garbled',
      detail: `${refusals} blocks were refused (NAK), and no message was answered: the line changes or loses bytes`,
    }
  }

  #lost({ code, detail }: Fault): Verdict {
    const seen =
      code === 'not_secs1' ? bytesVerdict(this.#trace.first, 'SECS-I') : this.#trace.verdict(this.#isMaster)
    if (seen) return seen
    if (code !== 'retry_limit') return { found: 'ended', detail }
    return this.#isNoisy ? this.#noisy : { found: 'secs1', detail }
  }

  /** No peer; once the line is open, T2 and T3 decide. */
  async #timedOut(): Promise<Verdict> {
    const { role, host, port, timeoutMs, waitMs = timeoutMs, line } = this.where
    // The operating system opens a serial port, or says why not.
    if (line?.serialPort !== undefined) return this.#ended.promise
    await delay(this.clock, role === 'active' ? timeoutMs : waitMs, this.#over.signal)
    if (this.#remote !== undefined) return this.#ended.promise
    return role === 'active'
      ? { found: 'nothing', detail: `${host}:${port} did not answer within ${timeoutMs / 1000} s` }
      : { found: 'nobody', detail: `nobody dialled port ${port} within ${waitMs / 1000} s` }
  }
}
