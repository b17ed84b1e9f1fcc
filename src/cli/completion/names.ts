import type { GatewayClient } from '../../client/client.js'
import type { Equipment } from '../../contract/equipment.js'
import { addressText } from '../../inspection/dialling.js'
import { withTimeout } from '../../kit/clock.js'
import type { MachineEnvironment } from '../environment.js'
import type { Candidate } from './candidate.js'
import type { Names, ServerChoice } from './candidates.js'

/** Names that come later are not offered: a person waits at the keyboard. */
const RESPONSE_TIMEOUT_MS = 400

interface Named {
  readonly id: string
  readonly name: string
  readonly unit?: string
}

/** By name, and by id where it has none or another has the same. */
function byName(all: readonly Named[]): readonly Candidate[] {
  const times = new Map<string, number>()
  for (const { name } of all) times.set(name, (times.get(name) ?? 0) + 1)
  return all.map(({ id, name, unit = '' }) => {
    const isUnique = name !== '' && times.get(name) === 1
    const [value, other] = isUnique ? [name, id] : [id, name]
    return { value, description: unit === '' ? other : `${other}, ${unit}` }
  })
}

/** What `read` gives of a gateway and its equipment; nothing when no user is logged in, or it fails or is late. */
async function fromGateway(
  server: ServerChoice,
  environment: MachineEnvironment,
  read: (client: GatewayClient, equipment: readonly Equipment[]) => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  const ask = async (): Promise<readonly Candidate[]> => {
    const [{ Session }, { loggedInClient }, { endpoints }] = await Promise.all([
      import('../profile/server.js'),
      import('../profile/kept-login.js'),
      import('../../contract/endpoints.js'),
    ])
    const session = new Session(server, environment)
    const found = await session.server()
    const token = await session.keptToken(found, RESPONSE_TIMEOUT_MS)
    const client = await loggedInClient(session, found, token, RESPONSE_TIMEOUT_MS)
    return client ? read(client, (await client.call(endpoints.listEquipment, { query: {} })).items) : []
  }
  const found = withTimeout(environment.clock, RESPONSE_TIMEOUT_MS, ask())
  return (await found.catch(() => undefined)) ?? []
}

/** The equipment that a typed word means; patterns are rare, and take longer to load. */
async function meant(given: string, equipment: readonly Equipment[]): Promise<readonly Equipment[]> {
  if (/[,*?]/.test(given)) {
    const { equipmentMatching } = await import('../equipment/equipment-targets.js')
    return equipmentMatching([given], equipment)
  }
  const { equipmentNamed } = await import('../equipment/equipment-name.js')
  return [equipmentNamed(given, equipment)]
}

/** Lists of recipes (S7F20) that are searched. */
const MAX_LISTS = 20

/** The PPIDs of the equipment's last lists: equipment is not asked. */
async function recipesIn(
  client: GatewayClient,
  equipment: readonly Equipment[],
): Promise<readonly Candidate[]> {
  const { endpoints } = await import('../../contract/endpoints.js')
  const query = { stream: 7, function: 20, direction: 'received' as const, limit: MAX_LISTS }
  const equipment_id = equipment.length === 1 ? equipment.map(({ id }) => id) : undefined
  const { items } = await client.call(endpoints.listMessages, {
    query: equipment_id ? { ...query, equipment_id, limit: 1 } : query,
  })
  const wanted = new Set(equipment.map(({ id }) => id))
  const lists = items.flatMap(({ equipment_id, data }) => (wanted.has(equipment_id) ? data?.['PPID'] : []))
  const ppids = lists.filter((ppid): ppid is string => typeof ppid === 'string')
  return [...new Set(ppids)].map((value) => ({ value }))
}

/** What the gateway knows of the equipment's variables, constants or collection events: equipment is not asked. */
async function knownIn(
  list: 'variables' | 'constants' | 'collection-events',
  client: GatewayClient,
  equipment: readonly Equipment[],
): Promise<readonly Candidate[]> {
  const { endpoints } = await import('../../contract/endpoints.js')
  const lists = {
    variables: endpoints.listVariables,
    constants: endpoints.listConstants,
    'collection-events': endpoints.listCollectionEvents,
  }
  const found = new Map<string, Candidate>()
  for (const { id } of equipment) {
    const known = await client.call(lists[list], { params: { id }, query: { known: true } })
    for (const one of byName(known.items)) found.set(one.value, one)
  }
  return [...found.values()]
}

/** Each label with its value, and how many equipment have it. */
function labelsOf(equipment: readonly Equipment[]): readonly Candidate[] {
  const times = new Map<string, number>()
  for (const { labels } of equipment) {
    for (const [key, value] of Object.entries(labels ?? {})) {
      const text = `${key}=${value}`
      times.set(text, (times.get(text) ?? 0) + 1)
    }
  }
  return [...times].sort().map(([value, count]) => ({ value, description: `${count} equipment` }))
}

type GatewayNames = 'equipment' | 'listed' | 'labels' | 'openAlarms' | 'alids' | 'keys' | 'sinks'

