import type { HsmsInput, HsmsOutput } from '../../src/hsms/io.js'
import type { DataMessage } from '../../src/hsms/message.js'
import { type BlockHeader, CHARACTER, decodeBlock, encodeBlock } from '../../src/secs1/block.js'
import { Secs1Protocol } from '../../src/secs1/secs1-protocol.js'
import type { Secs1Settings } from '../../src/secs1/settings.js'
import { type Side, secs1Settings } from './secs1-pair.js'

const NAMES = new Map(Object.entries(CHARACTER).map(([name, code]) => [code as number, name]))

/** One SECS-I machine with its line open, in made-up time; the test is the peer. */
export class Secs1Wire {
  now = 0
  readonly protocol: Secs1Protocol
  readonly outputs: HsmsOutput[] = []
  /** What left and was not read by `left`: `ENQ` and so on; a block as `S1F1#1E`, E for the E-bit. */
  #left: string[] = []

  constructor(given: Partial<Secs1Settings> = {}, side: Side = 'host') {
    this.protocol = new Secs1Protocol(secs1Settings(side, { role: 'active', ...given }), () => 0)
    this.feed({ kind: 'start' })
    this.feed({ kind: 'connected' })
  }

  feed(input: HsmsInput): void {
    for (const output of this.protocol.handle(input, this.now)) {
      this.outputs.push(output)
      if (output.kind === 'write') this.#left.push(nameOf(output.bytes))
    }
  }

  /** What left since the last call. */
  left(): string[] {
    const left = this.#left
    this.#left = []
    return left
  }

  /** Lets so many milliseconds pass. */
  wait(milliseconds: number): this {
    const until = this.now + milliseconds
    for (let at = this.protocol.deadline; at !== undefined && at <= until; at = this.protocol.deadline) {
      this.now = Math.max(this.now, at)
      this.feed({ kind: 'tick' })
    }
    this.now = until
    return this
  }

  /** The peer sends characters or bytes. */
  peer(...sent: (keyof typeof CHARACTER | number | Uint8Array)[]): this {
    for (const one of sent) {
      const bytes = typeof one === 'string' ? [CHARACTER[one]] : typeof one === 'number' ? [one] : one
      this.feed({ kind: 'bytes', bytes: Uint8Array.from(bytes) })
    }
    return this
  }

  /** The peer asks for the line and sends a block. */
  block(given: Partial<BlockHeader> = {}, data: Uint8Array = new Uint8Array()): this {
    return this.peer('ENQ', blockOf(given, data))
  }

  /** We send a primary with W-bit; its system bytes. */
  ask(length = 0, given: Partial<DataMessage> = {}): number {
    const systemBytes = this.protocol.reserve() as number
    const body = new Uint8Array(length)
    const message = { sessionId: 0, stream: 1, function: 1, wait: true, systemBytes, body, ...given }
    this.feed({ kind: 'request', message })
    return systemBytes
  }

  /** The peer takes the blocks that wait, one after the other. */
  take(blocks = 1): this {
    for (let count = 0; count < blocks; count += 1) this.peer('EOT', 'ACK')
    return this
  }

  of<Kind extends HsmsOutput['kind']>(kind: Kind): Extract<HsmsOutput, { kind: Kind }>[] {
    return this.outputs.filter(
      (output): output is Extract<HsmsOutput, { kind: Kind }> => output.kind === kind,
    )
  }

  /** What `wire tail` shows of one direction: characters by name, other bytes in hexadecimal. */
  seen(direction: 'in' | 'out'): string[] {
    return this.of('passed').flatMap(({ record }) => {
      if (record.kind !== 'line' || record.direction !== direction) return []
      const { bytes } = record
      const name = bytes.length === 1 ? NAMES.get(bytes[0] as number) : undefined
      return [name ?? Buffer.from(bytes).toString('hex')]
    })
  }

  get received(): { readonly kind: string; readonly bytes: number; readonly name: string }[] {
    return this.of('received').map(({ received: { kind, message } }) => ({
      kind,
      name: `S${message.stream}F${message.function}`,
      bytes: message.body.length,
    }))
  }

  get outcomes(): string[] {
    return this.of('ended').map(({ outcome }) => outcome.kind)
  }

  get fault(): string | undefined {
    return this.of('changed').find(({ fault }) => fault)?.fault?.code
  }
}

/** A block of the equipment, S1F1 of one block unless said otherwise. */
export const blockOf = (given: Partial<BlockHeader> = {}, data: Uint8Array = new Uint8Array()): Uint8Array =>
  encodeBlock({
    header: {
      ...{ toHost: true, deviceId: 0, stream: 1, function: 1, wait: true },
      ...{ isLast: true, number: 1, systemBytes: 77 },
      ...given,
    },
    data,
  })

function nameOf(bytes: Uint8Array): string {
  const header = decodeBlock(bytes)?.header
  if (header) return `S${header.stream}F${header.function}#${header.number}${header.isLast ? 'E' : ''}`
  return NAMES.get(bytes[0] as number) ?? 'bytes'
}
