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
      task: ['TASKNAME'],
      task_type: ['TASKTYPE'],
      blocked_reason: ['BLOCKEDREASON'],
      blocked_text: ['BLOCKEDREASONTEXT'],
    },
  ],
]

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
