import { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Message } from '../../contract/topics/messages.js'
import type { Clock } from '../../kit/clock.js'
import { visible, visibleLines } from '../../kit/text/visible-text.js'
import { Failure } from '../errors/failure.js'
import { messageSml } from '../messages/message-output.js'
import { paint } from '../output/highlight.js'
import { DemoEvents } from './demo-events.js'

const indented = (text: string, indent: string): string =>
  visibleLines(text)
    .split('\n')
    .map((line) => `${indent}${line}`.trimEnd())
    .join('\n')

/** Prints each step, and checks its result. */
export class DemoReport {
  #steps = 0
  #checks = 0

  constructor(readonly write: (text: string) => void) {}

  /** The number of checks so far. */
  get checks(): number {
    return this.#checks
  }

  /** Begins a step. `command` would do the same; the demo calls the API, so it does not print the command's output. */
  step(title: string, command: string): void {
    this.#steps++
    this.write(`\n${paint.bold(`${this.#steps}. ${title}`)}\n`)
    this.write(`   ${paint.dim('as a command:')} ${paint.cyan(command)}\n`)
  }

  say(text: string): void {
    this.write(`${indented(text, '   ')}\n`)
  }

  /** A message as it was on the wire, and its direction. */
  wire(message: Message): void {
    const { direction, name, from, to } = message
    const other = from === 'equipment' ? to : from
    const way = direction === 'sent' ? `${other} -> equipment` : `${other} <- equipment`
    this.write(`   ${paint.dim(`${way}   ${visible(name)}`)}\n${indented(messageSml(message), '     ')}\n`)
  }

  /** A condition that has to hold for the step to have happened. */
  check(happened: boolean, what: string): void {
    if (!happened) throw new Failure('unexpected', `step ${this.#steps}: ${what}: this did not happen`)
    this.#checks++
    this.write(`   ${paint.green('ok')}  ${visible(what)}\n`)
  }
}

interface DemoWorld {
  readonly clock: Clock
  readonly demoReport: DemoReport
  /** The URL of the gateway, and its administrator. */
  readonly url: string
  readonly email: string
  readonly password: string
  /** Where the simulated equipment listens. */
  readonly port: number
}

/** A lot, a recipe of the simulated etcher, and its collection event of the start (CEID). */
const LOT = 'L1'
const RECIPE = 'OXIDE-ETCH-01'
const STARTED = '3010'

/** Messages that the demo must leave in the journal. */
const RECORDED = ['S1F13', 'S1F14', 'S1F1', 'S1F2', 'S2F41', 'S2F42', 'S6F11', 'S6F12', 'S5F1', 'S5F2']

/** The main job from start to end against a running gateway and equipment. Throws when a step did not happen. */
export async function runMainJob(world: DemoWorld): Promise<void> {
  const { clock, demoReport: report, url, email, password } = world
  report.step('Log in over REST', 'secsctl login')
  const body = { email, password }
  const { token, user } = await new GatewayClient({ url }).call(endpoints.login, { body })
  report.check(user.role === 'admin', `logged in as ${user.email}, with the role ${user.role}`)
  const client = new GatewayClient({ url, token })
  const events = new DemoEvents(client, clock)
  try {
    await new MainJob(client, events, report).run(world.port)
  } finally {
    await events.stop()
  }
}

/** The steps after the login. */
class MainJob {
  constructor(
    private readonly client: GatewayClient,
    private readonly events: DemoEvents,
    private readonly report: DemoReport,
  ) {}

  async run(port: number): Promise<void> {
    const id = await this.#connect(port)
    await this.#ask(id)
    await this.#command(id)
    await this.#alarm(id)
    await this.#review(id)
  }

  /** The id of the equipment. */
  async #connect(port: number): Promise<string> {
    const { client, events, report } = this
    report.step('Register the equipment', `secsctl equipment add etcher --address 127.0.0.1:${port}`)
    const body = { name: 'etcher', ip_address: '127.0.0.1', port }
    const { id, connection_state: first } = await client.call(endpoints.createEquipment, { body })
    report.check(first === 'NOT_CONNECTED', `${id} is registered, ${first}`)

    const title = 'Connect: TCP, Select, and S1F13 to establish communications'
    report.step(title, 'secsctl equipment connect etcher')
    const call = { params: { id }, query: { wait: 20 } }
    const { communication_state: state } = await client.call(endpoints.connectEquipment, call)
    const { data } = await events.event('the connection', ({ name }) => name === 'selected')
    report.check(data['to'] === 'SELECTED', `HSMS: ${data['from']} -> ${data['to']}`)
    report.wire(await events.message('sent', 1, 13))
    report.wire(await events.message('received', 1, 14))
    report.check(state === 'COMMUNICATING', `GEM: ${state}`)
    return id
  }

  async #ask(id: string): Promise<void> {
    const { client, report } = this
    report.step('Ask who is there (S1F1)', 'secsctl send etcher S1F1')
    const body = { stream: 1, function: 1, wait_for_reply: true, data: {} }
    const { message, reply } = await client.call(endpoints.sendMessage, { params: { id }, query: {}, body })
    report.wire(message)
    if (reply) report.wire(reply)
    const model = reply?.data?.['MDLN']
    const isNamed = typeof model === 'string' && model !== ''
    report.check(reply?.function === 2 && isNamed, `it is ${String(model)}`)
  }

