import { encodeFrame, LENGTH_BYTES } from '../../hsms/frame/frame.js'
import { HEADER_LENGTH, type Header, STYPE } from '../../hsms/frame/header.js'
import { codeMeaning } from '../../hsms/words.js'
import { delay } from '../../kit/clock.js'
import { encodeBody } from '../../secs2/encode.js'
import { bytesItem } from '../../secs2/item.js'
import { CheckEnded, failed, frameWords, type Lab } from './lab.js'
import type { RawLink } from './raw-link.js'

/** A check of SEMI E37 and E37.1 against equipment that listens. */
export interface HsmsCheck {
  readonly group: string
  readonly title: string
  /** The part of the standard that it is from. */
  readonly rule: string
  /** Nothing else runs after it if it does not pass. */
  readonly precondition?: true
  /** Resolves with what was seen. Throws `CheckEnded`. */
  run(lab: Lab): Promise<string>
}

const NO_BODY = new Uint8Array()
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** A message of a length that says so, and so many bytes after it. */
function ofLength(length: number, bytes: number): Uint8Array {
  const message = new Uint8Array(LENGTH_BYTES + bytes)
  new DataView(message.buffer).setUint32(0, length)
  return message
}

/** The equipment has to close the connection within so many milliseconds. */
async function closes(link: RawLink, within: number, why: string): Promise<string> {
  const after = await link.closed(within)
  return after === undefined
    ? failed(`the connection is open ${seconds(within)} after ${why}`)
    : `closed after ${seconds(after)}`
}

/** A message that cannot be taken: Reject.req with the reason, and the session goes on, or the end of the connection. */
async function rejects(lab: Lab, link: RawLink, header: Header, reason: number): Promise<string> {
  lab.send(link, header)
  const came = await lab.reply(link, header, lab.reaction)
  const wanted = `Reject.req reason ${reason} (${codeMeaning('rejectReq', reason)})`
  if (came === undefined) {
    if (link.isClosed) return 'the connection was closed'
    return failed(`nothing came within ${seconds(lab.reaction)}; expected ${wanted}`)
  }
  const { sType, byte2, byte3 } = came.header
  const what = reason === 2 ? header.pType : header.sType
  if (sType !== STYPE.rejectReq || byte3 !== reason)
    return failed(`${frameWords(came)} came; expected ${wanted}`)
  if (byte2 !== what) return failed(`Reject.req names ${byte2} in byte 2; expected ${what}`)
  return `Reject.req reason ${reason}`
}

/** The same in a session, which has to go on after Reject.req. */
async function rejectsInSession(lab: Lab, header: Partial<Header>, reason: number): Promise<string> {
  const link = await lab.session()
  const base = { sessionId: lab.options.sessionId, byte2: 0, byte3: 0, pType: 0, sType: STYPE.linktestReq }
  const seen = await rejects(lab, link, { ...base, systemBytes: lab.systemBytes(), ...header }, reason)
  if (!link.isClosed) await lab.goesOn(link, seen)
  return seen
}

/** A response to a control request, with its system bytes and session ID. */
async function answers(
  lab: Lab,
  link: RawLink,
  header: Header,
  sType: number,
  status?: number,
): Promise<string> {
  const came = await lab.reply(link, header, lab.within('t6'))
  if (came === undefined)
    return failed(
      link.isClosed ? 'the connection was closed' : `no response within ${seconds(lab.within('t6'))}`,
    )
  const seen = frameWords(came)
  if (came.header.sType !== sType) failed(`${seen} came`)
  if (came.header.sessionId !== header.sessionId)
    failed(`${seen} has session ID ${came.header.sessionId}; expected ${header.sessionId}`)
  if (came.header.pType !== 0) failed(`${seen} has PType ${came.header.pType}; expected 0`)
  if (status !== undefined && came.header.byte3 !== status)
    failed(`${seen} (${codeMeaning('selectRsp', came.header.byte3)}); expected status ${status}`)
  return seen
}

