import { createServer } from 'node:tls'
import { expect, test, vi } from 'vitest'
import { nextTurn, turns } from '../../src/kit/turns.js'
import { Database } from '../../src/store/postgres/database.js'
import { Documents } from '../../src/store/postgres/documents.js'
import { madeCertificate } from './made-certificate.js'
import { Network } from './network.js'
import { clientOf, takeOverDriver } from './postgres/client.js'
import { ModelServer } from './postgres/model-server.js'
import { takeOver } from './take-over.js'
import { Host, World } from './world.js'

/** The real one, which the world replaces. */
const { setTimeout: realSetTimeout } = globalThis

const world = new World(1)
const network = new Network(world)
takeOver(world, network, [{ turns }])

function documentsOf({ clock }: Host): Documents {
  const database = new Database({ url: 'postgres://database/site', name: 'test' })
  const given = { database, node: 'node', clock, checks: {}, migrations: {} }
  return new Documents({ ...given, notify: () => {}, onOwned: () => {} })
}

test('how long the machine stands still does not end a handshake', async () => {
  const { key, cert } = madeCertificate(1, Date.UTC(2040), Date.UTC(2040))
  const server = createServer({ key, cert, handshakeTimeout: 1 })
  const refused = vi.fn()
  server.on('tlsClientError', refused)
  world.after(new Host('gateway', '10.0.0.9', world), 1, () => {
    network.createServer((socket) => server.emit('connection', socket)).listen(443)
  })
  let isOpen = false
  world.after(new Host('visitor', '10.0.0.10', world), 10, () => {
    network.connect({ host: '10.0.0.9', port: 443 }).on('connect', () => {
      isOpen = true
    })
  })
  await world.run(world.now + 100)
  await new Promise((resolve) => realSetTimeout(resolve, 50))
  expect(isOpen).toBe(true)
  expect(refused).not.toHaveBeenCalled()
})

test('a process that dies while it waits for a turn holds up no other one', async () => {
  const [dying, other] = [new Host('dying', '10.0.0.1', world), new Host('other', '10.0.0.2', world)]
  world.after(dying, 1, () => {
    void nextTurn()
    dying.alive = false
  })
  let hadItsTurn = false
  world.after(other, 2, () => {
    void nextTurn().then(() => {
      hadItsTurn = true
    })
  })
  await world.run(world.now + 10)
  expect(hadItsTurn).toBe(true)
})

test('a connection to the made-up database is used again until it is lost', async () => {
  const server = new ModelServer(world, network)
  takeOverDriver(world, server)
  const host = new Host('gateway', '10.0.0.3', world)
  const connected = vi.spyOn(server, 'connect')
  const connections: number[] = []
  const work = async (): Promise<void> => {
    const database = new Database({ url: 'postgres://database/site', name: 'test' })
    for (let times = 0; times < 4; times++) {
      await database.query('NOTIFY secsctl')
      connections.push(connected.mock.calls.length)
      if (times === 2) server.cutHost(host)
      await world.sleep(host, 100)
    }
  }
  world.after(host, 1, () => void work())
  await world.run(world.now + 1000)
  expect(connections).toEqual([1, 1, 1, 2])
})

test('a connection to the made-up database that is lost while it is made is a call that failed', async () => {
  const server = new ModelServer(world, network)
  const client = new (clientOf(world, server))({})
  const connecting = client.connect()
  client.lost(new Error('cut'))
  await expect(connecting).rejects.toThrow('cut')
})

test('a change that waits for its turn behind one that hangs is refused, and does not begin', async () => {
  const server = new ModelServer(world, network)
  takeOverDriver(world, server)
  const host = new Host('gateway', '10.0.0.4', world)
  const happened: unknown[] = []
  const work = async (): Promise<void> => {
    const documents = documentsOf(host)
    const things = await documents.collection('things')
    void things.exclusively(() => new Promise(() => happened.push('began')))
    await things
      .exclusively(async () => happened.push('began, too'))
      .catch((error: Error) => happened.push(error.name))
  }
  world.after(host, 1, () => void work())
  await world.run(world.now + 20_000)
  expect(happened).toEqual(['began', 'NotBegun'])
})

test('those who ask for changes of records while they are read share the next reading', async () => {
  const server = new ModelServer(world, network)
  takeOverDriver(world, server)
  const host = new Host('gateway', '10.0.0.5', world)
  const asked = vi.spyOn(server, 'query')
  let readings = 0
  const work = async (): Promise<void> => {
    const documents = documentsOf(host)
    await documents.refresh()
    asked.mockClear()
    await Promise.all(Array.from({ length: 20 }, () => documents.refresh()))
    readings = asked.mock.calls.length
  }
  world.after(host, 1, () => void work())
  await world.run(world.now + 1000)
  expect(readings).toBe(2)
})

test('a process is told of a change that failed and was made, also where it held off other processes', async () => {
  const server = new ModelServer(world, network)
  takeOverDriver(world, server)
  const host = new Host('gateway', '10.0.0.6', world)
  const happened: unknown[] = []
  const work = async (): Promise<void> => {
    const documents = documentsOf(host)
    const things = await documents.collection('things')
    things.changed.on((id) => happened.push(id))
    server.leavesAt = { collection: 'things', kind: 'added', cut: 'after' }
    await things
      .exclusively(() => things.put({ id: 'one' }))
      .catch((error: Error) => happened.push(error.name))
    server.isUp = true
    await documents.refresh()
  }
  world.after(host, 1, () => void work())
  await world.run(world.now + 10_000)
  expect(happened).toEqual(['StoreUnavailable', 'one'])
})

test('a change that the database held up until its process had given up is known to whoever changes next', async () => {
  const server = new ModelServer(world, network)
  takeOverDriver(world, server)
  const [first, other] = ['10.0.0.7', '10.0.0.8'].map((ip) => new Host(ip, ip, world)) as [Host, Host]
  const happened: string[] = []
  const opened = (host: Host, name: string) => documentsOf(host).collection<{ readonly id: string }>(name)
  const addUnlessThere = async (things: Awaited<ReturnType<typeof opened>>): Promise<void> => {
    const add = async (): Promise<void> => {
      if ((await things.all()).length === 0) await things.put({ id: 'other' })
    }
    const end = await things.exclusively(add).catch((error: Error) => error)
    if (end instanceof Error) return addUnlessThere(things)
    happened.push('other: added')
  }
  world.after(first, 1, async () => {
    const [others, things] = [await opened(first, 'others'), await opened(first, 'things')]
    void things.exclusively(async () => {
      server.slowness = 40_000
      void others.put({ id: 'slow' }).catch(() => {})
      await world.sleep(first, 100)
      server.slowness = 1
      await things.put({ id: 'first' }).catch(() => happened.push('first: given up'))
    })
  })
  world.after(other, 1, async () => {
    const things = await opened(other, 'things')
    world.after(other, 20_000, () => void addUnlessThere(things))
  })
  await world.run(world.now + 200_000)
  expect(happened).toEqual(expect.arrayContaining(['first: given up', 'other: added']))
  expect([...server.tables.documents.keys()].filter((key) => key.startsWith('things'))).toHaveLength(1)
})
