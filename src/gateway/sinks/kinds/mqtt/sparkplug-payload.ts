import { Reader, Writer } from 'protobufjs/minimal.js'

/** Data types of metrics, by their codes in the Sparkplug B specification. */
const CODES = { Int64: 4, Double: 10, Boolean: 11, String: 12 } as const

/** A value of a metric of one of these types. */
export type MetricValue =
  | { readonly type: 'Int64' | 'Double'; readonly value: number }
  | { readonly type: 'Boolean'; readonly value: boolean }
  | { readonly type: 'String'; readonly value: string }

export interface Metric {
  readonly name: string
  readonly value: MetricValue
  /** Milliseconds since 1970. */
  readonly timestamp: number
  readonly isHistorical?: boolean
  readonly unit?: string | undefined
}

// Fields of the messages `Payload`, `Payload.Metric`, `Payload.PropertySet` and `Payload.PropertyValue`.
const PAYLOAD = { timestamp: 1, metrics: 2, seq: 3 }
const METRIC = { name: 1, timestamp: 3, datatype: 4, isHistorical: 5, properties: 9 }
const VALUE = { Int64: 11, Double: 13, Boolean: 14, String: 15 }
const PROPERTIES = { keys: 1, values: 2 }
const PROPERTY = { type: 1, string: 8 }

const varint = (field: number): number => field * 8
const fixed64 = (field: number): number => field * 8 + 1
const bytes = (field: number): number => field * 8 + 2

/** The bytes of a payload. A death certificate has no `seq`. */
export function payload(timestamp: number, metrics: readonly Metric[], seq?: number): Buffer {
  const writer = Writer.create()
  writer.uint32(varint(PAYLOAD.timestamp)).uint64(timestamp)
  for (const metric of metrics) {
    writer.uint32(bytes(PAYLOAD.metrics)).fork()
    writeMetric(writer, metric)
    writer.ldelim()
  }
  if (seq !== undefined) writer.uint32(varint(PAYLOAD.seq)).uint64(seq)
  return Buffer.from(writer.finish())
}

function writeMetric(writer: Writer, { name, value, timestamp, isHistorical, unit }: Metric): void {
  writer.uint32(bytes(METRIC.name)).string(name)
  writer.uint32(varint(METRIC.timestamp)).uint64(timestamp)
  writer.uint32(varint(METRIC.datatype)).uint32(CODES[value.type])
  if (isHistorical) writer.uint32(varint(METRIC.isHistorical)).bool(true)
  if (unit !== undefined) {
    writer.uint32(bytes(METRIC.properties)).fork()
    writer.uint32(bytes(PROPERTIES.keys)).string('engUnit')
    writer.uint32(bytes(PROPERTIES.values)).fork()
    writer.uint32(varint(PROPERTY.type)).uint32(CODES.String).uint32(bytes(PROPERTY.string)).string(unit)
    writer.ldelim().ldelim()
  }
  if (value.type === 'Int64') writer.uint32(varint(VALUE.Int64)).uint64(value.value)
  if (value.type === 'Double') writer.uint32(fixed64(VALUE.Double)).double(value.value)
  if (value.type === 'Boolean') writer.uint32(varint(VALUE.Boolean)).bool(value.value)
  if (value.type === 'String') writer.uint32(bytes(VALUE.String)).string(value.value)
}

/** Whether a command of a host asks for all birth certificates again; bytes that are no payload do not. */
export function asksForRebirth(command: Uint8Array): boolean {
  try {
    return hasRebirth(Reader.create(command))
  } catch {
    return false
  }
}

function hasRebirth(reader: Reader): boolean {
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag !== bytes(PAYLOAD.metrics)) {
      reader.skipType(tag & 7)
      continue
    }
    const end = reader.uint32() + reader.pos
    let [name, isTrue] = ['', false]
    while (reader.pos < end) {
      const inner = reader.uint32()
      if (inner === bytes(METRIC.name)) name = reader.string()
      else if (inner === varint(VALUE.Boolean)) isTrue = reader.bool()
      else reader.skipType(inner & 7)
    }
    if (name === REBIRTH && isTrue) return true
  }
  return false
}

export const REBIRTH = 'Node Control/Rebirth'
