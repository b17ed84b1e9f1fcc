import { STYPE, type SType } from '../hsms/frame/header.js'
import { codeMeaning, STYPE_NAMES } from '../hsms/words.js'
import { advice, type Entry, sentence, words } from './explanation.js'

const STYPES: Readonly<Record<SType, string>> = {
  data: `A SECS-II message: stream, function and W-bit are in its header.
    See what passes.
    secsctl wire tail EQ`,
  selectReq: `The side that dialled asks to begin the session.
    Select.rsp has to come within T6.
    secsctl explain Select.rsp 1`,
  selectRsp: `The reply to Select.req. Status 0: the session has begun.
    A status above 0 is a refusal.
    secsctl explain Select.rsp 1`,
  deselectReq: `A side asks to end the session and keep the connection. HSMS-SS has no use for it; the gateway replies to it, and never sends it.
    T7 runs until it is selected again.
    secsctl explain T7`,
  deselectRsp: `The reply to Deselect.req. Status 0: the session has ended.
    T7 runs until it is selected again.
    secsctl explain T7`,
  linktestReq: `Asks whether the other side is alive.
    The reply has to come within T6, or the connection ends.
    secsctl explain linktest`,
  linktestRsp: `The reply to Linktest.req.
    Nothing is wrong here.
    secsctl explain linktest`,
  rejectReq: `Refuses a message that HSMS itself cannot take; nobody has read its body. The connection stays.
    Its reason says why.
    secsctl explain Reject 4
    secsctl wire tail EQ`,
  separateReq: `Ends the session at once. It has no reply; open transactions end as lost.
    The gateway dials again after T5 by itself.
    secsctl explain separated
    secsctl events list --equipment EQ --type connection --limit 5`,
}

type Coded = 'selectRsp' | 'deselectRsp' | 'rejectReq'

const STATUS: Readonly<Record<Coded, Readonly<Record<number, string>>>> = {
  selectRsp: {
    0: `The session has begun.
      secsctl equipment show EQ`,
    1: `The equipment holds a session already: another host is connected, or it has not noticed yet that an old connection is gone. End the other host, or wait for its linktest.
      secsctl equipment show EQ`,
    2: `The equipment has TCP and is not ready for HSMS. It is starting: the gateway tries again after T5.
      secsctl equipment wait EQ --for selected`,
    3: `The equipment takes no more hosts. End one that is connected to it.
      secsctl equipment show EQ`,
  },
  deselectRsp: {
    0: `The session has ended; the connection stays until T7.
      secsctl explain T7`,
    1: `There was no session to end.
      secsctl equipment show EQ`,
    2: `The session is in use and continues.
      secsctl equipment show EQ`,
  },
  rejectReq: {
    1: `The peer does not know this kind of control message, or it came with a body. Some know no Deselect.
      secsctl wire tail EQ`,
    2: `Every SECS-II message has PType 0. One side speaks something else, or lost count of the bytes.
      secsctl wire tail EQ`,
    3: `A response came for which no request was open: it was late, or its system bytes are not those of the request.
      secsctl wire tail EQ`,
    4: `A data message came before the session was selected. Equipment that rejects the very first S1F13 selects before it is ready: the gateway tries again at once. Otherwise connect again.
      secsctl equipment disconnect EQ
      secsctl equipment connect EQ --wait 30s`,
  },
}

const KINDS: Readonly<Record<Coded, string>> = {
  selectRsp: 'status of Select.rsp',
  deselectRsp: 'status of Deselect.rsp',
  rejectReq: 'reason of Reject.req',
}

const UNKNOWN = `The standard gives it no meaning: look it up in the manual of the equipment.
  secsctl wire tail EQ`

/** A status or reason, also one that SEMI E37 does not name. */
const codeEntry = (type: Coded, code: number): Entry => ({
  word: `${STYPE_NAMES[type]} ${code}`,
  kind: KINDS[type],
  meaning: sentence(codeMeaning(type, code)),
  facts: [],
  also: type === 'rejectReq' ? [`Reject ${code}`] : [],
  ...advice(STATUS[type][code] ?? UNKNOWN),
})

const isCoded = (type: SType): type is Coded => type in STATUS

/** Kinds of HSMS messages, and the codes in them. */
export const HSMS_WORDS: readonly Entry[] = (Object.keys(STYPES) as SType[]).flatMap((type) => [
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
    ...words(STYPES[type]),
  },
  ...(isCoded(type) ? Object.keys(STATUS[type]).map((code) => codeEntry(type, Number(code))) : []),
])

/** A code from 0 to 255 after the name of a message that has codes, such as `REJECT 77`, in upper case. */
export function hsmsCode(phrase: string): Entry | undefined {
  const [, name, digits] = /^(SELECT RSP|DESELECT RSP|REJECT|REJECT REQ) (\d{1,3})$/.exec(phrase) ?? []
  if (name === undefined || Number(digits) > 255) return undefined
  const type = name === 'SELECT RSP' ? 'selectRsp' : name === 'DESELECT RSP' ? 'deselectRsp' : 'rejectReq'
  return codeEntry(type, Number(digits))
}
