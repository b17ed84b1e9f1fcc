import type { ToolState } from '../gateway/tool-state.js'

/** The states of equipment in SEMI E10, and the time of which nothing is known. */
export const E10_WORDS = [
  'productive',
  'standby',
  'engineering',
  'scheduled-down',
  'unscheduled-down',
  'non-scheduled',
  'unknown',
] as const
export type E10Word = (typeof E10_WORDS)[number]

/** What the gateway can tell of equipment over time, as tiles name it: alarms and health are no states of E10. */
export const GATEWAY_STATES = [
  'remote',
  'local',
  'online',
  'offline',
  'connecting',
  'disconnected',
  'disabled',
] as const satisfies readonly ToolState[]
export type GatewayState = (typeof GATEWAY_STATES)[number]

/** The word of E10 for each state of the gateway. */
export type Mapping = Readonly<Record<GatewayState, E10Word>>

/**
 * Without a configuration. Nothing is productive, since the gateway does not see whether equipment processes; and
 * equipment that is offline may be down or in maintenance, so that is unknown.
 */
export const USUAL_MAPPING: Mapping = {
  remote: 'standby',
  local: 'standby',
  online: 'standby',
  offline: 'unknown',
  connecting: 'unknown',
  disconnected: 'unscheduled-down',
  disabled: 'non-scheduled',
}

const isWord = (text: string | undefined): text is E10Word => E10_WORDS.some((known) => known === text)

/** The mapping that an address has, in values such as `remote.productive`. What cannot be read is ignored. */
export function mappingOf(given: readonly string[]): Mapping {
  const mapping = { ...USUAL_MAPPING }
  for (const text of given) {
    const [from, to] = text.split('.')
    const state = GATEWAY_STATES.find((known) => known === from)
    if (state && isWord(to)) mapping[state] = to
  }
  return mapping
}

/** The values of an address for a mapping: what differs from the usual one. */
export const mappingQuery = (mapping: Mapping): readonly string[] =>
  GATEWAY_STATES.filter((state) => mapping[state] !== USUAL_MAPPING[state]).map(
    (state) => `${state}.${mapping[state]}`,
  )

/** The label that sets the word of one equipment, and with a state after it the word for that state alone. */
const E10_LABEL = 'e10'

/**
 * The mapping of one equipment: its labels take precedence over the mapping of the site. `e10=engineering` is for all
 * states, `e10.remote=productive` for one. Labels have no history, so they count for all of the time that is shown.
 */
export function mappingFor(labels: Readonly<Record<string, string>>, mapping: Mapping): Mapping {
  const own = { ...mapping }
  const always = labels[E10_LABEL]
  for (const state of GATEWAY_STATES) {
    const word = labels[`${E10_LABEL}.${state}`] ?? always
    if (isWord(word)) own[state] = word
  }
  return own
}
