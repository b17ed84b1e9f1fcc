import { idValue, textsIn } from '../../content.js'
import { type Answering, equipmentAnswer } from '../../role.js'
import type { Alarms } from './alarms.js'

/** ALED's top bit: enable. */
const ENABLE_BIT = 0x80

export function alarmAnswers(alarms: Alarms): readonly Answering[] {
  return [
    equipmentAnswer('S5F3', ({ ALED, ALID }) => ({
      ACKC5: alarms.enable(textsIn(ALID), (Number(ALED) & ENABLE_BIT) !== 0) ? '0' : '1',
    })),
    equipmentAnswer('S5F5', ({ ALID }) => ({
      ROWS: alarms.list(textsIn(ALID)).map(({ id, report }) => ({
        ALCD: report ? String(report.alcd) : [],
        ALID: idValue(id),
        ALTX: report?.alarm.text ?? '',
      })),
    })),
    equipmentAnswer('S5F7', () => ({
      ROWS: alarms
        .enabled()
        .map(({ alcd, alarm }) => ({ ALCD: String(alcd), ALID: idValue(alarm.id), ALTX: alarm.text })),
    })),
  ]
}
