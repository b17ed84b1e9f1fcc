import { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import { tapFindings, tapVerdict } from '../../inspection/tap-check.js'
import type { Clock } from '../../kit/clock.js'
import { Failure } from '../errors/failure.js'
import type { DemoReport } from './demo.js'
import { DemoEvents } from './demo-events.js'

const LOOPBACK = '127.0.0.1'
const LOT = 'L1'
const RECIPE = 'OXIDE-ETCH-01'
const CONTROL_STATE = 'ControlState'
/** Of ports that are seldom in use: where the tap listens. */
const PORTS = { from: 49_152, to: 65_535 } as const
/** Ports that are tried until one is free. */
const ATTEMPTS = 5

/** A gateway of the demo that runs: how to reach it, and its administrator. */
export interface DemoGateway {
  readonly url: string
  readonly email: string
  readonly password: string
}

export interface TapDemoWorld {
  readonly clock: Clock
  readonly report: DemoReport
  /** The gateway that stands between the two, and the one that is the host. */
  readonly gateway: DemoGateway
  readonly host: DemoGateway
  /** Where the simulated equipment listens. */
  readonly port: number
  /** Stops the gateway between the two, and starts it again. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<DemoGateway>
}

async function loggedIn({ url, email, password }: DemoGateway): Promise<GatewayClient> {
  const { token } = await new GatewayClient({ url }).call(endpoints.login, { body: { email, password } })
  return new GatewayClient({ url, token })
}

/** A host and equipment that work through a tap, from its set-up to the way back. Throws when a step did not happen. */
export async function runTapDemo(world: TapDemoWorld): Promise<void> {
  const [client, host] = await Promise.all([loggedIn(world.gateway), loggedIn(world.host)])
  const events = new DemoEvents(client, world.clock)
  try {
    const demo = new TapDemo(world, client, host, events)
    const ids = await demo.setUp()
    await demo.lot(ids)
    await demo.read(ids)
    await demo.check(ids)
    await events.stop()
    await demo.outlive(ids)
  } finally {
    await events.stop()
  }
}

const anyPort = (): number => PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from))

/** The equipment as each of the two gateways knows it. */
interface Ids {
  readonly tapped: string
  readonly hosted: string
}

class TapDemo {
  constructor(
    private readonly world: TapDemoWorld,
    private readonly client: GatewayClient,
    private readonly host: GatewayClient,
    private readonly events: DemoEvents,
  ) {}

  async setUp(): Promise<Ids> {
    const { host, events } = this
    const { report } = this.world
    report.step(
      'Put a tap before the etcher',
      'secsctl equipment add etcher --address ... --tap-listen 6000 --tap-host ...',
    )
    const { id: tapped, listen } = await this.#tapped()
    report.check(true, `the gateway listens on port ${listen} for the host, and has sent nothing`)

    report.step('Its host dials the gateway instead of the etcher', '(at the host: the port of the gateway)')
    const { id: hosted } = await host.call(endpoints.createEquipment, {
      body: { name: 'etcher', ip_address: LOOPBACK, port: listen },
    })
    const call = { params: { id: hosted }, query: { wait: 20 } }
    const { communication_state: state } = await host.call(endpoints.connectEquipment, call)
    report.check(state === 'COMMUNICATING', `for the host the etcher is ${state}, as without a tap`)
    report.wire(await events.message('sent', 1, 13))
    report.wire(await events.message('received', 1, 14))
    await events.event('communication', ({ name, data }) => {
      return name === 'communication_state' && data['to'] === 'COMMUNICATING'
    })
    report.check(true, 'the gateway has seen it pass')
    return { tapped, hosted }
  }

