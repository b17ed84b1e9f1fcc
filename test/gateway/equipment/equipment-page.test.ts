import { expect, test } from 'vitest'
import type { Equipment, EquipmentQuery } from '../../../src/contract/equipment.js'
import { equipmentPage } from '../../../src/gateway/equipment/equipment-page.js'

const AT = '2026-01-01T00:00:0'
const of = (id: string, second: number, members: object): Equipment =>
  ({ id: `eq_${id}`, created_at: `${AT}${second}.000Z`, labels: {}, health: 'ok', ...members }) as Equipment

const all = () => [
  of('a', 1, { name: 'Ätzer'.normalize('NFC'), connection_state: 'SELECTED', labels: { area: 'etch' } }),
  of('c', 2, { name: 'etcher', connection_state: 'SELECTED', health: 'failing' }),
  of('b', 2, { name: 'coater', connection_state: 'NOT_CONNECTED', health: 'degraded' }),
  of('d', 3, { name: 'x', connection_state: 'NOT_CONNECTED', labels: { area: 'litho' } }),
]
const idsOf = (query: object) =>
  equipmentPage(all(), query as EquipmentQuery)
    .items.map(({ id }) => id.slice(3))
    .join('')

test.each([
  [{}, 'dcba'],
  [{ order: 'asc' }, 'abcd'],
  [{ limit: 2 }, 'dc'],
  [{ connection_state: 'SELECTED' }, 'ca'],
  [{ health: 'failing' }, 'c'],
  [{ health: ['failing', 'degraded'] }, 'cb'],
  [{ name: 'Ätzer'.normalize('NFD') }, 'a'],
  [{ name: 'none' }, ''],
  [{ label_selector: 'area' }, 'da'],
  [{ label_selector: 'area=etch', connection_state: 'NOT_CONNECTED' }, ''],
])('%j is %s', (query, ids) => {
  expect(idsOf(query)).toBe(ids)
})

test.each(['asc', 'desc'] as const)('pages have every one once: %s', (order) => {
  const pages: string[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = equipmentPage(all(), { order, limit: 1, ...(cursor && { cursor }) } as EquipmentQuery)
    pages.push(...page.items.map(({ id }) => id.slice(3)))
    cursor = page.next_cursor
  }
  expect(pages.join('')).toBe(order === 'asc' ? 'abcd' : 'dcba')
  expect(equipmentPage(all(), { order, limit: 4 } as EquipmentQuery).next_cursor).toBeNull()
  expect(equipmentPage([], {} as EquipmentQuery)).toEqual({ items: [], next_cursor: null })
})
