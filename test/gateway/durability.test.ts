import { describe, expect, test } from 'vitest'
import type { NewMessage } from '../../src/contract/topics/messages.js'
import { A, B, L, U1, U4 } from '../../src/secs2/item.js'
import { StoreUnavailable } from '../../src/store/failure.js'
import { ADA, LiveGateway } from '../support/live-gateway.js'
import { HeldJournal } from '../support/memory-store.js'
import { LOOPBACK } from '../support/tcp.js'
import { until } from '../support/until.js'

const S1F1: NewMessage = { stream: 1, function: 1 }
const START: NewMessage = { stream: 2, function: 41, data: { RCMD: 'START' } }
const REPORT = L(U4(1), U4(2), L())
const ALARM = L(B(0x84), U4(7), A('Hot'))
const FULL = new StoreUnavailable('the disk is full')

const CALL = {
  action: 'sendMessage',
  equipment_id: 'eq_1',
  user: ADA.email,
  api_key: null,
  address: LOOPBACK,
  request_id: 'r-1',
  reason: null,
  details: {},
}

async function connected() {
  const live = await LiveGateway.open()
  const { equipment, id } = await live.connectScripted()
  return { live, equipment, id, journal: live.journal }
}

describe('while the disk is slow', () => {
  test('no primary of the equipment is answered before it is recorded', async () => {
    const { equipment, journal } = await connected()
    journal.hold()
    const sent = [
      equipment.send(6, 11, REPORT),
      equipment.send(5, 1, ALARM),
      equipment.send(1, 13, L()),
      equipment.send(99, 1),
    ]
    await until(() => journal.waiting === 5)
    await equipment.linktest()
    expect(equipment.received).toEqual([])
    journal.release()
    const answers = [
      await equipment.next(),
      await equipment.next(),
      await equipment.next(),
      await equipment.next(),
    ]
    expect(answers.map(({ systemBytes }) => systemBytes)).toEqual(sent)
    expect(answers.map(({ stream, function: fn }) => [stream, fn])).toEqual([
      [6, 12],
      [5, 2],
      [1, 14],
      [99, 0],
    ])
  })

  test('no byte of a primary of ours leaves before it is recorded', async () => {
    const { live, equipment, id, journal } = await connected()
    journal.hold()
    const sending = live.gateway.messages.send(id, S1F1)
    await until(() => journal.waiting === 1)
    await equipment.linktest()
    expect(equipment.received).toEqual([])
    equipment.reply = () => ({ function: 2, item: L() })
    journal.release()
    expect((await sending).result.message.outcome).toBe('replied')
  })

  test('who made the call is recorded in the batch of its message', async () => {
    const { live, equipment, id, journal } = await connected()
    equipment.reply = () => ({ function: 2, item: L() })
    const before = journal.last
    await live.gateway.messages.send(id, S1F1, { call: live.gateway.audit.sending(CALL) })
    const [sent, call] = await journal.query({ after: before, order: 'asc', limit: 2 })
    expect([sent?.name, call?.type]).toEqual(['message_sent', 'audit'])
    expect(call).toMatchObject({
      name: 'sendMessage',
      data: { user: ADA.email, message_id: String(sent?.seq) },
    })
  })

  test('the audit has each call that sent a message once, also when the process died before it was copied', async () => {
    const { live, equipment, id } = await connected()
    equipment.reply = () => ({ function: 2, item: L() })
    const send = async () => {
      const call = live.gateway.audit.sending(CALL)
      const { message } = (await live.gateway.messages.send(id, S1F1, { call })).result
      await call.ended({ status: 200, code: null, message_id: message.id })
    }
    await send()
    expect((await live.gateway.audit.list({})).items).toHaveLength(1)
    const copied = live.audit.entries.length
    await send()
    await live.reopen()
    live.audit.entries.splice(copied)
    await live.reopen()
    const { items } = await live.gateway.audit.list({})
    expect(items.map(({ action, status }) => [action, status])).toEqual([
      ['sendMessage', null],
      ['sendMessage', 200],
    ])
    expect(new Set(items.map(({ message_id }) => message_id)).size).toBe(2)
  })

  test('nobody is told of a reply before it is recorded', async () => {
    const { live, equipment, id, journal } = await connected()
    let told = false
    const sending = live.gateway.messages.send(id, S1F1).then((sent) => {
      told = true
      return sent
    })
    const primary = await equipment.next()
    journal.hold()
    equipment.answer(primary, { function: 2, item: L() })
    await until(() => journal.waiting === 2)
    expect(told).toBe(false)
    journal.release()
    expect((await sending).result.reply).toMatchObject({ function: 2 })
  })

  test('an answer does not go out over another connection than its primary came by', async () => {
    const { live, equipment, journal } = await connected()
    journal.hold()
    equipment.send(6, 11, REPORT)
    await until(() => journal.waiting === 1)
    equipment.cut()
    await until(() => equipment.connections === 2)
    await equipment.linktest()
    journal.release()
    await live.event(
      ({ name, data }) =>
        name === 'communication_state' && data['from'] === 'WAIT_CRA' && live.journal.last > 10,
    )
    await equipment.linktest()
    expect(equipment.received).toEqual([])
    const [report] = (await live.gateway.messages.list({ stream: 6 })).items
    expect(report).toMatchObject({ function: 11, outcome: 'lost' })
  })

  test('a command does not go out over another connection than it was meant for', async () => {
    const { live, equipment, id, journal } = await connected()
    journal.hold()
    const sending = live.gateway.messages.send(id, START)
    await until(() => journal.waiting === 1)
    equipment.cut()
    await until(() => equipment.connections === 2)
    await equipment.linktest()
    journal.release()
    await expect(sending).rejects.toMatchObject({ code: 'connection_lost' })
    await equipment.linktest()
    expect(equipment.received).toEqual([])
    expect((await live.gateway.messages.list({ stream: 2 })).items).toMatchObject([{ outcome: 'not_sent' }])
  })

  test('the equipment has to wait, and nothing of what it sent is missing or out of order afterwards', async () => {
    const { live, equipment, journal } = await connected()
    const other = await live.connectScripted()
    journal.hold()
    const body = L(U4(1), U4(2), L(L(U4(3), L(B(...new Uint8Array(64 * 1024))))))
    const sent = Array.from({ length: 320 }, () => equipment.send(6, 11, body))
    await until(() => journal.waiting > 60)
    for (let turn = 0; turn < 100; turn++) await other.equipment.linktest()
    expect(journal.waiting * 64 * 1024).toBeLessThan(6 * 1024 * 1024)
    journal.release()
    const answered: number[] = []
    while (answered.length < sent.length) answered.push((await equipment.next()).systemBytes)
    expect(answered).toEqual(sent)
  })
})

