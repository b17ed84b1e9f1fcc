import { STYPE, type SType } from '../hsms/frame/header.js'
import { codeText, STYPE_NAMES } from '../hsms/words.js'
import { type Advice, advice, type Entry, sentence } from './explanation.js'

interface STypeWords extends Advice {
  readonly meaning: string
}

const sType = (meaning: string, next: string, ...commands: readonly string[]): STypeWords => ({
  meaning,
  ...advice(next, ...commands),
})

const WIRE = 'secsctl wire tail EQ'

const STYPES: Readonly<Record<SType, STypeWords>> = {
  data: sType('A SECS-II message: stream, function and W-bit are in its header.', 'See what passes.', WIRE),
  selectReq: sType(
    'The side that dialled asks to begin the session.',
    'It is answered within T6 by Select.rsp.',
    'secsctl explain Select.rsp 1',
  ),
  selectRsp: sType(
    'The answer to Select.req. Status 0: the session has begun.',
    'A status above 0 is a refusal.',
    'secsctl explain Select.rsp 1',
  ),
  deselectReq: sType(
    'A side asks to end the session and keep the connection. HSMS-SS has no use for it; the gateway answers, and never sends it.',
    'T7 runs until it is selected again.',
    'secsctl explain T7',
  ),
  deselectRsp: sType(
    'The answer to Deselect.req. Status 0: the session has ended.',
    'T7 runs until it is selected again.',
    'secsctl explain T7',
  ),
  linktestReq: sType(
    'Asks whether the other side lives.',
    'It is answered within T6, or the connection ends.',
    'secsctl explain linktest',
  ),
  linktestRsp: sType('The answer to Linktest.req.', 'Nothing is wrong here.', 'secsctl explain linktest'),
  rejectReq: sType(
    'Refuses a message that HSMS itself cannot take; nobody has read its body. The connection stays.',
    'Its reason says why.',
    'secsctl explain Reject 4',
    WIRE,
  ),
  separateReq: sType(
    'Ends the session at once. It has no answer; open transactions end as lost.',
    'The gateway dials again after T5 by itself.',
    'secsctl explain separated',
    'secsctl events list --equipment EQ --type connection --limit 5',
  ),
}

const STATUS: Readonly<Partial<Record<SType, Readonly<Record<number, Advice>>>>> = {
  selectRsp: {
    0: advice('The session has begun.', 'secsctl equipment show EQ'),
    1: advice(
      'The equipment holds a session already: another host is connected, or it has not noticed yet that an old connection is gone. End the other host, or wait for its linktest.',
      'secsctl equipment show EQ',
    ),
    2: advice(
      'The equipment has TCP and is not ready for HSMS. It is starting: the gateway tries again after T5.',
      'secsctl equipment wait EQ --for selected',
    ),
    3: advice(
      'The equipment takes no more hosts. End one that is connected to it.',
      'secsctl equipment show EQ',
    ),
  },
  deselectRsp: {
    0: advice('The session has ended; the connection stays until T7.', 'secsctl explain T7'),
    1: advice('There was no session to end.', 'secsctl equipment show EQ'),
    2: advice('The session is in use and goes on.', 'secsctl equipment show EQ'),
  },
  rejectReq: {
    1: advice(
      'The peer does not know this kind of control message, or it came with a body. Some know no Deselect.',
      WIRE,
    ),
    2: advice(
      'Every SECS-II message has PType 0. One side speaks something else, or lost count of the bytes.',
      WIRE,
    ),
    3: advice(
      'A response came for which no request was open: it was late, or its system bytes are not those of the request.',
      WIRE,
    ),
    4: advice(
      'A data message came before the session was selected. Equipment that rejects the very first S1F13 selects before it is ready: the gateway tries again at once. Otherwise connect anew.',
      'secsctl equipment disconnect EQ',
      'secsctl equipment connect EQ --wait 30s',
    ),
  },
}

const KINDS: Readonly<Partial<Record<SType, string>>> = {
  selectRsp: 'status of Select.rsp',
  deselectRsp: 'status of Deselect.rsp',
  rejectReq: 'reason of Reject.req',
}

/** What a code says behind `status 1: `. */
const textOf = (type: SType, code: number): string => (codeText(type, code) ?? '').replace(/^\w+ \d+: /, '')

/** A status or reason, also one that SEMI E37 does not name. */
function codeEntry(type: SType, code: number): Entry {
  const name = STYPE_NAMES[type]
  const known = STATUS[type]?.[code]
  const unknown = advice('The standard gives it no meaning: look it up in the manual of the equipment.', WIRE)
  return {
    word: `${name} ${code}`,
    kind: KINDS[type] ?? 'code',
    meaning: sentence(textOf(type, code)),
    facts: [],
    also: type === 'rejectReq' ? [`Reject ${code}`] : [],
    ...(known ?? unknown),
  }
}

/** Kinds of HSMS messages, and the codes in them. */
export const hsmsWords = (): readonly Entry[] =>
  (Object.keys(STYPES) as SType[]).flatMap((type) => [
    {
      word: type === 'data' ? 'data message' : STYPE_NAMES[type],
      kind: 'HSMS message',
      facts: [['SType', String(STYPE[type])]],
      also: [
        `SType ${STYPE[type]}`,
        ...(type === 'data'
          ? []
          : [STYPE_NAMES[type].replace(/\.(req|rsp)$/, type.endsWith('Req') ? '' : ' response')]),
      ],
      ...STYPES[type],
    },
    ...Object.keys(STATUS[type] ?? {}).map((code) => codeEntry(type, Number(code))),
  ])

/** A code from 0 to 255 behind the name of a message that has codes, such as `REJECT 77`, in upper case. */
export function hsmsCode(phrase: string): Entry | undefined {
  const [, name, digits] = /^(SELECT RSP|DESELECT RSP|REJECT|REJECT REQ) (\d{1,3})$/.exec(phrase) ?? []
  if (name === undefined || Number(digits) > 255) return undefined
  const type = name === 'SELECT RSP' ? 'selectRsp' : name === 'DESELECT RSP' ? 'deselectRsp' : 'rejectReq'
  return codeEntry(type, Number(digits))
}
