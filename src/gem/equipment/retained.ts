import { decodeItem } from '../../secs2/decode.js'
import { encodeItem } from '../../secs2/encode.js'
import { L } from '../../secs2/item.js'
import { typedValue } from '../typed-value.js'
import type { Equipment } from './equipment.js'
import { ACKC7, type StoredProgram } from './programs/programs.js'
import { DRACK, LRACK } from './reports/reports.js'
import type { ProgramState, Retained } from './retained-state.js'

export function retained(equipment: Equipment): Retained {
  const { alarms, constants, control, limits, programs, reports, spool, time } = equipment
  return {
    remote: control.remote,
    ahead: time.ahead,
    constants: { ...constants.values() },
    reports: reports.definitions().map(({ id, variables }) => ({ id, variables: [...variables] })),
    links: reports.links().map((link) => ({ event: link.event, reports: [...link.reports] })),
    enabledEvents: reports.enabledEvents(),
    enabledAlarms: alarms.enabledIds(),
    limits: limits.choose([]).map(({ id: variable, limits: defined }) => ({
      variable,
      limits: defined.map(({ id, upper, lower }) => ({
        id,
        deadBand: { upper: String(upper), lower: String(lower) },
      })),
    })),
    programs: (programs?.changeable() ?? []).flatMap((ppid) => programState(ppid, programs?.find(ppid))),
    ...(spool && { spool: spool.retained }),
  }
}

/**
 * Restores the retained state of an equipment that is not enabled yet. Returns the parts that were left out, because
 * its model no longer has them or they exceed a limit. Throws decoding errors for invalid items.
 */
export function restore(equipment: Equipment, before: Retained): string[] {
  const { alarms, constants, control, limits, programs, reports, spool, time } = equipment
  const lost: string[] = []
  const expect = (isThere: boolean, what: string): void => {
    if (!isThere) lost.push(what)
  }
  control.restore(before.remote)
  time.ahead = before.ahead
  for (const [id, value] of Object.entries(before.constants)) {
    expect(constants.restore(id, typedValue(value)), `constant ${id}`)
  }
  reports.define([])
  for (const one of before.reports) expect(reports.define([one]) === DRACK.accepted, `report ${one.id}`)
  for (const one of before.links)
    expect(reports.link([one]) === LRACK.accepted, `links of event ${one.event}`)
  reports.enable([], false)
  for (const id of before.enabledEvents) expect(reports.enable([id], true), `event ${id}`)
  alarms.enable([], false)
  for (const id of before.enabledAlarms) expect(alarms.enable([id], true), `alarm ${id}`)
  for (const { variable } of limits.restore(before.limits)) expect(false, `limits of variable ${variable}`)
  for (const id of programs?.changeable() ?? []) programs?.remove([id])
  for (const program of before.programs) {
    const ackc7 = programs?.store(program.ppid, storedProgram(program))
    expect(ackc7 === ACKC7.accepted, `process program ${program.ppid}`)
  }
  if (before.spool) expect(spool?.restore(before.spool) ?? before.spool.messages.length === 0, 'the spool')
  return lost
}

/** Calls `changed` whenever retained state changes; the new state can be read a moment later. */
export function onRetainedChange(equipment: Equipment, changed: () => void): void {
  const { alarms, constants, control, limits, programs, reports, spool, time } = equipment
  const signals = [alarms, constants, limits, programs, reports, spool, time].map((part) => part?.changed)
  for (const signal of [control.turned, ...signals]) signal?.on(changed)
}

function programState(ppid: string, program: StoredProgram | undefined): ProgramState[] {
  if (!program) return []
  const { id, body, formatted } = program
  const list = formatted && L(formatted.mdln, formatted.softrev, formatted.commands)
  return [
    {
      ppid,
      id: encodeItem(id),
      ...(body && { body: encodeItem(body) }),
      ...(list && { formatted: encodeItem(list) }),
    },
  ]
}

function storedProgram({ id, body, formatted }: ProgramState): StoredProgram {
  const list = formatted && decodeItem(formatted)
  const [mdln, softrev, commands] = list?.format === 'L' ? list.items : []
  return {
    id: decodeItem(id),
    ...(body && { body: decodeItem(body) }),
    ...(mdln && softrev && commands?.format === 'L' && { formatted: { mdln, softrev, commands } }),
  }
}
