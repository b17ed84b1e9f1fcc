import type { LinkWorld } from '../../hsms/link-driver.js'
import { type PortRefusal, SerialConnection } from './serial-connection.js'

/**
 * Opens the serial port for each attempt of a driver to connect, such as `/dev/ttyUSB0` with 9,600 baud. `refusal`: asked
 * before each attempt why it may not.
 */
export const serialDial =
  (path: string, baudRate: number, refusal?: PortRefusal): NonNullable<LinkWorld['dial']> =>
  (events) =>
    new SerialConnection(path, baudRate, events, refusal)
