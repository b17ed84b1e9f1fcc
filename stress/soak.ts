// A daemon with a fab behind it: `npm run soak -- [--minutes 3] [--equipment 1000] [--rate 1000] [--kill] [--active]`.
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connectFleet, fleetLine } from '../src/cli/simulator/fleet.js'
import { endpoints } from '../src/contract/endpoints.js'
import { systemClock as clock, delay } from '../src/kit/clock.js'
import type { FleetFigures } from '../src/simulator/fleet-count.js'
import type { FleetOptions } from '../src/simulator/fleet-member.js'
import { Installed, type SoakedDaemon } from './soak-daemon.js'
import { FleetProcess, type Said, serveFleet } from './soak-fleet.js'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '3' },
    equipment: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '1000' },
    active: { type: 'boolean', default: false },
    kill: { type: 'boolean', default: false },
    'cpu-prof': { type: 'string' },
  },
})

/** The aims. Times in milliseconds; T5 is that of HSMS's defaults. */
const P99 = 50
const BACK_AGAIN = 10_000 + 10_000
/** By how much memory may be above what it was when a third of the time was over. */
const GROWTH = 0.2
const EVERY = 10_000
/** How long reports go on before latencies count, and behind a cut. */
const WARM_UP = 15_000
const AFTERWARDS = 15_000

let missed = 0
function aim(isMet: boolean, text: string): void {
  if (!isMet) missed += 1
  console.log(`${isMet ? 'met   ' : 'MISSED'} ${text}`)
}

/** Resolves with the milliseconds until all communicate; throws when that takes minutes. */
async function untilAll(fleet: FleetProcess, from = clock.now()): Promise<number> {
  for (let figures = await fleet.tell('figures'); ; figures = await fleet.tell('figures')) {
    const took = clock.now() - from
    if (figures.communicating === figures.equipment) return took
    if (took > 300_000) throw new Error(`only ${figures.communicating} communicate after five minutes`)
    await delay(clock, 100)
  }
}

/** Reports for so long, printing figures; resolves with the last, and what memory the daemon had at each. */
async function steady(
  fleet: FleetProcess,
  daemon: SoakedDaemon,
  length: number,
): Promise<{ figures: FleetFigures; memory: readonly number[] }> {
  const memory: number[] = []
  await fleet.tell('report')
  for (const end = clock.now() + length; clock.now() < end; ) {
    await delay(clock, Math.min(EVERY, end - clock.now()))
    memory.push(daemon.memory)
    const load = loadavg()[0]?.toFixed(1)
    console.log(
      `${fleetLine(await fleet.tell('figures'))} · daemon ${daemon.memory.toFixed(0)} MiB · load ${load}`,
    )
  }
  await fleet.tell('quiet')
  return { figures: await fleet.tell('figures'), memory }
}

/** How many reports of each equipment, by id, are in the journal, and how many of them twice. */
async function recorded(secsctl: Installed): Promise<{ counts: Map<string, number>; twice: number }> {
  const counts = new Map<string, number>()
  const seen = new Set<string>()
  let twice = 0
  for await (const line of secsctl.lines(['journal', 'export', '--type', 'message'])) {
    const { name, key, topic, data } = JSON.parse(line)
    if (name !== 'message_received' || (topic !== 'S6F11' && topic !== 'S5F1')) continue
    counts.set(key, (counts.get(key) ?? 0) + 1)
    const identity = `${key} ${data.system_bytes}`
    if (seen.has(identity)) twice += 1
    seen.add(identity)
  }
  return { counts, twice }
}

/** Compares, equipment by equipment, what was acknowledged with what is in the journal. */
async function nothingLost(
  secsctl: Installed,
  said: readonly Said[],
  names: ReadonlyMap<string, string>,
): Promise<void> {
  const { counts, twice } = await recorded(secsctl)
  const byName = new Map([...counts].map(([id, count]) => [names.get(id), count]))
  let lost = 0
  let tooMany = 0
  for (const { name, sent, acknowledged } of said) {
    const count = byName.get(name) ?? 0
    lost += Math.max(0, acknowledged - count)
    tooMany += Math.max(0, count - sent)
  }
  const sum = (of: (one: Said) => number): number => said.reduce((total, one) => total + of(one), 0)
  const inAll = [...counts.values()].reduce((total, count) => total + count, 0)
  console.log(
    `sent ${sum(({ sent }) => sent)}, acknowledged ${sum(({ acknowledged }) => acknowledged)}, in the journal ${inAll}`,
  )
  aim(lost === 0, `nothing that was acknowledged is missing in the journal: ${lost} are`)
  aim(tooMany === 0 && twice === 0, `nothing is recorded that was not sent, or twice: ${tooMany + twice} are`)
}

