// Events that sinks deliver, beside what the bare client of each kind does with the same messages, and what sinks
// cost those who record events: `npm run bench:sinks [events]`. Needs Mosquitto and kcat: the Kafka cluster is
// librdkafka's mock, and its bare client is kcat, which sends the same lines with acks=all from a file.
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { connectAsync } from 'mqtt'
import { Agent, request } from 'undici'
import type { NewSink } from '../src/contract/topics/sinks/sink.js'
import { systemClock as clock, delay } from '../src/kit/clock.js'
import type { NewEntry } from '../src/store/entry.js'
import { KafkaMock } from '../test/system/kafka-mock.js'
import { Mosquitto } from '../test/system/mosquitto.js'
import { history } from './history.js'
import { openBench } from './open-bench.js'
import { median } from './rate.js'

const ROUNDS = 3
const BATCH = 100
const LINES = 500
const WRITERS = 64
const SECONDS = 2

if (isMainThread) await measure()
else await serve()

/** The target of webhooks, in a thread of its own. */
async function serve(): Promise<void> {
  const server = createServer((message, response) => {
    message.resume().on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  parentPort?.postMessage((server.address() as AddressInfo).port)
}

async function measure(): Promise<void> {
  const events = Number(process.argv[2] ?? '20000')
  const { folder, gateway, store } = await openBench(async ({ journal }) => {
    let last = 0
    for (const step of history()) {
      const entries = step(last + 1)
      last += entries.length
      await journal.appendAll(entries.map(now))
      if (last >= events) break
    }
  })
  const { journal } = store
  const { sinks } = gateway
  const worker = new Worker(process.argv[1] as string)
  const [port] = await once(worker, 'message')
  const url = `http://127.0.0.1:${port}/`
  const broker = await Mosquitto.start()
  const cluster = await KafkaMock.start()

  /** Events in a second, from the oldest to the newest. */
  const delivered = async (target: Omit<NewSink, 'name'>): Promise<number> => {
    const began = clock.now()
    const { id } = await sinks.create({ name: 'bench', start: 'oldest', ...target })
    while ((await sinks.get(id)).lag_entries > 0) await delay(clock, 10)
    const rate = (events / (clock.now() - began)) * 1000
    const { dead, last_error } = await sinks.get(id)
    if (dead > 0 || last_error) throw new Error(`${dead} dead letters, ${last_error?.detail}`)
    await sinks.remove(id)
    return rate
  }
  await delivered({ file: { file: 'texts' } })
  const texts: string[] = []
  for await (const line of createInterface({ input: createReadStream(join(folder, 'texts')) }))
    texts.push(line)

  const bare = async (
    send: (texts: readonly string[]) => Promise<unknown>,
    size: number,
  ): Promise<number> => {
    const began = clock.now()
    for (let at = 0; at < texts.length; at += size) await send(texts.slice(at, at + size))
    return (texts.length / (clock.now() - began)) * 1000
  }
  const agent = new Agent({ connections: 1 })
  const post = async (body: string): Promise<void> => {
    const { body: answer } = await request(url, { method: 'POST', dispatcher: agent, body })
    await answer.dump()
  }
  const client = await connectAsync(broker.url, { protocolVersion: 5 })
  const publish = (qos: 0 | 1) => (some: readonly string[]) =>
    Promise.all(some.map((text) => client.publishAsync('bare', text, { qos })))
  const append = async (file: FileHandle, lines: readonly string[]): Promise<void> => {
    await file.appendFile(`${lines.join('\n')}\n`)
    await file.datasync()
  }
  const bareFile = await open(join(folder, 'bare'), 'a')
  const mqtt = { url: broker.url }
  const cases: readonly (readonly [string, Omit<NewSink, 'name'>, () => Promise<number>])[] = [
    ['webhook, one a request', { webhook: { url } }, () => bare(([text]) => post(text ?? ''), 1)],
    [
      `webhook, batches of ${BATCH}`,
      { webhook: { url, batch: BATCH } },
      () => bare((some) => post(`[${some.join(',')}]`), BATCH),
    ],
    ['mqtt, QoS 1', { mqtt }, () => bare(publish(1), BATCH)],
    ['sparkplug, QoS 0', { sparkplug: { ...mqtt, group: 'bench' } }, () => bare(publish(0), BATCH)],
    [
      'kafka, acks=all',
      { kafka: { brokers: cluster.brokers, topic: 'sink' } },
      async () => {
        const began = clock.now()
        await cluster.append('bare', join(folder, 'texts'))
        return (texts.length / (clock.now() - began)) * 1000
      },
    ],
    ['file', { file: { file: 'out' } }, () => bare((lines) => append(bareFile, lines), LINES)],
  ]
  console.log(`${events.toLocaleString('en')} events, median of ${ROUNDS} rounds in turns`)
  console.log('kind                       sink, events/s   bare client   ratio')
  for (const [name, target, bareClient] of cases) {
    const [ours, theirs]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await delivered(target))
      theirs.push(await bareClient())
      await rm(join(folder, 'out'), { force: true })
    }
    const [sink, raw] = [median(ours), median(theirs)]
    console.log(row(name, whole(sink), whole(raw), (sink / raw).toFixed(2)))
  }
  await client.endAsync(true)

  /** Events that writers record in a second. */
  const recorded = async (): Promise<number> => {
    const began = clock.now()
    const end = began + SECONDS * 1000
    let done = 0
    const steps = history()
    let last = journal.last
    const write = async (): Promise<void> => {
      while (clock.now() < end) {
        const { value: step } = steps.next()
        const entries = step(last + 1)
        last += entries.length
        await journal.appendAll(entries.map(now))
        done += entries.length
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, write))
    return (done / (clock.now() - began)) * 1000
  }
  // A target that takes the connection and never answers.
  const silent = createTcpServer((socket) => socket.resume()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
  const live: Omit<NewSink, 'name'> = { file: { file: 'live' } }
  const dead: readonly Omit<NewSink, 'name'>[] = [
    { webhook: { url: 'http://127.0.0.1:9/' } },
    { webhook: { url: silentUrl } },
    { webhook: { url: silentUrl, batch: BATCH } },
    { mqtt: { url: 'mqtt://127.0.0.1:9' } },
    { mqtt: { url: silentUrl.replace('http', 'mqtt') } },
  ]
  const settings: readonly (readonly [string, readonly Omit<NewSink, 'name'>[]])[] = [
    ['no sink', []],
    ['5 dead sinks', dead],
    ['a live one', [live]],
    ['a live one and 5 dead', [live, ...dead]],
  ]
  const rates = new Map<string, number[]>()
  const lags = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, targets] of settings) {
      const ids: string[] = []
      for (const [at, target] of targets.entries())
        ids.push((await sinks.create({ name: `s${at}`, ...target })).id)
      rates.set(name, [...(rates.get(name) ?? []), await recorded()])
      if (targets[0] === live) {
        const began = clock.now()
        while ((await sinks.get(ids[0] as string)).lag_entries > 0) await delay(clock, 10)
        lags.set(name, clock.now() - began)
      }
      for (const id of ids) await sinks.remove(id)
    }
  const none = median(rates.get('no sink') ?? [])
  console.log(`\n${WRITERS} writers of the journal     events/s   of no sink   then delivered after`)
  for (const [name] of settings) {
    const rate = median(rates.get(name) ?? [])
    const lag = lags.get(name)
    console.log(row(name, whole(rate), (rate / none).toFixed(2), lag === undefined ? '' : `${whole(lag)} ms`))
  }
  silent.close()
  await broker.remove()
  cluster.end()
  process.exit(0)
}

/** Of the past, each entry would be a file of its own. */
function now(entry: NewEntry): NewEntry {
  return { ...entry, at: clock.date().toISOString() }
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function row(name: string, ...cells: readonly string[]): string {
  return name.padEnd(26) + cells.map((cell) => cell.padStart(13)).join('')
}
