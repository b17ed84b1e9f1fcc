import type { Clock } from '../kit/clock.js'
import { RawLink } from './hsms-checks/raw-link.js'

/** Why no TCP connection can be made to an address, as the end of a sentence; undefined where one can. */
export async function unreachable(
  where: { readonly host: string; readonly port: number },
  clock: Clock,
  timeoutMs: number,
): Promise<string | undefined> {
  try {
    const link = await RawLink.dial(where, clock, timeoutMs, () => {})
    link.cut()
    return undefined
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return WORDS[code ?? ''] ?? message
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name has no address',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network',
}
