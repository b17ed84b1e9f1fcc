import type { Direction } from '../hsms/capture/wire.js'
import { CHARACTER, decodeBlock } from '../secs1/block.js'
import type { Verdict } from './finding.js'

const { ENQ, EOT, ACK, NAK } = CHARACTER
const PARITY_BIT = 0x80
const IAC = 0xff
/** Bytes of a test that are kept: a few messages pass. */
const MAX_BYTES = 16 * 1024

/** Control characters with a parity bit: the peer sends seven data bits. */
const WITH_PARITY = new Set<number>(Object.values(CHARACTER).map((byte) => byte | PARITY_BIT))
const CHARACTERS = new Set<number>(Object.values(CHARACTER))

interface Piece {
  readonly direction: Direction
  bytes: Uint8Array
}

/** What a piece of ours was, and all that came until the next one. */
interface Exchange {
  readonly sent: Uint8Array
  readonly came: Uint8Array
}

/** What passed on a SECS-I line during a test, byte for byte, and what it shows. */
export class LineTrace {
  readonly #pieces: Piece[] = []
  #size = 0

  add(direction: Direction, bytes: Uint8Array): void {
    if (this.#size >= MAX_BYTES) return
    this.#size += bytes.length
    const last = this.#pieces.at(-1)
    if (direction === 'in' && last?.direction === 'in') last.bytes = Buffer.concat([last.bytes, bytes])
    else this.#pieces.push({ direction, bytes: Uint8Array.from(bytes) })
  }

  /** The first bytes of the peer. */
  get first(): Uint8Array {
    return this.#came.subarray(0, 16)
  }

  /** Blocks came, and none of them has the R-bit. */
  get isFromHost(): boolean {
    const blocks = this.#exchanges.flatMap(({ came }) => decodeBlock(came) ?? [])
    return blocks.length > 0 && blocks.every(({ header }) => !header.toHost)
  }

  /** How many blocks were refused (NAK), of either side. */
  get refusals(): number {
    const ours = this.#exchanges.filter(({ sent, came }) => sent.length > 1 && came[0] === NAK)
    const theirs = this.#pieces.filter(
      ({ direction, bytes }) => direction === 'out' && bytes.length === 1 && bytes[0] === NAK,
    )
    return ours.length + theirs.length
  }

  /** Why there is no conversation; undefined where the line does not show it. */
  verdict(isMaster: boolean): Verdict | undefined {
    const exchanges = this.#exchanges
    const after = (is: (sent: Uint8Array) => boolean) =>
      exchanges.filter(({ sent }) => is(sent)).map(({ came }) => came)
    const requests = after((sent) => sent[0] === ENQ && sent.length === 1)
    const permissions = after((sent) => sent[0] === EOT && sent.length === 1)
    const answers = exchanges.filter(({ sent }) => sent.length > 1)
    const acknowledged = answers.filter(({ came }) => came[0] === ACK)
    const refused = answers.filter(({ came }) => came[0] === NAK)
    const isDoubled = permissions.some((came) => !decodeBlock(came) && decodeBlock(single(came)))
    const isSwallowed =
      acknowledged.length > 0 &&
      refused.length > 0 &&
      refused.every(({ sent }) => sent.includes(IAC)) &&
      !acknowledged.some(({ sent }) => sent.includes(IAC))
    if (isDoubled || isSwallowed)
      return {
        found: 'telnet',
        detail: `SECS-I through a terminal server in Telnet mode: ${isDoubled ? 'each byte 0xFF comes twice' : 'blocks with a byte 0xFF are refused'}`,
      }
    const granted = requests.some((came) => came.includes(EOT))
    const contended = requests.some((came) => came.includes(ENQ))
    if (isMaster && contended && !granted)
      return {
        found: 'wrong_master',
        detail: 'both ends ask for the line, and neither yields: both are master',
      }
    if (!isMaster && contended && permissions.some((came) => came.length === 1 && came[0] === EOT))
      return {
        found: 'wrong_master',
        detail: 'both ends ask for the line, and both yield: neither is master',
      }
    if (requests.length > 0 && this.first.length === 0)
      return { found: 'no_answer', detail: 'nothing responds to ENQ' }
    const odd = [...this.#came].filter((byte) => !CHARACTERS.has(byte))
    const blocks = permissions.some((came) => decodeBlock(came))
    if (acknowledged.length > 0 || blocks) return undefined
    if (!granted && odd.length > 0 && odd.every((byte) => WITH_PARITY.has(byte)))
      return {
        found: 'garbled',
        detail: `it responds with a parity bit (${hex(odd)}): SEMI E4 has eight data bits and no parity`,
      }
    if (!granted && odd.length > 0)
      return { found: 'garbled', detail: `it responds to ENQ with bytes that are no SECS-I (${hex(odd)})` }
    if (refused.length > 0)
      return { found: 'garbled', detail: 'it refuses every block (NAK): the line changes bytes' }
    if (permissions.some((came) => came.length > 0))
      return { found: 'garbled', detail: 'no block of it is whole: the line changes or loses bytes' }
    return undefined
  }

  get #exchanges(): readonly Exchange[] {
    return this.#pieces.flatMap(({ direction, bytes }, at) => {
      const next = this.#pieces[at + 1]
      return direction === 'in'
        ? []
        : [{ sent: bytes, came: next?.direction === 'in' ? next.bytes : NOTHING }]
    })
  }

  get #came(): Uint8Array {
    return Buffer.concat(this.#pieces.flatMap(({ direction, bytes }) => (direction === 'in' ? [bytes] : [])))
  }
}

const NOTHING = new Uint8Array()

/** Each 0xFF that is there twice is there once: Telnet escapes it so (RFC 854). */
function single(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  return Uint8Array.from(Buffer.from(text.replaceAll('\xff\xff', '\xff'), 'latin1'))
}

const hex = (bytes: readonly number[]): string => `0x${Buffer.from(bytes.slice(0, 8)).toString('hex')}`
