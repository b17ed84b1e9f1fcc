import type { Static } from 'typebox'
import type { serviceEndpoints } from '../../contract/service-endpoints.js'
import type { NamedValue } from '../../contract/values.js'
import type { JsonObject } from '../../kit/text/json.js'

type Services = typeof serviceEndpoints

const RECORDED = { message_id: '61', reply_id: '62' }
const ACCEPTED = { accepted: true, ...RECORDED }

const PRESSURE: NamedValue = {
  id: '1010',
  name: 'ChamberPressure',
  unit: 'mtorr',
  value: { F4: [12.5] },
  text: '12.5',
}
const LIMIT: NamedValue = { id: '2002', name: 'RFPowerLimit', unit: 'W', value: { U2: [1500] }, text: '1500' }
const LOT: NamedValue = { id: '1101', name: 'LotID', unit: '', value: { A: 'L1' }, text: 'L1' }
const REPORT = { rptid: '1', values: [LOT] }

/** All that there is, on one page. */
const whole = <Item>(...items: Item[]): { items: Item[]; next_cursor: null } => ({ items, next_cursor: null })

/** A body that works, for each service that takes one. */
export const SERVICE_EXAMPLES: { readonly [Name in keyof Services]?: JsonObject } = {
  writeConstants: { values: { RFPowerLimit: 1200, '2003': { A: 'READY' } } },
  enableCollectionEvents: { events: ['ProcessingStarted', '3011'] },
  disableCollectionEvents: { all: true },
  setClock: { time: '2026-01-31T08:00:00.000Z' },
  sendTerminalText: { tid: 0, text: 'Lot L1 is on hold.' },
  enableAlarms: { all: true },
  disableAlarms: { alid: '4003' },
}

/** What each service may answer. */
export const SERVICE_REPLY_EXAMPLES: {
  readonly [Name in keyof Services]?: Static<Services[Name]['reply']>
} = {
  goOnline: { onlack: 0, onlack_text: 'accepted', control_state: 'ONLINE_REMOTE', ...ACCEPTED },
  goOffline: { oflack: 0, oflack_text: 'accepted', control_state: 'HOST_OFFLINE', ...ACCEPTED },
  listVariables: whole({ id: '1010', name: 'ChamberPressure', unit: 'mtorr', kind: 'status' as const }),
  readVariables: whole(PRESSURE),
  listConstants: whole({
    id: '2002',
    name: 'RFPowerLimit',
    unit: 'W',
    minimum: '0',
    maximum: '2000',
    default: '1500',
  }),
  readConstants: whole(LIMIT),
  writeConstants: { eac: 0, eac_text: 'accepted', ...ACCEPTED },
  listCollectionEvents: whole({
    id: '3010',
    name: 'ProcessingStarted',
    variables: ['1101', '1102'],
    variable_names: ['LotID', null],
    enabled: true,
    reports: ['1'],
  }),
  enableCollectionEvents: { erack: 0, erack_text: 'accepted', ...ACCEPTED },
  disableCollectionEvents: { erack: 1, erack_text: 'no such event', ...ACCEPTED, accepted: false },
  requestEventReport: { ceid: '3010', name: 'ProcessingStarted', reports: [REPORT], ...RECORDED },
  requestReport: { ...REPORT, ...RECORDED },
  getClock: {
    time: '2026-01-31T09:00:02.50',
    raw: '2026013109000250',
    difference_seconds: 2.5,
    ...RECORDED,
  },
  setClock: { tiack: 0, tiack_text: 'accepted', raw: '2026013109000000', ...ACCEPTED },
  sendTerminalText: { ackc10: 0, ackc10_text: 'accepted', ...ACCEPTED },
  listEquipmentAlarms: whole({
    alid: '4003',
    text: 'Chuck temperature out of range',
    set: false,
    category: 5,
    category_text: 'irrecoverable error',
    enabled: true,
  }),
  enableAlarms: { ackc5: 0, ackc5_text: 'accepted', ...ACCEPTED },
  disableAlarms: { ackc5: 0, ackc5_text: 'accepted', ...ACCEPTED },
}
