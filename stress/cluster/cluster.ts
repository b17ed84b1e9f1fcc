// Several daemons over one PostgreSQL, with faults: `npm run stress:cluster -- [--seed 1] [--faults 50] [--tools 300] [--only kill,stop]`.
// What is checked at the end is what the tools and the clients saw; the journal is read through the API.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { GatewayClient } from '../../src/client/client.js'
import { followEvents } from '../../src/client/events.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { systemClock as clock, delay } from '../../src/kit/clock.js'
import { freePort } from '../../test/support/free-port.js'
import { PostgresServer } from '../../test/system/postgres-server.js'
import { Random } from '../random.js'
import { type Asked, checked, type Outcome, type Stretch } from './cluster-check.js'
import { ClusterDaemon } from './cluster-daemon.js'
import { FAULTS, type FaultySite, setBeforeMidnight } from './cluster-faults.js'
import { serveTools, ToolsProcess } from './cluster-tools.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    faults: { type: 'string', default: '50' },
    tools: { type: 'string', default: '300' },
    daemons: { type: 'string', default: '3' },
    lease: { type: 'string', default: '5' },
    keep: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const LEASE_MS = Number(values.lease) * 1000

let missed = 0
function aim(isMet: boolean, text: string): void {
  if (!isMet) missed += 1
  console.log(`${isMet ? 'met   ' : 'MISSED'} ${text}`)
}

const say = (text: string): void => console.log(`${(clock.now() / 1000).toFixed(1).padStart(8)} s  ${text}`)

class Cluster implements FaultySite {
  readonly leaseMs = LEASE_MS
  readonly database = 'site'
  aheadSeconds = 0
  /** When what was acknowledged may be lost. */
  readonly lost: Stretch[] = []
  readonly asked: Asked[] = []
  readonly heard = new Map<string, string[]>()
  readonly ids: string[] = []
  #isOver = false
  #number = 1_000_000

  constructor(
    public server: PostgresServer,
    readonly daemons: readonly ClusterDaemon[],
    readonly tools: ToolsProcess,
    readonly random: Random,
  ) {}

  async register(): Promise<void> {
    const client = await this.#client()
    for (const [at, port] of this.tools.ports.entries()) {
      const address = { ip_address: '127.0.0.1', port, mode: 'passive', device_id: 0 } as const
      const timers = { t5: 2, t6: 3, t7: 5 }
      const body = { name: `tool-${at}`, ...address, gem_startup: false, timers, enabled: true }
      const { id } = await client.call(endpoints.createEquipment, { body })
      await client.call(endpoints.connectEquipment, { params: { id }, query: { wait: 0 } })
      this.ids.push(id)
    }
  }

  /** Resolves with the milliseconds until all tools are selected. */
  async untilAll(seconds: number): Promise<number> {
    const began = clock.now()
    for (;;) {
      const left = (await this.tools.tell('selected')).filter((one) => !one).length
      if (left === 0) return clock.now() - began
      if (clock.now() - began > seconds * 1000) throw new Error(`${left} tools are not selected`)
      await delay(clock, 200)
    }
  }

  /** Asks a tool, at any daemon, and again with the same key until there is an answer. */
  async #ask(): Promise<void> {
    const asked: Asked = { number: this.#number++, from: Date.now(), until: undefined, messageId: undefined }
    this.asked.push(asked)
    const id = this.ids[this.random.below(this.ids.length)] ?? ''
    const body = {
      sml: `S2F25 W <B ${[...String(asked.number)].map((c) => `0x${c.charCodeAt(0).toString(16)}`).join(' ')}>`,
    }
    const idempotencyKey = `stress-${asked.number}`
    for (let tries = 0; tries < 60 && !this.#isOver; tries++) {
      try {
        const client = await this.#client()
        const given = { params: { id }, body, query: { timeout: 5 } }
        const answer = await client.call(endpoints.sendMessage, given as never, { idempotencyKey })
        asked.messageId = String(
          (answer as { id?: string; message?: { id: string } }).id ??
            (answer as { message?: { id: string } }).message?.id,
        )
        asked.until = Date.now()
        return
      } catch (error) {
        const code = (error as { code?: string }).code
        // The first attempt was cut off: what became of it is in the journal.
        if (code === 'outcome_unknown') return
        await delay(clock, 1000)
      }
    }
  }

  readonly #clients = new Map<string, GatewayClient>()

