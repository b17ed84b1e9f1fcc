import { lookup } from 'node:dns/promises'
import type { WireRecord } from '../hsms/capture/wire.js'
import { HsmsDriver } from '../hsms/driver.js'
import type { Fault } from '../hsms/fault.js'
import { STYPE } from '../hsms/frame/header.js'
import { HSMS_DEFAULTS } from '../hsms/settings.js'
import { Listeners } from '../hsms/tcp/listener.js'
import { type Clock, delay } from '../kit/clock.js'
import { deferred } from '../kit/deferred.js'
import { Dialogue } from './dialogue.js'
import { bytesVerdict, faultVerdict } from './fault-verdict.js'
import type { Finding, Found, Verdict } from './finding.js'
import { askForLine } from './line-question.js'
import { LineSession } from './line-session.js'
import type { ProbeTarget } from './target.js'
import { verdictOf } from './verdict.js'

/** From one Linktest.req to the next. */
const LINKTEST_MS = 250

/** Longer than the test: there is one attempt. */
const T5_MS = 3_600_000

/** For EOT of a SECS-I peer. */
const LINE_TIMEOUT_MS = 1_000

/** What only an HSMS entity can be. */
const SPEAKS_HSMS = new Set<Found>([
  'equipment',
  'offline',
  'denied',
  'wrong_device',
  'no_gem',
  'unanswered',
  'host',
  'occupied',
])

/**
 * Finds out what is at an address. Uses the one session of an HSMS-SS equipment for a moment, and ends it by
 * Separate.req. Rejects only with `ListenError`, when the port cannot be bound.
 */
export async function probe(where: ProbeTarget, clock: Clock): Promise<Finding> {
  if (where.line?.serialPort !== undefined) return new LineSession(where, clock).run()
  if (where.role === 'passive') return probeAt(where, clock)
  const host = await addressOf(where.host, where.timeoutMs, clock)
  if (host !== undefined) return probeAt({ ...where, host }, clock)
  return { found: 'unresolved', detail: `the name ${where.host} has no IPv4 address`, remarks: [] }
}

async function probeAt(where: ProbeTarget, clock: Clock): Promise<Finding> {
  if (where.line) {
    const finding = await new LineSession(where, clock).run()
    if (finding.found !== 'no_answer' || where.role === 'passive') return finding
    const { found, detail } = await new ProbeSession(where, clock).run()
    return SPEAKS_HSMS.has(found)
      ? { found: 'hsms', detail: `HSMS, not SECS-I: ${detail}`, remarks: [] }
      : finding
  }
  const finding = await firstFinding(where, clock)
  if (finding.found !== 'secs1') return finding
  const ofLine = await new LineSession({ ...where, line: {} }, clock).run()
  // The peer may not come back for a second test.
  return NOT_THERE.has(ofLine.found) ? finding : ofLine
}

const NOT_THERE = new Set<Found>(['nobody', 'refused', 'nothing', 'closes'])

async function firstFinding(where: ProbeTarget, clock: Clock): Promise<Finding> {
  const finding = await new ProbeSession(where, clock).run()
  if (finding.found !== 'silent' || where.role === 'passive') return finding
  const said = await askForLine(where.host, where.port, Math.min(LINE_TIMEOUT_MS, where.timeoutMs), clock)
  return said.length === 0 ? finding : { ...finding, ...bytesVerdict(said) }
}

async function addressOf(host: string, timeoutMs: number, clock: Clock): Promise<string | undefined> {
  const over = new AbortController()
  try {
    const found = lookup(host, { family: 4 }).then(({ address }) => address)
    return await Promise.race([found, delay(clock, timeoutMs, over.signal).then(() => undefined)])
  } catch {
    return undefined
  } finally {
    over.abort()
  }
}

/** One connection, from the dial or the accept to its end. */
class ProbeSession {
  readonly #driver: HsmsDriver
  readonly #selected = deferred<'selected'>()
  readonly #ended = deferred<Verdict>()
  readonly #tested = deferred<'tested'>()
  readonly #over = new AbortController()
  readonly #remarks: string[] = []
  #began = 0
  #remote: string | undefined
  #connectMs: number | undefined
  #linktestMs: number | undefined
  #testBegan = 0
  #selectStatus: number | undefined
  /** Reject.req came before a session. */
  #rejected = false
  #unreadable = new Uint8Array()

  constructor(
    readonly where: ProbeTarget,
    readonly clock: Clock,
  ) {
    const { role, host, port, deviceId, timeoutMs } = where
    const timers = {
      t3: timeoutMs,
      t5: T5_MS,
      t6: timeoutMs,
      t7: timeoutMs,
      t8: timeoutMs,
      linktest: LINKTEST_MS,
    }
    const settings = { ...HSMS_DEFAULTS, role, host, port, deviceId, timers }
    this.#driver = new HsmsDriver(settings, { clock, listeners: new Listeners(), random: Math.random })
    this.#driver.wire.on((record) => this.#watch(record))
    this.#driver.attemptFailed.on(({ fault }) => this.#ended.resolve(faultVerdict(fault)))
    this.#driver.changed.on(({ from, to, fault }) => {
      if (to === 'SELECTED') this.#selected.resolve('selected')
      if (!fault) return
      const { detail } = fault
      this.#ended.resolve(from === 'SELECTED' ? { found: 'ended', detail } : this.#unselected(fault))
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
      if (dialogue.unanswered.length > 0) {
        this.#remarks.push(`it sent ${dialogue.unanswered.join(', ')}, which a test does not acknowledge`)
      }
      return {
        ...verdict,
        remarks: this.#remarks,
        remote: this.#remote,
        connectMs: this.#connectMs,
        linktestMs: this.#linktestMs,
      }
    } finally {
      this.#over.abort()
      await this.#driver.stop()
    }
  }

  async #talk(dialogue: Dialogue): Promise<Verdict> {
    const { deviceId } = this.where
    const s1f13 = await dialogue.ask('S1F13')
    const s1f1 = s1f13.kind === 'lost' ? s1f13 : await dialogue.ask('S1F1')
    const ended = await Promise.race([this.#ended.promise, this.#tested.promise])
    if (ended !== 'tested') return ended
    return verdictOf({ s1f13, s1f1, deviceId, foreignId: dialogue.deviceId })
  }

  /** No peer; once TCP is connected, T6 and T7 decide. */
  async #timedOut(): Promise<Verdict> {
    const { role, host, port, timeoutMs, waitMs = timeoutMs } = this.where
    await delay(this.clock, role === 'active' ? timeoutMs : waitMs, this.#over.signal)
    if (this.#remote !== undefined) return this.#ended.promise
    return role === 'active'
      ? { found: 'nothing', detail: `${host}:${port} did not answer within ${timeoutMs / 1000} s` }
      : { found: 'nobody', detail: `nobody dialled port ${port} within ${waitMs / 1000} s` }
  }

  #watch(record: WireRecord): void {
    const now = this.clock.now()
    if (record.kind === 'opened') {
      this.#remote = record.remote
      if (this.where.role === 'active') this.#connectMs = now - this.#began
    }
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

  /** A connection that ended before a session. */
  #unselected(fault: Fault): Verdict {
    const { code, detail } = fault
    if (code === 'not_hsms' || code === 'bad_frame') return bytesVerdict(this.#unreadable)
    if (this.#rejected) return { found: 'refuses', detail }
    if (code !== 'select_refused') return faultVerdict(fault)
    const occupied = this.#selectStatus === 1 || this.#selectStatus === 3
    return { found: occupied ? 'occupied' : 'refuses', detail }
  }
}
