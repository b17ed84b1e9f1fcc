import { expect, test } from 'vitest'
import { ChangedElsewhere } from '../../../src/store/failure.js'
import type { Database } from '../../../src/store/postgres/database.js'
import { Documents } from '../../../src/store/postgres/documents.js'
import { ManualClock } from '../../support/manual-clock.js'
import { statementOf } from '../../world/postgres/statements.js'
import { emptyTables, type Tables } from '../../world/postgres/tables.js'

interface Named {
  readonly id: string
  readonly name: string
}

/** A primary and what its standby had when it was left behind. */
class Server {
  tables = emptyTables('history 1', 1)
  standby: Tables | undefined

  leaveStandbyBehind(): void {
    this.standby = structuredClone(this.tables)
  }

  promote(): void {
    if (this.standby) this.tables = { ...this.standby, history: 'history 2' }
  }

  readonly query = async (text: string, values: readonly unknown[] = []) =>
    statementOf(text).run(this.tables, values, 0)

  /** What a process has of it. */
  get database(): Database {
    const client = {
      query: async (...call: Parameters<Server['query']>) => ({ rows: await this.query(...call) }),
    }
    const transaction = <R>(work: (client: object) => Promise<R>) => work({ ...client, on() {}, off() {} })
    return { query: this.query, transaction } as unknown as Database
  }
}

async function twoProcesses() {
  const server = new Server()
  const open = async (node: string) => {
    const parts = { database: server.database, node, clock: new ManualClock(), checks: {}, migrations: {} }
    const documents = new Documents({ ...parts, notify: () => {}, onOwned: () => {} })
    return { documents, sinks: await documents.collection<Named>('sinks') }
  }
  return { server, one: await open('one'), other: await open('other') }
}

test('after a failover to a standby that was behind, what it does not have is forgotten', async () => {
  const { server, one } = await twoProcesses()
  await one.sinks.put({ id: 'a', name: 'by-name' })
  await one.sinks.put({ id: 'b', name: 'before' })
  server.leaveStandbyBehind()
  await one.sinks.delete('a')
  await one.sinks.put({ id: 'b', name: 'after' })
  await one.sinks.put({ id: 'c', name: 'new' })
  server.promote()
  const changed: string[] = []
  one.sinks.changed.on((id) => void changed.push(id))
  // Who decides by all records, for example that a name is free, decides by those that there are.
  const all = await one.sinks.exclusively(() => one.sinks.all())
  expect(new Map(all.map(({ id, name }) => [id, name]))).toEqual(
    new Map([
      ['a', 'by-name'],
      ['b', 'before'],
    ]),
  )
  expect(changed.sort()).toEqual(['a', 'b', 'c'])
})

test('a change that was decided before the failover is refused, whatever the versions say', async () => {
  const { server, one, other } = await twoProcesses()
  await one.sinks.put({ id: 'a', name: 'first' })
  await other.documents.refresh()
  server.leaveStandbyBehind()
  await one.sinks.put({ id: 'a', name: 'lost' })
  server.promote()
  await other.documents.refresh()
  await other.sinks.put({ id: 'a', name: 'of the new history' })
  // Both have a version 2 of the record: that of the other process is kept.
  await expect(one.sinks.put({ id: 'a', name: 'by what was lost' })).rejects.toThrow(ChangedElsewhere)
  await one.documents.refresh()
  expect(await one.sinks.get('a')).toEqual({ id: 'a', name: 'of the new history' })
  await one.sinks.put({ id: 'a', name: 'by what there is' })
  await other.documents.refresh()
  expect(await other.sinks.get('a')).toEqual({ id: 'a', name: 'by what there is' })
})
