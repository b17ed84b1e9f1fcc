import type { Equipment } from '../contract/equipment.js'
import { Problem } from '../contract/errors.js'
import { tapAdvice } from '../contract/tap-words.js'
import type { NewMessage, Sent } from '../contract/topics/messages.js'
import type { AppliedReports } from '../contract/topics/reports.js'
import { argumentWord, shellWord } from '../kit/shell-word.js'
import { reportsFinding } from './applied-reports.js'
import { clockDifference } from './clock-difference.js'
import { addressText, whoDials } from './dialling.js'
import { type Finding, note, ok, wrong } from './finding.js'

/** What is checked, in this order. */
type Name =
  | 'connection'
  | 'communication'
  | 'reply'
  | 'variables'
  | 'control'
  | 'clock'
  | 'reports'
  | 'last error'
export type Check = Finding<Name>

export interface CheckWorld {
  /** Sends a primary and waits for its reply; rejects with `Problem`. */
  ask(message: NewMessage): Promise<Sent>
  /** The equipment's record as it is now. */
  record(): Promise<Equipment>
  /** Its event reports. */
  reports(): Promise<AppliedReports>
  now(): Date
}

/** The values of an equipment's ControlState as E30 suggests them, from 1. */
const CONTROL_STATES = [
  'EQUIPMENT_OFFLINE',
  'ATTEMPT_ONLINE',
  'HOST_OFFLINE',
  'ONLINE_LOCAL',
  'ONLINE_REMOTE',
] as const

/**
 * Checks one equipment from its connection to its clock, in this order; a check that depends on a failed one is
 * left out. Changes nothing.
 */
export async function* checksOf(equipment: Equipment, world: CheckWorld): AsyncGenerator<Check, void> {
  yield connection(equipment)
  if (equipment.connection_state !== 'SELECTED') return
  yield communication(equipment)
  if (equipment.communication_state !== 'COMMUNICATING') return
  let isKeptOffline = false
  const ask: CheckWorld['ask'] = (message) =>
    world.ask(message).catch((error: unknown) => {
      isKeptOffline = hasRefusedOnline(error)
      throw error
    })
  const answer = await asked({ ...world, ask }, 'reply', { stream: 1, function: 1 }, replyTime)
  if (equipment.communication === 'none') {
    // It has no GEM to check.
    yield answer
    yield lastError(equipment)
    return
  }
  yield atFault(answer, equipment.name)
  let states: readonly string[] = []
  if (answer.mark === 'ok') {
    yield await asked(world, 'variables', { stream: 1, function: 11 }, ({ reply }) => {
      const rows = rowsOf(reply?.data?.['ROWS'])
      states = rows
        .filter(({ SVNAME }) => /^control_?\s?state$/i.test(SVNAME ?? ''))
        .map(({ SVID = '' }) => SVID)
      return rows.length > 0
        ? ok('variables', `${rows.length} status variables (S1F11)`)
        : unread('variables')
    })
  }
  yield control(await world.record(), await reportedControlState(world, states), isKeptOffline)
  if (answer.mark === 'ok')
    yield await asked(world, 'clock', { stream: 2, function: 17 }, (sent) => clock(sent, equipment, world))
  const reports = reportsFinding(await world.reports(), equipment.name)
  if (reports) yield reports
  yield lastError(equipment)
}

function connection(equipment: Equipment): Check {
  const { name, enabled, connection_state: state, last_error: error } = equipment
  if (state === 'SELECTED') return ok('connection', `SELECTED. ${whoDials(equipment)}`)
  if (!enabled)
    return wrong(
      'state',
      'connection',
      `${state}: not meant to be`,
      `secsctl equipment connect ${argumentWord(name)}`,
    )
  const advice = tapAdvice(equipment, (at) => at ?? '')
  if (advice)
    return wrong(
      'state',
      'connection',
      `${state}. ${advice.text}`,
      `secsctl ${advice.command.replace('EQ', argumentWord(name))}`,
    )
  const why = error ? `${error.code}: ${error.detail}. ` : ''
  // Where the gateway listens, the test could not have its port.
  const next =
    equipment.mode === 'passive' && equipment.transport !== 'secs1-serial'
      ? `secsctl equipment test ${addressText(equipment)}`
      : `secsctl equipment show ${argumentWord(name)}`
  return wrong('state', 'connection', `${state}. ${why}${whoDials(equipment)}`, next)
}

function communication(equipment: Equipment): Check {
  const { name, communication: setting, communication_state: state, last_error: error } = equipment
  if (setting === 'none') return ok('communication', 'SELECTED is enough: it is set to have no GEM')
  if (state === 'COMMUNICATING') return ok('communication', state)
  if (equipment.tap)
    return wrong(
      'state',
      'communication',
      `${state}: the host has not established communication yet (S1F13)`,
      `secsctl messages list --equipment ${shellWord(name)} --limit 5`,
    )
  const why = error ? ` (${error.code}: ${error.detail})` : ''
  const word = argumentWord(name)
  const next =
    error?.code === 'wrong_session_id'
      ? `secsctl equipment disconnect ${word}; secsctl equipment update --session-id ${equipment.device_id} ${word}; secsctl equipment connect ${word}`
      : error?.code === 'wrong_device_id' || error?.code === 'line_noise'
        ? `secsctl explain ${error.code}`
        : `secsctl messages list --equipment ${shellWord(name)} --message S1F13 --limit 5`
  return wrong('state', 'communication', `${state}: S1F13 is not accepted yet${why}`, next)
}

