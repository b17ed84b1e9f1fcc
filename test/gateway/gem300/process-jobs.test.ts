import { describe, expect, test } from 'vitest'
import { type BodyContent, buildBody } from '../../../src/gem300/messages/bodies.js'
import { A, B, BOOLEAN, type Item, L, U1, U2, U4 } from '../../../src/secs2/item.js'
import { DEFAULT_VIEW } from '../../gem300/default-view.js'
import { answering } from '../services/answering.js'
import { NO_SUCH_TYPE, object, objects, row } from './object-items.js'

const RECORDED = { message_id: expect.any(String), reply_id: expect.any(String) }
const DONE = { RESULT: { ACKA: true, ERRORS: [] } }

const reply = {
  created: (...ids: string[]) => buildBody('S16F16', { PRJOBID: ids, ...DONE }, DEFAULT_VIEW),
  one: (content: Partial<BodyContent<'S16F6'>>) =>
    buildBody('S16F6', { PRJOBID: 'PJ-1', ...DONE, ...content }, DEFAULT_VIEW),
}

describe('Process jobs', () => {
  test('are listed with the words of their states, and numbers without one stay numbers', async () => {
    const job = (id: string, state: number) => L(A(id), U1(state))
    const { call, id, asked } = await answering({
      S16F19: L(job('PJ-1', 3), job('PJ-2', 0), job('PJ-3', 5)),
      S16F21: U2(7),
    })
    expect(await call.listProcessJobs({ id })).toEqual({
      items: [
        { job_id: 'PJ-1', state: 'PROCESSING' },
        { job_id: 'PJ-2', state: 'QUEUED_POOLED' },
        { job_id: 'PJ-3', state: 'unknown (5)' },
      ],
      next_cursor: null,
      space: null,
    })
    expect(await call.listProcessJobs({ id }, { query: { space: true } })).toMatchObject({ space: 7 })
    expect(asked()).toEqual(['S16F19', 'S16F19', 'S16F21'].map((name) => expect.stringContaining(name)))
  })

  test('are read as equipment sends them: states as text, no body for none', async () => {
    const { call, id } = await answering({ S16F19: L(L(A('PJ-1'), A('PRJobWaitingStart'))) })
    expect((await call.listProcessJobs({ id })).items).toEqual([
      { job_id: 'PJ-1', state: 'unknown (PRJobWaitingStart)' },
    ])
  })

  test('that cannot be understood are an error that says where', async () => {
    const { call, id } = await answering({ S16F19: L(L(A('PJ-1'))) })
    await expect(call.listProcessJobs({ id })).rejects.toMatchObject({
      code: 'equipment_error',
      message: expect.stringContaining('/0/PRSTATE'),
    })
  })

  test('are shown with their attributes, whose names are compared without case', async () => {
    const row = (name: string, item: Item) => L(A(name), item)
    const attributes = L(
      row('PRJOBSTATE', U1(6)),
      row('RecID', A('OXIDE-ETCH-01')),
      row('PRMtlNameList', L(L(A('FOUP7'), L(U1(1), U1(2))), A('W9'))),
      row('PauseEvent', L()),
    )
    const { call, id, asked } = await answering({
      S14F1: L(L(L(A('PJ-1'), attributes)), L(U1(0), L())),
    })
    expect(await call.getProcessJob({ id, job: 'PJ-1' })).toEqual({
      job_id: 'PJ-1',
      state: 'PAUSING',
      carriers: [{ carrier_id: 'FOUP7', slots: [1, 2] }],
      substrates: ['W9'],
      recipe: 'OXIDE-ETCH-01',
      attributes: [
        { name: 'PRJOBSTATE', value: { U1: [6] }, text: '6' },
        { name: 'RecID', value: { A: 'OXIDE-ETCH-01' }, text: 'OXIDE-ETCH-01' },
        expect.objectContaining({ name: 'PRMtlNameList', text: '[[FOUP7, [1, 2]], W9]' }),
        { name: 'PauseEvent', value: { L: [] }, text: '[]' },
      ],
      ...RECORDED,
    })
    expect(asked()).toEqual([expect.stringMatching(/"ProcessJob".*"PJ-1"/)])
  })

  test.each([
    ['has no objects', {}],
    ['has no such type', { S14F1: L(L(), L(U1(1), L(L(U4(2), A('no ProcessJob'))))) }],
    ['sends what cannot be understood', { S14F1: A('?') }],
    ['does not give the state', { S14F1: L(L(L(A('PJ-1'), L(L(A('RecID'), A('R1'))))), L(U1(0), L())) }],
  ])('of equipment that %s are shown with their state', async (_, answers) => {
    const { call, id } = await answering({ ...answers, S16F19: L(L(A('PJ-1'), U1(2))) })
    expect(await call.getProcessJob({ id, job: 'PJ-1' })).toMatchObject({ state: 'WAITING_FOR_START' })
  })

  test('that the equipment does not have are not found', async () => {
    const { call, id } = await answering({ S16F19: L() })
    await expect(call.getProcessJob({ id, job: 'PJ-9' })).rejects.toMatchObject({
      code: 'object_not_found',
      extra: { next: [{ operation: 'listProcessJobs' }] },
    })
  })
})

