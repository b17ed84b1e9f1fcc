import { type Item, itemsIn } from '../../secs2/item.js'
import { numbersOf } from '../../secs2/number.js'

/** An item as text: of several values or a list, each with a comma between. */
export function textOf(item: Item): string {
  switch (item.format) {
    case 'L':
      return itemsIn(item).map(textOf).join(',')
    case 'A':
    case 'J':
    case 'C':
      return item.value
    case 'B':
    case 'BOOLEAN':
      return (typeof item.value === 'number' ? [item.value] : [...item.value]).join(',')
    default:
      return [...numbersOf(item)].join(',')
  }
}

/** An item as one number; undefined where it is none. */
export function numberOf(item: Item): number | undefined {
  const text = textOf(item)
  return text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text)
}
