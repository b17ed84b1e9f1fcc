import { beforeEach, describe, expect, test, vi } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import {
  type CallResponse,
  Idempotency,
  type KeyedRequest,
} from '../../../src/gateway/idempotency/idempotency.js'
import { IdempotencyKeys } from '../../../src/gateway/idempotency/idempotency-keys.js'
import { viewMessage } from '../../../src/gateway/messages/message-view.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import type { Clock } from '../../../src/kit/clock.js'
import { deferred } from '../../../src/kit/deferred.js'
import type { JsonObject } from '../../../src/kit/text/json.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { EntryNumber } from '../../../src/store/entry.js'
import { StoreUnavailable } from '../../../src/store/failure.js'
import { RetentionClock } from '../../../src/store/retention-clock.js'
import { ManualClock } from '../../support/manual-clock.js'
import { HeldJournal, MemoryJournal } from '../../support/memory-store.js'
import { messageEntry } from '../wire/wire-records.js'

const HOUR = 60 * 60 * 1000
const CREATED: CallResponse = { status: 201, body: { id: 'eq_1' } }

let clock: ManualClock
/** What the gateway is handed: that clock, or one that shows another time of day. */
let wall: Clock
let trusted: RetentionClock | undefined
let journal: MemoryJournal
let idempotency: Idempotency
let runs: number

beforeEach(async () => {
  clock = new ManualClock()
  wall = clock
  journal = new MemoryJournal()
  idempotency = await over(journal)
  runs = 0
})

const create = async (): Promise<CallResponse> => {
  runs++
  return CREATED
}

async function over(kept: MemoryJournal): Promise<Idempotency> {
  const keys = new IdempotencyKeys(wall, trusted)
  await kept.attach([keys])
  return new Idempotency(kept, keys, wall, () => plainReading(STANDARD_CATALOGUE))
}

/** What is on disk now, read by a process that knows nothing else. */
const restarted = (): Promise<Idempotency> => {
  const kept = new MemoryJournal()
  kept.entries.push(...journal.entries)
  return over(kept)
}

test('a repeat is given the first answer and does nothing', async () => {
  expect(await idempotency.run('ann', 'k', 'f', create)).toEqual({ ...CREATED, replayed: false })
  expect(await idempotency.run('ann', 'k', 'f', create)).toEqual({ ...CREATED, replayed: true })
  expect(runs).toBe(1)
})

test('a key is its owner’s, and its path’s', async () => {
  await idempotency.run('ann POST /a', 'k', 'f', create)
  await idempotency.run('bob POST /a', 'k', 'f', create)
  await idempotency.run('ann POST /b', 'k', 'f', create)
  expect(runs).toBe(3)
})

test('a key with another body is refused, also while the first is under way', async () => {
  const first = deferred<CallResponse>()
  const running = idempotency.run('ann', 'k', 'f', () => first.promise)
  await expect(idempotency.run('ann', 'k', 'g', create)).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  })
  first.resolve(CREATED)
  await running
  await expect(idempotency.run('ann', 'k', 'g', create)).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  })
  expect(runs).toBe(0)
})

test('of a hundred at once one does it, and the others are told that it is under way', async () => {
  const first = deferred<CallResponse>()
  const all = Array.from({ length: 100 }, () =>
    idempotency.run('ann', 'k', 'f', () => {
      runs++
      return first.promise
    }),
  )
  const settled = Promise.allSettled(all)
  await expect(all[99]).rejects.toMatchObject({ code: 'idempotency_in_progress' })
  first.resolve(CREATED)
  const results = await settled
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(runs).toBe(1)
})

const note = (request: KeyedRequest, messageId: string) =>
  journal.appendAll(request.noting(new EntryNumber(Number(messageId))))

test('answers survive a restart', async () => {
  await idempotency.run('ann', 'k', 'f', create)
  const other = await restarted()
  expect(await other.run('ann', 'k', 'f', create)).toEqual({ ...CREATED, replayed: true })
  await expect(other.run('ann', 'k', 'g', create)).rejects.toMatchObject({ code: 'idempotency_key_reused' })
})

test('where the process died in between the outcome is unknown, and the message is named', async () => {
  void idempotency.run('ann', 'k', 'f', async (request) => {
    await note(request, '42')
    return new Promise(() => {})
  })
  await expect.poll(() => journal.last).toBe(2)
  const other = await restarted()
  await expect(other.run('ann', 'k', 'f', create)).rejects.toMatchObject({
    code: 'outcome_unknown',
    message: expect.stringContaining('See message 42'),
    extra: { message_id: '42' },
  })
  expect(runs).toBe(0)
})

