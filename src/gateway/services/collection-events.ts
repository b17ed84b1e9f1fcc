import type {
  CollectionEvent,
  EventChoice,
  EventReport,
  EventsSwitched,
  RequestedReport,
} from '../../contract/collection-events.js'
import { Problem } from '../../contract/errors.js'
import type { SendQuery } from '../../contract/messages.js'
import type { Page } from '../../contract/schema.js'
import type { NamedValue } from '../../contract/values.js'
import type { NamelistQuery } from '../../contract/variables.js'
import { textsIn, unpadded } from '../../gem/content.js'
import { type Item, itemsIn } from '../../secs2/item.js'
import type { KnownEvent } from '../knowledge/equipment-knowledge.js'
import { verdictOf } from './acknowledged.js'
import { onePage } from './answered-values.js'
import type { Asking } from './asking.js'
import { givenId } from './given-id.js'
import type { Naming } from './naming.js'
import type { CollectionEvents } from './services.js'
import { namedValue } from './values.js'

type NamedEvent = KnownEvent & { readonly id: string }

/** Collection events: what they are (S1F23), enabling (S2F37), and their reports (S6F15, S6F19). */
export class GemCollectionEvents implements CollectionEvents {
  constructor(
    private readonly asking: Asking,
    private readonly naming: Naming,
  ) {}

  async list(
    equipmentId: string,
    { known: fromMemory, ...options }: NamelistQuery,
  ): Promise<Page<CollectionEvent>> {
    const rows = fromMemory ? this.#known(equipmentId) : await this.#asked(equipmentId, options)
    const known = this.naming.of(equipmentId)
    return onePage(
      rows.map(({ id, name, variables }) => {
        const reports = known.reportsOf(id)
        return {
          id,
          name,
          variables: [...variables],
          variable_names: variables.map((vid) => known.named(vid)?.name || null),
          enabled: known.isEnabled(id),
          reports: reports ? [...reports] : null,
        }
      }),
    )
  }

  async #asked(equipmentId: string, options: SendQuery): Promise<readonly NamedEvent[]> {
    const { content } = await this.asking.ask(equipmentId, 'S1F23', {}, options)
    return content.ROWS.map(({ CEID, CENAME, VID }) => ({
      id: String(CEID),
      name: unpadded(CENAME),
      variables: textsIn(VID),
    }))
  }

  #known(equipmentId: string): readonly NamedEvent[] {
    this.asking.nameOf(equipmentId)
    return [...this.naming.of(equipmentId).events].map(([id, event]) => ({ id, ...event }))
  }

  async switch(
    equipmentId: string,
    enabled: boolean,
    { events = [], all = false }: EventChoice,
    options: SendQuery,
  ): Promise<EventsSwitched> {
    if (all === events.length > 0) {
      throw new Problem('invalid_request', 'Give either events or all, and all as true.', {
        errors: [
          { pointer: '/events', detail: all ? 'may not stand beside all' : 'is required without all' },
        ],
      })
    }
    const where = (at: number): string => `/events/${at}`
    const ids = await this.naming.idsOf(equipmentId, 'events', events, { where, ...options })
    const data = { CEED: enabled, CEID: ids.map(givenId) }
    const said = await this.asking.acknowledge(equipmentId, 'S2F37', data, options)
    return { erack: said.code, erack_text: said.text, ...verdictOf(said) }
  }

  async report(equipmentId: string, event: string, options: SendQuery): Promise<EventReport> {
    const where = (): string => 'ceid'
    const [ceid = event] = await this.naming.idsOf(equipmentId, 'events', [event], { where, ...options })
    const asked = { CEID: givenId(ceid) }
    const { content, body, ...ids } = await this.asking.ask(equipmentId, 'S6F15', asked, options)
    // The structure was checked: DATAID, CEID, and a list of reports, each an RPTID and a list of values.
    const reports = itemsIn(itemsIn(body)[2])
    return {
      ceid: String(content.CEID),
      name: this.naming.of(equipmentId).events.get(String(content.CEID))?.name ?? null,
      reports: content.REPORTS.map(({ RPTID }, at) => {
        const values = itemsIn(itemsIn(reports[at])[1])
        return {
          rptid: String(RPTID),
          values: this.#values(equipmentId, String(RPTID), values, ids.reply_id),
        }
      }),
      ...ids,
    }
  }

  async requestReport(equipmentId: string, rptid: string, options: SendQuery): Promise<RequestedReport> {
    const asked = { RPTID: givenId(rptid) }
    const { body, message_id, reply_id } = await this.asking.ask(equipmentId, 'S6F19', asked, options)
    const values = this.#values(equipmentId, rptid, itemsIn(body), reply_id)
    return { rptid, values, message_id, reply_id }
  }

  /** The values of a report, with names where its definition is known and has the same number of variables. */
  #values(equipmentId: string, rptid: string, items: readonly Item[], reply: string): NamedValue[] {
    const known = this.naming.of(equipmentId)
    const variables = known.variablesOf(rptid, Number(reply))
    const ids = variables?.length === items.length ? variables : undefined
    const reading = this.asking.reading(equipmentId)
    return items.map((item, at) => {
      const id = ids?.[at] ?? null
      const { name = null, unit = null } = (id === null ? undefined : known.named(id)) ?? {}
      return namedValue({ id, name, unit }, item, reading)
    })
  }
}
