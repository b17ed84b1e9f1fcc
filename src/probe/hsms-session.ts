import type { WireRecord } from '../hsms/capture/wire.js'
import type { Fault } from '../hsms/fault.js'
import { STYPE } from '../hsms/frame/header.js'
import { HsmsDriver } from '../hsms/hsms-driver.js'
import { HSMS_DEFAULTS } from '../hsms/settings.js'
import { Listeners } from '../hsms/tcp/listener.js'
import type { Clock } from '../kit/clock.js'
import { deferred } from '../kit/deferred.js'
import { bytesVerdict, faultVerdict } from './fault-verdict.js'
import type { Finding, Verdict } from './finding.js'
import { Session, T5_MS } from './session.js'
import type { ProbeTarget } from './target.js'
import { type Exchange, verdictOf } from './verdict.js'

/** From one Linktest.req to the next. */
const LINKTEST_MS = 250

function driverOf({ role, host, port, deviceId, timeoutMs }: ProbeTarget, clock: Clock): HsmsDriver {
  const [t3, t6, t7, t8] = [timeoutMs, timeoutMs, timeoutMs, timeoutMs]
  const timers = { t3, t5: T5_MS, t6, t7, t8, linktest: LINKTEST_MS }
  const settings = { ...HSMS_DEFAULTS, role, host, port, deviceId, timers }
  return new HsmsDriver(settings, { clock, listeners: new Listeners(), random: Math.random })
}

/** A test over HSMS, which Separate.req ends. */
export class HsmsSession extends Session {
  readonly #tested = deferred<'tested'>()
  readonly #remarks: string[] = []
  #linktestMs: number | undefined
  #testBegan = 0
  #selectStatus: number | undefined
  /** Reject.req came before a session. */
  #rejected = false
  #unreadable = new Uint8Array()

  constructor(where: ProbeTarget, clock: Clock) {
    const driver = driverOf(where, clock)
    super(where, clock, driver)
    driver.wire.on((record) => this.#watch(record))
  }

  protected async judged(replies: Exchange): Promise<Verdict> {
    const ended = await Promise.race([this.ended.promise, this.#tested.promise])
    return ended === 'tested' ? verdictOf(replies) : ended
  }

  protected seen(): Partial<Finding> & Pick<Finding, 'remarks'> {
    return { remarks: this.#remarks, linktestMs: this.#linktestMs }
  }

  #watch(record: WireRecord): void {
    const now = this.clock.now()
    if (record.kind === 'unreadable') this.#unreadable = new Uint8Array(record.bytes)
    if (record.kind !== 'frame') return
    const { header } = record.frame
    if (record.direction === 'out') {
      if (header.sType === STYPE.linktestReq) this.#testBegan = now
    } else if (header.sType === STYPE.linktestRsp) {
      this.#linktestMs ??= now - this.#testBegan
      this.#tested.resolve('tested')
    } else if (header.sType === STYPE.selectRsp) {
      this.#selectStatus = header.byte3
    } else if (header.sType === STYPE.rejectReq) {
      this.#rejected = true
    } else if (header.sType === STYPE.selectReq && this.where.role === 'active') {
      this.#remarks.push('it sent Select.req too, which is for the side that dials: it may be set to active')
    }
  }

  protected lost(fault: Fault, inSession: boolean): Verdict {
    const { code, detail } = fault
    if (inSession) return { found: 'ended', detail }
    if (code === 'not_hsms' || code === 'bad_frame') return bytesVerdict(this.#unreadable)
    if (this.#rejected) return { found: 'refuses', detail }
    if (code !== 'select_refused') return faultVerdict(fault)
    const occupied = this.#selectStatus === 1 || this.#selectStatus === 3
    return { found: occupied ? 'occupied' : 'refuses', detail }
  }
}
