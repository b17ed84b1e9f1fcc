// How long the event loop is held by a long JSON text: read there, and read in a worker thread that sends the value
// back. A value that a worker sends is copied on the event loop. `npm run bench:worker`.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { median } from './rate.js'

const ITEMS = 2 ** 20 - 1
const LOOKS = 7

const READER = `const { parentPort } = require('node:worker_threads')
parentPort.on('message', (bytes) => parentPort.postMessage(JSON.parse(Buffer.from(bytes).toString())))`

const text = JSON.stringify({ L: Array.from({ length: ITEMS }, (_, at) => ({ U4: [at] })) })

/** The longest time in milliseconds between two turns of the event loop while `work` is done. */
async function longestHold(work: () => unknown): Promise<number> {
  let longest = 0
  let last = performance.now()
  let turn: NodeJS.Immediate
  const look = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    turn = setImmediate(look)
  }
  turn = setImmediate(look)
  await work()
  await new Promise((resolve) => setImmediate(resolve))
  clearImmediate(turn)
  return longest
}

const worker = new Worker(READER, { eval: true })
const here: number[] = []
const elsewhere: number[] = []
for (let look = 0; look < LOOKS; look++) {
  here.push(await longestHold(() => JSON.parse(text)))
  const bytes = new TextEncoder().encode(text).buffer
  elsewhere.push(
    await longestHold(() => {
      worker.postMessage(bytes, [bytes])
      return once(worker, 'message')
    }),
  )
}
await worker.terminate()
console.log(`JSON of ${(text.length / 2 ** 20).toFixed(1)} MiB, ${ITEMS} items, medians of ${LOOKS}`)
console.log(`event loop held while it is read there:      ${median(here).toFixed(0)} ms`)
console.log(`event loop held while a worker sends it back: ${median(elsewhere).toFixed(0)} ms`)
