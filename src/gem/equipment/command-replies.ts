import type { ReadValue } from '../../catalogue/structure/structure-data.js'
import { textValue } from '../content.js'
import { LARGE_MESSAGE } from '../expected-messages.js'
import { equipmentReply, type ReplyRule } from '../role.js'
import type { EquipmentParts } from './equipment-parts.js'
import { type GivenParameter, HCACK, type HostCommandAcknowledge } from './remote-commands.js'

/** CMDA (SEMI E5): S2F21 has no code for the other outcomes. */
const CMDA = { done: 0, noSuchCommand: 1, cannotNow: 2 } as const

/** Remote commands. While the equipment is local none is carried out (SEMI E30). */
export const commandReplies = (equipment: EquipmentParts): readonly ReplyRule[] => [
  equipmentReply('S2F21', ({ RCMD }) => {
    const { hcack } = equipment.command(String(RCMD), [], 'host')
    return { CMDA: String(cmdaOf(hcack)) }
  }),
  equipmentReply('S2F41', ({ RCMD, PARAMS }) => {
    const given = PARAMS.map(({ CPNAME, CPVAL }) => givenParameter(CPNAME, CPVAL))
    const { hcack, faults } = equipment.command(String(RCMD), given, 'host')
    return {
      HCACK: String(hcack),
      PARAMS: faults.map(({ name, cpack }) => ({ CPNAME: textValue(name), CPACK: String(cpack) })),
    }
  }),
  equipmentReply('S2F49', ({ DATAID, OBJSPEC, RCMD, PARAMS }) => {
    equipment.expected.met(LARGE_MESSAGE, String(DATAID))
    const object = String(OBJSPEC)
    if (object !== '' && !equipment.model.objects?.includes(object)) {
      return { HCACK: String(HCACK.noSuchObject), PARAMS: [] }
    }
    const given = PARAMS.map(({ CPNAME, CEPVAL }) => givenParameter(CPNAME, CEPVAL))
    const { hcack, faults } = equipment.command(String(RCMD), given, 'host')
    return {
      HCACK: String(hcack),
      PARAMS: faults.map(({ name, cpack }) => ({ CPNAME: textValue(name), CEPACK: { U1: [cpack] } })),
    }
  }),
]

const givenParameter = (name: ReadValue, value: ReadValue): GivenParameter => ({
  name: String(name),
  text: typeof value === 'string' ? value : undefined,
})

function cmdaOf(hcack: HostCommandAcknowledge): number {
  if (hcack === HCACK.done || hcack === HCACK.later) return CMDA.done
  return hcack === HCACK.noSuchCommand ? CMDA.noSuchCommand : CMDA.cannotNow
}
