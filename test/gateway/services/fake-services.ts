import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { EquipmentKnowledgeBook } from '../../../src/gateway/knowledge/knowledge-book.js'
import { MESSAGE_ENDED } from '../../../src/gateway/records/journal-kinds.js'
import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import { Asking, type SendOptions } from '../../../src/gateway/services/asking.js'
import { Naming } from '../../../src/gateway/services/naming.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import type { Item } from '../../../src/secs2/item.js'
import { printSml } from '../../../src/secs2/sml/print.js'
import type { Entry } from '../../../src/store/entry.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryJournal } from '../../support/memory-store.js'

type Reply = Item | 'abort' | 'silence' | 'lost'
/** By message, such as `S1F3`. A message that is not named is aborted. */
export type Replies = Readonly<Record<string, Reply | ((item: Item | undefined) => Reply)>>

export const SEND: SendOptions = { request: undefined }

/** What services need of a gateway with one equipment `eq`, which replies so; nothing is sent over a socket. */
export function fakeServices(replies: Replies) {
  const [journal, clock] = [new MemoryJournal(), new ManualClock()]
  const book = new EquipmentKnowledgeBook(STANDARD_CATALOGUE)
  book.readBy({ id: 'eq', name: 'etcher', item_formats: {}, text_encoding: 'latin1' } as never)
  /** As SML, in one line. */
  const asked: string[] = []
  const at = clock.date().toISOString()
  const append = async (entry: Parameters<MemoryJournal['append']>[0]): Promise<Entry> => {
    const made = await journal.append(entry)
    book.apply(made)
    return made
  }
  const messageOf = (
    direction: 'sent' | 'received',
    stream: number,
    fn: number,
    item: Item | undefined,
    replyTo: number | null,
  ) =>
    new RecordedMessage(
      { direction, equipmentId: 'eq', replyTo },
      { sessionId: 0, stream, function: fn, wait: fn % 2 === 1, systemBytes: 1, body: encodeBody(item) },
    ).entry(at)
  const host = {
    controlState: 'ONLINE_REMOTE',
    communicationState: 'COMMUNICATING',
    refusesOnline: false,
    hasConfirmedPresence: true,
  }
  const session = {
    ...{ host, signs: '', lineNoise: null },
    reading: () => book.readingOf('eq'),
    current: () => ({ id: 'eq', name: 'etcher', communication: 'gem' }),
    async send({ stream, function: fn, item }: { stream: number; function: number; item: Item | undefined }) {
      asked.push(printSml({ stream, function: fn, wait: true, item }).replace(/\s+/g, ' '))
      const sent = await append(messageOf('sent', stream, fn, item, null))
      const given = replies[`S${stream}F${fn}`] ?? 'abort'
      const said = typeof given === 'function' ? given(item) : given
      const reply =
        typeof said === 'string'
          ? undefined
          : await append(messageOf('received', stream, fn + 1, said, sent.seq))
      const kind = reply
        ? 'replied'
        : said === 'abort'
          ? 'aborted'
          : said === 'silence'
            ? 'timed_out'
            : 'lost'
      const data = { message_id: String(sent.seq), outcome: kind, reply_id: null, latency_ms: null, s9: null }
      await append({ ...MESSAGE_ENDED, key: 'eq', at, data })
      return {
        sent,
        ended: Promise.resolve({ reply, outcome: { kind, reply: { stream } }, left: true, ending: {} }),
      }
    },
  }
  const asking = new Asking({ session: () => session } as never)
  const naming = new Naming(asking, book)
  const gateway = {
    asking,
    naming,
    clock,
    journal,
    messages: { journal },
    equipment: { session: () => session },
  }
  return { gateway: gateway as never, asked, host, clock, journal, naming }
}
