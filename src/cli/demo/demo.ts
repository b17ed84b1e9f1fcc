import { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import type { Message } from '../../contract/messages.js'
import type { Clock } from '../../kit/clock.js'
import { DemoEvents } from './demo-events.js'
import type { DemoReport } from './demo-report.js'

export interface DemoWorld {
  readonly clock: Clock
  readonly demoReport: DemoReport
  /** Where the gateway answers, and its administrator. */
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

/** The main job from start to end against a running gateway and equipment. Throws when a step did not happen. */
export async function runMainJob({
  clock,
  demoReport,
  url,
  email,
  password,
  port,
}: DemoWorld): Promise<void> {
  demoReport.step('Log in over REST', 'secsctl login')
  const { token, user } = await new GatewayClient({ url }).call(endpoints.login, {
    body: { email, password },
  })
  demoReport.check(user.role === 'admin', `a token for ${user.email}, ${user.role}`)
  const client = new GatewayClient({ url, token })
  const events = new DemoEvents(client, clock)
  try {
    const equipment = await connect(client, events, demoReport, port)
    await ask(client, demoReport, equipment)
    await run(client, events, demoReport, equipment)
    await acknowledge(client, events, demoReport, equipment)
    await review(client, events, demoReport, equipment)
  } finally {
    await events.stop()
  }
}

async function connect(
  client: GatewayClient,
  events: DemoEvents,
  demoReport: DemoReport,
  port: number,
): Promise<Equipment> {
  demoReport.step('Register the equipment', `secsctl equipment add etcher --address 127.0.0.1:${port}`)
  const body = { name: 'etcher', ip_address: '127.0.0.1', port }
  const added = await client.call(endpoints.createEquipment, { body })
  demoReport.check(
    added.connection_state === 'NOT_CONNECTED',
    `${added.id} is registered, ${added.connection_state}`,
  )

  demoReport.step(
    'Connect: TCP, Select, and S1F13 to establish communications',
    'secsctl equipment connect etcher',
  )
  const connected = await client.call(endpoints.connectEquipment, {
    params: { id: added.id },
    query: { wait: 20 },
  })
  const selected = await events.event('the connection', ({ name }) => name === 'selected')
  demoReport.check(
    selected.data['to'] === 'SELECTED',
    `HSMS: ${selected.data['from']} -> ${selected.data['to']}`,
  )
  const request = await sentMessage(events, 1, 13)
  demoReport.wire(request)
  demoReport.wire(await events.received(1, 14))
  demoReport.check(connected.communication_state === 'COMMUNICATING', `GEM: ${connected.communication_state}`)
  return connected
}

async function ask(client: GatewayClient, demoReport: DemoReport, { id }: Equipment): Promise<void> {
  demoReport.step('Ask who is there (S1F1)', 'secsctl send etcher S1F1')
  const body = { stream: 1, function: 1, wait_for_reply: true, data: {} }
  const { message, reply } = await client.call(endpoints.sendMessage, { params: { id }, query: {}, body })
  demoReport.wire(message)
  if (reply) demoReport.wire(reply)
  const model = reply?.data?.['MDLN']
  demoReport.check(
    reply?.function === 2 && typeof model === 'string' && model !== '',
    `it is ${String(model)}`,
  )
}

async function run(
  client: GatewayClient,
  events: DemoEvents,
  demoReport: DemoReport,
  { id }: Equipment,
): Promise<void> {
  demoReport.step('Run a command (S2F41)', `secsctl command etcher START LOTID=${LOT} PPID=${RECIPE}`)
  const body = { command: 'START', parameters: { LOTID: LOT, PPID: RECIPE } }
  const result = await client.call(endpoints.sendCommand, { params: { id }, query: {}, body })
  demoReport.wire(await client.call(endpoints.getMessage, { params: { id: result.message_id } }))
  if (result.reply_id !== null)
    demoReport.wire(await client.call(endpoints.getMessage, { params: { id: result.reply_id } }))
  demoReport.check(result.accepted === true, `accepted: HCACK ${result.hcack}, ${result.hcack_text}`)

  demoReport.step(
    'The equipment reports by itself: a collection event (S6F11)',
    'secsctl events tail --type message',
  )
  const report = await events.received(6, 11, ({ data }) => data?.['CEID'] === STARTED)
  demoReport.wire(report)
  await answered(events, demoReport, report)
}

async function acknowledge(
  client: GatewayClient,
  events: DemoEvents,
  demoReport: DemoReport,
  { id }: Equipment,
): Promise<void> {
  demoReport.step('It raises an alarm (S5F1)', 'secsctl alarms list --unacknowledged')
  const raised = await events.event('an alarm', ({ name }) => name === 'alarm_set')
  const message = await events.received(5, 1)
  demoReport.wire(message)
  await answered(events, demoReport, message)
  const query = { equipment_id: id, acknowledged: false }
  const alarm = (await client.call(endpoints.listAlarms, { query })).items.find((one) => one.id === raised.id)
  demoReport.check(
    alarm !== undefined,
    `alarm ${raised.id}: ALID ${alarm?.alid}, ${alarm?.text} (${alarm?.category_text})`,
  )

  demoReport.step('Acknowledge it', `secsctl alarms ack ${raised.id} --comment "seen in the demo"`)
  const comment = 'seen in the demo'
  const done = await client.call(endpoints.acknowledgeAlarm, { params: { id: raised.id }, body: { comment } })
  demoReport.check(done.acknowledged && done.comment === comment, `acknowledged by ${done.acknowledged_by}`)
}

async function review(
  client: GatewayClient,
  events: DemoEvents,
  demoReport: DemoReport,
  { id }: Equipment,
): Promise<void> {
  demoReport.step('Read it all back over REST', 'secsctl messages list && secsctl events list')
  const query = { equipment_id: id, limit: 1000 }
  const messages = (await client.call(endpoints.listMessages, { query })).items
  for (const name of ['S1F13', 'S1F14', 'S1F1', 'S1F2', 'S2F41', 'S2F42', 'S6F11', 'S6F12', 'S5F1', 'S5F2']) {
    if (!messages.some(({ stream, function: fn }) => `S${stream}F${fn}` === name))
      demoReport.check(false, `${name} is recorded`)
  }
  demoReport.check(true, `${messages.length} messages are recorded, each with its bytes, items and SML`)
  const recorded = (await client.call(endpoints.listEvents, { query })).items
  const types = new Set(recorded.map(({ type }) => type))
  demoReport.check(types.size === 4, `${recorded.length} events: ${[...types].sort().join(', ')}`)

  demoReport.step('Disconnect', 'secsctl equipment disconnect etcher')
  const ended = await client.call(endpoints.disconnectEquipment, { params: { id } })
  await events.event('the end of the connection', ({ name }) => name === 'disconnected')
  demoReport.check(ended.connection_state === 'NOT_CONNECTED', `Separate.req sent, ${ended.connection_state}`)
}

/** The gateway's own answer to a primary of the equipment. */
async function answered(events: DemoEvents, demoReport: DemoReport, primary: Message): Promise<void> {
  const answer = await sentMessage(events, primary.stream, primary.function + 1)
  demoReport.wire(answer)
  const inOrder = Number(answer.id) > Number(primary.id)
  demoReport.check(inOrder && answer.system_bytes === primary.system_bytes, 'recorded first, then answered')
}

async function sentMessage(events: DemoEvents, stream: number, fn: number): Promise<Message> {
  const event = await events.event(`S${stream}F${fn}`, ({ name, data }) => {
    return name === 'message_sent' && data['stream'] === stream && data['function'] === fn
  })
  return event.data as unknown as Message
}
