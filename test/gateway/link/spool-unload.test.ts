import { describe, expect, test } from 'vitest'
import { A, B, type Item, L, U4 } from '../../../src/secs2/item.js'
import { LiveGateway } from '../../support/live-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'
import { until } from '../../support/until.js'

const EVENT = L(U4(0), U4(100), L())

/** An equipment that answers S6F23 by this code, with `behind` right behind it, on made-up time. */
async function spooling(rsda: number, behind: readonly (readonly [number, number, Item?])[] = []) {
  const clock = new ManualClock()
  const live = await LiveGateway.open({ clock })
  const { equipment, id } = await live.connectScripted()
  equipment.reply = (primary) => {
    if (primary.function !== 23) return undefined
    equipment.answer(primary, { function: 24, item: B(rsda) })
    for (const [stream, fn, item] of behind) equipment.send(stream, fn, item)
    return undefined
  }
  const unload = (RSDC = '0') => live.gateway.messages.send(id, { stream: 6, function: 23, data: { RSDC } })
  /** Of each primary that came, such as `S6F11 spooled`. */
  const came = async (): Promise<string[]> => {
    const { items } = await live.gateway.messages.list({ direction: 'received', order: 'asc', limit: 1000 })
    const primaries = items.filter(({ function: fn }) => fn % 2 === 1)
    return primaries.map(
      ({ stream, function: fn, may_be_spooled }) => `S${stream}F${fn}${may_be_spooled ? ' spooled' : ''}`,
    )
  }
  const event = async (item = EVENT): Promise<void> => {
    const before = (await came()).length
    equipment.send(6, 11, item)
    await until(async () => (await came()).length > before)
  }
  return { clock, live, equipment, id, unload, came, event }
}

describe('what may have been spooled is marked', () => {
  test('from the S6F24 that promises it, in one breath with it as well, and none of stream 1 or 9', async () => {
    const alarm = L(B(0x84), U4(1), A('hot'))
    const { unload, came, event } = await spooling(0, [
      [6, 11, EVENT],
      [1, 1],
      [5, 1, alarm],
      [9, 5, B(...Array.from({ length: 10 }, () => 0))],
    ])
    await event()
    await unload()
    await until(async () => (await came()).length === 5)
    expect(await came()).toEqual(['S6F11', 'S6F11 spooled', 'S1F1', 'S5F1 spooled', 'S9F5'])
  })

  test('until nothing came for three seconds', async () => {
    const { clock, unload, came, event } = await spooling(0)
    await unload()
    for (const pause of [2999, 2999, 3000]) {
      clock.advance(pause)
      await event()
    }
    await event()
    expect(await came()).toEqual(['S6F11 spooled', 'S6F11 spooled', 'S6F11', 'S6F11'])
  })

  test('also where the record took longer than that: equipment sends the next one after the reply', async () => {
    const { clock, live, equipment, unload, came, event } = await spooling(0)
    await unload()
    live.journal.hold()
    const { length } = equipment.received
    equipment.send(6, 11, EVENT)
    await until(() => live.journal.waiting > 0)
    clock.advance(20_000)
    live.journal.release()
    await until(() => equipment.received.length > length)
    await event()
    expect(await came()).toEqual(['S6F11 spooled', 'S6F11 spooled'])
  })

  test('also after the equipment says that it is busy, since it may be sending it', async () => {
    const { equipment, unload, came, event } = await spooling(0)
    await unload()
    equipment.reply = ({ function: fn }) => (fn === 23 ? { function: 24, item: B(1) } : undefined)
    await unload()
    await event()
    expect(await came()).toEqual(['S6F11 spooled'])
  })

  test('until the equipment says that there is no more', async () => {
    const { equipment, unload, came, event } = await spooling(0)
    await unload()
    await event()
    equipment.reply = ({ function: fn }) => (fn === 23 ? { function: 24, item: B(2) } : undefined)
    await unload()
    await event()
    expect(await came()).toEqual(['S6F11 spooled', 'S6F11'])
  })

  test('until the connection ends', async () => {
    const { live, equipment, id, unload, came, event } = await spooling(0)
    await unload()
    await live.gateway.equipment.disconnect(id)
    await live.gateway.equipment.connect(id, 30)
    equipment.reply = () => undefined
    await event()
    expect(await came()).toEqual(['S6F11'])
  })
})

test('nothing is marked where the spool is purged, denied, or the answer is no answer', async () => {
  const purged = await spooling(0)
  await purged.unload('1')
  await purged.event()
  expect(await purged.came()).toEqual(['S6F11'])
  const denied = await spooling(2)
  await denied.unload()
  await denied.event()
  expect(await denied.came()).toEqual(['S6F11'])
  const { equipment, unload, came, event } = await spooling(0)
  equipment.reply = ({ function: fn }) =>
    fn === 23 ? { function: 24, body: Uint8Array.of(0xff) } : undefined
  await unload()
  await event()
  expect(await came()).toEqual(['S6F11'])
})
