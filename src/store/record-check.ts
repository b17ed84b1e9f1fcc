/** One fault of a record. */
export interface RecordFault {
  /** JSON Pointer (RFC 6901) into the array of records, such as `/0/port`. */
  readonly pointer: string
  readonly detail: string
}

/**
 * Finds what is wrong with the records of a collection when it is opened; they are objects, each with an id of its
 * own. `edited`: a person changed them. Otherwise secsctl wrote them, maybe another version with other members.
 */
export type RecordCheck<T = unknown> = (records: readonly T[], edited: boolean) => readonly RecordFault[]

/** Throws for records that the next start would refuse: they are never written. */
export function checkWritten(collection: string, records: readonly unknown[], check?: RecordCheck): void {
  const [fault] = check?.(records, false) ?? []
  if (fault) throw new Error(`records of ${collection} were not written: ${fault.pointer} ${fault.detail}`)
}

/** Records with the key of an earlier one; a record without a key is passed over. */
export function duplicates<T>(
  records: readonly T[],
  member: string,
  keyOf: (record: T) => string | undefined,
): RecordFault[] {
  const seen = new Set<string>()
  return records.flatMap((record, at) => {
    const key = keyOf(record)
    if (key === undefined || !seen.has(key)) {
      if (key !== undefined) seen.add(key)
      return []
    }
    return [{ pointer: `/${at}/${member}`, detail: `${key} is the ${member} of another record` }]
  })
}
