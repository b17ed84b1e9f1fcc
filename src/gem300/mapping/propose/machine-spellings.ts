import type { ObjectKind } from '../../object-states.js'
import type { Occurrence } from '../mapping.js'

/** How names of events speak of a state machine: capital letters and digits without anything between. */
export interface MachineSpellings {
  readonly kind: ObjectKind
  readonly state: string
  /** What stands for the machine, before a number of a transition or a state. */
  readonly subjects: readonly string[]
  /** Those among them with which the number of a transition means one of this machine. */
  readonly numbered: readonly string[]
  /** By state. One that stands for several states has their names with `|`. */
  readonly states: Readonly<Record<string, readonly string[]>>
}

const NO_STATE = { NO_STATE: ['NOSTATE', 'NS'] } as const

const CARRIER = ['CARRIER', 'CST', 'CAS', 'COSM', 'CSM'] as const
/** Of a machine of several that one object has: its numbers are those of the object. */
const CARRIER_NUMBERED = ['CARRIERSM', 'COSM', 'CSM'] as const
const SUBSTRATE = ['SUBST', 'SUBSTRATE', 'SOSM', 'SSM', 'WAFER'] as const
const SUBSTRATE_NUMBERED = ['SUBSTSM', 'SUBSTRATESM', 'SOSM', 'SSM'] as const

const verified = (what: string): readonly string[] => [
  ...[`${what}VERIFICATIONOK`, `${what}VEROK`, `${what}VOK`],
  ...['VERIFICATIONOK', 'VEROK'],
]
const notVerified = (what: string): readonly string[] => [
  ...['VERIFICATIONFAILED', 'VERIFICATIONFAIL', 'VERFAILED', 'VERFAIL', 'VFAIL'].map((end) => what + end),
  ...['VERIFICATIONFAILED', 'VERIFICATIONFAIL', 'VERFAILED', 'VERFAIL'],
]