describe('when the store takes so long that nobody waits, and records it in the end', () => {
  const outcomes = async (live: LiveGateway) =>
    (await live.gateway.messages.list({ stream: 2, direction: 'sent' })).items.map(({ outcome }) => outcome)

  test.each([START, { ...START, wait_for_reply: false }])(
    'a command that its caller was refused is not sent, and has that as its outcome',
    async (command) => {
      const { live, equipment, id, journal } = await connected()
      journal.hold()
      const sending = live.gateway.messages.send(id, command)
      await until(() => journal.waiting === 1)
      journal.losePatience()
      await expect(sending).rejects.toBeInstanceOf(StoreUnavailable)
      journal.release()
      await until(async () => String(await outcomes(live)) === 'not_sent')
      await equipment.linktest()
      expect(equipment.received).toEqual([])
    },
  )

  test('the outcome is recorded also where the store is away again by then', async () => {
    const { live, id, journal } = await connected()
    journal.hold()
    const sending = live.gateway.messages.send(id, START)
    await until(() => journal.waiting === 1)
    journal.losePatience()
    await expect(sending).rejects.toBeInstanceOf(StoreUnavailable)
    journal.appended.on(() => {
      journal.failure = FULL
    })
    journal.release()
    await until(async () => String(await outcomes(live)) === 'pending')
    journal.failure = undefined
    await until(async () => String(await outcomes(live)) === 'not_sent')
  })

  test('a message with an idempotency key leaves at the repeat, and once', async () => {
    const { live, equipment, id, journal } = await connected()
    equipment.reply = () => ({ function: 42, item: L(B(0), L()) })
    const run = () =>
      live.gateway.idempotency.run('ada', 'key', 'START', async (request) => {
        const { result } = await live.gateway.messages.send(id, START, { request })
        return { status: 200, body: { outcome: String(result.message.outcome) } }
      })
    const held = new Promise<void>((resolve) => {
      const stop = journal.appended.on(({ name }) => {
        if (name !== 'began') return
        journal.hold()
        stop()
        resolve()
      })
    })
    const first = run()
    await held
    await until(() => journal.waiting === 2)
    journal.losePatience()
    await expect(first).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(run()).rejects.toMatchObject({ code: 'idempotency_in_progress' })
    journal.release()
    await until(async () => !live.gateway.idempotency.keys.size)
    expect(await run()).toEqual({ status: 200, body: { outcome: 'replied' }, replayed: false })
    expect(await run()).toEqual({ status: 200, body: { outcome: 'replied' }, replayed: true })
    expect(equipment.received.map(({ function: fn }) => fn)).toEqual([41])
    expect(await outcomes(live)).toEqual(['replied', 'not_sent'])
  })

  test('a primary of the equipment stays without an answer, and its alarm is on the board', async () => {
    const { live, equipment, journal } = await connected()
    journal.hold()
    equipment.send(5, 1, ALARM)
    await until(() => journal.waiting === 2)
    journal.losePatience()
    await equipment.linktest()
    equipment.send(5, 1, L(B(0x04), U4(7), A('Hot')))
    await until(() => journal.waiting === 4)
    journal.release()
    await until(async () => (await live.gateway.alarms.list({})).items[0]?.active === false)
    await equipment.linktest()
    const { items } = await live.gateway.messages.list({ stream: 5, order: 'asc', direction: 'received' })
    expect(items.map(({ outcome }) => outcome)).toEqual(['lost', 'replied'])
    expect(equipment.received).toHaveLength(1)
  })

  test('the audit has the call once, with its end', async () => {
    const { live, id, journal } = await connected()
    const refused = { status: 503, code: 'store_unavailable', message_id: null }
    journal.hold()
    const call = live.gateway.audit.sending(CALL)
    const sending = live.gateway.messages.send(id, START, { call })
    await until(() => journal.waiting === 2)
    journal.losePatience()
    await expect(sending).rejects.toBeInstanceOf(StoreUnavailable)
    await call.ended(refused)
    journal.release()
    const listed = async () => (await live.gateway.audit.list({})).items
    await until(async () => (await listed())[0]?.status === 503)
    const [message] = (await live.gateway.messages.list({ stream: 2 })).items
    expect(await listed()).toMatchObject([{ status: 503, message_id: message?.id }])
  })
})

