import { STANDARD_CATALOGUE } from '../catalogue/standard-catalogue.js'
import type { Structure } from '../catalogue/structure/structure.js'
import type { SecsMessage } from '../gem/conversation.js'
import { STYPE } from '../hsms/frame/header.js'
import { B, type Item, U1 } from '../secs2/item.js'

/** Where a frame's header has its third byte and its SType, behind four bytes of length (SEMI E37). */
const BYTE_3 = 4 + 3
const S_TYPE = 4 + 5

/** What an equipment does wrong on purpose, from the moment it is set until it is taken back. */
export class Faults {
  /** Primaries of the host are not answered; HSMS's own requests are. */
  silent = false
  /** It sends no primary of its own: what it has to say is lost. */
  quiet = false
  /** How much later answers leave, in milliseconds. */
  late = 0
  /** Primaries are answered by Reject.req with this reason, 1 to 255. */
  reject: number | undefined
  /** Whether Linktest.req is answered. */
  linktest = true
  /** The status of Select.rsp, 0 to 255. */
  selectStatus: number | undefined
  /** What it says as soon as there is a connection. */
  greeting: Uint8Array | undefined
  /** Acknowledge codes in place of the equipment's own, by the secondary such as `S2F42`. */
  readonly acknowledges = new Map<string, number>()

  /** Nothing is wrong any more. */
  clear(): void {
    this.silent = false
    this.quiet = false
    this.late = 0
    this.reject = undefined
    this.linktest = true
    this.selectStatus = undefined
    this.greeting = undefined
    this.acknowledges.clear()
  }

  /** What is wrong, in the words of the commands that did it. */
  get told(): readonly string[] {
    return [
      ...(this.silent ? ['silent on'] : []),
      ...(this.quiet ? ['quiet on'] : []),
      ...(this.late > 0 ? [`late ${this.late}ms`] : []),
      ...(this.reject === undefined ? [] : [`reject ${this.reject}`]),
      ...(this.linktest ? [] : ['linktest off']),
      ...(this.selectStatus === undefined ? [] : [`select ${this.selectStatus}`]),
      ...(this.greeting ? [`greet ${this.greeting.length} bytes`] : []),
      ...[...this.acknowledges].map(([name, code]) => `ack ${name} ${code}`),
    ]
  }

  /** A secondary with the acknowledge code that `acknowledges` has for it, where it has one to change. */
  changed(message: SecsMessage): SecsMessage {
    const { stream, function: fn, item } = message
    const code = this.acknowledges.get(`S${stream}F${fn}`)
    return code === undefined || !hasCode(stream, fn) ? message : { ...message, item: withCode(item, code) }
  }

  /** What becomes of a frame that leaves; undefined: it does not. */
  outgoing(frame: Uint8Array): Uint8Array | undefined {
    const type = frame[S_TYPE]
    if (type === STYPE.linktestRsp && !this.linktest) return undefined
    if (type !== STYPE.selectRsp || this.selectStatus === undefined) return frame
    const changed = Uint8Array.from(frame)
    changed[BYTE_3] = this.selectStatus
    return changed
  }
}

/** Whether a secondary of an equipment has an acknowledge code: it is all of it, or the first of a list (SEMI E5). */
export function hasCode(stream: number, fn: number): boolean {
  const row = STANDARD_CATALOGUE.find(stream, fn, 'equipment')
  const structure: Structure | undefined =
    row && fn % 2 === 0 ? STANDARD_CATALOGUE.structures(row)[0] : undefined
  const first = structure?.kind === 'list' ? structure.members[0] : structure
  return first?.kind === 'item' && STANDARD_CATALOGUE.item(first.name)?.accepts !== undefined
}

/** With a code that is one byte, in the format that the equipment itself gives it. */
function withCode(item: Item | undefined, code: number): Item | undefined {
  if (item?.format === 'B') return B(code)
  if (item?.format === 'U1') return U1(code)
  if (item?.format !== 'L') return item
  const [first, ...others] = item.items
  const changed = first && first.format !== 'L' ? withCode(first, code) : undefined
  return changed ? { ...item, items: [changed, ...others] } : item
}
