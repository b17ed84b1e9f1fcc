import { setImmediate as immediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { L, U4 } from '../../src/secs2/item.js'
import { openStore } from '../../src/store/files/data-folder.js'
import { HeldDisk } from '../store/held-disk.js'
import { scratchFolders } from '../store/scratch-folder.js'
import { ManualClock } from '../support/manual-clock.js'
import { ScriptedEquipment } from '../support/scripted-equipment.js'
import { LOOPBACK } from '../support/tcp.js'
import { openTestGateway } from '../support/test-gateway.js'
import { until } from '../support/until.js'

const folderOf = scratchFolders()
const REPORT = L(U4(1), U4(2), L())
/** The default T3, in milliseconds. */
const T3_MS = 45_000

/** A gateway over real files and sockets, whose time and disk are the test's, and equipment that communicates with it. */
async function scene(count = 1) {
  const [clock, held] = [new ManualClock(), new HeldDisk()]
  const store = await openStore(`${folderOf()}/data`, { clock, fs: held.fs })
  const gateway = await openTestGateway({ store, clock })
  onTestFinished(async () => {
    held.release()
    await gateway.close()
    await store.close()
  })
  const tools: ScriptedEquipment[] = []
  for (let n = 0; n < count; n++) {
    const tool = await ScriptedEquipment.listen()
    const given = { name: `tool ${n}`, ip_address: LOOPBACK, port: tool.port, gem_startup: false }
    const { id } = await gateway.equipment.create(given)
    expect(await gateway.equipment.connect(id, 30)).toMatchObject({ communication_state: 'COMMUNICATING' })
    tools.push(tool)
  }
  /** Time passes in small steps, as timers, the disk and the sockets see it. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100)
      await immediate()
    }
  }
  const outcomes = async () => {
    // Replies of the gateway are recorded some milliseconds later.
    await pass(100)
    return (await gateway.messages.list({ stream: 6, function: 11, order: 'asc', limit: 1000 })).items
  }
  return { gateway, store, held, tools, pass, outcomes, tool: tools[0] as ScriptedEquipment }
}

test('reports that the disk takes only after ten seconds are acknowledged then, and none before', async () => {
  const { gateway, store, held, tools, pass, outcomes } = await scene(3)
  held.hold()
  const sent = tools.map((tool) => [tool.send(6, 11, REPORT), tool.send(6, 11, REPORT)])
  await until(() => store.journal.backlog.count === 6)
  await pass(10_000)
  for (const tool of tools) await tool.linktest()
  expect(tools.map(({ received }) => received.length)).toEqual([0, 0, 0])
  expect([gateway.ready, await outcomes()]).toEqual([false, []])
  held.release()
  for (const [at, tool] of tools.entries()) {
    const replies = [await tool.next(), await tool.next()]
    expect(replies.map(({ stream, function: fn, systemBytes }) => [stream, fn, systemBytes])).toEqual(
      sent[at]?.map((systemBytes) => [6, 12, systemBytes]),
    )
  }
  expect(gateway.ready).toBe(true)
  await until(async () => (await outcomes()).every(({ outcome }) => outcome === 'replied'))
  expect(await outcomes()).toHaveLength(6)
})

test('a report for which the disk takes longer than T3 stays without a reply, and the link goes on', async () => {
  const { store, held, tool, pass, outcomes } = await scene()
  held.hold()
  const sent = Array.from({ length: 300 }, () => tool.send(6, 11, REPORT))
  const isRead = tool.linktest()
  await until(() => store.journal.backlog.count > 250)
  await pass(T3_MS - 1000)
  // Its share of what may wait is used, so that no more of it is read.
  expect(store.journal.backlog.count).toBeLessThan(300)
  await pass(2000)
  await isRead
  expect([store.journal.backlog.count, tool.received]).toEqual([300, []])
  held.release()
  await until(async () => (await outcomes()).filter(({ outcome }) => outcome !== 'pending').length === 300)
  await tool.linktest()
  const listed = await outcomes()
  const replied = listed.filter(({ outcome }) => outcome === 'replied')
  const answered = tool.received.map(({ systemBytes }) => systemBytes)
  expect(listed.map((message) => message.system_bytes)).toEqual(sent)
  expect(replied.map((message) => message.system_bytes)).toEqual(answered)
  expect(listed.length - replied.length).toBeGreaterThan(250)
  expect(listed.filter(({ outcome }) => outcome === 'lost')).toHaveLength(listed.length - replied.length)
})
