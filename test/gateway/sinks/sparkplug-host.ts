import { createRequire } from 'node:module'

interface Metric {
  readonly name: string
  readonly type: string
  readonly value: unknown
  readonly isHistorical?: boolean
  readonly properties?: Record<string, { readonly value: unknown }>
}

// Its types refer to a version of protobufjs that is not installed beside it.
const { decodePayload, encodePayload } = createRequire(import.meta.url)('sparkplug-payload').get(
  'spBv1.0',
) as {
  decodePayload(payload: Uint8Array): {
    readonly seq?: { toNumber(): number } | number
    readonly timestamp?: { toNumber(): number } | number
    readonly metrics?: Metric[]
  }
  encodePayload(payload: object): Uint8Array
}

/** A payload, encoded by that library. */
export const encodeSparkplug = (payload: object): Uint8Array => encodePayload(payload)

export interface SparkplugMessage {
  readonly type: string
  readonly device: string | undefined
  readonly seq: number | undefined
  readonly metrics: readonly Metric[]
}

const numberOf = (value: { toNumber(): number } | number | undefined): number | undefined =>
  typeof value === 'object' ? value.toNumber() : value

/** A host application that knows the state of one edge node, and throws for a message that breaks a rule of Sparkplug B. */
export class SparkplugHost {
  readonly messages: SparkplugMessage[] = []
  /** By name of a device that is alive: the types and last values of its metrics. */
  readonly devices = new Map<string, Map<string, Metric>>()
  bdSeq: unknown
  #seq: number | undefined

  constructor(
    private readonly group: string,
    private readonly node: string,
  ) {}

  /** Takes a message, decoded by the library of the Eclipse Tahu project. */
  take({ topic, payload }: { readonly topic: string; readonly payload: Uint8Array }): void {
    const [namespace, group, type = '', node, device, ...rest] = topic.split('/')
    if (namespace !== 'spBv1.0' || group !== this.group || node !== this.node || rest.length > 0)
      throw new Error(`topic ${topic}`)
    const decoded = decodePayload(payload)
    const message = { type, device, seq: numberOf(decoded.seq), metrics: decoded.metrics ?? [] }
    this.messages.push(message)
    if (type === 'NCMD') return
    if (numberOf(decoded.timestamp) === undefined) throw new Error(`${type} has no timestamp`)
    const bdSeq = message.metrics.find(({ name }) => name === 'bdSeq')
    if (type === 'NDEATH') {
      if (message.seq !== undefined) throw new Error('NDEATH has a seq')
      if (String(bdSeq?.value) === String(this.bdSeq)) this.devices.clear()
      this.#seq = undefined
      return
    }
    if (type === 'NBIRTH') {
      if (message.seq !== 0) throw new Error(`NBIRTH has the seq ${message.seq}`)
      if (bdSeq?.type !== 'Int64') throw new Error(`bdSeq is ${bdSeq?.type}`)
      if (!message.metrics.some(({ name }) => name === 'Node Control/Rebirth')) throw new Error('no Rebirth')
      this.bdSeq = bdSeq.value
      this.devices.clear()
    } else if (this.#seq === undefined || message.seq !== (this.#seq + 1) % 256)
      throw new Error(`${type} has the seq ${message.seq} after ${this.#seq}`)
    this.#seq = message.seq
    if (type === 'DBIRTH')
      this.devices.set(device ?? '', new Map(message.metrics.map((metric) => [metric.name, metric])))
    if (type === 'DDEATH' && !this.devices.delete(device ?? '')) throw new Error(`${device} was dead already`)
    if (type !== 'DDATA') return
    const known = this.devices.get(device ?? '')
    if (!known) throw new Error(`data of ${device}, which is not born`)
    for (const metric of message.metrics) {
      if (known.get(metric.name)?.type !== metric.type) throw new Error(`${metric.name} is not in the birth`)
      known.set(metric.name, metric)
    }
  }
}
