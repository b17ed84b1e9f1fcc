/** A call of one of several concurrent callers. */
export interface Operation<In, Out> {
  readonly caller: string
  readonly input: In
  /** What the caller was told; undefined where nobody knows whether it was done. */
  readonly output: Out | undefined
  /** When it was called, and when the response came; `Infinity` where none came. */
  readonly began: number
  readonly ended: number
}

/** The state after an operation; undefined where it cannot have had this output in this state. */
export type Model<S, In, Out> = (state: S, operation: Operation<In, Out>) => S | undefined

/**
 * Whether there is an order of the operations, each at some moment between its call and its response, in which a
 * sequential model gives the same outputs (Wing and Gong's search). What got no response was done at some moment after its call, or never.
 */
export function isLinearizable<S, In, Out>(
  initial: S,
  operations: readonly Operation<In, Out>[],
  model: Model<S, In, Out>,
): boolean {
  const refuted = new Set<string>()
  const search = (state: S, left: readonly Operation<In, Out>[]): boolean => {
    if (left.every(({ output }) => output === undefined)) return true
    const key = `${left.map((operation) => operations.indexOf(operation)).join()} ${JSON.stringify(state)}`
    if (refuted.has(key)) return false
    const firstEnd = Math.min(...left.map(({ ended }) => ended))
    for (const operation of left) {
      if (operation.began > firstEnd) continue
      const next = model(state, operation)
      if (next === undefined) continue
      // What nobody knows the result of, and changes nothing, may as well never have been done.
      if (operation.output === undefined && JSON.stringify(next) === JSON.stringify(state)) continue
      const others = left.filter((other) => other !== operation)
      if (search(next, others)) return true
    }
    refuted.add(key)
    return false
  }
  // What nobody knows the result of is tried last: most of it is not needed.
  const isUnknown = ({ output }: Operation<In, Out>): number => Number(output === undefined)
  return search(
    initial,
    [...operations].sort((one, other) => isUnknown(one) - isUnknown(other)),
  )
}
