import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { NewEquipment } from '../../../../src/contract/equipment.js'
import { systemClock } from '../../../../src/kit/clock.js'
import { A, B, L, U4 } from '../../../../src/secs2/item.js'
import { shippedModel } from '../../../../src/simulator/shipped-models.js'
import { Simulator } from '../../../../src/simulator/simulator.js'
import { callsOf, LiveGateway } from '../../../support/live-gateway.js'
import { LOOPBACK } from '../../../support/tcp.js'

/** A shipped model that communicates. */
async function simulated(name: string) {
  const live = await LiveGateway.open()
  const model = shippedModel(name)
  if (!model) throw new Error(`there is no model ${name}`)
  const simulator = new Simulator(model, { role: 'passive', host: LOOPBACK, port: 0 }, { clock: systemClock })
  onTestFinished(() => simulator.stop())
  await simulator.start()
  const { id } = await live.connect({ port: simulator.port })
  return { call: callsOf(live.gateway), id }
}

async function scripted(given: Partial<NewEquipment> = {}) {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted(given)
  return { call: callsOf(live.gateway), equipment, id }
}

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64')
const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const BYTES = randomBytes(3000)

describe('in a simulator', () => {
  test('are listed, fetched, stored, read back and deleted, byte for byte', async () => {
    const { call, id } = await simulated('track')
    expect((await call.listRecipes({ id })).items).toEqual([{ ppid: 'KRF-550' }, { ppid: 'ARF-193' }])
    const stored = await call.storeRecipe(
      { id, ppid: 'A/B ü?' },
      { body: { body: base64(BYTES) }, query: { verify: true } },
    )
    const sum = { bytes: 3000, sha256: sha256(BYTES) }
    expect(stored).toMatchObject({ ...sum, accepted: true, ppgnt: 0, ackc7: 0, verified: true })
    const fetched = await call.fetchRecipe({ id, ppid: 'A/B ü?' })
    expect(fetched).toMatchObject({ ...sum, item_format: 'B', body: base64(BYTES), formatted: null })
    expect((await call.listRecipes({ id })).items).toContainEqual({ ppid: 'A/B ü?' })
    expect(await call.deleteRecipe({ id, ppid: 'A/B ü?' })).toMatchObject({ accepted: true, ackc7: 0 })
    await expect(call.fetchRecipe({ id, ppid: 'A/B ü?' })).rejects.toMatchObject({ code: 'recipe_not_found' })
    expect(await call.deleteRecipe({ id, ppid: 'A/B ü?' })).toMatchObject({ accepted: false })
  })

  test('are selected by PP-SELECT', async () => {
    const { call, id } = await simulated('track')
    expect(await call.selectRecipe({ id, ppid: 'KRF-550' })).toMatchObject({ command: 'PP-SELECT', hcack: 0 })
    expect(await call.selectRecipe({ id, ppid: 'NONE' })).toMatchObject({ accepted: false, hcack: 3 })
  })

  test('of commands are fetched and stored, with their types', async () => {
    const { call, id } = await simulated('furnace')
    const { formatted, body, bytes, sha256 } = await call.fetchRecipe(
      { id, ppid: 'DRYOX-950' },
      { query: { form: 'formatted' } },
    )
    expect(body).toBeNull()
    expect(formatted?.commands[1]).toEqual({ ccode: 'OXIDISE', parameters: [{ U4: [8] }, { F4: [8] }] })
    if (!formatted) throw new Error('there are no commands')
    const stored = await call.storeRecipe(
      { id, ppid: 'COPY' },
      { body: { formatted }, query: { verify: true } },
    )
    expect(stored).toMatchObject({ accepted: true, ppgnt: null, verified: true, bytes, sha256 })
  })
})