  async #client(): Promise<GatewayClient> {
    const running = this.daemons.filter(({ isRunning }) => isRunning)
    const daemon = running[this.random.below(running.length)]
    if (!daemon) throw new Error('no daemon runs')
    const known = this.#clients.get(daemon.name)
    if (known) return known
    const client = await daemon.client()
    this.#clients.set(daemon.name, client)
    return client
  }

  async askForEver(everyMs: number): Promise<void> {
    const open = new Set<Promise<void>>()
    while (!this.#isOver) {
      if (open.size < 50) {
        const one: Promise<void> = this.#ask().finally(() => open.delete(one))
        open.add(one)
      }
      await delay(clock, everyMs)
    }
    await Promise.all(open)
  }

  /** Follows the events of the whole site, at another daemon after each loss. */
  async follow(name: string): Promise<void> {
    const heard: string[] = []
    this.heard.set(name, heard)
    while (!this.#isOver) {
      const abort = new AbortController()
      const over = setInterval(() => this.#isOver && abort.abort(), 200)
      try {
        const client = await this.#client()
        const last = heard.at(-1)
        const query = { type: ['message'], ...(last !== undefined ? { after: last } : { after: '0' }) }
        const options = { ...client.options, patience: 0 } as never
        for await (const { id } of followEvents(options, query as never, abort.signal)) heard.push(id)
      } catch {
        await delay(clock, 300)
      } finally {
        clearInterval(over)
      }
    }
  }

  end(): void {
    this.#isOver = true
  }

  /** One fault; resolves with what it was, once its cause is over. */
  fault(): Promise<string> {
    const daemon = this.daemons[this.random.below(this.daemons.length)] as ClusterDaemon
    const kind = CHOSEN[this.random.below(CHOSEN.length)] as string
    return (FAULTS[kind] as NonNullable<(typeof FAULTS)[string]>)(this, daemon)
  }

  /** How long the tools of a daemon that was killed or stopped at `from` were without a gateway, in milliseconds. */
  async takeovers(
    what: string,
    owners: ReadonlyMap<ClusterDaemon, ReadonlySet<number>>,
    from: number,
  ): Promise<readonly number[]> {
    const [name = '', how = ''] = what.split(' ')
    const hit = this.daemons.find((daemon) => daemon.name === name)
    if (!hit || !(how === 'killed,' || how === 'stopped')) return []
    const ports = owners.get(hit) ?? new Set()
    const first = new Map<number, number>()
    for (const { port, until } of await this.tools.tell('pauses'))
      if (ports.has(port) && until !== null && until >= from)
        first.set(port, Math.min(first.get(port) ?? Number.POSITIVE_INFINITY, until - from))
    return [...first.values()]
  }

  rolledBack(from: number, last: number): void {
    this.lost.push({ from, until: Date.now() })
    for (const heard of this.heard.values()) {
      const kept = heard.filter((id) => Number(id) <= last).length
      heard.splice(kept)
    }
  }
}

const CHOSEN = values.only?.split(',') ?? Object.keys(FAULTS)
for (const kind of CHOSEN)
  if (!(kind in FAULTS)) throw new Error(`${kind} is none of: ${Object.keys(FAULTS).join(', ')}`)

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-cluster-'))
  const database = await PostgresServer.start({ max_connections: '300' }, { hasOwnTime: true })
  const site = await database.database('site')
  const random = new Random(Number(values.seed))
  const tools = await ToolsProcess.start(process.argv[1] ?? '', Number(values.tools))
  const shared = { folder, databasePort: database.port, database: site, leaseSeconds: Number(values.lease) }
  const names = ['a', 'b', 'c', 'd', 'e'].slice(0, Number(values.daemons))
  const daemons = await Promise.all(
    names.map(async (name) => ClusterDaemon.make(name, await freePort(), shared)),
  )
  const cluster = new Cluster(database, daemons, tools, random)
  setBeforeMidnight(cluster, 40 * 60)
  try {
    for (const daemon of daemons) await daemon.start()
    say(`${daemons.length} daemons serve (${folder})`)
    await cluster.register()
    say(`${tools.ports.length} tools registered; all selected after ${await cluster.untilAll(120)} ms`)
    await tools.tell('report')
    const clients = [cluster.askForEver(100), ...names.map((name) => cluster.follow(name))]
    await delay(clock, 3000)
    const takeovers: number[] = []
    for (let n = 1; n <= Number(values.faults); n++) {
      const owners = new Map(
        daemons.map((daemon) => [daemon, daemon.isRunning ? daemon.peers : new Set<number>()]),
      )
      const from = Date.now()
      const what = await cluster.fault()
      const back = await cluster.untilAll(120).catch((error: unknown) => String(error))
      say(
        `fault ${n}: ${what}; all selected ${typeof back === 'number' ? `${back} ms later` : `NOT: ${back}`}`,
      )
      takeovers.push(...(await cluster.takeovers(what, owners, from)))
      await delay(clock, 1000 + random.below(2000))
    }
    await tools.tell('quiet')
    await delay(clock, 15_000)
    cluster.end()
    await Promise.all(clients)
    for (const daemon of daemons) if (!daemon.isRunning) await daemon.start()
    await delay(clock, 2000)
    const seen = await tools.tell('seen')
    const outcome: Outcome = {
      seen,
      asked: cluster.asked,
      heard: cluster.heard,
      ids: cluster.ids,
      lost: cluster.lost,
    }
    for (const { isMet, text } of await checked(outcome, daemons[0] as ClusterDaemon)) aim(isMet, text)
    const worst = Math.max(0, ...takeovers)
    aim(
      worst <= LEASE_MS + 2000 + 2000,
      `${takeovers.length} tools of killed or stopped daemons were selected again within ${worst} ms (lease ${LEASE_MS} ms + 2 s, and T5 2 s)`,
    )
  } finally {
    cluster.end()
    tools.child.kill()
    for (const daemon of daemons) {
      daemon.signal('SIGCONT')
      await daemon.end('SIGKILL')
      await daemon.proxy.close()
    }
    await cluster.server.remove()
    if (!values.keep && missed === 0) rmSync(folder, { recursive: true, force: true })
    else console.log(`logs are in ${folder}`)
  }
}

const [role, count] = positionals
if (role === 'tools') await serveTools(Number(count))
else {
  await main()
  process.exit(missed > 0 ? 1 : 0)
}
