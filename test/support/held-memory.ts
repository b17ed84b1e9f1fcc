import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void

/** The memory that this process holds once what nobody refers to is gone. */
export function heldMemory(): NodeJS.MemoryUsage {
  // The bytes of buffers are given back by the collection after the one that finds them.
  collect()
  collect()
  return process.memoryUsage()
}

/**
 * Bytes that one round of `work` adds to the old objects, which V8 looks at in full collections only. Rounds before it make
 * old what all of them use.
 */
export async function gotOld(work: () => unknown): Promise<number> {
  let before = 0
  for (let round = 0; round < 5; round += 1) {
    before = oldBytes()
    await work()
    // An object that two of them find is old.
    collect({ type: 'minor' })
    collect({ type: 'minor' })
  }
  return oldBytes() - before
}

const oldBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0
