import { describe, expect, test } from 'vitest'
import { carrierEndpoints } from '../../src/contract/topics/gem300/carriers.js'
import { controlJobEndpoints } from '../../src/contract/topics/gem300/control-jobs.js'
import { objectEndpoints } from '../../src/contract/topics/gem300/objects.js'
import { portEndpoints } from '../../src/contract/topics/gem300/ports.js'
import { processJobEndpoints } from '../../src/contract/topics/gem300/process-jobs.js'
import { TOOL_VARIANTS } from '../simulator/gem300/tool-variants.js'
import type { PlainBody } from '../support/plain-client.js'
import { ToolSite } from '../support/tool-site.js'
import { until } from '../support/until.js'

/** What a host without a mapping has to say to a tool with this setting. */
const SAID: Readonly<Record<string, { readonly job?: object; readonly control?: object }>> = {
  'objspec: ControlJob': { control: { specifier: 'ControlJob' } },
  'job_creation: S16F11': { job: { message: 'S16F11' } },
}

const ENDPOINTS = {
  ...portEndpoints,
  ...carrierEndpoints,
  ...processJobEndpoints,
  ...controlJobEndpoints,
  ...objectEndpoints,
}
type Name = keyof typeof ENDPOINTS

/** Calls of the endpoints about the tool, by their names. */
class Calls {
  readonly made = new Set<Name>()

  private constructor(readonly site: ToolSite) {}

  static async open(...settings: readonly string[]): Promise<Calls> {
    return new Calls(await ToolSite.open(...settings))
  }

  /** The status and the body of the response. */
  async full(name: Name, { params = {}, query = '', body }: Given = {}): Promise<[number, PlainBody]> {
    this.made.add(name)
    const { method, path } = ENDPOINTS[name]
    const filled = path.replace(/\{(\w+)\}/g, (_, key: string) =>
      encodeURIComponent(key === 'id' ? this.site.id : (params[key] ?? '')),
    )
    const response = await this.site.client.call(method, `${filled}${query}`, body)
    return [response.status, response.body]
  }

  /** The body of a response that is no problem. */
  async call(name: Name, given?: Given): Promise<PlainBody> {
    const [status, body] = await this.full(name, given)
    expect([name, status, body]).toEqual([name, 200, expect.anything()])
    return body
  }

  /** Something that the tool has to accept. */
  async done(name: Name, given?: Given): Promise<PlainBody> {
    const body = await this.call(name, given)
    expect([name, body]).toEqual([name, expect.objectContaining({ accepted: true, errors: [] })])
    return body
  }

  /** The text of what is wrong with a call: of the tool that refuses it, or of the gateway. */
  async wrong(name: Name, given: Given): Promise<string> {
    const [status, body] = await this.full(name, given)
    if (status === 200) {
      expect(body.accepted).toBe(false)
      return body.errors.map((one: { text: string }) => one.text).join('; ')
    }
    const faults: readonly { pointer: string; detail: string }[] = body.errors ?? []
    return [body.code, body.detail, ...faults.map(({ pointer, detail }) => `${pointer} ${detail}`)].join(' ')
  }

  async port(number: string): Promise<PlainBody> {
    const { items } = await this.call('listPorts')
    return items.find((one: { port: string }) => one.port === number)
  }

  carrier(id: string): Promise<PlainBody> {
    return this.call('getCarrier', { params: { carrier: id } })
  }

  command(name: 'commandProcessJob' | 'commandControlJob', job: string, body: object): Promise<PlainBody> {
    return this.done(name, { params: { job }, body })
  }
}

interface Given {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
}

