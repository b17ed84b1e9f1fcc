import { expect, test } from 'vitest'
import { type ErrorCode, Problem } from '../../../src/contract/errors.js'
import type { NamedKind, Namelist } from '../../../src/gateway/knowledge/equipment-knowledge.js'
import { KnownEquipment } from '../../../src/gateway/knowledge/known-equipment.js'
import type { Asking } from '../../../src/gateway/services/asking.js'
import { Naming } from '../../../src/gateway/services/naming.js'

const variables = (...ids: string[]) =>
  ids.map((id) => [id, { name: `V${id.slice(0, 1)}`, unit: '', kind: 'status' }] as const)

/** Equipment that tells these lists when it is asked, and refuses those with a code. */
function scene(told: Partial<Record<Namelist, ErrorCode | 'told'>>) {
  const [known, asked] = [new KnownEquipment(), [] as string[]]
  const ask = async (_: string, list: Namelist, __: object, options: object) => {
    asked.push(list)
    expect(options).toEqual({ timeout: 3 })
    const reply = told[list]
    if (reply !== 'told') throw new Problem(reply ?? 'transaction_aborted', list)
    if (list === 'S1F11') known.learnVariables('status', variables('1', '20', '21'), true)
    if (list === 'S1F21') known.learnVariables('data', variables('3'), true)
    if (list === 'S1F23') known.learnEvents([['5', { name: 'Ended', variables: [] }]], true)
    if (list === 'S2F29') known.learnConstants([], true)
  }
  const asking = { ask, nameOf: () => 'etcher' } as unknown as Asking
  const naming = new Naming(asking, { of: () => known })
  const ids = (kind: NamedKind, given: readonly string[], where?: (at: number) => string) =>
    naming.idsOf('eq', kind, given, { timeout: 3, ...(where && { where }) })
  return { ids, asked, known }
}
const BOTH = { S1F11: 'told', S1F21: 'told' } as const

test.each<[kind: NamedKind, given: string[], ids: string[], asked: string[]]>([
  ['variables', [], [], []],
  ['variables', ['77', '0'], ['77', '0'], []],
  ['variables', ['V1'], ['1'], ['S1F11']],
  ['variables', ['v 1', '9'], ['1', '9'], ['S1F11']],
  ['variables', ['V3', 'V1'], ['3', '1'], ['S1F11', 'S1F21']],
  ['events', ['Ended'], ['5'], ['S1F23']],
])('%s %j are %j after %j', async (kind, given, found, lists) => {
  const { ids, asked } = scene({ ...BOTH, S1F23: 'told' })
  expect(await ids(kind, given)).toEqual(found)
  expect(await ids(kind, given)).toEqual(found)
  expect(asked).toEqual(lists)
})

test('an identifier that is text is found as it is', async () => {
  const { ids, known, asked } = scene({})
  known.learnVariables('status', [['PRES', { name: 'Pressure', unit: '', kind: 'status' }]], false)
  expect(await ids('variables', ['PRES'])).toEqual(['PRES'])
  expect(asked).toEqual([])
})

test.each<[NamedKind, string, string, string, string[]]>([
  ['variables', 'V9', 'name_not_found', 'listVariables', ['S1F11', 'S1F21']],
  ['variables', '9x', 'name_not_found', 'listVariables', ['S1F11', 'S1F21']],
  ['variables', 'x9', 'name_not_found', 'listVariables', ['S1F11', 'S1F21']],
  ['variables', 'V2', 'invalid_message', 'listVariables', ['S1F11', 'S1F21']],
  ['constants', 'C', 'name_not_found', 'listConstants', ['S2F29']],
  ['events', 'E', 'name_not_found', 'listCollectionEvents', ['S1F23']],
])('of %s %s is %s, and %s lists them', async (kind, name, code, operation, lists) => {
  const { ids, asked } = scene({ ...BOTH, S1F23: 'told', S2F29: 'told' })
  const next = [{ operation, parameters: { id: 'eq' } }]
  const detail = expect.stringContaining(code === 'invalid_message' ? '20, 21' : name)
  const refusal = (pointer: string) => ({ code, extra: { next, errors: [{ pointer, detail }] } })
  await expect(ids(kind, ['1', name])).rejects.toMatchObject(refusal('id/1'))
  await expect(ids(kind, [name], (at) => `/events/${at}`)).rejects.toMatchObject(refusal('/events/0'))
  // A list that was told in whole is not asked for again.
  expect(asked).toEqual(lists)
})

test.each<[what: string, Parameters<typeof scene>[0], string]>([
  ['the first list is refused', { S1F11: 'transaction_aborted', S1F21: 'told' }, 'transaction_aborted'],
  ['both are refused: the first counts', { S1F11: 'reply_timeout' }, 'reply_timeout'],
  ['the second list is refused', { S1F11: 'told' }, 'name_not_found'],
  ['the connection is lost', { S1F11: 'connection_lost', S1F21: 'told' }, 'connection_lost'],
])('a name that is not known where %s', async (_, told, code) => {
  await expect(scene(told).ids('variables', ['V9'])).rejects.toMatchObject({ code })
})

test('a name that the second list has is found though the first is refused', async () => {
  expect(await scene({ S1F21: 'told' }).ids('variables', ['V3'])).toEqual(['3'])
})

test('a name of several variables is told as such though a list was refused', async () => {
  const { ids, known } = scene({})
  known.learnVariables('status', variables('20', '21'), false)
  await expect(ids('variables', ['V2'])).rejects.toMatchObject({ code: 'invalid_message' })
})
