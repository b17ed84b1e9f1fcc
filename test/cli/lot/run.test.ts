import { describe, expect, test } from 'vitest'
import { settingsFor } from '../../gateway/gem300/mapped-tool.js'
import { TOOL_VARIANTS } from '../../simulator/gem300/tool-variants.js'
import type { CommandResult } from '../../support/command.js'
import { ToolSite } from '../../support/tool-site.js'
import { until } from '../../support/until.js'

const FULL = Array.from({ length: 25 }, () => 'CORRECTLY_OCCUPIED' as const)
const RECIPE = 'OXIDE-ETCH-01'

/** What a host without a mapping has to say to a tool with this setting. */
const SAID: Readonly<Record<string, readonly string[]>> = {
  'objspec: ControlJob': ['--specifier', 'ControlJob'],
  'job_creation: S16F11': ['--with', 'S16F11'],
  'release: host': ['--release-after', '100ms'],
}

interface Step {
  readonly step: string
  readonly text: string
  readonly message?: string
  readonly message_id?: string
  readonly command?: string
}

const stepsIn = ({ stdout }: CommandResult): readonly Step[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Step)

/** The steps that were sent, in their order. */
const sentIn = (result: CommandResult): readonly string[] =>
  stepsIn(result).flatMap(({ step, message, message_id }) =>
    message_id && message !== 'S6F11' ? [`${step} ${message}`] : [],
  )

const USUAL: Readonly<Record<string, string>> = {
  '--port': '1',
  '--recipe': RECIPE,
  '--job': 'PJ-1',
  '--control-job': 'CJ-1',
  '--interval': '200ms',
  '--step-timeout': '20s',
  '--timeout': '30s',
}

/** A lot on port 1, with these flags and the usual ones. */
const runLot = (site: ToolSite, ...more: readonly string[]): Promise<CommandResult> =>
  site.run(...argumentsOf(more))

const argumentsOf = (more: readonly string[]): readonly string[] => {
  const usual = Object.entries(USUAL).filter(([flag]) => !more.includes(flag))
  return ['run', 'etcher', ...usual.flat(), '--json', ...more]
}

/** A look asks for the objects of six types at most. */
const QUESTIONS_OF_TWO_LOOKS = 12

const ACCEPTED = ['accept_id S3F17', 'accept_slot_map S3F17']
const CREATED = ['create_job S16F15', 'create_control_job S14F9']

/** Runs the commands that remove what is left, in their order. */
async function clean(site: ToolSite, result: CommandResult): Promise<void> {
  for (const { command = '' } of stepsIn(result).filter(({ step }) => step === 'left')) {
    if (command === '') continue
    const { exitCode, stderr } = await site.run(...command.split(' ').slice(1))
    expect([command, exitCode, stderr]).toEqual([command, 0, expect.any(String)])
  }
}

/** The carrier may be taken, and nothing of the lot is at the tool any more once it is. */
async function expectClean({ tool }: ToolSite): Promise<void> {
  await until(() => tool.ports.port(1)?.transfer.state === 'READY_TO_UNLOAD')
  tool.unload(1)
  expect([[...tool.jobs.process.keys()], tool.jobs.control.map(({ id }) => id)]).toEqual([[], []])
}

/** The lot of all slots is over as it should be. */
function expectProcessed({ tool }: ToolSite): void {
  expect(tool.ports.port(1)?.transfer.state).toBe('READY_TO_UNLOAD')
  const processed = [...tool.cluster.substrates.values()].map(({ processing }) => processing.state)
  expect(processed).toEqual(FULL.map(() => 'PROCESSED'))
}

/** What a run sends to a tool with this setting. */
const sentTo = (variant: string): readonly string[] => [
  ...ACCEPTED,
  ...(variant === 'job_creation: S16F11' ? ['create_job S16F11', 'create_control_job S14F9'] : CREATED),
  ...(variant === 'start: manual' ? ['start_control_job S16F27', 'start_job S16F5'] : []),
  ...(variant === 'release: host' ? ['release S3F17'] : []),
]