/** FOUP7 on port 1, with its ID and slot map accepted. The slots with a substrate. */
async function accepted(calls: Calls): Promise<readonly number[]> {
  const { slots } = calls.site.tool.load(1, 'FOUP7')
  const carrier = { carrier_id: 'FOUP7', port: 1 }
  await until(async () => (await calls.call('listCarriers')).items[0]?.id_status === 'WAITING_FOR_HOST')
  await calls.done('commandCarrier', { body: { command: 'proceed', ...carrier } })
  await until(async () => (await calls.carrier('FOUP7')).slot_map_status === 'WAITING_FOR_HOST')
  const contents = slots.map((slot, at) =>
    slot === 'EMPTY' ? { lot_id: '', substrate_id: '' } : { lot_id: 'L1', substrate_id: `W${at + 1}` },
  )
  await calls.done('commandCarrier', { body: { command: 'proceed', ...carrier, contents } })
  return slots.flatMap((slot, at) => (slot === 'EMPTY' ? [] : [at + 1]))
}

const jobOf = (slots?: readonly number[]) => ({
  job_id: 'PJ-1',
  recipe: 'OXIDE-ETCH-01',
  carriers: [{ carrier_id: 'FOUP7', ...(slots && { slots }) }],
})
const CONTROL_JOB = { job_id: 'CJ-1', process_jobs: ['PJ-1'], carriers: ['FOUP7'] }

describe.each(TOOL_VARIANTS)('%s', (variant) => {
  test('a lot runs from arrival to departure over REST', async () => {
    const calls = await Calls.open(variant)
    const { job = {}, control = {} } = SAID[variant] ?? {}
    expect(await calls.port('1')).toMatchObject({ transfer: 'READY_TO_LOAD', association: 'NOT_ASSOCIATED' })
    const slots = await accepted(calls)
    expect(await calls.port('1')).toMatchObject({ transfer: 'TRANSFER_BLOCKED', association: 'ASSOCIATED' })
    if (variant !== 'slot_codes: present') {
      const { slots: shown } = await calls.carrier('FOUP7')
      const occupied = shown.flatMap((one: { slot: number; state: string }) =>
        one.state === 'CORRECTLY_OCCUPIED' ? [one.slot] : [],
      )
      expect(occupied).toEqual(slots)
    }
    await calls.done('createProcessJob', { body: { ...jobOf(slots), ...job } })
    expect(await calls.call('listProcessJobs', { query: '?space=true' })).toMatchObject({
      items: [{ job_id: 'PJ-1', state: 'QUEUED_POOLED' }],
      space: 7,
    })
    await calls.done('createControlJob', { body: { ...CONTROL_JOB, ...control } })
    const state = async (list: 'listProcessJobs' | 'listControlJobs') =>
      (await calls.call(list)).items[0]?.state
    if (variant === 'start: manual') {
      await until(async () => (await state('listControlJobs')) === 'WAITING_FOR_START')
      await calls.command('commandControlJob', 'CJ-1', { command: 'start' })
      await until(async () => (await state('listProcessJobs')) === 'WAITING_FOR_START')
      await calls.command('commandProcessJob', 'PJ-1', { command: 'start' })
    }
    await until(async () => (await state('listProcessJobs')) === 'PROCESS_COMPLETE')
    await until(async () => (await state('listControlJobs')) === 'COMPLETED')
    await until(async () => (await calls.carrier('FOUP7')).accessing_status === 'CARRIER_COMPLETE')
    if (variant === 'release: host') {
      expect(await calls.port('1')).toMatchObject({ transfer: 'TRANSFER_BLOCKED' })
      await calls.done('commandCarrier', { body: { command: 'release', carrier_id: 'FOUP7', port: 1 } })
    }
    await until(async () => (await calls.port('1')).transfer === 'READY_TO_UNLOAD')
    const processed = variant === 'substrate_numbers: one_based' ? 3 : 2
    const { objects } = await calls.done('getObjects', {
      query: `?type=Substrate&filter=SubstProcState=${processed}&filter=LotID=L1&attribute=SubstLocID`,
    })
    expect(objects).toHaveLength(slots.length)
    calls.site.tool.unload(1)
    await until(async () => (await calls.port('1')).transfer === 'READY_TO_LOAD')
    for (const list of ['listCarriers', 'listProcessJobs', 'listControlJobs'] as const)
      expect((await calls.call(list)).items).toEqual([])
  })
})

