import { describe, expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import { Problem } from '../../src/contract/errors.js'
import type { Message, NewMessage, Sent } from '../../src/contract/topics/messages.js'
import { composeMessage } from '../../src/gateway/messages/compose-message.js'
import { plainReading } from '../../src/gateway/records/reading.js'
import { CAPABILITIES, type Capability } from '../../src/gem/capabilities.js'
import type { EquipmentModel } from '../../src/gem/equipment/equipment-model.js'
import { type CapabilityResult, examine } from '../../src/inspection/compliance/examination.js'
import { remembering } from '../../src/inspection/compliance/remembering.js'
import { atOnce } from '../../src/kit/turns.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { GemPair } from '../support/gem-pair.js'

const FAULTS: Readonly<Record<string, string>> = {
  unknown_stream: 'S9F3',
  unknown_function: 'S9F5',
  illegal_data: 'S9F7',
}

const READING = plainReading(STANDARD_CATALOGUE)

const messageOf = (stream: number, fn: number, data: Message['data']): Message => ({
  ...{ id: '1', equipment_id: 'eq_1', direction: 'received', stream, function: fn, name: '', w_bit: false },
  ...{
    equipment_name: 'etcher',
    from: 'equipment',
    to: 'gateway',
    session_id: 0,
    system_bytes: 1,
    sent_by: null,
    data,
    body: null,
    sml: '',
    at: '',
    reply_to: null,
  },
  collection_event: null,
})

/** What a gateway answers that is connected to this equipment. */
function askThrough(pair: GemPair, asked: string[]) {
  return async (given: NewMessage): Promise<Sent> => {
    const message = atOnce(composeMessage(given, READING))
    const { stream, function: fn } = message
    asked.push(`S${stream}F${fn}`)
    const answer = pair.ask(stream, fn, message.item)
    if (answer.kind === 'fault') {
      const s9 = FAULTS[answer.fault] ?? ''
      throw new Problem('equipment_error', `etcher answered with ${s9} for it.`, { s9 })
    }
    if (answer.kind !== 'reply') throw new Problem('transaction_aborted', 'etcher aborted it.')
    const data = STANDARD_CATALOGUE.readAny(stream, fn + 1, answer.message.item, {
      ...READING,
      sender: 'equipment',
    })
    return { message: messageOf(stream, fn, null), reply: messageOf(stream, fn + 1, data) }
  }
}

function shipped(name: string): EquipmentModel {
  const model = shippedModel(name)
  if (!model) throw new Error('there is no such model')
  return { ...model.equipment, controlState: 'ONLINE_REMOTE' }
}
const FURNACE = shipped('furnace')

async function findings(change: Partial<EquipmentModel> = {}, allowWrites = true) {
  return findingsOf({ ...FURNACE, ...change }, allowWrites)
}

async function findingsOf(model: EquipmentModel, allowWrites: boolean) {
  const pair = new GemPair(model)
  await pair.select()
  const asked: string[] = []
  const found: CapabilityResult[] = []
  const ask = remembering(askThrough(pair, asked))
  for await (const finding of examine({ ask, allowWrites })) found.push(finding)
  return { found, asked, pair }
}

const verdicts = (
  found: readonly CapabilityResult[],
  ...wanted: readonly CapabilityResult['verdict'][]
): string[] => found.filter(({ verdict }) => wanted.includes(verdict)).map(({ capability }) => capability)

test.each(['furnace', 'etcher'])('the %s that comes with secsctl has everything', async (name) => {
  const { found } = await findingsOf(shipped(name), true)
  expect(found.filter(({ verdict }) => verdict !== 'yes')).toEqual([])
  expect(found.map(({ kind }) => kind)).toContain('fundamental')
})

test('without writes nothing is asked that might change something, and nothing is missing', async () => {
  const { found, asked } = await findings({}, false)
  expect(verdicts(found, 'no', 'partly')).toEqual([])
  expect(verdicts(found, 'not asked')).toEqual([
    'Multi-block inquiry',
    'Dynamic event report configuration',
    'Trace data collection',
    'Remote control',
    'Enhanced remote commands',
    'Equipment terminal services',
    'Spooling',
    'Control (host-initiated)',
  ])
  const readers =
    'S1F1 S1F127 S1F21 S1F23 S6F15 S1F11 S1F3 S2F29 S2F13 S2F47 S5F5 S5F7 S7F19 S7F5 S7F25 S2F17 S2F25'
  expect(asked).toEqual(readers.split(' '))
})

test('with writes the equipment is what it was before', async () => {
  const { pair } = await findings()
  const before = new GemPair(FURNACE)
  const state = ({ equipment: { constants, reports } }: GemPair) => ({
    constants: FURNACE.constants.map(({ id }) => constants.value(id)),
    enabled: reports.enabledEvents(),
    reports: FURNACE.events.map(({ id }) => reports.reportsOf(id)),
  })
  expect(state(pair)).toEqual(state(before))
})

/** Undefined: GEM does not ask for it. */
const ROWS: Readonly<Record<Capability, string | undefined>> = {
  online_identification: 'Online identification',
  host_control: 'Control (host-initiated)',
  status_data: 'Status data collection',
  namelists: 'Variable and event namelists',
  equipment_constants: 'Equipment constants',
  clock: 'Clock',
  trace: 'Trace data collection',
  loopback: 'Loopback diagnostics',
  dynamic_reports: 'Dynamic event report configuration',
  event_reports: 'Event notification',
  annotated_reports: undefined,
  multi_block: 'Multi-block inquiry',
  remote_control: 'Remote control',
  enhanced_commands: 'Enhanced remote commands',
  spooling: 'Spooling',
  limits: 'Limits monitoring',
  alarms: 'Alarm management',
  process_programs: 'Process recipe management',
  formatted_programs: 'Formatted process programs',
  terminal: 'Equipment terminal services',
}

describe('an equipment without', () => {
  test.each(CAPABILITIES)('%s is missing exactly that', async (capability) => {
    const { found } = await findings({ without: [capability] })
    const row = ROWS[capability]
    expect(verdicts(found, 'no', 'partly')).toEqual(row === undefined ? [] : [row])
  })
})

test('equipment that is offline is asked nothing but S1F1', async () => {
  const { found, asked } = await findings({ controlState: 'HOST_OFFLINE' })
  expect(asked).toEqual(['S1F1'])
  expect(found.at(-1)).toMatchObject({ capability: 'Online identification', verdict: 'no' })
})

test('a connection that is lost meanwhile is reported as that', async () => {
  const ask = async (): Promise<Sent> => {
    throw new Problem('connection_lost', 'gone')
  }
  await expect(examine({ ask, allowWrites: false }).next()).resolves.toMatchObject({ done: false })
  const walk = examine({ ask, allowWrites: false })
  await walk.next()
  await expect(walk.next()).rejects.toMatchObject({ code: 'connection_lost' })
})