describe.each(TOOL_VARIANTS)('%s', (variant) => {
  // Without a mapping nobody knows what its slots mean.
  test.skipIf(variant === 'slot_codes: present')(
    'a lot runs from its carrier on a port until it can be taken',
    async () => {
      const site = await ToolSite.open(variant)
      site.tool.load(1, 'FOUP7', FULL)
      const result = await runLot(site, '--slots', '1-25', ...(SAID[variant] ?? []))
      expect([result.exitCode, result.stderr]).toEqual([0, expect.any(String)])
      expect(sentIn(result)).toEqual(sentTo(variant))
      expect(stepsIn(result).at(-1)).toMatchObject({ step: 'end' })
      expectProcessed(site)
    },
  )

  test('with a mapping its events tell the states, and it is asked less', async () => {
    const site = await ToolSite.open(variant)
    await site.map(settingsFor([variant]))
    site.tool.load(1, 'FOUP7', FULL)
    const result = await runLot(site, '--slots', '1-25', '--release-after', '100ms', '--interval', '30s')
    expect([result.exitCode, result.stderr]).toEqual([0, expect.any(String)])
    expect(sentIn(result)).toEqual(sentTo(variant))
    const told = stepsIn(result).filter(({ message }) => message === 'S6F11')
    expect(told.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'slot map of FOUP7 is SLOT_MAP_VERIFICATION_OK',
        'PJ-1 is PROCESS_COMPLETE',
        'CJ-1 is COMPLETED',
        'FOUP7 is CARRIER_COMPLETE',
        'port 1 is READY_TO_UNLOAD',
      ]),
    )
    expectProcessed(site)
  })
})

describe('a tool that does not give its objects', () => {
  const NO_OBJECTS = new Map([['S14F1', 'There are no objects']])

  test.each(['events: transitions', 'events: generic'])(
    'runs a lot by what its events tell: %s',
    async (variant) => {
      const site = await ToolSite.open(variant)
      await site.map()
      site.simulator.faults.refuse = NO_OBJECTS
      const running = runLot(site, '--slots', '1-25')
      site.tool.load(1, 'FOUP7', FULL)
      const result = await running
      expect([result.exitCode, result.stderr]).toEqual([0, expect.any(String)])
      expect(sentIn(result)).toEqual([...ACCEPTED, ...CREATED])
      expectProcessed(site)
    },
  )

  test('is followed by nobody without a mapping, which the run says', async () => {
    const site = await ToolSite.open()
    site.simulator.faults.refuse = NO_OBJECTS
    const { exitCode, stderr } = await runLot(site)
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining('gem300 map etcher --propose')])
  })
})

