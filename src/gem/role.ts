import { buildBody, CatalogueError, readBody, type View } from '../catalogue/catalogue.js'
import type { Item } from '../secs2/item.js'
import type { PeerView, Primary, SecsMessage } from './conversation.js'

/** Named items, as the catalogue reads and builds them. */
export type Content = Readonly<Record<string, unknown>>

/** What is wrong with a primary. Each side voices it in its own way. */
export type PrimaryFault = 'unknown_stream' | 'unknown_function' | 'illegal_data'

export type Verdict =
  | { readonly kind: 'reply'; readonly message: SecsMessage }
  | { readonly kind: 'none' }
  | { readonly kind: 'fault'; readonly fault: PrimaryFault }

/** What one side of the conversation answers. The host is one of these, the equipment another. */
export class Role {
  readonly #answers = new Map<string, (content: Content) => Content>()
  readonly #streams = new Set<number>()

  /** `view` is looked at for every message: it may change while the role lives. */
  constructor(
    private readonly self: 'host' | 'equipment',
    private readonly view: () => PeerView,
  ) {}

  /** Answers every primary of this stream and function with the next function, of the content `answer` returns. */
  on(stream: number, fn: number, answer: (content: Content) => Content): this {
    this.#streams.add(stream)
    this.#answers.set(`S${stream}F${fn}`, answer)
    return this
  }

  /** Never throws for what the peer sent: a fault is an answer. */
  answer(primary: Primary): Verdict {
    const { stream, function: fn } = primary
    const answer = this.#answers.get(`S${stream}F${fn}`)
    if (!answer) {
      return { kind: 'fault', fault: this.#streams.has(stream) ? 'unknown_function' : 'unknown_stream' }
    }
    const peer = this.self === 'host' ? 'equipment' : 'host'
    const content =
      primary.fault === undefined
        ? readBody(stream, fn, primary.item, { ...this.view(), sender: peer })
        : null
    if (!content) return { kind: 'fault', fault: 'illegal_data' }
    const reply = answer(content)
    if (!primary.wait) return { kind: 'none' }
    const item = buildAnswer(stream, fn + 1, reply, { ...this.view(), sender: this.self })
    return { kind: 'reply', message: { stream, function: fn + 1, item } }
  }
}

/**
 * The body of an answer. Formats given for this peer that cannot hold what has to be said are not kept to: an
 * answer in the usual formats is better than none.
 */
export function buildAnswer(stream: number, fn: number, content: Content, view: View): Item | undefined {
  try {
    return buildBody(stream, fn, content, view)
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    return buildBody(stream, fn, content, { ...view, formats: {} })
  }
}