/** Spellings of the states that are not the words themselves. Abbreviations have one source each. */
export const MACHINE_SPELLINGS: readonly MachineSpellings[] = [
  {
    kind: 'port',
    state: 'transfer',
    subjects: ['PORTTRANSFERSTATE', 'PORTTRANSFER', 'TRANSFERSTATUS', 'LPTSM', 'LOADPORT', 'PORT', 'LP'],
    numbered: ['PORTTRANSFERSM', 'LPTSM'],
    states: {
      OUT_OF_SERVICE: ['OUTOFSERVICE', 'OS'],
      IN_SERVICE: ['INSERVICE', 'IS'],
      TRANSFER_BLOCKED: ['TRANSFERBLOCKED', 'TB'],
      TRANSFER_READY: ['TRANSFERREADY', 'TR'],
      READY_TO_LOAD: ['READYTOLOAD', 'RTL'],
      READY_TO_UNLOAD: ['READYTOUNLOAD', 'RTU'],
      ...NO_STATE,
    },
  },
  {
    kind: 'port',
    state: 'access_mode',
    subjects: ['LPACCESSMODE', 'ACCESSMODE', 'ACCESS', 'LPTAMS', 'AMSM', 'LP'],
    numbered: ['ACCESSSM', 'ACCESSMODESM', 'LPTAMS', 'AMSM'],
    states: { MANUAL: ['MANUAL'], AUTO: ['AUTO'], ...NO_STATE },
  },
  {
    kind: 'port',
    state: 'reservation',
    subjects: ['PORTRESERVATIONSTATE', 'RESERVATIONSTATE', 'RESERVATION', 'LPTRS', 'LPRS', 'LP'],
    numbered: ['RESERVATIONSM', 'LPTRS'],
    states: { NOT_RESERVED: ['NOTRESERVED'], RESERVED: ['RESERVED'], ...NO_STATE },
  },
  {
    kind: 'port',
    state: 'association',
    subjects: ['PORTASSOCIATIONSTATE', 'ASSOCIATIONSTATE', 'ASSOCIATION', 'ASSOC', 'LPTCASM', 'LP'],
    numbered: ['ASSOCSM', 'ASSOCIATIONSM', 'LPTCASM'],
    states: {
      NOT_ASSOCIATED: ['NOTASSOCIATED', 'NOTASSOC'],
      ASSOCIATED: ['ASSOCIATED', 'ASSOC'],
      ...NO_STATE,
    },
  },
  {
    kind: 'carrier',
    state: 'id_status',
    subjects: ['CARRIERIDSTATUS', 'CARRIERID', 'IDSTATUS', 'ID', ...CARRIER],
    numbered: CARRIER_NUMBERED,
    states: {
      ID_NOT_READ: ['IDNOTREAD', 'NOTREAD'],
      WAITING_FOR_HOST: ['IDWAITINGFORHOST', 'WAITINGFORHOST', 'IDWFH', 'WFH'],
      ID_VERIFICATION_OK: verified('ID'),
      ID_VERIFICATION_FAILED: notVerified('ID'),
      ...NO_STATE,
    },
  },
  {
    kind: 'carrier',
    state: 'slot_map_status',
    subjects: ['CARRIERSLOTMAPSTATUS', 'CARRIERSLOTMAP', 'SLOTMAPSTATUS', 'SLOTMAP', ...CARRIER],
    numbered: CARRIER_NUMBERED,
    states: {
      SLOT_MAP_NOT_READ: ['SLOTMAPNOTREAD', 'NOTREAD'],
      WAITING_FOR_HOST: ['SLOTMAPWAITINGFORHOST', 'WAITINGFORHOST', 'SLOTMAPWFH', 'WFH'],
      SLOT_MAP_VERIFICATION_OK: verified('SLOTMAP'),
      SLOT_MAP_VERIFICATION_FAILED: notVerified('SLOTMAP'),
      ...NO_STATE,
    },
  },
  {
    kind: 'carrier',
    state: 'accessing_status',
    subjects: ['CARRIERACCESSINGSTATUS', 'CARRIERACCESSING', 'ACCESSINGSTATUS', ...CARRIER],
    numbered: CARRIER_NUMBERED,
    states: {
      NOT_ACCESSED: ['NOTACCESSED'],
      IN_ACCESS: ['INACCESS'],
      CARRIER_COMPLETE: ['CARRIERCOMPLETE'],
      CARRIER_STOPPED: ['CARRIERSTOPPED'],
      ...NO_STATE,
    },
  },
  {
    kind: 'job',
    state: 'state',
    subjects: ['PRJOBMS', 'PRJOBSTATE', 'PRJOB', 'PROCESSJOBSTATE', 'PROCESSJOB', 'PJSTATE', 'PJ'],
    numbered: ['PRJOBSM', 'PROCESSJOBSM', 'PJSM'],
    states: {
      QUEUED_POOLED: ['QUEUEDPOOLED', 'QUEUED', 'POOLED'],
      SETTING_UP: ['SETTINGUP', 'SETUP'],
      WAITING_FOR_START: ['WAITINGFORSTART'],
      PROCESSING: ['PROCESSING'],
      PROCESS_COMPLETE: ['PROCESSCOMPLETE', 'PROCESSINGCOMPLETE', 'COMPLETE'],
      'SETTING_UP|WAITING_FOR_START|PROCESSING': ['EXECUTING'],
      PAUSING: ['PAUSING'],
      PAUSED: ['PAUSED'],
      'PAUSING|PAUSED': ['PAUSE'],
      STOPPING: ['STOPPING'],
      ABORTING: ['ABORTING'],
      STOPPED: ['STOPPED'],
      ABORTED: ['ABORTED'],
      ...NO_STATE,
    },
  },
  {
    kind: 'control_job',
    state: 'state',
    subjects: ['CONTROLJOBSTATE', 'CONTROLJOB', 'CTRLJOBSTATE', 'CTRLJOB', 'CJSTATE', 'CJ'],
    numbered: ['CTRLJOBSM', 'CONTROLJOBSM', 'CJSM'],
    states: {
      QUEUED: ['QUEUED'],
      SELECTED: ['SELECTED'],
      WAITING_FOR_START: ['WAITINGFORSTART'],
      EXECUTING: ['EXECUTING'],
      PAUSED: ['PAUSED'],
      COMPLETED: ['COMPLETED'],
      // What stopped or aborted the job, which is none of its states.
      'SELECTED|WAITING_FOR_START|EXECUTING|PAUSED': ['ACTIVE', 'STOPPED', 'ABORTED'],
      ...NO_STATE,
    },
  },
  {
    kind: 'substrate',
    state: 'state',
    subjects: ['SUBSTSTATE', ...SUBSTRATE],
    numbered: SUBSTRATE_NUMBERED,
    states: {
      AT_SOURCE: ['ATSOURCE'],
      AT_WORK: ['ATWORK'],
      AT_DESTINATION: ['ATDESTINATION'],
      ...NO_STATE,
    },
  },
  {
    kind: 'substrate',
    state: 'processing',
    subjects: ['SUBSTPROCSTATE', ...SUBSTRATE],
    numbered: SUBSTRATE_NUMBERED,
    states: {
      NEEDS_PROCESSING: ['NEEDSPROCESSING'],
      IN_PROCESS: ['INPROCESS', 'INPROGRESS'],
      PROCESSED: ['PROCESSED'],
      ABORTED: ['ABORTED'],
      STOPPED: ['STOPPED'],
      REJECTED: ['REJECTED'],
      LOST: ['LOST'],
      SKIPPED: ['SKIPPED'],
      'PROCESSED|ABORTED|STOPPED|REJECTED|LOST|SKIPPED': ['PROCESSINGCOMPLETE', 'COMPLETE'],
      ...NO_STATE,
    },
  },
  {
    kind: 'substrate',
    state: 'id_status',
    subjects: ['SUBSTID', 'SUBSTRATEID'],
    numbered: SUBSTRATE_NUMBERED,
    states: {
      NOT_CONFIRMED: ['NOTCONFIRMED'],
      WAITING_FOR_HOST: ['WAITINGFORHOST', 'WFH'],
      CONFIRMED: ['CONFIRMED'],
      CONFIRMATION_FAILED: ['CONFIRMATIONFAILED', 'CONFIRMATIONFAIL'],
      ...NO_STATE,
    },
  },
  {
    kind: 'performance',
    state: 'state',
    subjects: ['EPTSTATE', 'EPT'],
    numbered: ['EPTSM'],
    states: { IDLE: ['IDLE'], BUSY: ['BUSY'], BLOCKED: ['BLOCKED'], ...NO_STATE },
  },
]

