import { Problem } from '../../contract/errors.js'
import type { NewMessage, Sent } from '../../contract/topics/messages.js'
import { CAPABILITIES, type CapabilityKind, type Known, type Question } from './capabilities.js'

type Verdict = 'yes' | 'partly' | 'no' | 'not asked'

/** A message of a capability, and how the equipment answered it. */
export interface Asked {
  /** Such as `S1F11`. */
  readonly message: string
  /** Whether the answer is that of equipment with the capability; null where it was not asked. */
  readonly ok: boolean | null
  /** The answer, or why it was not asked, in a few words. */
  readonly answer: string
}

/** A row of the compliance table. */
export interface CapabilityResult {
  readonly capability: string
  readonly kind: CapabilityKind
  readonly asked: readonly Asked[]
  readonly verdict: Verdict
}

const ABORTED = 'S1F0'
const SILENT = 'no reply'

export interface ExaminationWorld {
  /** Sends a primary and waits for its reply; rejects with `Problem`. */
  ask(message: NewMessage): Promise<Sent>
  /** Also sends messages that change something, or might. */
  readonly allowWrites: boolean
}

/** Equipment that can be asked has it. */
const ESTABLISHED: CapabilityResult = {
  capability: 'Establish communications',
  kind: 'additional',
  asked: [{ message: 'S1F13', ok: true, answer: 'COMMUNICATING' }],
  verdict: 'yes',
}

/**
 * Checks GEM's capabilities of an equipment that communicates, one message after the other. Equipment that is
 * offline or silent is asked nothing but S1F1. Throws only what ends the conversation, such as a lost
 * connection.
 */
export async function* examine(world: ExaminationWorld): AsyncGenerator<CapabilityResult, void> {
  const known: Known = { variables: [], constants: [], events: [], programs: [], answered: new Set() }
  yield ESTABLISHED
  for (const { name, kind, questions } of CAPABILITIES) {
    const asked: Asked[] = []
    for (const question of questions) {
      const one = await ask(question, world, known)
      if (one.ok) known.answered.add(one.message)
      asked.push(one)
    }
    yield { capability: name, kind, asked, verdict: verdictOf(asked) }
    const [{ message = '', answer = '' } = {}] = asked
    if (message === 'S1F1' && (answer === ABORTED || answer === SILENT)) return
  }
}

function verdictOf(asked: readonly Asked[]): Verdict {
  const answered = asked.filter(({ ok }) => ok !== null)
  if (answered.length === 0) return 'not asked'
  const right = answered.filter(({ ok }) => ok).length
  return right === answered.length ? 'yes' : right === 0 ? 'no' : 'partly'
}

async function ask(question: Question, world: ExaminationWorld, known: Known): Promise<Asked> {
  const { stream, function: fn, writes, data, read, expectsFault } = question
  const message = `S${stream}F${fn}`
  if (writes && !world.allowWrites) return { message, ok: null, answer: 'needs --allow-writes' }
  const given = data?.(known)
  if (data && !given) return { message, ok: null, answer: 'nothing to ask about' }
  try {
    const { reply } = await world.ask({ stream, function: fn, ...(given && { data: given }) })
    const name = `S${stream}F${fn + 1}`
    if (expectsFault) return { message, ok: false, answer: `${name}, not S9F5` }
    if (!reply?.data) return { message, ok: false, answer: `${name} that cannot be read` }
    return { message, ok: true, answer: [name, read?.(reply.data, known)].filter(Boolean).join(' ') }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { message, ...failed(error, stream, expectsFault === true) }
  }
}

/** The result of a question without a reply. Throws the problem where it is not about the equipment. */
function failed(problem: Problem, stream: number, expectsFault: boolean): Omit<Asked, 'message'> {
  switch (problem.code) {
    case 'equipment_error': {
      const { s9 } = problem.extra
      return { ok: expectsFault && s9 !== undefined, answer: s9 ?? problem.message }
    }
    case 'transaction_aborted':
      return { ok: false, answer: `S${stream}F0` }
    case 'message_rejected':
      return { ok: false, answer: 'Reject.req' }
    case 'reply_timeout':
      return { ok: false, answer: SILENT }
    case 'invalid_message':
      return { ok: null, answer: `cannot be asked: ${problem.message}` }
    case 'forbidden':
      return { ok: null, answer: 'needs the role engineer' }
    case 'tapped_read_only':
      return { ok: null, answer: 'not beside its host: tap.reads or tap.writes allows it' }
    case 'equipment_busy':
      return { ok: null, answer: 'not asked: it is busy' }
    default:
      throw problem
  }
}
