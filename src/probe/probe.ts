import { lookup } from 'node:dns/promises'
import { type Clock, delay } from '../kit/clock.js'
import { bytesVerdict } from './fault-verdict.js'
import type { Finding, Found } from './finding.js'
import { HsmsSession } from './hsms-session.js'
import { askForLine } from './line-question.js'
import { LineSession } from './line-session.js'
import type { ProbeTarget } from './target.js'

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
    const { found, detail } = await new HsmsSession(where, clock).run()
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
  const finding = await new HsmsSession(where, clock).run()
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
