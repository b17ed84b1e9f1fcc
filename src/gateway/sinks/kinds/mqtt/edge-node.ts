import type { Equipment } from '../../../../contract/equipment.js'
import type { FlatEvent } from '../../../../contract/topics/sinks/sink-message.js'
import type { Publication } from './broker.js'
import { type Metric, type MetricValue, payload, REBIRTH } from './sparkplug-payload.js'
import { topicLevel } from './topic-level.js'

/** Metrics of one device. */
const MAX_METRICS = 10_000
const SEQUENCE = 256

interface Names {
  readonly group: string
  readonly edgeNode: string
}

interface World {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly equipment: (id: string) => Equipment | undefined
}

/** Equipment as hosts know it since the last birth of the edge node. */
interface Device {
  readonly name: string
  isAlive: boolean
  readonly metrics: Map<string, { readonly value: MetricValue; readonly unit: string | undefined }>
}

/** Text that UTF-8 can hold. */
const wellFormed = (value: string): string => value.replace(/\p{Surrogate}/gu, '\ufffd')

const text = (value: string): MetricValue => ({ type: 'String', value: wellFormed(value) })

/**
 * The state of a Sparkplug B edge node: the gateway, whose devices are equipment. Builds its messages in the order in
 * which they have to be published, all with QoS 0.
 */
export class EdgeNode {
  readonly #devices = new Map<string, Device>()
  #seq = 0
  #bornAt = 0

  constructor(
    private readonly names: Names,
    private readonly world: World,
  ) {}

  /** The topic on which hosts send commands to the edge node. */
  get commands(): string {
    return this.#topic('NCMD')
  }

