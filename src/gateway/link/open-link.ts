import { HsmsDriver } from '../../hsms/hsms-driver.js'
import type { LinkDriver, LinkWorld } from '../../hsms/link-driver.js'
import { Secs1Driver } from '../../secs1/secs1-driver.js'
import type { PortRefusal } from '../../secs1/serial/serial-connection.js'
import { serialDial } from '../../secs1/serial/serial-dial.js'
import type { EquipmentRecord } from '../records/equipment-record.js'
import { hsmsSettingsOf, secs1SettingsOf } from './session-settings.js'

/** The driver of the link to an equipment, by its transport. It is not started. `refusal`: of its serial port. */
export function linkTo(
  record: EquipmentRecord,
  hsmsHost: string,
  world: LinkWorld,
  refusal?: PortRefusal,
): LinkDriver {
  if (record.transport === 'hsms') return new HsmsDriver(hsmsSettingsOf(record, hsmsHost), world)
  const { serial_port, baud_rate } = record
  const dial = serial_port === null ? {} : { dial: serialDial(serial_port, baud_rate, refusal) }
  return new Secs1Driver(secs1SettingsOf(record, hsmsHost), { ...world, ...dial })
}
