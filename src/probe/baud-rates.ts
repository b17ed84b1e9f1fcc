import type { Clock } from '../kit/clock.js'
import type { Finding, Found } from './finding.js'
import { probe } from './probe.js'
import type { ProbeTarget } from './target.js'

/** The speeds of SECS-I lines, the usual ones first. */
const RATES = [9600, 19_200, 4800, 2400, 1200, 38_400, 57_600, 115_200, 600, 300]

/** Found where the speed is wrong. */
const UNHEARD = new Set<Found>(['no_answer', 'garbled'])

/** Tests a serial port at one speed after the other, until the equipment is understood; `trying` is called before each. */
export async function probeAtRates(
  where: ProbeTarget,
  clock: Clock,
  trying: (baudRate: number) => void,
): Promise<{ readonly finding: Finding; readonly baudRate: number | undefined }> {
  let first: Finding | undefined
  for (const baudRate of RATES) {
    trying(baudRate)
    const finding = await probe({ ...where, line: { ...where.line, baudRate } }, clock)
    if (!UNHEARD.has(finding.found)) return { finding, baudRate }
    // Garbage says more than silence.
    if (first?.found !== 'garbled') first = finding
  }
  return { finding: first as Finding, baudRate: undefined }
}
