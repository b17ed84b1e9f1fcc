import { expect, test } from 'vitest'
import { mheadOf } from '../../src/gem/message-header.js'
import { A, B, L } from '../../src/secs2/item.js'
import { LiveGateway, TIMERS } from '../support/live-gateway.js'
import { ManualClock } from '../support/manual-clock.js'
import { ScriptedEquipment, type ScriptedReply } from '../support/scripted-equipment.js'
import { LOOPBACK } from '../support/tcp.js'
import { until, untilLater } from '../support/until.js'

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
  const record = await live.gateway.equipment.connect(id, 30)
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
  await equipment.linktest()
  expect((await live.gateway.equipment.get(id)).communication_state).toBe('COMMUNICATING')
  expect(await sentTo(live, id)).toEqual(['S64F1', 'S64F0', 'S1F13'])
  const reopened = await live.reopen()
  await until(async () => (await reopened.equipment.get(id)).connection_state === 'SELECTED')
  expect((await reopened.equipment.get(id)).communication).toBe('none')
})

test.each<[string, ScriptedReply | undefined]>([
  ['S1F0', { function: 0 }],
  ['nothing', undefined],
])(
  'an equipment that answers S1F13 with %s is spoken to without it, and health says so',
  async (_, reply) => {
    const equipment = await withoutGem(reply)
    const live = await LiveGateway.open()
    const timers = { ...TIMERS, t3: 0.3, establish: 0.1 }
    const { id } = await live.add({ port: equipment.port, timers, gem_startup: true })
    const known = () => live.gateway.equipment.get(id)
    await live.gateway.equipment.connect(id, 30)
    expect(await known()).toMatchObject({
      communication: 'gem',
      communication_state: 'COMMUNICATING',
      health: 'degraded',
      health_reason: expect.stringContaining('set its communication to none'),
    })
    // T3 is short for S1F13 alone.
    const { result } = await live.gateway.messages.send(id, VENDORS, { timeout: 60 })
    expect(result.reply).toMatchObject({ stream: 64, function: 2 })
    const sent = await sentTo(live, id)
    expect(new Set(sent)).toEqual(new Set(['S1F13', 'S64F1'])) // no question of GEM's startup
    const causes = (await live.events()).map(({ data }) => JSON.stringify(data))
    expect(causes.some((cause) => cause.includes('communication none'))).toBe(true)
    // It has S1F13 after all.
    equipment.reply = ({ stream, function: fn }): ScriptedReply | undefined =>
      stream === 1 && fn === 17 ? { function: 18, item: B(0) } : { function: 0 }
    equipment.send(1, 13, L(A('M'), A('1')))
    await until(async () => (await known()).health_reason?.includes('communication to none') !== true)
    expect((await known()).communication_state).toBe('COMMUNICATING')
    await until(async () => (await sentTo(live, id)).some((name) => name === 'S1F17' || name === 'S1F1'))
  },
)

test('silence to one S1F13 is slowness: the next one is sent', async () => {
  const equipment = await withoutGem(undefined)
  const clock = new ManualClock()
  const live = await LiveGateway.open({ clock })
  const { id } = await live.add({ port: equipment.port, timers: { ...TIMERS, t3: 45, establish: 10 } })
  await live.gateway.equipment.connect(id, 0)
  const known = () => live.gateway.equipment.get(id)
  await equipment.next()
  clock.advance(45_000)
  await until(async () => (await known()).last_error?.code === 'communication_timeout')
  expect((await known()).communication_state).not.toBe('COMMUNICATING')
  equipment.commack = 0
  await untilLater(clock, async () => (await known()).communication_state === 'COMMUNICATING', 100)
  expect((await known()).health_reason ?? '').not.toContain('communication to none')
})

test('equipment that has ever sent S1F14 is not taken to lack S1F13, however silent it is', async () => {
  const equipment = await withoutGem({ function: 0 })
  equipment.commack = 0
  const clock = new ManualClock()
  const live = await LiveGateway.open({ clock })
  const { id } = await live.add({ port: equipment.port, timers: { ...TIMERS, t3: 0.2, establish: 0.1 } })
  await live.gateway.equipment.connect(id, 30)
  await live.gateway.equipment.disconnect(id)
  equipment.commack = undefined
  await live.gateway.equipment.connect(id, 0)
  const asked = async () => (await sentTo(live, id)).filter((name) => name === 'S1F13').length
  await untilLater(clock, async () => (await asked()) >= 4, 50)
  expect((await live.gateway.equipment.get(id)).communication_state).not.toBe('COMMUNICATING')
})

test('an equipment that answers S1F13 with S9F5 about it is spoken to without', async () => {
  const equipment = await withoutGem(undefined)
  const live = await LiveGateway.open()
  const { id } = await live.add({ port: equipment.port })
  const connected = live.gateway.equipment.connect(id, 30)
  const primary = await equipment.next()
  equipment.send(9, 5, B(...mheadOf(primary)), { wait: false })
  const { communication_state, health, health_reason } = await connected
  expect({ communication_state, health }).toEqual({
    communication_state: 'COMMUNICATING',
    health: 'degraded',
  })
  // The cause is said once.
  expect(health_reason?.match(/S1F13 with|about S1F13/g)).toHaveLength(1)
  expect(health_reason).toContain('S9F5')
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

test('equipment that is taken to lack S1F13 is as it should be once its communication is none, while it is connected', async () => {
  const equipment = await withoutGem({ function: 0 })
  const live = await LiveGateway.open()
  const { id } = await live.add({ port: equipment.port, timers: { ...TIMERS, t3: 0.3, establish: 0.1 } })
  await live.gateway.equipment.connect(id, 30)
  const { connected_since } = await live.gateway.equipment.get(id)
  const changed = await live.gateway.equipment.update(id, { communication: 'none' })
  expect(changed).toMatchObject({
    communication_state: 'COMMUNICATING',
    health: 'ok',
    health_reason: null,
    connected_since,
  })
  // And back: S1F13 is sent again.
  const asked = async () => (await sentTo(live, id)).filter((name) => name === 'S1F13').length
  const before = await asked()
  await live.gateway.equipment.update(id, { communication: 'gem' })
  await until(async () => (await asked()) > before)
})
