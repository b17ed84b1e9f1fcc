import { decoded } from '../../secs2/decode.js'
import { printItem } from '../../secs2/sml/print.js'
import type { ReplayRemark, ReplayScore } from '../../simulator/replay/score.js'

/** A body as people read it, on one line. */
function bodyText(body: Uint8Array | undefined): string {
  if (!body) return 'nothing'
  const { item, fault } = decoded(body)
  if (fault !== undefined) return `${body.length} bytes that are no SECS-II`
  return item ? printItem(item).replace(/\s+/g, ' ') : 'an empty body'
}

/** A difference that is shown while a recording is replayed. */
export function remarkText(remark: ReplayRemark): string {
  switch (remark.kind) {
    case 'unknown':
      return `${remark.message} was not recorded with this body, and is aborted: ${bodyText(remark.body)}`
    case 'nearly':
      return `${remark.message} was not recorded with this body, the nearest is answered: ${bodyText(remark.body)}`
    case 'unprompted':
      return `${remark.message} of entry ${remark.id} came after ${remark.cause.message} (entry ${remark.cause.id}), which this host does not send: no ${remark.cause.message} is waited for any more`
    case 'missing':
      return `${remark.message} of entry ${remark.id} has no answer: ${remark.why}`
    case 'differed':
      return `${remark.message} of entry ${remark.id} was answered by ${bodyText(remark.expected)}, now by ${bodyText(remark.got)}`
  }
}

/** A remark as a program reads it: bodies in lower-case hex. */
export function remarkRecord(remark: ReplayRemark): object {
  const hex = (body: Uint8Array | undefined) => (body ? Buffer.from(body).toString('hex') : null)
  if (remark.kind === 'missing' || remark.kind === 'unprompted') return remark
  if (remark.kind !== 'differed') return { ...remark, body: hex(remark.body) }
  return { ...remark, expected: hex(remark.expected), got: hex(remark.got) }
}

export const scoreFields = (score: ReplayScore): readonly (readonly [string, string])[] => [
  ['sent', `${score.sent} of ${score.recorded}`],
  ['answered as recorded', String(score.matched)],
  ['answered otherwise', String(score.differed)],
  ['not answered', String(score.missing)],
  ['not waited for', String(score.unprompted)],
  ['asked as recorded', String(score.answered)],
  ['asked nearly so', String(score.answered_nearly)],
  ['asked otherwise', String(score.unknown)],
]
