import { TcpConnection } from '../hsms/tcp/tcp-connection.js'
import type { Clock } from '../kit/clock.js'
import { deferred } from '../kit/deferred.js'
import { ENQ } from './first-bytes.js'

/** What waits for a peer that does not read: one byte. */
const UNSENT_LIMIT = 1024

/**
 * Asks a peer for the line as SECS-I does, by one ENQ, and resolves with what it says within `patience`
 * milliseconds; with nothing when it says nothing. To an HSMS entity it is the first byte of a length: only to be
 * asked of one that does not answer HSMS.
 */
export async function askForLine(
  host: string,
  port: number,
  patience: number,
  clock: Clock,
): Promise<Uint8Array> {
  const said = deferred<Uint8Array>()
  const nothing = (): void => said.resolve(new Uint8Array())
  const cancel = clock.at(clock.now() + patience, nothing)
  const connection = TcpConnection.dial(
    host,
    port,
    {
      opened: () => connection.write(Uint8Array.of(ENQ)),
      failed: nothing,
      bytes: (bytes) => said.resolve(bytes),
      lost: nothing,
    },
    UNSENT_LIMIT,
  )
  try {
    return await said.promise
  } finally {
    cancel()
    await connection.close(clock)
  }
}
