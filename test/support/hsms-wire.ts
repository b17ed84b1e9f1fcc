import { encodeFrame, type Frame, FrameReader } from '../../src/hsms/frame/frame.js'
import { dataHeader, type Header, STYPE, type SType } from '../../src/hsms/frame/header.js'
import { HsmsProtocol } from '../../src/hsms/hsms-protocol.js'
import type { HsmsInput, HsmsOutput } from '../../src/hsms/io.js'
import type { DataMessage } from '../../src/hsms/message.js'
import type { HsmsSettings } from '../../src/hsms/settings.js'
import { otherSide, type Side } from '../../src/tap/side.js'
import { SETTINGS } from './hsms-pair.js'
import { LineBetween } from './line-between.js'

const NO_BODY = new Uint8Array()

export const message = (given: Partial<DataMessage> = {}): DataMessage => ({
  sessionId: SETTINGS.deviceId,
  stream: 1,
  function: 1,
  wait: true,
  systemBytes: 1,
  body: NO_BODY,
  ...given,
})

/** The bytes of a control message, or of anything that only looks like one. */
export function controlBytes(type: SType | number, header: Partial<Header> = {}, body = NO_BODY): Uint8Array {
  const sType = typeof type === 'number' ? type : STYPE[type]
  return encodeFrame({
    header: { sessionId: 0xffff, byte2: 0, byte3: 0, pType: 0, systemBytes: 1, ...header, sType },
    body,
  })
}

export const dataBytes = (given: Partial<DataMessage> = {}): Uint8Array => {
  const made = message(given)
  return encodeFrame({ header: dataHeader(made), body: made.body })
}

/** One protocol on made-up time, and a peer that says what the test wants it to say. */
export class HsmsWire {
  readonly protocol: HsmsProtocol
  /** Everything that came out, with its time; `write`s are in `written`, too. */
  readonly seen: (HsmsOutput & { readonly at: number })[] = []
  readonly #reader = new FrameReader(1 << 24)
  #written: Frame[] = []
  now = 0
  #line = this.#newLine()
  #outputs: HsmsOutput[] = []

  /** `random` of 0: system bytes begin at 0, and nothing is added to T5. */
  constructor(settings: Partial<HsmsSettings> = {}, random: () => number = () => 0) {
    this.protocol = new HsmsProtocol({ ...SETTINGS, ...settings }, random)
  }

  /** TCP is up. */
  static connected(
    role: HsmsSettings['role'],
    settings: Partial<HsmsSettings> = {},
    random?: () => number,
  ): HsmsWire {
    const wire = new HsmsWire({ role, ...settings }, random)
    wire.feed({ kind: 'start' })
    if (role === 'passive') wire.feed({ kind: 'listening' })
    wire.feed({ kind: 'connected' })
    return wire
  }

  static selected(
    role: HsmsSettings['role'],
    settings: Partial<HsmsSettings> = {},
    random?: () => number,
  ): HsmsWire {
    const wire = HsmsWire.connected(role, settings, random)
    if (role === 'passive') wire.receive(controlBytes('selectReq'))
    else wire.receive(controlBytes('selectRsp', { systemBytes: wire.take().header.systemBytes }))
    wire.written()
    return wire
  }

  get #side(): Side {
    return this.protocol.settings.role === 'active' ? 'host' : 'equipment'
  }

  #newLine(): LineBetween {
    return new LineBetween((at, bytes) => {
      if (at === this.#side) this.#handle({ kind: 'bytes', bytes })
      else this.#written.push(...this.#reader.read(bytes))
    })
  }

  feed(input: HsmsInput): readonly HsmsOutput[] {
    this.#outputs = []
    if (input.kind === 'connected') this.#line = this.#newLine()
    if (input.kind === 'bytes' && input.maxFrames === undefined)
      this.#line.pass(otherSide(this.#side), input.bytes)
    else this.#handle(input)
    return this.#outputs
  }

  #handle(input: HsmsInput): void {
    const outputs = this.protocol.handle(input, this.now)
    this.#outputs.push(...outputs)
    for (const output of outputs) {
      this.seen.push({ ...output, at: this.now })
      if (output.kind !== 'write') continue
      this.#line.pass(this.#side, output.bytes)
      if (output.body) this.#line.pass(this.#side, output.body)
    }
  }

  /** The peer's bytes, in one chunk. */
  receive(...bytes: readonly Uint8Array[]): readonly HsmsOutput[] {
    return this.feed({ kind: 'bytes', bytes: Buffer.concat(bytes) })
  }

  /** Sends a primary with W-bit; gives its system bytes. */
  request(given: Partial<DataMessage> = {}, t3?: number): number {
    const systemBytes = this.protocol.reserve()
    if (systemBytes === undefined) throw new Error('no system bytes are free')
    this.feed({ kind: 'request', message: message({ ...given, systemBytes }), t3 })
    return systemBytes
  }

  /** Moves time to each deadline, until `until`. */
  advance(until: number): this {
    for (
      let next = this.protocol.deadline;
      next !== undefined && next <= until;
      next = this.protocol.deadline
    ) {
      this.now = next
      this.feed({ kind: 'tick' })
    }
    this.now = until
    return this
  }

  /** The frames written since the last call. */
  written(): Frame[] {
    const written = this.#written
    this.#written = []
    return written
  }

  /** The one frame written since the last call. */
  take(): Frame {
    const [frame, ...more] = this.written()
    if (!frame || more.length > 0) throw new Error(`${more.length + (frame ? 1 : 0)} frames, not one`)
    return frame
  }

  of<K extends HsmsOutput['kind']>(kind: K): (Extract<HsmsOutput, { kind: K }> & { readonly at: number })[] {
    return this.seen.filter(
      (output): output is Extract<HsmsOutput, { kind: K }> & { readonly at: number } => output.kind === kind,
    )
  }

  /** The last change of state. */
  get last(): unknown {
    return this.of('changed').at(-1)
  }
}
