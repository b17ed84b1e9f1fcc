import { CatalogueError } from '../catalogue/catalogue.js'
import {
  type Content,
  type Given,
  type KnownMessage,
  type MessageFrom,
  numbersOf,
  type ReplyTo,
} from '../catalogue/known-message.js'
import type { Sender } from '../catalogue/message-row.js'
import type { LeafReader, NamedValues } from '../catalogue/values/read.js'
import { sentBy, type View } from '../catalogue/view.js'
import type { Item } from '../secs2/item.js'
import type { PeerView, Primary, SecsMessage } from './conversation.js'

/** The fault of a primary. Each side reports it in its own way. */
export type PrimaryFault = 'unknown_stream' | 'unknown_function' | 'illegal_data'

export type Verdict =
  | { readonly kind: 'reply'; readonly message: SecsMessage }
  | { readonly kind: 'none' }
  | { readonly kind: 'fault'; readonly fault: PrimaryFault }

/** What one side answers to a primary: to its named data those of the secondary. */
export interface ReplyRule {
  readonly message: KnownMessage
  /** The compiler has checked the data where the reply was written. `item` is the primary's body. */
  readonly reply: (content: NamedValues, item: Item | undefined) => NamedValues
  /** In place of `reply`, where the reply consists of stored items. */
  readonly body?: (content: NamedValues, item: Item | undefined) => Item
  /** In place of both, where the body is read otherwise; undefined for a body that does not fit. */
  readonly ofItem?: (item: Item | undefined) => Item | undefined
  /** Makes the values of the content; strings when left out. */
  readonly leaf?: LeafReader
  /** `reply` takes only the content, and that as texts: it is read of the bytes where those are known. */
  readonly isOfBytes?: boolean
}

type Reply<Name extends string, From extends Sender> =
  ReplyTo<Name> extends infer Secondary extends MessageFrom<From> ? Given<Secondary, From> : never

/** What a host answers to a primary of the equipment. */
export const hostReply = <Name extends MessageFrom<'equipment'>>(
  message: Name,
  reply: (content: Content<Name, 'equipment'>) => Reply<Name, 'host'>,
): ReplyRule => ({ message, reply: reply as unknown as ReplyRule['reply'] })

/** What an equipment answers to a primary of the host. */
export const equipmentReply = <Name extends MessageFrom<'host'>>(
  message: Name,
  reply: (content: Content<Name, 'host'>, item: Item | undefined) => Reply<Name, 'equipment'>,
): ReplyRule => ({ message, reply: reply as unknown as ReplyRule['reply'] })

/** What an equipment answers with a body of items. */
export const equipmentBodyReply = <Name extends MessageFrom<'host'>>(
  message: Name,
  body: (content: Content<Name, 'host'>) => Item,
): ReplyRule => ({ message, reply: () => ({}), body: body as unknown as NonNullable<ReplyRule['body']> })

/** What an equipment answers whose owner reads and builds the bodies itself. */
export const equipmentItemReply = (
  message: MessageFrom<'host'>,
  ofItem: NonNullable<ReplyRule['ofItem']>,
): ReplyRule => ({ message, reply: () => ({}), ofItem })

/** The views of one peer's messages, and of ours to it. */
interface Views {
  readonly of: PeerView
  readonly peer: PeerView & View
  readonly own: PeerView & View
}

/** Rules by stream and function. */
export type ReplyTable = ReadonlyMap<number, ReplyRule>

const numberOf = (stream: number, fn: number): number => stream * 1024 + fn

export const replyTable = (replies: readonly ReplyRule[]): ReplyTable =>
  new Map(
    replies.map((answering) => {
      const { stream, function: fn } = numbersOf(answering.message)
      return [numberOf(stream, fn), answering]
    }),
  )

const NO_REPLIES = replyTable([])

