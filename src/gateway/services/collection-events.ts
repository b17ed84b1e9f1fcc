import { onePage } from '../../contract/schema.js'
import type { collectionEventEndpoints } from '../../contract/topics/collection-events.js'
import type { NamedValue } from '../../contract/values.js'
import { textsIn, unpadded } from '../../gem/content.js'
import { type Item, itemsIn } from '../../secs2/item.js'
import type { Handler, Handlers } from '../handler.js'
import type { KnownEvent } from '../knowledge/equipment-knowledge.js'
import type { Gateway } from '../open-gateway.js'
import type { Asking, AskOptions } from './asking.js'
import { givenId } from './given-id.js'
import { namedValue } from './replied-values.js'
import { requireOne, verdict } from './verdict.js'

type Rows = typeof collectionEventEndpoints
type NamedEvent = KnownEvent & { readonly id: string }

/** Collection events: what they are (S1F23), enabling (S2F37), and their reports (S6F15, S6F19). */
export const collectionEventHandlers: Handlers<Rows> = {
  async listCollectionEvents({ params: { id }, query: { known: fromMemory, ...options } }, gateway) {
    const { asking, naming } = gateway
    const rows = fromMemory ? knownEvents(id, gateway) : await listed(id, options, asking)
    const known = naming.of(id)
    return onePage(
      rows.map(({ id: ceid, name, variables }) => {
        const reports = known.reportsOf(ceid)
        return {
          id: ceid,
          name,
          variables: [...variables],
          variable_names: variables.map((vid) => known.named(vid)?.name || null),
          enabled: known.isEnabled(ceid),
          reports: reports ? [...reports] : null,
          ...(known.links.has(ceid) && { origin: known.originOf('events', ceid) }),
        }
      }),
    )
  },

  enableCollectionEvents: (call, gateway) => switched(true, call, gateway),
  disableCollectionEvents: (call, gateway) => switched(false, call, gateway),

  async requestEventReport({ params: { id, ceid: event }, query }, gateway) {
    const { asking, naming } = gateway
    const [ceid = event] = await naming.idsOf(id, 'events', [event], { where: () => 'ceid', ...query })
    const { content, body, ...ids } = await asking.ask(id, 'S6F15', { CEID: givenId(ceid) }, query)
    // The structure was checked: DATAID, CEID, and a list of reports, each an RPTID and a list of values.
    const reports = itemsIn(itemsIn(body)[2])
    return {
      ceid: String(content.CEID),
      name: naming.of(id).events.get(String(content.CEID))?.name ?? null,
      reports: content.REPORTS.map(({ RPTID }, at) => ({
        rptid: String(RPTID),
        values: valuesIn(itemsIn(itemsIn(reports[at])[1]), id, String(RPTID), ids.reply_id, gateway),
      })),
      ...ids,
    }
  },

  async requestReport({ params: { id, rptid }, query }, gateway) {
    const { asking } = gateway
    const { body, message_id, reply_id } = await asking.ask(id, 'S6F19', { RPTID: givenId(rptid) }, query)
    return { rptid, values: valuesIn(itemsIn(body), id, rptid, reply_id, gateway), message_id, reply_id }
  },
}

async function listed(id: string, options: AskOptions, asking: Asking): Promise<readonly NamedEvent[]> {
  const { content } = await asking.ask(id, 'S1F23', {}, options)
  return content.ROWS.map(({ CEID, CENAME, VID }) => ({
    id: String(CEID),
    name: unpadded(CENAME),
    variables: textsIn(VID),
  }))
}

function knownEvents(
  id: string,
  { asking, naming }: Pick<Gateway, 'asking' | 'naming'>,
): readonly NamedEvent[] {
  asking.nameOf(id)
  return [...naming.of(id).events].map(([ceid, event]) => ({ id: ceid, ...event }))
}

async function switched(
  CEED: boolean,
  { params: { id }, query, send, body }: Parameters<Handler<Rows['enableCollectionEvents']>>[0],
  { asking, naming }: Gateway,
) {
  const { events = [], all = false } = body
  requireOne(['events', events.length > 0], ['all', all], 'Give either events or all, and all as true.')
  const where = (at: number): string => `/events/${at}`
  const ids = await naming.idsOf(id, 'events', events, { where, ...query })
  return verdict('erack', await asking.acknowledge(id, 'S2F37', { CEED, CEID: ids.map(givenId) }, send))
}

/** The values of a report, with names where its definition is known and has the same number of variables. */
function valuesIn(
  items: readonly Item[],
  id: string,
  rptid: string,
  reply: string,
  { asking, naming }: Gateway,
): NamedValue[] {
  const known = naming.of(id)
  const variables = known.variablesOf(rptid, Number(reply))
  const ids = variables?.length === items.length ? variables : undefined
  const reading = asking.reading(id)
  return items.map((item, at) => {
    const vid = ids?.[at] ?? null
    const { name = null, unit = null } = (vid === null ? undefined : known.named(vid)) ?? {}
    return namedValue({ id: vid, name, unit }, item, reading)
  })
}
