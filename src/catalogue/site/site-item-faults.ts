import { isNumberFormat } from '../../secs2/format.js'
import { readNumber } from '../../secs2/number.js'
import type { SiteFault } from './site-faults.js'
import type { SiteItem } from './site-file.js'

/** What is wrong with an item of a site; `before` are the items before it. */
export function itemFaults(item: SiteItem, before: readonly SiteItem[], at: number): SiteFault[] {
  const { name, values = {}, accepts = [] } = item
  const twice = before.some((other) => other.name === name)
  return [
    ...(twice ? [{ pointer: `/items/${at}/name`, detail: `the item ${name} is already defined` }] : []),
    ...Object.keys(values).flatMap((code) => codeFaults(item, code, `/items/${at}/values/${code}`)),
    ...accepts.flatMap((code, nth) => {
      if (Object.hasOwn(values, code)) return []
      return [{ pointer: `/items/${at}/accepts/${nth}`, detail: `${code} is not among the item's values` }]
    }),
  ]
}

/** A code that the format in which it is built cannot hold. */
function codeFaults({ formats }: SiteItem, code: string, pointer: string): readonly SiteFault[] {
  const [format] = formats === 'any' ? [] : formats
  if (format === undefined) return []
  if (format === 'BOOLEAN') {
    return code === '0' || code === '1' ? [] : [{ pointer, detail: `${code} is outside BOOLEAN: 0 or 1` }]
  }
  if (format === 'B') {
    const fits = /^\d+$/.test(code) && Number(code) <= 0xff
    return fits ? [] : [{ pointer, detail: `${code} is outside B: 0 to 255` }]
  }
  if (!isNumberFormat(format)) return []
  try {
    readNumber(format, BigInt(code))
    return []
  } catch (error) {
    if (error instanceof RangeError) return [{ pointer, detail: error.message }]
    throw error
  }
}
