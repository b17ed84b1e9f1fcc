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

/** Squeezed spellings. */
const SPELLINGS: readonly (readonly [ObjectKind, Readonly<Record<string, readonly string[]>>])[] = [
  [
    'port',
    {
      id: PORT_IDS,
      transfer: ['PORTTRANSFERSTATE', 'PORTTRANSFERSTATEDV', 'TRANSFERSTATUS'],
      access_mode: ['ACCESSMODE', 'PORTACCESSMODE'],
      reservation: ['PORTRESERVATIONSTATE', 'LOADPORTRESERVATIONSTATE'],
      association: ['PORTASSOCIATIONSTATE'],
      carrier: CARRIER_IDS,
    },
  ],
  [
    'carrier',
    {
      id: CARRIER_IDS,
      port: PORT_IDS,
      location: ['LOCATIONID', 'CARRIERLOCATIONID'],
      id_status: ['CARRIERIDSTATUS'],
      slot_map_status: ['SLOTMAPSTATUS', 'CARRIERSLOTMAPSTATUS'],
      accessing_status: ['CARRIERACCESSINGSTATUS'],
      slot_map: ['SLOTMAP'],
      reason: ['REASON', 'SLOTMAPREASON'],
    },
  ],
  [
    'job',
    {
      id: ['PRJOBID', 'PROCESSJOBID', 'PJID', 'CURRENTPJOBID'],
      state: ['PRJOBSTATE', 'PROCESSJOBSTATE', 'PJSTATE'],
      recipe: ['RECID'],
    },
  ],
  [
    'control_job',
    {
      id: ['CTRLJOBID', 'CONTROLJOBID', 'CJID', 'CURRENTCJOBID'],
      state: ['CTRLJOBSTATE', 'CONTROLJOBSTATE', 'CJSTATE'],
    },
  ],
  [
    'substrate',
    {
      id: ['SUBSTID', 'SUBSTRATEID', 'SUBSTIDLIST'],
      state: ['SUBSTSTATE', 'SUBSTRATESTATE', 'SUBSTSTATELIST'],
      processing: ['SUBSTPROCSTATE', 'SUBSTPROCSTATELIST'],
      id_status: ['SUBSTIDSTATUS'],
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
