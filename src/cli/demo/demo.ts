import { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import type { Message } from '../../contract/messages.js'
import type { Clock } from '../../kit/clock.js'
import { DemoEvents } from './demo-events.js'
import type { DemoReport } from './demo-report.js'

export interface DemoWorld {
  readonly clock: Clock
  readonly story: DemoReport
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
export async function tellMainJob({ clock, story, url, email, password, port }: DemoWorld): Promise<void> {
  story.step('Log in over REST', 'secsctl login')
  const { token, user } = await new GatewayClient({ url }).call(endpoints.login, {
    body: { email, password },
  })
  story.check(user.role === 'admin', `a token for ${user.email}, ${user.role}`)
  const client = new GatewayClient({ url, token })
  const events = new DemoEvents(client, clock)
  try {
    const equipment = await connect(client, events, story, port)
    await ask(client, story, equipment)
    await run(client, events, story, equipment)
    await acknowledge(client, events, story, equipment)
    await review(client, events, story, equipment)
  } finally {
    await events.stop()
  }
}

async function connect(
  client: GatewayClient,
  events: DemoEvents,
  story: DemoReport,
  port: number,
): Promise<Equipment> {
  story.step('Register the equipment', `secsctl equipment add etcher --address 127.0.0.1:${port}`)
  const body = { name: 'etcher', ip_address: '127.0.0.1', port }
  const added = await client.call(endpoints.createEquipment, { body })
  story.check(
    added.connection_state === 'NOT_CONNECTED',
    `${added.id} is registered, ${added.connection_state}`,
  )

  story.step(
    'Connect: TCP, Select, and S1F13 to establish communications',
    'secsctl equipment connect etcher',
  )
  const connected = await client.call(endpoints.connectEquipment, {
    params: { id: added.id },
    query: { wait: 20 },
  })
  const selected = await events.event('the connection', ({ name }) => name === 'selected')
  story.check(selected.data['to'] === 'SELECTED', `HSMS: ${selected.data['from']} -> ${selected.data['to']}`)
  const request = await sentMessage(events, 1, 13)
  story.wire(request)
  story.wire(await events.received(1, 14))
  story.check(connected.communication_state === 'COMMUNICATING', `GEM: ${connected.communication_state}`)
  return connected
}

async function ask(client: GatewayClient, story: DemoReport, { id }: Equipment): Promise<void> {
  story.step('Ask who is there (S1F1)', 'secsctl send etcher S1F1')
  const body = { stream: 1, function: 1, wait_for_reply: true, data: {} }
  const { message, reply } = await client.call(endpoints.sendMessage, { params: { id }, query: {}, body })
  story.wire(message)
  if (reply) story.wire(reply)
  const model = reply?.data?.['MDLN']
  story.check(reply?.function === 2 && typeof model === 'string' && model !== '', `it is ${String(model)}`)
}

async function run(
  client: GatewayClient,
  events: DemoEvents,
  story: DemoReport,
  { id }: Equipment,
): Promise<void> {
  story.step('Run a command (S2F41)', `secsctl command etcher START LOTID=${LOT} PPID=${RECIPE}`)
  const body = { command: 'START', parameters: { LOTID: LOT, PPID: RECIPE } }
  const result = await client.call(endpoints.sendCommand, { params: { id }, query: {}, body })
  story.wire(await client.call(endpoints.getMessage, { params: { id: result.message_id } }))
  if (result.reply_id !== null)
    story.wire(await client.call(endpoints.getMessage, { params: { id: result.reply_id } }))
  story.check(result.accepted === true, `accepted: HCACK ${result.hcack}, ${result.hcack_text}`)

  story.step(
    'The equipment reports by itself: a collection event (S6F11)',
    'secsctl events tail --type message',
  )
  const report = await events.received(6, 11, ({ data }) => data?.['CEID'] === STARTED)
  story.wire(report)
  await answered(events, story, report)
}

async function acknowledge(
  client: GatewayClient,
  events: DemoEvents,
  story: DemoReport,
  { id }: Equipment,
): Promise<void> {
  story.step('It raises an alarm (S5F1)', 'secsctl alarms list --unacknowledged')
  const raised = await events.event('an alarm', ({ name }) => name === 'alarm_set')
  const message = await events.received(5, 1)
  story.wire(message)
  await answered(events, story, message)
  const query = { equipment_id: id, acknowledged: false }
  const alarm = (await client.call(endpoints.listAlarms, { query })).items.find((one) => one.id === raised.id)
  story.check(
    alarm !== undefined,
    `alarm ${raised.id}: ALID ${alarm?.alid}, ${alarm?.text} (${alarm?.category_text})`,
  )

  story.step('Acknowledge it', `secsctl alarms ack ${raised.id} --comment "seen in the demo"`)
  const comment = 'seen in the demo'
  const done = await client.call(endpoints.acknowledgeAlarm, { params: { id: raised.id }, body: { comment } })
  story.check(done.acknowledged && done.comment === comment, `acknowledged by ${done.acknowledged_by}`)
}

async function review(
  client: GatewayClient,
  events: DemoEvents,
  story: DemoReport,
  { id }: Equipment,
): Promise<void> {
  story.step('Read it all back over REST', 'secsctl messages list && secsctl events list')
  const query = { equipment_id: id, limit: 1000 }
  const messages = (await client.call(endpoints.listMessages, { query })).items
  for (const name of ['S1F13', 'S1F14', 'S1F1', 'S1F2', 'S2F41', 'S2F42', 'S6F11', 'S6F12', 'S5F1', 'S5F2']) {
    if (!messages.some(({ stream, function: fn }) => `S${stream}F${fn}` === name))
      story.check(false, `${name} is recorded`)
  }
  story.check(true, `${messages.length} messages are recorded, each with its bytes, items and SML`)
  const recorded = (await client.call(endpoints.listEvents, { query })).items
  const types = new Set(recorded.map(({ type }) => type))
  story.check(types.size === 4, `${recorded.length} events: ${[...types].sort().join(', ')}`)

  story.step('Disconnect', 'secsctl equipment disconnect etcher')
  const ended = await client.call(endpoints.disconnectEquipment, { params: { id } })
  await events.event('the end of the connection', ({ name }) => name === 'disconnected')
  story.check(ended.connection_state === 'NOT_CONNECTED', `Separate.req sent, ${ended.connection_state}`)
}

/** The gateway's own answer to a primary of the equipment. */
async function answered(events: DemoEvents, story: DemoReport, primary: Message): Promise<void> {
  const answer = await sentMessage(events, primary.stream, primary.function + 1)
  story.wire(answer)
  const inOrder = Number(answer.id) > Number(primary.id)
  story.check(inOrder && answer.system_bytes === primary.system_bytes, 'recorded first, then answered')
}

async function sentMessage(events: DemoEvents, stream: number, fn: number): Promise<Message> {
  const event = await events.event(`S${stream}F${fn}`, ({ name, data }) => {
    return name === 'message_sent' && data['stream'] === stream && data['function'] === fn
  })
  return event.data as unknown as Message
}
