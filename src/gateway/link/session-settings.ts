import { HSMS_DEFAULTS, type HsmsSettings } from '../../hsms/settings.js'
import type { EquipmentRecord } from '../records/equipment-record.js'

/** Records have seconds with fractions; the lower layers count in milliseconds. */
export const millisecondsOf = (seconds: number): number => Math.round(seconds * 1000)

/** The HSMS settings of an equipment. `hsmsHost`: the local address on which connections from active equipment are accepted. */
export const settingsOf = (record: EquipmentRecord, hsmsHost: string): HsmsSettings => ({
  ...HSMS_DEFAULTS,
  ...(record.mode === 'passive'
    ? { role: 'active', host: record.ip_address }
    : { role: 'passive', host: hsmsHost, peer: record.ip_address }),
  port: record.port,
  deviceId: record.device_id,
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
