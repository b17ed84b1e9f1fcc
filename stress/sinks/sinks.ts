// Sinks with faults: `npm run stress:sinks -- [--seed 1] [--faults 200] [--rate 30] [--gaps 2] [--keep]`.
// What arrived at the targets is compared with the journal, which is read through the API. Needs Mosquitto.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock as clock, delay } from '../../src/kit/clock.js'
import type { FleetOptions } from '../../src/simulator/fleet-member.js'
import { freePort } from '../../test/support/free-port.js'
import { Mosquitto } from '../../test/system/mosquitto.js'
import { Random } from '../random.js'
import { Installed } from '../soak-daemon.js'
import { FleetProcess, serveFleet } from '../soak-fleet.js'
import { type Arrival, arrivalsIn } from './arrivals.js'
import { type Received, verdictOf } from './check.js'
import { type ConsumerOptions, RecordingProxy, serveConsumer } from './mqtt-target.js'
import { StressedGateway } from './stressed-gateway.js'
import { HONEST, Killable, serveTarget, type TargetOptions } from './webhook-target.js'
import { WRITTEN, WrittenFile } from './written-file.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    faults: { type: 'string', default: '200' },
    rate: { type: 'string', default: '30' },
    gaps: { type: 'string', default: '2' },
    keep: { type: 'boolean', default: false },
  },
})
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const DRAIN_SECONDS = 300
/** The sink whose target is away for longer than history is kept. */
const FORGOTTEN = 'archive'
const TARGETS: Readonly<Record<string, { batch: number; gzip: boolean; slow: number; lies: typeof HONEST }>> =
  {
    mes: { batch: 1, gzip: false, slow: 0, lies: HONEST },
    lake: { batch: 100, gzip: true, slow: 400, lies: HONEST },
    liar: {
      batch: 100,
      gzip: false,
      slow: 100,
      lies: { lost: 0.02, kept: 0.04, cut: 0.02, busy: 0.02 },
    },
    [FORGOTTEN]: { batch: 200, gzip: false, slow: 0, lies: HONEST },
  }
const MQTT = 'mqtt'
/** Mosquitto saves its sessions each second: what it acknowledged before a kill within this time, in milliseconds, may be lost. */
const UNSAVED_MS = 3000
const EQUIPMENT = ['etcher-*']

let missed = 0
function aim(isMet: boolean, text: string): void {
  if (!isMet) missed += 1
  console.log(`${isMet ? 'met   ' : 'MISSED'} ${text}`)
}
const say = (text: string): void => console.log(`${(clock.now() / 1000).toFixed(1).padStart(8)} s  ${text}`)

class Run {
  readonly #random = new Random(Number(values.seed))
  readonly #counts = new Map<string, number>()
  readonly #gaps: (readonly [number, number])[] = []
  readonly #targets: readonly Killable[]
  readonly #consumer: Killable
  readonly #file: WrittenFile
  /** When the broker was killed, in milliseconds since 1970. */
  readonly #brokerKills: number[] = []
  /** Position at which each sink began. */
  readonly #begun = new Map<string, number>()
  #journalId = ''

