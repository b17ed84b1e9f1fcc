import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../src/contract/errors.js'
import type { Outcome } from '../../../src/contract/topics/messages.js'
import { mheadOf } from '../../../src/gem/message-header.js'
import type { DataMessage } from '../../../src/hsms/message.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, B, L, U4 } from '../../../src/secs2/item.js'
import { dataBytes } from '../../support/hsms-wire.js'
import { LiveGateway } from '../../support/live-gateway.js'
import type { ScriptedEquipment } from '../../support/scripted-equipment.js'
import { until } from '../../support/until.js'

const S1F3 = { stream: 1, function: 3 }

interface Ending {
  readonly outcome: Outcome
  readonly code: ErrorCode
  /** What the equipment does about the primary. */
  readonly end: (equipment: ScriptedEquipment, primary: DataMessage) => void
  /** What the message's record says beside its outcome. */
  readonly record?: object
  readonly replied?: boolean
  readonly detail: RegExp
}

const complain =
  (fn: number, deviceId = 0) =>
  (equipment: ScriptedEquipment, primary: DataMessage) => {
    const item = B(...mheadOf(primary))
    equipment.send(9, fn, item, { wait: false, sessionId: deviceId })
  }

const ENDINGS: readonly Ending[] = [
  {
    outcome: 'aborted',
    code: 'transaction_aborted',
    end: (equipment, primary) => equipment.answer(primary, { function: 0 }),
    replied: true,
    detail: /S1F0.*may be offline\. Look at its control state/,
  },
  {
    outcome: 'rejected',
    code: 'message_rejected',
    end: (equipment, { systemBytes }) => equipment.control('rejectReq', { systemBytes, byte2: 0, byte3: 4 }),
    detail: /reason 4: it was not selected/,
  },
  {
    outcome: 'error',
    code: 'equipment_error',
    end: (equipment, primary) => equipment.answer(primary, { function: 12, item: L() }),
    replied: true,
    detail: /S1F12/,
  },
  {
    outcome: 'error',
    code: 'equipment_error',
    end: complain(5),
    record: { s9: 'S9F5' },
    detail: /S9F5 Unrecognized Function/,
  },
  {
    outcome: 'error',
    code: 'equipment_error',
    end: complain(1, 7),
    record: { s9: 'S9F1' },
    detail: /S9F1 Unrecognized Device ID/,
  },
  { outcome: 'lost', code: 'connection_lost', end: (equipment) => equipment.cut(), detail: /not known/ },
  {
    outcome: 'lost',
    code: 'connection_lost',
    end: (equipment) => equipment.control('separateReq', { systemBytes: 5 }),
    detail: /not known/,
  },
]

describe('a primary that is not answered', () => {
  test.each(ENDINGS)(
    'ends as $outcome, told as $code ($detail), on record and as an event',
    async (ending) => {
      const live = await LiveGateway.open()
      const { equipment, id } = await live.connectScripted()
      const sending = live.gateway.messages.send(id, S1F3)
      ending.end(equipment, await equipment.next())
      const problem = await sending.then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(problem).toMatchObject({
        code: ending.code,
        message: expect.stringMatching(ending.detail),
        extra: ending.record ?? {},
      })
      const { extra } = problem as { extra: { message_id: string; reply_id?: string } }
      const record = await live.gateway.messages.get(extra.message_id)
      expect(record).toMatchObject({ stream: 1, function: 3, outcome: ending.outcome, ...ending.record })
      const [ended] = (await live.events({ type: ['message'] })).filter(
        ({ name, data }) => name === 'message_ended' && data['message_id'] === record.id,
      )
      expect(ended?.data).toMatchObject({ outcome: ending.outcome, ...ending.record })
      if (!ending.replied) return expect(extra.reply_id).toBeUndefined()
      expect(record.reply_id).toBe(extra.reply_id)
      const reply = await live.gateway.messages.get(extra.reply_id ?? '')
      expect(reply).toMatchObject({ direction: 'received', reply_to: record.id })
    },
  )
})

