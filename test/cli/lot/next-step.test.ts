import { describe, expect, test } from 'vitest'
import { leftBehind } from '../../../src/cli/lot/left-behind.js'
import { carrierAt, portNumbered } from '../../../src/cli/lot/look.js'
import type { Act, LotPlan, LotRecord, LotView } from '../../../src/cli/lot/lot-plan.js'
import { slotFault } from '../../../src/cli/lot/lot-slots.js'
import { nextStep } from '../../../src/cli/lot/next-step.js'
import type { Carrier } from '../../../src/contract/topics/gem300/carriers.js'
import type { LoadPort } from '../../../src/contract/topics/gem300/ports.js'

const PLAN: LotPlan = {
  equipment: 'etcher',
  port: 1,
  recipe: 'R1',
  slots: [],
  carrier: undefined,
  slotMap: undefined,
  contents: undefined,
  attributes: {},
  job: 'PJ-1',
  controlJob: 'CJ-1',
  jobsFirst: false,
  resumes: false,
  message: undefined,
  specifier: undefined,
  release: 'auto',
  releaseAfter: 1000,
}

const port = (transfer: string | null, more: Partial<LoadPort> = {}): LoadPort => ({
  port: '1',
  number: null,
  transfer,
  access_mode: null,
  reservation: null,
  association: null,
  attributes: [],
  ...more,
})
const slotsOf = (...states: string[]): Carrier['slots'] =>
  states.map((state, at) => ({ slot: at + 1, state, lot_id: '', substrate_id: '' }))
const carrier = (
  id_status: string | null,
  slot_map_status: string | null,
  accessing_status: string | null = 'NOT_ACCESSED',
): Carrier => ({
  carrier_id: 'FOUP7',
  location: 'LP1',
  id_status,
  slot_map_status,
  accessing_status,
  slots: slotsOf('CORRECTLY_OCCUPIED', 'EMPTY'),
  attributes: [],
})
const OK = carrier('ID_VERIFICATION_OK', 'SLOT_MAP_VERIFICATION_OK')
const BLOCKED = port('TRANSFER_BLOCKED')

interface Case {
  readonly plan?: Partial<LotPlan>
  readonly view: Partial<LotView>
  readonly record?: Partial<LotRecord>
  readonly now?: number
}

function step({ plan, view, record, now = 0 }: Case): string {
  const found = nextStep(
    { ...PLAN, ...plan },
    { port: BLOCKED, carrier: OK, job: undefined, controlJob: undefined, givesObjects: true, ...view },
    { done: new Set(), seenJob: false, seenControlJob: false, carrierDoneAt: undefined, ...record },
    now,
  )
  if (found.kind === 'act') return found.act
  return found.kind === 'wait' ? `wait ${found.name}` : `end ${found.failure ?? 'complete'}: ${found.text}`
}

const CREATED: Partial<LotRecord> = {
  done: new Set(['create_job', 'create_control_job']),
  seenJob: true,
  seenControlJob: true,
}
const DONE = carrier('ID_VERIFICATION_OK', 'SLOT_MAP_VERIFICATION_OK', 'CARRIER_COMPLETE')

