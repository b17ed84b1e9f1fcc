import type { LastError } from '../../contract/equipment.js'
import type { HsmsCounts } from '../../hsms/counters/counters.js'

/** One refused block may be that of a message in the middle of which the line was opened. */
const LEAST_REFUSED = 2

/** Whether the line of a SECS-I connection changes bytes: blocks of either side that were refused (NAK) since it began. */
export class LineNoise {
  #before: HsmsCounts['line']

  constructor(private readonly counts: () => Pick<HsmsCounts, 'line'>) {
    this.#before = counts().line
  }

  /** A new connection. */
  begin(): void {
    this.#before = this.counts().line
  }

  /** No block and no NAK has come since it began. */
  get isSilent(): boolean {
    const { blocksIn, naksIn } = this.counts().line
    return blocksIn === this.#before.blocksIn && naksIn === this.#before.naksIn
  }

  /** What was seen of it, for people; null where the line is good, and for HSMS. */
  get seen(): string | null {
    const { line } = this.counts()
    const since = (...names: readonly (keyof typeof line)[]): number =>
      names.reduce((sum, name) => sum + line[name] - this.#before[name], 0)
    const refused = since('naksIn', 'naksOut')
    return refused < LEAST_REFUSED
      ? null
      : `the line changes or loses bytes: ${refused} of ${since('blocksIn', 'blocksOut')} blocks were refused (NAK) on this connection`
  }

  /** The error of equipment that did not reply over such a line; null where the line is good. */
  get error(): Pick<LastError, 'code' | 'detail'> | null {
    const { seen } = this
    return seen === null ? null : { code: 'line_noise', detail: `S1F13 got no reply, and ${seen}` }
  }
}
