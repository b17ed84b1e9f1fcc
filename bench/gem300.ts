// How long a change of a GEM 300 state is on its way to a client, and how long `run` takes for a lot of 25 wafers:
// `npm run bench:gem300 -- [--tools 100] [--ports 4] [--rate 20000] [--seconds 60] [--lots 9]`. The daemon is a process
// of its own; tools and client are in this one, so that one clock measures both ends.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { parse } from 'yaml'
import { DAEMON_OPTIONS } from '../src/cli/installation.js'
import { followEvents } from '../src/client/events.js'
import { endpoints } from '../src/contract/endpoints.js'
import type { Gem300Mapping } from '../src/contract/topics/gem300/mapping.js'
import { systemClock as clock, delay } from '../src/kit/clock.js'
import { L, U4 } from '../src/secs2/item.js'
import { Simulator } from '../src/simulator/simulator.js'
import { Installed } from '../stress/soak-daemon.js'
import { toolModel } from '../test/simulator/gem300/tool-variants.js'
import { ScriptedEquipment } from '../test/support/scripted-equipment.js'
import { until } from '../test/support/until.js'
import { median } from './rate.js'

const { values } = parseArgs({
  options: {
    tools: { type: 'string', default: '100' },
    ports: { type: 'string', default: '4' },
    /** Transitions of all tools in a minute. */
    rate: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '60' },
    lots: { type: 'string', default: '9' },
  },
})
const [tools, ports, rate, seconds, lots] = [
  values.tools,
  values.ports,
  values.rate,
  values.seconds,
  values.lots,
].map(Number) as [number, number, number, number, number]
const SLOTS = Array.from({ length: 25 }, () => 'CORRECTLY_OCCUPIED' as const)
const STATES = ['TRANSFER_BLOCKED', 'READY_TO_LOAD'] as const
/** CEID of a port that came into one of STATES. */
const ceidOf = (port: number, state: number): number => 100 + port * 10 + state

const home = mkdtempSync(join(tmpdir(), 'secsctl-gem300-'))
const secsctl = new Installed(home, DAEMON_OPTIONS)
const daemon = await secsctl.daemon()
try {
  console.log(`load ${loadavg()[0]?.toFixed(1)}`)
  await wayOfTransitions()
  await lotsOfWafers()
} finally {
  await daemon.end('SIGTERM')
  rmSync(home, { recursive: true, force: true })
}

async function register(name: string, port: number): Promise<string> {
  const address = { ip_address: '127.0.0.1', port, mode: 'passive' } as const
  // The tools of this program answer no linktest.
  const body = { name, ...address, timers: { t5: 1, establish: 1, linktest: 0 } }
  const { id } = await daemon.client.call(endpoints.createEquipment, { body })
  await daemon.client.call(endpoints.connectEquipment, { params: { id }, query: { wait: 30 } })
  return id
}

