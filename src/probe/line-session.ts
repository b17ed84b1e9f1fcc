import type { Fault } from '../hsms/fault.js'
import { Listeners } from '../hsms/tcp/listener.js'
import type { Clock } from '../kit/clock.js'
import { Secs1Driver } from '../secs1/secs1-driver.js'
import { serialDial } from '../secs1/serial/serial-dial.js'
import { byteTimeAt, SECS1_DEFAULTS } from '../secs1/settings.js'
import { bytesVerdict } from './fault-verdict.js'
import type { Finding, Verdict } from './finding.js'
import { LineTrace } from './line-trace.js'
import { Session, T5_MS } from './session.js'
import type { ProbeTarget } from './target.js'
import { type Exchange, verdictOf } from './verdict.js'

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

function driverOf(
  { role, host, port, deviceId, timeoutMs, line = {} }: ProbeTarget,
  clock: Clock,
  trace: LineTrace,
): Secs1Driver {
  const { serialPort, baudRate = DEFAULT_BAUD_RATE, isMaster = false } = line
  const isSerial = serialPort !== undefined
  const t2 = timeoutMs * T2_PART
  return new Secs1Driver(
    {
      ...SECS1_DEFAULTS,
      role: isSerial ? 'active' : role,
      host,
      port,
      deviceId,
      side: 'host',
      isMaster,
      retries: RETRIES,
      timers: { t1: Math.min(MAX_T1_MS, t2), t2, t3: timeoutMs, t4: timeoutMs, t5: T5_MS },
      byteTime: isSerial ? byteTimeAt(baudRate) : 0,
    },
    {
      clock,
      listeners: new Listeners(),
      random: () => SYSTEM_BYTES / SYSTEM_BYTES_END,
      ...(isSerial && { dial: serialDial(serialPort, baudRate) }),
      outgoing: (bytes) => {
        trace.add('out', bytes)
        return bytes
      },
      incoming: (bytes, pass) => {
        trace.add('in', bytes)
        pass(bytes)
      },
    },
  )
}

/** A test of a SECS-I line, from its opening to its end. */
export class LineSession extends Session {
  readonly #trace: LineTrace
  readonly #isMaster: boolean

  constructor(where: ProbeTarget, clock: Clock) {
    const trace = new LineTrace()
    super(where, clock, driverOf(where, clock, trace))
    this.#trace = trace
    this.#isMaster = where.line?.isMaster ?? false
  }

  protected override failed(fault: Fault): Verdict {
    const isSerial = this.where.line?.serialPort !== undefined
    return isSerial ? { found: 'no_port', detail: fault.detail } : super.failed(fault)
  }

  protected async judged(replies: Exchange): Promise<Verdict> {
    if (replies.s1f13.kind === 'lost' || replies.s1f1.kind === 'lost') return this.ended.promise
    const verdict = verdictOf(replies)
    if (verdict.found !== 'unanswered') return verdict
    return this.#trace.verdict(this.#isMaster) ?? (this.#isNoisy ? this.#noisy : verdict)
  }

  protected seen({ found }: Verdict): Partial<Finding> & Pick<Finding, 'remarks'> {
    const remarks = [
      ...(found !== 'garbled' && this.#isNoisy
        ? [`${this.#trace.refusals} blocks were refused (NAK): the line changes or loses bytes`]
        : []),
      ...(this.#trace.isFromHost ? ["its blocks have R-bit 0, as a host's have"] : []),
    ]
    return { transport: this.where.line?.serialPort === undefined ? 'secs1-tcp' : 'secs1-serial', remarks }
  }

  /** One refused block is no sign. */
  get #isNoisy(): boolean {
    return this.#trace.refusals > 1
  }

  get #noisy(): Verdict {
    const { refusals } = this.#trace
    return {
      found: 'garbled',
      detail: `${refusals} blocks were refused (NAK), and no message got a reply: the line changes or loses bytes`,
    }
  }

  protected lost({ code, detail }: Fault): Verdict {
    const seen =
      code === 'not_secs1' ? bytesVerdict(this.#trace.first, 'SECS-I') : this.#trace.verdict(this.#isMaster)
    if (seen) return seen
    if (code !== 'retry_limit') return { found: 'ended', detail }
    return this.#isNoisy ? this.#noisy : { found: 'secs1', detail }
  }
}