test('where it died before a message was recorded the outcome is unknown all the same', async () => {
  void idempotency.run('ann', 'k', 'f', () => new Promise(() => {}))
  await expect.poll(() => journal.last).toBe(1)
  const other = await restarted()
  await expect(other.run('ann', 'k', 'f', create)).rejects.toMatchObject({
    code: 'outcome_unknown',
    extra: {},
  })
})

test('a failure that did nothing frees the key, also over a restart', async () => {
  const refused = () => Promise.reject(new Error('not connected'))
  await expect(idempotency.run('ann', 'k', 'f', refused)).rejects.toThrow('not connected')
  expect(await (await restarted()).run('ann', 'k', 'f', create)).toMatchObject({ replayed: false })
  expect(await idempotency.run('ann', 'k', 'other body', create)).toMatchObject({ replayed: false })
})

test('a failure after a message was recorded leaves the outcome unknown', async () => {
  const lost = async (request: KeyedRequest) => {
    await note(request, '42')
    throw new Error('stopped')
  }
  await expect(idempotency.run('ann', 'k', 'f', lost)).rejects.toThrow('stopped')
  for (const each of [idempotency, await restarted()]) {
    await expect(each.run('ann', 'k', 'f', create)).rejects.toMatchObject({
      code: 'outcome_unknown',
      extra: { message_id: '42' },
    })
  }
})

test('the work is told of its own message and of no other', async () => {
  const gate = deferred<void>()
  const quiet = idempotency.run('ann', 'quiet', 'f', async (request) => {
    await gate.promise
    return { status: 200, body: { noted: request.hasSent } }
  })
  const noting = idempotency.run('ann', 'noting', 'f', async (request) => {
    await note(request, '42')
    gate.resolve()
    return { status: 200, body: { noted: request.hasSent } }
  })
  expect((await quiet).body).toEqual({ noted: false })
  expect((await noting).body).toEqual({ noted: true })
})

test('a message that is sent when the request is over is noted nowhere', async () => {
  let over: KeyedRequest | undefined
  await idempotency.run('ann', 'k', 'f', (request) => {
    over = request
    return create()
  })
  const { last } = journal
  if (over) await note(over, '42')
  expect([journal.last, over?.hasSent]).toEqual([last, false])
})

test('nothing is done when the disk fails before; when it fails after, the answer is recorded as soon as it can be', async () => {
  journal.failure = new StoreUnavailable('no disk')
  await expect(idempotency.run('ann', 'k', 'f', create)).rejects.toThrow('no disk')
  expect(runs).toBe(0)
  journal.failure = undefined
  const then = async (): Promise<CallResponse> => {
    journal.failure = new StoreUnavailable('no disk')
    return create()
  }
  await expect(idempotency.run('ann', 'k', 'f', then)).rejects.toThrow('no disk')
  await expect((await restarted()).run('ann', 'k', 'f', create)).rejects.toMatchObject({
    code: 'outcome_unknown',
  })
  await expect(idempotency.run('ann', 'k', 'f', create)).rejects.toMatchObject({
    code: 'idempotency_in_progress',
  })
  journal.failure = undefined
  clock.advance(1000)
  await vi.waitFor(async () =>
    expect(await idempotency.run('ann', 'k', 'f', create)).toEqual({ ...CREATED, replayed: true }),
  )
  expect(runs).toBe(1)
})

test('a begin that is recorded after its caller was refused frees the key', async () => {
  const held = new HeldJournal()
  const late = await over(held)
  held.hold()
  const running = late.run('ann', 'k', 'f', create)
  await vi.waitFor(() => expect(held.waiting).toBe(1))
  held.losePatience()
  await expect(running).rejects.toThrow('does not respond')
  await expect(late.run('ann', 'k', 'f', create)).rejects.toMatchObject({ code: 'idempotency_in_progress' })
  held.release()
  await vi.waitFor(async () =>
    expect(await late.run('ann', 'k', 'f', create)).toEqual({ ...CREATED, replayed: false }),
  )
  expect(runs).toBe(1)
})

test('a key is kept for a day, in memory and over restarts', async () => {
  await idempotency.run('ann', 'k', 'f', create)
  clock.advance(24 * HOUR)
  expect(await idempotency.run('ann', 'k', 'f', create)).toMatchObject({ replayed: true })
  expect(await (await restarted()).run('ann', 'k', 'f', create)).toMatchObject({ replayed: true })
  clock.advance(1)
  expect(await (await restarted()).run('ann', 'k', 'f', create)).toMatchObject({ replayed: false })
  expect(await idempotency.run('ann', 'k', 'f', create)).toMatchObject({ replayed: false })
})