/** A call of each endpoint that is refused by the tool, and the primary that carries it. */
const REFUSABLE: Readonly<Partial<Record<Name, readonly [primary: string, given: Given]>>> = {
  commandPort: ['S3F25', { params: { port: '1' }, body: { command: 'reserve' } }],
  changeAccessMode: ['S3F27', { body: { mode: 'auto', ports: [1, 2] } }],
  commandCarrier: ['S3F17', { body: { command: 'bind', carrier_id: 'FOUP7', port: 1 } }],
  createProcessJob: ['S16F15', { body: jobOf() }],
  commandProcessJob: ['S16F5', { params: { job: 'PJ-1' }, body: { command: 'start' } }],
  dequeueProcessJob: ['S16F17', { params: { job: 'PJ-1' } }],
  createControlJob: ['S14F9', { body: CONTROL_JOB }],
  commandControlJob: ['S16F27', { params: { job: 'CJ-1' }, body: { command: 'start' } }],
  setObjects: ['S14F3', { body: { type: 'Substrate', objects: ['W1'], attributes: { LotID: 'L' } } }],
  createObject: ['S14F9', { body: { type: 'Substrate', attributes: { ObjID: 'W1' } } }],
  deleteObject: ['S14F11', { query: '?specifier=ControlJob:CJ-1' }],
  getObjects: ['S14F1', { query: '?type=Substrate' }],
  listPorts: ['S14F1', {}],
  listCarriers: ['S14F1', {}],
  getCarrier: ['S14F1', { params: { carrier: 'FOUP7' } }],
  listControlJobs: ['S14F1', {}],
  getControlJob: ['S14F1', { params: { job: 'CJ-1' } }],
  listObjectTypes: ['S14F5', {}],
}

describe('refusals', () => {
  test('each endpoint tells the text of the tool that refuses', async () => {
    const calls = await Calls.open()
    for (const [name, [primary, given]] of Object.entries(REFUSABLE)) {
      calls.site.simulator.faults.refuse = new Map([[primary, `${name} is not allowed today`]])
      expect(await calls.wrong(name as Name, given)).toContain(`${name} is not allowed today`)
    }
    delete calls.site.simulator.faults.refuse
    // These two have no place for a reason (S16F20), or have another way to the job.
    const others: readonly Name[] = ['listProcessJobs', 'getProcessJob']
    expect([...calls.made, ...others].sort()).toEqual(Object.keys(ENDPOINTS).sort())
  })

  test('the message that a tool does not have is named', async () => {
    const calls = await Calls.open('job_creation: S16F11')
    expect(await calls.wrong('createProcessJob', { body: jobOf() })).toMatch(/S16F15/)
    await calls.done('createProcessJob', { body: { ...jobOf(), message: 'S16F11' } })
  })

  test('OBJSPEC is the one that the tool wants', async () => {
    const calls = await Calls.open('objspec: ControlJob')
    await calls.done('createProcessJob', { body: jobOf() })
    expect(await calls.wrong('createControlJob', { body: CONTROL_JOB })).toContain('OBJSPEC is "ControlJob"')
  })
})

