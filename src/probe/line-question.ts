import { ENQ } from '../hsms/first-bytes.js'
import { TcpConnection } from '../hsms/tcp/tcp-connection.js'
import type { Clock } from '../kit/clock.js'
import { deferred } from '../kit/deferred.js'

/** Only one byte is ever sent. */
const MAX_UNSENT_BYTES = 1024

/**
 * Sends ENQ, as SECS-I does, and resolves with the bytes that come within the timeout; with none when none come. For
 * an HSMS peer ENQ is the first byte of a length: use it only for a peer that does not answer HSMS.
 */
export async function askForLine(
  host: string,
  port: number,
  timeoutMs: number,
  clock: Clock,
): Promise<Uint8Array> {
  const said = deferred<Uint8Array>()
  const nothing = (): void => said.resolve(new Uint8Array())
  const cancel = clock.at(clock.now() + timeoutMs, nothing)
  const connection = TcpConnection.dial(
    host,
    port,
    {
      opened: () => connection.write(Uint8Array.of(ENQ)),
      failed: nothing,
      bytes: (bytes) => said.resolve(bytes),
      lost: nothing,
    },
    MAX_UNSENT_BYTES,
  )
  try {
    return await said.promise
  } finally {
    cancel()
    await connection.close(clock)
  }
}
