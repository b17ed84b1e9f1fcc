import { textsIn } from '../../content.js'
import { type Answering, equipmentAnswer } from '../../role.js'
import type { Traces } from './traces.js'

export const traceAnswers = (traces: Traces): readonly Answering[] => [
  equipmentAnswer('S2F23', ({ TRID, DSPER, TOTSMP, REPGSZ, SVID }) => {
    const tiaack = traces.initialize({
      id: String(TRID),
      period: String(DSPER),
      total: Number(TOTSMP),
      group: Number(REPGSZ),
      variables: textsIn(SVID),
    })
    return { TIAACK: String(tiaack) }
  }),
]
