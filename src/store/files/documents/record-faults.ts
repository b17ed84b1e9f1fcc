import { parseJsonText } from '../../../kit/text/json-text.js'
import { duplicates, type RecordCheck, type RecordFault } from '../../record-check.js'

/** Faults that one error lists. */
const MAX_LISTED = 20

interface Named {
  readonly id?: unknown
  readonly name?: unknown
}

/**
 * What is wrong with the records of a document, a line each; undefined where nothing is. `text`: of the document,
 * where the lines are counted.
 */
export function recordFaults(
  text: string,
  records: readonly unknown[],
  check: RecordCheck = () => [],
  edited = false,
): string | undefined {
  let faults: readonly RecordFault[]
  try {
    // A member that is there twice is seen in the text alone.
    if (edited) parseJsonText(text)
    const inForm = formFaults(records)
    faults = inForm.length > 0 ? inForm : check(records, edited)
  } catch (error) {
    return (error as Error).message
  }
  if (faults.length === 0) return undefined
  const { placeOf } = parseJsonText(text)
  const lines = faults.slice(0, MAX_LISTED).map(({ pointer, detail }) => {
    const [, at = '', ...members] = pointer.split('/')
    const member = members.length > 0 ? `, /${members.join('/')}` : ''
    return `line ${placeOf(`/records${pointer}`).line}, ${called(records[Number(at)], Number(at))}${member}: ${detail}`
  })
  if (faults.length > MAX_LISTED) lines.push(`and ${faults.length - MAX_LISTED} more`)
  return `its records are not right:${lines.map((line) => `\n  ${line}`).join('')}`
}

/** Records are objects, each with an id of its own. */
function formFaults(records: readonly unknown[]): RecordFault[] {
  const ofForm = records.flatMap((record, at) => {
    if (typeof record !== 'object' || record === null || Array.isArray(record))
      return [{ pointer: `/${at}`, detail: 'must be an object' }]
    const { id } = record as Named
    return typeof id === 'string' && id !== '' ? [] : [{ pointer: `/${at}/id`, detail: 'must be a string' }]
  })
  return ofForm.length > 0 ? ofForm : duplicates(records as { readonly id: string }[], 'id', ({ id }) => id)
}

/** A record by its id and name, as far as it has them. */
function called(record: unknown, at: number): string {
  const { id, name } = (record ?? {}) as Named
  const by = typeof id === 'string' && id !== '' ? id : at + 1
  return `record ${by}${typeof name === 'string' ? ` (${name})` : ''}`
}
