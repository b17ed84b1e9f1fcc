import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** The memory that this process holds once what nobody refers to is gone. */
export function heldMemory(): NodeJS.MemoryUsage {
  // The bytes of buffers are given back by the collection after the one that finds them.
  collect()
  collect()
  return process.memoryUsage()
}
