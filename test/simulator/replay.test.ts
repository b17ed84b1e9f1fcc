import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/kit/clock.js'
import { RecordedReplies } from '../../src/simulator/replay/recorded-replies.js'
import { type RecordedMessage, readRecording } from '../../src/simulator/replay/recording.js'
import { Replay, type ReplayOptions } from '../../src/simulator/replay/replay.js'
import type { ReplayRemark } from '../../src/simulator/replay/score.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import type { Entry } from '../../src/store/entry.js'
import { LiveGateway } from '../support/live-gateway.js'
import { LOOPBACK } from '../support/tcp.js'
import { until } from '../support/until.js'

const OPTIONS: ReplayOptions = {
  role: 'passive',
  host: LOOPBACK,
  port: 0,
  speed: Infinity,
  loose: false,
  timeoutMs: 10_000,
}

/** What a journal holds of one equipment, as `journal export` prints it. */
async function exported(live: LiveGateway): Promise<string[]> {
  const entries = await live.journal.query({ order: 'asc', limit: 10_000 })
  return entries.map((entry: Entry) => JSON.stringify(entry))
}

async function messagesOf(live: LiveGateway): Promise<readonly RecordedMessage[]> {
  return [...(await readRecording(await exported(live))).values()][0] ?? []
}

/** A session of a gateway with the etcher, in which something of everything happens. */
async function recordedSession(transport: 'hsms' | 'secs1-tcp' = 'hsms'): Promise<LiveGateway> {
  const live = await LiveGateway.open()
  const model = shippedModel('etcher')
  if (!model) throw new Error('there is no etcher')
  const line = transport === 'hsms' ? undefined : {}
  const place = { role: 'passive', host: LOOPBACK, port: 0, line } as const
  const simulator = new Simulator(model, place, { clock: systemClock })
  onTestFinished(() => simulator.stop())
  await simulator.start()
  const { id } = await live.connect({ port: simulator.port, transport })
  await drive(live, id)
  await simulator.fireEvent('RecipeSelected')
  await simulator.equipment.changeAlarm('4002', true)
  await simulator.equipment.changeAlarm('4002', false)
  await live.gateway.equipment.disconnect(id)
  return live
}

/** What the host of the session asked. */
async function drive({ gateway }: LiveGateway, id: string): Promise<void> {
  const say = (stream: number, fn: number, data = {}) =>
    gateway.messages.send(id, { stream, function: fn, data }).catch(() => undefined)
  await say(1, 1)
  await say(1, 3, { SVID: ['1010'] })
  await say(1, 3, { SVID: ['9999'] })
  await say(2, 41, { RCMD: 'NO-SUCH', PARAMETERS: {} })
  await say(7, 19)
}

async function replayOf(messages: readonly RecordedMessage[], options: Partial<ReplayOptions> = {}) {
  const replay = new Replay(messages, { ...OPTIONS, ...options }, systemClock)
  const remarks: ReplayRemark[] = []
  replay.remarked.on((remark) => void remarks.push(remark))
  onTestFinished(() => replay.stop())
  await replay.start()
  return { replay, remarks }
}

/** What passed, in a way that two sessions can be compared: what each side said, and what the answer to it was. */
function passed(messages: readonly RecordedMessage[]): string[] {
  const told = messages
    .filter((message) => message.function % 2 === 1)
    .map((message) => {
      const reply = messages.find(({ replyTo }) => replyTo === message.id)
      const text = ({ stream, function: fn, body }: RecordedMessage) =>
        `S${stream}F${fn} ${Buffer.from(body).toString('hex')}`
      return `${message.from}: ${text(message)} -> ${reply ? text(reply) : 'nothing'}`
    })
  return told.sort()
}