/** What a name in plain words means: an occurrence, or a state of a machine as `kind.state STATE`. */
type Meaning = Occurrence | `${string}.${string} ${string}`

/** Names in plain words, squeezed; the first that is found in the whole name counts. */
export const PLAIN_WORDS: readonly (readonly [words: RegExp, meaning: Meaning])[] = [
  [/^MATERIAL(RECEIVED|RECIEVED|ARRIVED)$/, 'carrier_placed'],
  [/^(CARRIERARRIVED|CASPLACED|(VCEA)?LOADCOMPLETE|SMIFPODPRESENT|TRANSFERIN)$/, 'carrier_placed'],
  [/^(MATERIALREMOVED|CARRIERREMOVED|CARRIERDEPARTED)$/, 'carrier_taken'],
  [/^(UNLOADCOMPLETE|CASREMOVED|SMIFPODABSENT|TRANSFEROUT)$/, 'carrier_taken'],
  [/^CARRIERIDREAD$/, 'carrier_id_read'],
  [/^CARRIERIDREADFAIL(ED)?$/, 'carrier_id_not_read'],
  [/^(UNKNOWNCARRIERID|DUPLICATECARRIERID|IDREADERUNAVAILABLE)$/, 'carrier_id_not_read'],
  [/^(CARRIER|SMIFPOD)CLAMPP?ED$/, 'carrier_clamped'],
  [/^(CARRIER|SMIFPOD)UNCLAMPP?ED$/, 'carrier_unclamped'],
  [/^CARRIERDOCKED$/, 'carrier_docked'],
  [/^CARRIEROPENED$/, 'carrier_opened'],
  [/^CARRIERCLOSED$/, 'carrier_closed'],
  [/^CARRIERLOCATIONCHANGED?$/, 'carrier_moved'],
  [/^CARRIERAPPROACHINGCOMPLETE$/, 'carrier_nearly_complete'],
  [/^SUBSTLOC(SMTRANS)?0?1$|^SUBSTLOCUNOCCUPIEDTOOCCUPIED$/, 'location_occupied'],
  [/^SUBSTLOC(SMTRANS)?0?2$|^SUBSTLOCOCCUPIEDTOUNOCCUPIED$/, 'location_unoccupied'],
  [
    /^SLOTMAP(READVERIFIEDWAITHOST|REPORT|READSUCCESSFUL|ACQUIRED|AVAILABLE)$/,
    'carrier.slot_map_status WAITING_FOR_HOST',
  ],
  [/^CAS(SETTE)?MAPPED$/, 'carrier.slot_map_status WAITING_FOR_HOST'],
  [/^READYFORPROCESS$/, 'port.transfer READY_TO_LOAD'],
  [/^ACCESSSMGOAUTO$/, 'port.access_mode AUTO'],
  [/^ACCESSSMGOMANUAL$/, 'port.access_mode MANUAL'],
  [/^ASSOCSMGOASSOC$/, 'port.association ASSOCIATED'],
  [/^ASSOCSMGONOTASSOC$/, 'port.association NOT_ASSOCIATED'],
  [/^RESERVATIONSMGORESERVED$/, 'port.reservation RESERVED'],
  [/^RESERVATIONSMGONOTRESERVED$/, 'port.reservation NOT_RESERVED'],
  [/^PROCESSJOBSTART(ED)?$/, 'job.state PROCESSING'],
  [/^PROCESSJOBEND(ED)?$/, 'job.state PROCESS_COMPLETE'],
  [/^C(ON)?TR(O)?LJOBSTART(ED)?$|^SCHWAITINGFORSTARTPROCESSING$/, 'control_job.state EXECUTING'],
  [/^C(ON)?TR(O)?LJOBEND(ED)?$|^SCHPROCESSINGPROCESSED$/, 'control_job.state COMPLETED'],
  [/^(PM)?WAFERSTARTED$|^PROCESSINGSTARTED$/, 'substrate.processing IN_PROCESS'],
  [/^(PM)?WAFERCOMPLETED?$|^PROCESSINGFINISHED$/, 'substrate.processing PROCESSED'],
  [/^(PM)?WAFERIN$|^(SENT|RECEIVED)MATERIAL$/, 'substrate.state AT_WORK'],
]