function replyTime({ message, reply }: Sent): Check {
  const { MDLN, SOFTREV } = reply?.data ?? {}
  const model = [MDLN, SOFTREV].filter((part) => typeof part === 'string').join(' ')
  const took = message.latency_ms === undefined ? '' : ` in ${message.latency_ms.toFixed(1)} ms`
  return ok('reply', `S1F1 got its reply${took}${model === '' ? '' : `: ${model}`}`)
}

/** Equipment that does not reply even to S1F1 has something wrong with it. */
function atFault(answer: Check, name: string): Check {
  if (answer.mark !== 'note' || answer.kind === undefined) return answer
  return { ...answer, mark: 'wrong', mend: `secsctl messages list --equipment ${shellWord(name)} --limit 5` }
}

/** Of offline equipment that the gateway does not advise to ask to go online: it has refused that. */
const hasRefusedOnline = (error: unknown): boolean =>
  error instanceof Problem &&
  error.code === 'transaction_aborted' &&
  !error.extra.next?.some(({ operation }) => operation === 'goOnline')

/** Clients may not change tapped equipment, unless it is allowed: its host does. */
const isHostsAlone = ({ tap }: Equipment): boolean => tap !== null && tap !== undefined && !tap.writes

function control(equipment: Equipment, reported: string | undefined, isKeptOffline: boolean): Check {
  const { name, control_state: known } = equipment
  const state = reported ?? known
  const online = isHostsAlone(equipment) ? undefined : `secsctl equipment online ${argumentWord(name)}`
  switch (state) {
    case 'ONLINE_REMOTE':
      return ok('control', state)
    case 'ONLINE_LOCAL':
      return ok('control', `${state}: its operator commands it, and most remote commands are refused`)
    case 'UNKNOWN':
      return note('control', 'UNKNOWN: the equipment has not reported it yet', online)
    case 'EQUIPMENT_OFFLINE':
      return isKeptOffline
        ? wrong(
            'equipment',
            'control',
            `${state}: it has refused to go online for its host (ONLACK 1): its operator has to set it online there`,
            `secsctl equipment wait ${argumentWord(name)} --for online`,
          )
        : wrong(
            'equipment',
            'control',
            `${state}: ${online ? 'ask it to go online' : 'its host asks it to go online'}`,
            online,
          )
    default:
      return wrong('equipment', 'control', state, online)
  }
}

/** The value of its variable ControlState, where it has one that can be read. */
async function reportedControlState(world: CheckWorld, ids: readonly string[]): Promise<string | undefined> {
  const [id] = ids
  if (id === undefined) return undefined
  try {
    const { reply } = await world.ask({ stream: 1, function: 3, data: { SVID: [id] } })
    const value = [reply?.data?.['SV']].flat()[0]
    return CONTROL_STATES[Number(value) - 1]
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

function clock({ reply }: Sent, equipment: Equipment, world: CheckWorld): Check {
  const time = reply?.data?.['TIME']
  const difference = typeof time === 'string' ? clockDifference(time, world.now()) : undefined
  if (!difference) return unread('clock')
  if (difference.right) return ok('clock', difference.text)
  if (difference.zone) return note('clock', `${difference.text}: another time zone, it seems`)
  const mend = `secsctl clock set ${argumentWord(equipment.name)}`
  return wrong('state', 'clock', difference.text, isHostsAlone(equipment) ? undefined : mend)
}

function lastError({ last_error: error }: Equipment): Check {
  if (!error) return ok('last error', 'none')
  return note('last error', `${error.code}: ${error.detail}, at ${error.at}`)
}

const unread = (check: Name): Check => note(check, 'the reply cannot be read')

/** The check of an answer; without one, why. A message that equipment need not support is not wrong. */
async function asked(
  world: CheckWorld,
  check: Name,
  message: NewMessage,
  read: (sent: Sent) => Check,
): Promise<Check> {
  try {
    return read(await world.ask(message))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { kind, code } = error
    if (code === 'forbidden') return note(check, 'not asked: that needs the role engineer', 'secsctl whoami')
    const sxfy = `S${message.stream}F${message.function}`
    if (kind === 'equipment') return note(check, `${sxfy}: ${error.message}`, undefined, kind)
    return wrong(kind, check, `${sxfy}: ${error.message}`, `secsctl explain ${code}`)
  }
}

interface VariableRow {
  readonly SVID?: string
  readonly SVNAME?: string
}

const rowsOf = (rows: unknown): readonly VariableRow[] => (Array.isArray(rows) ? (rows as VariableRow[]) : [])
