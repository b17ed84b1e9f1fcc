// How long the event loop is held by a long JSON text, in milliseconds of the processor: read there at once, read there in
// steps, and read in a worker thread that sends back the value, or bytes alone. A value that a worker sends is copied on the
// event loop; bytes are not. `npm run bench:worker`.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { jsonSteps } from '../src/kit/text/json-steps.js'
import { inTurns } from '../src/kit/turns.js'
import { threadTimes, watchTurns } from './held-turns.js'
import { median } from './rate.js'

const ITEMS = 2 ** 20 - 1
const LOOKS = 7

const READER = `const { parentPort } = require('node:worker_threads')
parentPort.on('message', ({ bytes, wanted }) => {
  const value = JSON.parse(Buffer.from(bytes).toString())
  if (wanted === 'value') parentPort.postMessage(value)
  else parentPort.postMessage(bytes, [bytes])
})`

const text = JSON.stringify({ L: Array.from({ length: ITEMS }, (_, at) => ({ U4: [at] })) })
const processor = threadTimes()
const worker = new Worker(READER, { eval: true })
await once(worker, 'online')

async function inWorker(wanted: 'value' | 'bytes'): Promise<void> {
  const bytes = new TextEncoder().encode(text).buffer
  worker.postMessage({ bytes, wanted }, [bytes])
  await once(worker, 'message')
}

const WAYS: readonly (readonly [name: string, work: () => unknown])[] = [
  ['read there at once', () => JSON.parse(text)],
  [
    'read there in steps',
    () => inTurns(jsonSteps(Buffer.from(text), { maxDepth: 512, parse: (part) => JSON.parse(part) })),
  ],
  ['read in a worker that sends the value', () => inWorker('value')],
  ['read in a worker that sends bytes', () => inWorker('bytes')],
]

console.log(`JSON of ${(text.length / 2 ** 20).toFixed(1)} MiB, ${ITEMS} items, medians of ${LOOKS}`)
const looks = WAYS.map(([name]) => ({ name, longest: [] as number[], sum: [] as number[] }))
for (let look = 0; look < LOOKS; look++)
  for (const [at, [, work]] of WAYS.entries()) {
    globalThis.gc?.()
    const began = processor()
    const held = watchTurns(processor)
    await work()
    await new Promise((resolve) => setImmediate(resolve))
    const [longest] = await held()
    looks[at]?.longest.push(longest?.cpu ?? 0)
    looks[at]?.sum.push(processor() - began)
  }
await worker.terminate()
for (const { name, longest, sum } of looks)
  console.log(
    `${name.padEnd(40)} longest turn ${median(longest).toFixed(0).padStart(5)}, in all ${median(sum).toFixed(0).padStart(5)} ms`,
  )
