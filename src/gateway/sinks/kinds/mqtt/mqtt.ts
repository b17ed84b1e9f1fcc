import { MQTT_TOPICS, type SinkTarget } from '../../../../contract/topics/sinks/targets.js'
import type { OpenTarget, OutMessage, SinkKind } from '../kind.js'
import { invalid, refusePassword, refuseUrl, urlDestinations } from '../target-rules.js'
import { composed } from '../unsendable.js'
import { Broker, type Publication } from './broker.js'
import { KeptBroker } from './kept-broker.js'
import { RetainedStates } from './retained-states.js'
import { TOPIC_PLACEHOLDERS, templateFault, topicOf } from './topic-template.js'

/** Messages that wait for the acknowledgement of the broker. */
const MAX_OPEN = 100

/** Publishes messages with QoS 1, and the last state of each equipment as a retained message. */
export const mqtt: OpenTarget = (record, world) => {
  const { mqtt: target, name: sink, types, names, messages = null } = record
  if (!target) throw new Error('The sink has no mqtt.')
  const { topic = MQTT_TOPICS.topic, state_topic = MQTT_TOPICS.state_topic } = target
  const statusTopic = topicOf(target.status_topic ?? MQTT_TOPICS.status_topic, { sink })
  const hasStates =
    names === null &&
    messages === null &&
    (types === null || (types.includes('connection') && types.includes('state')))

  const messageOf = ({ text, type, event }: OutMessage): Publication => {
    const identity = event && world.identityAt(event.equipment_id, Number(event.id))
    const equipment = identity && { id: event.equipment_id, ...identity }
    const name = type.slice('secsctl.'.length)
    return {
      topic: topicOf(topic, { sink, event, name, equipment }),
      payload: text,
      qos: 1,
      contentType: 'application/cloudevents+json; charset=utf-8',
    }
  }
  const status = (online: boolean): Publication => ({
    topic: statusTopic,
    payload: JSON.stringify({ sink, online }),
    qos: 1,
    retain: true,
    contentType: 'application/json',
  })
  const states = new RetainedStates({ sink, topic: state_topic, world })
  const { payload: will, topic: willTopic } = status(false)
  const kept = new KeptBroker({
    clock: world.clock,
    connect: (signal) =>
      Broker.connect(
        {
          url: target.url,
          user: target.user,
          password: record.secret ?? undefined,
          ca: target.ca,
          clientId: target.client_id ?? `secsctl-${record.id}`,
          will: { topic: willTopic, payload: Buffer.from(will), qos: 1, retain: true },
          localTargets: world.localTargets,
          clock: world.clock,
        },
        signal,
      ),
    begin: async (broker, signal) => {
      const rejection = await broker.publish([status(true)], signal)
      if (rejection) throw new Error(`the status: ${rejection.detail}`)
      if (hasStates) await states.begin(broker, signal)
    },
    end: async (broker, signal) => {
      await broker.publish([status(false)], signal)
    },
  })
  return {
    maxMessages: MAX_OPEN,
    followsIdentities: hasStates,
    async send(messages, signal) {
      const publications = composed(() => messages.filter(({ change }) => !change).map(messageOf))
      const broker = await kept.connected(signal)
      const rejection = await broker.publish(publications, signal)
      if (!rejection && hasStates) await states.follow(broker, messages, signal)
      return rejection
    },
    close: () => kept.close(),
  }
}

export const MQTT: SinkKind<SinkTarget<'mqtt'>> = {
  open: mqtt,
  refuseTarget: (target, world) => refuseUrl('/mqtt', target, ['mqtt:', 'mqtts:'], world),
  refuseMembers(_, target, format) {
    const allowed = {
      ...TOPIC_PLACEHOLDERS,
      topic: format === 'flat' ? undefined : TOPIC_PLACEHOLDERS.topic,
    }
    for (const name of ['topic', 'state_topic', 'status_topic'] as const) {
      const template = target[name]
      const fault = template === undefined ? undefined : templateFault(template, allowed[name])
      if (fault) throw invalid(`/mqtt/${name}`, fault)
    }
  },
  refuseSecret: refusePassword('mqtt'),
  destinations: urlDestinations,
}