describe('the carrier', () => {
  test.each([
    ['neither waits where it was announced with its slots', 'o'.repeat(25), []],
    ['the slot map alone waits where only its ID was announced', undefined, [ACCEPTED[1]]],
  ])('%s', async (_, slot_map, accepted) => {
    const site = await ToolSite.open()
    const body = { command: 'bind', carrier_id: 'FOUP7', port: 1, ...(slot_map && { slot_map }) }
    await site.client.post(`/equipment/${site.id}/carriers`, body)
    site.tool.load(1, 'FOUP7', FULL)
    const result = await runLot(site)
    expect([result.exitCode, sentIn(result)]).toEqual([0, [...accepted, ...CREATED]])
  })

  test('may come after the run has begun, and after its jobs', async () => {
    const site = await ToolSite.open()
    const running = runLot(site, '--carrier', 'FOUP7', '--jobs-first', '--slots', '3,1')
    await until(() => site.tool.jobs.control.length === 1)
    site.tool.load(1, 'FOUP7', FULL)
    const result = await running
    expect([result.exitCode, sentIn(result)]).toEqual([0, [...CREATED, ...ACCEPTED]])
    const processed = [...site.tool.cluster.substrates.values()].filter(
      ({ processing }) => processing.state === 'PROCESSED',
    )
    expect(processed.map(({ slot }) => slot).sort()).toEqual([1, 3])
  })

  test('that has another ID is not accepted, and not offered to be cancelled: it is somebody else’s', async () => {
    const site = await ToolSite.open()
    site.tool.load(1, 'FOUP7', FULL)
    const result = await runLot(site, '--carrier', 'FOUP8')
    expect([result.exitCode, result.stderr]).toEqual([
      5,
      expect.stringMatching(/FOUP7 is at port 1, and not FOUP8/),
    ])
    expect([sentIn(result), stepsIn(result).filter(({ step }) => step === 'left')]).toEqual([[], []])
    expect(stepsIn(result)).toContainEqual(
      expect.objectContaining({
        step: 'there',
        text: expect.stringMatching(/FOUP7 at port 1.*FOUP8 was meant/),
      }),
    )
    expect(result.stdout).not.toContain('carriers cancel')
  })

  test.each([
    ['has no substrate in a slot', ['--slots', '3'], { differ: 3 }, /slot 3 of FOUP7 is EMPTY/],
    ['has fewer slots', ['--slots', '25-27'], {}, /25 slots, and no slot 26/],
    ['has two substrates in one slot', ['--slots', '1'], { double: 4 }, /slot 4 of FOUP7 is DOUBLE_SLOTTED/],
    ['has another slot map', ['--slot-map', `${'o'.repeat(24)}.`], {}, /slot map of FOUP7 is o{25}, and not/],
  ])('that %s is not accepted', async (_, flags, faults, said) => {
    const site = await ToolSite.open()
    Object.assign(site.simulator.faults, faults)
    site.tool.load(1, 'FOUP7', FULL)
    const result = await runLot(site, ...flags)
    expect([result.exitCode, result.stderr]).toEqual([5, expect.stringMatching(said)])
    expect(sentIn(result)).not.toContain(ACCEPTED[1])
    await clean(site, result)
    await expectClean(site)
  })

  test('of equipment that is removed ends the run with the IDs of its jobs', async () => {
    const site = await ToolSite.open()
    const running = runLot(site, '--carrier', 'FOUP7', '--jobs-first')
    await until(() => site.tool.jobs.control.length === 1)
    const removed = await site.run('equipment', 'remove', 'etcher', '--yes')
    expect([removed.exitCode, removed.stderr]).toEqual([0, expect.any(String)])
    const result = await running
    expect(result.exitCode).not.toBe(0)
    expect(stepsIn(result)).toContainEqual(
      expect.objectContaining({ step: 'left', text: expect.stringMatching(/CJ-1.*PJ-1/) }),
    )
  })

  test('whose ID cannot be read is not named by the run, which says how a person does it', async () => {
    const site = await ToolSite.open()
    site.simulator.faults.unreadable = true
    site.tool.load(1, 'FOUP7', FULL)
    const late = await runLot(site, '--step-timeout', '2s')
    expect([late.exitCode, late.stderr]).toEqual([7, expect.stringContaining('carriers proceed etcher')])
    const running = runLot(site)
    await until(
      async () => (await site.run('carriers', 'proceed', 'etcher', 'FOUP7', '--port', '1')).exitCode === 0,
    )
    expect(sentIn(await running)).toEqual([ACCEPTED[1], ...CREATED])
  })

  test('that was never named is cancelled at its port', async () => {
    const site = await ToolSite.open()
    site.simulator.faults.unreadable = true
    site.tool.load(1, 'FOUP7', FULL)
    await clean(site, await runLot(site, '--step-timeout', '2s'))
    await expectClean(site)
  })
})

