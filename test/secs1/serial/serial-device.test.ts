import { expect, test } from 'vitest'
import { noSerialPort } from '../../../src/secs1/serial/serial-device.js'

const NO_PORT = 'it is no serial port'
/** As Linux prints it; /dev/null is device 1:3, /dev/zero 1:5. */
const drivers =
  (...lines: readonly string[]) =>
  async () =>
    lines.join('\n')
const linux = process.platform === 'linux'

test.runIf(linux).each([
  ['/dev/null', []],
  ['/dev/null', ['serial               /dev/ttyS       4 64-95 serial']],
  ['/dev/zero', ['usbserial            /dev/ttyUSB     1 0-4 serial']],
  ['/dev/null', ['unknown              /dev/tty        1 1-63 console']],
  ['/etc/passwd', ['usbserial            /dev/ttyUSB     1 0-511 serial']],
  ['/dev', []],
] as const)('%s with the drivers %j is no serial port', async (path, lines) => {
  expect(await noSerialPort(path, 'linux', drivers(...lines))).toBe(NO_PORT)
})

test.runIf(linux)(
  'a device of a serial driver is a serial port, and what is not there is left to the opening',
  async () => {
    const serial = drivers(
      '/dev/tty             /dev/tty        5       0 system:/dev/tty',
      'x  /dev/x 1 3 serial',
    )
    expect(await noSerialPort('/dev/null', 'linux', serial)).toBeUndefined()
    expect(await noSerialPort('/dev/null', 'linux', drivers('x  /dev/x 1 0-4 pty:slave'))).toBeUndefined()
    expect(await noSerialPort('/dev/none', 'linux', serial)).toBeUndefined()
  },
)

test.runIf(linux)(
  'by the drivers of this machine a memory device and the console are no serial ports',
  async () => {
    expect(await noSerialPort('/dev/null')).toBe(NO_PORT)
    expect(await noSerialPort('/dev/tty')).toBe(NO_PORT)
  },
)

test.runIf(linux)(
  'without a list of drivers any character device is a serial port, and on Windows any name',
  async () => {
    expect(await noSerialPort('/dev/null', 'darwin', drivers())).toBeUndefined()
    expect(await noSerialPort('/etc/passwd', 'darwin', drivers())).toBe(NO_PORT)
    expect(await noSerialPort('/etc/passwd', 'win32', drivers())).toBeUndefined()
  },
)
