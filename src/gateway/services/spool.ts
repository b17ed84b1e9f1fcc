import type { ReadValue } from '../../catalogue/structure/structure-data.js'
import type { Spool, SpooledStream, SpoolFault, spoolEndpoints } from '../../contract/topics/spool.js'
import type { NamedValue } from '../../contract/values.js'
import { textsIn } from '../../gem/content.js'
import type { Handler, Handlers } from '../handler.js'
import type { Gateway } from '../open-gateway.js'
import { MESSAGE_RECEIVED } from '../records/journal-kinds.js'
import { topicOf } from '../records/message-topics.js'
import { messageOf } from '../records/recorded-message.js'
import type { Acknowledged, Asking, AskOptions } from './asking.js'
import { givenId } from './given-id.js'
import { valuesOf } from './replied-values.js'
import { passOverRefusal } from './unknown-message.js'
import { verdict } from './verdict.js'

type Rows = typeof spoolEndpoints

/** RSDC. */
const TRANSMIT = 0
const PURGE = 1
/** RSDA: nothing is spooled, so that there is nothing to do. */
const NOTHING = 2

/** Of the S2F44 of an equipment, so many of the last are searched for one that accepts. */
const MOST_SEARCHED = 50

/** The spool of an equipment (SEMI E30): its state, what is spooled (S2F43), and what becomes of it (S6F23). */
export const spoolHandlers: Handlers<Rows> = {
  async getSpool({ params: { id }, query }, gateway) {
    const values = await valuesAboutSpool(id, query, gateway)
    return { values, spooled: (await askedChoice(id, query, gateway)) ?? (await lastChoice(id, gateway)) }
  },

  async setSpool({ params: { id }, send, body: { streams } }, { asking }) {
    const STREAMS = streams.map(({ stream, functions = [] }) => ({ STRID: stream, FCNID: functions }))
    const said = await asking.acknowledge(id, 'S2F43', { STREAMS }, send)
    return { ...verdict('rspack', said), faults: faultsIn(id, said, asking) }
  },

  transmitSpool: (call, gateway) => requested(TRANSMIT, call, gateway),
  purgeSpool: (call, gateway) => requested(PURGE, call, gateway),
}

async function requested(
  RSDC: number,
  { params: { id }, send }: Parameters<Handler<Rows['purgeSpool']>>[0],
  { asking }: Gateway,
) {
  const said = await asking.acknowledge(id, 'S6F23', { RSDC }, send)
  return verdict('rsda', { ...said, accepted: said.accepted || said.code === NOTHING })
}

/** Status variables and constants whose names contain `spool`. Equipment without lists of names has none that are known. */
async function valuesAboutSpool(
  id: string,
  options: AskOptions,
  { asking, naming }: Pick<Gateway, 'asking' | 'naming'>,
): Promise<NamedValue[]> {
  for (const list of ['S1F11', 'S2F29'] as const) {
    const known = naming.of(id)
    if (known.hasWhole(list) || known.isRefused(list)) continue
    // The recorded reply updates the knowledge.
    await asking.ask(id, list, {}, options).catch(passOverRefusal)
  }
  const { variables, constants } = naming.of(id)
  const isAboutSpool = ([, { name }]: readonly [string, { readonly name: string }]): boolean =>
    /spool/i.test(name)
  const svids = [...variables]
    .filter(isAboutSpool)
    .flatMap(([vid, { kind }]) => (kind === 'status' ? [vid] : []))
  const ecids = [...constants].filter(isAboutSpool).map(([ecid]) => ecid)
  const values: NamedValue[] = []
  if (svids.length > 0) {
    const reply = await asking.ask(id, 'S1F3', { SVID: svids.map(givenId) }, options)
    values.push(...valuesOf(asking, id, { message: 'S1F3', ids: svids, known: variables, reply }))
  }
  if (ecids.length > 0) {
    const reply = await asking.ask(id, 'S2F13', { ECID: ecids.map(givenId) }, options)
    values.push(...valuesOf(asking, id, { message: 'S2F13', ids: ecids, known: constants, reply }))
  }
  return values
}

/** S2F59; null where the equipment does not reply to it, as is common. */
async function askedChoice(
  id: string,
  options: AskOptions,
  { asking, naming, clock }: Pick<Gateway, 'asking' | 'naming' | 'clock'>,
): Promise<Spool['spooled']> {
  if (naming.of(id).isRefused('S2F59')) return null
  const reply = await asking.ask(id, 'S2F59', {}, options).catch(passOverRefusal)
  if (!reply) return null
  return {
    streams: streamsIn(reply.content.STREAMS),
    known_from: 'equipment',
    at: clock.date().toISOString(),
    message_id: reply.reply_id,
  }
}

/** The last S2F43 that the equipment accepted, as far as the journal goes back. */
async function lastChoice(
  id: string,
  { asking, messages: { journal } }: Pick<Gateway, 'asking' | 'messages'>,
): Promise<Spool['spooled']> {
  const { catalogue, ...reading } = asking.reading(id)
  const replies = await journal.query({
    kinds: [MESSAGE_RECEIVED],
    key: id,
    topics: new Set([topicOf(2, 44)]),
    order: 'desc',
    limit: MOST_SEARCHED,
  })
  for (const reply of replies) {
    const { item, replyTo } = messageOf(reply)
    if (replyTo === null || !catalogue.acknowledgement(2, 44, item)?.accepted) continue
    const sent = await journal.get(replyTo)
    const content = sent && catalogue.read('S2F43', messageOf(sent).item, { ...reading, sender: 'host' })
    if (!content) return null
    return {
      streams: streamsIn(content.STREAMS),
      known_from: 'journal',
      at: reply.at,
      message_id: String(sent.seq),
    }
  }
  return null
}

const streamsIn = (
  rows: readonly { readonly STRID: ReadValue; readonly FCNID: ReadValue }[],
): SpooledStream[] =>
  rows.map(({ STRID, FCNID }) => ({ stream: Number(STRID), functions: textsIn(FCNID).map(Number) }))

/** What an S2F44 names; nothing where it has only its code. */
function faultsIn(id: string, { body }: Acknowledged, asking: Asking): SpoolFault[] {
  const { catalogue, ...reading } = asking.reading(id)
  const content = catalogue.read('S2F44', body, { ...reading, sender: 'equipment' })
  return (content?.STREAMS ?? []).map((row) => ({
    stream: Number(row.STRID),
    functions: textsIn(row.FCNID).map(Number),
    strack: Number(row.STRACK),
    strack_text: catalogue.codeText('STRACK', Number(row.STRACK)),
  }))
}