describe('a refusal', () => {
  const CASES: readonly (readonly [primary: string, sent: readonly string[], settings: readonly string[]])[] =
    [
      ['S3F17', [], []],
      ['S16F15', ACCEPTED, []],
      ['S14F9', [...ACCEPTED, 'create_job S16F15'], []],
      ['S16F27', [...ACCEPTED, ...CREATED], ['start: manual']],
      ['S16F5', [...ACCEPTED, ...CREATED, 'start_control_job S16F27'], ['start: manual']],
    ]
  test.each(CASES)('of %s ends the run, and what is left can be removed', async (primary, sent, settings) => {
    const site = await ToolSite.open(...settings)
    site.simulator.faults.refuse = new Map([[primary, 'The key is turned']])
    site.tool.load(1, 'FOUP7', FULL)
    const result = await runLot(site)
    expect([result.exitCode, result.stderr]).toEqual([8, expect.stringContaining('The key is turned')])
    expect(result.stderr).toContain(primary)
    const refused = sentIn(result).filter((one) => one.includes('_refused'))
    expect(refused).toHaveLength(1)
    expect(sentIn(result).slice(0, -1)).toEqual(sent)
    delete site.simulator.faults.refuse
    await clean(site, result)
    await expectClean(site)
  })

  test('by S9F5 ends the run at once, and it says how the job may be created', async () => {
    const site = await ToolSite.open('job_creation: S16F11')
    site.tool.load(1, 'FOUP7', FULL)
    const result = await runLot(site)
    expect(result.exitCode).toBe(8)
    expect(result.stderr).toMatch(/S9F5[\s\S]*--with S16F11/)
    expect(stepsIn(result).filter(({ step }) => step === 'away')).toEqual([])
    await clean(site, result)
    await expectClean(site)
  })

  test('of the release ends the run, too', async () => {
    const site = await ToolSite.open('release: host')
    site.tool.load(1, 'FOUP7', FULL)
    const running = runLot(site, '--release-after', '200ms')
    await until(() => site.tool.jobs.control.length === 1)
    site.simulator.faults.refuse = new Map([['S3F17', 'The door is stuck']])
    const result = await running
    expect([result.exitCode, result.stderr]).toEqual([8, expect.stringContaining('The door is stuck')])
    delete site.simulator.faults.refuse
    expect(stepsIn(result)).toContainEqual(
      expect.objectContaining({ step: 'left', command: 'secsctl carriers release etcher FOUP7 --port 1' }),
    )
    await clean(site, result)
    expect(site.tool.ports.port(1)?.transfer.state).toBe('READY_TO_UNLOAD')
  })

  test('--release never leaves the release to somebody else', async () => {
    const site = await ToolSite.open('release: host')
    site.tool.load(1, 'FOUP7', FULL)
    const result = await runLot(site, '--release', 'never', '--release-after', '100ms')
    expect([result.exitCode, sentIn(result)]).toEqual([0, [...ACCEPTED, ...CREATED]])
    expect(stepsIn(result)).toContainEqual(expect.objectContaining({ step: 'left' }))
  })
})

test('of two runs for one carrier one creates its job, and the other ends without touching the carrier', async () => {
  const site = await ToolSite.open()
  const flags = ['--carrier', 'FOUP7', '--jobs-first']
  const runs = [flags, [...flags, '--job', 'PJ-2', '--control-job', 'CJ-2']].map((all) =>
    runLot(site, ...all),
  )
  const other = await Promise.race(runs)
  expect([other.exitCode, other.stderr]).toEqual([
    5,
    expect.stringMatching(/FOUP7 is in process job PJ-[12]/),
  ])
  expect([sentIn(other), stepsIn(other).filter(({ step }) => step === 'left')]).toEqual([[], []])
  expect(site.tool.jobs.process.size).toBe(1)
  site.tool.load(1, 'FOUP7', FULL)
  const codes = (await Promise.all(runs)).map(({ exitCode }) => exitCode)
  expect(codes.sort()).toEqual([0, 5])
  expectProcessed(site)
})

