import { expect, test } from 'vitest'
import { type PageQuery, readPage, readSifted } from '../../../src/gateway/records/journal-page.js'
import type { Entry } from '../../../src/store/entry.js'
import { RetainedJournal } from '../../support/memory-store.js'
import { entryOf } from '../sinks/open-sinks.js'

/** Entries 1 to 6 of two pieces of equipment in turn, a second apart; the even ones are of `eq_b`. */
async function journalOf(count = 6) {
  const journal = new RetainedJournal()
  for (let n = 1; n <= count; n++) await journal.append(entryOf(n % 2 === 0 ? 'eq_b' : 'eq_a', n))
  return journal
}
const at = (second: number): string => `2026-01-01T00:00:0${second}Z`

const numbers = (entries: readonly Entry[]): string => entries.map(({ seq }) => seq).join('')

test.each<[query: PageQuery, found: string, isMore: boolean]>([
  [{}, '654321', false],
  [{ order: 'asc' }, '123456', false],
  [{ limit: 2 }, '65', true],
  [{ limit: 6 }, '654321', false],
  [{ limit: 5, order: 'asc' }, '12345', true],
  [{ equipment_id: 'eq_a' }, '531', false],
  [{ equipment_id: ['eq_a', 'eq_b'] }, '654321', false],
  [{ from: at(3) }, '6543', false],
  [{ to: at(3) }, '21', false],
  [{ from: at(2), to: at(5), order: 'asc' }, '234', false],
])('a page of %j', async (query, found, isMore) => {
  const page = await readPage(await journalOf(), 'x', query, { kinds: [{ type: 'alarm' }] })
  expect([numbers(page.entries), page.next_cursor !== null]).toEqual([found, isMore])
})

test('the equipment that is given narrows a page instead of that of the query', async () => {
  const page = await readPage(await journalOf(), 'x', { equipment_id: 'eq_a' }, {}, 'eq_b')
  expect(numbers(page.entries)).toBe('642')
})

type Read = (query: PageQuery) => ReturnType<typeof readPage>

async function pagesOf(read: Read, order: 'asc' | 'desc', limit: number): Promise<string[]> {
  const pages: string[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = await read({ order, limit, ...(cursor && { cursor }) })
    pages.push(numbers(page.entries))
    cursor = page.next_cursor
  }
  return pages
}

const even = async (entries: readonly Entry[]) => entries.filter(({ seq }) => seq % 2 === 0)

test.each([
  ['asc', 4, ['1234', '56'], ['246']],
  ['desc', 4, ['6543', '21'], ['642']],
  ['asc', 2, ['12', '34', '56'], ['24', '6']],
  ['desc', 3, ['654', '321'], ['642']],
  ['desc', 1, ['6', '5', '4', '3', '2', '1'], ['6', '4', '2']],
] as const)('pages have every entry once: %s, %i at once', async (order, limit, plain, sifted) => {
  const journal = await journalOf()
  expect(await pagesOf((query) => readPage(journal, 'x', query, {}), order, limit)).toEqual(plain)
  const siftedPages = await pagesOf(
    (query) => readSifted(journal, 'x', query, {}, undefined, even),
    order,
    limit,
  )
  expect(siftedPages).toEqual(sifted)
})

test.each(['asc', 'desc'] as const)('a page that is full by its bytes goes on: %s', async (order) => {
  const journal = await journalOf(0)
  for (let n = 1; n <= 3; n++) {
    const entry = entryOf('eq_a', n)
    await journal.append({ ...entry, data: { text: 'x'.repeat(3 * 1024 * 1024) } })
  }
  const pages = await pagesOf((query) => readPage(journal, 'x', query, {}), order, 10)
  expect(pages).toEqual(order === 'asc' ? ['12', '3'] : ['32', '1'])
})

test('a sifted page looks at 10,000 entries at most, and goes on with the next one', async () => {
  const journal = await journalOf(11_000)
  let looked = 0
  const sift = async (entries: readonly Entry[]) => {
    looked += entries.length
    return entries.filter(({ seq }) => seq > 10_500)
  }
  const page = await readSifted(journal, 'x', { order: 'asc', limit: 2 }, {}, undefined, sift)
  expect([page.entries, looked, page.next_cursor !== null]).toEqual([[], 10_000, true])
  const next = { order: 'asc', limit: 2, cursor: page.next_cursor ?? '' } as const
  const { entries } = await readSifted(journal, 'x', next, {}, undefined, sift)
  expect(numbers(entries)).toBe('1050110502')
})

test('a cursor whose entry is gone has expired, and one of another history is none', async () => {
  const journal = await journalOf()
  const read = (query: PageQuery) => readPage(journal, 'x', query, {})
  const { next_cursor: cursor } = await read({ order: 'asc', limit: 2 })
  const query = { order: 'asc', limit: 2, cursor: cursor ?? '' } as const
  journal.removeBefore(3)
  expect(numbers((await read(query)).entries)).toBe('34')
  journal.removeBefore(4)
  await expect(read(query)).rejects.toMatchObject({ code: 'cursor_expired' })
  const other = await journalOf()
  other.entries.splice(2, 1)
  await expect(readPage(other, 'x', query, {})).rejects.toMatchObject({ code: 'invalid_cursor' })
  await expect(readPage(await journalOf(), 'y', query, {})).rejects.toMatchObject({ code: 'invalid_cursor' })
})
