/** Slots of a carrier without another word: a FOUP has 25. */
export const USUAL_SLOTS = 25
/** More slots than any carrier has. */
export const MOST_SLOTS = 255

/**
 * The slots in a text such as `1-25` or `1,3,5-9`, in the order in which they are given, which is the order of processing
 * where it matters. A RangeError with a sentence for what is none, for a slot that the carrier does not have, and for a
 * slot that is there twice.
 */
export function slotsIn(text: string, slots = USUAL_SLOTS): readonly number[] {
  const found: number[] = []
  for (const part of text.split(',')) {
    const [, from, to = from] = /^\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?$/.exec(part) ?? []
    if (from === undefined)
      throw new RangeError(`"${part.trim()}" is neither a slot nor a range of slots: 1,3,5-9`)
    const first = Number(from)
    const last = Number(to)
    if (last < first) throw new RangeError(`the range ${first}-${last} ends before it begins`)
    for (const end of [first, last]) checkSlot(end, slots)
    for (let slot = first; slot <= last; slot++) found.push(slot)
  }
  checkTwice(found)
  return found
}

/** The same for slots that are numbers already. */
export function checkSlots(numbers: readonly number[], slots = USUAL_SLOTS): void {
  for (const slot of numbers) checkSlot(slot, slots)
  checkTwice(numbers)
}

function checkSlot(slot: number, slots: number): void {
  if (!Number.isInteger(slot) || slot < 1 || slot > slots)
    throw new RangeError(`there is no slot ${slot}: the carrier has slots 1 to ${slots}`)
}

function checkTwice(numbers: readonly number[]): void {
  const twice = numbers.find((slot, index) => numbers.indexOf(slot) !== index)
  if (twice !== undefined) throw new RangeError(`slot ${twice} is there twice`)
}

/** Slots as text: runs of three and more as a range. */
export function slotsText(numbers: readonly number[]): string {
  const parts: string[] = []
  for (let at = 0; at < numbers.length; ) {
    const first = numbers[at] as number
    let end = at
    while (numbers[end + 1] === (numbers[end] as number) + 1) end++
    const last = numbers[end] as number
    if (end - at >= 2) parts.push(`${first}-${last}`)
    else for (let one = at; one <= end; one++) parts.push(String(numbers[one]))
    at = end + 1
  }
  return parts.join(',')
}
