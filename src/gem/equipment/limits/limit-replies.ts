import type { ReadValue } from '../../../catalogue/structure/structure-data.js'
import { idValue, textsIn } from '../../content.js'
import { type ExpectedMessages, LARGE_MESSAGE } from '../../expected-messages.js'
import { equipmentReply, type ReplyRule } from '../../role.js'
import { formatOf, NO_VALUE, type TypedValue, valueAs } from '../../typed-value.js'
import type { Variable } from '../equipment-model.js'
import type { GivenBound } from './limit-definitions.js'
import type { Limits } from './limits.js'

/** VLAACK (SEMI E5). */
const VLAACK = { accepted: 0, wrong: 1 } as const

export const limitReplies = (limits: Limits, expected: ExpectedMessages): readonly ReplyRule[] => [
  equipmentReply('S2F45', ({ DATAID, VARIABLES }) => {
    expected.met(LARGE_MESSAGE, String(DATAID))
    const faults = limits.define(
      VARIABLES.map(({ VID, LIMITS }) => ({
        variable: String(VID),
        limits: LIMITS.map(({ LIMITID, UPPERDB, LOWERDB }) => ({
          id: Number(LIMITID),
          ...(UPPERDB !== undefined && { deadBand: { upper: boundIn(UPPERDB), lower: boundIn(LOWERDB) } }),
        })),
      })),
    )
    return {
      VLAACK: String(faults.length > 0 ? VLAACK.wrong : VLAACK.accepted),
      VARIABLES: faults.map(({ variable, lvack, limit, limitack }) => ({
        VID: idValue(variable),
        LVACK: String(lvack),
        ...(limitack !== undefined && { LIMITID: String(limit), LIMITACK: String(limitack) }),
      })),
    }
  }),
  equipmentReply('S2F47', ({ VID }) => ({
    VARIABLES: limits.choose(textsIn(VID)).map(({ id, variable, limits: defined }) => ({
      VID: idValue(id),
      ...(variable?.limits && {
        UNITS: variable.unit,
        LIMITMIN: inFormatOf(variable, variable.limits.minimum),
        LIMITMAX: inFormatOf(variable, variable.limits.maximum),
        LIMITS: defined.map((limit) => ({
          LIMITID: String(limit.id),
          UPPERDB: inFormatOf(variable, limit.upper),
          LOWERDB: inFormatOf(variable, limit.lower),
        })),
      }),
    })),
  })),
]

const boundIn = (value: ReadValue | undefined): GivenBound => (typeof value === 'string' ? value : undefined)

const inFormatOf = (variable: Variable, bound: number): TypedValue =>
  valueAs(formatOf(variable.value), bound) ?? NO_VALUE
