/** Between two attempts to reach a target: 1 s at first, then twice as long each time, up to 5 min. */
export const MIN_RETRY_MS = 1000
export const MAX_RETRY_MS = 300_000

/**
 * Milliseconds until the next attempt after `attempts` that failed. `asked`: what the target asks for with Retry-After.
 * `random`: from 0 to 1; it shortens the delay by up to a half, so that not all sinks try at the same moment.
 */
export function retryDelayMs(attempts: number, asked: number, random: number): number {
  const longest = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** Math.min(attempts, 20))
  return Math.max(MIN_RETRY_MS, Math.min(asked, MAX_RETRY_MS), longest * (0.5 + random / 2))
}