const namesOfGateway = (environment: MachineEnvironment): Pick<Names, GatewayNames> => ({
  equipment: (server) =>
    fromGateway(server, environment, async (_, equipment) =>
      equipment.map((one) => ({
        value: one.name,
        description: `${addressText(one)}, ${one.connection_state}`,
      })),
    ),

  listed: (list, given, server) =>
    fromGateway(server, environment, async (client, equipment) => {
      const chosen = given === '' ? equipment : await meant(given, equipment)
      return list === 'recipes' ? recipesIn(client, chosen) : knownIn(list, client, chosen)
    }),

  labels: (server) => fromGateway(server, environment, async (_, equipment) => labelsOf(equipment)),

  openAlarms: (server) =>
    fromGateway(server, environment, async (client) => {
      const { endpoints } = await import('../../contract/endpoints.js')
      const { items } = await client.call(endpoints.listAlarms, {
        query: { acknowledged: false, limit: 100 },
      })
      return items.map(({ id, equipment_id, equipment_name, alid, text }) => ({
        value: id,
        description: `${equipment_name ?? equipment_id} ${alid} ${text}`,
      }))
    }),

  alids: (given, server) =>
    fromGateway(server, environment, async (client, equipment) => {
      const [{ endpoints }, { equipmentMatching }] = await Promise.all([
        import('../../contract/endpoints.js'),
        import('../equipment/equipment-targets.js'),
      ])
      const equipment_id = given === '' ? [] : equipmentMatching([given], equipment).map(({ id }) => id)
      const query = { limit: 1000, ...(equipment_id.length > 0 && { equipment_id }) }
      const { items } = await client.call(endpoints.listAlarms, { query })
      const texts = new Map(items.map(({ alid, text }) => [alid, text]))
      return [...texts].map(([value, description]) => ({ value, description }))
    }),

  keys: (server) =>
    fromGateway(server, environment, async (client) => {
      const { endpoints } = await import('../../contract/endpoints.js')
      const { items } = await client.call(endpoints.listKeys, { query: { limit: 1000 } })
      return items.map(({ name, role }) => ({ value: name, description: role }))
    }),

  sinks: (server) =>
    fromGateway(server, environment, async (client) => {
      const { endpoints } = await import('../../contract/endpoints.js')
      const { items } = await client.call(endpoints.listSinks, { query: {} })
      return items.map(({ name, kind, state }) => ({ value: name, description: `${kind}, ${state}` }))
    }),
})

/** Loaded when it is needed: flags are completed without it. */
const standard = () => import('../../catalogue/standard-catalogue.js')

/** The names that this machine and its gateway have. A failure gives no names and prints nothing. */
export const namesHere = (environment: MachineEnvironment): Names => ({
  ...namesOfGateway(environment),

  async alarmCategories() {
    const { CATEGORY_NAMES } = await import('../alarms/alarm-flags.js')
    return CATEGORY_NAMES.map((value, category) => ({ value, description: String(category) }))
  },

  async profiles() {
    const [{ Profiles }, { foldersOf }] = await Promise.all([
      import('../profile/profiles.js'),
      import('../profile/folders.js'),
    ])
    const profiles = await Profiles.open(foldersOf(environment).config).catch(() => undefined)
    return (profiles?.names() ?? []).map((name) => ({
      value: name,
      description: profiles?.get(name).url ?? 'the daemon on this machine',
    }))
  },

  async messages(of) {
    const { STANDARD_CATALOGUE } = await standard()
    const rows = STANDARD_CATALOGUE.messages.filter(
      ({ direction, function: fn }) =>
        of === 'all' || ((direction === of || direction === 'both') && fn % 2 === 1),
    )
    const byName = new Map(rows.map((row) => [`S${row.stream}F${row.function}`, row.name]))
    return [...byName].map(([value, description]) => ({ value, description }))
  },

  async dataItems() {
    const { STANDARD_CATALOGUE } = await standard()
    return STANDARD_CATALOGUE.items.map(({ name, meaning }) => ({ value: name, description: meaning }))
  },

  async itemsOf(message) {
    const [{ STANDARD_CATALOGUE }, { namesIn }, { parseMessageName }] = await Promise.all([
      standard(),
      import('../../catalogue/structure/structure.js'),
      import('../messages/message-argument.js'),
    ])
    // The typed part of a line may be no message.
    const name = await Promise.resolve(message)
      .then(parseMessageName)
      .catch(() => undefined)
    const row = name && STANDARD_CATALOGUE.find(name.stream, name.function, 'host')
    if (!row) return []
    const items = [...new Set(namesIn(STANDARD_CATALOGUE.structures(row)[0]))]
    return items.map((item) => ({ value: `${item}=`, description: STANDARD_CATALOGUE.item(item)?.meaning }))
  },

  async explained() {
    const { ENTRIES } = await import('../../explanation/vocabulary.js')
    const words = ENTRIES.filter(({ word }) => !word.includes(' ')).map(({ word, kind }) => ({
      value: word,
      description: kind,
    }))
    return [...words, ...(await this.dataItems()), ...(await this.messages('all'))]
  },

  timers: () =>
    ['t3', 't5', 't6', 't7', 't8', 'linktest', 'establish', 'slow_reply', 'presence'].map((name) => ({
      value: `${name}=`,
    })),
})
