import { realpath, stat } from 'node:fs/promises'

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