describe('in other equipment', () => {
  test.each([{ body: base64('x') }, { formatted: { commands: [{ ccode: 'GO', parameters: [] }] } }])(
    'a PPID that the text encoding cannot write is refused by each call: %j',
    async (recipe) => {
      const { call, id } = await scripted()
      const ppid = '配方-01'
      const refused = { code: 'invalid_message', message: expect.stringContaining('PPID') }
      await expect(call.storeRecipe({ id, ppid }, { body: recipe })).rejects.toMatchObject(refused)
      const preview = call.previewMessage({ id }, { body: { recipe: { ppid, ...recipe } } })
      await expect(preview).rejects.toMatchObject(refused)
      await expect(call.fetchRecipe({ id, ppid })).rejects.toMatchObject(refused)
      await expect(call.deleteRecipe({ id, ppid })).rejects.toMatchObject(refused)
      await expect(call.selectRecipe({ id, ppid }, { body: {} })).rejects.toMatchObject({
        code: 'invalid_message',
      })
    },
  )

  test('a grant that is refused ends it: nothing is sent', async () => {
    const { call, equipment, id } = await scripted()
    equipment.reply = () => ({ function: 2, item: B(2) })
    const stored = await call.storeRecipe(
      { id, ppid: 'R7' },
      { body: { body: base64('x') }, query: { verify: true } },
    )
    expect(stored).toMatchObject({
      accepted: false,
      ppgnt: 2,
      ppgnt_text: 'no space',
      ackc7: null,
      verified: null,
    })
    expect(equipment.received.map(({ function: fn }) => fn)).toEqual([1])
  })

  test('S7F1 need not be known', async () => {
    const { call, equipment, id } = await scripted()
    equipment.reply = ({ function: fn }) => (fn === 1 ? { function: 0 } : { function: 4, item: B(0) })
    const stored = await call.storeRecipe({ id, ppid: 'R7' }, { body: { body: base64('x') } })
    expect(stored).toMatchObject({ accepted: true, ppgnt: null, ackc7: 0 })
  })

  test('the body has the format that the equipment wants, or that the caller gives', async () => {
    const { call, equipment, id } = await scripted({ item_formats: { PPBODY: 'A' } })
    equipment.reply = ({ function: fn }) => ({ function: fn + 1, item: B(0) })
    const bodies = (): string[] =>
      equipment.received
        .filter(({ function: fn }) => fn === 3)
        .map(({ body }) => Buffer.from(body).toString('hex'))
    await call.storeRecipe({ id, ppid: 'R' }, { body: { body: base64('xé') } })
    await call.storeRecipe(
      { id, ppid: 'R' },
      { body: { body: base64(Uint8Array.of(1, 2, 3, 4)), item_format: 'U2' } },
    )
    expect(bodies()).toEqual(['010241015241' + '0378c3a9', '0102410152a9' + '0401020304'])
    await expect(
      call.storeRecipe({ id, ppid: 'R' }, { body: { body: 'AQ==', item_format: 'U2' } }),
    ).rejects.toMatchObject({
      code: 'invalid_message',
      extra: { errors: [{ pointer: '/item_format' }] },
    })
  })

  test.each([
    ['bytes', 'S7F5', {}],
    ['formatted', 'S7F25', { form: 'formatted' as const }],
  ])(
    'no recipe in the reply, as %s, is told with both messages and where recipes are listed',
    async (_, asked, query) => {
      const { call, equipment, id } = await scripted()
      equipment.reply = ({ function: fn }) => ({ function: fn + 1, item: L() })
      await expect(call.fetchRecipe({ id, ppid: 'R7' }, { query })).rejects.toMatchObject({
        code: 'recipe_not_found',
        extra: {
          ...{ message_id: expect.any(String), reply_id: expect.any(String) },
          next: [{ operation: 'listRecipes', parameters: { id } }],
        },
      })
      expect(equipment.received.map(({ stream, function: fn }) => `S${stream}F${fn}`)).toEqual([asked])
    },
  )

  test('a program is not sent where S7F1 gets no reply', async () => {
    const { call, equipment, id } = await scripted()
    const stored = call.storeRecipe(
      { id, ppid: 'R7' },
      { body: { body: base64('x') }, query: { timeout: 0.1 } },
    )
    await expect(stored).rejects.toMatchObject({ code: 'reply_timeout' })
    await equipment.next()
    await equipment.linktest()
    expect(equipment.received.map(({ function: fn }) => fn)).toEqual([1])
  })

  test('bytes that come back different are told', async () => {
    const { call, equipment, id } = await scripted()
    equipment.reply = ({ function: fn }) =>
      fn === 5 ? { function: 6, item: L(A('R7'), A('y')) } : { function: fn + 1, item: B(0) }
    const stored = await call.storeRecipe(
      { id, ppid: 'R7' },
      { body: { body: base64('x') }, query: { verify: true } },
    )
    expect(stored).toMatchObject({ accepted: true, verified: false })
  })

  test('one that cannot be read back is reported as stored', async () => {
    const { call, equipment, id } = await scripted()
    equipment.reply = ({ function: fn }) => (fn === 5 ? { function: 0 } : { function: fn + 1, item: B(0) })
    const stored = call.storeRecipe(
      { id, ppid: 'R7' },
      { body: { body: base64('x') }, query: { verify: true } },
    )
    await expect(stored).rejects.toThrow(/^R7 was stored, but could not be read back\. .*aborted S7F5/)
  })

  test('a body of numbers is given as its bytes; one that is no PPBODY is told', async () => {
    const { call, equipment, id } = await scripted()
    equipment.reply = () => ({ function: 6, item: L(A('R7'), U4(1, 2)) })
    const body = base64(Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 2))
    expect(await call.fetchRecipe({ id, ppid: 'R7' })).toMatchObject({ item_format: 'U4', body, bytes: 8 })
    equipment.reply = () => ({ function: 6, item: L(A('R7'), L()) })
    await expect(call.fetchRecipe({ id, ppid: 'R7' })).rejects.toMatchObject({ code: 'equipment_error' })
  })
})

test.each([
  ['/body', { body: '' }],
  ['/formatted/commands', { formatted: { commands: [] } }],
])('an empty recipe is refused, and nothing sent, unless that is meant: %s', async (pointer, body) => {
  const { call, equipment, id } = await scripted()
  equipment.reply = ({ function: fn }) => ({ function: fn + 1, item: B(0) })
  const before = equipment.received.length
  await expect(call.storeRecipe({ id, ppid: 'R7' }, { body })).rejects.toMatchObject({
    code: 'invalid_request',
    extra: { errors: [{ pointer }] },
  })
  expect(equipment.received).toHaveLength(before)
  const meant = { body, query: { allow_empty: true } }
  expect(await call.storeRecipe({ id, ppid: 'R7' }, meant)).toMatchObject({ accepted: true })
})

test.each(['AQ', 'AQ=', 'A Q==', 'AQ==\n', '*'])('%j is no Base64', async (body) => {
  const { call, id } = await scripted()
  await expect(call.storeRecipe({ id, ppid: 'R7' }, { body: { body } })).rejects.toMatchObject({
    code: 'invalid_message',
  })
})
