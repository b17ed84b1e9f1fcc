import type { GatewayClient } from '../../client/client.js'
import { withTimeout } from '../../kit/clock.js'
import type { MachineEnvironment } from '../environment.js'
import type { Asked, Candidate, Having, Names } from './candidates.js'

/** Names are given up after so many milliseconds: somebody waits at the keyboard. */
const ANSWER_TIMEOUT_MS = 400

/** Undefined when nobody is logged in. */
async function clientHere(asked: Asked, environment: MachineEnvironment): Promise<GatewayClient | undefined> {
  const [{ Session }, { loggedInClient }] = await Promise.all([
    import('../profile/server.js'),
    import('../profile/kept-login.js'),
  ])
  const session = new Session(asked, environment)
  const server = await session.server()
  const found = await session.keptToken(server, ANSWER_TIMEOUT_MS)
  return loggedInClient(session, server, found, ANSWER_TIMEOUT_MS)
}

async function equipmentNames(asked: Asked, environment: MachineEnvironment): Promise<readonly Candidate[]> {
  const { endpoints } = await import('../../contract/endpoints.js')
  const client = await clientHere(asked, environment)
  if (!client) return []
  const { items } = await client.call(endpoints.listEquipment, { query: {} })
  return items.map(({ name, ip_address, port, connection_state }) => ({
    value: name,
    description: `${ip_address}:${port}, ${connection_state}`,
  }))
}

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
    const clear = name !== '' && times.get(name) === 1
    const told = clear ? id : name
    return { value: clear ? name : id, description: unit === '' ? told : `${told}, ${unit}` }
  })
}

/** What the gateway knows that the equipment `given` has, or all equipment where none is given. */
async function namesOf(
  what: Having,
  given: string,
  asked: Asked,
  environment: MachineEnvironment,
): Promise<readonly Candidate[]> {
  const [{ endpoints }, { equipmentNamed }] = await Promise.all([
    import('../../contract/endpoints.js'),
    import('../equipment/equipment-name.js'),
  ])
  const client = await clientHere(asked, environment)
  if (!client) return []
  const { items } = await client.call(endpoints.listEquipment, { query: {} })
  const lists = {
    variables: endpoints.listVariables,
    constants: endpoints.listConstants,
    'collection-events': endpoints.listCollectionEvents,
  }
  const found = new Map<string, Candidate>()
  for (const { id } of given === '' ? items : [equipmentNamed(given, items)]) {
    const known = await client.call(lists[what], { params: { id }, query: { known: true } })
    for (const one of byName(known.items)) found.set(one.value, one)
  }
  return [...found.values()]
}

/** What half a line says need not be a message. */
function nameIn<T>(text: string, parse: (text: string) => T | undefined): T | undefined {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/** Loaded when it is needed: a flag is completed without it. */
const standard = () => import('../../catalogue/standard-catalogue.js')

/** The names that this machine and its server have. Whatever fails gives nothing, and says nothing. */
export const namesHere = (environment: MachineEnvironment): Names => ({
  async equipment(asked) {
    const found = await withTimeout(
      environment.clock,
      ANSWER_TIMEOUT_MS,
      equipmentNames(asked, environment),
    ).catch(() => undefined)
    return found ?? []
  },

  async having(what, equipment, asked) {
    const found = await withTimeout(
      environment.clock,
      ANSWER_TIMEOUT_MS,
      namesOf(what, equipment, asked, environment),
    ).catch(() => undefined)
    return found ?? []
  },

  async profiles() {
    const [{ Profiles }, { foldersOf }] = await Promise.all([
      import('../profile/profiles.js'),
      import('../profile/folders.js'),
    ])
    const profiles = await Profiles.open(foldersOf(environment).config).catch(() => undefined)
    return (profiles?.names() ?? []).map((name) => {
      const url = profiles?.get(name).url
      return { value: name, description: url ?? 'the daemon on this machine' }
    })
  },

  async messages(of) {
    const { STANDARD_CATALOGUE } = await standard()
    const rows = STANDARD_CATALOGUE.messages.filter(
      ({ direction, function: fn }) => of === 'anybody' || (direction !== 'equipment' && fn % 2 === 1),
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
      import('../messages/message-name.js'),
    ])
    const name = nameIn(message, parseMessageName)
    const row = name && STANDARD_CATALOGUE.find(name.stream, name.function, 'host')
    if (!row) return []
    const items = [...new Set(namesIn(STANDARD_CATALOGUE.structures(row)[0]))]
    return items.map((item) => {
      const description = STANDARD_CATALOGUE.item(item)?.meaning
      return { value: `${item}=`, ...(description !== undefined && { description }) }
    })
  },

  async explained() {
    const { ENTRIES } = await import('../../explanation/vocabulary.js')
    const words = ENTRIES.filter(({ word }) => !word.includes(' ')).map(({ word, kind }) => ({
      value: word,
      description: kind,
    }))
    return [...words, ...(await this.dataItems()), ...(await this.messages('anybody'))]
  },

  timers: () =>
    ['t3', 't5', 't6', 't7', 't8', 'linktest', 'establish'].map((name) => ({ value: `${name}=` })),
})