test.each(['hsms', 'secs1-tcp'] as const)(
  'a session replayed over %s is recorded by a second gateway as it was by the first, message by message',
  async (transport) => {
    const original = await messagesOf(await recordedSession(transport))
    expect(original.length).toBeGreaterThan(15)
    const { replay, remarks } = await replayOf(original, transport === 'hsms' ? {} : { line: {} })
    const live = await LiveGateway.open()
    const ran = replay.run(new AbortController().signal)
    const { id } = await live.connect({ port: replay.port, transport })
    await drive(live, id)
    await ran
    await live.gateway.equipment.disconnect(id)
    expect(remarks).toEqual([])
    const { recorded } = replay.score
    expect(recorded).toBeGreaterThanOrEqual(3)
    expect(replay.score).toMatchObject({
      sent: recorded,
      matched: recorded,
      differed: 0,
      missing: 0,
      unknown: 0,
    })
    const again = await messagesOf(live)
    const ofStart = (line: string): boolean => !line.includes('S1F13')
    expect(passed(again).filter(ofStart)).toEqual(passed(original).filter(ofStart))
  },
)

test('what was not recorded is aborted and told of; loosely it has the answer to what is nearest', async () => {
  const original = await messagesOf(await recordedSession())
  const ask = async (loose: boolean) => {
    const { replay, remarks } = await replayOf(original, { loose })
    const live = await LiveGateway.open()
    const running = new AbortController()
    const ran = replay.run(running.signal)
    const { id } = await live.connect({ port: replay.port })
    const message = { stream: 1, function: 3, data: { SVID: ['1011'] } }
    const sent = await live.gateway.messages.send(id, message).catch((error: unknown) => error)
    running.abort()
    await ran
    return { sent, remarks: remarks.filter(({ kind }) => kind === 'unknown' || kind === 'nearly') }
  }
  const strict = await ask(false)
  expect(strict.sent).toMatchObject({ code: 'transaction_aborted' })
  expect(strict.remarks).toMatchObject([{ kind: 'unknown', message: 'S1F3' }])
  const loose = await ask(true)
  expect(loose.sent).toMatchObject({ result: { reply: { function: 4, body: { L: [{ F4: [12.5] }] } } } })
  expect(loose.remarks).toMatchObject([{ kind: 'nearly', message: 'S1F3' }])
})

test('a host that answers otherwise than it did is told of, with both answers', async () => {
  const original = await messagesOf(await recordedSession())
  const changed = original.map((message) =>
    message.from === 'host' && message.stream === 5 && message.function === 2
      ? { ...message, body: Uint8Array.of(0x21, 1, 1) }
      : message,
  )
  const { replay, remarks } = await replayOf(changed, { timeoutMs: 0 })
  const live = await LiveGateway.open()
  const ran = replay.run(new AbortController().signal)
  await live.connect({ port: replay.port })
  await ran
  expect(replay.score).toMatchObject({ differed: 2, missing: 0 })
  const bytes = (body?: Uint8Array): string => Buffer.from(body ?? []).toString('hex')
  const told = remarks.map((remark) =>
    remark.kind === 'differed' ? [remark.message, bytes(remark.expected), bytes(remark.got)] : remark.kind,
  )
  expect(told).toEqual([
    ['S5F1', '210101', '210100'],
    ['S5F1', '210101', '210100'],
  ])
})

const line = (seq: number, name: string, data: object, at = '2026-01-01T00:00:00.000Z'): string =>
  JSON.stringify({ seq, at, type: 'message', name, key: 'eq_1', data })
const message = (stream: number, fn: number, body: string, replyTo: number | null = null) => ({
  stream,
  function: fn,
  w_bit: fn % 2 === 1,
  session_id: 0,
  system_bytes: 7,
  body: Buffer.from(body).toString('base64'),
  reply_to: replyTo,
})

test('answers come in their order, and then from the first again', async () => {
  const lines = ['a', 'b'].flatMap((answer, at) => [
    line(2 * at + 1, 'message_sent', message(1, 3, 'x')),
    line(2 * at + 2, 'message_received', message(1, 4, answer, 2 * at + 1)),
  ])
  const [recorded] = [...(await readRecording(lines)).values()]
  const answers = new RecordedReplies(recorded ?? [])
  const given = [1, 2, 3].map(() => {
    const found = answers.find({ stream: 1, function: 3, body: Buffer.from('x') }, false)
    return found.match === 'same' && found.reply.kind === 'reply' ? String(found.reply.body) : found.match
  })
  expect(given).toEqual(['a', 'b', 'a'])
  expect(answers.find({ stream: 1, function: 3, body: Buffer.from('y') }, false)).toEqual({
    match: 'unknown',
  })
})

