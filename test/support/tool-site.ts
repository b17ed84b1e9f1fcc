import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { buildApp } from '../../src/api/app.js'
import type { Gateway } from '../../src/gateway/open-gateway.js'
import { systemClock } from '../../src/kit/clock.js'
import type { Tool } from '../../src/simulator/gem300/tool.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { toolModel } from '../simulator/gem300/tool-variants.js'
import { type CommandResult, runCommand } from './command.js'
import { freePort } from './free-port.js'
import { PlainClient } from './plain-client.js'
import { LOOPBACK } from './tcp.js'
import { openTestGateway } from './test-gateway.js'
import { until } from './until.js'

const ADMIN = { email: 'ada@example.com', password: 'correct horse battery' }

/** A gateway behind its HTTP server, and a GEM 300 tool that communicates with it, until the test is over. */
export class ToolSite {
  private constructor(
    readonly simulator: Simulator,
    readonly client: PlainClient,
    readonly id: string,
    private readonly gateway: Gateway,
    private app: FastifyInstance,
  ) {}

  /** The shipped tool with these settings, and no times but those given. */
  static async open(...settings: readonly string[]): Promise<ToolSite> {
    const simulator = new Simulator(
      toolModel(...settings),
      { role: 'passive', host: LOOPBACK, port: 0, establishDelay: 100, seed: 3 },
      { clock: systemClock },
    )
    onTestFinished(() => simulator.stop())
    await simulator.start()
    const gateway = await openTestGateway({ admin: ADMIN })
    onTestFinished(() => gateway.close())
    const app = await buildApp(gateway, { clock: systemClock, version: '1.2.3' })
    const client = new PlainClient(await app.listen({ port: await freePort(), host: LOOPBACK }))
    await client.login(ADMIN)
    const { status, body } = await client.post('/equipment', {
      name: 'etcher',
      ip_address: LOOPBACK,
      port: simulator.port,
      mode: 'passive',
      timers: { t5: 0.1, establish: 0.1 },
    })
    if (status !== 201) throw new Error(`the tool is not registered: ${JSON.stringify(body)}`)
    const connected = await client.post(`/equipment/${body.id}/connect?wait=60`)
    if (connected.status !== 200) throw new Error(`the tool is not connected: ${connected.body?.detail}`)
    const site = new ToolSite(simulator, client, body.id, gateway, app)
    onTestFinished(() => site.app.close())
    return site
  }

  /** Nobody reaches the gateway while `work` is done; it goes on by itself. */
  async awayDuring(work: () => Promise<void>): Promise<void> {
    const { hostname, port } = new URL(this.client.url)
    await this.app.close()
    await work()
    this.app = await buildApp(this.gateway, { clock: systemClock, version: '1.2.3' })
    await this.app.listen({ port: Number(port), host: hostname })
  }

  /** Maps the tool by what is proposed from its names, with these settings, and has it send the reports for that. */
  async map(settings: object = {}): Promise<void> {
    const path = `/equipment/${this.id}`
    await until(() => this.gateway.naming.of(this.id).hasWhole('S1F23'))
    const { file } = (await this.client.get(`${path}/gem300/proposal`)).body
    const applied = await this.client.put(`${path}/gem300`, { ...parse(file), settings })
    if (applied.status !== 200) throw new Error(`the mapping is refused: ${JSON.stringify(applied.body)}`)
    const { body } = await this.client.get(`${path}/gem300/reports`)
    const { status } = await this.client.put(`${path}/reports`, body)
    if (status !== 200) throw new Error('the reports are refused')
  }

  get tool(): Tool {
    const { tool } = this.simulator
    if (!tool) throw new Error('the model has no tool')
    return tool
  }

  /** A command of the build, which asks this gateway. */
  run(...args: readonly string[]): Promise<CommandResult> {
    return this.runUntil(undefined, ...args)
  }

  /** The same, interrupted by `signal`. */
  runUntil(interrupt: AbortSignal | undefined, ...args: readonly string[]): Promise<CommandResult> {
    const { url, token = '' } = this.client
    const variables = { SECSCTL_TOKEN: token }
    return runCommand(args, { gateway: { url }, variables, ...(interrupt && { interrupt }) })
  }
}