describe('A process job', () => {
  const entry = (slots: number[]) => ({ carrier_id: 'F', slots })
  const NEW = { job_id: 'PJ-1', recipe: 'R1', carriers: [{ carrier_id: 'FOUP7', slots: [2, 1] }] }

  test('is created with S16F15, or S16F11 where that is wanted', async () => {
    const { call, id, asked } = await answering({ S16F15: reply.created('PJ-1'), S16F11: reply.one({}) })
    const made = { job_id: 'PJ-1', accepted: true, errors: [], ...RECORDED }
    expect(await call.createProcessJob({ id }, { body: NEW })).toEqual(made)
    const body = {
      job_id: 'PJ-2',
      recipe: 'R2',
      substrates: ['W1', 'W2'],
      parameters: { EtchTime: 45, Mode: 'fast', Gas: { U1: [3] } },
      manual_start: true,
      pause_events: ['12'],
      message: 'S16F11' as const,
    }
    expect(await call.createProcessJob({ id }, { body })).toMatchObject({ job_id: 'PJ-2', accepted: true })
    const [multi, single] = asked()
    expect(multi).toContain(
      '<A "PJ-1"> <B 0x0D> <L [1] <L [2] <A "FOUP7"> <L [2] <U1 2> <U1 1> > > > <L [3] <U1 1> <A "R1"> <L [0]> > <BOOLEAN T> <L [0]>',
    )
    expect(single).toContain(
      '<A "PJ-2"> <B 0x0E> <L [2] <A "W1"> <A "W2"> > <L [3] <U1 2> <A "R2"> <L [3] <L [2] <A "EtchTime"> <U4 45> > <L [2] <A "Mode"> <A "fast"> > <L [2] <A "Gas"> <U1 3> > > > <BOOLEAN F> <L [1] <U4 12> >',
    )
  })

  test('is created in the formats of the equipment', async () => {
    const { call, id, asked } = await answering({ S16F15: reply.created('PJ-1') })
    const item_formats = { MF: 'A', DATAID: 'U2', SLOTID: 'U2' }
    await call.updateEquipment({ id }, { body: { item_formats } })
    await call.createProcessJob({ id }, { body: NEW })
    expect(asked().at(-1)).toMatch(/<U2 0> .*<A "13"> .*<U2 2> <U2 1>/)
  })

  test('that is refused has every reason of the equipment, and what each code means', async () => {
    const errors = [
      { ERRCODE: 11, ERRTEXT: 'PJ-1 is there already' },
      { ERRCODE: 40000, ERRTEXT: '' },
      { ERRCODE: undefined, ERRTEXT: 'chamber 2 is not clean' },
    ]
    const RESULT = { ACKA: false, ERRORS: errors }
    const { call, id } = await answering({
      S16F15: buildBody('S16F16', { PRJOBID: [], RESULT }, DEFAULT_VIEW),
      S16F5: L(A('PJ-1'), L(BOOLEAN(false), L())),
      S16F17: L(L(A('PJ-1'), L(B(0), L(L(U2(3), A('gone')))))),
    })
    expect(await call.createProcessJob({ id }, { body: NEW })).toMatchObject({
      accepted: false,
      errors: [
        { port: null, code: 11, code_text: expect.stringMatching(/[a-z]/), text: 'PJ-1 is there already' },
        { code: 40000, text: '' },
        { code: null, code_text: null, text: 'chamber 2 is not clean' },
      ],
    })
    const job = 'PJ-1'
    expect(await call.commandProcessJob({ id, job }, { body: { command: 'stop' } })).toMatchObject({
      accepted: false,
      errors: [],
    })
    expect(await call.dequeueProcessJob({ id, job })).toMatchObject({
      accepted: false,
      errors: [{ code: 3, text: 'gone' }],
    })
  })

  test('is refused where the reply names no job and an error, although it says done', async () => {
    const ERRORS = [{ ERRCODE: 11, ERRTEXT: '' }]
    const none = buildBody('S16F16', { PRJOBID: [], RESULT: { ACKA: true, ERRORS } }, DEFAULT_VIEW)
    const { call, id } = await answering({ S16F15: none, S16F17: none })
    const refused = { accepted: false, errors: [{ code: 11 }] }
    expect(await call.createProcessJob({ id }, { body: NEW })).toMatchObject(refused)
    expect(await call.dequeueProcessJob({ id, job: 'PJ-1' })).toMatchObject(refused)
  })

  test('may have other slots of the same carrier in another entry', async () => {
    const { call, id, asked } = await answering({ S16F15: reply.created('PJ-1') })
    await call.createProcessJob({ id }, { body: { ...NEW, carriers: [entry([1]), entry([2])] } })
    expect(asked()).toHaveLength(1)
  })

  test.each([
    [{ job_id: 'PJ:1' }, '/job_id'],
    [{ job_id: 'x'.repeat(81) }, '/job_id'],
    [{ carriers: [{ carrier_id: 'FOUP*' }] }, '/carriers/0/carrier_id'],
    [{ carriers: [{ carrier_id: 'F', slots: [1, 2, 1] }] }, '/carriers/0/slots'],
    [{ carriers: [entry([1, 2]), entry([3]), entry([2])] }, '/carriers/2/slots'],
    [{ carriers: [entry([]), entry([2])] }, '/carriers/1/slots'],
    [{ carriers: [entry([1]), entry([])] }, '/carriers/1/slots'],
    [{ carriers: [] }, '/carriers'],
    [{ substrates: ['W1'] }, '/carriers'],
    [{ parameters: { Time: { F4: ['soon'] } } }, '/parameters/Time'],
  ])('of %j is refused before it is sent, with what is wrong', async (wrong, pointer) => {
    const { call, id, asked } = await answering({ S16F15: reply.created() })
    await expect(call.createProcessJob({ id }, { body: { ...NEW, ...wrong } })).rejects.toMatchObject({
      extra: { errors: [{ pointer, detail: expect.any(String) }] },
    })
    expect(asked()).toEqual([])
  })

  test.each(['start', 'stop', 'pause', 'resume', 'abort', 'cancel'] as const)(
    'is told to %s',
    async (command) => {
      const { call, id, asked } = await answering({ S16F5: reply.one({}) })
      expect(await call.commandProcessJob({ id, job: 'PJ-1' }, { body: { command } })).toEqual({
        job_id: 'PJ-1',
        accepted: true,
        errors: [],
        ...RECORDED,
      })
      expect(asked()).toEqual([expect.stringContaining(`<A "PJ-1"> <A "${command.toUpperCase()}"> <L [0]>`)])
    },
  )

  test('is removed from the queue, and an entry that says there was no error is none', async () => {
    const { call, id, asked } = await answering({
      S16F17: L(L(A('PJ-1')), L(BOOLEAN(true), L(L(U4(0), A(''))))),
    })
    expect(await call.dequeueProcessJob({ id, job: 'PJ-1' })).toMatchObject({ accepted: true, errors: [] })
    expect(asked()).toEqual([expect.stringContaining('<A "PJ-1">')])
  })
})

