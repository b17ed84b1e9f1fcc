import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../src/contract/errors.js'
import type { Outcome } from '../../src/contract/topics/messages.js'
import { ControlDesk } from '../../src/simulator/control/control-desk.js'
import { LiveGateway } from '../support/live-gateway.js'
import { until } from '../support/until.js'

/** A loopback: the gateway asks for none by itself. */
const LOOPBACK = { stream: 2, function: 25, data: { ABS: '7' } }

/** A gateway and a simulator that communicate, and the desk at which it is told to do wrong. */
async function bench(timers = {}) {
  const live = await LiveGateway.open()
  const { simulator, id } = await live.connectSimulator({ timers })
  const desk = new ControlDesk(simulator)
  const tell = async (...lines: readonly string[]): Promise<void> => {
    for (const line of lines) expect(await desk.run(line)).toMatchObject({ ok: true })
  }
  const record = () => live.gateway.equipment.get(id)
  const communicates = () =>
    until(async () => (await record()).communication_state === 'COMMUNICATING' || undefined)
  return { live, simulator, id, tell, record, communicates }
}

interface MessageFault {
  readonly told: string
  readonly outcome: Outcome
  readonly code: ErrorCode
  /** Told once the primary has arrived. */
  readonly afterwards?: string
  readonly timeout?: number
  readonly message?: {
    readonly stream: number
    readonly function: number
    readonly data?: { readonly ABS: string }
  }
}

const MESSAGE_FAULTS: readonly MessageFault[] = [
  { told: 'silent on', outcome: 'timed_out', code: 'reply_timeout', timeout: 0.1 },
  { told: 'late 300ms', outcome: 'timed_out', code: 'reply_timeout', timeout: 0.1 },
  { told: 'offline', outcome: 'aborted', code: 'transaction_aborted' },
  { told: 'reject 4', outcome: 'rejected', code: 'message_rejected' },
  { told: 'status', message: { stream: 7, function: 19 }, outcome: 'error', code: 'equipment_error' },
  { told: 'silent on', afterwards: 'drop', outcome: 'lost', code: 'connection_lost' },
  { told: 'silent on', afterwards: 'separate', outcome: 'lost', code: 'connection_lost' },
  { told: 'silent on', afterwards: 'garbage', outcome: 'lost', code: 'connection_lost' },
]

describe('what an equipment does wrong to a message', () => {
  test.each(MESSAGE_FAULTS)(
    'after "$told" (and "$afterwards") ends as $outcome, told as $code',
    async ({ told, afterwards, outcome, code, timeout, message = LOOPBACK }) => {
      const { live, simulator, id, tell, communicates } = await bench()
      await tell(told)
      const arrived = new Promise<void>((resolve) => {
        simulator.log.on((crossing) => {
          const { direction, stream, function: fn } = crossing
          if (direction === 'received' && stream === message.stream && fn === message.function) resolve()
        })
      })
      const sending = live.gateway.messages.send(id, message, { timeout }).then(
        () => undefined,
        (error: unknown) => error,
      )
      await arrived
      if (afterwards !== undefined) await tell(afterwards)
      const problem = await sending
      expect(problem).toMatchObject({ code })
      const { extra } = problem as { extra: { message_id: string } }
      const ended = await live.event(({ name, data }) => {
        return name === 'message_ended' && data['message_id'] === extra.message_id
      })
      expect(ended.data).toMatchObject({ outcome })
      await tell('mend')
      if (told === 'offline') return
      await communicates()
      await expect(live.gateway.messages.send(id, LOOPBACK)).resolves.toMatchObject({ waited: true })
    },
  )

  test('an answer that comes too late is recorded, and its primary has timed out all the same', async () => {
    const { live, id, tell } = await bench()
    await tell('late 200ms')
    const problem = await live.gateway.messages
      .send(id, LOOPBACK, { timeout: 0.1 })
      .catch((error: unknown) => error)
    expect(problem).toMatchObject({ code: 'reply_timeout' })
    const { extra } = problem as { extra: { message_id: string } }
    const late = await live.event(({ data }) => data['stream'] === 2 && data['function'] === 26)
    expect(late.data).toMatchObject({ reply_to: extra.message_id })
    expect(await live.gateway.messages.get(extra.message_id)).toMatchObject({ outcome: 'timed_out' })
  })

  test('a changed acknowledge code is what the host is told', async () => {
    const { live, id, tell } = await bench()
    await tell('ack S2F42 3')
    const refused = (await live.gateway.commands.send(id, { command: 'START' })).result
    expect(refused).toMatchObject({ accepted: false, hcack: 3 })
    await tell('ack S2F42 off')
    const done = (await live.gateway.commands.send(id, { command: 'START' })).result
    expect(done).toMatchObject({ accepted: true, hcack: 0 })
  })
})

