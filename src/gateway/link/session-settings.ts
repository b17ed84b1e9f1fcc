import { HSMS_DEFAULTS, type HsmsSettings, type LinkSettings } from '../../hsms/settings.js'
import { byteTimeAt, SECS1_DEFAULTS, type Secs1Settings } from '../../secs1/settings.js'
import type { EquipmentRecord } from '../records/equipment-record.js'

/** Records have seconds with fractions; the lower layers count in milliseconds. */
export const millisecondsOf = (seconds: number): number => Math.round(seconds * 1000)

/** Who opens the connection, and where. `hsmsHost`: the local address on which connections from active equipment are accepted. */
function placeOf(
  { mode, ip_address, port, device_id: deviceId }: EquipmentRecord,
  hsmsHost: string,
): Pick<LinkSettings, 'role' | 'host' | 'port' | 'peer' | 'deviceId'> {
  // A serial port is opened by its path.
  if (ip_address === null || port === null) return { role: 'active', host: '', port: 0, deviceId }
  return mode === 'passive'
    ? { role: 'active', host: ip_address, port, deviceId }
    : { role: 'passive', host: hsmsHost, peer: ip_address, port, deviceId }
}

/** The HSMS settings of an equipment. */
export const hsmsSettingsOf = (record: EquipmentRecord, hsmsHost: string): HsmsSettings => ({
  ...HSMS_DEFAULTS,
  ...placeOf(record, hsmsHost),
  controlSessionId: record.session_id,
  linktestMode: record.linktest_mode,
  timers: {
    t3: millisecondsOf(record.timers.t3),
    t5: millisecondsOf(record.timers.t5),
    t6: millisecondsOf(record.timers.t6),
    t7: millisecondsOf(record.timers.t7),
    t8: millisecondsOf(record.timers.t8),
    linktest: millisecondsOf(record.timers.linktest),
  },
})

/** The SECS-I settings of an equipment: the gateway is the host. */
export const secs1SettingsOf = (record: EquipmentRecord, hsmsHost: string): Secs1Settings => ({
  ...SECS1_DEFAULTS,
  ...placeOf(record, hsmsHost),
  side: 'host',
  isMaster: record.master === 'host',
  retries: record.rty,
  byteTime: record.transport === 'secs1-serial' ? byteTimeAt(record.baud_rate) : SECS1_DEFAULTS.byteTime,
  timers: {
    t1: millisecondsOf(record.timers.t1),
    t2: millisecondsOf(record.timers.t2),
    t3: millisecondsOf(record.timers.t3),
    t4: millisecondsOf(record.timers.t4),
    t5: millisecondsOf(record.timers.t5),
  },
})
