import type { Equipment } from '../contract/equipment.js'
import { tapPort } from '../contract/tap-port.js'
import type { TapLine, TapPair, TapReport, TapSide } from '../contract/topics/equipment/tap-report.js'
import type { Message } from '../contract/topics/messages.js'
import { durationWords } from '../kit/duration-text.js'
import { argumentWord, shellWord } from '../kit/shell-word.js'
import { addressText } from './dialling.js'
import { type Finding, note, ok, wrong } from './finding.js'

/** What is checked, in this order. */
type Name =
  | 'tap'
  | 'host'
  | 'equipment'
  | 'select'
  | 'communication'
  | 'device ID'
  | 'from host'
  | 'from equipment'
  | 'transactions'
  | 'errors'
  | 'linktest'
  | 'delay'
  | 'record'
  | 'gateway'
  | 'definitions'
export type TapFinding = Finding<Name>
type Side = 'host' | 'equipment'

export interface TapSeen {
  readonly equipment: Equipment
  readonly report: TapReport
  /** RPTIDs in events of late whose definition is not known. */
  readonly unknownReports: readonly string[]
}

/** A connection that equipment ends so soon was not taken at all. */
const AT_ONCE_MS = 10_000
/** Handling of one chunk that takes longer is worth a look. */
const LONG_HANDLING_MS = 100
const LONG_HELD_MS = 1_000
const COMPLAINTS_OF_THE_LINE: Readonly<Record<string, string>> = {
  S9F1: 'it does not know the device ID',
  S9F9: 'a reply of the host did not come within its T3',
}