interface LinkFault {
  readonly told: readonly string[]
  /** `last_error.code`, and the cause of the event where the link was lost by it. */
  readonly error: string
  readonly timers?: object
}

const LOSSES: readonly LinkFault[] = [
  { told: ['drop'], error: 'connection_lost' },
  { told: ['separate'], error: 'separated' },
  { told: ['garbage'], error: 'bad_frame' },
  { told: ['garbage 100000'], error: 'bad_frame' },
  { told: ['greet HTTP/1.1 400 Bad Request', 'drop'], error: 'not_hsms' },
  { told: ['select 2', 'drop'], error: 'select_refused' },
  { told: ['linktest off'], error: 'linktest_timeout', timers: { linktest: 0.1, t6: 0.3 } },
]

const DENIALS: readonly LinkFault[] = [
  { told: ['quiet on', 'ack S1F14 1', 'drop'], error: 'communication_denied' },
  // After a second S1F13 without a reply it would be taken for equipment without GEM.
  {
    told: ['quiet on', 'silent on', 'drop'],
    error: 'communication_timeout',
    timers: { t3: 0.2, establish: 3 },
  },
]

describe('what an equipment does wrong to the link', () => {
  test.each(LOSSES)('after $told is reported as $error, and mends', async ({ told, error, timers }) => {
    const { live, tell, communicates } = await bench(timers)
    await tell(...told)
    const lost = await live.event(({ type, data }) => type === 'connection' && data['cause'] === error)
    expect(lost.data).toMatchObject({ to: 'CONNECTING' })
    await tell('mend')
    await communicates()
  })

  test.each(DENIALS)('after $told is reported as $error, and mends', async ({ told, error, timers }) => {
    const { tell, record, communicates } = await bench(timers)
    await tell(...told)
    await until(async () => (await record()).last_error?.code === error)
    await tell('mend')
    await communicates()
    expect((await record()).last_error).toBeNull()
  })
})

test('what the desk has the equipment say arrives, acknowledged', async () => {
  const { live, simulator } = await bench()
  const desk = new ControlDesk(simulator)
  await until(() => simulator.equipment.communicationState === 'COMMUNICATING')
  expect(await desk.run('alarm 1 set')).toMatchObject({ ok: true, acknowledged: true })
  expect(await desk.run('event Remote')).toMatchObject({ ok: true, acknowledged: true })
  expect(await desk.run('terminal the chiller leaks')).toMatchObject({ ok: true, acknowledged: true })
  expect(await desk.run('send S6F11 W <L <U4 1> <U4 99> <L>>.')).toMatchObject({
    ok: true,
    outcome: 'replied',
    reply: 'S6F12\n<B 0x00>.',
  })
  const messages = (await live.gateway.messages.list({ direction: 'received', order: 'asc' })).items
  expect(messages.map(({ stream, function: fn }) => `S${stream}F${fn}`)).toEqual(
    expect.arrayContaining(['S5F1', 'S6F11', 'S10F1']),
  )
  expect((await live.gateway.alarms.list({ active: true })).items).toMatchObject([{ alid: '1' }])
})

test.each([
  ['linktest.rsp drop', 'frame linktest.rsp drop'],
  ['S1F2 session=5 byte2=129', 'frame S1F2 session=5 byte2=129'],
  ['reject.req:4 byte3=1', 'frame reject.req:4 byte3=1'],
])('the fault frame %s is in the status, and is taken back by its name', async (words, shown) => {
  const { simulator } = await bench()
  const desk = new ControlDesk(simulator)
  expect(await desk.run(`frame ${words}`)).toMatchObject({ ok: true, faults: [shown] })
  expect(await desk.run(`frame ${words.split(' ')[0]} off`)).toMatchObject({ ok: true, faults: [] })
})

test.each(['S1 drop', 'hello drop', 'S1F2:1 drop', 'S1F2 colour=1', 'S1F2 byte2=256', 'reject.req:x drop'])(
  'the fault frame %s is refused',
  async (words) => {
    const { simulator } = await bench()
    expect(await new ControlDesk(simulator).run(`frame ${words}`)).toMatchObject({ ok: false, code: 'usage' })
  },
)
