import { describe, expect, test } from 'vitest'
import { mheadOf } from '../../../src/gem/message-header.js'
import { formatTime } from '../../../src/gem/time.js'
import { decodeBody } from '../../../src/secs2/decode.js'
import { A, B, L, U1, U4 } from '../../../src/secs2/item.js'
import { callsOf, LiveGateway } from '../../support/live-gateway.js'
import { ManualClock } from '../../support/manual-clock.js'
import { until } from '../../support/until.js'
import { answering } from './answering.js'

const RECORDED = { message_id: expect.any(String), reply_id: expect.any(String) }

describe('the clock', () => {
  test('is read, and compared with the time here', async () => {
    const { call, id } = await answering({
      S2F17: () => A(formatTime(new Date(Date.now() + 3_600_000))),
    })
    const clock = await call.getClock({ id })
    expect(clock).toMatchObject({ raw: expect.stringMatching(/^\d{16}$/), ...RECORDED })
    expect(clock.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d$/)
    expect(Math.round(clock.difference_seconds ?? 0)).toBe(3600)
  })

  test('that says no time is reported as it is', async () => {
    const { call, id } = await answering({ S2F17: A('noon') })
    expect(await call.getClock({ id })).toMatchObject({
      time: null,
      raw: 'noon',
      difference_seconds: null,
    })
  })

  test('that tells an offset keeps it', async () => {
    const { call, id } = await answering({ S2F17: A('2026-01-31T08:00:00+01:00') })
    expect(await call.getClock({ id })).toMatchObject({ time: '2026-01-31T08:00:00+01:00' })
  })

  test('is set to now, to a moment, or to what is given', async () => {
    const { call, id, asked } = await answering({ S2F31: B(0) })
    const now = await call.setClock({ id })
    expect(now).toEqual({
      accepted: true,
      tiack: 0,
      tiack_text: 'accepted',
      raw: expect.any(String),
      ...RECORDED,
    })
    await call.setClock({ id }, { body: { time: '2026-01-31T08:00:00Z' } })
    await call.setClock({ id }, { body: { raw: '260131080000' } })
    const moment = formatTime(new Date('2026-01-31T08:00:00Z'))
    expect(asked()).toEqual([
      `S2F31 W <A "${now.raw}">.`,
      `S2F31 W <A "${moment}">.`,
      'S2F31 W <A "260131080000">.',
    ])
  })

  test('is not set to two times at once', async () => {
    const { call, id } = await answering({ S2F31: B(0) })
    const both = { time: '2026-01-31T08:00:00Z', raw: '260131080000' }
    await expect(call.setClock({ id }, { body: both })).rejects.toMatchObject({
      code: 'invalid_request',
      extra: { errors: [{ pointer: '/raw' }] },
    })
  })

  test('that will not be set is an answer', async () => {
    const { call, id } = await answering({ S2F31: B(1) })
    expect(await call.setClock({ id })).toMatchObject({ accepted: false, tiack_text: 'not done' })
  })
})