describe('checks', () => {
  test.each([
    [['--port', '7'], 3, /no port 7: it has 1, 2/],
    [['--recipe', 'NONE'], 3, /no recipe NONE/],
    [['--job', 'P*'], 2, /--job has \*/],
    [['--carrier', 'F:1'], 2, /--carrier has :/],
    [['--slots', '1,1'], 2, /slot 1 is there twice/],
    [['--jobs-first'], 2, /--carrier/],
    [['--port', 'LP1'], 2, /LP1/],
    [['--interval', '1ms'], 2, /--interval/],
  ])('%j is refused before anything is sent', async (flags, code, said) => {
    const site = await ToolSite.open()
    site.tool.load(1, 'FOUP7', FULL)
    const { exitCode, stderr } = await runLot(site, ...flags)
    expect([exitCode, stderr]).toEqual([code, expect.stringMatching(said)])
    await until(() => site.tool.ports.carriers.get('FOUP7')?.idStatus.state === 'WAITING_FOR_HOST')
  })

  test('a port out of service, and jobs that are there already, are no place to begin', async () => {
    const site = await ToolSite.open()
    await site.run('ports', 'out-of-service', 'etcher', '1')
    const closed = await runLot(site)
    expect([closed.exitCode, closed.stderr]).toEqual([
      5,
      expect.stringContaining('ports in-service etcher 1'),
    ])
    await site.run('ports', 'in-service', 'etcher', '1')
    await site.run('jobs', 'create', 'etcher', 'PJ-1', '--recipe', RECIPE, '--carrier', 'FOUP7')
    const there = await runLot(site)
    expect([there.exitCode, there.stderr]).toEqual([5, expect.stringContaining('--resume')])
    expect(sentIn(there)).toEqual([])
  })
})

