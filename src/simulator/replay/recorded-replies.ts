import { decoded } from '../../secs2/decode.js'
import { encodeBody } from '../../secs2/encode.js'
import { bytesItem, type Item } from '../../secs2/item.js'
import { isRecordedPrimary, nameOf, type RecordedMessage } from './recording.js'

/** The recorded reaction of the equipment to a primary of the host. */
export type RecordedReply =
  | { readonly kind: 'reply'; readonly function: number; readonly body: Uint8Array }
  /** It sent this function of stream 9. */
  | { readonly kind: 'stream9'; readonly function: number }
  | { readonly kind: 'none' }

/** `near`: the recorded primary had another body. */
export type Found =
  | { readonly match: 'same' | 'near'; readonly reply: RecordedReply }
  | { readonly match: 'unknown' }

interface Asked {
  readonly body: Uint8Array
  readonly replies: RecordedReply[]
  next: number
}

/** A header begins with the session id and has its system bytes at the end (SEMI E5's MHEAD, two bytes of item before it). */
const HEADER_SYSTEM_BYTES = 2 + 6

/** The recorded replies, by stream, function and body of the primary. */
export class RecordedReplies {
  readonly #asked = new Map<string, Map<string, Asked>>()

  constructor(messages: readonly RecordedMessage[]) {
    const replies = new Map<number, RecordedReply>()
    const faults = new Map<number, RecordedReply>()
    for (const { from, stream, function: fn, body, replyTo } of messages) {
      if (from !== 'equipment') continue
      if (replyTo !== undefined) replies.set(replyTo, { kind: 'reply', function: fn, body })
      const systemBytes = stream === 9 ? namedIn(body) : undefined
      if (systemBytes !== undefined) faults.set(systemBytes, { kind: 'stream9', function: fn })
    }
    for (const message of messages) {
      if (message.from !== 'host' || !isRecordedPrimary(message)) continue
      const reply = replies.get(message.id) ?? faults.get(message.systemBytes) ?? { kind: 'none' }
      this.#add(message, reply)
    }
  }

  /** The next reply to such a primary, in recorded order; after the last the first again. */
  find(primary: Pick<RecordedMessage, 'stream' | 'function' | 'body'>, loose: boolean): Found {
    const bodies = this.#asked.get(nameOf(primary))
    const same = bodies?.get(keyOf(primary.body))
    if (same) return { match: 'same', reply: nextOf(same) }
    const near = loose && bodies ? nearest([...bodies.values()], primary.body) : undefined
    return near ? { match: 'near', reply: nextOf(near) } : { match: 'unknown' }
  }

  #add(primary: RecordedMessage, reply: RecordedReply): void {
    const name = nameOf(primary)
    const bodies = this.#asked.get(name) ?? new Map<string, Asked>()
    this.#asked.set(name, bodies)
    const key = keyOf(primary.body)
    const asked = bodies.get(key)
    if (asked) asked.replies.push(reply)
    else bodies.set(key, { body: primary.body, replies: [reply], next: 0 })
  }
}

const keyOf = (body: Uint8Array): string => Buffer.from(body).toString('latin1')

function nextOf(asked: Asked): RecordedReply {
  const reply = asked.replies[asked.next % asked.replies.length] ?? { kind: 'none' }
  asked.next += 1
  return reply
}

/** The system bytes in the header that a message of stream 9 contains; undefined where it contains none. */
function namedIn(body: Uint8Array): number | undefined {
  if (body.length !== HEADER_SYSTEM_BYTES + 4) return undefined
  return Buffer.from(body).readUInt32BE(HEADER_SYSTEM_BYTES)
}

/** The one with the longest common beginning; of several the first recorded. */
function nearest(asked: readonly Asked[], body: Uint8Array): Asked | undefined {
  let best: Asked | undefined
  let longest = -1
  for (const one of asked) {
    const different = one.body.findIndex((byte, at) => byte !== body[at])
    const agreeing = different === -1 ? one.body.length : different
    if (agreeing <= longest) continue
    best = one
    longest = agreeing
  }
  return best
}

/**
 * S1F14 for a recording that has none: COMMACK 0, with MDLN and SOFTREV as the equipment said them in S1F13 or
 * S1F2; an empty list where it never did.
 */
export function establishReply(messages: readonly RecordedMessage[]): Uint8Array {
  const said = messages.find(
    ({ from, stream, function: fn }) => from === 'equipment' && stream === 1 && (fn === 13 || fn === 2),
  )
  const names = said && decoded(said.body).item
  const none: Item = { format: 'L', items: [] }
  return encodeBody({ format: 'L', items: [bytesItem('B', Uint8Array.of(0)), names ?? none] })
}