test.each<readonly [Case, string]>([
  // The carrier.
  [{ view: { port: port('READY_TO_LOAD'), carrier: undefined } }, 'wait arrival'],
  [{ view: { port: null, carrier: undefined } }, 'wait arrival'],
  [{ view: { carrier: undefined } }, 'wait carrier_id'],
  [{ view: { carrier: carrier('ID_NOT_READ', null), port: port('READY_TO_LOAD') } }, 'wait arrival'],
  [{ view: { carrier: carrier('ID_NOT_READ', 'SLOT_MAP_NOT_READ') } }, 'wait ID_read'],
  [{ view: { carrier: carrier('unknown (7)', 'SLOT_MAP_NOT_READ') } }, 'wait ID_read'],
  [{ view: { carrier: carrier('WAITING_FOR_HOST', 'SLOT_MAP_NOT_READ') } }, 'accept_id'],
  // Accepted already: a state that is late must not have the slot map accepted in its place.
  [
    {
      view: { carrier: carrier('WAITING_FOR_HOST', 'SLOT_MAP_NOT_READ') },
      record: { done: new Set(['accept_id']) },
    },
    'wait ID_accepted',
  ],
  [{ view: { carrier: carrier('ID_VERIFICATION_OK', 'WAITING_FOR_HOST') } }, 'accept_slot_map'],
  [{ view: { carrier: carrier(null, 'WAITING_FOR_HOST') } }, 'accept_slot_map'],
  [{ view: { carrier: carrier('ID_VERIFICATION_OK', 'SLOT_MAP_NOT_READ') } }, 'wait SLOT_MAP_read'],
  [
    { view: { carrier: carrier('ID_VERIFICATION_FAILED', null) } },
    'end equipment: the ID of FOUP7 is ID_VERIFICATION_FAILED',
  ],
  [{ view: {}, plan: { carrier: 'FOUP8' } }, 'end state: FOUP7 is at port 1, and not FOUP8'],
  [{ view: {}, plan: { slots: [2] } }, 'end state: slot 2 of FOUP7 is EMPTY: its slots are o.'],
  [
    { view: { carrier: DONE } },
    'end state: FOUP7 at port 1 is CARRIER_COMPLETE: it cannot be processed any more',
  ],
  [{ view: { port: port('OUT_OF_SERVICE') } }, 'end state: port 1 is OUT_OF_SERVICE'],
  // Jobs.
  [{ view: {} }, 'create_job'],
  [{ view: { carrier: carrier(null, null) } }, 'create_job'],
  [{ view: { job: null, controlJob: null } }, 'create_job'],
  [
    { view: { job: 'QUEUED_POOLED' }, record: { done: new Set(['create_job']), seenJob: true } },
    'create_control_job',
  ],
  [{ view: { port: port('READY_TO_LOAD'), carrier: undefined }, plan: { jobsFirst: true } }, 'create_job'],
  [
    {
      view: { port: port('READY_TO_LOAD'), carrier: undefined, job: 'QUEUED_POOLED', controlJob: 'SELECTED' },
      plan: { jobsFirst: true },
      record: CREATED,
    },
    'wait arrival',
  ],
  [{ view: { job: 'QUEUED_POOLED', controlJob: 'WAITING_FOR_START' }, record: CREATED }, 'start_control_job'],
  [{ view: { job: 'WAITING_FOR_START', controlJob: 'EXECUTING' }, record: CREATED }, 'start_job'],
  [
    {
      view: { job: 'WAITING_FOR_START', controlJob: 'EXECUTING' },
      record: { ...CREATED, done: new Set(['start_job']) },
    },
    'wait processing',
  ],
  [{ view: { job: 'PAUSED', controlJob: 'EXECUTING' }, record: CREATED }, 'wait processing'],
  [{ view: { job: 'PROCESS_COMPLETE', controlJob: 'EXECUTING' }, record: CREATED }, 'wait processing'],
  [
    { view: { job: 'QUEUED_POOLED', controlJob: undefined }, record: CREATED },
    'end equipment: CJ-1 is gone, and PJ-1 is still QUEUED_POOLED',
  ],
  // Created, and not told yet.
  [
    {
      view: { job: undefined, controlJob: undefined },
      record: { done: new Set(['create_job', 'create_control_job']) },
    },
    'wait processing',
  ],
  // The end.
  [
    {
      view: { job: 'PROCESS_COMPLETE', controlJob: 'COMPLETED', carrier: carrier(null, null, 'IN_ACCESS') },
      record: CREATED,
    },
    'wait carrier_complete',
  ],
  [
    {
      view: {
        job: 'PROCESS_COMPLETE',
        controlJob: 'COMPLETED',
        carrier: DONE,
        port: port('READY_TO_UNLOAD'),
      },
      record: CREATED,
    },
    'end complete: FOUP7 is ready to be taken from port 1',
  ],
  [
    {
      view: { job: undefined, controlJob: undefined, carrier: DONE, port: port('READY_TO_UNLOAD') },
      record: CREATED,
    },
    'end complete: FOUP7 is ready to be taken from port 1',
  ],
  // It came and went between two looks.
  [
    {
      view: { carrier: DONE, port: port('READY_TO_UNLOAD') },
      record: { done: new Set(['create_job', 'create_control_job']) },
    },
    'end complete: FOUP7 is ready to be taken from port 1',
  ],
  [
    {
      view: { job: undefined, controlJob: undefined, carrier: undefined, port: port('READY_TO_LOAD') },
      record: CREATED,
    },
    'end equipment: how PJ-1 ended is not known; the carrier is not at port 1 any more',
  ],
  [
    { view: { job: 'ABORTED', controlJob: 'COMPLETED', carrier: OK }, record: CREATED },
    'end equipment: PJ-1 is ABORTED; FOUP7 was not accessed',
  ],
  [
    {
      view: { job: 'PROCESS_COMPLETE', controlJob: 'COMPLETED', carrier: DONE },
      record: { ...CREATED, carrierDoneAt: 0 },
      now: 999,
    },
    'wait ready_to_unload',
  ],
  [
    {
      view: { job: 'PROCESS_COMPLETE', controlJob: 'COMPLETED', carrier: DONE },
      record: { ...CREATED, carrierDoneAt: 0 },
      now: 1000,
    },
    'release',
  ],
  [
    {
      view: { job: 'PROCESS_COMPLETE', controlJob: 'COMPLETED', carrier: DONE },
      record: { ...CREATED, done: new Set(['release']), carrierDoneAt: 0 },
      now: 1000,
    },
    'wait released',
  ],
  [
    {
      view: { job: 'PROCESS_COMPLETE', controlJob: 'COMPLETED', carrier: DONE },
      plan: { release: 'never' },
      record: { ...CREATED, carrierDoneAt: 0 },
      now: 1000,
    },
    'end complete: FOUP7 waits for its release',
  ],
  // A tool that has no ports, and one that does not tell the states of process jobs.
  [
    { view: { port: null, job: 'PROCESS_COMPLETE', controlJob: null, carrier: DONE }, record: CREATED },
    'end complete: FOUP7 is CARRIER_COMPLETE',
  ],
  [{ view: { job: null, controlJob: 'EXECUTING' }, record: CREATED }, 'wait processing'],
  [
    {
      view: { job: null, controlJob: 'COMPLETED', carrier: DONE, port: port('READY_TO_UNLOAD') },
      record: CREATED,
    },
    'end complete: FOUP7 is ready to be taken from port 1',
  ],
])('%j is %s', (given, expected) => {
  expect(step(given)).toBe(expected)
})