describe('the terminal', () => {
  test('is sent a line by S10F3, several by S10F5', async () => {
    const { call, id, asked } = await answering({ S10F3: B(0), S10F5: B(2) })
    expect(await call.sendTerminalText({ id }, { body: { text: 'Hold' } })).toEqual({
      accepted: true,
      ackc10: 0,
      ackc10_text: 'accepted',
      ...RECORDED,
    })
    expect(await call.sendTerminalText({ id }, { body: { tid: 3, lines: ['a', 'b'] } })).toMatchObject({
      accepted: false,
      ackc10: 2,
    })
    expect(asked()).toEqual([
      'S10F3 W <L [2] <B 0x00> <A "Hold"> >.',
      'S10F5 W <L [2] <B 0x03> <L [2] <A "a"> <A "b"> > >.',
    ])
  })

  test.each([[{}], [{ text: 'a', lines: ['b'] }]])('is not sent %j', async (text) => {
    const { call, id } = await answering({ S10F3: B(0) })
    await expect(call.sendTerminalText({ id }, { body: text })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  test('is not sent what its encoding does not have', async () => {
    const { call, id, asked } = await answering({ S10F3: B(0) })
    await expect(call.sendTerminalText({ id }, { body: { text: '停止' } })).rejects.toMatchObject({
      code: 'invalid_message',
      extra: { errors: [{ pointer: '/TEXT', detail: expect.stringMatching(/./) }] },
    })
    expect(asked()).toEqual([])
  })
})

describe('the alarms of an equipment', () => {
  test('are asked for by a list where the empty array is answered S9F7', async () => {
    const live = await LiveGateway.open()
    const { equipment, id } = await live.connectScripted()
    equipment.reply = (primary) => {
      if (primary.stream !== 5 || primary.function !== 5) return { function: 0 }
      if (decodeBody(primary.body)?.format === 'L')
        return { function: 6, item: L(L(B(4), U4(7), A('Door open'))) }
      equipment.send(9, 7, B(...mheadOf(primary)), { wait: false })
      return undefined
    }
    expect((await callsOf(live.gateway).listEquipmentAlarms({ id })).items).toMatchObject([{ alid: '7' }])
  })

  test.each(['silence', 'S5F0'])(
    'are asked for by a list after %s to the empty array, and from then on by a list at once',
    async (said) => {
      const clock = new ManualClock()
      const live = await LiveGateway.open({ clock })
      const { equipment, id } = await live.connectScripted()
      const asked: string[] = []
      equipment.reply = (primary) => {
        if (primary.stream !== 5) return primary.stream === 1 ? { function: 2, item: L() } : { function: 0 }
        if (primary.function !== 5) return { function: 8, item: L() }
        const form = decodeBody(primary.body)?.format ?? 'none'
        asked.push(form)
        if (form === 'L') return { function: 6, item: L(L(B(4), U4(7), A('Door open'))) }
        return said === 'silence' ? undefined : { function: 0 }
      }
      const calls = callsOf(live.gateway)
      const listed = async () =>
        (await calls.listEquipmentAlarms({ id }, { query: { timeout: 10 } })).items.map(({ alid }) => alid)
      const first = listed()
      await until(() => asked.length > 0)
      if (said === 'silence') clock.advance(10_000)
      expect([await first, await listed(), asked]).toEqual([['7'], ['7'], ['U4', 'L', 'L']])
      await live.reopen()
      await live.gateway.equipment.connect(id, 30)
      expect(await callsOf(live.gateway).listEquipmentAlarms({ id })).toMatchObject({
        items: [{ alid: '7' }],
      })
      expect(asked.slice(3)).toEqual(['L'])
    },
  )

  const ALARMS = L(L(B(0x84), U4(4001), A('Pressure high')), L(B(5), U4(4003), A('Temperature')))

  test('are listed with what is set and what is enabled', async () => {
    const { call, id } = await answering({ S5F5: ALARMS, S5F7: L(L(B(0x84), U4(4001), A(''))) })
    expect((await call.listEquipmentAlarms({ id })).items).toEqual([
      {
        ...{ alid: '4001', text: 'Pressure high', set: true, enabled: true },
        ...{ category: 4, category_text: expect.stringMatching(/./) },
      },
      expect.objectContaining({ alid: '4003', set: false, category: 5, enabled: false }),
    ])
  })

  test('are listed without what is enabled where the equipment does not tell', async () => {
    const { call, id } = await answering({ S5F5: ALARMS })
    const { items } = await call.listEquipmentAlarms({ id })
    expect(items.map(({ enabled }) => enabled)).toEqual([null, null])
  })

  test('are enabled and disabled one by one, or all', async () => {
    const { call, id, asked } = await answering({ S5F3: U1(0) })
    expect(await call.enableAlarms({ id }, { body: { alid: '4001' } })).toEqual({
      accepted: true,
      ackc5: 0,
      ackc5_text: expect.stringMatching(/./),
      ...RECORDED,
    })
    await call.disableAlarms({ id }, { body: { all: true } })
    expect(asked()).toEqual(['S5F3 W <L [2] <B 0x80> <U4 4001> >.', 'S5F3 W <L [2] <B 0x00> <U4> >.'])
  })

  test.each([[{}], [{ alid: '1', all: true }]])('are not told by %j', async (choice) => {
    const { call, id } = await answering({ S5F3: B(0) })
    await expect(call.enableAlarms({ id }, { body: choice })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })
})
