import type { FlatEvent } from '../../../../contract/topics/sinks/sink-message.js'
import type { SinkKind } from '../kind.js'
import { Broker, type Publication } from './broker.js'
import { EdgeNode, topicPart } from './edge-node.js'
import { KeptBroker } from './kept-broker.js'
import { asksForRebirth } from './sparkplug-payload.js'

const MAX_MESSAGES = 100
const BDSEQ = 256

/** Publishes values as Sparkplug B metrics: the gateway is an edge node, equipment are its devices. */
export const sparkplug: SinkKind = (record, world) => {
  const { sparkplug: target, name } = record
  if (!target) throw new Error('The sink has no sparkplug.')
  const node = new EdgeNode(
    { group: target.group, edgeNode: target.edge_node ?? topicPart(name) },
    { now: () => world.clock.date().getTime(), equipment: world.equipment },
  )
  let bdSeq = -1
  let isBearing = false

  const birth = (): Publication[] =>
    node.birth(
      bdSeq,
      world.selected().map(({ id }) => id),
    )
  /** Commands that come while certificates are on their way are answered by these. */
  const bearAgain = async (broker: Broker): Promise<void> => {
    if (isBearing) return
    isBearing = true
    await broker.publish(birth()).catch(() => {})
    isBearing = false
  }
  const kept = new KeptBroker({
    clock: world.clock,
    connect: async () => {
      bdSeq = (bdSeq + 1) % BDSEQ
      const { topic, payload } = node.death(bdSeq)
      const broker: Broker = await Broker.connect({
        url: target.url,
        user: target.user,
        password: record.secret ?? undefined,
        ca: target.ca,
        clientId: target.client_id ?? `secsctl-${record.id}`,
        will: { topic, payload: Buffer.from(payload), qos: 1, retain: false },
        localTargets: world.localTargets,
        clock: world.clock,
        received: (_, command) => {
          if (isRebirth(command)) void bearAgain(broker)
        },
      })
      return broker
    },
    begin: async (broker) => {
      await broker.subscribe(node.commands)
      await broker.publish(birth())
    },
    end: async (broker, signal) => {
      await broker.publish([node.death(bdSeq)], signal)
    },
  })
  return {
    maxMessages: MAX_MESSAGES,
    async send(messages, signal) {
      const broker = await kept.connected(signal)
      const out: Publication[] = []
      for (const { event, type, text } of messages) {
        const sent = event ? node.event(event as FlatEvent) : [noteOf(node, type, text)]
        // Numbers were given to the messages before it, which are not sent now.
        if (!sent) broker.drop()
        if (!sent) return { isPermanent: true, detail: 'the equipment has too many metrics' }
        out.push(...sent)
      }
      const ids = new Set(messages.flatMap(({ event }) => event?.equipment_id ?? []))
      for (const id of ids) out.push(...node.state(id))
      try {
        const rejection = await broker.publish(out, signal)
        if (rejection) broker.drop()
        return rejection
      } catch (error) {
        // Nobody knows which of them have arrived: with the next connection all is announced again.
        broker.drop()
        throw error
      }
    },
    close: () => kept.close(),
  }
}

function noteOf(node: EdgeNode, type: string, text: string): Publication {
  const { data } = JSON.parse(text) as { readonly data: { readonly from?: string; readonly to?: string } }
  return type === 'secsctl.gap' ? node.note('Gap', `${data.from}..${data.to}`) : node.note('Test', 'secsctl')
}

function isRebirth(command: Uint8Array): boolean {
  try {
    return asksForRebirth(command)
  } catch {
    return false
  }
}
