import { expect, test, vi } from 'vitest'
import type { Gem300Mapping } from '../../../src/contract/topics/gem300/mapping.js'
import { MESSAGE_SENT } from '../../../src/gateway/records/journal-kinds.js'
import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, type Item, L, U1, U4 } from '../../../src/secs2/item.js'
import { freePort } from '../../support/free-port.js'
import { callsOf, LiveGateway } from '../../support/live-gateway.js'
import { LOOPBACK } from '../../support/tcp.js'
import { until } from '../../support/until.js'
import { type Answers, answering } from '../services/answering.js'

const NAMES: Answers = {
  S1F11: L(L(U4(11), A('LP1/PortTransferState'), A(''))),
  S1F21: L(L(U4(21), A('PRJobID'), A('')), L(U4(22), A('PRJobState'), A(''))),
  S1F23: L(L(U4(31), A('PRJobStateChange'), L()), L(U4(32), A('Twice'), L()), L(U4(33), A('Twice'), L())),
}
const MAPPING: Gem300Mapping = {
  settings: { port_actions: 'words', create_specifier: 'ControlJob' },
  variables: { job: { id: 'PRJobID', state: 22 } },
  events: [{ event: 'PRJobStateChange', state: 'job.state' }],
  status: [{ state: 'port', port: 1, variables: { transfer: 'LP1/PortTransferState' } }],
}

test('A mapping is kept, and is what the equipment is asked and commanded by', async () => {
  const { call, id, asked, live } = await answering({
    ...NAMES,
    S1F3: L(U1(2)),
    S16F19: L(),
    S3F25: L(U1(0), L()),
    S14F9: L(A('CJ-1'), L(), L(U1(0), L())),
  })
  const given = await call.applyGem300({ id }, { body: MAPPING })
  expect(given).toMatchObject({ mapping: MAPPING, applied_by: 'ada@fab.example', unknown: [] })
  await until(async () => (await call.getGem300({ id })).aligned_at !== null)
  expect(asked().filter((sml) => sml.startsWith('S1F3 '))).toEqual(['S1F3 W <L [1] <U4 11> >.'])
  const port = () => live.gateway.objects.of(id).get('port', '1')?.states['transfer']
  expect(port()).toMatchObject({ state: 'READY_TO_LOAD', source: 'query' })
  await call.commandPort({ id, port: '1' }, { body: { command: 'in_service' } })
  expect(asked().at(-1)).toContain('"InService"')
  await call.createControlJob({ id }, { body: { job_id: 'CJ-1', process_jobs: ['PJ-1'] } })
  expect(asked().at(-1)).toContain('<A "ControlJob"> <A "ControlJob">')
  // What the call says goes before it.
  await call.commandPort({ id, port: '1' }, { body: { command: 'in_service', style: 'standard' } })
  expect(asked().at(-1)).toContain('"ChangeServiceStatus"')
  const gateway = await live.reopen()
  expect(gateway.mappings.get(id)?.record.mapping).toEqual(MAPPING)
  expect(gateway.equipment.readingOf(id).gem300?.createSpecifier).toBe('ControlJob')
  await gateway.equipment.update(id, { name: 'renamed' })
  expect(gateway.equipment.readingOf(id).gem300?.createSpecifier).toBe('ControlJob')
})

test('Equipment that is removed with its mapping keeps its last name', async () => {
  const { call, id, live } = await answering(NAMES)
  await call.applyGem300({ id }, { body: MAPPING })
  const { equipment, mappings } = live.gateway
  const name = equipment.identityOf(id)?.name
  await equipment.delete(id)
  await until(() => mappings.get(id) === undefined)
  expect(equipment.readingOf(id).name).toBe(name)
  const { items } = await callsOf(live.gateway).listEvents({}, { query: {} })
  expect(items.filter(({ equipment_id }) => equipment_id === id).map((one) => one.equipment_name)).toContain(
    name,
  )
})

test('What the equipment does not have is refused with its place, and a dry run keeps nothing', async () => {
  const { call, id, live } = await answering(NAMES)
  const wrong: Gem300Mapping = {
    variables: { job: { id: 'PRJobID', state: 99 } },
    events: [
      { event: 4711, state: 'job.state' },
      { event: 'Twice', state: 'job.state', to: 'PAUSED' },
    ],
  }
  await expect(call.applyGem300({ id }, { body: wrong })).rejects.toMatchObject({
    code: 'invalid_message',
    extra: {
      errors: [
        { pointer: '/variables/job/state', detail: 'etcher has no variable 99' },
        { pointer: '/events/0/event', detail: 'etcher has no collection event 4711' },
        { pointer: '/events/1/event', detail: expect.stringMatching(/several of the name Twice: 32, 33/) },
      ],
    },
  })
  expect(await call.applyGem300({ id }, { query: { dry_run: true }, body: MAPPING })).toMatchObject({
    mapping: MAPPING,
    applied_at: null,
  })
  expect(live.gateway.mappings.get(id)).toBeUndefined()
  await call.applyGem300({ id }, { body: MAPPING })
  expect(await call.gem300Reports({ id })).toEqual({
    reports: [{ id: expect.any(Number), variables: ['PRJobID', 22] }],
    events: [{ event: 'PRJobStateChange', reports: [expect.any(Number)] }],
    others: 'keep',
  })
  expect(await call.removeGem300({ id })).toMatchObject({ mapping: null })
  expect(live.gateway.equipment.readingOf(id).gem300).toBeUndefined()
  expect((await call.gem300Reports({ id })).events).toEqual([])
})

