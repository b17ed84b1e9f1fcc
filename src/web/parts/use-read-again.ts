import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { SharedRun } from '../../kit/shared-run.js'
import { every } from './every.js'

const READ_MS = 10_000

/**
 * What `read` gives about `id`; undefined until something is there. It is read again whenever a value in `changed` changes,
 * and every `pause` milliseconds while the page is visible. `problem`: why the last reading failed, or empty.
 */
export function useReadAgain<T>(
  id: string,
  changed: readonly unknown[],
  read: (signal: AbortSignal) => Promise<T>,
  pause = READ_MS,
): { readonly value: T | undefined; readonly problem: string } {
  const last = useSignal<{ readonly id: string; readonly value: T } | undefined>(undefined)
  const problem = useSignal('')
  useEffect(() => {
    const left = new AbortController()
    // A slow gateway is not asked again meanwhile, and no older value comes after a newer one.
    const reading = new SharedRun(async () => {
      if (document.hidden) return
      try {
        const value = await read(left.signal)
        if (left.signal.aborted) return
        last.value = { id, value }
        problem.value = ''
      } catch (error) {
        if (!left.signal.aborted) problem.value = (error as Error).message
      }
    })
    void reading.run()
    const stop = every(pause, () => void reading.run())
    return () => {
      left.abort()
      stop()
    }
  }, [id, ...changed])
  return { value: last.value?.id === id ? last.value.value : undefined, problem: problem.value }
}
