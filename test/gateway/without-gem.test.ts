import { expect, test } from 'vitest'
import { mheadOf } from '../../src/gem/message-header.js'
import { A, B, L } from '../../src/secs2/item.js'
import { LiveGateway, TIMERS } from '../support/live-gateway.js'
import { ScriptedEquipment, type ScriptedReply } from '../support/scripted-equipment.js'
import { LOOPBACK } from '../support/tcp.js'
import { until } from '../support/until.js'

/** An equipment that answers S64F1 alone, and everything else in one other way. */
async function withoutGem(otherwise: ScriptedReply | undefined): Promise<ScriptedEquipment> {
  const equipment = await ScriptedEquipment.listen()
  equipment.commack = undefined
  equipment.reply = ({ stream, function: fn }): ScriptedReply | undefined =>
    stream === 64 ? { function: fn + 1, item: L(A('ok')) } : otherwise
  return equipment
}

const sentTo = async (live: LiveGateway, id: string): Promise<string[]> =>
  (await live.gateway.messages.list({ equipment_id: id, direction: 'sent', order: 'asc' })).items.map(
    ({ stream, function: fn }) => `S${stream}F${fn}`,
  )

const VENDORS = { stream: 64, function: 1, sml: 'S64F1 W <L <A "x">>.' }

test('equipment without GEM is sent messages as soon as it is SELECTED, and nothing before', async () => {
  const equipment = await withoutGem({ function: 0 })
  const live = await LiveGateway.open()
  const { id } = await live.gateway.equipment.create({
    name: 'plain',
    ip_address: LOOPBACK,
    port: equipment.port,
    communication: 'none',
  })
  const record = await live.gateway.equipment.connect(id, 5)
  expect(record).toMatchObject({
    connection_state: 'SELECTED',
    communication_state: 'COMMUNICATING',
    communication: 'none',
    gem_startup: true,
    last_error: null,
  })
  const { result } = await live.gateway.messages.send(id, VENDORS)
  expect(result.reply).toMatchObject({ stream: 64, function: 2 })
  await equipment.next()
  equipment.send(64, 3, L(A('news')))
  expect(await equipment.next()).toMatchObject({ stream: 64, function: 0 })
  // What it does not know does not make it one that does not communicate.
  await expect(live.gateway.messages.send(id, { stream: 1, function: 13 })).rejects.toMatchObject({
    code: 'transaction_aborted',
  })
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect((await live.gateway.equipment.get(id)).communication_state).toBe('COMMUNICATING')
  expect(await sentTo(live, id)).toEqual(['S64F1', 'S64F0', 'S1F13'])
  const reopened = await live.reopen()
  await until(async () => (await reopened.equipment.get(id)).connection_state === 'SELECTED')
  expect((await reopened.equipment.get(id)).communication).toBe('none')
})

test.each<[string, ScriptedReply | undefined, string]>([
  ['S1F0', { function: 0 }, 'communication_denied'],
  ['nothing', undefined, 'communication_timeout'],
])(
  'an equipment that answers S1F13 with %s: the error names the setting, which mends it at once',
  async (_, reply, code) => {
    const equipment = await withoutGem(reply)
    const live = await LiveGateway.open()
    const { id } = await live.add({ port: equipment.port, timers: { ...TIMERS, t3: 0.3 } })
    const known = () => live.gateway.equipment.get(id)
    await live.gateway.equipment.connect(id, 0)
    await until(async () => (await known()).last_error !== null)
    const setting = 'set its `communication` to `none`'
    expect((await known()).last_error).toMatchObject({ code, detail: expect.stringContaining(setting) })
    await expect(live.gateway.messages.send(id, VENDORS)).rejects.toMatchObject({
      code: 'equipment_not_communicating',
      message: expect.stringContaining(setting),
    })
    await live.gateway.equipment.update(id, { communication: 'none' })
    expect(await known()).toMatchObject({ communication_state: 'COMMUNICATING', last_error: null })
    expect((await live.gateway.messages.send(id, VENDORS)).waited).toBe(true)
    await live.gateway.equipment.update(id, { communication: 'gem' })
    await until(async () => (await known()).communication_state === 'WAIT_DELAY')
  },
)

test('an equipment that answers S1F13 with S9F3 is told to have no GEM, perhaps', async () => {
  const equipment = await withoutGem(undefined)
  const live = await LiveGateway.open()
  const { id } = await live.add({ port: equipment.port })
  await live.gateway.equipment.connect(id, 0)
  const primary = await equipment.next()
  equipment.send(9, 3, B(...mheadOf(primary)), { wait: false })
  await until(async () => (await live.gateway.equipment.get(id)).last_error !== null)
  expect((await live.gateway.equipment.get(id)).last_error?.detail).toMatch(/S9F3.*`communication` to `none`/)
})

test('one that refuses with COMMACK 1 has GEM: the setting is not its remedy', async () => {
  const live = await LiveGateway.open()
  const equipment = await ScriptedEquipment.listen()
  equipment.commack = 1
  const { id } = await live.add({ port: equipment.port })
  await live.gateway.equipment.connect(id, 0)
  await until(async () => (await live.gateway.equipment.get(id)).last_error !== null)
  expect((await live.gateway.equipment.get(id)).last_error?.detail).not.toContain('none')
})