describe('A process job only for a carrier that no other job has', () => {
  /** A job with its state, for the first slot of a carrier. */
  const jobOf = (id: string, state: number, carrier: string): Item =>
    object(id, row('PRJobState', U1(state)), row('PRMtlNameList', L(L(A(carrier), L(U1(1))))))
  const wanted = (job_id: string, carrier_id = 'FOUP7') => ({
    body: { job_id, recipe: 'R1', carriers: [{ carrier_id }], only_free_carriers: true },
  })

  test('is created for one of several callers at once, and the others are told who has it', async () => {
    const jobs: Item[] = []
    const { call, id, asked } = await answering({
      S14F1: () => objects(...jobs),
      S16F15: () => {
        jobs.push(jobOf('PJ-1', 0, 'FOUP7'))
        return reply.created('PJ-1')
      },
    })
    const results = await Promise.allSettled(
      ['PJ-1', 'PJ-2', 'PJ-3'].map((one) => call.createProcessJob({ id }, wanted(one))),
    )
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(results[1]).toMatchObject({
      reason: { code: 'carrier_in_job', message: expect.stringMatching(/FOUP7.*PJ-1.*QUEUED_POOLED/) },
    })
    expect(asked().filter((one) => one.startsWith('S16F15'))).toHaveLength(1)
    await call.createProcessJob({ id }, wanted('PJ-4', 'FOUP8'))
    // Who does not say so creates another one, as the standard allows.
    const { only_free_carriers: _, ...body } = wanted('PJ-5').body
    await call.createProcessJob({ id }, { body })
    expect(asked().filter((one) => one.startsWith('S16F15'))).toHaveLength(3)
  })

  test('is asked for by jobs of carriers alone', async () => {
    const { call, id, asked } = await answering({})
    const body = { job_id: 'PJ-1', recipe: 'R1', substrates: ['W1'], only_free_carriers: true }
    await expect(call.createProcessJob({ id }, { body })).rejects.toMatchObject({ code: 'invalid_message' })
    expect(asked()).toEqual([])
  })

  test.each([
    ['the other job is over', objects(jobOf('PJ-1', 4, 'FOUP7'), jobOf('PJ-2', 11, 'FOUP7'))],
    ['equipment does not tell its jobs', NO_SUCH_TYPE],
    ['what equipment tells cannot be understood', L(A('?'))],
  ])('is created where %s', async (_, S14F1) => {
    const { call, id } = await answering({ S14F1, S16F15: reply.created('PJ-9') })
    expect(await call.createProcessJob({ id }, wanted('PJ-9'))).toMatchObject({ accepted: true })
  })
})
