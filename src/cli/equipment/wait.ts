import { followEvents } from '../../client/events.js'
import { isPassing } from '../../client/persistent.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import { standing } from '../../inspection/dialling.js'
import { delay } from '../../kit/clock.js'
import { argumentWord } from '../../kit/shell-word.js'
import {
  isInState,
  needsAlarms,
  type Observed,
  STATES,
  type State,
} from '../../scenario/run/equipment-states.js'
import { partsOf, requireAlids } from '../alarms/alarm-flags.js'
import { Failure, wrongUsage } from '../errors/failure.js'
import { eventSummary } from '../events/event-output.js'
import { GatewayCommand } from '../gateway-command.js'
import { SEVERAL_EQUIPMENT } from '../input/arguments.js'
import { parseDuration } from '../input/durations.js'
import { choicesFlag, switchFlag, textFlag, textsFlag } from '../input/flags.js'
import type { Progress } from '../output/progress.js'
import { verb } from '../verb.js'
import { equipmentColumns, healthText } from './equipment-output.js'
import { TARGET_FLAGS } from './equipment-targets.js'
import { namesOf } from './unreached.js'

const PHRASES: Partial<Readonly<Record<State, string>>> = {
  'health-ok': 'in health ok',
  'health-degraded': 'in health degraded',
  'health-failing': 'in health failing',
  alarm: 'with an active alarm',
  'no-alarm': 'without an active alarm',
}

/** Such as `communicating and in health ok`. */
const goalText = (states: readonly State[]): string =>
  states.map((state) => PHRASES[state] ?? state).join(' and ')

/** Whether it is in all of these states. */
export const isIn = (states: readonly State[], observed: Observed): boolean =>
  states.every((state) => isInState(state, observed))

/** What holds instead of the first of these states that it is not in. */
function stateText(states: readonly State[], observed: Observed): string {
  const { equipment, hasAlarm } = observed
  const missing = states.find((state) => !isInState(state, observed)) ?? ''
  if (missing.startsWith('health')) return `health ${healthText(equipment)}`
  if (missing.endsWith('alarm')) return hasAlarm ? 'an alarm is active' : 'no alarm is active'
  if (missing.endsWith('locked')) return equipment.lock ? `locked by ${equipment.lock.by}` : 'not locked'
  return standing(equipment)
}

/** Between two looks when no event says that something changed: health and locks change without one. */
const LOOK_INTERVAL_MS = 1000
/** Between two looks at least. */
const MIN_LOOK_MS = 200

interface Wanted {
  readonly chosen: readonly Equipment[]
  readonly states: readonly State[]
  /** Only alarms with these ALIDs count. */
  readonly alid: readonly string[] | undefined
  /** One of the chosen is enough. */
  readonly any: boolean
  readonly until: number
}

interface Found {
  readonly reached: readonly Observed[]
  readonly left: readonly Observed[]
}

export const equipmentWait = verb(GatewayCommand, {
  summary: 'Wait until equipment is in a state.',
  description: `The states are ${STATES.join(', ')}. For several equipments, waits until all of them are in the state at the same time, or with --any until one is. After --timeout the exit code is 7, and the error names those that are not in the state.`,
  examples: [
    'secsctl equipment wait etcher --for communicating',
    'secsctl equipment wait etcher --for online-remote --timeout 5m',
    "secsctl equipment wait 'etch-*' --for communicating --for health-ok",
    'secsctl equipment wait -l area=etch --for no-alarm --alid 4001',
  ],
  args: { equipment: SEVERAL_EQUIPMENT },
  strict: false,
  flags: {
    for: choicesFlag(STATES, 'The state to wait for. May be repeated: all of them have to hold.', {
      required: true,
      helpValue: 'STATE',
    }),
    ...TARGET_FLAGS,
    any: switchFlag('Until one of the equipment is in the state.'),
    alid: textsFlag('ALID', 'With alarm and no-alarm: only this ALID or range counts. May be repeated.'),
    timeout: textFlag('DURATION', 'How long to wait.', { default: '30s' }),
  },
  async run(on, { words, flags }) {
    const { for: states, alid, any, timeout } = flags
    const until = on.clock.now() + parseDuration(timeout, '--timeout')
    if (alid && !states.some(needsAlarms)) throw wrongUsage('--alid needs --for alarm or --for no-alarm')
    await requireAlids(on, alid)
    const chosen = await on.chosen(words, flags.all, flags.selector)
    if (chosen.length === 0)
      throw new Failure('missing', 'no equipment is registered', 'secsctl equipment list')
    const alids = partsOf(alid, '--alid')
    const wanted = { chosen, states, alid: alids, any, until }
    const { reached, left } = await on.during('', (progress) => wait(on, wanted, progress))
    const isReached = left.length === 0 || (any && reached.length > 0)
    const shown = reached.map(({ equipment }) => equipment)
    const [only] = shown
    if (chosen.length === 1 && only) return on.printOne(only, equipmentColumns(on.formatTime))
    if (chosen.length > 1) await on.printList(shown, equipmentColumns(on.formatTime), '')
    if (!isReached) throw notReached(wanted, left, timeout)
  },
})

