import { readFile, realpath, stat } from 'node:fs/promises'

/**
 * One text for all paths of a serial port: the number of its device, else the path without links. A port that is not
 * there is known by its path alone.
 */
export async function serialDevice(path: string): Promise<string> {
  try {
    const found = await stat(path)
    return found.isCharacterDevice() ? `device ${found.rdev}` : await realpath(path)
  } catch {
    return path
  }
}

const DRIVERS = '/proc/tty/drivers'
/** Kinds of drivers in that file whose devices are serial ports, or behave as one (`socat`). Consoles are none. */
const SERIAL: ReadonlySet<string> = new Set(['serial', 'pty:slave'])

/**
 * Why this path is no serial port; undefined where it is one, and where there is nothing that could be opened. Asked
 * before it is opened, since to open another device can do harm: a watchdog restarts the machine.
 */
export async function noSerialPort(
  path: string,
  platform = process.platform,
  drivers = () => readFile(DRIVERS, 'utf8'),
): Promise<string | undefined> {
  if (platform === 'win32') return undefined
  const found = await stat(path).catch(() => undefined)
  if (!found) return undefined
  const isPort =
    found.isCharacterDevice() &&
    (platform !== 'linux' || (await drivers()).split('\n').some((driver) => drives(driver, found.rdev)))
  return isPort ? undefined : 'it is no serial port'
}

/** Whether a line of the drivers (name, path, major number, range of minor numbers, kind) is about this device. */
function drives(line: string, device: number): boolean {
  const [, , major, minors = '', kind = ''] = line.split(/ +/)
  const [first, last = first] = minors.split('-')
  const minor = minorOf(device)
  return (
    SERIAL.has(kind) && Number(major) === majorOf(device) && minor >= Number(first) && minor <= Number(last)
  )
}

/** The numbers of a device as Linux packs them: 12 and 20 bits in their lower parts, the rest above 32 bits. */
const majorOf = (device: number): number => Number((BigInt(device) >> 8n) & 0xfffn)
const minorOf = (device: number): number =>
  Number((BigInt(device) & 0xffn) | ((BigInt(device) >> 12n) & 0xfff00n))
