import { expect, test } from 'vitest'
import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, BOOLEAN, type Item, L, U1, U4 } from '../../../src/secs2/item.js'
import { freePort } from '../../support/free-port.js'
import { LiveGateway } from '../../support/live-gateway.js'
import { LOOPBACK } from '../../support/tcp.js'
import { until } from '../../support/until.js'
import { answering } from '../services/answering.js'
import { NO_SUCH_TYPE, object, objects, row } from './object-items.js'

const RECORDED = { message_id: expect.any(String), reply_id: expect.any(String) }

const CJ = object(
  'CJ-1',
  row('STATE', U1(2)),
  row('CarrierInputSpec', L(A('FOUP7'))),
  row('ProcessingCtrlSpec', L(L(A('PJ-1'), L(), L()), A('PJ-2'))),
  row('StartMethod', BOOLEAN(false)),
)
const SHOWN = {
  job_id: 'CJ-1',
  state: 'WAITING_FOR_START',
  carriers: ['FOUP7'],
  process_jobs: ['PJ-1', 'PJ-2'],
  starts_by_itself: false,
}

test('Control jobs are listed and shown; what equipment does not give is null', async () => {
  const { call, id, asked } = await answering({
    S14F1: (question) =>
      JSON.stringify(question).includes('CJ-1')
        ? objects(CJ)
        : objects(CJ, object('CJ-2', row('State', U1(7)))),
  })
  const { items } = await call.listControlJobs({ id })
  expect(items).toMatchObject([SHOWN, { job_id: 'CJ-2', state: 'unknown (7)', starts_by_itself: null }])
  expect(await call.getControlJob({ id, job: 'CJ-1' })).toMatchObject(SHOWN)
  expect(asked()[0]).toMatch(/<A ""> <A "ControlJob"> <L \[0\]> <L \[0\]> <L \[0\]>/)
})

test('A refusal to list is an error with the words of the equipment, and a job that it does not have is not found', async () => {
  const { call, id } = await answering({ S14F1: NO_SUCH_TYPE })
  await expect(call.listControlJobs({ id })).rejects.toMatchObject({
    code: 'equipment_error',
    message: expect.stringContaining('no such type'),
  })
  await expect(call.getControlJob({ id, job: 'CJ-9' })).rejects.toMatchObject({ code: 'object_not_found' })
})

test('A control job is created, in the words of the standard or as one tool wants it', async () => {
  const { call, id, asked } = await answering({ S14F9: L(A('ControlJob:CJ-1'), L(), L(U1(0), L())) })
  const body = { job_id: 'CJ-1', process_jobs: ['PJ-1', 'PJ-2'], carriers: ['FOUP7'] }
  expect(await call.createControlJob({ id }, { body })).toEqual({
    job_id: 'CJ-1',
    accepted: true,
    errors: [],
    ...RECORDED,
  })
  const other = { ...body, order: 'list' as const, manual_start: true, specifier: '' }
  await call.createControlJob({ id }, { body: other })
  const [usual, special] = asked()
  for (const part of [
    '<A "Equipment"> <A "ControlJob">',
    '<A "ProcessOrderMgmt"> <U1 1>',
    '<A "StartMethod"> <BOOLEAN T>',
    '<A "CarrierInputSpec"> <L [1] <A "FOUP7">',
    '<A "ProcessingCtrlSpec"> <L [2] <L [3] <A "PJ-1"> <L [0]> <L [0]> >',
  ])
    expect(usual).toContain(part)
  for (const part of [
    '<A ""> <A "ControlJob">',
    '<A "ProcessOrderMgmt"> <U1 3>',
    '<A "StartMethod"> <BOOLEAN F>',
  ])
    expect(special).toContain(part)
})

test('A control job whose IDs are none is refused before it is sent', async () => {
  const { call, id, asked } = await answering({ S14F9: NO_SUCH_TYPE })
  const body = { job_id: 'CJ>1', process_jobs: ['PJ?'], carriers: ['a:b'] }
  await expect(call.createControlJob({ id }, { body })).rejects.toMatchObject({
    extra: {
      errors: [{ pointer: '/job_id' }, { pointer: '/process_jobs/0' }, { pointer: '/carriers/0' }],
    },
  })
  expect(asked()).toEqual([])
})

test.each([
  ['start', 1],
  ['pause', 2],
  ['resume', 3],
  ['deselect', 5],
  ['first', 8],
] as const)('A control job is told to %s, without an action', async (command, code) => {
  const { call, id, asked } = await answering({ S16F27: L(BOOLEAN(true), L()) })
  expect(await call.commandControlJob({ id, job: 'CJ-1' }, { body: { command } })).toMatchObject({
    accepted: true,
  })
  expect(asked()).toEqual([expect.stringContaining(`<A "CJ-1"> <U1 ${code}> <L [0]>`)])
  await expect(
    call.commandControlJob({ id, job: 'CJ-1' }, { body: { command, jobs: 'keep' } }),
  ).rejects.toMatchObject({ extra: { errors: [{ pointer: '/jobs' }] } })
})