test('a primary that is answered shows its reply and how long it took', async () => {
  const live = await LiveGateway.open()
  const { simulator, id } = await live.connectSimulator()
  const { result } = await live.gateway.messages.send(id, { stream: 1, function: 1 })
  expect(result.reply).toMatchObject({
    function: 2,
    reply_to: result.message.id,
    data: { MDLN: simulator.model.equipment.mdln },
  })
  expect(result.message).toMatchObject({ outcome: 'replied', reply_id: result.reply?.id })
  expect(result.message.latency_ms).toBeGreaterThan(0)
  expect(await live.gateway.messages.get(result.message.id)).toEqual(result.message)
  const ended = (await live.events()).filter(({ data }) => data['message_id'] === result.message.id)
  expect(ended.map(({ name, data }) => [name, data['latency_ms']])).toEqual([
    ['message_ended', result.message.latency_ms],
  ])
})

test('a reply that is no SECS-II is a reply, and kept as its bytes', async () => {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted()
  const sending = live.gateway.messages.send(id, { stream: 1, function: 1 })
  const { systemBytes } = await equipment.next()
  equipment.send(1, 2, undefined, { wait: false, systemBytes, body: Uint8Array.of(0x41, 0x05, 0x41) })
  expect((await sending).result).toMatchObject({
    message: { outcome: 'replied' },
    reply: { raw: '410541', body: null, data: null, decode_error: expect.stringMatching(/./) },
  })
})

test('what comes after a reply in the same segment is recorded after it', async () => {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted()
  const sending = live.gateway.messages.send(id, { stream: 2, function: 41, data: { RCMD: 'START' } })
  const primary = await equipment.next()
  const reply = { function: 42, wait: false, systemBytes: primary.systemBytes }
  equipment.write(
    Buffer.concat([
      dataBytes({ sessionId: 0, stream: 2, ...reply, body: encodeBody(L(B(0), L())) }),
      dataBytes({
        sessionId: 0,
        stream: 6,
        function: 11,
        systemBytes: 7,
        body: encodeBody(L(U4(1), U4(2), L())),
      }),
    ]),
  )
  const { result } = await sending
  const report = await live.event(({ data }) => data['stream'] === 6)
  expect(Number(result.reply?.id)).toBeLessThan(Number(report.id))
})

test('T3 ends a primary, saying what may be the reason, and what comes late is recorded as its reply', async () => {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted({ device_id: 0 })
  equipment.send(9, 7, B(...mheadOf({ sessionId: 0, stream: 1, function: 3, wait: true, systemBytes: 1 })), {
    wait: false,
  })
  await live.event(({ data }) => data['stream'] === 9)
  const problem = await live.gateway.messages
    .send(id, S1F3, { timeout: 0.1 })
    .catch((error: unknown) => error)
  expect(problem).toMatchObject({
    code: 'reply_timeout',
    message: expect.stringMatching(
      /\(device ID 0, control state UNKNOWN; its last S9: S9F7 about S1F3, \d+ s ago\)\.$/,
    ),
  })
  const primary = await equipment.next()
  equipment.answer(primary, { function: 4, item: L(A('late')) })
  const late = await live.event(({ data }) => data['stream'] === 1 && data['function'] === 4)
  const { extra } = problem as { extra: { message_id: string } }
  expect(late.data).toMatchObject({ reply_to: extra.message_id })
  const record = await live.gateway.messages.get(extra.message_id)
  expect(record).toMatchObject({ outcome: 'timed_out' })
  expect(record.reply_id).toBeUndefined()
  expect((await live.gateway.equipment.get(id)).connection_state).toBe('SELECTED')
})