describe('what is left', () => {
  const left = (view: Partial<LotView>) =>
    leftBehind(
      PLAN,
      {
        port: BLOCKED,
        carrier: undefined,
        job: undefined,
        controlJob: undefined,
        givesObjects: true,
        ...view,
      },
      { done: new Set(['accept_id', 'create_job']), hasSent: true, refused: undefined },
    ).map(({ command = 'nothing' }) => command.replace('secsctl ', ''))
  const CANCEL = 'carriers cancel etcher FOUP7 --port 1 --yes'

  test.each<readonly [Partial<LotView>, readonly string[]]>([
    [{ port: port('READY_TO_LOAD') }, []],
    [{}, ['carriers cancel etcher --port 1 --yes']],
    [{ carrier: OK }, [CANCEL]],
    [{ carrier: OK, job: 'QUEUED_POOLED' }, ['jobs cancel etcher PJ-1 --yes', CANCEL]],
    [
      { carrier: OK, job: 'QUEUED_POOLED', controlJob: 'QUEUED' },
      ['control-jobs cancel etcher CJ-1 --jobs remove --yes', CANCEL],
    ],
    [
      { carrier: OK, job: 'WAITING_FOR_START', controlJob: 'EXECUTING' },
      ['control-jobs stop etcher CJ-1 --jobs remove --yes', CANCEL],
    ],
    [{ carrier: OK, job: 'PROCESSING' }, ['jobs stop etcher PJ-1 --yes', CANCEL]],
    [{ carrier: DONE, job: 'ABORTED', controlJob: 'COMPLETED' }, ['carriers release etcher FOUP7 --port 1']],
    [{ carrier: carrier(null, null, 'IN_ACCESS') }, ['nothing']],
    [{ carrier: DONE, port: port('READY_TO_UNLOAD') }, []],
  ])('%j has %j', (view, commands) => {
    expect(left(view)).toEqual(commands)
  })
})

test.each<readonly [string[], number[], boolean]>([
  [['UNDEFINED', 'EMPTY'], [2], true],
  [['EMPTY', 'EMPTY'], [], true],
  [['UNDEFINED', 'UNDEFINED'], [1], false],
  [['EMPTY', 'CORRECTLY_OCCUPIED'], [1], false],
])(
  'where slots are %j and slots %j are wanted, 0 and 1 may mean empty and occupied: %s',
  (states, slots, may) => {
    const fault = slotFault({ ...PLAN, slots }, { ...OK, slots: slotsOf(...states) })
    expect(fault).toBeDefined()
    expect(fault?.includes('slots: present')).toBe(may)
  },
)

