import { type Static, Type } from 'typebox'
import { endpoint } from '../../endpoint.js'
import { LabelSelector } from '../../labels.js'
import { EquipmentIds, EquipmentName, input, named, onePage, Page, Paging } from '../../schema.js'
import { KNOWN_EXAMPLE, KnownObject } from './mapping.js'
import { ObjectId } from './object-values.js'

const KnownListQuery = input({
  ...Paging,
  equipment_id: EquipmentIds,
  label_selector: LabelSelector,
  object_id: Type.Optional(
    Type.Array(ObjectId('ID of an object.'), {
      maxItems: 100,
      description: 'Only objects with this ID; may be repeated.',
    }),
  ),
  state: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
      maxItems: 50,
      description:
        'Only objects of which one of the states is this, such as `PROCESSING` or `unknown (5)`; may be repeated.',
    }),
  ),
})
export type KnownListQuery = Static<typeof KnownListQuery>

export const SiteObject = named('SiteObject', {
  equipment_id: Type.String(),
  equipment_name: EquipmentName,
  ...KnownObject.properties,
})
export type SiteObject = Static<typeof SiteObject>

const EQUIPMENT = { equipment_id: 'eq_8d1f03c6a95e', equipment_name: 'etcher' }
const state = (word: string) => ({
  state: word,
  source: 'event' as const,
  since: '2026-01-31T08:00:02.000Z',
  message_id: '97',
})
const since = '2026-01-31T08:00:01.000Z'

const list = (what: string) => ({
  summary: `List the ${what} that are known of all equipment`,
  description: `What events and the questions of the gateway have said of the ${what}, the one that was known last first. Nothing is sent. Equipment without a mapping is there as far as somebody had it asked (\`POST /equipment/{id}/gem300/align\`).`,
  access: 'viewer' as const,
  query: KnownListQuery,
  reply: Page(SiteObject),
  errors: ['invalid_cursor'] as const,
})

export const knownListEndpoints = {
  listKnownCarriers: endpoint('GET /carriers', {
    ...list('carriers'),
    tag: 'carriers',
    examples: { reply: onePage([{ ...EQUIPMENT, ...KNOWN_EXAMPLE }]) },
  }),
  listKnownJobs: endpoint('GET /jobs', {
    ...list('process jobs'),
    tag: 'jobs',
    examples: {
      reply: onePage<SiteObject>([
        {
          ...EQUIPMENT,
          kind: 'job',
          object_id: 'PJ-1',
          states: { state: state('PROCESSING') },
          details: { recipe: 'OXIDE-ETCH-01' },
          since,
        },
      ]),
    },
  }),
  listKnownSubstrates: endpoint('GET /substrates', {
    ...list('substrates'),
    tag: 'substrates',
    examples: {
      reply: onePage<SiteObject>([
        {
          ...EQUIPMENT,
          kind: 'substrate',
          object_id: 'W1',
          states: { state: state('AT_WORK'), processing: state('IN_PROCESS') },
          details: { location: 'Chamber1', lot: 'L1' },
          since,
        },
      ]),
    },
  }),
} as const
