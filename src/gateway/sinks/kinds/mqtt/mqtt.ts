import type { Equipment } from '../../../../contract/equipment.js'
import { MQTT_TOPICS } from '../../../../contract/topics/sinks/sink.js'
import type { OutMessage, SinkKind } from '../kind.js'
import { composed } from '../unsendable.js'
import { Broker, type Publication } from './broker.js'
import { KeptBroker } from './kept-broker.js'
import { topicOf } from './topic-template.js'

/** Messages that wait for the acknowledgement of the broker. */
const MAX_OPEN = 100
/** States in one call. */
const MAX_STATES = 500

/** Publishes messages with QoS 1, and the last state of each equipment as a retained message. */
export const mqtt: SinkKind = (record, world) => {
  const { mqtt: target, name: sink, types, names } = record
  if (!target) throw new Error('The sink has no mqtt.')
  const { topic = MQTT_TOPICS.topic, state_topic = MQTT_TOPICS.state_topic } = target
  const statusTopic = topicOf(target.status_topic ?? MQTT_TOPICS.status_topic, { sink })
  const hasStates =
    names === null && (types === null || (types.includes('connection') && types.includes('state')))
  /** By id of equipment: what the broker has retained since it was connected. */
  const retained = new Map<string, Publication>()

  const messageOf = ({ text, type, event }: OutMessage): Publication => {
    const equipment = event && world.equipment(event.equipment_id)
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
  const stateOf = (equipment: Equipment): Publication => ({
    topic: topicOf(state_topic, { sink, equipment }),
    payload: JSON.stringify(shownState(equipment)),
    qos: 1,
    retain: true,
    contentType: 'application/json',
  })
  /** Retains the states of equipment that the broker does not have yet. */
  const retain = async (broker: Broker, ids: Iterable<string>, signal: AbortSignal): Promise<void> => {
    const changed: {
      readonly id: string
      readonly now: Publication | undefined
      readonly sent: Publication[]
    }[] = []
    for (const id of ids) {
      const equipment = world.equipment(id)
      const before = retained.get(id)
      const now = equipment && stateOf(equipment)
      if (before?.payload === now?.payload && before?.topic === now?.topic) continue
      // An empty message removes what is retained.
      const removed = before && before.topic !== now?.topic ? [{ ...before, payload: '' }] : []
      changed.push({ id, now, sent: [...removed, ...(now ? [now] : [])] })
    }
    for (let at = 0; at < changed.length; at += MAX_STATES) {
      const part = changed.slice(at, at + MAX_STATES)
      const rejection = await broker.publish(
        part.flatMap(({ sent }) => sent),
        signal,
      )
      if (rejection) throw new Error(`a retained state: ${rejection.detail}`)
      for (const { id, now } of part) {
        if (now) retained.set(id, now)
        else retained.delete(id)
      }
    }
  }

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
      if (!hasStates) return
      const before = [...retained.keys()]
      // A broker that was started again may have lost what it retained: nothing is equal to this.
      for (const [id, one] of retained) retained.set(id, { ...one, payload: '' })
      await retain(broker, new Set([...before, ...world.selected().map(({ id }) => id)]), signal)
    },
    end: async (broker, signal) => {
      await broker.publish([status(false)], signal)
    },
  })
  return {
    maxMessages: MAX_OPEN,
    async send(messages, signal) {
      const publications = composed(() => messages.map(messageOf))
      const broker = await kept.connected(signal)
      const rejection = await broker.publish(publications, signal)
      if (rejection || !hasStates) return rejection
      const changed = messages.flatMap(({ event }) =>
        event?.type === 'connection' || event?.type === 'state' ? [event.equipment_id] : [],
      )
      await retain(broker, new Set(changed), signal)
      return undefined
    },
    close: () => kept.close(),
  }
}

/** Members that change only with an event of the equipment: what is retained does not become stale. */
const shownState = ({ id, name, connection_state, communication_state, control_state }: Equipment) => ({
  equipment_id: id,
  equipment_name: name,
  connection_state,
  communication_state,
  control_state,
})
