import type { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import type { CollectionEvent } from '../../contract/topics/collection-events.js'
import type { TypedItem } from '../../contract/topics/messages.js'

/** The reports of an equipment, by id. */
export interface SurveyedReports {
  /** VIDs by RPTID. */
  readonly reports: ReadonlyMap<string, readonly string[]>
  /** RPTIDs by CEID. */
  readonly links: ReadonlyMap<string, readonly string[]>
  /** The values of the variables, by VID. */
  readonly values: ReadonlyMap<string, TypedItem>
}

/** The reports of each event as the equipment has them (S6F17). Rejects where it does not answer. */
export async function reportedReports(
  client: GatewayClient,
  id: string,
  events: readonly CollectionEvent[],
): Promise<SurveyedReports> {
  const reports = new Map<string, readonly string[]>()
  const links = new Map<string, readonly string[]>()
  const values = new Map<string, TypedItem>()
  for (const event of events) {
    const body = { stream: 6, function: 17, data: { CEID: event.id } }
    const { reply } = await client.call(endpoints.sendMessage, { params: { id }, query: {}, body })
    const linked = within(within(reply?.body)[2]).map((report) => {
      const [rptid, members] = within(report)
      const pairs = within(members).map(within)
      for (const [vid, value] of pairs) if (value) values.set(idIn(vid), value)
      reports.set(
        idIn(rptid),
        pairs.map(([vid]) => idIn(vid)),
      )
      return idIn(rptid)
    })
    if (linked.length > 0) links.set(event.id, linked)
  }
  return { reports, links, values }
}

/** The reports that the gateway applied, and their events; `idOf` gives the VID of a variable and the CEID of an event by name or id. */
export async function appliedReports(
  client: GatewayClient,
  id: string,
  idOf: { readonly variable: (reference: string) => string; readonly event: (reference: string) => string },
): Promise<SurveyedReports & { readonly events: readonly CollectionEvent[] }> {
  const { definition } = await client.call(endpoints.getReports, { params: { id } })
  const { reports = [], events = [] } = definition ?? {}
  return {
    reports: new Map(
      reports.map((one) => [String(one.id), one.variables.map((each) => idOf.variable(String(each)))]),
    ),
    links: new Map(
      events.map(({ event, reports: linked = [] }) => [idOf.event(String(event)), linked.map(String)]),
    ),
    values: new Map(),
    events: events.map(({ event, reports: linked = [], enabled = true }) => ({
      id: idOf.event(String(event)),
      name: '',
      variables: [],
      variable_names: [],
      enabled,
      reports: linked.map(String),
    })),
  }
}

/** The items of a list; none of anything else. */
const within = (item: TypedItem | null | undefined): readonly TypedItem[] => {
  const items = item?.['L']
  return Array.isArray(items) ? (items as readonly TypedItem[]) : []
}

/** An id as text, from any format. */
const idIn = (item: TypedItem | undefined): string => {
  const [content] = Object.values(item ?? {})
  return String(Array.isArray(content) ? content[0] : content)
}
