/** The messages that may be spooled: functions by stream. Stream 1 never is (SEMI E30). */
const SPOOLABLE: ReadonlyMap<number, readonly number[]> = new Map([
  [5, [1]],
  [6, [1, 11]],
  [7, [27]],
  [10, [1]],
])
const NEVER: ReadonlySet<number> = new Set([1, 9])

/** STRACK (SEMI E5). */
const STRACK = { notAllowed: 1, noSuchStream: 2, noSuchFunction: 3, secondary: 4 } as const

/** A stream and its functions; none stands for all of them. */
export interface SpooledStream {
  readonly stream: number
  readonly functions: readonly number[]
}

export interface SpoolFault extends SpooledStream {
  readonly strack: number
}

/** The faults in a choice of messages to spool (S2F43); none when it is possible. */
export const spoolFaults = (streams: readonly SpooledStream[]): SpoolFault[] => streams.flatMap(faultsOf)

function faultsOf({ stream, functions }: SpooledStream): SpoolFault[] {
  if (NEVER.has(stream)) return [{ stream, functions, strack: STRACK.notAllowed }]
  const known = SPOOLABLE.get(stream)
  if (!known) return [{ stream, functions, strack: STRACK.noSuchStream }]
  const secondaries = functions.filter((fn) => fn % 2 === 0)
  const unknown = functions.filter((fn) => fn % 2 === 1 && !known.includes(fn))
  return [
    ...(secondaries.length > 0 ? [{ stream, functions: secondaries, strack: STRACK.secondary }] : []),
    ...(unknown.length > 0 ? [{ stream, functions: unknown, strack: STRACK.noSuchFunction }] : []),
  ]
}

/** Whether a choice includes this message. */
export const isSpooled = (streams: readonly SpooledStream[], stream: number, fn: number): boolean =>
  SPOOLABLE.get(stream)?.includes(fn) === true &&
  streams.some((one) => one.stream === stream && (one.functions.length === 0 || one.functions.includes(fn)))
