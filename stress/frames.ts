import { parseArgs } from 'node:util'
import { FrameStorm } from './frame-storm.js'

/** Frames between two looks at the memory. */
const BATCH = 100_000
const MEBIBYTE = 2 ** 20

const { values } = parseArgs({
  options: {
    frames: { type: 'string', default: '10000000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
  },
})
const frames = Number(values.frames)
const seed = Number(values.seed)
if (!(Number.isInteger(frames) && frames > 0 && Number.isInteger(seed))) {
  throw new Error('--frames and --seed are whole numbers, frames at least 1')
}
console.log(`${frames} frames, --seed ${seed}`)

/** Heap and buffers after a collection, in MiB. */
function memory(): { readonly heap: number; readonly buffers: number } {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { heap: heapUsed / MEBIBYTE, buffers: arrayBuffers / MEBIBYTE }
}

const tell = (when: string, { heap, buffers }: ReturnType<typeof memory>): void =>
  console.log(`${when.padEnd(8)} heap ${heap.toFixed(2)} MiB, buffers ${buffers.toFixed(2)} MiB`)

const storms = [new FrameStorm(seed, 'active'), new FrameStorm(seed + 1, 'passive')]
const began = process.hrtime.bigint()
let thrown = 0
const throwUntil = (share: number): void => {
  while (thrown < frames * share) {
    const batch = Math.min(BATCH, Math.ceil(frames * share) - thrown)
    storms[Math.floor(thrown / BATCH) % storms.length]?.run(batch)
    thrown += batch
  }
}
throwUntil(0.02) // until everything is compiled, and the counters have met most messages
const start = memory()
tell('start', start)
throwUntil(0.5)
tell('middle', memory())
throwUntil(1)
const end = memory()
tell('end', end)
const seconds = Number(process.hrtime.bigint() - began) / 1e9
for (const storm of storms) {
  storm.finish()
  console.log(JSON.stringify(storm.tally))
}
console.log(`${Math.round(thrown / seconds)} frames/s, ${seconds.toFixed(1)} s`)
const grown = end.heap + end.buffers - start.heap - start.buffers
if (grown > 8) throw new Error(`memory grew by ${grown.toFixed(1)} MiB`)