/** A reply to a data message, with its device ID and without W-bit. */
async function replies(lab: Lab, link: RawLink, header: Header): Promise<string> {
  const came = await lab.reply(link, header)
  if (came === undefined) return failed(link.isClosed ? 'the connection was closed' : 'no reply')
  const { sType, sessionId, byte2 } = came.header
  if (sType !== STYPE.data) failed(`${frameWords(came)} came`)
  if (sessionId !== lab.options.deviceId)
    failed(`${frameWords(came)} has device ID ${sessionId}; expected ${lab.options.deviceId}`)
  if ((byte2 & 0x80) !== 0) failed(`${frameWords(came)} has the W-bit`)
  return frameWords(came)
}

const linktest = (lab: Lab, link: RawLink, given: Partial<Header> = {}): Promise<string> =>
  answers(lab, link, lab.control(link, 'linktestReq', given), STYPE.linktestRsp)

/** Writes a message in pieces, each a packet of its own. */
async function inPieces(
  lab: Lab,
  link: RawLink,
  header: Header,
  body: Uint8Array,
  size: number,
): Promise<void> {
  const bytes = encodeFrame({ header, body })
  link.write(bytes.subarray(0, size), { header, body })
  link.hold()
  for (let at = size; at < bytes.length; at += size) {
    await delay(lab.clock, 1)
    link.writePart(bytes.subarray(at, at + size))
  }
  link.release()
}

const SELECT = 'Select'
const LINKTEST = 'Linktest'
const SEPARATE = 'Separate and deselect'
const REJECT = 'Messages that are rejected'
const LENGTHS = 'Lengths and pieces'
const DATA = 'Data messages'
const TIMERS = 'Timers'
const CONNECTIONS = 'Connections'