async function wait(on: GatewayCommand, wanted: Wanted, progress: Progress): Promise<Found> {
  const { chosen, states, any, until } = wanted
  const goal = goalText(states)
  const over = new AbortController()
  let changed = new AbortController()
  let last: Found | undefined
  const following = follow(on, wanted, progress, over.signal, () => changed.abort())
  try {
    for (;;) {
      changed = new AbortController()
      try {
        last = await look(on, wanted)
      } catch (error) {
        // A gateway that is restarted is waited for, too.
        if (!last || !isPassing(error)) throw error
      }
      const { reached, left } = last
      const rest = until - on.clock.now()
      if (left.length === 0 || (any && reached.length > 0) || rest <= 0) return last
      const missing = namesOf(left.map(({ equipment }) => equipment))
      progress.start(
        chosen.length === 1
          ? `waiting until ${missing} is ${goal}`
          : `${reached.length} of ${chosen.length} are ${goal}; not ${missing}`,
      )
      await delay(on.clock, Math.min(MIN_LOOK_MS, rest))
      await delay(on.clock, Math.min(LOOK_INTERVAL_MS, rest) - MIN_LOOK_MS, changed.signal)
    }
  } finally {
    over.abort()
    await following
  }
}

/** Calls `changed` at each change of the equipment; one equipment's changes are also printed. */
async function follow(
  on: GatewayCommand,
  { chosen, states }: Wanted,
  progress: Progress,
  signal: AbortSignal,
  changed: () => void,
): Promise<void> {
  const names = new Map(chosen.map(({ id, name }) => [id, name]))
  const type = [
    'connection' as const,
    'state' as const,
    ...(states.some(needsAlarms) ? ['alarm' as const] : []),
  ]
  // Of several, events of other equipment are left out here: a query names a limited number.
  const query = { type, ...(chosen.length === 1 && { equipment_id: [...names.keys()] }) }
  try {
    const { options } = await on.client()
    const follow = { ...options, clock: on.clock, ...on.persistence() }
    for await (const event of followEvents(follow, query, signal)) {
      const name = names.get(event.equipment_id)
      if (name === undefined) continue
      if (chosen.length === 1) progress.line(`${name}: ${event.name}  ${eventSummary(event)}`.trimEnd())
      changed()
    }
  } catch {
    // Without events the equipment is looked at in intervals, which report the fault if it lasts.
  }
}

async function look(on: GatewayCommand, { chosen, states, alid }: Wanted): Promise<Found> {
  const found = await equipment(on, chosen)
  const withAlarm = states.some(needsAlarms) ? await idsWithAlarm(on, alid) : new Set<string>()
  const observed = found.map((equipment) => ({ equipment, hasAlarm: withAlarm.has(equipment.id) }))
  return {
    reached: observed.filter((one) => isIn(states, one)),
    left: observed.filter((one) => !isIn(states, one)),
  }
}

/** Of several, by one call. */
async function equipment(on: GatewayCommand, chosen: readonly Equipment[]): Promise<readonly Equipment[]> {
  const [only, ...others] = chosen
  if (only && others.length === 0) return [await on.call(endpoints.getEquipment, { params: { id: only.id } })]
  const registered = new Map((await on.allEquipment()).map((one) => [one.id, one]))
  return chosen.map(({ id, name }) => {
    const equipment = registered.get(id)
    if (!equipment) throw new Failure('missing', `${name} was removed`, 'secsctl equipment list')
    return equipment
  })
}

/** Ids of the equipment that has an active alarm. */
async function idsWithAlarm(
  on: GatewayCommand,
  alid: readonly string[] | undefined,
): Promise<ReadonlySet<string>> {
  const query = { active: true, ...(alid && { alid: [...alid] }) }
  const found = new Set<string>()
  for await (const { equipment_id } of on.recordsOf(endpoints.listAlarms, query)) found.add(equipment_id)
  return found
}

function notReached({ chosen, states, any }: Wanted, left: readonly Observed[], timeout: string): Failure {
  const goal = goalText(states)
  const [one] = left
  if (chosen.length === 1 && one) {
    const { name } = one.equipment
    const detail = `${name} is not ${goal} after ${timeout}: ${stateText(states, one)}`
    return new Failure('timeout', detail, `secsctl equipment show ${argumentWord(name)}`)
  }
  const each = left
    .map((observed) => `${observed.equipment.name} (${stateText(states, observed)})`)
    .join(', ')
  const which = any
    ? `none of ${chosen.length} equipment is`
    : `${left.length} of ${chosen.length} equipment are not`
  return new Failure('timeout', `${which} ${goal} after ${timeout}: ${each}`, 'secsctl equipment list')
}
