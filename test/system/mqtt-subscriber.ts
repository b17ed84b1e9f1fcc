import { connectAsync, type MqttClient } from 'mqtt'
import { onTestFinished } from 'vitest'
import type { Mosquitto } from './mosquitto.js'

export interface Received {
  readonly topic: string
  readonly payload: Buffer
  readonly retain: boolean
}

/**
 * All that a client of its own receives on these topics from now on, and what was retained. The broker keeps its
 * session while it is away.
 */
export async function subscribed(
  broker: Mosquitto,
  topics: string | string[],
): Promise<{ readonly client: MqttClient; readonly received: Received[] }> {
  const client = await connectAsync(broker.url, {
    protocolVersion: 5,
    reconnectPeriod: 50,
    clientId: `test-${Math.random()}`,
    clean: false,
    properties: { sessionExpiryInterval: 600 },
  })
  onTestFinished(async () => client.endAsync(true))
  const received: Received[] = []
  client.on('message', (topic, payload, { retain }) => received.push({ topic, payload, retain }))
  await client.subscribeAsync(topics, { qos: 1, rap: true })
  return { client, received }
}
