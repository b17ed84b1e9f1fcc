import { controlFrame } from '../../hsms/control.js'
import { encodeFrame, type Frame } from '../../hsms/frame/frame.js'
import { dataMessage, type Header, PTYPE_SECS2, STYPE, sTypeOf } from '../../hsms/frame/header.js'
import type { HsmsTimers } from '../../hsms/settings.js'
import { codeMeaning, STYPE_NAMES } from '../../hsms/words.js'
import { type Clock, delay } from '../../kit/clock.js'
import { encodeBody } from '../../secs2/encode.js'
import { B, type Item, L } from '../../secs2/item.js'
import { type LinkRecord, type PassedBytes, RawLink } from './raw-link.js'

/** Why a check did not pass. `skipped`: the equipment gave no occasion for it. */
export class CheckEnded extends Error {
  constructor(
    readonly verdict: 'failed' | 'inconclusive' | 'skipped',
    detail: string,
  ) {
    super(detail)
  }
}
export const failed = (detail: string): never => {
  throw new CheckEnded('failed', detail)
}

export interface LabOptions {
  readonly host: string
  readonly port: number
  readonly deviceId: number
  /** Session ID of control messages; 0xffff in HSMS-SS. */
  readonly sessionId: number
  /** Those of the equipment, in milliseconds. */
  readonly timers: HsmsTimers
}

/** Milliseconds for a TCP connection. */
const DIAL_MS = 5000
/** Between two attempts to get a session. */
const AGAIN_MS = 100

const ACKNOWLEDGED = encodeBody(B(0))
/** Replies of the host, so that the equipment meets no T3: the function and the body. Else SxF0. */
const REPLIES: Readonly<Record<string, readonly [number, Uint8Array]>> = {
  S1F1: [2, encodeBody(L())],
  S1F13: [14, encodeBody(L(B(0), L()))],
  S5F1: [2, ACKNOWLEDGED],
  S6F11: [12, ACKNOWLEDGED],
}
const NOTHING: Uint8Array = new Uint8Array()

/** Connections to one equipment for checks, one after the other, and the record of what passed. */
export class Lab {
  readonly timers: HsmsTimers
  #systemBytes = 1000
  readonly #links: RawLink[] = []

  constructor(
    readonly options: LabOptions,
    readonly clock: Clock,
    private readonly passed: (bytes: PassedBytes) => void,
    private readonly opened: (link: LinkRecord) => void = () => {},
  ) {
    this.timers = options.timers
  }

  systemBytes(): number {
    this.#systemBytes += 1
    return this.#systemBytes
  }

  /** The time within which a timer has to have expired: the one of the equipment is not exact. */
  within(timer: 't3' | 't6' | 't7' | 't8'): number {
    return this.timers[timer] * 1.2 + 1000
  }

  /** Milliseconds for a reaction that is not the end of T7. */
  get reaction(): number {
    return Math.min(this.within('t6'), this.timers.t7 * 0.9)
  }

  /** TCP alone. `isSilent`: data messages of the equipment get no reply. */
  async connection(isSilent = false): Promise<RawLink> {
    const link = await RawLink.dial(this.options, this.clock, DIAL_MS, this.passed)
    this.#links.push(link)
    this.opened(link.record)
    link.handler = (frame) => (!isSilent || frame.header.sType !== STYPE.data) && this.#attend(link, frame)
    return link
  }

  /** A session. Equipment that has just lost one may need a while, T5 at most, until it takes another. */
  async session(isSilent = false): Promise<RawLink> {
    const until = this.clock.now() + this.timers.t5
    for (;;) {
      const link = await this.connection(isSilent).catch(() => undefined)
      const status = link && (await this.select(link))
      if (link && status === 0) return link
      link?.cut()
      if (this.clock.now() >= until)
        throw new CheckEnded('inconclusive', `no session within T5: ${selectWords(status)}`)
      await delay(this.clock, AGAIN_MS)
    }
  }

  /** A session in which the equipment has replied to S1F13. */
  async communication(): Promise<RawLink> {
    const link = await this.session()
    const reply = await this.reply(link, this.data(link, 1, 13, L()))
    if (reply === undefined) throw new CheckEnded('inconclusive', 'S1F13 has no reply')
    return link
  }