/** A tool that answers none of S14 and S16, and whose every event is a port that came into a state. */
async function portTool(): Promise<{ readonly tool: ScriptedEquipment; readonly port: number }> {
  const tool = new ScriptedEquipment()
  tool.reply = ({ function: fn, wait }) => (wait ? { function: fn === 1 ? 2 : 0, item: L() } : undefined)
  const server = createServer({ noDelay: true }, (socket) => tool.take(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return { tool, port: (server.address() as AddressInfo).port }
}

async function wayOfTransitions(): Promise<void> {
  const events = Array.from({ length: ports }, (_, at) =>
    STATES.map((to, state) => ({
      ...{ event: String(ceidOf(at + 1, state)), state: 'port.transfer', to, port: at + 1 },
    })),
  ).flat()
  const sites = await Promise.all(Array.from({ length: tools }, portTool))
  const ids: string[] = []
  for (const [at, { port }] of sites.entries()) {
    const id = await register(`tool-${at}`, port)
    await daemon.client.call(endpoints.applyGem300, { params: { id }, body: { events } as Gem300Mapping })
    ids.push(id)
  }

  /** When each transition was sent, in order, by equipment and port. */
  const sent = new Map<string, number[]>()
  const ways: number[] = []
  const end = new AbortController()
  let isOpen = false
  const query = { type: ['state'] } as never
  const { url, token } = daemon.client.options
  const follow = async (): Promise<void> => {
    for await (const event of followEvents(
      {
        url,
        token,
        clock,
        onOpen: () => {
          isOpen = true
        },
      } as never,
      query,
      end.signal,
    )) {
      const began = sent
        .get(`${event.equipment_id} ${(event.data as { readonly object_id?: string }).object_id}`)
        ?.shift()
      if (began !== undefined) ways.push(clock.now() - began)
    }
  }
  const following = follow()
  await until(() => isOpen)
  const busy = daemon.processor
  const began = clock.now()
  const total = Math.round((rate / 60) * seconds)
  for (let at = 0; at < total; at++) {
    const wait = began + (at * 60_000) / rate - clock.now()
    if (wait > 0) await delay(clock, wait)
    const round = Math.floor(at / (tools * ports))
    const port = 1 + (Math.floor(at / tools) % ports)
    const key = `${ids[at % tools]} ${port}`
    const waiting = sent.get(key) ?? []
    sent.set(key, waiting)
    waiting.push(clock.now())
    sites[at % tools]?.tool.send(6, 11, L(U4(0), U4(ceidOf(port, round % 2)), L()))
  }
  const took = (clock.now() - began) / 1000
  const cost = ((daemon.processor - busy) * 1e6) / total
  await until(() => ways.length === total, 60_000).catch(() => undefined)
  end.abort()
  await following.catch(() => undefined)
  ways.sort((one, other) => one - other)
  const share = (part: number): string => (ways[Math.floor(ways.length * part)] ?? Number.NaN).toFixed(1)
  console.log(
    `${tools} tools with ${ports} ports, ${total} transitions in ${took.toFixed(1)} s: ${ways.length} reached the client; ` +
      `p50 ${share(0.5)} ms, p99 ${share(0.99)} ms, longest ${ways.at(-1)?.toFixed(1)} ms; ${cost.toFixed(0)} us of the daemon each`,
  )
  for (const id of ids) await daemon.client.call(endpoints.disconnectEquipment, { params: { id } })
}

/** Milliseconds of `secsctl run` for a mapped tool that takes no time, and of the start of a command that asks once. */
async function lotsOfWafers(): Promise<void> {
  const options = { role: 'passive' as const, host: '127.0.0.1', port: 0, establishDelay: 100, seed: 3 }
  const simulator = new Simulator(toolModel(), options, { clock })
  await simulator.start()
  const tool = simulator.tool
  if (!tool) throw new Error('the model has no tool')
  const id = await register('etcher', simulator.port)
  const params = { id }
  const mapping = await until(async () => {
    const { file } = await daemon.client.call(endpoints.proposeGem300, { params })
    const proposed = parse(file) as Gem300Mapping
    return (proposed?.events ?? []).length > 10 && proposed
  })
  await daemon.client.call(endpoints.applyGem300, { params, body: mapping })
  const reports = await daemon.client.call(endpoints.gem300Reports, { params })
  await daemon.client.call(endpoints.applyReports, { params, body: reports })
  const { url, token } = daemon.client.options
  const env = { PATH: process.env['PATH'], SECSCTL_HOME: home, SECSCTL_URL: url, SECSCTL_TOKEN: token }
  const timed = async (...args: readonly string[]): Promise<number> => {
    const began = clock.now()
    await promisify(execFile)(process.execPath, ['bin/run.js', ...args], { env } as never)
    return clock.now() - began
  }
  const runs: number[] = []
  const starts: number[] = []
  for (let lot = 0; lot < lots; lot++) {
    tool.load(1, `FOUP${lot}`, SLOTS)
    starts.push(await timed('equipment', 'show', 'etcher'))
    const flags = ['--recipe', 'OXIDE-ETCH-01', '--slots', '1-25', '--json']
    runs.push(await timed('run', 'etcher', '--port', '1', ...flags))
    await until(() => tool.ports.port(1)?.transfer.state === 'READY_TO_UNLOAD')
    tool.unload(1)
  }
  await simulator.stop()
  const list = (numbers: readonly number[]): string =>
    `${Math.round(median(numbers))} ms (${numbers.map(Math.round).join(', ')})`
  console.log(`run of 25 wafers, median of ${lots}  ${list(runs)}`)
  console.log(`equipment show                ${list(starts)}`)
}