test('a long message in an answer is kept where it is recorded, for as long as the key, and is in every repeat', async () => {
  const at = clock.date().toISOString()
  const body = encodeBody({ format: 'B', value: new Uint8Array(100_000).fill(7) })
  const message = { stream: 7, function: 6, wait: false, sessionId: 0, systemBytes: 1, body }
  const recorded = await journal.append(messageEntry('received', 'eq', message, null, at))
  const reply = viewMessage(recorded, plainReading(STANDARD_CATALOGUE), undefined)
  const answered = { status: 200, body: { reply } as unknown as JsonObject }
  await idempotency.run('ann', 'k', 'f', async () => answered)
  expect(JSON.stringify(journal.entries.at(-1)).length).toBeLessThan(1000)
  const after = await restarted()
  expect([...idempotency.keys.pinned()]).toContain(recorded.seq)
  expect([...after.keys.pinned()]).toContain(recorded.seq)
  const loaded = new IdempotencyKeys(clock)
  for (const line of after.keys.lines()) loaded.load(JSON.parse(JSON.stringify(line)))
  expect([...loaded.pinned()]).toEqual([...after.keys.pinned()])
  const { body: again } = await after.run('ann', 'k', 'f', create)
  expect(JSON.stringify(again)).toBe(JSON.stringify(answered.body))
})

describe('a wall clock that is wrong', () => {
  let ahead = 0
  beforeEach(async () => {
    ahead = 0
    trusted = undefined
    const { now, at } = clock
    wall = {
      now: now.bind(clock),
      at: at.bind(clock),
      date: () => new Date(clock.date().getTime() + ahead),
    }
    idempotency = await over(journal)
  })

  test('forgets no key early when it jumps ahead', async () => {
    await idempotency.run('ann', 'k', 'f', create)
    ahead = 1000 * HOUR
    clock.advance(23 * HOUR)
    expect(await idempotency.run('ann', 'k', 'f', create)).toMatchObject({ replayed: true })
    clock.advance(HOUR + 1)
    expect(await idempotency.run('ann', 'k', 'f', create)).toMatchObject({ replayed: false })
  })

  test('keeps no key, and none after it, for longer when it was ahead and is put right', async () => {
    ahead = 1000 * HOUR
    await idempotency.run('ann', 'ahead', 'f', create)
    ahead = 0
    await idempotency.run('ann', 'right', 'f', create)
    for (const each of [idempotency, await restarted()]) {
      clock.advance(12 * HOUR)
      expect(await each.run('ann', 'ahead', 'f', create)).toMatchObject({ replayed: true })
    }
    const again = await restarted()
    clock.advance(24 * HOUR + 1)
    expect(await again.run('ann', 'right', 'f', create)).toMatchObject({ replayed: false })
    expect(await again.run('ann', 'ahead', 'f', create)).toMatchObject({ replayed: false })
  })

  test('keeps a key over a restart while it is behind, for a day and no longer', async () => {
    await idempotency.run('ann', 'k', 'f', create)
    ahead = -1000 * HOUR
    const after = await restarted()
    clock.advance(24 * HOUR)
    expect(await after.run('ann', 'k', 'f', create)).toMatchObject({ replayed: true })
    clock.advance(1)
    expect(await after.run('ann', 'k', 'f', create)).toMatchObject({ replayed: false })
  })

  test('forgets no key over a restart while it is ahead, when the store does not trust it', async () => {
    await idempotency.run('ann', 'k', 'f', create)
    ahead = 1000 * HOUR
    trusted = new RetentionClock(wall, clock.date().getTime())
    expect(await (await restarted()).run('ann', 'k', 'f', create)).toMatchObject({ replayed: true })
  })

  test('forgets no key over a restart that began while it was behind', async () => {
    await idempotency.run('ann', 'before', 'f', create)
    ahead = -400_000 * HOUR
    await idempotency.run('ann', 'behind', 'f', create)
    ahead = 0
    clock.advance(23 * HOUR)
    expect(await (await restarted()).run('ann', 'behind', 'f', create)).toMatchObject({ replayed: true })
  })
})

test('a request that takes longer than a day is still under way', async () => {
  const first = deferred<CallResponse>()
  const running = idempotency.run('ann', 'k', 'f', () => first.promise)
  clock.advance(25 * HOUR)
  await expect(idempotency.run('ann', 'k', 'f', create)).rejects.toMatchObject({
    code: 'idempotency_in_progress',
  })
  first.resolve(CREATED)
  await running
})

test('more keys than a page of the journal are all read again', async () => {
  for (let at = 0; at < 600; at++) await idempotency.run('ann', `k${at}`, 'f', create)
  const other = await restarted()
  runs = 0
  for (const at of [0, 499, 500, 599]) {
    expect(await other.run('ann', `k${at}`, 'f', create)).toMatchObject({ replayed: true })
  }
  expect(runs).toBe(0)
})