  /** The status of Select.rsp; undefined without one. */
  async select(link: RawLink): Promise<number | undefined> {
    const { systemBytes } = this.control(link, 'selectReq')
    const rsp = await this.response(link, STYPE.selectRsp, systemBytes)
    return rsp?.header.byte3
  }

  control(link: RawLink, type: Parameters<typeof controlFrame>[0], given: Partial<Header> = {}): Header {
    const { sessionId } = this.options
    const frame = controlFrame(type, { sessionId, systemBytes: this.systemBytes() })
    return this.send(link, { ...frame.header, ...given })
  }

  /** A primary with W-bit. */
  data(link: RawLink, stream: number, fn: number, item?: Item, given: Partial<Header> = {}): Header {
    return this.send(link, this.primary(stream, fn, given), item ? encodeBody(item) : NOTHING)
  }

  primary(stream: number, fn: number, given: Partial<Header> = {}): Header {
    const [sessionId, systemBytes] = [this.options.deviceId, this.systemBytes()]
    const kind = { pType: PTYPE_SECS2, sType: STYPE.data }
    return { sessionId, byte2: stream | 0x80, byte3: fn, ...kind, systemBytes, ...given }
  }

  send(link: RawLink, header: Header, body = NOTHING): Header {
    const frame = { header, body }
    link.write(encodeFrame(frame), frame)
    return header
  }

  response(link: RawLink, sType: number, systemBytes: number): Promise<Frame | undefined> {
    return link.next(
      ({ header }) => header.sType === sType && header.systemBytes === systemBytes,
      this.within('t6'),
    )
  }

  /** What came with the system bytes of a request, whatever it is, or stream 9 about it. */
  reply(
    link: RawLink,
    { systemBytes }: Pick<Header, 'systemBytes'>,
    within = Math.min(this.within('t3'), 15_000),
  ): Promise<Frame | undefined> {
    return link.next(
      (frame) => frame.header.systemBytes === systemBytes || isAbout(frame, systemBytes),
      within,
    )
  }

  /** Fails unless the session is there still. */
  async goesOn(link: RawLink, after: string): Promise<void> {
    const { systemBytes } = this.control(link, 'linktestReq')
    if (await this.response(link, STYPE.linktestRsp, systemBytes)) return
    failed(`${after}; then ${link.isClosed ? 'the connection was closed' : 'Linktest.req has no response'}`)
  }

  /** Ends what is open. */
  async end(): Promise<void> {
    for (const link of this.#links.splice(0)) {
      if (link.isClosed) continue
      this.control(link, 'separateReq')
      // Equipment that does not close is left.
      await link.closed(AGAIN_MS)
      link.cut()
    }
  }

  /** What a host does with requests of the equipment. */
  #attend(link: RawLink, { header, body }: Frame): boolean {
    const type = sTypeOf(header.sType)
    if (type === 'linktestReq') {
      this.send(link, controlFrame('linktestRsp', header).header)
      return true
    }
    if (type !== 'data') return false
    const { stream, function: fn, wait } = dataMessage(header, body)
    if (fn % 2 === 0 || stream === 9) return false
    const [reply, content] = REPLIES[`S${stream}F${fn}`] ?? [0, NOTHING]
    if (wait) this.send(link, { ...header, byte2: stream, byte3: reply }, content)
    return true
  }
}

/** Stream 9 whose MHEAD, its last bytes, has these system bytes. */
function isAbout({ header, body }: Frame, systemBytes: number): boolean {
  if (header.sType !== STYPE.data || (header.byte2 & 0x7f) !== 9 || body.length < 12) return false
  return new DataView(body.buffer, body.byteOffset).getUint32(body.length - 4) === systemBytes
}

const selectWords = (status: number | undefined): string =>
  status === undefined
    ? 'Select.req has no response'
    : `Select.rsp has status ${status} (${codeMeaning('selectRsp', status)})`

/** A frame in a few words: `Reject.req reason 4`, `S9F1`. */
export function frameWords({ header }: Frame): string {
  const { sType, byte2, byte3 } = header
  const type = sTypeOf(sType)
  if (type === 'data') return `S${byte2 & 0x7f}F${byte3}`
  if (type === undefined) return `SType ${sType}`
  const code = { selectRsp: ' status', deselectRsp: ' status', rejectReq: ' reason' }[type as string]
  return STYPE_NAMES[type] + (code === undefined ? '' : `${code} ${byte3}`)
}
