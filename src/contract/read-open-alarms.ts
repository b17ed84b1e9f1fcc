import type { Alarm, AlarmPage, AlarmQuery } from './topics/alarms.js'

/** The alarms of a list: all that are open, those of one equipment, or only about so many of the newest. */
export interface ListedAlarms {
  readonly equipment_id?: string
  readonly newest?: number
}

/**
 * Alarms that are active or not acknowledged, as they were read page by page. Active alarms are read first: one that is
 * cleared meanwhile is then found among the others. So an alarm may be there twice; the later one is newer.
 */
export async function readOpenAlarms(
  read: (query: AlarmQuery) => Promise<AlarmPage>,
  { newest, ...which }: ListedAlarms = {},
): Promise<readonly Alarm[]> {
  const items: Alarm[] = []
  for (const open of [{ active: true }, { active: false, acknowledged: false }]) {
    let cursor: string | null = null
    do {
      const further = cursor !== null && { cursor }
      const page: AlarmPage = await read({ ...open, ...which, limit: newest ?? 1000, ...further })
      for (const alarm of page.items) items.push(alarm)
      cursor = page.next_cursor
    } while (cursor !== null && newest === undefined)
  }
  return items
}
