import type { ObjectKind } from '../../object-states.js'
import { squeezedName } from './event-meanings.js'

/** What a variable may hold. */
export interface VariableMeaning {
  readonly kind: ObjectKind
  /** `id`, a state or a detail. */
  readonly holds: string
}

const PORT_IDS = ['PORTID', 'PORTIDCARRIERREPORT', 'ACTIVEPRJOBPORTID']
const CARRIER_IDS = ['CARRIERID', 'CARRIERIDCARRIERREPORT', 'ACTIVEPRJOBCARRIERID', 'CURRENTCARRIERID']

/** A state is called so by some, and status by others. */
const stateOf = (...subjects: readonly string[]): readonly string[] =>
  subjects.flatMap((subject) => [`${subject}STATE`, `${subject}STATUS`])

/** What is wrong with a job, in words. */
const errorOf = (subject: string): readonly string[] =>
  ['ERRTEXT', 'ERRORTEXT', 'ERROR'].map((word) => subject + word)

/** Squeezed spellings. */
const SPELLINGS: readonly (readonly [ObjectKind, Readonly<Record<string, readonly string[]>>])[] = [
  [
    'port',
    {
      id: PORT_IDS,
      transfer: [...stateOf('PORTTRANSFER', 'TRANSFER', 'LOADPORTTRANSFER'), 'PORTTRANSFERSTATEDV'],
      access_mode: ['ACCESSMODE', 'PORTACCESSMODE', 'LOADPORTACCESSMODE', 'ACCESSMODESTATE'],
      reservation: stateOf('PORTRESERVATION', 'RESERVATION', 'LOADPORTRESERVATION'),
      association: stateOf('PORTASSOCIATION', 'ASSOCIATION', 'LOADPORTASSOCIATION', 'PORTCARRIERASSOCIATION'),
      carrier: CARRIER_IDS,
    },
  ],
  [
    'carrier',
    {
      id: CARRIER_IDS,
      port: PORT_IDS,
      location: ['LOCATIONID', 'CARRIERLOCATIONID'],
      id_status: stateOf('CARRIERID', 'IDVERIFICATION'),
      slot_map_status: stateOf('SLOTMAP', 'CARRIERSLOTMAP'),
      accessing_status: stateOf('CARRIERACCESSING', 'ACCESSING', 'CARRIERACCESS'),
      slot_map: ['SLOTMAP', 'CARRIERSLOTMAP'],
      reason: ['REASON', 'SLOTMAPREASON'],
    },
  ],
  [
    'job',
    {
      id: ['PRJOBID', 'PROCESSJOBID', 'PJID', 'CURRENTPJOBID'],
      state: stateOf('PRJOB', 'PROCESSJOB', 'PJ'),
      recipe: ['RECID'],
      error: ['ERRTEXT', ...['PRJOB', 'PROCESSJOB', 'PJ'].flatMap(errorOf)],
    },
  ],
  [
    'control_job',
    {
      id: ['CTRLJOBID', 'CONTROLJOBID', 'CJID', 'CURRENTCJOBID'],
      state: stateOf('CTRLJOB', 'CONTROLJOB', 'CJ'),
    },
  ],
  [
    'substrate',
    {
      id: ['SUBSTID', 'SUBSTRATEID', 'SUBSTIDLIST'],
      state: [...stateOf('SUBST', 'SUBSTRATE', 'SUBSTTRANSPORT', 'SUBSTRATETRANSPORT'), 'SUBSTSTATELIST'],
      processing: [
        ...stateOf('SUBSTPROC', 'SUBSTRATEPROC', 'SUBSTPROCESSING', 'SUBSTRATEPROCESSING'),
        'SUBSTPROCSTATELIST',
      ],
      id_status: ['SUBSTIDSTATUS', 'SUBSTRATEIDSTATUS'],
      location: ['SUBSTSUBSTLOCID', 'SUBSTLOCIDLIST'],
      lot: ['SUBSTLOTID'],
      source: ['SUBSTSOURCE'],
      destination: ['SUBSTDESTINATION'],
    },
  ],
  [
    'performance',
    {
      id: ['EQPNAME', 'EPTELEMENTNAME'],
      state: ['EPTSTATE'],
      task: ['TASKNAME', 'EPTTASKNAME'],
      task_type: ['TASKTYPE', 'EPTTASKTYPE'],
      blocked_reason: ['BLOCKEDREASON', 'EPTBLOCKEDREASON'],
      blocked_text: ['BLOCKEDREASONTEXT', 'EPTBLOCKEDREASONTEXT'],
    },
  ],
]

/** What of all modules, one after the other, a status variable may hold: the same with `List`. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  id: ['EPTNAME', 'EQPNAME', 'EPTELEMENTNAME'],
  ...Object.fromEntries(
    SPELLINGS.flatMap(([kind, holdings]) => (kind === 'performance' ? Object.entries(holdings) : [])).filter(
      ([holds]) => holds !== 'id',
    ),
  ),
}

/** A module before what a variable holds of it, such as `PM1/EPTState` or `Chamber2.TaskName`. */
const OF_MODULE = /^(?<module>[A-Za-z][\w -]*?)[/._: ](?<held>[A-Za-z]+)$/
/** What stands before a name without saying of which module it is. */
const NO_MODULE = /^(?:E116|EPT|Equipment|Tos|Previous|Legacy|LP\d*|Port\d*|LoadPort\d*)$/i

const squeezed = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** What a status variable of this name holds of one module, or of all: then `module` is left out. */
export function moduleHoldingOf(
  name: string,
): { readonly holds: string; readonly module?: string } | undefined {
  const text = squeezed(name.replace(/^E116[^A-Za-z0-9]/, ''))
  const [all] = Object.entries(LISTS).find(([, names]) => names.some((one) => text === `${one}LIST`)) ?? []
  if (all !== undefined) return { holds: all }
  const { module, held = '' } = OF_MODULE.exec(name)?.groups ?? {}
  if (module === undefined || NO_MODULE.test(module)) return undefined
  const found = holdingsOf(held).meanings.find(({ kind, holds }) => kind === 'performance' && holds !== 'id')
  return found && { holds: found.holds, module }
}

/** Whether a name is also that of other things: only what the equipment names with the events counts. */
export const isVague = (name: string): boolean => squeezedName(name).text === 'ERRTEXT'

/** What a variable of this name may hold, and the port that the name speaks of. */
export function holdingsOf(name: string): {
  readonly port: string | undefined
  readonly meanings: readonly VariableMeaning[]
} {
  const { text, port } = squeezedName(name)
  const meanings = SPELLINGS.flatMap(([kind, holdings]) =>
    Object.entries(holdings).flatMap(([holds, spellings]) =>
      spellings.includes(text) ? [{ kind, holds }] : [],
    ),
  )
  return { port, meanings }
}
