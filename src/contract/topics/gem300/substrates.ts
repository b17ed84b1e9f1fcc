import { type Static, Type } from 'typebox'
import { endpoint } from '../../endpoint.js'
import { TRANSACTION_ERRORS } from '../../errors.js'
import { Id, NullableText, named, onePage, Page, Text } from '../../schema.js'
import { READS } from '../messages.js'
import { HISTORY_ERRORS, ObjectHistoryQuery, RecordedObjectChange } from './object-history.js'
import { ObjectAttribute, ObjectId, StateWord } from './object-values.js'

const given = (name: string) => NullableText(`${name}; null where the equipment does not give it.`)

const Visit = Type.Object({
  location: Text('SubstLocID.'),
  since: Text('TimeIn, as the equipment writes it.'),
  until: Text('TimeOut, as the equipment writes it; empty while the substrate is there.'),
})

export const Substrate = named('Substrate', {
  substrate_id: Text('ObjID.'),
  lot_id: given('LotID'),
  location: given('SubstLocID'),
  state: StateWord('SubstState, such as `AT_WORK`'),
  processing: StateWord('SubstProcState, such as `IN_PROCESS`'),
  id_status: StateWord('SubstIDStatus, such as `CONFIRMED`'),
  source: given('SubstSource'),
  destination: given('SubstDestination'),
  visits: Type.Array(Visit, {
    description:
      'SubstHistory: the places at which the substrate was, in the order of the equipment; empty where the equipment gives none.',
  }),
  attributes: Type.Array(ObjectAttribute, { description: 'All attributes as the equipment gave them.' }),
})
export type Substrate = Static<typeof Substrate>

const BySubstrate = Type.Object({ id: Id, substrate: ObjectId('Substrate ID.') })

const EXAMPLE: Substrate = {
  substrate_id: 'W1',
  lot_id: 'L1',
  location: 'Chamber1',
  state: 'AT_WORK',
  processing: 'IN_PROCESS',
  id_status: null,
  source: 'FOUP7.01',
  destination: 'FOUP7.01',
  visits: [{ location: 'Chamber1', since: '2026013108000200', until: '' }],
  attributes: [{ name: 'SubstState', value: { U1: [1] }, text: '1' }],
}

const CHANGE: RecordedObjectChange = {
  id: '97',
  at: '2026-01-31T08:00:02.000Z',
  object_id: 'W1',
  state: 'state',
  from: 'AT_SOURCE',
  to: 'AT_WORK',
  source: 'event',
  message_id: '96',
  details: { location: 'Aligner' },
}

const BASE = { ...READS, tag: 'substrates' } as const

export const substrateEndpoints = {
  listSubstrates: endpoint('GET /equipment/{id}/substrates', {
    ...BASE,
    summary: 'List the substrates at the equipment',
    description: 'Sends S14F1 for all objects of the type Substrate. The response has all in one page.',
    reply: Page(Substrate),
    examples: { reply: onePage([EXAMPLE]) },
  }),
  getSubstrate: endpoint('GET /equipment/{id}/substrates/{substrate}', {
    ...BASE,
    summary: 'Show a substrate',
    description:
      'Sends S14F1 for all attributes of the substrate. `visits` are the places at which it was, as the equipment says.',
    params: BySubstrate,
    reply: Substrate,
    errors: [...TRANSACTION_ERRORS, 'object_not_found'],
    examples: { reply: EXAMPLE },
  }),
  listSubstrateHistory: endpoint('GET /equipment/{id}/substrates/{substrate}/history', {
    tag: 'substrates',
    summary: 'List the recorded changes of a substrate',
    description:
      'The way of a substrate through the equipment: each change of its states and, in `details`, each new `location`, as event reports and the replies to the questions of the gateway have told them. Also of a substrate that is gone, as long as its events are kept. Nothing is sent. A page may have fewer items than `limit`, or none, and still a `next_cursor`.',
    access: 'viewer',
    params: BySubstrate,
    query: ObjectHistoryQuery,
    reply: Page(RecordedObjectChange),
    errors: HISTORY_ERRORS,
    examples: { reply: onePage([CHANGE]) },
  }),
} as const