describe('while the disk is slow and much comes', () => {
  test('of small messages no more than its share is taken, and none is missing afterwards', async () => {
    const { live, equipment, journal } = await connected()
    const other = await live.connectScripted()
    journal.hold()
    const sent = Array.from({ length: 3_000 }, () => equipment.send(6, 11, REPORT))
    await until(() => journal.waiting > 200)
    for (let turn = 0; turn < 100; turn++) await other.equipment.linktest()
    expect(journal.waiting).toBeLessThan(300)
    journal.release()
    const answered: number[] = []
    while (answered.length < sent.length) answered.push((await equipment.next()).systemBytes)
    expect(answered).toEqual(sent)
  })

  test('replies to primaries of ours wait as primaries of the equipment do, and none is missing afterwards', async () => {
    const { live, equipment, id, journal } = await connected()
    const other = await live.connectScripted()
    const sending = Array.from({ length: 60 }, () => live.gateway.messages.send(id, S1F1))
    const asked = await Promise.all(sending.map(() => equipment.next()))
    journal.hold()
    const item = L(B(...new Uint8Array(64 * 1024)), B(...new Uint8Array(64 * 1024)))
    for (const primary of asked) equipment.answer(primary, { function: 2, item })
    await until(() => journal.waiting > 50)
    for (let turn = 0; turn < 100; turn++) await other.equipment.linktest()
    expect((journal.waiting / 2) * 128 * 1024).toBeLessThan(5 * 1024 * 1024) // with each the entry of the end
    journal.release()
    const outcomes = (await Promise.all(sending)).map(({ result }) => result.message.outcome)
    expect(outcomes).toEqual(outcomes.map(() => 'replied'))
  })
})

describe('when the disk fails', () => {
  test('the equipment is not answered, and nothing is sent to it any more', async () => {
    const { live, equipment, id, journal } = await connected()
    journal.hold()
    equipment.send(6, 11, REPORT)
    equipment.send(5, 1, ALARM)
    const sending = live.gateway.messages.send(id, S1F1)
    await until(() => journal.waiting === 4)
    journal.fail(FULL)
    await expect(sending).rejects.toBe(FULL)
    equipment.send(6, 11, REPORT)
    await expect(live.gateway.messages.send(id, S1F1)).rejects.toBe(FULL)
    await equipment.linktest()
    expect(equipment.received).toEqual([])
    expect(live.gateway.ready).toBe(false)
    expect((await live.gateway.alarms.list({})).items).toEqual([])
  })

  test('a reply that cannot be recorded is not told to its caller', async () => {
    const { live, equipment, id, journal } = await connected()
    const sending = live.gateway.messages.send(id, S1F1)
    const primary = await equipment.next()
    journal.fail(FULL)
    equipment.answer(primary, { function: 2, item: L() })
    await expect(sending).rejects.toBe(FULL)
  })

  test('equipment is neither added nor changed, and no wish is taken', async () => {
    const live = await LiveGateway.open()
    const { id } = await live.add({ port: 1 })
    live.collection.failure = FULL
    const { equipment } = live.gateway
    await expect(live.add({ port: 2 })).rejects.toBe(FULL)
    await expect(equipment.update(id, { port: 3 })).rejects.toBe(FULL)
    await expect(equipment.connect(id, 0)).rejects.toBe(FULL)
    live.collection.failure = undefined
    expect((await equipment.list({})).items).toMatchObject([{ id, port: 1, enabled: false, revision: 1 }])
  })
})

