import type { LinkWorld } from '../../hsms/link-driver.js'
import { SerialConnection } from './serial-connection.js'

/** Opens the serial port for each attempt of a driver to connect, such as `/dev/ttyUSB0` with 9,600 baud. */
export const serialDial =
  (path: string, baudRate: number): NonNullable<LinkWorld['dial']> =>
  (events) =>
    new SerialConnection(path, baudRate, events)