  async #command(id: string): Promise<void> {
    const { client, events, report } = this
    report.step('Run a command (S2F41)', `secsctl command etcher START LOTID=${LOT} PPID=${RECIPE}`)
    const body = { command: 'START', parameters: { LOTID: LOT, PPID: RECIPE } }
    const result = await client.call(endpoints.sendCommand, { params: { id }, query: {}, body })
    for (const message of [result.message_id, result.reply_id])
      if (message !== null) report.wire(await client.call(endpoints.getMessage, { params: { id: message } }))
    report.check(result.accepted === true, `accepted: HCACK ${result.hcack}, ${result.hcack_text}`)

    const title = 'The equipment reports by itself: a collection event (S6F11)'
    report.step(title, 'secsctl events tail --type message')
    await this.#replied(await events.message('received', 6, 11, ({ data }) => data?.['CEID'] === STARTED))
  }

  async #alarm(equipment_id: string): Promise<void> {
    const { client, events, report } = this
    report.step('It raises an alarm (S5F1)', 'secsctl alarms list --unacknowledged')
    const { id } = await events.event('an alarm', ({ name }) => name === 'alarm_set')
    await this.#replied(await events.message('received', 5, 1))
    const query = { equipment_id, acknowledged: false }
    const { items } = await client.call(endpoints.listAlarms, { query })
    const { alid, text, category_text } = items.find((one) => one.id === id) ?? {}
    report.check(alid !== undefined, `listed: ALID ${alid}, ${text} (${category_text})`)

    const comment = 'seen in the demo'
    report.step('Acknowledge it', `secsctl alarms ack ${id} --comment "${comment}"`)
    const done = await client.call(endpoints.acknowledgeAlarm, { params: { id }, body: { comment } })
    report.check(
      done.acknowledged && done.comment === comment,
      `alarm ${id} of the list is acknowledged by ${done.acknowledged_by}`,
    )
  }

  async #review(id: string): Promise<void> {
    const { client, events, report } = this
    report.step('Read it all back over REST', 'secsctl messages list; secsctl events list')
    const query = { equipment_id: id, limit: 1000 }
    const { items: messages } = await client.call(endpoints.listMessages, { query })
    const names = new Set(messages.map((message) => `S${message.stream}F${message.function}`))
    const missing = RECORDED.find((name) => !names.has(name))
    if (missing !== undefined) report.check(false, `${missing} is recorded`)
    report.check(true, `${messages.length} messages are recorded, also those that are not shown above`)
    const { items: recorded } = await client.call(endpoints.listEvents, { query })
    const types = new Set(recorded.map(({ type }) => type))
    report.check(
      types.size === 4,
      `${recorded.length} events are recorded, of ${types.size} types: ${[...types].sort().join(', ')}`,
    )

    report.step('Disconnect', 'secsctl equipment disconnect etcher')
    const { connection_state } = await client.call(endpoints.disconnectEquipment, { params: { id } })
    await events.event('the end of the connection', ({ name }) => name === 'disconnected')
    report.check(connection_state === 'NOT_CONNECTED', `Separate.req sent, ${connection_state}`)
  }

  /** Shows a primary of the equipment, and checks the gateway's own reply to it. */
  async #replied(primary: Message): Promise<void> {
    this.report.wire(primary)
    const reply = await this.events.message('sent', primary.stream, primary.function + 1)
    this.report.wire(reply)
    const inOrder = Number(reply.id) > Number(primary.id)
    this.report.check(
      inOrder && reply.system_bytes === primary.system_bytes,
      'recorded first, then replied to',
    )
  }
}
