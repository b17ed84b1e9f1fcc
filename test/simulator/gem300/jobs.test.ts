import { beforeEach, describe, expect, test } from 'vitest'
import { A, B, type Item, L, U1 } from '../../../src/secs2/item.js'
import { textOf } from '../../../src/simulator/gem300/item-values.js'
import type { ToolSettings } from '../../../src/simulator/gem300/tool-settings.js'
import { TestTool } from './test-tool.js'
import { toolModel } from './tool-variants.js'

const TIMES = ['load_time: 1', 'set_up_time: 1', 'move_time: 1', 'process_time: 10'] as const
const SECOND = 1000
const SIX = Array.from({ length: 25 }, (_, at) =>
  at < 6 ? ('CORRECTLY_OCCUPIED' as const) : ('EMPTY' as const),
)

let one: TestTool

/** FOUP7 on port 1 with six substrates, accepted. */
async function accepted(...settings: readonly string[]): Promise<void> {
  one = new TestTool(toolModel(...TIMES, ...settings).tool as ToolSettings)
  one.tool.load(1, 'FOUP7', SIX)
  one.pass()
  await one.host.carrier('ProceedWithCarrier', 'FOUP7', 1)
  one.pass()
  await one.host.carrier('ProceedWithCarrier', 'FOUP7', 1)
  one.happened()
}

const state = (id: string) => one.tool.jobs.process.get(id)?.state
const control = (id: string) => one.tool.jobs.control.find((job) => job.id === id)
const processed = () => [...one.tool.cluster.substrates.values()].map(({ processing }) => processing.state)
const count = (wanted: string): number => processed().filter((one) => one === wanted).length
const refused = (ERRCODE: number) => ({ ACKA: false, ERRORS: [expect.objectContaining({ ERRCODE })] })
const DONE = { ACKA: true, ERRORS: [] }

/** PJ1 of all substrates, in CJ1, while the first ones are in the tool. */
async function running(): Promise<void> {
  await one.host.createJob('PJ1', 'FOUP7')
  await one.host.createControlJob('CJ1', ['FOUP7'], ['PJ1'])
  one.pass(8 * SECOND)
  expect(one.tool.cluster.places.some(({ occupant }) => occupant)).toBe(true)
  one.happened()
}

beforeEach(() => accepted())

