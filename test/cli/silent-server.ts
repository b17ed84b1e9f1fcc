import { type AddressInfo, createServer } from 'node:net'

/** Takes every connection on a port of its own, reads what comes, and never says a word. */
export async function silentServer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((socket) => socket.on('error', () => {}).resume())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}
