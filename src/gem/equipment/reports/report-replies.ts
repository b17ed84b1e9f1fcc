import { idValue, textsIn } from '../../content.js'
import { LARGE_MESSAGE } from '../../expected-messages.js'
import { equipmentReply, type ReplyRule } from '../../role.js'
import type { EquipmentParts } from '../equipment-parts.js'
import type { Reporting } from './reporting.js'

/** GRANT (SEMI E5). */
const GRANT = { granted: 0, busy: 1, noSpace: 2, inUse: 3 } as const

/** Collection events and their reports. */
export function reportReplies(equipment: EquipmentParts, reporting: Reporting): readonly ReplyRule[] {
  const { reports, expected } = equipment
  const annotated = (variables: readonly string[]) =>
    variables.map((id) => ({ VID: idValue(id), V: equipment.value(id) }))
  return [
    equipmentReply('S1F23', ({ CEID }) => ({
      ROWS: reports.choose(textsIn(CEID)).map(({ id, event, variables }) => ({
        CEID: idValue(id),
        CENAME: event?.name ?? '',
        VID: variables.map(idValue),
      })),
    })),
    equipmentReply('S2F33', ({ DATAID, REPORTS }) => {
      expected.met(LARGE_MESSAGE, String(DATAID))
      const wanted = REPORTS.map(({ RPTID, VID }) => ({ id: String(RPTID), variables: textsIn(VID) }))
      return { DRACK: String(reports.define(wanted)) }
    }),
    equipmentReply('S2F35', ({ DATAID, EVENTS }) => {
      expected.met(LARGE_MESSAGE, String(DATAID))
      const wanted = EVENTS.map(({ CEID, RPTID }) => ({ event: String(CEID), reports: textsIn(RPTID) }))
      return { LRACK: String(reports.link(wanted)) }
    }),
    equipmentReply('S2F37', ({ CEED, CEID }) => ({
      ERACK: reports.enable(textsIn(CEID), CEED === 'true') ? '0' : '1',
    })),
    equipmentReply('S2F39', ({ DATAID, DATALENGTH }) => {
      const announcement = { message: LARGE_MESSAGE, data: String(DATAID), length: Number(DATALENGTH) }
      if (expected.has(announcement)) return { GRANT: String(GRANT.inUse) }
      if (announcement.length > (equipment.model.longestBody ?? Infinity)) {
        return { GRANT: String(GRANT.noSpace) }
      }
      if (expected.isFull) return { GRANT: String(GRANT.busy) }
      expected.expect(announcement)
      return { GRANT: String(GRANT.granted) }
    }),
    equipmentReply('S6F15', ({ CEID }) => ({
      DATAID: reporting.nextDataId(),
      CEID: idValue(String(CEID)),
      REPORTS: reporting.filled(String(CEID)),
    })),
    equipmentReply('S6F17', ({ CEID }) => ({
      DATAID: reporting.nextDataId(),
      CEID: idValue(String(CEID)),
      REPORTS: (reports.reportsOf(String(CEID)) ?? []).map(({ id, variables }) => ({
        RPTID: idValue(id),
        VALUES: annotated(variables),
      })),
    })),
    equipmentReply('S6F19', ({ RPTID }) => ({
      V: (reports.variablesOf(String(RPTID)) ?? []).map((id) => equipment.value(id)),
    })),
    equipmentReply('S6F21', ({ RPTID }) => ({
      VALUES: annotated(reports.variablesOf(String(RPTID)) ?? []),
    })),
  ]
}