test.each([
  ['{', 'line 2: not an entry of a journal; "secsctl journal export" prints them'],
  [
    line(1, 'message_sent', { ...message(1, 1, ''), stream: 128 }),
    'line 2: the message has no stream from 0 to 127',
  ],
  [line(1, 'message_sent', message(1, 1, ''), 'noon'), 'line 2: the entry has no time (at)'],
])('a line that is no entry is told of by its number: %s', async (text, detail) => {
  await expect(readRecording(['', text])).rejects.toThrow(detail)
})

/** A recording in which the host asks, defines and commands, and the equipment reports behind each. */
async function commanded(): Promise<readonly RecordedMessage[]> {
  const said = [
    line(1, 'message_received', { ...message(6, 11, '1'), w_bit: false }),
    line(2, 'message_sent', message(1, 3, '')),
    line(3, 'message_received', { ...message(6, 11, '2'), w_bit: false }),
    line(4, 'message_sent', message(2, 41, 'any')),
    line(5, 'message_received', message(2, 42, '', 4)),
    line(6, 'message_received', { ...message(6, 11, '3'), w_bit: false }),
    line(7, 'message_sent', message(2, 41, 'other')),
    line(8, 'message_received', { ...message(6, 11, '4'), w_bit: false }),
  ]
  return [...(await readRecording(said)).values()][0] ?? []
}

/** The events that came to a gateway. */
const reported = async (live: LiveGateway, id: string): Promise<string[]> => {
  const { items } = await live.gateway.messages.list({
    equipment_id: id,
    direction: 'received',
    order: 'asc',
  })
  return items.map(({ stream, function: fn }) => `S${stream}F${fn}`).filter((name) => name === 'S6F11')
}

test('what was recorded after a command waits for it, however fast the replay or slow the host', async () => {
  const { replay, remarks } = await replayOf(await commanded(), { loose: true })
  const live = await LiveGateway.open()
  const ran = replay.run(new AbortController().signal)
  const { id } = await live.connect({ port: replay.port })
  const command = () =>
    live.gateway.messages.send(id, { stream: 2, function: 41, data: { RCMD: 'GO', PARAMS: [] } })
  await until(async () => (await reported(live, id)).length === 2)
  await command()
  await until(async () => (await reported(live, id)).length === 3)
  expect(replay.score).toMatchObject({ sent: 3 })
  await command().catch(() => undefined)
  await ran
  expect(await reported(live, id)).toHaveLength(4)
  expect(remarks.filter(({ kind }) => kind === 'unprompted')).toEqual([])
})

test('a host that does not send what was recorded before is told of once for each name', async () => {
  const { replay, remarks } = await replayOf(await commanded(), { timeoutMs: 50 })
  const live = await LiveGateway.open()
  const ran = replay.run(new AbortController().signal)
  await live.connect({ port: replay.port })
  await ran
  expect(remarks.filter(({ kind }) => kind === 'unprompted')).toEqual([
    { kind: 'unprompted', message: 'S6F11', id: 6, cause: { id: 4, message: 'S2F41' } },
  ])
  expect(replay.score).toMatchObject({ sent: 4, unprompted: 1 })
})

test('messages are sent at the distances that were recorded, so many times faster', async () => {
  const at = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString()
  const lines = [0, 1000, 3000].flatMap((ms, nth) => [
    line(2 * nth + 1, 'message_received', { ...message(6, 11, ''), w_bit: false }, at(ms)),
  ])
  const [recorded] = [...(await readRecording(lines)).values()]
  const { replay } = await replayOf(recorded ?? [], { speed: 20 })
  const live = await LiveGateway.open()
  const over = new AbortController()
  const began = systemClock.date().getTime()
  const ran = replay.run(over.signal)
  const { id } = await live.connect({ port: replay.port })
  const found = await until(async () => {
    const query = { equipment_id: id, stream: 6, function: 11, order: 'asc', limit: 10 } as const
    const { items } = await live.gateway.messages.list(query)
    return items.length === 3 && items.map((one) => Date.parse(one.at))
  })
  over.abort()
  await ran
  // None is early; a busy machine may be late.
  const [, second = 0, third = 0] = found
  expect(second - began).toBeGreaterThanOrEqual(1000 / 20)
  expect(third - began).toBeGreaterThanOrEqual(3000 / 20)
})