  constructor(
    private readonly home: string,
    private readonly gateway: StressedGateway,
    private readonly fleet: FleetProcess,
    private readonly filler: FleetProcess,
    private readonly ports: ReadonlyMap<string, number>,
    private readonly broker: Mosquitto,
    private readonly proxy: RecordingProxy,
  ) {
    this.#file = new WrittenFile(home)
    const consumer: ConsumerOptions = { url: broker.url, log: this.#log('consumer') }
    this.#consumer = new Killable('consumer', ['consumer', JSON.stringify(consumer)])
    this.#targets = Object.entries(TARGETS).map(([name, { slow, lies }], at) => {
      const options: TargetOptions = {
        port: ports.get(name) ?? 0,
        log: this.#log(name),
        secret: SECRET,
        seed: Number(values.seed) * 100 + at,
        slow,
        lies,
      }
      return new Killable(name, ['target', JSON.stringify(options)])
    })
  }

  async begin(): Promise<void> {
    await this.gateway.start()
    for (const target of this.#targets) await target.start()
    await this.#consumer.start()
    const common = { equipment: EQUIPMENT, start: 'oldest' }
    for (const [name, { batch, gzip }] of Object.entries(TARGETS)) {
      const webhook = { url: `http://127.0.0.1:${this.ports.get(name)}/`, batch, gzip }
      const sink = await this.gateway.add({ ...common, name, webhook, secret: SECRET })
      this.#begun.set(name, Number(sink.position))
    }
    await this.gateway.add({
      ...common,
      name: 'file',
      file: { file: WRITTEN, max_bytes: 2 ** 20, keep: 1000 },
    })
    const mqtt = await this.gateway.add({
      ...common,
      name: MQTT,
      mqtt: { url: `mqtt://127.0.0.1:${this.proxy.port}` },
    })
    this.#begun.set(MQTT, Number(mqtt.position))
    await this.fleet.tell('start')
    await this.filler.tell('start')
    await this.gateway.register(await this.fleet.tell('members'), await this.filler.tell('members'))
    await this.fleet.tell('report')
    await delay(clock, 3000)
  }

  /** One fault after another; resolves when all sinks have delivered everything. */
  async stress(): Promise<void> {
    const faults = Number(values.faults)
    const gapEvery = Math.floor(faults / (Number(values.gaps) + 1))
    for (let n = 1; n <= faults; n++) {
      const isGap = gapEvery > 0 && n % gapEvery === 0 && n / gapEvery <= Number(values.gaps)
      const what = isGap ? await this.#gap() : await this.#fault(n)
      if (this.#random.chance(0.3))
        for (const sink of await this.gateway.sinks()) await this.gateway.hurry(sink)
      if (n % 10 === 0 || isGap) say(`fault ${n}: ${what}; ${await this.#lag()}`)
      await delay(clock, 300 + this.#random.below(1200))
    }
    await this.fleet.tell('quiet')
    aim(
      await this.gateway.drain(DRAIN_SECONDS),
      `all sinks caught up after the last fault: ${await this.#lag()}`,
    )
    await this.#untilConsumed()
    for (const { name, dead } of await this.gateway.sinks())
      if (dead > 0) aim(false, `${name} has ${dead} dead letters`)
  }

  /** Resolves once the consumer has received nothing new for a while. */
  async #untilConsumed(): Promise<void> {
    for (let [before, unchanged] = [-1, 0]; unchanged < 3; await delay(clock, 1000)) {
      const now = arrivalsIn(this.#log('consumer')).length
      unchanged = now === before ? unchanged + 1 : 0
      before = now
    }
  }

  /** In turn of the gateway, of the targets and the broker, and of the consumer. */
  async #fault(n: number): Promise<string> {
    if (n % 3 === 0) return this.#gatewayFault()
    if (n % 3 === 1) return this.#random.chance(0.3) ? this.#brokerFault() : this.#targetFault()
    return this.#processFault(this.#consumer)
  }

  async #brokerFault(): Promise<string> {
    const length = 200 + this.#random.below(2500)
    const how = (['SIGKILL', 'SIGTERM', 'SIGSTOP'] as const)[this.#random.below(3)] ?? 'SIGKILL'
    if (how === 'SIGSTOP') {
      this.broker.signal('SIGSTOP')
      await delay(clock, length)
      this.broker.signal('SIGCONT')
    } else {
      if (how === 'SIGKILL') this.#brokerKills.push(Date.now())
      await this.broker.kill(how)
      await delay(clock, length)
      await this.broker.resume()
    }
    return this.#count(`broker ${how === 'SIGSTOP' ? 'stopped' : 'ended'} (${how})`)
  }

  async #gatewayFault(): Promise<string> {
    const random = this.#random
    if (random.chance(0.25)) {
      const length = 500 + random.below(3000)
      await this.gateway.stopFor(length)
      return this.#count('gateway stopped (SIGSTOP)')
    }
    const isKill = random.chance(0.85)
    await this.gateway.end(isKill ? 'SIGKILL' : 'SIGTERM')
    await this.gateway.start()
    return this.#count(`gateway ${isKill ? 'killed (SIGKILL)' : 'restarted in order'}`)
  }

  async #targetFault(): Promise<string> {
    const random = this.#random
    const at = random.below(this.#targets.length + 1)
    const target = this.#targets[at]
    return target ? this.#processFault(target) : this.#count(await this.#file.fault(random))
  }

  async #processFault(target: Killable): Promise<string> {
    const length = 200 + this.#random.below(2500)
    if (this.#random.chance(0.25)) {
      target.signal('SIGSTOP')
      await delay(clock, length)
      target.signal('SIGCONT')
      return this.#count(`${target.name} stopped (SIGSTOP)`)
    }
    await target.end('SIGKILL')
    await delay(clock, length)
    await target.start()
    return this.#count(`${target.name} killed (SIGKILL)`)
  }

  /** A target is away until retention has removed what it has not received. */
  async #gap(): Promise<string> {
    const target = this.#targets.find(({ name }) => name === FORGOTTEN)
    await target?.end('SIGKILL')
    await delay(clock, 2000)
    await this.gateway.drain(DRAIN_SECONDS, [FORGOTTEN])
    const from = Number((await this.gateway.sink(FORGOTTEN)).position) + 1
    await delay(clock, 2000)
    await this.gateway.drain(DRAIN_SECONDS, [FORGOTTEN])
    this.#gaps.push([from, (await this.gateway.forget()) - 1])
    await target?.start()
    await this.gateway.hurry(await this.gateway.sink(FORGOTTEN))
    await this.gateway.drain(DRAIN_SECONDS)
    await this.gateway.end('SIGTERM')
    await this.gateway.start()
    return this.#count(`${FORGOTTEN} away for longer than history is kept`)
  }

  async #lag(): Promise<string> {
    const sinks = await this.gateway.sinks()
    return `lag ${sinks.map(({ name, lag_entries }) => `${name} ${lag_entries}`).join(', ')}; daemon ${this.gateway.memory.toFixed(0)} MiB`
  }

  #count(what: string): string {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1)
    return what
  }

  async check(): Promise<void> {
    await this.gateway.remember()
    for (const [what, times] of [...this.#counts].sort())
      console.log(`${String(times).padStart(5)} × ${what}`)
    const [{ id = '' } = {}] = arrivalsIn(this.#log('mes'))
    this.#journalId = id.slice(0, id.lastIndexOf('-'))
    for (const name of Object.keys(TARGETS)) {
      this.#verdict({
        sink: name,
        arrivals: arrivalsIn(this.#log(name)),
        after: this.#begun.get(name) ?? 0,
        removed: name === FORGOTTEN ? this.#gaps : [],
        lost: arrivalsIn(`${this.#log(name)}.lost`),
      })
    }
    this.#verdict({
      sink: `${MQTT}, acknowledged by the broker`,
      arrivals: this.proxy.accepted.map(({ arrival }) => arrival),
      after: this.#begun.get(MQTT) ?? 0,
      removed: [],
      lost: [],
    })
    this.#verdict({
      sink: `${MQTT}, at the consumer`,
      arrivals: arrivalsIn(this.#log('consumer')),
      after: this.#begun.get(MQTT) ?? 0,
      removed: [],
      lost: this.#unsaved(),
    })
    this.#verdict({ sink: 'file', arrivals: this.#file.arrivals(), after: 0, removed: [], lost: [] })
  }

  /** What the broker acknowledged shortly before it was killed. */
  #unsaved(): Arrival[] {
    return this.proxy.accepted.flatMap(({ arrival, at }) =>
      this.#brokerKills.some((kill) => at <= kill && at > kill - UNSAVED_MS) ? [arrival] : [],
    )
  }

  #verdict(received: Received): void {
    const { isMet, text } = verdictOf(received, this.gateway.recorded, this.#journalId)
    aim(isMet, text)
  }

  #log(name: string): string {
    return join(this.home, `${name}.log`)
  }

  async end(): Promise<void> {
    for (const target of this.#targets) await target.end('SIGKILL')
    await this.#consumer.end('SIGKILL')
    await this.gateway.end('SIGKILL')
    this.proxy.close()
    this.broker.signal('SIGCONT')
    await this.broker.remove()
  }
}