/** From `begin` until all communicate again, with reports going on. */
async function comeBack(fleet: FleetProcess, what: string, begin: () => Promise<unknown>): Promise<void> {
  await fleet.tell('report')
  await delay(clock, 2000)
  const from = clock.now()
  await begin()
  const took = await untilAll(fleet, from)
  aim(
    took <= BACK_AGAIN,
    `all communicate again ${(took / 1000).toFixed(1)} s after ${what}, T5 + 10 s is 20 s`,
  )
  await delay(clock, AFTERWARDS)
  console.log(fleetLine(await fleet.tell('figures')))
  await fleet.tell('quiet')
}

async function soak(secsctl: Installed, fleet: FleetProcess): Promise<void> {
  const minutes = Number(values.minutes)
  let daemon = await secsctl.daemon()
  if (!values.active) await fleet.tell('start')
  const members = await fleet.tell('members')
  const began = clock.now()
  await connectFleet(daemon.client, members)
  // Who dials in a moment too early tries again only after T5.
  if (values.active) await fleet.tell('start')
  console.log(`${members.length} equipments registered in ${((clock.now() - began) / 1000).toFixed(1)} s`)
  console.log(
    `all communicate ${((await untilAll(fleet, began)) / 1000).toFixed(1)} s after the first was registered`,
  )
  const { items } = await daemon.client.call(endpoints.listEquipment, { query: {} })
  const names = new Map(items.map(({ id, name }) => [id, name]))

  await fleet.tell('report')
  await delay(clock, WARM_UP)
  await fleet.tell('warm')
  const { sent: before } = await fleet.tell('figures')
  const { figures, memory } = await steady(fleet, daemon, minutes * 60_000)
  const { overall_p50_ms: p50, overall_p99_ms: p99, sent, unacknowledged } = figures
  const third = memory[Math.floor(memory.length / 3)] ?? Number.NaN
  const last = memory.at(-1) ?? Number.NaN
  aim(unacknowledged === 0, `each of ${sent} reports was acknowledged: ${unacknowledged} were not`)
  const rate = (sent - before) / (minutes * 60)
  aim(rate >= Number(values.rate) * 0.98, `${rate.toFixed(0)} reports a second for ${minutes} minutes`)
  aim(p99 !== null && p99 < P99, `acknowledgement p50 ${p50} ms, p99 ${p99} ms, aim ${P99} ms`)
  aim(
    last < third * (1 + GROWTH),
    `memory ${third.toFixed(0)} MiB after a third, ${last.toFixed(0)} at the end`,
  )

  await comeBack(fleet, 'every link was cut', () => fleet.tell('cut'))
  if (values.kill) {
    await comeBack(fleet, 'kill -9 of the daemon', async () => {
      await daemon.end('SIGKILL')
      daemon = await secsctl.daemon()
    })
  }
  await daemon.end('SIGTERM')
  await nothingLost(secsctl, await fleet.tell('said'), names)
}

async function main(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'secsctl-soak-'))
  const profile = values['cpu-prof']
  const secsctl = new Installed(
    home,
    profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`],
  )
  const options: FleetOptions = {
    role: values.active ? 'active' : 'passive',
    host: '127.0.0.1',
    port: values.active ? 14_999 : 15_000,
    count: Number(values.equipment),
    name: 'etcher',
    rate: Number(values.rate),
    seed: 0,
  }
  const fleet = new FleetProcess(process.argv[1] ?? '', options)
  try {
    await soak(secsctl, fleet)
  } finally {
    fleet.end()
    rmSync(home, { recursive: true, force: true })
  }
  process.exitCode = missed > 0 ? 1 : 0
}

const [, , role, given] = process.argv
await (role === 'fleet' && given !== undefined ? serveFleet(JSON.parse(given) as FleetOptions) : main())
