// The processor's time of each turn of the event loop: what others do on the machine is not in it. Linux alone.
import { openSync, readSync } from 'node:fs'

const TEXT_BYTES = 64

/** Milliseconds of the processor that the thread of the event loop has had. */
export function threadTimes(): () => number {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const text = Buffer.alloc(TEXT_BYTES)
  return () => {
    const length = readSync(file, text, 0, TEXT_BYTES, 0)
    return Number(text.toString('latin1', 0, length).split(' ', 1)[0]) / 1e6
  }
}

/** Watches turns from now on. Returns what ends it and gives the time of each in milliseconds, the longest first. */
export function watchTurns(now: () => number): () => readonly number[] {
  const held: number[] = []
  let isOver = false
  const next = (began: number): void => {
    setImmediate(() => {
      if (isOver) return
      held.push(now() - began)
      next(now())
    })
  }
  next(now())
  return () => {
    isOver = true
    return held.sort((one, other) => other - one)
  }
}