  /** With a port that is free. */
  async #tapped(): Promise<{ readonly id: string; readonly listen: number }> {
    const { client, events } = this
    let listen = anyPort()
    const tap = { listen_port: listen, host_address: LOOPBACK }
    const body = { name: 'etcher', ip_address: LOOPBACK, port: this.world.port, tap }
    const { id } = await client.call(endpoints.createEquipment, { body })
    const params = { id }
    let last = 0
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      await client.call(endpoints.connectEquipment, { params, query: { wait: 0 } })
      const { name, id: seq } = await events.event('the tap', (event) => {
        return (event.name === 'listening' || event.name === 'attempt_failed') && Number(event.id) > last
      })
      if (name === 'listening') return { id, listen }
      last = Number(seq)
      await client.call(endpoints.disconnectEquipment, { params })
      listen = anyPort()
      await client.call(endpoints.updateEquipment, { params, body: { tap: { listen_port: listen } } })
    }
    throw new Failure('state', `none of ${ATTEMPTS} ports is free`)
  }

  async lot({ hosted }: Ids): Promise<void> {
    const { host, events } = this
    const { report } = this.world
    report.step('The host runs a lot', 'secsctl events tail')
    const body = { command: 'START', parameters: { LOTID: LOT, PPID: RECIPE } }
    const {
      accepted,
      hcack,
      hcack_text: text,
    } = await host.call(endpoints.sendCommand, {
      params: { id: hosted },
      query: {},
      body,
    })
    report.wire(await events.message('sent', 2, 41))
    report.wire(await events.message('received', 2, 42))
    report.check(accepted === true, `accepted for the host: HCACK ${hcack}, ${text}`)
    const event = await events.message('received', 6, 11)
    report.wire(event)
    report.wire(
      await events.message('sent', 6, 12, ({ system_bytes }) => system_bytes === event.system_bytes),
    )
    report.check(event.from === 'equipment' && event.to === 'host', 'recorded as it passed to the host')
  }

  async read({ tapped, hosted }: Ids): Promise<void> {
    const { client, host, events } = this
    const { report } = this.world
    report.step('A client reads beside the host', `secsctl variables read etcher ${CONTROL_STATE}`)
    await events.message('received', 1, 12)
    const query = { id: [CONTROL_STATE] }
    const { items } = await client.call(endpoints.readVariables, { params: { id: tapped }, query })
    const own = ({ from, to }: { readonly from: string; readonly to: string }) =>
      from === 'gateway' || to === 'gateway'
    report.wire(await events.message('sent', 1, 3, own))
    const reply = await events.message('received', 1, 4, own)
    report.wire(reply)
    const [value] = [reply.data?.['SV']].flat()
    report.check(items.length === 1, `${CONTROL_STATE} is ${value}; the host's S1F11 has told its name`)
    const { items: seen } = await host.call(endpoints.listMessages, {
      query: { equipment_id: [hosted], stream: 1, function: 4, limit: 100 },
    })
    report.check(
      seen.every(({ system_bytes }) => system_bytes !== reply.system_bytes),
      'the host has seen nothing of it',
    )

    report.step('What would change the etcher is refused', 'secsctl command etcher STOP')
    const refused = await client
      .call(endpoints.sendCommand, {
        params: { id: tapped },
        query: {},
        body: { command: 'STOP', parameters: {} },
      })
      .then(
        () => undefined,
        (error: { readonly code?: string }) => error.code,
      )
    report.check(refused === 'tapped_read_only', 'only its host commands it: tapped_read_only')
  }

  async check({ tapped }: Ids): Promise<void> {
    const { client } = this
    const { report } = this.world
    report.step('Do both see what they saw before?', 'secsctl equipment tap-check etcher')
    const params = { id: tapped }
    const equipment = await client.call(endpoints.getEquipment, { params })
    const line = await client.call(endpoints.getTap, { params })
    const findings = tapFindings({ equipment, report: line, unknownReports: [] })
    for (let at = 0; at < findings.length; at += 5)
      report.say(
        findings
          .slice(at, at + 5)
          .map(({ name, mark }) => `${mark} ${name}`)
          .join(', '),
      )
    report.check(
      findings.every(({ mark }) => mark !== 'wrong'),
      tapVerdict(findings),
    )
  }

  async outlive({ tapped, hosted }: Ids): Promise<void> {
    const { host } = this
    const { report, clock, stop, start } = this.world
    report.step('The gateway stops, and the link goes on', 'secsctl daemon stop')
    await stop()
    const ask = { stream: 1, function: 1, wait_for_reply: true, data: {} }
    const { reply } = await host.call(endpoints.sendMessage, { params: { id: hosted }, query: {}, body: ask })
    report.check(reply?.function === 2, 'the host asks S1F1, and the etcher replies: nobody has noticed')

    report.step('It starts again, and records what it has missed', 'secsctl daemon start')
    const client = await loggedIn(await start())
    const later = new DemoEvents(client, clock)
    try {
      const missed = await later.message(
        'received',
        1,
        2,
        ({ system_bytes }) => system_bytes === reply?.system_bytes,
      )
      report.wire(missed)
      report.check(missed.to === 'host', 'the reply that passed while it was stopped is recorded')
    } finally {
      await later.stop()
    }
    report.step('The way back', 'secsctl equipment disconnect etcher')
    await host.call(endpoints.disconnectEquipment, { params: { id: hosted } })
    const { connection_state: state } = await client.call(endpoints.disconnectEquipment, {
      params: { id: tapped },
    })
    report.check(state === 'NOT_CONNECTED', 'the host may dial the etcher again')
  }
}
