import { existsSync, readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { encodeFrame, FrameReader } from '../../src/hsms/frame/frame.js'
import { STYPE } from '../../src/hsms/frame/header.js'
import { ADMIN, DaemonProcess, Home } from '../support/daemon-process.js'
import { freePort } from '../support/free-port.js'
import { PlainClient } from '../support/plain-client.js'
import { until } from '../support/until.js'
import { GATEWAYS } from './haproxy.js'
import { PostgresServer } from './postgres-server.js'

// Two daemons over one PostgreSQL, each with its own process of the taps, and one equipment with its host.

const LOOPBACK = '127.0.0.1'
const LEASE = '8s'

interface Node {
  readonly host: string
  readonly home: Home
  readonly taps: string
  daemon: DaemonProcess
}

const tapPid = ({ taps }: Node): number => Number(readFileSync(join(taps, 'lock'), 'utf8').split('\n')[0])

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // One that has ended and that nobody waits for is no process any more.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

async function startNode(host: string, store: readonly string[]): Promise<Node> {
  const home = new Home()
  const flags = ['--host', host, '--hsms-host', host, '--node-name', host, ...store, '--lease', LEASE]
  const node: Node = {
    host,
    home,
    taps: join(home.folder, 'secsctl', 'state', 'taps'),
    daemon: await DaemonProcess.start(home, flags),
  }
  onTestFinished(async () => {
    await node.daemon.end('SIGKILL')
    if (existsSync(join(node.taps, 'socket'))) process.kill(tapPid(node), 'SIGKILL')
    home.dispose()
  })
  return node
}

async function again(node: Node, store: readonly string[]): Promise<void> {
  const { host, home } = node
  const flags = ['--host', host, '--hsms-host', host, '--node-name', host, ...store, '--lease', LEASE]
  node.daemon = await DaemonProcess.start(home, flags)
}

async function clientOf({ daemon }: Node): Promise<PlainClient> {
  const client = new PlainClient(daemon.url)
  const { email, password } = ADMIN
  const { body } = await client.call('POST', '/auth/login', { email, password })
  client.token = body.token
  return client
}

/** Equipment that replies to everything; it knows how many connections it had at once. */
async function startTool(): Promise<{ readonly port: number; readonly open: Set<Socket>; most: number }> {
  const tool = { port: 0, open: new Set<Socket>(), most: 0 }
  const server = createServer((socket) => {
    tool.open.add(socket)
    tool.most = Math.max(tool.most, tool.open.size)
    const reader = new FrameReader(2 ** 24)
    socket.on('error', () => {})
    socket.on('close', () => tool.open.delete(socket))
    socket.on('data', (chunk) => {
      for (const { header, body } of reader.read(chunk)) {
        const isSelect = header.sType === STYPE.selectReq
        const reply = isSelect
          ? { ...header, byte3: 0, sType: STYPE.selectRsp }
          : { ...header, byte2: header.byte2 & 0x7f, byte3: header.byte3 + 1 }
        socket.write(encodeFrame({ header: reply, body }))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve))
  onTestFinished(() => void server.close())
  return Object.assign(tool, { port: (server.address() as { readonly port: number }).port })
}

/** The host: it dials a gateway, again and again until that one has the equipment. */
class Host {
  isConnected = false
  replies = 0
  #socket: Socket | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(readonly port: number) {
    onTestFinished(() => {
      clearInterval(this.#timer)
      this.#socket?.destroy()
    })
  }

  async dial(host: string): Promise<void> {
    await until(async () => {
      const socket = connect({ port: this.port, host, localAddress: LOOPBACK })
      socket.on('error', () => {})
      this.#socket = socket
      const reader = new FrameReader(2 ** 24)
      const selected = new Promise<boolean>((resolve) => {
        socket.on('close', () => {
          this.isConnected = false
          clearInterval(this.#timer)
          resolve(false)
        })
        socket.on('data', (chunk) => {
          for (const { header } of reader.read(chunk))
            if (header.sType === STYPE.selectRsp) resolve(true)
            else this.replies++
        })
      })
      socket.write(this.#frame(STYPE.selectReq, 1))
      this.isConnected = await selected
      return this.isConnected
    })
    let next = 1
    this.#timer = setInterval(() => this.#socket?.write(this.#frame(STYPE.data, ++next)), 50)
  }

  #frame(sType: number, systemBytes: number): Uint8Array {
    const data = sType === STYPE.data ? { byte2: 0x81, byte3: 1 } : { byte2: 0, byte3: 0 }
    const header = { sessionId: 0, ...data, pType: 0, sType, systemBytes }
    return encodeFrame({ header, body: new Uint8Array() })
  }

  async talks(): Promise<void> {
    const before = this.replies
    await until(() => this.replies > before + 2)
  }
}

test('equipment has one connection, whichever daemon is killed or hangs: the process of its taps ends with the lease', async () => {
  const server = await PostgresServer.start()
  onTestFinished(() => server.remove())
  const store = server.flags(await server.database())
  const tool = await startTool()
  const host = new Host(await freePort())
  const first = await startNode(GATEWAYS[0], store)
  const api = await clientOf(first)
  const { body } = await api.call('POST', '/equipment', {
    ...{ name: 'etcher', ip_address: LOOPBACK, port: tool.port, communication: 'none' },
    tap: { listen_port: host.port, host_address: LOOPBACK, pause_seconds: 0 },
  })
  expect(await api.call('POST', `/equipment/${body.id}/connect?wait=0`)).toMatchObject({ status: 202 })
  await host.dial(first.host)
  await host.talks()
  const second = await startNode(GATEWAYS[1], store)

  // While its lease lasts, the link outlives the daemon. It ends before another daemon takes the equipment.
  const firstTaps = tapPid(first)
  await first.daemon.end('SIGKILL')
  await host.talks()
  await until(() => !host.isConnected && tool.open.size === 0)
  await host.dial(second.host)
  await host.talks()
  await until(() => !runs(firstTaps))
  expect(tool.most).toBe(1)

  // The other one hangs: its process ends the link although it is still connected to its daemon.
  await again(first, store)
  const secondTaps = tapPid(second)
  second.daemon.child.kill('SIGSTOP')
  await host.talks()
  await until(() => !host.isConnected && tool.open.size === 0)
  await host.dial(first.host)
  await until(() => !runs(secondTaps))
  second.daemon.child.kill('SIGCONT')
  await host.talks()
  // It has noticed that it has lost the equipment, and serves again.
  await until(async () => {
    const response = await (await clientOf(second))
      .call('GET', `/equipment/${body.id}`)
      .catch(() => undefined)
    const { node, connection_state: state } = response?.body ?? {}
    return response?.status === 200 && node === first.host && state === 'SELECTED'
  })
  await host.talks()
  expect([host.isConnected, tool.most]).toEqual([true, 1])
  const { connection_state } = (await (await clientOf(first)).call('GET', `/equipment/${body.id}`)).body
  expect(connection_state).toBe('SELECTED')
})