/** What one side of the conversation answers. The host is one of these, the equipment another. */
export class Role {
  readonly #replies: ReplyTable
  #views: Views | undefined
  /** The last body of each reply, for data that are the same object again. */
  readonly #built = new Map<ReplyRule, { readonly data: NamedValues; readonly item: Item | undefined }>()

  /**
   * `view` is looked at for every message: it may change while the role lives. `shared`: what all roles of its kind
   * answer, beside its own `replies`.
   */
  constructor(
    private readonly self: Sender,
    replies: readonly ReplyRule[],
    private readonly view: () => PeerView,
    private readonly shared = NO_REPLIES,
  ) {
    this.#replies = replyTable(replies)
  }

  /** Never throws for what the peer sent: a fault is a reply. */
  replyTo(primary: Primary): Verdict {
    const { stream, function: fn } = primary
    const number = numberOf(stream, fn)
    const answering = this.#replies.get(number) ?? this.shared.get(number)
    if (!answering) {
      return { kind: 'fault', fault: this.#knows(stream) ? 'unknown_function' : 'unknown_stream' }
    }
    if (answering.ofItem) return replyOfItem(answering.ofItem, primary)
    const { peer, own } = this.#viewsNow()
    const content = contentOf(primary, answering, peer)
    if (!content) return { kind: 'fault', fault: 'illegal_data' }
    const body = answering.body?.(content, primary.item)
    const reply = body ? {} : answering.reply(content, answering.isOfBytes ? undefined : primary.item)
    if (!primary.wait) return { kind: 'none' }
    const item = body ?? this.#build(answering, reply, own)
    return { kind: 'reply', message: { stream, function: fn + 1, item } }
  }

  #knows(stream: number): boolean {
    const numbers = [...this.#replies.keys(), ...this.shared.keys()]
    return numbers.some((number) => number >> 10 === stream)
  }

  #viewsNow(): Views {
    const view = this.view()
    if (this.#views?.of !== view) {
      const other = this.self === 'host' ? 'equipment' : 'host'
      this.#views = { of: view, peer: sentBy(view, other), own: sentBy(view, this.self) }
      this.#built.clear()
    }
    return this.#views
  }

  #build(answering: ReplyRule, data: NamedValues, view: PeerView & View): Item | undefined {
    const last = this.#built.get(answering)
    if (last?.data === data) return last.item
    const { stream, function: fn } = numbersOf(answering.message)
    const secondary = `S${stream}F${fn + 1}` as KnownMessage // that there is one was checked with the reply
    const item = buildReply(secondary, data, view)
    this.#built.set(answering, { data, item })
    return item
  }
}

/** Null where the body does not fit. */
function contentOf(
  primary: Primary,
  { message, leaf, isOfBytes }: ReplyRule,
  view: PeerView & View,
): NamedValues | null {
  const { values, body } = primary
  if (values !== undefined) return values
  if (isOfBytes && body) return view.catalogue.readBytes(message, body, view)
  return primary.fault === undefined ? view.catalogue.readKnown(message, primary.item, view, leaf) : null
}

function replyOfItem(ofItem: NonNullable<ReplyRule['ofItem']>, primary: Primary): Verdict {
  const { stream, function: fn, item: body, fault, wait } = primary
  const item = fault === undefined ? ofItem(body) : undefined
  if (!item) return { kind: 'fault', fault: 'illegal_data' }
  return wait ? { kind: 'reply', message: { stream, function: fn + 1, item } } : { kind: 'none' }
}

/** The body of a reply. */
export const buildReply = (
  message: KnownMessage,
  data: NamedValues,
  view: PeerView & View,
): Item | undefined => inUsualFormats(view, (usual) => view.catalogue.buildKnown(message, data, usual))

/**
 * Builds a reply. Formats given for this peer that cannot hold what has to be said are not kept to: an
 * answer in the usual formats is better than none.
 */
export function inUsualFormats(view: View, build: (view: View) => Item | undefined): Item | undefined {
  try {
    return build(view)
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    return build({ ...view, formats: {} })
  }
}