describe('when the process dies', () => {
  test('what was open ended with its connection, and what had ended is as it was', async () => {
    const { live, equipment, id, journal } = await connected()
    equipment.reply = ({ function: fn }) => (fn === 41 ? { function: 42, item: L(B(0), L()) } : undefined)
    const done = await live.gateway.messages.send(id, START)
    equipment.send(6, 11, L(U4(1), U4(2), L(L(U1(1), L()))))
    await until(() => equipment.received.some(({ stream }) => stream === 6))
    const open = await live.gateway.messages.send(id, { ...S1F1, wait_for_reply: false })
    await until(() => equipment.received.some(({ function: fn }) => fn === 1))
    const before = (await live.gateway.messages.list({})).items
    const after = await LiveGateway.open({ journal: new HeldJournal(journal.entries) })
    expect(await after.gateway.messages.get(open.result.message.id)).toMatchObject({ outcome: 'lost' })
    // The gateway that opens the journal does not have the equipment.
    const unnamed = (message: (typeof before)[number]) => ({ ...message, equipment_name: null })
    expect(await after.gateway.messages.get(done.result.message.id)).toEqual(unnamed(done.result.message))
    const others = (list: typeof before) =>
      list.filter((message) => message.id !== open.result.message.id).map(unnamed)
    expect(others((await after.gateway.messages.list({})).items)).toEqual(others(before))
    expect((await after.events({ type: ['message'] })).at(-1)).toMatchObject({
      name: 'message_ended',
      equipment_id: id,
      data: { message_id: open.result.message.id, outcome: 'lost' },
    })
  })

  test('a repeat with the same idempotency key is told which message it was, and sends none', async () => {
    const { live, equipment, id, journal } = await connected()
    const run = (at: LiveGateway) =>
      at.gateway.idempotency.run('ada', 'key', 'START', async (request) => {
        await at.gateway.messages.send(id, START, { request })
        return { status: 200, body: null }
      })
    const first = run(live)
    first.catch(() => {}) // ends with the test
    await equipment.next()
    const [sent] = (await live.gateway.messages.list({ stream: 2 })).items
    const after = await LiveGateway.open({ journal: new HeldJournal(journal.entries) })
    await expect(run(after)).rejects.toMatchObject({
      code: 'outcome_unknown',
      extra: { message_id: sent?.id },
    })
  })
})

describe('when an entry was lost and given up', () => {
  test('the gateway opens without it, whichever it is, and has all the others', async () => {
    const { live, equipment, id, journal } = await connected()
    equipment.reply = ({ function: fn }) => (fn === 41 ? { function: 42, item: L(B(0), L()) } : undefined)
    await live.gateway.idempotency.run('ada', 'key', 'START', async (request) => {
      await live.gateway.messages.send(id, START, { request })
      return { status: 200, body: null }
    })
    equipment.send(6, 11, REPORT)
    equipment.send(5, 1, ALARM)
    await until(() => equipment.received.filter(({ function: fn }) => fn === 12 || fn === 2).length >= 2)
    const [alarm] = (await live.gateway.alarms.list({})).items
    await live.gateway.alarms.acknowledge(alarm?.id ?? '', ADA, {})
    const before = (await live.gateway.messages.list({})).items.map((message) => message.id)
    const entries = [...journal.entries]
    expect(new Set(entries.map(({ type }) => type)).size).toBeGreaterThan(3)
    for (const { seq: lost } of entries) {
      const left = entries.filter(({ seq }) => seq !== lost)
      const after = await LiveGateway.open({ journal: new HeldJournal(left) })
      const messages = (await after.gateway.messages.list({})).items.map((message) => message.id)
      expect(messages, `entry ${lost}`).toEqual(before.filter((one) => one !== String(lost)))
      const events = await after.events({})
      expect(events.length, `entry ${lost}`).toBeGreaterThan(0)
      await after.gateway.alarms.list({})
      const again = after.gateway.idempotency.run('ada', 'key', 'START', async () => ({
        status: 201,
        body: null,
      }))
      expect(await again.catch(({ code }) => code), `entry ${lost}`).toBeDefined()
    }
  })
})
