import type { Content } from '../../../catalogue/known-message.js'
import { type Item, L } from '../../../secs2/item.js'
import { textsIn, textValue } from '../../content.js'
import { equipmentBodyReply, equipmentReply, type ReplyRule } from '../../role.js'
import type { EquipmentParts } from '../equipment-parts.js'
import { type ProgramFault, programFaults } from './program-verification.js'
import { ACKC7, lengthIn, PPGNT, type Programs } from './programs.js'

/** S7F3, as MEXP says it. */
const PROGRAM_SEND = 'S07F03'

/** The replies of an equipment with process programs in stream 7. */
export function programReplies(equipment: EquipmentParts, programs: Programs): readonly ReplyRule[] {
  const { model, expected, outbound } = equipment
  const { commands: allowed } = programs.model
  const faultsOf = (program: Content<'S7F23', 'host'>): ProgramFault[] =>
    allowed ? programFaults(program, { ...model, commands: allowed }) : []
  const reportVerified = ({ PPID }: Content<'S7F23', 'host'>, faults: readonly ProgramFault[]): void => {
    const errors = faults.map(({ ackc7a, step, text }) => ({
      ACKC7A: String(ackc7a),
      SEQNUM: String(step),
      ERRW7: textValue(text),
    }))
    void outbound.report('S7F27', { PPID: textValue(String(PPID)), ERRORS: errors })
  }
  return [
    equipmentReply('S7F1', ({ PPID, LENGTH }) => {
      const announcement = { message: PROGRAM_SEND, data: String(PPID), length: Number(LENGTH) }
      const ppgnt = programs.inquire(announcement.data, announcement.length)
      if (ppgnt !== PPGNT.granted) return { PPGNT: String(ppgnt) }
      if (expected.isFull && !expected.has(announcement)) return { PPGNT: String(PPGNT.busy) }
      expected.expect(announcement)
      return { PPGNT: String(PPGNT.granted) }
    }),
    equipmentReply('S7F3', ({ PPID }, item) => {
      const [id, body] = itemsIn(item)
      const announced = expected.met(PROGRAM_SEND, String(PPID))
      if (!id || !body) return { ACKC7: String(ACKC7.notPermitted) }
      if (announced !== undefined && announced !== lengthIn(body)) return { ACKC7: String(ACKC7.lengthError) }
      return { ACKC7: String(programs.store(String(PPID), { id, body })) }
    }),
    equipmentBodyReply('S7F5', ({ PPID }) => {
      const { id, body } = programs.find(String(PPID)) ?? {}
      return id && body ? L(id, body) : L()
    }),
    equipmentReply('S7F17', ({ PPID }) => ({ ACKC7: String(programs.remove(textsIn(PPID))) })),
    equipmentBodyReply('S7F19', () => L(...programs.idItems())),
    equipmentReply('S7F23', (program, item) => {
      const [id, mdln, softrev, commands] = itemsIn(item)
      if (!id || !mdln || !softrev || commands?.format !== 'L') return { ACKC7: String(ACKC7.notPermitted) }
      const faults = faultsOf(program)
      const formatted = { mdln, softrev, commands }
      const ackc7 =
        faults.length > 0 ? ACKC7.accepted : programs.store(String(program.PPID), { id, formatted })
      if (ackc7 === ACKC7.accepted && allowed) reportVerified(program, faults)
      return { ACKC7: String(ackc7) }
    }),
    equipmentBodyReply('S7F25', ({ PPID }) => {
      const { id, formatted } = programs.find(String(PPID)) ?? {}
      return id && formatted ? L(id, formatted.mdln, formatted.softrev, formatted.commands) : L()
    }),
    equipmentReply('S7F31', (program) => {
      reportVerified(program, faultsOf(program))
      return { ACKC7: String(ACKC7.accepted) }
    }),
    equipmentReply('S7F33', ({ PPID }) => {
      const { body, formatted } = programs.find(String(PPID)) ?? {}
      return {
        PPID: textValue(String(PPID)),
        UNFLEN: String(lengthIn(body)),
        FRMLEN: String(lengthIn(formatted?.commands)),
      }
    }),
  ]
}

const itemsIn = (item: Item | undefined): readonly Item[] => (item?.format === 'L' ? item.items : [])
