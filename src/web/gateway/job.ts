import type { CollectionEvent } from '../../contract/topics/messages.js'

/** What the last reports say that an equipment works on. */
export interface Job {
  readonly ppid?: string
  readonly lot?: string
}

/** Names of variables as makers of equipment write them, without blanks, hyphens, underscores and case. */
const PPID = new Set([
  'ppid',
  'ppexecname',
  'processprogramid',
  'recipe',
  'recipeid',
  'recipename',
  'rcpspec',
])
const LOT = new Set(['lot', 'lotid', 'lotname', 'lotnumber', 'batch', 'batchid'])
/** Longer values are cut on a tile. */
const MAX_LENGTH = 64

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Whether a variable of this name says which lot is processed. */
export const isLotName = (name: string): boolean => LOT.has(plain(name))

/** The job after a report: what the report does not name stays, and an empty value means that there is none. */
export function jobAfter(job: Job, { reports }: CollectionEvent): Job {
  let { ppid, lot } = job
  for (const { values } of reports) {
    for (const { name, value } of values) {
      if (name === null || typeof value !== 'string') continue
      const known = plain(name)
      if (PPID.has(known)) ppid = value.slice(0, MAX_LENGTH)
      else if (LOT.has(known)) lot = value.slice(0, MAX_LENGTH)
    }
  }
  if (ppid === job.ppid && lot === job.lot) return job
  return { ...(ppid && { ppid }), ...(lot && { lot }) }
}