describe('a process job', () => {
  test('processes the slots that it names and no others, in their order', async () => {
    await one.host.createJob('PJ1', 'FOUP7', [4, 2])
    await one.host.createControlJob('CJ1', ['FOUP7'], ['PJ1'])
    one.pass()
    const began = one.happened().filter((event) => event.startsWith('substrate_processing 11'))
    expect(began).toEqual(['substrate_processing 11 FOUP7.04', 'substrate_processing 11 FOUP7.02'])
    expect(state('PJ1')).toBe('PROCESS_COMPLETE')
  })

  test('uses both chambers at a time', async () => {
    await running()
    expect(count('IN_PROCESS')).toBe(2)
  })

  test('that is paused takes no more, and goes on where it was', async () => {
    await running()
    expect(await one.host.command('PJ1', 'PAUSE')).toEqual(DONE)
    expect(state('PJ1')).toBe('PAUSING')
    one.pass()
    expect(state('PJ1')).toBe('PAUSED')
    const before = count('PROCESSED')
    expect(before).toBeLessThan(6)
    expect(one.tool.trackers.get('TOOL')?.machine.state).toBe('BLOCKED')
    expect(await one.host.command('PJ1', 'RESUME')).toEqual(DONE)
    one.pass()
    expect([state('PJ1'), count('PROCESSED')]).toEqual(['PROCESS_COMPLETE', 6])
  })

  test('that is stopped finishes what is in a chamber, and leaves the rest as it is', async () => {
    await running()
    expect(await one.host.command('PJ1', 'STOP')).toEqual(DONE)
    one.pass()
    expect(state('PJ1')).toBe('STOPPED')
    expect(count('PROCESSED')).toBeGreaterThan(0)
    expect(count('NEEDS_PROCESSING')).toBeGreaterThan(0)
    expect(one.tool.ports.carriers.get('FOUP7')?.accessing.state).toBe('CARRIER_STOPPED')
  })

  test('that is aborted ends at once what is in a chamber', async () => {
    await running()
    expect(await one.host.command('PJ1', 'ABORT')).toEqual(DONE)
    expect(count('ABORTED')).toBe(2)
    one.pass()
    expect([state('PJ1'), count('PROCESSED'), control('CJ1')?.state]).toEqual(['ABORTED', 0, 'COMPLETED'])
  })

  test('that the operator pauses and aborts', async () => {
    await running()
    one.tool.operate('pause')
    one.pass()
    one.tool.operate('abort')
    expect(state('PJ1')).toBe('ABORTED')
  })

  test('may come before its carrier, which then runs without a further word', async () => {
    await one.host.createJob('PJ1', 'LATE')
    await one.host.createControlJob('CJ1', [], ['PJ1'])
    one.pass()
    expect([state('PJ1'), control('CJ1')?.state]).toEqual(['QUEUED_POOLED', 'SELECTED'])
    await one.host.carrier('Bind', 'LATE', 2)
    one.tool.load(2, 'LATE', SIX)
    one.pass()
    await one.host.carrier('ProceedWithCarrier', 'LATE', 2)
    one.pass()
    expect(state('PJ1')).toBe('PROCESS_COMPLETE')
  })

  test('before its carrier that names an empty slot is aborted with the reason', async () => {
    await one.host.createJob('PJ1', 'LATE', [1, 25])
    await one.host.createControlJob('CJ1', [], ['PJ1'])
    one.tool.load(2, 'LATE', SIX)
    one.pass()
    await one.host.carrier('ProceedWithCarrier', 'LATE', 2)
    one.pass()
    await one.host.carrier('ProceedWithCarrier', 'LATE', 2)
    one.pass()
    expect(one.tool.jobs.process.get('PJ1')).toMatchObject({
      state: 'ABORTED',
      trouble: expect.stringContaining('25'),
    })
  })

  test('commands that its state does not allow are refused, and change nothing', async () => {
    await one.host.createJob('PJ1', 'FOUP7')
    one.happened()
    expect(await one.host.command('PJ1', 'START')).toEqual(refused(17))
    expect(await one.host.command('PJ1', 'RESUME')).toEqual(refused(17))
    expect(await one.host.command('PJ1', 'DANCE')).toEqual(refused(14))
    expect(await one.host.command('PJ9', 'ABORT')).toEqual(refused(3))
    expect(one.happened()).toEqual([])
    expect(await one.host.command('PJ1', 'CANCEL')).toEqual(DONE)
    expect(state('PJ1')).toBeUndefined()
  })
})

