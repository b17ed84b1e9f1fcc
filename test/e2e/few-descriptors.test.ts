import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DaemonProcess, Home } from '../support/daemon-process.js'
import { PlainClient } from '../support/plain-client.js'

let home: Home
let daemon: DaemonProcess
const dialled: Socket[] = []

beforeEach(async () => {
  home = new Home()
  daemon = await DaemonProcess.start(home, [], {}, 1024)
})
afterEach(async () => {
  for (const socket of dialled.splice(0)) socket.destroy()
  await daemon.end('SIGKILL')
  home.dispose()
})

async function dial(localAddress: string): Promise<void> {
  const socket = connect({ port: Number(new URL(daemon.url).port), host: '127.0.0.1', localAddress })
  dialled.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect').catch(() => undefined)
}

test.each([
  ['one address', 1],
  ['twenty addresses', 20],
])(
  'more silent sockets of %s than there are descriptors neither end the daemon nor lock anybody out',
  async (_, addresses) => {
    for (let at = 0; at < 1200; at += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, n) => dial(`127.0.0.${1 + ((at + n) % addresses)}`)))
    }
    const client = await new PlainClient(daemon.url).login()
    for (let port = 5000; port < 5005; port++) {
      const { status } = await client.post('/equipment', {
        name: `tool ${port}`,
        ip_address: '127.0.0.1',
        port,
      })
      expect(status).toBe(201)
    }
    expect((await fetch(`${daemon.url}/readyz`)).status).toBe(200)
    expect(daemon.log()).not.toContain('EMFILE')
    expect(daemon.child.exitCode).toBeNull()
  },
)