  /** The death certificate, which the broker publishes when the connection is lost. */
  death(bdSeq: number): Publication {
    return { topic: this.#topic('NDEATH'), payload: payload(this.world.now(), [this.#bdSeq(bdSeq)]), qos: 1 }
  }

  /** Birth certificates of the edge node and of the equipment that is connected, after which all begins anew. */
  birth(bdSeq: number, equipment: Iterable<string>): Publication[] {
    const now = this.world.now()
    this.#seq = 0
    this.#bornAt = now
    const metrics: Metric[] = [
      this.#bdSeq(bdSeq),
      { name: REBIRTH, value: { type: 'Boolean', value: false }, timestamp: now },
      { name: 'Gap', value: text(''), timestamp: now },
      { name: 'Test', value: text(''), timestamp: now },
    ]
    for (const device of this.#devices.values()) device.isAlive = false
    const born = this.#message('NBIRTH', metrics)
    return [born, ...[...new Set([...this.#devices.keys(), ...equipment])].flatMap((id) => this.state(id))]
  }

  /** A message about the sink itself. */
  note(name: 'Gap' | 'Test', value: string): Publication {
    return this.#message('NDATA', [{ name, value: text(value), timestamp: this.world.now() }])
  }

  /** What is new in the state of equipment: its birth, its death, or changed states. */
  state(id: string): Publication[] {
    const equipment = this.world.equipment(id)
    const known = this.#devices.get(id)
    const isConnected = equipment?.connection_state === 'SELECTED'
    if (!equipment || (known && known.name !== topicLevel(equipment.name))) {
      this.#devices.delete(id)
      return [...(known?.isAlive ? [this.#deviceDeath(known)] : []), ...(equipment ? this.state(id) : [])]
    }
    if (!isConnected) {
      if (!known?.isAlive) return []
      known.isAlive = false
      return [this.#deviceDeath(known)]
    }
    const left = known ? [] : this.#leaveName(id, equipment.name)
    const device = known ?? this.#device(id, equipment.name)
    const now = this.world.now()
    const states = statesOf(equipment).map(([name, value]) => ({ name, value: text(value), timestamp: now }))
    const data = this.#data(
      device,
      states.filter(({ name, value }) => isChanged(device, name, value)),
    )
    return [...left, ...data]
  }

  /** Ends the device that other equipment, which is renamed or gone, had under a name of this equipment. */
  #leaveName(id: string, name: string): Publication[] {
    const [other] = this.#named(name) ?? []
    return other === undefined || other === id ? [] : this.state(other)
  }

  /** The device of a name, and the equipment that it is. */
  #named(name: string): readonly [string, Device] | undefined {
    return [...this.#devices].find(([, device]) => device.name === topicLevel(name))
  }

  /**
   * What a message carries. One that was recorded before the birth of the edge node is historical. Undefined where the
   * device would have too many metrics.
   */
  event(event: FlatEvent): Publication[] | undefined {
    const { equipment_id: id, equipment_name } = event
    const timestamp = Date.parse(event.at)
    const isHistorical = timestamp < this.#bornAt
    // The state of now is not that of an old event.
    const state = isHistorical ? [] : this.state(id)
    const metrics = metricsOf(event).map((metric) => ({ ...metric, timestamp, isHistorical }))
    if (metrics.length === 0) return state
    const registered = this.world.equipment(id)
    const name = registered?.name ?? equipment_name ?? id
    const left = registered && !this.#devices.has(id) ? this.#leaveName(id, name) : []
    // What equipment sent that is gone belongs to the device that has its name now.
    const device = this.#devices.get(id) ?? this.#named(name)?.[1] ?? this.#device(id, name)
    if (new Set([...device.metrics.keys(), ...metrics.map((one) => one.name)]).size > MAX_METRICS)
      return undefined
    return [...state, ...left, ...this.#data(device, metrics)]
  }

  /** Data of a device, after its birth where hosts do not know it, or not all of these metrics. */
  #data(device: Device, metrics: readonly Metric[]): Publication[] {
    if (metrics.length === 0 && device.isAlive) return []
    const isKnown = metrics.every(({ name, value }) => device.metrics.get(name)?.value.type === value.type)
    for (const { name, value, unit } of metrics) device.metrics.set(name, { value, unit })
    const born = device.isAlive && isKnown ? [] : [this.#deviceBirth(device)]
    device.isAlive = true
    return metrics.length === 0 ? born : [...born, this.#message('DDATA', metrics, device.name)]
  }

  #device(id: string, name: string): Device {
    const device: Device = { name: topicLevel(name), isAlive: false, metrics: new Map() }
    this.#devices.set(id, device)
    return device
  }

  #deviceBirth({ name, metrics }: Device): Publication {
    const timestamp = this.world.now()
    const all = [...metrics].map(([metric, known]) => ({ name: metric, ...known, timestamp }))
    return this.#message('DBIRTH', all, name)
  }

  #deviceDeath({ name }: Device): Publication {
    return this.#message('DDEATH', [], name)
  }

  #message(type: string, metrics: readonly Metric[], device?: string): Publication {
    const seq = this.#seq
    this.#seq = (seq + 1) % SEQUENCE
    return { topic: this.#topic(type, device), payload: payload(this.world.now(), metrics, seq), qos: 0 }
  }

  #bdSeq(value: number): Metric {
    return { name: 'bdSeq', value: { type: 'Int64', value }, timestamp: this.world.now() }
  }

  #topic(type: string, device?: string): string {
    const { group, edgeNode } = this.names
    return ['spBv1.0', group, type, edgeNode, ...(device === undefined ? [] : [device])].join('/')
  }
}

const isChanged = ({ metrics }: Device, name: string, value: MetricValue): boolean =>
  metrics.get(name)?.value.value !== value.value

const statesOf = ({ connection_state, communication_state, control_state }: Equipment) =>
  [
    ['State/Connection', connection_state],
    ['State/Communication', communication_state],
    ['State/Control', control_state ?? ''],
  ] as const

/** Values of variables, the name of a collection event, and whether an alarm is set. */
function metricsOf({ type, name, event, values, units }: FlatEvent): Omit<Metric, 'timestamp'>[] {
  if (type === 'alarm') {
    const isSet = name === 'alarm_set'
    if (!isSet && name !== 'alarm_cleared') return []
    return [{ name: `Alarms/${values['alid']}`, value: { type: 'Boolean', value: isSet } }]
  }
  if (type !== 'message') return []
  const carried = Object.entries(values).flatMap(([called, value]) =>
    value === null || value === undefined
      ? []
      : {
          name: wellFormed(`Variables/${called}`),
          value: metricValue(value),
          unit: Object.hasOwn(units, called) ? units[called] : undefined,
        },
  )
  return event === null ? carried : [{ name: 'Collection Event', value: text(event) }, ...carried]
}

/** Lists are JSON. All numbers have one type, so that the type of a metric does not depend on its value. */
function metricValue(value: unknown): MetricValue {
  if (typeof value === 'number') return { type: 'Double', value }
  if (typeof value === 'boolean') return { type: 'Boolean', value }
  return text(typeof value === 'string' ? value : JSON.stringify(value))
}
