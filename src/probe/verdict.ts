import { STANDARD_CATALOGUE } from '../catalogue/standard-catalogue.js'
import type { Item } from '../secs2/item.js'
import type { Answer } from './dialogue.js'
import type { Identity, Verdict } from './finding.js'

const EQUIPMENT = { sender: 'equipment' } as const
const HOST = { sender: 'host' } as const

/** S9F1: the equipment has no such device. */
const UNKNOWN_DEVICE = 1

/** The answers to the two questions of a host. */
export interface Answers {
  readonly s1f13: Answer
  readonly s1f1: Answer
  /** The device ID that was used. */
  readonly deviceId: number
  /** Another device ID in its messages. */
  readonly foreignId: number | undefined
}

/** The verdict from these answers. */
export function verdictOf({ s1f13, s1f1, deviceId, foreignId }: Answers): Verdict {
  const answers = [s1f13, s1f1]
  const unknownDevice = answers.some(
    (answer) => answer.kind === 'stream9' && answer.function === UNKNOWN_DEVICE,
  )
  if (foreignId !== undefined) {
    const detail = `it uses device ID ${foreignId}, and was addressed as device ID ${deviceId}`
    return { found: 'wrong_device', detail, deviceId: foreignId }
  }
  if (unknownDevice) {
    return { found: 'wrong_device', detail: `it answered S9F1: it has no device ID ${deviceId}` }
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
    return { found: 'equipment', detail: 'it answers S1F13 and S1F1', ...known, deviceId }
  }
  const detail = `${outcomeText('S1F13', s1f13)}; ${outcomeText('S1F1', s1f1)}`
  const spoke = answers.some(({ kind }) => kind !== 'timed_out')
  if (established || !spoke) return { found: 'unanswered', detail, ...known }
  return { found: 'no_gem', detail, ...known }
}

const HOST_FOUND: Verdict = {
  found: 'host',
  detail: 'it answers as a host does, with an empty list where equipment says what it is',
}

function outcomeText(name: string, answer: Answer): string {
  switch (answer.kind) {
    case 'replied':
      return `${name} was answered`
    case 'unreadable':
      return `${name} had an unreadable answer (${answer.detail})`
    case 'aborted':
      return `${name} was aborted (S1F0)`
    case 'rejected':
      return `${name} was rejected (reason ${answer.reason})`
    case 'stream9':
      return `${name} was answered by S9F${answer.function}`
    case 'timed_out':
    case 'lost':
      return `${name} was not answered`
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

function identityIn(name: 'S1F2' | 'S1F14', answer: Answer): Identity | undefined {
  if (answer.kind !== 'replied') return undefined
  const { MDLN, SOFTREV } = STANDARD_CATALOGUE.readKnown(name, answer.item, EQUIPMENT) ?? {}
  return typeof MDLN === 'string' && typeof SOFTREV === 'string'
    ? { mdln: MDLN, softrev: SOFTREV }
    : undefined
}