const other = (side: Side): Side => (side === 'host' ? 'equipment' : 'host')
const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)
const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`

/**
 * Checks whether equipment and its host see through a tap what they saw without it, from the addresses to the
 * definitions. While they are not connected, the rest is left out.
 */
export function tapFindings(seen: TapSeen): readonly TapFinding[] {
  const { line } = seen.report
  if (!seen.equipment.enabled || !line || line.listening === null) return [closed(seen)]
  const open = ok('tap', `open for ${ageOf(line.since, seen)}, at port ${line.listening} of the gateway`)
  const { pair } = line
  if (!pair) return [open, ...unpaired(seen, line)]
  return [
    open,
    connected('host', seen, line, pair),
    connected('equipment', seen, line, pair),
    selected(seen, pair),
    communicates(seen),
    deviceId(seen, pair),
    traffic('host', pair.host, seen),
    traffic('equipment', pair.equipment, seen),
    transactions(seen),
    errors(seen, pair),
    linktest(seen, pair),
    delay(pair),
    recorded(seen),
    ofGateway(pair),
    definitions(seen),
  ]
}

/** Reports of events whose definition is not known: of the events, newest first, the newest of each counts. */
export function unknownReports(events: readonly Message[]): readonly string[] {
  const newest = new Map<string, NonNullable<Message['collection_event']>>()
  for (const { collection_event: event } of events)
    if (event && !newest.has(event.ceid)) newest.set(event.ceid, event)
  const unknown = [...newest.values()].flatMap(({ reports }) =>
    reports.filter(({ detail }) => detail !== undefined).map(({ rptid }) => rptid),
  )
  return [...new Set(unknown)]
}

/** One sentence about all of them. */
export function tapVerdict(findings: readonly TapFinding[]): string {
  const bad = findings.filter(({ mark }) => mark === 'wrong').map(({ name }) => name)
  if (bad.length > 0) return `The tap has a problem: ${bad.join(', ')}. Begin with the first.`
  const open = findings.filter(({ mark }) => mark === 'note').map(({ name }) => name)
  const rest = open.length > 0 ? ` Look at: ${open.join(', ')}.` : ''
  return `Host and equipment see through the tap what they saw without it.${rest}`
}

/** In milliseconds, by the clock of the gateway. */
const since = (time: string, { report }: Pick<TapSeen, 'report'>): number =>
  Math.max(0, Date.parse(report.at) - Date.parse(time))
const ageOf = (time: string, seen: Pick<TapSeen, 'report'>): string => durationWords(since(time, seen))

/** Who dials the gateway; the other side is dialled. */
const callerOf = ({ mode }: Equipment): Side => (mode === 'passive' ? 'host' : 'equipment')

/** Where a side is, as it is registered. */
function placeOf(side: Side, { equipment }: TapSeen): string {
  const { tap, mode } = equipment
  if (side === 'equipment') return mode === 'passive' ? addressText(equipment) : (equipment.ip_address ?? '?')
  return mode === 'passive' ? (tap?.host_address ?? '?') : `${tap?.host_address}:${tap?.host_port}`
}

/** What prevents a tap from being opened. */
const NOT_OPENED: readonly string[] = ['listen_failed', 'no_route']

/** It is to be opened, was not open yet, and nothing is known to prevent it: its process may be starting. */
export function isBeingOpened({
  equipment: { enabled, tap_link, last_error },
  report: { line },
}: {
  readonly equipment: Pick<Equipment, 'enabled' | 'tap_link' | 'last_error'>
  readonly report: Pick<TapReport, 'line'>
}): boolean {
  if (!enabled || tap_link?.state !== 'closed') return false
  if (last_error && NOT_OPENED.includes(last_error.code)) return false
  return line === null || (line.listening === null && line.fault === null)
}

function closed({ equipment, report: { line } }: TapSeen): TapFinding {
  const word = argumentWord(equipment.name)
  if (!equipment.enabled)
    return wrong(
      'state',
      'tap',
      'closed: the equipment is not to be connected',
      `secsctl equipment connect ${word}`,
    )
  if (line?.fault)
    return wrong('state', 'tap', `it does not listen: ${line.fault}`, `secsctl equipment show ${word}`)
  if (isBeingOpened({ equipment, report: { line } }))
    return wrong(
      'state',
      'tap',
      'it is not open yet: the process that holds the link (secsctl tap run) is being started',
      'secsctl tap status',
    )
  const last = equipment.last_error ? `: ${equipment.last_error.detail}` : ''
  if (line) return wrong('state', 'tap', `it does not listen yet${last}`, `secsctl equipment show ${word}`)
  const why = 'the process that holds the link (secsctl tap run) does not respond'
  return wrong('state', 'tap', `${why}${last}`, 'secsctl tap status')
}

/** Neither side is connected: who has not come, or was not let in. */
function unpaired(seen: TapSeen, line: TapLine): readonly TapFinding[] {
  const caller = callerOf(seen.equipment)
  const of = (side: Side): TapFinding =>
    side === caller ? notCalling(side, seen, line) : notDialled(side, seen, line)
  return [of('host'), of('equipment')]
}

const isAfter = (time: string | undefined, before: string | undefined): boolean =>
  time !== undefined && (before === undefined || time > before)

function notCalling(caller: Side, seen: TapSeen, line: TapLine): TapFinding {
  const { equipment } = seen
  const { last_pair: last, not_dialled: failed } = line
  const stranger = strangersOf(line).at(-1)
  if (stranger && isAfter(stranger.last_at, last?.ended?.at)) return refusedStranger(caller, stranger, seen)
  if (failed && isAfter(failed.last_at, last?.ended?.at))
    return note(
      caller,
      `it dialled ${ageOf(failed.last_at, seen)} ago, and was broken off, since the other side could not be dialled`,
    )
  if (last?.ended)
    return wrong(
      'state',
      caller,
      `not connected: the last connection began ${ageOf(last.since, seen)} ago, lasted ${lasted(last)}, and the ${last.ended.by} ${last.ended.how === 'closed' ? 'closed' : 'broke off'} first`,
      `secsctl events list --equipment ${shellWord(equipment.name)} --type connection --limit 10`,
    )
  const instead = caller === 'host' ? ` instead of ${addressText(equipment)}` : ' instead of its host'
  return wrong(
    'state',
    caller,
    `nobody has dialled port ${line.listening} since the tap was opened ${ageOf(line.since, seen)} ago: have the ${caller} ${placeOf(caller, seen)} dial that port of the gateway${instead}, and look for a firewall between the two`,
    `secsctl equipment show ${argumentWord(equipment.name)}`,
  )
}

const strangersOf = ({ refused }: TapLine): TapLine['refused'] =>
  refused.filter(({ reason }) => reason === 'stranger')

function refusedStranger(
  caller: Side,
  { address, count, last_at }: TapLine['refused'][number],
  seen: TapSeen,
): TapFinding {
  const { equipment } = seen
  const word = argumentWord(equipment.name)
  const change = caller === 'host' ? `--tap-host ${address}` : `--address ${address}:${tapPort(equipment)}`
  return wrong(
    'state',
    caller,
    `${address} was refused ${times(count)}, the last time ${ageOf(last_at, seen)} ago: only ${placeOf(caller, seen).replace(/:\d+$/, '')} may dial. If ${address} is the ${caller}, register that address`,
    `secsctl equipment disconnect ${word}; secsctl equipment update ${word} ${change}; secsctl equipment connect ${word}`,
  )
}

const lasted = ({ since: began, ended }: TapPair): string =>
  durationWords(Date.parse(ended?.at ?? began) - Date.parse(began))

/** It ended the connection before anything was agreed: it may not take the address of the gateway. */
function wasNotTaken(side: Side, pair: TapPair): boolean {
  const { ended } = pair
  if (!ended || ended.by !== side || pair.selected || pair[side].bytes > 0) return false
  return Date.parse(ended.at) - Date.parse(pair.since) < AT_ONCE_MS
}

function notDialled(side: Side, seen: TapSeen, line: TapLine): TapFinding {
  const { not_dialled: failed, last_pair: last } = line
  const test = side === 'equipment' ? `secsctl equipment test ${addressText(seen.equipment)}` : undefined
  if (failed && isAfter(failed.last_at, last?.ended?.at))
    return wrong('state', side, `could not be dialled ${times(failed.count)}: ${failed.detail}`, test)
  if (last && wasNotTaken(side, last))
    return wrong(
      'state',
      side,
      `it ended the connection after ${lasted(last)}, before it sent a byte: it may accept only the address of the other side that it had. Set the address of the gateway, ${last[side].local.replace(/:\d+$/, '')}, there, or end its other connection`,
      test,
    )
  return note(
    side,
    `not connected: the gateway dials ${placeOf(side, seen)} once the ${other(side)} has dialled`,
  )
}

function connected(side: Side, seen: TapSeen, line: TapLine, pair: TapPair): TapFinding {
  const { remote } = pair[side]
  const way = side === callerOf(seen.equipment) ? 'connected from' : 'connected at'
  const detail = `${way} ${remote} for ${ageOf(pair.since, seen)}`
  if (side !== callerOf(seen.equipment)) return ok(side, detail)
  const turned = line.refused.map(({ address, count, reason }) => {
    const why = reason === 'stranger' ? 'another address' : 'a second connection'
    return `${address} ${times(count)} (${why})`
  })
  const before = line.pairs > 1 ? `; connected ${times(line.pairs)} since the tap was opened` : ''
  if (turned.length > 0) return note(side, `${detail}${before}; refused: ${turned.join(', ')}`)
  return ok(side, `${detail}${before}`)
}

function selected(seen: TapSeen, pair: TapPair): TapFinding {
  if (pair.selected) return ok('select', 'SELECTED')
  const { select } = pair
  if (select && select.status !== 0)
    return wrong('equipment', 'select', `Select.rsp refuses: status ${select.status}, ${select.text}`)
  for (const side of ['host', 'equipment'] as const) {
    const { unanswered } = pair[side]
    if (unanswered?.name === 'Select.req')
      return wrong(
        'equipment',
        'select',
        `the ${other(side)} has not responded to Select.req for ${ageOf(unanswered.since, seen)}`,
      )
  }
  return wrong(
    'state',
    'select',
    `not selected, and neither side has sent Select.req for ${ageOf(pair.since, seen)}`,
  )
}

function communicates({ equipment }: TapSeen): TapFinding {
  const { name, communication, communication_state: state } = equipment
  if (communication === 'none') return ok('communication', 'SELECTED is enough: it is set to have no GEM')
  if (state === 'COMMUNICATING')
    return ok('communication', `${state}, control state ${equipment.control_state}`)
  return wrong(
    'state',
    'communication',
    `${state}: no S1F13 of the two was accepted yet, and no reply has passed`,
    `secsctl messages list --equipment ${shellWord(name)} --message S1F13 --limit 5`,
  )
}

function deviceId({ equipment, report }: TapSeen, { host, equipment: tool }: TapPair): TapFinding {
  const complaint = report.gateway.stream9.find(({ message }) => message === 'S9F1')
  if (complaint)
    return wrong(
      'equipment',
      'device ID',
      `the equipment does not know that of the host (S9F1, ${times(complaint.count)})`,
    )
  if (host.session_id === null || tool.session_id === null)
    return note('device ID', 'not seen yet: no message of both sides has passed')
  if (host.session_id !== tool.session_id)
    return wrong(
      'equipment',
      'device ID',
      `the host sends ${host.session_id}, the equipment ${tool.session_id}`,
    )
  if (host.session_id === equipment.device_id) return ok('device ID', `${host.session_id} on both sides`)
  return note(
    'device ID',
    `${host.session_id} on both sides, registered is ${equipment.device_id}: the gateway uses that of the line`,
  )
}

function traffic(side: Side, one: TapSide, seen: TapSeen): TapFinding {
  const name = `from ${side}` as const
  if (!one.readable)
    return wrong(
      'equipment',
      name,
      'its bytes are no HSMS: they pass, and are not recorded until the next connection',
    )
  if (one.last_at === null) return note(name, 'it has sent nothing yet')
  const passed = [
    counted(one.primaries, 'primary', 'primaries'),
    counted(one.replies, 'reply', 'replies'),
    counted(one.bytes, 'byte'),
  ]
  return ok(name, `${passed.join(', ')}; the last ${ageOf(one.last_at, seen)} ago`)
}

function transactions({ equipment, report: { gateway } }: TapSeen): TapFinding {
  const { host, equipment: tool, outcomes } = gateway
  const name = shellWord(equipment.name)
  const timedOut = outcomes.find(({ outcome }) => outcome === 'timed_out')?.count ?? 0
  if (timedOut > 0)
    return wrong(
      'equipment',
      'transactions',
      `the equipment did not reply to the host within T3 ${times(timedOut)}`,
      `secsctl messages list --equipment ${name} --from-side host --outcome timed_out`,
    )
  const t3 = equipment.timers.t3
  if (tool.oldest_ms !== null && tool.oldest_ms > t3 * 1000)
    return wrong(
      'equipment',
      'transactions',
      `the host has not replied to ${tool.open} of the equipment, the oldest for ${durationWords(tool.oldest_ms)} (T3 is ${t3} s)`,
      `secsctl messages list --equipment ${name} --from-side equipment --outcome pending`,
    )
  const text = (who: string, { replied, open, reply_ms: took }: typeof host): string => {
    const within = took
      ? ` in ${durationWords(took.p50)} (95 % within ${durationWords(took.p95)}, all within ${durationWords(took.max)})`
      : ''
    return `of the ${who} ${replied} replied${within}, ${open} open`
  }
  return ok('transactions', `${text('host', host)}; ${text('equipment', tool)}`)
}

function errors(seen: TapSeen, pair: TapPair): TapFinding {
  const { equipment, report } = seen
  const { stream9, outcomes } = report.gateway
  const ended = outcomes.filter(
    ({ outcome }) => outcome === 'aborted' || outcome === 'rejected' || outcome === 'error',
  )
  const rejects = (['host', 'equipment'] as const).flatMap((side) => {
    const count = pair[side].control.find(({ name }) => name === 'Reject.req')?.count ?? 0
    return count > 0 ? [`Reject.req of the ${side} ${times(count)}`] : []
  })
  const all = [
    ...stream9.map(({ message, count }) => `${message} ${times(count)}`),
    ...rejects,
    ...ended.map(({ outcome, count }) => `${outcome} ${times(count)}`),
  ]
  if (all.length === 0)
    return ok('errors', `no stream 9, Reject.req or abort for ${ageOf(report.gateway.since, seen)}`)
  const show = `secsctl messages list --equipment ${shellWord(equipment.name)} ${stream9.length > 0 ? '--message S9' : '--from-side host --outcome aborted --outcome rejected --outcome error'}`
  const grave = stream9.find(({ message }) => COMPLAINTS_OF_THE_LINE[message])
  const why = grave ? `: ${COMPLAINTS_OF_THE_LINE[grave.message]}` : ''
  return grave
    ? wrong('equipment', 'errors', `${all.join(', ')}${why}`, show)
    : note('errors', `${all.join(', ')}: compare with what there was before the tap`, show)
}

function linktest(seen: TapSeen, pair: TapPair): TapFinding {
  const t6 = seen.equipment.timers.t6
  const sides = ['host', 'equipment'] as const
  for (const side of sides) {
    const { unanswered } = pair[side]
    if (unanswered?.name === 'Linktest.req' && since(unanswered.since, seen) > t6 * 1000)
      return wrong(
        'equipment',
        'linktest',
        `the ${other(side)} has not responded to Linktest.req for ${ageOf(unanswered.since, seen)} (T6 is ${t6} s)`,
      )
  }
  const count = (side: Side, name: string): number =>
    pair[side].control.find((one) => one.name === name)?.count ?? 0
  const sent = sides.map((side) => count(side, 'Linktest.req'))
  if (sent.every((one) => one === 0)) return ok('linktest', 'neither side has sent one')
  return ok(
    'linktest',
    sides
      .map((side, at) => `${sent[at]} of the ${side}, ${count(other(side), 'Linktest.rsp')} responses`)
      .join('; '),
  )
}

function delay({ handling, host, equipment }: TapPair): TapFinding {
  const took = `${handling.mean_ms.toFixed(3)} ms on average, ${handling.max_ms.toFixed(1)} ms at most`
  const held = (
    [
      ['host', host],
      ['equipment', equipment],
    ] as const
  ).flatMap(([side, { held_ms }]) =>
    held_ms > LONG_HELD_MS
      ? [`the ${side} did not read for ${durationWords(held_ms)} in all, and the other side waited`]
      : [],
  )
  const isLong = handling.max_ms > LONG_HANDLING_MS
  return held.length > 0 || isLong
    ? note('delay', [took, ...held].join('; '))
    : ok('delay', `the tap took ${took}`)
}

function recorded(seen: TapSeen): TapFinding {
  const { equipment } = seen
  const { gateway } = seen.report
  if (gateway.unrecorded === 0) return ok('record', 'all that has passed is recorded')
  return note(
    'record',
    `${counted(gateway.unrecorded, 'message')} passed and could not be recorded, since ${ageOf(gateway.since, seen)}`,
    `secsctl events list --equipment ${shellWord(equipment.name)} --name tap_gap`,
  )
}

function ofGateway({ gateway_sent: sent, gateway_replied: replied, mapped }: TapPair): TapFinding {
  if (sent === 0) return ok('gateway', 'it has sent nothing')
  const text = `${sent} sent for clients, ${replied} replied; system bytes replaced ${mapped === 0 ? 'never' : times(mapped)}`
  return sent > replied + 1 ? note('gateway', text) : ok('gateway', text)
}

function definitions({ equipment, unknownReports: unknown }: TapSeen): TapFinding {
  if (unknown.length === 0) return ok('definitions', 'the reports of all events of late are known')
  const which = unknown.length === 1 ? `report ${unknown[0]} is` : `reports ${unknown.join(', ')} are`
  return note(
    'definitions',
    `${which} not known until the host defines it again: their values have no names`,
    `secsctl reports observe ${argumentWord(equipment.name)} FILE`,
  )
}