async function main(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'secsctl-sinks-'))
  const program = process.argv[1] ?? ''
  const common = { role: 'passive', host: '127.0.0.1', port: 0, seed: 0 } as const
  const fleet = new FleetProcess(program, {
    ...common,
    count: 8,
    name: 'etcher',
    rate: Number(values.rate),
  })
  const filler = new FleetProcess(program, { ...common, count: 1, name: 'filler', rate: 0 })
  const ports = new Map<string, number>()
  for (const name of Object.keys(TARGETS)) ports.set(name, await freePort())
  const broker = await Mosquitto.start(() => ['max_queued_messages 0'])
  const proxy = await RecordingProxy.start(broker.port)
  const run = new Run(home, new StressedGateway(new Installed(home, [])), fleet, filler, ports, broker, proxy)
  try {
    await run.begin()
    say(`the daemon delivers to ${Object.keys(TARGETS).join(', ')}, Mosquitto and a file (${home})`)
    await run.stress()
    await run.check()
  } catch (error) {
    aim(false, String((error as Error).stack))
  } finally {
    await run.end()
    fleet.end()
    filler.end()
    if (!values.keep && missed === 0) rmSync(home, { recursive: true, force: true })
    else console.log(`logs are in ${home}`)
  }
}

const [role, given = ''] = positionals
if (role === 'fleet') await serveFleet(JSON.parse(given) as FleetOptions)
else if (role === 'target') serveTarget(JSON.parse(given) as TargetOptions)
else if (role === 'consumer') serveConsumer(JSON.parse(given) as ConsumerOptions)
else {
  await main()
  process.exit(missed > 0 ? 1 : 0)
}