test('of what is sent at once, each is given its own reply', async () => {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted()
  const sends = Array.from({ length: 50 }, (_, at) =>
    live.gateway.messages.send(id, { stream: 1, function: 3, data: { SVID: String(at) } }),
  )
  const primaries = await Promise.all(sends.map(() => equipment.next()))
  for (const primary of primaries.reverse()) {
    equipment.answer(primary, { function: 4, item: L(B(...primary.body.slice(-1))) })
  }
  const replies = (await Promise.all(sends)).map(({ result }) => result.reply?.data)
  expect(replies).toEqual(sends.map((_, at) => ({ SV: [String(at)] })))
})

test('one transaction more than 64 is refused at once, and nothing of it is recorded', async () => {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted()
  const sends = Array.from({ length: 64 }, () => live.gateway.messages.send(id, { stream: 1, function: 1 }))
  const primaries = await Promise.all(sends.map(() => equipment.next()))
  await expect(live.gateway.messages.send(id, { stream: 1, function: 1 })).rejects.toMatchObject({
    code: 'equipment_busy',
  })
  expect((await live.gateway.messages.list({ direction: 'sent', function: 1 })).items).toHaveLength(64)
  for (const primary of primaries) equipment.answer(primary, { function: 2, item: L() })
  await Promise.all(sends)
  equipment.reply = () => ({ function: 2, item: L() })
  await expect(live.gateway.messages.send(id, { stream: 1, function: 1 })).resolves.toMatchObject({
    waited: true,
  })
})

test('a primary with the system bytes of an open one of ours is no reply to it', async () => {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted()
  const sending = live.gateway.messages.send(id, { stream: 1, function: 1 })
  const ours = await equipment.next()
  equipment.send(6, 11, L(U4(1), U4(2), L()), { systemBytes: ours.systemBytes })
  expect(await equipment.next()).toMatchObject({ stream: 6, function: 12, systemBytes: ours.systemBytes })
  equipment.answer(ours, { function: 2, item: L(A('M'), A('1')) })
  expect((await sending).result.reply).toMatchObject({ function: 2 })
})

test('what the equipment asks is answered on record; what is not for us is not answered at all', async () => {
  const live = await LiveGateway.open()
  const { equipment } = await live.connectScripted()
  const find = async (stream: number) =>
    (await live.gateway.messages.list({ direction: 'received', stream })).items[0]
  equipment.send(6, 11, L(U4(1), U4(2), L()))
  expect(await equipment.next()).toMatchObject({ function: 12 })
  equipment.send(64, 1)
  expect(await equipment.next()).toMatchObject({ stream: 64, function: 0 })
  equipment.send(6, 11, L(U4(1), U4(2), L()), { wait: false })
  equipment.send(2, 17, undefined, { sessionId: 9 })
  await live.event(({ data }) => data['session_id'] === 9)
  const foreign = await until(async () => {
    const message = await find(2)
    return message?.outcome === 'pending' ? undefined : message
  })
  expect(foreign).toMatchObject({ session_id: 9, outcome: 'lost' })
  expect(await find(64)).toMatchObject({ outcome: 'aborted', name: 'S64F1' })
  const reports = (await live.gateway.messages.list({ direction: 'received', stream: 6, order: 'asc' })).items
  expect(reports.map(({ outcome }) => outcome)).toEqual(['replied', 'not_expected'])
  const reply = await live.gateway.messages.get(reports[0]?.reply_id ?? '')
  expect(reply).toMatchObject({
    direction: 'sent',
    function: 12,
    reply_to: reports[0]?.id,
    data: { ACKC6: '0' },
  })
})

test('a message is sent to equipment only that is there', async () => {
  const live = await LiveGateway.open()
  const { id } = await live.add({ port: 1 })
  await expect(live.gateway.messages.send(id, S1F3)).rejects.toMatchObject({
    code: 'equipment_not_connected',
    message: expect.stringContaining('Connect it first.'),
    extra: { next: [{ operation: 'connectEquipment', parameters: { id } }] },
  })
  await expect(live.gateway.messages.send('eq_0', S1F3)).rejects.toMatchObject({
    code: 'equipment_not_found',
  })
  expect(await live.events()).toEqual([])
})