describe('bad input', () => {
  const carrier = (id: string) => ({ body: { command: 'bind', carrier_id: id, port: 1 } })

  test('IDs with characters that they must not have are refused before anything is sent', async () => {
    const calls = await Calls.open()
    const sent = async () => {
      const { items } = (await calls.site.client.get('/messages?direction=sent&limit=100')).body
      return items.filter(({ stream }: { stream: number }) => [3, 14, 16].includes(stream)).length
    }
    for (const [letter, name] of [
      ['*', '*'],
      ['>', '>'],
      [':', ':'],
      ['?', '?'],
      ['~', '~'],
      ['é', 'U+00E9'],
      ['\n', 'U+000A'],
    ] as const) {
      const id = `FOUP${letter}7`
      for (const said of [
        await calls.wrong('commandCarrier', carrier(id)),
        await calls.wrong('createProcessJob', { body: { ...jobOf(), job_id: id } }),
        await calls.wrong('createProcessJob', { body: { ...jobOf(), carriers: [{ carrier_id: id }] } }),
        await calls.wrong('createControlJob', { body: { ...CONTROL_JOB, carriers: [id] } }),
      ])
        expect(said).toContain(`has ${name}`)
    }
    expect(await calls.wrong('commandCarrier', carrier('F'.repeat(81)))).toContain('81 characters')
    expect(await sent()).toBe(0)
    await calls.call('listPorts')
    expect(await sent()).toBe(1)
  })

  test.each([
    [{ ...jobOf([1, 1]) }, '/carriers/0/slots', 'slot 1 is there twice'],
    [{ ...jobOf([0]) }, '/carriers/0/slots/0', ''],
    [{ ...jobOf(), carriers: [] }, '/carriers', 'substrates'],
    [{ ...jobOf(), substrates: ['W1'] }, '', 'carriers'],
  ])('The job %j is refused, with where', async (body, pointer, said) => {
    const calls = await Calls.open()
    const text = await calls.wrong('createProcessJob', { body })
    expect(text).toContain(pointer)
    expect(text).toContain(said)
  })

  test('What does not fit the material of the tool is said by the tool', async () => {
    const calls = await Calls.open()
    const slots = await accepted(calls)
    const empty = Array.from({ length: 25 }, (_, at) => at + 1).find((slot) => !slots.includes(slot)) ?? 0
    const create = (body: object) => calls.wrong('createProcessJob', { body: { ...jobOf(), ...body } })
    expect(await create(jobOf([empty]))).toBe(`Slot ${empty} of FOUP7 has no substrate`)
    expect(await create(jobOf([30]))).toContain('Slot 30')
    expect(await create({ carriers: [], substrates: ['W77'] })).toBe('Substrate W77 not found')
    expect(await create({ recipe: 'OXIDE-ETCH-09' })).toBe('Recipe OXIDE-ETCH-09 not found')
    const proceed = (body: object) =>
      calls.wrong('commandCarrier', { body: { command: 'proceed', carrier_id: 'FOUP7', ...body } })
    expect(await proceed({ carrier_id: 'FOUP9' })).toBe('Carrier FOUP9 not found')
    expect(await proceed({ port: 2 })).toBe('Carrier FOUP7 is not at port 2')
    expect(await proceed({ port: 1 })).toBe('Carrier FOUP7 is not waiting for host')
    expect(await proceed({ contents: [{ lot_id: '', substrate_id: '' }], slot_map: 'oo' })).toContain(
      'one for each slot',
    )
    expect(await calls.wrong('commandPort', { params: { port: '7' }, body: { command: 'reserve' } })).toBe(
      'PTN 7 invalid',
    )
    expect(await calls.wrong('createControlJob', { body: CONTROL_JOB })).toBe('Process job PJ-1 not found')
    expect(await calls.wrong('getCarrier', { params: { carrier: 'FOUP9' } })).toContain('no Carrier FOUP9')
    expect(await calls.wrong('getControlJob', { params: { job: 'CJ-9' } })).toContain('no ControlJob CJ-9')
    expect(await calls.wrong('getProcessJob', { params: { job: 'PJ-9' } })).toContain('no process job PJ-9')
  })

  test('A slot map that is not that of the carrier is refused, and the carrier still waits', async () => {
    const calls = await Calls.open()
    calls.site.tool.load(1, 'FOUP7')
    await until(async () => (await calls.call('listCarriers')).items[0]?.id_status === 'WAITING_FOR_HOST')
    const proceed = { command: 'proceed', carrier_id: 'FOUP7', port: 1 }
    await calls.done('commandCarrier', { body: proceed })
    await until(async () => (await calls.carrier('FOUP7')).slot_map_status === 'WAITING_FOR_HOST')
    const wrong = { ...proceed, slot_map: 'X'.repeat(25) }
    expect(await calls.wrong('commandCarrier', { body: wrong })).toBe('SlotMap does not match')
    expect(await calls.carrier('FOUP7')).toMatchObject({ slot_map_status: 'WAITING_FOR_HOST' })
    await calls.done('commandCarrier', { body: { command: 'cancel', carrier_id: 'FOUP7' } })
    expect(await calls.port('1')).toMatchObject({ transfer: 'READY_TO_UNLOAD' })
  })

  test('A control job for a carrier that is not there waits for it', async () => {
    const calls = await Calls.open()
    await calls.done('createProcessJob', { body: jobOf() })
    await calls.done('createControlJob', { body: CONTROL_JOB })
    const state = async () => (await calls.call('getControlJob', { params: { job: 'CJ-1' } })).state
    expect(await state()).toBe('SELECTED')
    await accepted(calls)
    await until(async () => (await state()) === 'COMPLETED')
  })
})