test.each([
  ['cancel', 4],
  ['stop', 6],
  ['abort', 7],
] as const)(
  'A control job is told to %s only with what becomes of its process jobs',
  async (command, code) => {
    const { call, id, asked } = await answering({
      S16F27: L(BOOLEAN(false), L(U4(16), A('Not available for processing'))),
    })
    const to = { id, job: 'CJ-1' }
    await expect(call.commandControlJob(to, { body: { command } })).rejects.toMatchObject({
      extra: { errors: [{ pointer: '/jobs' }] },
    })
    expect(asked()).toEqual([])
    expect(await call.commandControlJob(to, { body: { command, jobs: 'keep' } })).toMatchObject({
      accepted: false,
      errors: [{ code: 16, text: 'Not available for processing' }],
    })
    await call.commandControlJob(to, { body: { command, jobs: 'remove' } })
    expect(asked()).toEqual(
      [0, 1].map((value) => expect.stringContaining(`<U1 ${code}> <L [2] <A "Action"> <U1 ${value}> >`)),
    )
  },
)

/** Its control jobs, in the order in which they are known to be carried out. */
const queueOf = ({ gateway }: LiveGateway, equipmentId: string): string[] =>
  gateway.objects
    .of(equipmentId)
    .list('control_job')
    .map(({ id }) => id)

test('A control job that is put first is so in what is known, behind those that have begun, also after a restart', async () => {
  const all = [['CJ-1', 3] as const, ['CJ-2', 0] as const, ['CJ-3', 0] as const]
  let isAccepted = false
  const { call, live, id } = await answering({
    S14F1: objects(...all.map(([job, state]) => object(job, row('State', U1(state))))),
    S16F27: () => L(BOOLEAN(isAccepted), L(U4(17), A('not now'))),
  })
  await call.alignGem300({ id })
  const queue = () => queueOf(live, id)
  const first = (job: string) => call.commandControlJob({ id, job }, { body: { command: 'first' } })
  expect(await first('CJ-3')).toMatchObject({ accepted: false })
  expect(queue()).toEqual(['CJ-1', 'CJ-2', 'CJ-3'])
  isAccepted = true
  const { reply_id } = await first('CJ-3')
  expect(queue()).toEqual(['CJ-1', 'CJ-3', 'CJ-2'])
  const moved = (await live.events({ name: ['control_job_state'] })).filter(({ data }) => 'before' in data)
  expect(moved.map(({ data }) => data)).toMatchObject([
    { object_id: 'CJ-3', from: 'QUEUED', to: 'QUEUED', before: 'CJ-2', message_id: reply_id },
  ])
  // It is there already, or not known.
  await first('CJ-3')
  await first('CJ-9')
  expect(queue()).toEqual(['CJ-1', 'CJ-3', 'CJ-2'])
  await live.reopen()
  expect(queue()).toEqual(['CJ-1', 'CJ-3', 'CJ-2'])
})

test('A control job that an S16F27 of anybody puts first is so in what is known; other commands and refusals move none', async () => {
  const all = ['CJ-1', 'CJ-2', 'CJ-3'].map((job) => object(job, row('State', U1(0))))
  let isAccepted = true
  const { call, live, id } = await answering({
    S14F1: objects(...all),
    S16F27: () => L(BOOLEAN(isAccepted), L()),
  })
  await call.alignGem300({ id })
  const queue = () => queueOf(live, id)
  const send = (job: string, command: number | string) =>
    live.gateway.messages.send(id, {
      stream: 16,
      function: 27,
      data: { CTLJOBID: job, CTLJOBCMD: command },
    })
  await send('CJ-2', 8)
  await until(() => queue()[0] === 'CJ-2')
  await send('CJ-3', 2)
  isAccepted = false
  await send('CJ-3', 8)
  isAccepted = true
  await send('CJ-9', 8)
  await live.gateway.objects.recorded(id)
  expect(queue()).toEqual(['CJ-2', 'CJ-1', 'CJ-3'])
})

test('The host of tapped equipment puts a control job first, too', async () => {
  const live = await LiveGateway.open()
  const tap = { host_address: LOOPBACK, listen_port: await freePort() }
  const { id } = await live.add({ name: 'tapped', port: await freePort(), tap })
  const { objects: known } = live.gateway
  const telling = { messageId: '1', at: '2026-01-31T08:00:00.000Z' }
  for (const job of ['CJ-1', 'CJ-2'])
    await known.tell(id, [{ kind: 'control_job', id: job, states: { state: 'QUEUED' } }], telling)
  const passed = (direction: 'sent' | 'received', fn: number, item: Item, replyTo: number | null) => {
    const message = { stream: 16, function: fn, wait: fn === 27, sessionId: 0, systemBytes: 7 }
    const origin = { direction, equipmentId: id, replyTo, isWithHost: true }
    const recorded = new RecordedMessage(origin, { ...message, body: encodeBody(item) })
    return live.journal.append(recorded.entry(telling.at))
  }
  const { seq } = await passed('sent', 27, L(A('CJ-2'), U1(8), L()), null)
  await passed('received', 28, L(BOOLEAN(true), L()), seq)
  await until(() => known.of(id).list('control_job')[0]?.id === 'CJ-2')
  // Neither a reply to nothing nor one that cannot be read does any harm.
  await passed('received', 28, L(BOOLEAN(true), L()), null)
  const other = await passed('sent', 27, L(), null)
  await passed('received', 28, L(BOOLEAN(true), L()), other.seq)
  await known.recorded(id)
  expect(
    known
      .of(id)
      .list('control_job')
      .map((one) => one.id),
  ).toEqual(['CJ-2', 'CJ-1'])
})
