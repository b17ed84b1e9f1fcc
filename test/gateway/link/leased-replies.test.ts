import { expect, test } from 'vitest'
import { A, type Item, L, U4 } from '../../../src/secs2/item.js'
import { callsOf, LiveGateway } from '../../support/live-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'

const REPORT = L(U4(1), U4(3010), L())

/** A gateway with an equipment whose S6F11 it acknowledges; time stands still. */
async function reporting() {
  const clock = new ManualClock()
  const live = await LiveGateway.open({ clock })
  const { equipment, id } = await live.connectScripted()
  const { setReplies } = callsOf(live.gateway)
  const set = (run: string, replies: Readonly<Record<string, string>>) =>
    setReplies({ id }, { body: { run, for_seconds: 60, replies } })
  /** The reply to an S6F11: its function and its body. */
  const reply = async (fn = 11, item: Item = REPORT): Promise<string> => {
    const systemBytes = equipment.send(6, fn, item)
    const isReply = (message: { readonly systemBytes: number }) => message.systemBytes === systemBytes
    await equipment.linktest()
    while (equipment.received.filter(isReply).length === 0) {
      await equipment.next()
    }
    const [found] = equipment.received.filter(isReply)
    return `${found?.function} ${Buffer.from(found?.body ?? []).toString('hex')}`
  }
  return { clock, live, equipment, set, reply }
}

test('a reply that is given replaces the usual one until it is taken back, or its time ends', async () => {
  const { clock, set, reply, live } = await reporting()
  expect(await reply()).toBe('12 210100')
  const given = await set('a', { S6F11: 'S6F12 <B 1>.' })
  expect([given.messages, Date.parse(given.expires_at)]).toEqual([['S6F11'], clock.date().getTime() + 60_000])
  expect(await reply()).toBe('12 210101')
  clock.advance(59_000)
  expect(await reply()).toBe('12 210101')
  clock.advance(1_000)
  expect(await reply()).toBe('12 210100')
  await set('a', { S6F11: 'S6F0.' })
  expect(await reply()).toBe('0 ')
  await set('a', {})
  expect(await reply()).toBe('12 210100')
  // All of them are recorded, whatever the reply was.
  const { items } = await callsOf(live.gateway).listMessages({}, { query: { stream: 6, function: 11 } })
  expect(items).toHaveLength(6)
})

test('of two runs the later call counts, and each ends its own', async () => {
  const { set, reply } = await reporting()
  await set('a', { S6F11: 'S6F12 <B 1>.' })
  await set('b', { S6F11: 'S6F12 <B 2>.' })
  expect(await reply()).toBe('12 210102')
  await set('b', {})
  expect(await reply()).toBe('12 210101')
})

test('a message that the gateway does not know, or cannot read, has the reply that is given', async () => {
  const { set, reply } = await reporting()
  await set('a', { S6F51: 'S6F52 <A "ok">.', S6F11: 'S6F12 <B 3>.' })
  expect(await reply(51)).toBe('52 41026f6b')
  expect(await reply(11, A('no report'))).toBe('12 210103')
})

test('no reply is sent for none', async () => {
  const { set, reply, equipment } = await reporting()
  await set('a', { S6F11: 'none' })
  const systemBytes = equipment.send(6, 11, REPORT)
  expect(await reply(25, A('x'))).toMatch(/^0/)
  expect(equipment.received.some((message) => message.systemBytes === systemBytes)).toBe(false)
})

test.each([
  ['S6F12', 'S6F13.'],
  ['S9F7', 'none'],
  ['S1F13', 'S1F14 <L <B 1> <L>>.'],
  ['S6F11', 'S6F14.'],
  ['S6F11', 'S6F12 <B'],
  ['S6F11', 'S6F12 <B 0>. S6F12 <B 0>.'],
])('for %s the reply %s is refused', async (primary, sml) => {
  const { set } = await reporting()
  await expect(set('a', { [primary]: sml })).rejects.toMatchObject({
    code: 'invalid_message',
    extra: { errors: [{ pointer: `/replies/${primary}` }] },
  })
})