describe('commands', () => {
  test('ports are put in and out of service and reserved, and their access mode is changed', async () => {
    const calls = await Calls.open()
    const port = async (command: string, style?: string) => {
      await calls.done('commandPort', { params: { port: '2' }, body: { command, ...(style && { style }) } })
      return calls.port('2')
    }
    expect(await port('reserve')).toMatchObject({ reservation: 'RESERVED' })
    expect(await port('cancel_reservation')).toMatchObject({ reservation: 'NOT_RESERVED' })
    for (const style of ['standard', 'words', 'upper_case', 'in_service_4']) {
      expect(await port('out_of_service', style)).toMatchObject({ transfer: 'OUT_OF_SERVICE' })
      expect(await port('in_service', style)).toMatchObject({ transfer: 'READY_TO_LOAD' })
    }
    await calls.done('changeAccessMode', { body: { mode: 'auto', ports: [] } })
    expect(await calls.port('1')).toMatchObject({ access_mode: 'AUTO' })
    expect(await calls.port('2')).toMatchObject({ access_mode: 'AUTO' })
    const wrong = { body: { mode: 'manual', ports: [2, 9] } }
    expect(await calls.wrong('changeAccessMode', wrong)).toBe('PTN 9 invalid')
  })

  test('carriers are bound and announced before they come, and cancelled', async () => {
    const calls = await Calls.open()
    const carrier = async (body: object) => {
      await calls.done('commandCarrier', { body })
      return (await calls.call('listCarriers')).items.map((one: { carrier_id: string }) => one.carrier_id)
    }
    const foup = { carrier_id: 'FOUP7' }
    expect(await carrier({ command: 'bind', ...foup, port: 1 })).toEqual(['FOUP7'])
    expect(await calls.port('1')).toMatchObject({ reservation: 'RESERVED' })
    expect(await carrier({ command: 'cancel_bind', ...foup, port: 1 })).toEqual([])
    expect(await carrier({ command: 'notify', ...foup })).toEqual(['FOUP7'])
    expect(await carrier({ command: 'cancel_notification', ...foup })).toEqual([])
    calls.site.simulator.faults.unreadable = true
    calls.site.tool.load(1, 'FOUP8')
    await until(() => calls.site.tool.ports.port(1)?.isUnknown)
    await carrier({ command: 'cancel', port: 1 })
    expect(await calls.port('1')).toMatchObject({ transfer: 'READY_TO_UNLOAD' })
  })

  test('jobs take each command in the states that let them', async () => {
    const calls = await Calls.open('start: manual')
    await accepted(calls)
    await calls.done('createProcessJob', { body: jobOf([]) })
    await calls.done('createControlJob', { body: CONTROL_JOB })
    const control = async (job: string, command: string, jobs?: string) => {
      await calls.command('commandControlJob', job, { command, ...(jobs && { jobs }) })
      return (await calls.call('listControlJobs')).items.map(
        (one: { job_id: string; state: string }) => `${one.job_id} ${one.state}`,
      )
    }
    const processJob = async (command: string) => {
      await calls.command('commandProcessJob', 'PJ-1', { command })
      return (await calls.call('getProcessJob', { params: { job: 'PJ-1' } })).state
    }
    expect(await control('CJ-1', 'start')).toEqual(['CJ-1 EXECUTING'])
    await until(async () => (await calls.call('listProcessJobs')).items[0]?.state === 'WAITING_FOR_START')
    expect(await processJob('pause')).toBe('PAUSED')
    expect(await processJob('resume')).toBe('WAITING_FOR_START')
    expect(await control('CJ-1', 'pause')).toEqual(['CJ-1 PAUSED'])
    expect(await control('CJ-1', 'resume')).toEqual(['CJ-1 EXECUTING'])
    for (const job of ['2', '3']) {
      await calls.done('createProcessJob', { body: { ...jobOf(), job_id: `PJ-${job}` } })
      await calls.done('createControlJob', { body: { job_id: `CJ-${job}`, process_jobs: [`PJ-${job}`] } })
    }
    expect(await control('CJ-3', 'first')).toEqual(['CJ-3 QUEUED', 'CJ-1 EXECUTING', 'CJ-2 QUEUED'])
    expect(await control('CJ-3', 'cancel', 'keep')).toEqual(['CJ-1 EXECUTING', 'CJ-2 QUEUED'])
    await calls.done('dequeueProcessJob', { params: { job: 'PJ-3' } })
    expect(await control('CJ-2', 'cancel', 'remove')).toEqual(['CJ-1 EXECUTING'])
    expect((await calls.call('listProcessJobs')).items).toHaveLength(1)
    expect(await processJob('abort')).toMatch(/^ABORT/)
    await until(async () => (await calls.call('listControlJobs')).items[0]?.state === 'COMPLETED')
    await calls.done('deleteObject', { query: '?specifier=ControlJob:CJ-1' })
  })

  test('control jobs are deselected, stopped and aborted, and their jobs kept or removed', async () => {
    const calls = await Calls.open()
    for (const [command, jobs, left] of [
      ['stop', 'keep', 1],
      ['abort', 'remove', 0],
    ] as const) {
      await calls.done('createProcessJob', { body: jobOf() })
      await calls.done('createControlJob', { body: CONTROL_JOB })
      await calls.command('commandControlJob', 'CJ-1', { command: 'deselect' })
      await calls.command('commandControlJob', 'CJ-1', { command, jobs })
      expect((await calls.call('listProcessJobs')).items).toHaveLength(left)
      if (left > 0) await calls.command('commandProcessJob', 'PJ-1', { command: 'stop' })
      await until(async () => (await calls.call('listControlJobs')).items.length === 0)
    }
    const wrong = { params: { job: 'CJ-1' }, body: { command: 'stop' } }
    expect(await calls.wrong('commandControlJob', wrong)).toContain('/jobs')
  })

  test('objects of all types are listed with their attributes, and set', async () => {
    const calls = await Calls.open()
    await accepted(calls)
    const { items } = await calls.call('listObjectTypes')
    const carrier = items.find(({ type }: { type: string }) => type === 'Carrier')
    expect(carrier.attributes).toContain('SlotMapStatus')
    const { objects } = await calls.done('getObjects', { query: '?type=Substrate' })
    const [{ object_id: id }] = objects
    await calls.done('setObjects', {
      body: { type: 'Substrate', objects: [id], attributes: { LotID: 'L9' } },
    })
    const found = await calls.done('getObjects', { query: '?type=Substrate&filter=LotID=L9' })
    expect(found.objects.map((one: { object_id: string }) => one.object_id)).toEqual([id])
    const read = { body: { type: 'Substrate', objects: [id], attributes: { SubstState: 1 } } }
    expect(await calls.wrong('setObjects', read)).toBe('SubstState is read only')
    expect(
      await calls.wrong('createObject', { body: { type: 'Substrate', attributes: { ObjID: 'W' } } }),
    ).toContain('OBJSPEC')
  })
})