describe('what somebody else has put there', () => {
  const view = { port: BLOCKED, carrier: OK, job: 'QUEUED_POOLED', controlJob: 'QUEUED', givesObjects: true }
  const commands = (plan: Partial<LotPlan>, done: LotRecord['done'] = new Set(), refused?: Act) =>
    leftBehind({ ...PLAN, ...plan }, view, { done, hasSent: done.size > 0, refused }).map(
      ({ what, command, ofOthers }) => [what, command === undefined, ofOthers !== undefined] as const,
    )

  test('has no command that removes it: a carrier that a job of somebody else has', () => {
    const alone = { ...view, job: undefined, controlJob: undefined }
    const made = { done: new Set<Act>(), hasSent: true, refused: undefined }
    const commandsIf = (isTaken: boolean) =>
      leftBehind({ ...PLAN, carrier: 'FOUP7' }, alone, { ...made, isTaken }).map(({ command }) => command)
    expect([commandsIf(false), commandsIf(true)]).toEqual([
      [expect.stringContaining('carriers cancel')],
      [undefined],
    ])
  })

  test('has no command that removes it: jobs that the run has not made, and a carrier that it has sent nothing for', () => {
    const [job, carrierThere] = ['control job CJ-1 with process job PJ-1', 'carrier FOUP7 at port 1']
    expect(commands({})).toEqual([
      [job, true, true],
      [carrierThere, true, true],
    ])
    expect(commands({ carrier: 'FOUP8' }, new Set(['create_job']))).toEqual([
      [job, false, false],
      [carrierThere, true, true],
    ])
    expect(commands({ carrier: 'FOUP7' })).toEqual([
      [job, true, true],
      [carrierThere, false, false],
    ])
    expect(commands({ resumes: true })).toEqual([
      [job, false, false],
      [carrierThere, false, false],
    ])
    // Its slot map is accepted although the equipment has refused that to this run.
    expect(commands({}, new Set(['accept_id']), 'accept_slot_map').at(-1)).toEqual([carrierThere, true, true])
    expect(commands({}, new Set(['accept_id']), 'start_job').at(-1)).toEqual([carrierThere, false, false])
  })

  test.each<readonly [Act, Partial<LotView>]>([
    ['accept_id', {}],
    ['accept_slot_map', {}],
    ['create_job', {}],
    ['create_control_job', {}],
    ['start_job', { job: 'PROCESSING' }],
    ['start_control_job', { job: 'SETTING_UP', controlJob: 'EXECUTING' }],
  ])('is a lot that another run drives, where %s was refused and is done all the same', (refused, more) => {
    const made = { done: new Set<Act>(), hasSent: true, refused }
    const left = leftBehind({ ...PLAN, resumes: true }, { ...view, ...more }, made)
    expect(left.map(({ command, ofOthers }) => [command, ofOthers === undefined])).toEqual([
      [undefined, false],
      [undefined, false],
    ])
  })

  test('is a lot that another run drives, where its job has the carrier', () => {
    const made = { done: new Set<Act>(), hasSent: true, refused: undefined, isTaken: true }
    expect(leftBehind({ ...PLAN, resumes: true }, view, made).map(({ command }) => command)).toEqual([
      undefined,
      undefined,
    ])
  })

  test.each<readonly [Act, Partial<LotView>]>([
    ['create_job', { job: undefined, controlJob: undefined }],
    ['create_control_job', { controlJob: undefined }],
    ['start_job', { job: 'WAITING_FOR_START', controlJob: 'EXECUTING' }],
    ['start_control_job', { controlJob: 'WAITING_FOR_START' }],
  ])('is nothing where %s was refused and is not done: all may be removed', (refused, more) => {
    const made = { done: new Set<Act>(), hasSent: true, refused }
    const left = leftBehind({ ...PLAN, resumes: true }, { ...view, ...more }, made)
    expect(left.every(({ command }) => command !== undefined)).toBe(true)
  })
})

describe('the port and its carrier', () => {
  test('a port has its number at the end of its name', () => {
    const ports = ['LP2', 'Port 01'].map((name) => port(null, { port: name }))
    expect(portNumbered(ports, 1)?.port).toBe('Port 01')
    expect(portNumbered(ports, 3)).toBeUndefined()
  })

  test('a carrier is the one that the port names, then the one that is there', () => {
    const [here, other] = [OK, { ...OK, carrier_id: 'FOUP8', location: 'LP2' }]
    const named = port(null, { attributes: [{ name: 'CarrierID', value: { A: 'FOUP8' }, text: 'FOUP8' }] })
    expect(carrierAt(PLAN, named, [here, other])).toBe(other)
    expect(carrierAt(PLAN, port(null), [other, here])).toBe(here)
    expect(carrierAt(PLAN, null, [other])).toBeUndefined()
    const nowhere = { ...OK, location: null }
    expect(carrierAt(PLAN, null, [nowhere])).toBeUndefined()
    expect(carrierAt({ port: 1, carrier: 'FOUP7' }, null, [nowhere])).toBe(nowhere)
  })
})