test('Names that are not known yet are taken, and said', async () => {
  const { call, id } = await answering({})
  const given = await call.applyGem300({ id }, { body: MAPPING })
  expect(given.unknown).toEqual(['PRJobID', '22', 'PRJobStateChange', 'LP1/PortTransferState'])
})

test('Equipment that knows none of the messages says so in one sentence', async () => {
  const { call, id } = await answering({})
  await call.applyGem300({ id }, { body: {} })
  expect((await call.alignGem300({ id })).note).toMatch(/knows neither S14F1 nor S16F19: events alone/)
})

test('A proposal is a mapping with its reasons, and is not applied', async () => {
  const { call, id, live } = await answering(NAMES)
  await call.applyGem300({ id }, { query: { dry_run: true }, body: MAPPING })
  const { file, certain, to_decide } = await call.proposeGem300({ id })
  expect(file).toContain('{ event: PRJobStateChange, state: job.state } # 31: any change of job.state')
  expect(file).toContain('{ state: port, port: 1, variables: { transfer: LP1/PortTransferState } }')
  expect([certain, to_decide]).toEqual([4, 0])
  expect(live.gateway.mappings.get(id)).toBeUndefined()
})

test('A proposal asks for names that are not known, and fails where there are none', async () => {
  const { call, id } = await answering(NAMES)
  expect(await call.proposeGem300({ id })).toMatchObject({ certain: 4, to_decide: 0 })
  await call.disconnectEquipment({ id })
  // Those of the earlier connection.
  expect(await call.proposeGem300({ id })).toMatchObject({ certain: 4 })
  const silent = await answering({})
  await expect(silent.call.proposeGem300({ id: silent.id })).rejects.toMatchObject({
    code: 'transaction_aborted',
  })
  const gone = await answering(NAMES)
  await gone.call.disconnectEquipment({ id: gone.id })
  await expect(gone.call.proposeGem300({ id: gone.id })).rejects.toMatchObject({
    code: 'equipment_not_connected',
  })
})

test('A proposal of the names that are known asks for none, and may be empty', async () => {
  const { call, id } = await answering(NAMES)
  const query = { known: true }
  // The equipment would give them.
  expect(await call.proposeGem300({ id }, { query })).toMatchObject({ certain: 0, to_decide: 0 })
  await call.proposeGem300({ id })
  expect(await call.proposeGem300({ id }, { query })).toMatchObject({ certain: 4, to_decide: 0 })
  await call.disconnectEquipment({ id })
  expect(await call.proposeGem300({ id }, { query })).toMatchObject({ certain: 4, to_decide: 0 })
})

/** Records that the equipment has sent this report. */
async function reported(
  { journal }: Awaited<ReturnType<typeof answering>>['live'],
  equipmentId: string,
  item: Item,
  { fn = 11, mayBeSpooled = false }: { readonly fn?: number; readonly mayBeSpooled?: boolean } = {},
): Promise<void> {
  const frame = { sessionId: 0, stream: 6, function: fn, wait: false, systemBytes: 9, body: encodeBody(item) }
  const message = new RecordedMessage({ direction: 'received', equipmentId, mayBeSpooled }, frame)
  await journal.append(message.entry('2026-01-31T08:00:00.000Z'))
}

test('Reports with VIDs are understood; those of the spool, of other events, and bytes that are none change nothing', async () => {
  const { call, id, live } = await answering(NAMES)
  await call.applyGem300({ id }, { body: MAPPING })
  const annotated = (ceid: number, state: number): Item =>
    L(U4(1), U4(ceid), L(L(U4(1), L(L(U4(21), A('PJ-1')), L(U4(22), U1(state))))))
  const state = () => live.gateway.objects.of(id).get('job', 'PJ-1')?.states['state']
  await reported(live, id, annotated(31, 3), { fn: 13, mayBeSpooled: true })
  await reported(live, id, annotated(77, 3), { fn: 13 })
  for (const item of [L(), A('x'), L(U4(1), U4(31), L(L(U4(1), L(A('PJ-1'), U1(3)))))])
    await reported(live, id, item)
  await call.alignGem300({ id })
  expect(state()).toBeUndefined()
  await reported(live, id, annotated(31, 3), { fn: 13 })
  await until(() => state() !== undefined)
  expect(state()).toMatchObject({ state: 'PROCESSING', source: 'event', since: '2026-01-31T08:00:00.000Z' })
})

test('The gateway follows the reports of tapped equipment to its host, and asks nothing', async () => {
  const live = await LiveGateway.open()
  const call = callsOf(live.gateway)
  const tap = { host_address: LOOPBACK, listen_port: await freePort() }
  const { id } = await live.add({ name: 'tapped', port: await freePort(), tap })
  const at = (port: number) => ({ state: 'carrier.id_status', to: 'WAITING_FOR_HOST', port })
  const body: Gem300Mapping = {
    variables: { job: { id: 21, state: 22 } },
    events: [
      { event: 31, state: 'job.state' },
      { event: 32, ...at(1) },
    ],
  }
  expect((await call.applyGem300({ id }, { body })).note).toMatch(/shared with its host/)
  const inquire = vi.spyOn(live.gateway.objects, 'inquire')
  await reported(live, id, L(U4(1), U4(32), L()))
  await reported(live, id, L(U4(1), U4(31), L(L(U4(1), L(L(U4(21), A('PJ-1')), L(U4(22), U1(3)))))), {
    fn: 13,
  })
  await until(() => live.gateway.objects.of(id).list('job').length === 1)
  expect(inquire).not.toHaveBeenCalled()
  expect(live.gateway.objects.alignmentOf(id)).toMatchObject({ aligned_at: null, error: null })
  expect(await live.journal.query({ kinds: [MESSAGE_SENT], key: id, order: 'asc', limit: 10 })).toEqual([])
})