describe('what goes wrong on the way', () => {
  test('jobs that the equipment aborts end the run with 8, and the carrier can be taken', async () => {
    const site = await ToolSite.open()
    site.simulator.faults['break-off'] = 2
    site.tool.load(1, 'FOUP7', FULL)
    const result = await runLot(site)
    expect([result.exitCode, result.stderr]).toEqual([8, expect.stringContaining('PJ-1 is ABORTED')])
    // The tool's own words (S16F7).
    expect(result.stderr).toMatch(/Aborted by the equipment after \d+ substrates/)
    expect(stepsIn(result).filter(({ step }) => step === 'left')).toEqual([])
    expect(site.tool.ports.port(1)?.transfer.state).toBe('READY_TO_UNLOAD')
  })

  test('with a mapping that says where the tool tells what is wrong, the end has that, too', async () => {
    const site = await ToolSite.open('job_messages: S16F7')
    await site.map(settingsFor([]))
    site.simulator.faults['break-off'] = 2
    site.tool.load(1, 'FOUP7', FULL)
    const result = await runLot(site)
    expect(result.exitCode).toBe(8)
    expect(result.stderr).toMatch(/PJ-1 is ABORTED.*Aborted by the equipment after \d+ substrates/s)
  })

  test('a control job that somebody cancels leaves its process job, which is named', async () => {
    const site = await ToolSite.open()
    const running = runLot(site, '--carrier', 'FOUP7', '--jobs-first')
    // The run has looked at the tool with its jobs: what it never saw is not gone.
    let asked = 0
    site.simulator.log.on(({ stream, function: fn, direction }) => {
      const isLook = stream === 14 && fn === 1 && direction === 'received'
      if (isLook && site.tool.jobs.control.length === 1) asked += 1
    })
    await until(() => asked >= QUESTIONS_OF_TWO_LOOKS)
    await until(
      async () =>
        (await site.run('control-jobs', 'stop', 'etcher', 'CJ-1', '--jobs', 'keep', '--yes')).exitCode === 0,
    )
    site.tool.load(1, 'FOUP7', FULL)
    const result = await running
    expect([result.exitCode, result.stderr]).toEqual([8, expect.stringContaining('CJ-1 is gone')])
    await clean(site, result)
    expect(site.tool.jobs.process.size).toBe(0)
  })

  test.each([false, true])(
    'events that are lost, and a link that is cut, only take time (mapped: %s)',
    async (isMapped) => {
      const site = await ToolSite.open('process_time: 0.02')
      if (isMapped) await site.map()
      site.simulator.faults.lose = 100_000
      site.tool.load(1, 'FOUP7', FULL)
      const running = runLot(site)
      await until(() => site.tool.jobs.running !== undefined)
      site.simulator.drop()
      const result = await running
      expect([result.exitCode, sentIn(result)]).toEqual([0, [...ACCEPTED, ...CREATED]])
    },
  )

  test('a tool that is late, or does not reply for a while, only takes time', async () => {
    const site = await ToolSite.open('process_time: 0.1')
    for (const words of ['disconnect etcher', 'update etcher --timer t3=1s', 'connect etcher'])
      expect((await site.run('equipment', ...words.split(' '))).exitCode).toBe(0)
    site.simulator.faults.late = 100
    site.tool.load(1, 'FOUP7', FULL)
    const running = runLot(site)
    await until(() => site.tool.jobs.running !== undefined)
    site.simulator.faults.silent = true
    await until(() => site.tool.jobs.running === undefined)
    delete site.simulator.faults.silent
    const result = await running
    expect([result.exitCode, sentIn(result)]).toEqual([0, [...ACCEPTED, ...CREATED]])
    expect(stepsIn(result)).toContainEqual(expect.objectContaining({ step: 'away' }))
  })

  test('a gateway that cannot be reached for a while only takes time', async () => {
    const site = await ToolSite.open('process_time: 0.05', 'release: host')
    site.tool.load(1, 'FOUP7', FULL)
    const running = runLot(site, '--release-after', '100ms')
    await until(() => site.tool.jobs.running !== undefined)
    await site.awayDuring(async () => {
      await until(() => site.tool.jobs.running === undefined)
    })
    const result = await running
    expect([result.exitCode, sentIn(result)]).toEqual([0, [...ACCEPTED, ...CREATED, 'release S3F17']])
    expect(stepsIn(result)).toContainEqual(expect.objectContaining({ step: 'away' }))
  })

  test('a run that is interrupted leaves its jobs and lists them, and another goes on with them', async () => {
    const site = await ToolSite.open('process_time: 0.1')
    site.tool.load(1, 'FOUP7', FULL)
    const over = new AbortController()
    const running = site.runUntil(over.signal, ...argumentsOf([]))
    await until(() => site.tool.jobs.running !== undefined)
    over.abort()
    const result = await running
    expect(result.exitCode).toBe(130)
    const [left] = stepsIn(result).filter(({ step }) => step === 'left')
    expect(left?.command).toBe('secsctl control-jobs stop etcher CJ-1 --jobs remove --yes')
    expect(site.tool.jobs.process.get('PJ-1')?.isActive).toBe(true)
    const resumed = await runLot(site, '--resume')
    expect([resumed.exitCode, sentIn(resumed)]).toEqual([0, []])
  })

  test.each(['start: manual', 'process_time: 0.1'])(
    'of two runs of one lot at once (%s) the one that comes late removes nothing',
    async (variant) => {
      const site = await ToolSite.open(variant)
      site.tool.load(1, 'FOUP7', FULL)
      const runs = await Promise.all(['1', '2'].map(() => runLot(site, '--resume', ...(SAID[variant] ?? []))))
      expect(runs.map(({ exitCode }) => exitCode)).toContain(0)
      expectProcessed(site)
      for (const run of runs) {
        const steps = stepsIn(run)
        expect(
          steps.filter(({ command, text }) => command !== undefined || text.startsWith('secsctl run')),
        ).toEqual([])
        // Where it has ended late, nothing is there any more.
        for (const { text } of steps.filter(({ step }) => step === 'there'))
          expect(text).toMatch(/another run|somebody else has accepted it/)
      }
    },
  )
})
