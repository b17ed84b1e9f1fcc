// What a gateway does when it has restarted and all its tools come back at once:
// `npm run bench:reconnect -- [--tools 60] [--restarts 1]`. The tools are simulated 300 mm tools with a mapping and the
// event reports that it needs; they keep them. The daemon is a process of its own. While it checks the reports, a call
// asks one tool after the other for its clock.
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { DAEMON_OPTIONS } from '../src/cli/installation.js'
import { endpoints } from '../src/contract/endpoints.js'
import type { Gem300Mapping } from '../src/contract/topics/gem300/mapping.js'
import { systemClock as clock, delay } from '../src/kit/clock.js'
import { Simulator } from '../src/simulator/simulator.js'
import { Installed, type SoakedDaemon } from '../stress/soak-daemon.js'
import { toolModel } from '../test/simulator/gem300/tool-variants.js'
import { until } from '../test/support/until.js'

const { values } = parseArgs({
  options: {
    tools: { type: 'string', default: '60' },
    restarts: { type: 'string', default: '1' },
  },
})
const [tools, restarts] = [Number(values.tools), Number(values.restarts)]
/** Of all that is waited for, in milliseconds. */
const LIMIT = 1_800_000

const home = mkdtempSync(join(tmpdir(), 'secsctl-reconnect-'))
const installed = new Installed(home, DAEMON_OPTIONS)
const ids: string[] = []
/** The place of a tool that was not checked when it was last looked at: it is looked at first, so that the look costs little. */
let unchecked = 0
const simulators: Simulator[] = []
let daemon = await installed.daemon()
let isOver = false
try {
  await equip()
  for (let n = 0; n < restarts; n++) await restart()
} finally {
  isOver = true
  await daemon.end('SIGTERM')
  for (const simulator of simulators) await simulator.stop()
  rmSync(home, { recursive: true, force: true })
}

/** A connection that was kept may be closed just when it is used: then once more. */
function again<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: { readonly kind?: unknown }) => {
    if (error.kind !== 'unreachable') throw error
    return work()
  })
}

/** All tools, each with the mapping and the reports of the first. */
async function equip(): Promise<void> {
  let mapping: Gem300Mapping | undefined
  for (let at = 0; at < tools; at++) {
    const options = { role: 'passive' as const, host: '127.0.0.1', port: 0, establishDelay: 100, seed: at }
    const simulator = new Simulator(toolModel(), options, { clock })
    simulators.push(simulator)
    await simulator.start()
    const address = { ip_address: '127.0.0.1', port: simulator.port, mode: 'passive' } as const
    const body = { name: `tool-${at}`, ...address, timers: { t5: 1, establish: 1 } }
    const { id } = await daemon.client.call(endpoints.createEquipment, { body })
    const params = { id }
    await again(() => daemon.client.call(endpoints.connectEquipment, { params, query: { wait: 30 } }))
    mapping ??= await until(async () => {
      const { file } = await again(() => daemon.client.call(endpoints.proposeGem300, { params }))
      const proposed = parse(file) as Gem300Mapping
      return (proposed?.events ?? []).length > 10 && proposed
    })
    const body300 = mapping
    await again(() => daemon.client.call(endpoints.applyGem300, { params, body: body300 }))
    const reports = await again(() => daemon.client.call(endpoints.gem300Reports, { params }))
    await again(() => daemon.client.call(endpoints.applyReports, { params, body: reports }))
    if (at === 0)
      console.log(`${reports.events.length} events with ${reports.reports.length} reports each tool`)
    ids.push(id)
  }
}

/** The number of the last message that is recorded: entries have one sequence. */
async function last(of: SoakedDaemon): Promise<number> {
  const { items } = await again(() => of.client.call(endpoints.listMessages, { query: { limit: 1 } }))
  return Number(items[0]?.id)
}

async function restart(): Promise<void> {
  // What the gateway asks after each connect is over.
  await quiet()
  const before = await last(daemon)
  await daemon.end('SIGTERM')
  daemon = await installed.daemon()
  const began = clock.now()
  const seconds = (): string => ((clock.now() - began) / 1000).toFixed(1)
  await until(async () => (await states('COMMUNICATING')) === tools, LIMIT)
  const communicating = seconds()
  const calls: number[] = []
  let checked: string | undefined
  const asking = (async () => {
    for (let at = 0; checked === undefined && !isOver; at++) {
      const start = clock.now()
      await again(() => daemon.client.call(endpoints.getClock, { params: { id: ids[at % tools] ?? '' } }))
      calls.push(clock.now() - start)
      await delay(clock, 20)
    }
  })()
  await until(areChecked, LIMIT)
  checked = seconds()
  await asking
  await quiet()
  calls.sort((one, other) => one - other)
  const p = (share: number): string =>
    (calls[Math.floor((calls.length - 1) * share)] ?? Number.NaN).toFixed(0)
  console.log(
    `${tools} tools: all communicate after ${communicating} s, all reports are checked after ${checked} s; ` +
      `${(await last(daemon)) - before} entries, of which ${3 * calls.length} are of ${calls.length} calls; ` +
      `a call p50 ${p(0.5)} ms, p99 ${p(0.99)} ms, longest ${p(1)} ms; ` +
      `${daemon.processor.toFixed(1)} s of the processor; load ${loadavg()[0]?.toFixed(1)}`,
  )
}

async function states(wanted: string): Promise<number> {
  const { items } = await again(() => daemon.client.call(endpoints.listEquipment, { query: { limit: 1000 } }))
  return items.filter(({ communication_state }) => communication_state === wanted).length
}

/** Nothing is recorded for two seconds. */
async function quiet(): Promise<void> {
  for (let before = -1, now = await last(daemon); before !== now; ) {
    before = now
    await delay(clock, 2000)
    now = await last(daemon)
  }
}

async function areChecked(): Promise<boolean> {
  const of = async (at: number): Promise<boolean> => {
    const id = ids[at] ?? ''
    const { state } = await again(() => daemon.client.call(endpoints.getReports, { params: { id } }))
    return state === 'present'
  }
  if (!(await of(unchecked))) return false
  for (let at = 0; at < tools; at++)
    if (!(await of(at))) {
      unchecked = at
      return false
    }
  return true
}
