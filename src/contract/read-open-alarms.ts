import type { Alarm, AlarmPage, AlarmQuery } from './topics/alarms.js'

export type OpenAlarms = Pick<AlarmPage, 'items' | 'incomplete'>

/**
 * All alarms that are active or not acknowledged, as they were read page by page. Active alarms are read first: one that is
 * cleared meanwhile is then found among the others. So an alarm may be there twice; the later one is newer.
 */
export async function readOpenAlarms(read: (query: AlarmQuery) => Promise<AlarmPage>): Promise<OpenAlarms> {
  const items: Alarm[] = []
  let incomplete: string[] = []
  for (const which of [{ active: true }, { active: false, acknowledged: false }]) {
    let cursor: string | null = null
    do {
      const page: AlarmPage = await read({ ...which, limit: 1000, ...(cursor !== null && { cursor }) })
      for (const alarm of page.items) items.push(alarm)
      incomplete = page.incomplete
      cursor = page.next_cursor
    } while (cursor !== null)
  }
  return { items, incomplete }
}
