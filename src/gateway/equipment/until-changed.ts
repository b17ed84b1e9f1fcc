import type { Clock } from '../../kit/clock.js'
import type { Signal } from '../../kit/signal.js'

/** Resolves when `isOver` is true, which is asked now and at each `changed`, or after `ms` milliseconds. */
export function untilChanged(
  clock: Clock,
  changed: Signal<void>,
  ms: number,
  isOver: () => boolean,
): Promise<void> {
  if (isOver() || ms <= 0) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel()
      unsubscribe()
      resolve()
    }
    const cancel = clock.at(clock.now() + ms, finish)
    const unsubscribe = changed.on(() => {
      if (isOver()) finish()
    })
  })
}
