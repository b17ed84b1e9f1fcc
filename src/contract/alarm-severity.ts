/** Personal safety and equipment safety (ALCD, bits 1 to 7) come before all else. */
const URGENT = [1, 2]
const urgency = (category: number): number => (URGENT.includes(category) ? category : URGENT.length + 1)

interface Ranked {
  readonly id: string | number
  readonly category: number
}

/** Whether an alarm is more urgent than another; of equally urgent ones the newer is. */
export const isWorse = (a: Ranked, b: Ranked): boolean =>
  urgency(a.category) === urgency(b.category)
    ? Number(a.id) > Number(b.id)
    : urgency(a.category) < urgency(b.category)