describe('the queue', () => {
  test('takes eight jobs, and says how many more it takes', async () => {
    for (let nth = 1; nth <= 8; nth++) expect(await one.host.createJob(`PJ${nth}`, 'FOUP7')).toEqual(DONE)
    expect(await one.host.createJob('PJ9', 'FOUP7')).toEqual(refused(15))
    expect(await one.host.space()).toBe(0)
    const dequeued = await one.host.ask('S16F17', 'S16F18', ['PJ1', 'PJ2', 'PJ77'])
    expect(dequeued).toEqual({ PRJOBID: ['PJ1', 'PJ2'], RESULT: refused(3) })
    expect(await one.host.space()).toBe(2)
    expect((await one.host.ask('S16F17', 'S16F18', [])).PRJOBID).toHaveLength(6)
  })

  test.each([
    [
      'a recipe that is not there',
      { RECIPE: { PRRECIPEMETHOD: 'RECIPE_ONLY', RCPSPEC: 'X', PARAMS: [] } },
      21,
    ],
    ['no material', { MATERIAL: [] }, 12],
    ['an empty slot', { MATERIAL: [{ CARRIERID: 'FOUP7', SLOTID: [9] }] }, 7],
    ['a slot twice', { MATERIAL: [{ CARRIERID: 'FOUP7', SLOTID: [1, 1] }] }, 7],
    ['a substrate that is not there', { MATERIAL: [{ MID: 'W9' }] }, 3],
    ['an ID that is none', { PRJOBID: 'P:1' }, 7],
    ['an ID in use', { PRJOBID: 'PJ0' }, 11],
  ] as const)('refuses a job with %s', async (_, change, code) => {
    await one.host.createJob('PJ0', 'FOUP7')
    const job = {
      DATAID: 1,
      PRJOBID: 'PJ1',
      MF: 'CARRIER' as const,
      MATERIAL: [{ CARRIERID: 'FOUP7', SLOTID: [] }],
      RECIPE: { PRRECIPEMETHOD: 'RECIPE_ONLY' as const, RCPSPEC: 'OXIDE-ETCH-01', PARAMS: [] },
      PRPROCESSSTART: true,
      PRPAUSEEVENTID: [],
      ...change,
    }
    expect((await one.host.ask('S16F11', 'S16F12', job)).RESULT).toEqual(refused(code))
    expect(one.tool.jobs.process.size).toBe(1)
  })
})

describe('a control job', () => {
  test('runs its process jobs one after the other, in its order', async () => {
    await one.host.createJob('PJ1', 'FOUP7', [1])
    await one.host.createJob('PJ2', 'FOUP7', [2])
    await one.host.createControlJob('CJ1', ['FOUP7'], ['PJ2', 'PJ1'])
    one.pass()
    const ends = one
      .happened()
      .filter((event) => /^(process_job [26]|control_job 10|carrier_accessing 19)/.test(event))
    expect(ends).toEqual([
      'process_job 2 PJ2',
      'process_job 6 PJ2',
      'process_job 2 PJ1',
      'process_job 6 PJ1',
      'control_job 10 CJ1',
      'carrier_accessing 19 FOUP7',
    ])
  })

  test.each([
    ['SAVE_JOBS', ['ABORTED', 'QUEUED_POOLED']],
    ['REMOVE_JOBS', ['ABORTED', undefined]],
  ] as const)('that is aborted with %s', async (action, states) => {
    await one.host.createJob('PJ1', 'FOUP7', [1, 2, 3])
    await one.host.createJob('PJ2', 'FOUP7', [4])
    await one.host.createControlJob('CJ1', ['FOUP7'], ['PJ1', 'PJ2'])
    one.pass(8 * SECOND)
    expect(await one.host.control('CJ1', 'CJABORT', action)).toEqual(DONE)
    one.pass()
    expect([state('PJ1'), state('PJ2')]).toEqual(states)
    expect(one.happened()).toContain('control_job 12 CJ1')
  })

  test('pauses, resumes, and lets another one go first', async () => {
    await running()
    expect(await one.host.control('CJ1', 'CJPAUSE')).toEqual(DONE)
    one.pass()
    const before = count('PROCESSED')
    one.pass()
    expect(before).toBeLessThan(6)
    expect([count('PROCESSED'), control('CJ1')?.state]).toEqual([before, 'PAUSED'])
    for (const nth of [2, 3]) {
      await one.host.createJob(`PJ${nth}`, 'LATE')
      await one.host.createControlJob(`CJ${nth}`, [], [`PJ${nth}`])
    }
    expect(await one.host.control('CJ3', 'CJHOQ')).toEqual(DONE)
    expect(await one.host.control('CJ1', 'CJRESUME')).toEqual(DONE)
    one.pass()
    expect([state('PJ1'), control('CJ3')?.state, control('CJ2')?.state]).toEqual([
      'PROCESS_COMPLETE',
      'SELECTED',
      'QUEUED',
    ])
    expect(await one.host.control('CJ2', 'CJCANCEL', 'REMOVE_JOBS')).toEqual(DONE)
    expect([control('CJ2'), state('PJ2')]).toEqual([undefined, undefined])
    expect(await one.host.control('CJ2', 'CJSTART')).toEqual(refused(3))
    expect(await one.host.control('CJ3', 'CJSTART')).toEqual(refused(17))
  })

  test.each([
    ['a process job that is not there', ['PJ9'], 3],
    ['a process job twice', ['PJ1', 'PJ1'], 17],
    ['no process job', [], 12],
  ] as const)('is refused with %s', async (_, jobs, ERRCODE) => {
    await one.host.createJob('PJ1', 'FOUP7')
    const result = await one.host.createControlJob('CJ1', ['FOUP7'], jobs)
    expect(result).toMatchObject({ OBJACK: 'ERROR', ERRORS: [{ ERRCODE }] })
    expect(one.tool.jobs.control).toEqual([])
  })

  test('is deleted when it is over, and not before', async () => {
    await running()
    const ask = (OBJSPEC: string) => one.host.ask('S14F11', 'S14F12', { OBJSPEC, ATTRIBUTES: [] })
    expect((await ask('ControlJob:CJ1')).RESULT).toMatchObject({ OBJACK: 'ERROR', ERRORS: [{ ERRCODE: 17 }] })
    one.pass()
    expect((await ask('ControlJob:CJ1')).RESULT).toEqual({ OBJACK: 'DONE', ERRORS: [] })
    expect((await ask('CJ1')).RESULT).toMatchObject({ ERRORS: [{ ERRCODE: 3 }] })
    expect((await ask('PJ1')).RESULT).toEqual({ OBJACK: 'DONE', ERRORS: [] })
  })
})

