import type { FlatEvent } from '../../../../contract/topics/sinks/sink-message.js'
import type { SinkTarget } from '../../../../contract/topics/sinks/targets.js'
import type { OpenTarget, OutMessage, Rejection, SinkKind } from '../kind.js'
import { invalid, refusePassword, refuseUrl, urlDestinations } from '../target-rules.js'
import { composed } from '../unsendable.js'
import { Broker, type Publication } from './broker.js'
import { EdgeNode } from './edge-node.js'
import { KeptBroker } from './kept-broker.js'
import { asksForRebirth } from './sparkplug-payload.js'
import { topicLevel } from './topic-level.js'

const MAX_MESSAGES = 100
const BDSEQ = 256

/** What says the messages; undefined where a device would have too many metrics. */
function publicationsOf(messages: readonly OutMessage[], node: EdgeNode): Publication[] | undefined {
  const out: Publication[] = []
  for (const { event, change, type, text } of messages) {
    // Devices are equipment: an event of the gateway itself is of none.
    if (change || event?.type === 'gateway') continue
    const sent = event ? node.event(event as FlatEvent) : [noteOf(node, type, text)]
    if (!sent) return undefined
    out.push(...sent)
  }
  const ids = new Set(
    messages.flatMap(({ event, change }) => event?.equipment_id || (change?.equipmentId ?? [])),
  )
  for (const id of ids) out.push(...node.state(id))
  return out
}

const TOO_MANY_METRICS: Rejection = { isPermanent: true, detail: 'the equipment has too many metrics' }

/** Publishes values as Sparkplug B metrics: the gateway is an edge node, equipment are its devices. */
export const sparkplug: OpenTarget = (record, world) => {
  const { sparkplug: target, name } = record
  if (!target) throw new Error('The sink has no sparkplug.')
  const node = new EdgeNode(
    { group: target.group, edgeNode: target.edge_node ?? topicLevel(name) },
    { now: () => world.clock.date().getTime(), equipment: world.equipment },
  )
  let bdSeq = -1
  let isBearing = false

  const birth = (): Publication[] => node.birth(bdSeq, world.selected())
  /** Commands that come while certificates are on their way get these certificates. */
  const bearAgain = async (broker: Broker): Promise<void> => {
    if (isBearing) return
    isBearing = true
    await broker.publish(birth()).catch(() => {})
    isBearing = false
  }
  const kept = new KeptBroker({
    clock: world.clock,
    connect: async (signal) => {
      bdSeq = (bdSeq + 1) % BDSEQ
      const { topic, payload } = node.death(bdSeq)
      const broker: Broker = await Broker.connect(
        {
          url: target.url,
          user: target.user,
          password: record.secret ?? undefined,
          ca: target.ca,
          clientId: target.client_id ?? `secsctl-${record.id}`,
          will: { topic, payload: Buffer.from(payload), qos: 1, retain: false },
          localTargets: world.localTargets,
          clock: world.clock,
          received: (_, command) => {
            if (asksForRebirth(command)) void bearAgain(broker)
          },
        },
        signal,
      )
      return broker
    },
    begin: async (broker, signal) => {
      await broker.subscribe(node.commands, signal)
      await broker.publish(birth(), signal)
    },
    end: async (broker, signal) => {
      await broker.publish([node.death(bdSeq)], signal)
    },
  })
  return {
    maxMessages: MAX_MESSAGES,
    followsIdentities: true,
    async send(messages, signal) {
      const broker = await kept.connected(signal)
      try {
        const out = composed(() => publicationsOf(messages, node))
        // Numbers were given to the messages before it, which are not sent now.
        const rejection = out ? await broker.publish(out, signal) : TOO_MANY_METRICS
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

export const SPARKPLUG: SinkKind<SinkTarget<'sparkplug'>> = {
  open: sparkplug,
  format: 'flat',
  refuseTarget: (target, world) => refuseUrl('/sparkplug', target, ['mqtt:', 'mqtts:'], world),
  /** Births and deaths of devices follow from events of all types. */
  refuseMembers({ types, names, messages, format }) {
    if (types) throw invalid('/types', 'is not for sparkplug')
    if (names) throw invalid('/names', 'is not for sparkplug')
    if (messages) throw invalid('/messages', 'is not for sparkplug')
    if (format === 'event') throw invalid('/format', 'is flat for sparkplug')
  },
  refuseSecret: refusePassword('sparkplug'),
  destinations: urlDestinations,
}

function noteOf(node: EdgeNode, type: string, text: string): Publication {
  const { data } = JSON.parse(text) as { readonly data: { readonly from?: string; readonly to?: string } }
  return type === 'secsctl.gap' ? node.note('Gap', `${data.from}..${data.to}`) : node.note('Test', 'secsctl')
}