export const HSMS_CHECKS: readonly HsmsCheck[] = [
  {
    group: SELECT,
    title: 'Select.req is accepted (status 0)',
    rule: 'E37, select procedure',
    precondition: true,
    async run(lab) {
      const link = await lab.connection().catch((error: Error) => {
        throw new CheckEnded('inconclusive', error.message)
      })
      return answers(lab, link, lab.control(link, 'selectReq'), STYPE.selectRsp, 0)
    },
  },
  {
    group: SELECT,
    title: 'A second Select.req in a session is refused (status 1), and the session goes on',
    rule: 'E37, select procedure: a connection is selected once',
    async run(lab) {
      const link = await lab.session()
      const seen = await answers(lab, link, lab.control(link, 'selectReq'), STYPE.selectRsp)
      if (seen === 'Select.rsp status 0') failed(`${seen}; expected status 1 (already active)`)
      await lab.goesOn(link, seen)
      return seen
    },
  },
  {
    group: SELECT,
    title: 'Data before Select.req is rejected (reason 4), or ends the connection',
    rule: 'E37, reject procedure: an entity that is not selected takes no data',
    async run(lab) {
      return rejects(lab, await lab.connection(), lab.primary(1, 1), 4)
    },
  },
  {
    group: LINKTEST,
    title: 'Linktest.req has a response in a session',
    rule: 'E37, linktest procedure',
    run: async (lab) => linktest(lab, await lab.session()),
  },
  {
    group: LINKTEST,
    title: 'Linktest.req before Select.req has a response, or ends the connection',
    rule: 'E37, linktest procedure: in either state of a connection',
    async run(lab) {
      const link = await lab.connection()
      const header = lab.control(link, 'linktestReq')
      const came = await lab.reply(link, header, lab.reaction)
      if (came?.header.sType === STYPE.linktestRsp || came?.header.sType === STYPE.rejectReq)
        return frameWords(came)
      return link.isClosed
        ? 'the connection was closed'
        : failed(came ? `${frameWords(came)} came` : 'nothing came, and the connection is open')
    },
  },
  {
    group: LINKTEST,
    title: 'System bytes from 0 to FFFFFFFF come back',
    rule: 'E37, message format: a response has the system bytes of its request',
    async run(lab) {
      const link = await lab.session()
      for (const systemBytes of [0, 0x80000000, 0xffffffff]) await linktest(lab, link, { systemBytes })
      return 'the same'
    },
  },
  {
    group: LINKTEST,
    title: 'Three Linktest.req at once have three responses',
    rule: 'E37, message format: system bytes tell transactions apart',
    async run(lab) {
      const link = await lab.session()
      const sent = [1, 2, 3].map(() => lab.control(link, 'linktestReq'))
      for (const header of sent) await answers(lab, link, header, STYPE.linktestRsp)
      return 'three'
    },
  },
  {
    group: SEPARATE,
    title: 'Separate.req ends the connection',
    rule: 'E37, separate procedure; E37.1, which ends the connection with it',
    async run(lab) {
      const link = await lab.session()
      lab.control(link, 'separateReq')
      return closes(link, lab.within('t7'), 'Separate.req')
    },
  },
  {
    group: SEPARATE,
    title: 'A new session is accepted within T5 after Separate.req',
    rule: 'E37, T5 (connect separation timeout)',
    async run(lab) {
      const first = await lab.session()
      lab.control(first, 'separateReq')
      const began = lab.clock.now()
      await first.closed(lab.within('t6'))
      first.cut()
      await lab.session().catch((error: Error) => failed(error.message))
      return `after ${seconds(lab.clock.now() - began)}`
    },
  },
  {
    group: SEPARATE,
    title: 'Deselect.req has a response, is rejected, or ends the connection',
    rule: 'E37, deselect procedure; E37.1, which does not use it',
    async run(lab) {
      const link = await lab.session()
      const came = await lab.reply(link, lab.control(link, 'deselectReq'), lab.reaction)
      const type = came?.header.sType
      if (came && (type === STYPE.deselectRsp || type === STYPE.rejectReq)) return frameWords(came)
      if (link.isClosed) return 'the connection was closed'
      return failed(came ? `${frameWords(came)} came` : 'nothing came, and the connection is open')
    },
  },
  {
    group: REJECT,
    title: 'An unknown SType is rejected (reason 1), or ends the connection',
    rule: 'E37, reject procedure, reason 1',
    run: (lab) => rejectsInSession(lab, { sType: 11 }, 1),
  },
  {
    group: REJECT,
    title: 'An unknown PType is rejected (reason 2), or ends the connection',
    rule: 'E37, reject procedure, reason 2',
    run: (lab) => rejectsInSession(lab, { pType: 1 }, 2),
  },
  {
    group: REJECT,
    title: 'Linktest.rsp without a request is rejected (reason 3), or ends the connection',
    rule: 'E37, reject procedure, reason 3: no open transaction',
    run: (lab) => rejectsInSession(lab, { sType: STYPE.linktestRsp }, 3),
  },
  {
    group: REJECT,
    title: 'Select.rsp without a request is rejected (reason 3), or ends the connection',
    rule: 'E37, reject procedure, reason 3: no open transaction',
    run: (lab) => rejectsInSession(lab, { sType: STYPE.selectRsp }, 3),
  },
  {
    group: REJECT,
    title: 'Reject.req about nothing does not end the session',
    rule: 'E37, reject procedure: its receiver decides alone what to do',
    async run(lab) {
      const link = await lab.session()
      lab.control(link, 'rejectReq', { byte2: 0, byte3: 4 })
      await lab.goesOn(link, 'Reject.req was sent')
      return 'the session goes on'
    },
  },
  {
    group: LENGTHS,
    title: 'A message in pieces of one byte is read',
    rule: 'E37, use of TCP/IP: a stream of bytes without borders of messages',
    async run(lab) {
      const link = await lab.session()
      const header = {
        ...lab.primary(0, 0),
        sessionId: lab.options.sessionId,
        byte2: 0,
        sType: STYPE.linktestReq,
      }
      await inPieces(lab, link, header, NO_BODY, 1)
      return answers(lab, link, header, STYPE.linktestRsp)
    },
  },
  {
    group: LENGTHS,
    title: 'Two messages in one packet are both read',
    rule: 'E37, use of TCP/IP: a stream of bytes without borders of messages',
    async run(lab) {
      const link = await lab.session()
      const { sessionId } = lab.options
      const headers = [1, 2].map(() => ({
        ...lab.primary(0, 0),
        sessionId,
        byte2: 0,
        sType: STYPE.linktestReq,
      }))
      for (const [at, header] of headers.entries())
        link.write(
          at === 0
            ? Buffer.concat(headers.map((one) => encodeFrame({ header: one, body: NO_BODY })))
            : NO_BODY,
          { header, body: NO_BODY },
        )
      for (const header of headers) await answers(lab, link, header, STYPE.linktestRsp)
      return 'both'
    },
  },
  {
    group: LENGTHS,
    title: `A length below ${HEADER_LENGTH} ends the connection`,
    rule: 'E37, message format: a length has at least the 10 bytes of the header',
    async run(lab) {
      const link = await lab.session()
      link.write(ofLength(HEADER_LENGTH - 1, HEADER_LENGTH - 1))
      return closes(link, lab.within('t8'), 'a message of 9 bytes')
    },
  },
  {
    group: LENGTHS,
    title: 'A length of 4 GB ends the connection',
    rule: 'E37, message format: a message longer than the receiver can take is a failure of the communication',
    async run(lab) {
      const link = await lab.session()
      link.write(ofLength(0xffffffff, HEADER_LENGTH))
      link.hold()
      return closes(link, lab.within('t8'), 'a length of FFFFFFFF')
    },
  },
  {
    group: DATA,
    title: 'A data message has a reply with its system bytes and device ID, without W-bit',
    rule: 'E37, data procedure; E37.1, where the session ID is the device ID of E5',
    async run(lab) {
      const link = await lab.communication()
      return replies(lab, link, lab.data(link, 1, 1))
    },
  },
  {
    group: DATA,
    title: 'Three open transactions have three replies',
    rule: 'E37, message format: system bytes tell transactions apart',
    async run(lab) {
      const link = await lab.communication()
      const sent = [1, 2, 3].map(() => lab.data(link, 1, 1))
      const seen: string[] = []
      for (const header of sent) seen.push(await replies(lab, link, header))
      return seen.join(', ')
    },
  },
  {
    group: DATA,
    title: 'Another device ID has no reply but S9F1, and the session goes on',
    rule: 'E5, S9F1, for a device ID that the equipment does not have',
    async run(lab) {
      const link = await lab.communication()
      const other = (lab.options.deviceId + 1) & 0x7fff
      const came = await lab.reply(
        link,
        lab.data(link, 1, 1, undefined, { sessionId: other }),
        lab.within('t6'),
      )
      const seen = came ? frameWords(came) : 'nothing'
      if (seen !== 'S9F1') failed(`${seen} came; expected S9F1`)
      await lab.goesOn(link, seen)
      return seen
    },
  },
  {
    group: DATA,
    title: 'A message of 60,000 bytes in pieces has a reply',
    rule: 'E37, use of TCP/IP: a stream of bytes without borders of messages',
    async run(lab) {
      const link = await lab.communication()
      const header = lab.primary(2, 25)
      await inPieces(lab, link, header, encodeBody(bytesItem('B', new Uint8Array(60_000))), 1000)
      return replies(lab, link, header)
    },
  },
  {
    group: DATA,
    title: 'A reply without a primary does not end the session',
    rule: 'E37, data procedure: a reply belongs to an open transaction',
    async run(lab) {
      const link = await lab.communication()
      lab.send(link, { ...lab.primary(1, 2), byte2: 1 })
      await lab.goesOn(link, 'S1F2 was sent without S1F1')
      return 'the session goes on'
    },
  },
  {
    group: TIMERS,
    title: 'A connection without Select.req is closed (T7)',
    rule: 'E37, T7 (not selected timeout)',
    async run(lab) {
      const link = await lab.connection()
      return closes(link, lab.within('t7'), 'it was opened, and T7 has passed')
    },
  },
  {
    group: TIMERS,
    title: 'A message that stops within its header ends the connection (T8)',
    rule: 'E37, T8 (network intercharacter timeout)',
    async run(lab) {
      const link = await lab.session()
      link.write(ofLength(HEADER_LENGTH, 3))
      link.hold()
      return closes(link, lab.within('t8'), '7 of 14 bytes, and T8 has passed')
    },
  },
  {
    group: TIMERS,
    title: 'A message that stops within its length ends the connection (T8)',
    rule: 'E37, T8 (network intercharacter timeout)',
    async run(lab) {
      const link = await lab.session()
      link.write(new Uint8Array(2))
      link.hold()
      return closes(link, lab.within('t8'), '2 bytes of a length, and T8 has passed')
    },
  },
  {
    group: TIMERS,
    title: 'A primary of the equipment without a reply does not end the session (T3)',
    rule: 'E37, T3 (reply timeout): it ends the transaction, and not the session',
    async run(lab) {
      const link = await lab.session(true)
      const isPrimary = ({ header }: { readonly header: Header }): boolean =>
        header.sType === STYPE.data && (header.byte2 & 0x80) !== 0
      const primary = await link.next(isPrimary, lab.within('t6'))
      if (!primary)
        throw new CheckEnded('skipped', 'the equipment sent no primary with W-bit in a new session')
      const late = await lab.reply(link, primary.header, lab.within('t3'))
      const seen = late ? frameWords(late) : 'no S9F9'
      await lab.goesOn(link, `${frameWords(primary)} had no reply`)
      return `${frameWords(primary)}: ${seen}`
    },
  },
  {
    group: TIMERS,
    title: 'Linktest.req of the equipment without a response ends the connection (T6)',
    rule: 'E37, T6 (control transaction timeout): it ends the connection',
    async run(lab) {
      const link = await lab.session()
      const attend = link.handler
      link.handler = (frame) => frame.header.sType !== STYPE.linktestReq && attend(frame)
      const test = await link.next(({ header }) => header.sType === STYPE.linktestReq, lab.within('t6'))
      if (!test)
        throw new CheckEnded('skipped', `the equipment sent no Linktest.req in ${seconds(lab.within('t6'))}`)
      return closes(link, lab.within('t6'), 'Linktest.req, and T6 has passed')
    },
  },
  {
    group: CONNECTIONS,
    title: 'A second connection gets no session, and the first one goes on',
    rule: 'E37.1, one session at a time',
    async run(lab) {
      const first = await lab.session()
      const second = await lab.connection().catch(() => undefined)
      const status = second && (await lab.select(second))
      if (status === 0) failed('a second Select.req was accepted (status 0)')
      await lab.goesOn(first, 'a second connection was made')
      if (status !== undefined) return `Select.rsp status ${status}`
      return second === undefined || second.isClosed ? 'closed' : 'no response'
    },
  },
  {
    group: CONNECTIONS,
    title: 'After a cut connection a new session is accepted within T5',
    rule: 'E37, use of TCP/IP: the end of the connection ends the session',
    async run(lab) {
      const link = await lab.session()
      link.cut()
      const began = lab.clock.now()
      await lab.session().catch((error: Error) => failed(error.message))
      return `after ${seconds(lab.clock.now() - began)}`
    },
  },
]

/** The number of each check in a report: those of its group are counted from 1, and so are the groups. */
export const numbered = (prefix: string): readonly (HsmsCheck & { readonly number: string })[] => {
  const groups = [...new Set(HSMS_CHECKS.map(({ group }) => group))]
  return HSMS_CHECKS.map((check, at) => {
    const before = HSMS_CHECKS.slice(0, at).filter(({ group }) => group === check.group).length
    return { ...check, number: `${prefix}.${groups.indexOf(check.group) + 1}.${before + 1}` }
  })
}