describe('objects', () => {
  const filtered = async (
    OBJTYPE: string,
    ATTRID: string,
    ATTRRELN: 'EQUAL' | 'NOT_EQUAL' | 'GREATER' | 'LESS' | 'PRESENT' | 'ABSENT',
    ATTRDATA: Item,
  ) =>
    (
      await one.host.ask('S14F1', 'S14F2', {
        OBJSPEC: '',
        OBJTYPE,
        OBJID: [],
        FILTERS: [{ ATTRID, ATTRDATA, ATTRRELN }],
        ATTRID: ['ObjID'],
      })
    ).OBJECTS.length

  test('are found by filters', async () => {
    await running()
    one.pass(20 * SECOND)
    const done = count('PROCESSED')
    expect(done).toBeGreaterThan(0)
    expect(await filtered('substrate', 'SubstProcState', 'EQUAL', U1(2))).toBe(done)
    expect(await filtered('substrate', 'substprocstate', 'NOT_EQUAL', U1(2))).toBe(6 - done)
  })

  test('are found where the value of the filter is less than that of the object, and not the other way round', async () => {
    await one.host.createJob('PJ1', 'FOUP7')
    const capacity = (relation: 'LESS' | 'GREATER', value: number) =>
      filtered('Carrier', 'Capacity', relation, U1(value))
    expect([await capacity('LESS', 3), await capacity('GREATER', 3)]).toEqual([1, 0])
    expect([await capacity('LESS', 30), await capacity('GREATER', 30)]).toEqual([0, 1])
  })

  test('are found by a value that is among those of a list, or is not', async () => {
    await running()
    const carriers = (relation: 'PRESENT' | 'ABSENT', id: string) =>
      filtered('ControlJob', 'CarrierInputSpec', relation, A(id))
    expect([await carriers('PRESENT', 'FOUP7'), await carriers('ABSENT', 'FOUP7')]).toEqual([1, 0])
    expect([await carriers('PRESENT', 'FOUP8'), await carriers('ABSENT', 'FOUP8')]).toEqual([0, 1])
  })

  test('have their attributes by name in any case; one that is unknown is named', async () => {
    await running()
    const { OBJECTS, RESULT } = await one.host.get('controljob', ['CJ1'], ['STATE', 'currentprjob', 'Colour'])
    expect(OBJECTS[0]?.ATTRIBUTES.map(({ ATTRDATA }) => textOf(ATTRDATA))).toEqual(['3', 'PJ1', ''])
    expect(RESULT).toEqual({
      OBJACK: 'ERROR',
      ERRORS: [{ ERRCODE: 4, ERRTEXT: 'Attribute Colour not found' }],
    })
    const all = (await one.host.get('ProcessJob', ['PJ1'])).OBJECTS[0]?.ATTRIBUTES.map(({ ATTRID }) => ATTRID)
    expect(all).toEqual(
      expect.arrayContaining(['ObjType', 'PRJobState', 'PRMtlNameList', 'RecID', 'PRProcessStart']),
    )
  })

  test('take what may be set, and nothing where one attribute may not', async () => {
    const set = (ATTRID: string) =>
      one.host.ask('S14F3', 'S14F4', {
        OBJSPEC: '',
        OBJTYPE: 'Substrate',
        OBJID: ['FOUP7.01'],
        ATTRIBUTES: [
          { ATTRID: 'LotID', ATTRDATA: A('LOT') },
          { ATTRID, ATTRDATA: A('LOT') },
        ],
      })
    expect((await set('SubstState')).RESULT).toMatchObject({ OBJACK: 'ERROR', ERRORS: [{ ERRCODE: 5 }] })
    expect(one.tool.cluster.substrates.get('FOUP7.01')?.lotId).toBe('')
    expect((await set('lotid')).RESULT).toEqual({ OBJACK: 'DONE', ERRORS: [] })
    expect(one.tool.cluster.substrates.get('FOUP7.01')?.lotId).toBe('LOT')
  })

  test('tell their types and attributes', async () => {
    const { OBJTYPE } = await one.host.ask('S14F5', 'S14F6', '')
    expect(OBJTYPE).toEqual(['Carrier', 'LoadPort', 'ProcessJob', 'ControlJob', 'Substrate', 'SubstLoc'])
    const { TYPES } = await one.host.ask('S14F7', 'S14F8', { OBJSPEC: '', OBJTYPE: ['LoadPort'] })
    expect(TYPES[0]?.ATTRID).toContain('PortTransferState')
  })
})

