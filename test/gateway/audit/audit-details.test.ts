import { expect, test } from 'vitest'
import type { AnyEndpoint, Call } from '../../../src/contract/endpoint.js'
import { endpoints } from '../../../src/contract/endpoints.js'
import { auditDetails } from '../../../src/gateway/audit/audit-details.js'

const LONG = 'x'.repeat(511)
const OF_EQUIPMENT = '/equipment/{id}/messages'

test.each<[what: string, path: string, call: Partial<Call<AnyEndpoint>>, details: object]>([
  ['nothing', '/users', {}, {}],
  ['no body, and the id that the entry has itself', OF_EQUIPMENT, { params: { id: 'eq_1' }, body: null }, {}],
  ['the id of something else', '/users/{id}', { params: { id: 'u' } }, { id: 'u' }],
  ['other parameters', '/equipment/{id}/x/{ceid}', { params: { id: 'e', ceid: '7' } }, { ceid: '7' }],
  [
    'the query that says what is done',
    '/x',
    { query: { dry_run: true, wait: 1, timeout: 2 } },
    { dry_run: true },
  ],
  ['a query without the reason', '/x', { query: { reason: 'r', all: false } }, { all: false }],
  ['listed members with their values', '/x', { body: { role: 'admin', n: 0 } }, { role: 'admin', n: 0 }],
  [
    'names alone of other members',
    '/x',
    { body: { password: 'p', role: 'r' } },
    { role: 'r', fields: ['password'] },
  ],
  ['no member that is undefined', '/x', { body: { role: undefined, other: undefined } }, {}],
  ['no member that is incidental', '/x', { body: { timeout: 1, wait: 2, reason: 'r' } }, {}],
  ['a value of 512 characters', '/x', { body: { role: LONG.slice(1) } }, { role: LONG.slice(1) }],
  ['the length of a longer value', '/x', { body: { role: LONG } }, { role: '(513 characters)' }],
  ['the length of a longer part of the query', '/x', { query: { q: LONG } }, { q: '(513 characters)' }],
  ['all ids', '/x', { body: { ids: [LONG, '2'] } }, { ids: `${LONG} 2` }],
  [
    'the message of SML',
    OF_EQUIPMENT,
    { body: { sml: ' s2f41 W\n<A "S1F1">' } },
    { message: 'S2F41', fields: ['sml'] },
  ],
  [
    'the longest number of a message',
    '/x',
    { body: { sml: 'S127F255' } },
    { message: 'S127F255', fields: ['sml'] },
  ],
  ['no message beyond 64 characters', '/x', { body: { sml: `${' '.repeat(62)}S1F1` } }, { fields: ['sml'] }],
  ['SML that is no text', '/x', { body: { sml: 7 } }, { fields: ['sml'] }],
  ['the size of content', '/x', { body: { body: 'AAEC' } }, { size: 3, fields: ['body'] }],
  ['no size of content that is no text', '/x', { body: { body: { A: 'AAEC' } } }, { fields: ['body'] }],
])('the details of a call have %s', (_, path, call, details) => {
  const row = { path, audited: ['role', 'n', 'ids'] } as unknown as AnyEndpoint
  expect(auditDetails(row, { params: {}, query: {}, body: {}, ...call } as Call<AnyEndpoint>)).toEqual(
    details,
  )
})

test('who lets clients write beside the host of equipment is known, and who takes its tap away', () => {
  const details = (body: object) =>
    auditDetails(endpoints.updateEquipment, { params: {}, query: {}, body } as Call<AnyEndpoint>)
  expect(details({ tap: { writes: true } })).toEqual({ tap: { writes: true } })
  expect(details({ tap: null })).toEqual({ tap: null })
})
