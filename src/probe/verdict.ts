import { STANDARD_CATALOGUE } from '../catalogue/standard-catalogue.js'
import type { Item } from '../secs2/item.js'
import type { Reply } from './dialogue.js'
import type { Identity, Verdict } from './finding.js'

const EQUIPMENT = { sender: 'equipment' } as const
const HOST = { sender: 'host' } as const

/** S9F1: the equipment has no such device. */
const UNKNOWN_DEVICE = 1

/** The outcomes of the two questions of a host. */
export interface Exchange {
  readonly s1f13: Reply
  readonly s1f1: Reply
  /** The device ID that was used. */
  readonly deviceId: number
  /** Another device ID in its messages. */
  readonly otherId: number | undefined
}

/** The verdict from these outcomes. */
export function verdictOf({ s1f13, s1f1, deviceId, otherId }: Exchange): Verdict {
  const replies = [s1f13, s1f1]
  const unknownDevice = replies.some((reply) => reply.kind === 'stream9' && reply.function === UNKNOWN_DEVICE)
  if (otherId !== undefined) {
    const detail = `it uses device ID ${otherId}, and was addressed as device ID ${deviceId}`
    return { found: 'wrong_device', detail, deviceId: otherId }
  }
  if (unknownDevice) {
    return { found: 'wrong_device', detail: `it replied with S9F1: it has no device ID ${deviceId}` }
  }
  const established = s1f13.kind === 'replied'
  if (established && isHosts('S1F14', s1f13.item)) return HOST_FOUND
  if (s1f1.kind === 'replied' && isHosts('S1F2', s1f1.item)) return HOST_FOUND
  const model = identityIn('S1F2', s1f1) ?? identityIn('S1F14', s1f13)
  const known = model && { model }
  const commack = established ? STANDARD_CATALOGUE.acknowledgement(1, 14, s1f13.item)?.code : undefined
  if (established && commack !== 0) {
    const code = commack === undefined ? 'an S1F14 without COMMACK' : `COMMACK ${commack}`
    return { found: 'denied', detail: `it refuses communication: ${code}`, ...known }
  }
  if (s1f1.kind === 'aborted') {
    return {
      found: 'offline',
      detail: `${outcomeText('S1F13', s1f13)}; ${outcomeText('S1F1', s1f1)}`,
      ...known,
    }
  }
  if (established && s1f1.kind === 'replied') {
    return { found: 'equipment', detail: 'it replies to S1F13 and S1F1', ...known, deviceId }
  }
  const detail = `${outcomeText('S1F13', s1f13)}; ${outcomeText('S1F1', s1f1)}`
  const spoke = replies.some(({ kind }) => kind !== 'timed_out')
  if (established || !spoke) return { found: 'unanswered', detail, ...known }
  return { found: 'no_gem', detail, ...known }
}

const HOST_FOUND: Verdict = {
  found: 'host',
  detail: 'it replies as a host does, with an empty list where equipment says what it is',
}

function outcomeText(name: string, reply: Reply): string {
  switch (reply.kind) {
    case 'replied':
      return `${name} got a reply`
    case 'unreadable':
      return `${name} got a reply that cannot be read (${reply.detail})`
    case 'aborted':
      return `${name} was aborted (S1F0)`
    case 'rejected':
      return `${name} was rejected (reason ${reply.reason})`
    case 'stream9':
      return `${name} was followed by S9F${reply.function}`
    case 'timed_out':
    case 'lost':
      return `${name} got no reply`
  }
}

function isHosts(name: 'S1F2' | 'S1F14', item: Item | undefined): boolean {
  if (STANDARD_CATALOGUE.readKnown(name, item, EQUIPMENT) && !endsEmpty(item)) return false
  return STANDARD_CATALOGUE.readKnown(name, item, HOST) !== null && endsEmpty(item)
}

/** The list of MDLN and SOFTREV is empty. */
function endsEmpty(item: Item | undefined): boolean {
  if (item?.format !== 'L') return false
  const last = item.items.at(-1)
  return last === undefined || (last.format === 'L' && last.items.length === 0)
}

function identityIn(name: 'S1F2' | 'S1F14', reply: Reply): Identity | undefined {
  if (reply.kind !== 'replied') return undefined
  const { MDLN, SOFTREV } = STANDARD_CATALOGUE.readKnown(name, reply.item, EQUIPMENT) ?? {}
  return typeof MDLN === 'string' && typeof SOFTREV === 'string'
    ? { mdln: MDLN, softrev: SOFTREV }
    : undefined
}