describe('faults', () => {
  test('refuse: the host gets the text, and nothing happens', async () => {
    one.faults.refuse = new Map([['S16F15', 'Recipe is locked']])
    expect(await one.host.createJob('PJ1', 'FOUP7')).toEqual({
      ACKA: false,
      ERRORS: [{ ERRCODE: 64, ERRTEXT: 'Recipe is locked' }],
    })
    expect(one.tool.jobs.process.size).toBe(0)
  })

  test('break-off: the job aborts in the middle, and says so', async () => {
    one.faults['break-off'] = 2
    await one.host.createJob('PJ1', 'FOUP7')
    await one.host.createControlJob('CJ1', ['FOUP7'], ['PJ1'])
    one.pass()
    expect(state('PJ1')).toBe('ABORTED')
    expect(count('PROCESSED')).toBeGreaterThanOrEqual(2)
    expect(count('NEEDS_PROCESSING')).toBeGreaterThan(0)
    expect([...one.tool.cluster.substrates.values()].every(({ place }) => !place)).toBe(true)
  })
})

test('a body that cannot be read gets no reply but a fault', async () => {
  const rule = Reflect.get(one, 'replies') as ReadonlyMap<string, (item: unknown) => unknown>
  expect(rule.get('S16F5')?.(B(1))).toBeUndefined()
  expect(rule.get('S3F17')?.(L(A('x')))).toBeUndefined()
})
